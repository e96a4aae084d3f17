// SPDX-License-Identifier: Apache-2.0
// The linker leads the system calls of base/file.c through the functions below (-Wl,--wrap), which
// pass them on unless a test wants one to fail.

#include "tests/base/file_support.h"

#include "tests/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

SomFaults som_faults;
SomDiagnostics *som_file_diags;

static bool fails(const char *call) {
    bool meant = som_faults.call != NULL &&
                 (strcmp(som_faults.call, call) == 0 || strcmp(som_faults.call, "any") == 0);
    if (!meant || --som_faults.which != 0) {
        return false;
    }
    if (som_faults.error == SOM_DEADLY) {
        raise(SIGKILL);
    }
    som_faults.late = som_faults.renamed;
    errno = som_faults.error;
    return true;
}

static bool interrupts(void) {
    som_faults.interrupted = som_faults.piece > 0 && !som_faults.interrupted;
    errno = EINTR;
    return som_faults.interrupted;
}

ssize_t __real_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size) {
    if (som_faults.before_read != NULL) {
        void (*work)(void) = som_faults.before_read;
        som_faults.before_read = NULL;
        work();
    }
    size = som_faults.piece > 0 && som_faults.piece < size ? som_faults.piece : size;
    return fails("read") || interrupts() ? -1 : __real_read(file, buffer, size);
}

ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size) {
    size = som_faults.piece > 0 && som_faults.piece < size ? som_faults.piece : size;
    return fails("write") || interrupts() ? -1 : __real_write(file, data, size);
}

// Both names of it, since where offsets have 64 bits one stands for the other.
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return fails("open") ? -1 : __real_open(path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return __wrap_open(path, flags, mode);
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
    return fails("fsync") || interrupts() ? -1 : __real_fsync(file);
}

int __real_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode);
int __wrap_fchmod(int file, mode_t mode) {
    return fails("fchmod") ? -1 : __real_fchmod(file, mode);
}

int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file) {
    int result = __real_close(file);
    return fails("close") ? -1 : result;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
    if (fails("rename")) {
        return -1;
    }
    som_faults.renamed = true;
    return __real_rename(from, to);
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode) {
    return fails("mkdir") ? -1 : __real_mkdir(path, mode);
}

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode) {
    return fails("access") ? -1 : __real_access(path, mode);
}

// ---- a folder of its own for each test ----

static SomText printed;
static char folder[64];

const char *som_enter_folder(void) {
    strcpy(folder, "/tmp/somite-file-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
    som_file_diags = som_diagnostics_create();
    return folder;
}

void som_leave_folder(void) {
    som_text_free(&printed);
    som_diagnostics_destroy(som_file_diags);
    char command[128];
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

const char *som_reports(void) {
    som_text_clear(&printed);
    som_text_add(&printed, SOM_STR(""));
    som_diagnostics_print(som_file_diags, 0, &printed);
    som_diagnostics_destroy(som_file_diags);
    som_file_diags = som_diagnostics_create();
    return printed.data;
}

void som_put(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

const char *som_content_of(const char *path) {
    static char content[100000];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t length = fread(content, 1, sizeof content - 1, file);
    content[length] = '\0';
    fclose(file);
    return content;
}

int som_count_files(const char *path) {
    DIR *directory = opendir(path);
    int count = -2; // . and ..
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}
