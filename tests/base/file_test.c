// SPDX-License-Identifier: Apache-2.0
// Tests for base/file.c. The linker leads its system calls through the functions below
// (-Wl,--wrap), which pass them on unless a test wants one to fail.

#include "base/file.h"
#include "tests/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- system calls that fail when they are told to ----

static struct {
    const char *call; // NULL: none; "any": every call that is led through here
    int which;        // the n-th from now, counting from 1
    int error;        // DEADLY: the process is killed before the call
} fault;

#define DEADLY (-1)

static bool renamed; // set by every rename that happens
static bool late;    // whether the last fault came after it

// Reads and writes are cut to so many bytes, and every other one is interrupted; 0: they are not.
static size_t piece;
static bool interrupted;

// Called once before the next read.
static void (*before_read)(void);

static bool fails(const char *call) {
    bool meant =
        fault.call != NULL && (strcmp(fault.call, call) == 0 || strcmp(fault.call, "any") == 0);
    if (!meant || --fault.which != 0) {
        return false;
    }
    if (fault.error == DEADLY) {
        raise(SIGKILL);
    }
    late = renamed;
    errno = fault.error;
    return true;
}

static bool interrupts(void) {
    interrupted = piece > 0 && !interrupted;
    errno = EINTR;
    return interrupted;
}

ssize_t __real_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size);
ssize_t __wrap_read(int file, void *buffer, size_t size) {
    if (before_read != NULL) {
        void (*work)(void) = before_read;
        before_read = NULL;
        work();
    }
    size = piece > 0 && piece < size ? piece : size;
    return fails("read") || interrupts() ? -1 : __real_read(file, buffer, size);
}

ssize_t __real_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size) {
    size = piece > 0 && piece < size ? piece : size;
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
    renamed = true;
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

static SomDiagnostics *diags;
static SomText text;
static SomText printed;
static char folder[64];

static void enter_folder(void) {
    strcpy(folder, "/tmp/somite-file-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
    diags = som_diagnostics_create();
}

static void leave_folder(void) {
    som_text_free(&text);
    som_text_free(&printed);
    som_diagnostics_destroy(diags);
    char command[128];
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

// What was reported since the last call.
static const char *reports(void) {
    som_text_clear(&printed);
    som_text_add(&printed, SOM_STR(""));
    som_diagnostics_print(diags, 0, &printed);
    som_diagnostics_destroy(diags);
    diags = som_diagnostics_create();
    return printed.data;
}

static void put(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

static const char *content_of(const char *path) {
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

static int count_files(const char *path) {
    DIR *directory = opendir(path);
    int count = -2; // . and ..
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}

static void check_load_fails(const char *path, size_t limit, const char *expected) {
    ck_assert(!som_file_load(path, limit, &text, diags));
    ck_assert_uint_eq(text.length, 0);
    ck_assert_str_eq(reports(), expected);
}

// ---- loading ----

START_TEST(a_file_is_loaded_whole) {
    enter_folder();
    put("a", "hello\n");
    put("empty", "");
    for (int round = 0; round < 2; round++) {
        piece = round == 0 ? 0 : 1;
        ck_assert(som_file_load("a", SOM_FILE_LIMIT, &text, diags));
        ck_assert_str_eq(text.data, "hello\n");
        ck_assert(som_file_load("a", 6, &text, diags));
        ck_assert_str_eq(text.data, "hello\n");
        ck_assert(som_file_load("empty", SOM_FILE_LIMIT, &text, diags));
        ck_assert_uint_eq(text.length, 0);
        ck_assert(som_file_load("a", SIZE_MAX, &text, diags));
        ck_assert_uint_eq(text.length, 6);
    }
    ck_assert_str_eq(reports(), "");
    leave_folder();
}
END_TEST

START_TEST(what_can_not_be_a_file_is_refused_with_a_reason) {
    enter_folder();
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(end, (const struct sockaddr *)&address, sizeof address), 0);
    close(end);
    put("a", "hello\n");
    ck_assert_int_eq(symlink("ring", "ring"), 0);
    check_load_fails("none", 100,
                     "error: can't read 'none': there is no such file or folder [SOM0101]\n");
    check_load_fails("a/b", 100,
                     "error: can't read 'a/b': a part of its path is not a folder [SOM0101]\n");
    check_load_fails("", 100, "error: can't read '': there is no such file or folder [SOM0101]\n");
    check_load_fails("ring", 100,
                     "error: can't read 'ring': its symbolic links go in a circle [SOM0101]\n");
    check_load_fails("folder", 100, "error: can't read 'folder': it is a folder [SOM0103]\n");
    check_load_fails("pipe", 100, "error: can't read 'pipe': it is a pipe, not a file [SOM0104]\n");
    check_load_fails("socket", 100,
                     "error: can't read 'socket': it is a socket, not a file [SOM0104]\n");
    check_load_fails("/dev/zero", 100,
                     "error: can't read '/dev/zero': it is a device, not a file [SOM0104]\n");
    check_load_fails("a", 5, "error: can't read 'a': it has more than 5 bytes [SOM0105]\n");
    check_load_fails("a", 0, "error: can't read 'a': it has more than 0 bytes [SOM0105]\n");

    int file = open("sparse", O_WRONLY | O_CREAT, 0666);
    ck_assert_int_eq(ftruncate(file, (off_t)3 << 30), 0);
    close(file);
    check_load_fails("sparse", SOM_FILE_LIMIT,
                     "error: can't read 'sparse': it has more than 64 MiB [SOM0105]\n");
    leave_folder();
}
END_TEST

START_TEST(a_file_that_may_not_or_can_not_be_read_is_reported) {
    enter_folder();
    put("a", "hello\n");
    fault.call = "open";
    fault.which = 1;
    fault.error = EACCES;
    check_load_fails("a", 100, "error: can't read 'a': permission is denied [SOM0102]\n");
    fault.call = "read";
    fault.which = 1;
    fault.error = EIO;
    check_load_fails("a", 100, "error: can't read 'a': the disk has a fault [SOM0106]\n");
    fault.which = 1;
    fault.error = 12345;
    check_load_fails("a", 100, "error: can't read 'a': error number 12345 [SOM0106]\n");
    leave_folder();
}
END_TEST

static void append_to_a(void) {
    FILE *file = fopen("a", "ab");
    fputs("more", file);
    fclose(file);
}

static void truncate_a(void) {
    ck_assert_int_eq(truncate("a", 1), 0);
}

// As an editor does that saves in place, in a file of the same size.
static void rewrite_a(void) {
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    put("a", "HELLO\n");
    ck_assert_int_eq(utimensat(AT_FDCWD, "a", times, 0), 0);
}

START_TEST(a_file_that_changes_under_the_reader_is_reported) {
    enter_folder();
    void (*const changes[])(void) = {append_to_a, truncate_a, rewrite_a};
    for (int i = 0; i < 3; i++) {
        put("a", "hello\n");
        before_read = changes[i];
        check_load_fails("a", 100, "error: 'a' changed while it was read [SOM0107]\n");
    }
    // and one that grows beyond the limit is not read beyond it
    put("a", "hello\n");
    before_read = append_to_a;
    check_load_fails("a", 8, "error: can't read 'a': it has more than 8 bytes [SOM0105]\n");
    leave_folder();
}
END_TEST

// Makes standard input the reading end of a pipe into which a child writes, slowly.
static void feed_input(const char *content, int repeats, int flags) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, flags);
    if (fork() == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        for (int i = 0; i < repeats; i++) {
            if (__real_write(ends[1], content, strlen(content)) < 0) {
                break;
            }
        }
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
}

START_TEST(a_dash_is_standard_input_up_to_the_limit) {
    enter_folder();
    signal(SIGPIPE, SIG_IGN);
    feed_input("hello\n", 1000, 0);
    ck_assert(som_file_load("-", SOM_FILE_LIMIT, &text, diags));
    ck_assert_uint_eq(text.length, 6000);
    feed_input("hello\n", 3, O_NONBLOCK);
    ck_assert(som_file_load("-", SOM_FILE_LIMIT, &text, diags));
    ck_assert_str_eq(text.data, "hello\nhello\nhello\n");
    feed_input("hello\n", 3, 0);
    ck_assert_uint_ne(som_file_load_source("-", &text, diags), 0);
    ck_assert(som_str_equal(som_diagnostics_place(diags, 1, 0).path, SOM_STR("<stdin>")));

    feed_input("endless ", 1 << 30, 0);
    check_load_fails("-", 1000,
                     "error: can't read '<stdin>': it has more than 1000 bytes [SOM0105]\n");
    int file = open(".", O_RDONLY);
    dup2(file, STDIN_FILENO);
    check_load_fails("-", 1000, "error: can't read '<stdin>': it is a folder [SOM0103]\n");
    leave_folder();
}
END_TEST

START_TEST(a_source_is_registered_and_a_byte_order_mark_dropped) {
    enter_folder();
    put("a.som", "\xEF\xBB\xBF"
                 "config A\nb\n");
    put("b.som", "");
    ck_assert_uint_eq(som_file_load_source("a.som", &text, diags), 1);
    ck_assert_str_eq(text.data, "config A\nb\n");
    SomPlace place = som_diagnostics_place(diags, 1, 7);
    ck_assert_int_eq(place.line, 1);
    ck_assert_int_eq(place.column, 8);
    ck_assert(som_str_equal(place.path, SOM_STR("a.som")));
    SomText second = {0};
    ck_assert_uint_eq(som_file_load_source("b.som", &second, diags), 2);
    ck_assert_uint_eq(som_file_load_source("c.som", &second, diags), 0);
    som_text_free(&second);
    leave_folder();
}
END_TEST

START_TEST(a_text_with_zero_bytes_or_that_is_not_utf8_is_refused_at_its_place) {
    enter_folder();
    FILE *file = fopen("a.som", "wb");
    fwrite("caf\xC3\xA9\nx\0y\n\xC3\xA9\xE9t\n", 1, 14, file);
    fclose(file);
    ck_assert_uint_eq(som_file_load_source("a.som", &text, diags), 0);
    ck_assert_str_eq(reports(), "a.som:2:2: error: a zero byte stands in the text [SOM0121]\n"
                                "    2 | x?y\n"
                                "      |  ^\n"
                                "a.som:3:2: error: byte 0xE9 is not UTF-8 [SOM0122]\n"
                                "    3 | \xC3\xA9?t\n"
                                "      |  ^\n");
    leave_folder();
}
END_TEST

// ---- saving ----

START_TEST(a_new_file_gets_the_usual_permissions) {
    enter_folder();
    umask(027);
    ck_assert(som_file_save("new", SOM_STR("content\0\n"), diags));
    struct stat status;
    ck_assert_int_eq(stat("new", &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0640);
    ck_assert_int_eq((int)status.st_size, 9);
    ck_assert(som_file_save("empty", SOM_STR(""), diags));
    ck_assert_str_eq(content_of("empty"), "");
    ck_assert_int_eq(count_files("."), 2);
    ck_assert_str_eq(reports(), "");
    leave_folder();
}
END_TEST

START_TEST(a_file_replaced_keeps_its_permissions) {
    enter_folder();
    put("a", "old");
    for (mode_t mode = 0600; mode <= 0777; mode += 0111) {
        ck_assert_int_eq(chmod("a", mode), 0);
        ck_assert(som_file_save("a", SOM_STR("new"), diags));
        struct stat status;
        ck_assert_int_eq(stat("a", &status), 0);
        ck_assert_int_eq(status.st_mode & 07777, mode);
        ck_assert_str_eq(content_of("a"), "new");
    }
    ck_assert_int_eq(count_files("."), 1);
    leave_folder();
}
END_TEST

START_TEST(a_link_is_followed_and_stays_a_link) {
    enter_folder();
    ck_assert_int_eq(mkdir("there", 0777), 0);
    put("there/a", "old");
    ck_assert_int_eq(symlink("there/b", "first"), 0);
    ck_assert_int_eq(symlink("a", "there/b"), 0);
    ck_assert_int_eq(symlink("there/later", "dangling"), 0);
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/there/a", folder);
    ck_assert_int_eq(symlink(absolute, "absolute"), 0);

    ck_assert(som_file_save("first", SOM_STR("new"), diags));
    ck_assert_str_eq(content_of("there/a"), "new");
    ck_assert(som_file_save("absolute", SOM_STR("newer"), diags));
    ck_assert_str_eq(content_of("there/a"), "newer");
    ck_assert(som_file_save("dangling", SOM_STR("made"), diags));
    ck_assert_str_eq(content_of("there/later"), "made");
    struct stat status;
    const char *const links[] = {"first", "there/b", "dangling", "absolute"};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(lstat(links[i], &status), 0);
        ck_assert(S_ISLNK(status.st_mode));
    }
    ck_assert_int_eq(count_files("there"), 3);
    ck_assert_str_eq(reports(), "");
    leave_folder();
}
END_TEST

static void check_save_fails(const char *path, const char *expected) {
    int before = count_files(".");
    ck_assert(!som_file_save(path, SOM_STR("new"), diags));
    ck_assert_str_eq(reports(), expected);
    ck_assert_int_eq(count_files("."), before);
}

START_TEST(what_is_not_a_file_is_not_replaced) {
    enter_folder();
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    ck_assert_int_eq(symlink("ring", "ring"), 0);
    put("a", "old");
    check_save_fails("folder", "error: can't write 'folder': it is a folder [SOM0103]\n");
    check_save_fails("pipe", "error: can't write 'pipe': it is a pipe, not a file [SOM0104]\n");
    check_save_fails("/dev/full",
                     "error: can't write '/dev/full': it is a device, not a file [SOM0104]\n");
    check_save_fails("ring",
                     "error: can't write 'ring': its symbolic links go in a circle [SOM0101]\n");
    check_save_fails("none/a",
                     "error: can't write 'none/a': there is no such file or folder [SOM0101]\n");
    check_save_fails("a/b",
                     "error: can't write 'a/b': a part of its path is not a folder [SOM0101]\n");
    check_save_fails("", "error: can't write '': there is no such file or folder [SOM0101]\n");
    fault.call = "access";
    fault.which = 1;
    fault.error = EACCES;
    check_save_fails("a", "error: can't write 'a': permission is denied [SOM0102]\n");
    ck_assert_str_eq(content_of("a"), "old");
    leave_folder();
}
END_TEST

START_TEST(a_read_only_file_or_folder_is_respected) {
    if (geteuid() == 0) {
        return; // root may write everywhere; the faults below stand for it
    }
    enter_folder();
    put("a", "old");
    ck_assert_int_eq(chmod("a", 0444), 0);
    check_save_fails("a", "error: can't write 'a': permission is denied [SOM0102]\n");
    ck_assert_int_eq(chmod(".", 0555), 0);
    check_save_fails("b", "error: can't write 'b': permission is denied [SOM0102]\n");
    ck_assert_int_eq(chmod(".", 0755), 0);
    leave_folder();
}
END_TEST

START_TEST(a_name_of_the_greatest_length_is_saved) {
    enter_folder();
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    ck_assert(som_file_save(name, SOM_STR("long"), diags));
    ck_assert_str_eq(content_of(name), "long");
    leave_folder();
}
END_TEST

// Whatever call fails, and whenever: the old content stays, no other file is left behind and the
// report has the path and the reason. The exception is the flush of the folder, which comes when
// the new content is in its place.
START_TEST(a_fault_at_any_moment_leaves_the_old_file) {
    enter_folder();
    const char *const calls[] = {"open", "write", "fchmod", "fsync", "close", "rename"};
    const struct {
        int error;
        const char *reason;
    } errors[] = {
        {ENOSPC, "no space is left on the disk [SOM0108]"},
        {EDQUOT, "the disk quota is used up [SOM0108]"},
        {EIO, "the disk has a fault [SOM0108]"},
        {EACCES, "permission is denied [SOM0102]"},
        {EROFS, "the file system is read-only [SOM0102]"},
    };
    char content[5000];
    memset(content, 'n', sizeof content);
    SomStr new_content = {content, sizeof content};
    for (int c = 0; c < 6; c++) {
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
            for (int which = 1;; which++) {
                put("a", "old");
                piece = 512;
                renamed = false;
                fault.call = calls[c];
                fault.which = which;
                fault.error = errors[e].error;
                bool good = som_file_save("a", new_content, diags);
                bool happened = fault.which <= 0;
                fault.call = NULL;
                piece = 0;
                ck_assert_int_eq(count_files("."), 1);
                if (!happened) {
                    ck_assert(good);
                    ck_assert_int_gt(which, 1); // at least one did
                    reports();
                    break;
                }
                ck_assert_uint_eq(strlen(content_of("a")), late ? sizeof content : 3);
                char expected[200];
                snprintf(expected, sizeof expected,
                         late ? "error: 'a' was replaced, but its folder could not be flushed: "
                                "%s\n"
                              : "error: can't write 'a': %s\n",
                         errors[e].reason);
                if (late && c == 3) {
                    ck_assert(!good);
                    // always the same code: what to do is the same
                    strcpy(strstr(expected, "[SOM"), "[SOM0108]\n");
                    ck_assert_str_eq(reports(), expected);
                } else {
                    ck_assert(good == late);
                    ck_assert_str_eq(reports(), late ? "" : expected);
                }
            }
        }
    }
    leave_folder();
}
END_TEST

START_TEST(short_and_interrupted_writes_are_continued) {
    enter_folder();
    char content[3000];
    for (size_t i = 0; i < sizeof content; i++) {
        content[i] = (char)('a' + i % 26);
    }
    for (size_t size = 1; size < 4096; size *= 2) {
        piece = size;
        ck_assert(som_file_save("a", (SomStr){content, sizeof content}, diags));
        piece = 0;
        ck_assert(memcmp(content_of("a"), content, sizeof content) == 0);
    }
    leave_folder();
}
END_TEST

START_TEST(leftovers_of_killed_processes_do_not_matter) {
    enter_folder();
    for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, ".somite-%ld-%d.tmp", (long)getpid(), i);
        put(name, "half of a fi");
    }
    put("a", "old");
    ck_assert(som_file_save("a", SOM_STR("new"), diags));
    ck_assert_str_eq(content_of("a"), "new");
    ck_assert_int_eq(count_files("."), 6); // not ours to remove
    leave_folder();
}
END_TEST

// Version n of the file: its number, and lines that all name it.
static void write_version(int n, SomText *out) {
    som_text_clear(out);
    int lines = 1 + n % 1000 * 7919 % 3000;
    for (int i = 0; i < lines; i++) {
        som_text_printf(out, "%d of version %d\n", lines - i, n);
    }
}

static void save_for_ever(int first) {
    SomText version = {0};
    for (int n = first;; n++) {
        write_version(n, &version);
        if (!som_file_save("a", som_text_str(&version), diags)) {
            _exit(1);
        }
    }
}

START_TEST(a_process_killed_before_any_call_of_a_save_leaves_a_whole_version) {
    enter_folder();
    bool killed = true;
    for (int which = 1; killed; which++) {
        put("a", "old");
        pid_t child = fork();
        if (child == 0) {
            piece = 2;
            fault.call = "any";
            fault.which = which;
            fault.error = DEADLY;
            _exit(!som_file_save("a", SOM_STR("new content"), diags));
        }
        int status;
        waitpid(child, &status, 0);
        killed = WIFSIGNALED(status);
        const char *content = content_of("a");
        ck_assert(strcmp(content, "new content") == 0 || (killed && strcmp(content, "old") == 0));
        ck_assert(!killed || which < 100);
        ck_assert(killed || which > 10);
        ck_assert(som_file_save("a", SOM_STR("later"), diags));
    }
    leave_folder();
}
END_TEST

START_TEST(a_process_killed_while_it_saves_leaves_a_whole_version) {
    enter_folder();
    SomTestRandom random = {1};
    int count = som_test_count(300, 5000);
    SomText version = {0};
    int different = 0, last = -1;
    write_version(0, &version);
    ck_assert(som_file_save("a", som_text_str(&version), diags));
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            save_for_ever(1000 * (i + 1));
        }
        nanosleep(&(struct timespec){.tv_nsec = som_test_int(&random, 0, 15000000)}, NULL);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        ck_assert(WIFSIGNALED(status));

        ck_assert(som_file_load("a", SOM_FILE_LIMIT, &text, diags));
        int n = -1;
        ck_assert_int_eq(sscanf(text.data, "%*d of version %d\n", &n), 1);
        write_version(n, &version);
        ck_assert(som_str_equal(som_text_str(&text), som_text_str(&version)));
        different += n != last;
        last = n;
    }
    ck_assert_int_gt(different, count / 10); // the children did get to save
    som_text_free(&version);
    leave_folder();
}
END_TEST

// ---- folders ----

START_TEST(folders_are_made_with_their_parents) {
    enter_folder();
    ck_assert(som_file_make_folder("a/b//c/", diags));
    ck_assert(som_file_make_folder("a/b/c", diags));
    ck_assert(som_file_make_folder("a", diags));
    ck_assert(som_file_make_folder(".", diags));
    ck_assert(som_file_make_folder("/", diags));
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/x/y", folder);
    ck_assert(som_file_make_folder(absolute, diags));
    struct stat status;
    ck_assert(stat("a/b/c", &status) == 0 && S_ISDIR(status.st_mode));
    ck_assert(stat("x/y", &status) == 0 && S_ISDIR(status.st_mode));
    ck_assert_str_eq(reports(), "");

    put("file", "");
    ck_assert(!som_file_make_folder("file/b", diags));
    ck_assert(!som_file_make_folder("file", diags));
    ck_assert(!som_file_make_folder("", diags));
    fault.call = "mkdir";
    fault.which = 2;
    fault.error = ENOSPC;
    ck_assert(!som_file_make_folder("n/m", diags));
    ck_assert_str_eq(
        reports(),
        "error: can't make folder 'file/b': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder 'file': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder '': there is no such file or folder [SOM0101]\n"
        "error: can't make folder 'n/m': no space is left on the disk [SOM0108]\n");
    leave_folder();
}
END_TEST

START_TEST(a_folder_is_listed_in_order) {
    enter_folder();
    put("b.som", "");
    put("a.som", "");
    put("c.m3l", "");
    put(".hidden.som", "");
    SomArena arena = {0};
    const SomStr *names;
    ck_assert_int_eq(som_file_list(".", SOM_STR(".som"), &arena, &names, diags), 2);
    ck_assert(som_str_equal(names[0], SOM_STR("a.som")));
    ck_assert(som_str_equal(names[1], SOM_STR("b.som")));
    ck_assert_int_eq(som_file_list(".", SOM_STR(""), &arena, &names, diags), 3);
    ck_assert_int_eq(som_file_list(".", SOM_STR(".x"), &arena, &names, diags), 0);
    ck_assert_int_eq(som_file_list("none", SOM_STR(".x"), &arena, &names, diags), -1);
    ck_assert_str_eq(
        reports(), "error: can't list folder 'none': there is no such file or folder [SOM0101]\n");
    ck_assert(som_file_exists("a.som"));
    ck_assert(!som_file_exists("."));
    ck_assert(!som_file_exists("none"));
    ck_assert(som_file_is_folder(".") && !som_file_is_folder("a.som") &&
              !som_file_is_folder("none"));
    som_arena_free(&arena);
    leave_folder();
}
END_TEST

START_TEST(the_stamp_of_a_file_tells_whether_it_changed) {
    enter_folder();
    ck_assert(som_file_stamp("a.som") == 0);
    ck_assert(som_file_save("a.som", SOM_STR("one"), diags));
    uint64_t first = som_file_stamp("a.som");
    ck_assert(first != 0 && som_file_stamp("a.som") == first);
    ck_assert(som_file_save("a.som", SOM_STR("more"), diags));
    ck_assert(som_file_stamp("a.som") != first);
    leave_folder();
}
END_TEST

SOM_SUITE("base/file", a_file_is_loaded_whole, the_stamp_of_a_file_tells_whether_it_changed,
          what_can_not_be_a_file_is_refused_with_a_reason,
          a_file_that_may_not_or_can_not_be_read_is_reported,
          a_file_that_changes_under_the_reader_is_reported,
          a_dash_is_standard_input_up_to_the_limit,
          a_source_is_registered_and_a_byte_order_mark_dropped,
          a_text_with_zero_bytes_or_that_is_not_utf8_is_refused_at_its_place,
          a_new_file_gets_the_usual_permissions, a_file_replaced_keeps_its_permissions,
          a_link_is_followed_and_stays_a_link, what_is_not_a_file_is_not_replaced,
          a_read_only_file_or_folder_is_respected, a_name_of_the_greatest_length_is_saved,
          a_fault_at_any_moment_leaves_the_old_file, short_and_interrupted_writes_are_continued,
          leftovers_of_killed_processes_do_not_matter,
          a_process_killed_before_any_call_of_a_save_leaves_a_whole_version,
          a_process_killed_while_it_saves_leaves_a_whole_version,
          folders_are_made_with_their_parents, a_folder_is_listed_in_order)
