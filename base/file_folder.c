// SPDX-License-Identifier: Apache-2.0
// Folders: made, listed, and those of the program.

#define _XOPEN_SOURCE 700 // lstat, readlink
#include "base/codes/base_codes.h"
#include "base/file.h"
#include "base/file_internal.h"
#include "base/file_scope.h"
#include "base/memory.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- making ----

static bool make_one_folder(const char *path, mode_t mode) {
    if (mkdir(path, mode) == 0) {
        return true;
    }
    int error = errno;
    struct stat status;
    if (stat(path, &status) == 0) {
        errno = ENOTDIR;
        return S_ISDIR(status.st_mode);
    }
    errno = error;
    return false;
}

static bool make_folders(const char *path, mode_t mode, SomDiagnostics *diags) {
    SomText part = {0};
    size_t length = strlen(path);
    bool good = length > 0;
    errno = ENOENT;
    for (size_t end = 1; good && end <= length; end++) {
        if (path[end] == '\0' || (path[end] == '/' && path[end - 1] != '/')) {
            som_text_clear(&part);
            som_text_add(&part, (SomStr){path, end});
            good = make_one_folder(part.data, mode);
        }
    }
    int error = errno;
    som_text_free(&part);
    return good || som_file_fail(diags, SOM_FILE_WRITE_FAILED, "make folder", path, error);
}

bool som_file_make_folder(const char *path, SomDiagnostics *diags) {
    return make_folders(path, 0777, diags);
}

// Ignores failures: file systems without permissions, files of other users.
static void restrict_files(const char *folder) {
    SomText path = {0};
    struct stat status;
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        som_text_clear(&path);
        som_path_join(&path, som_str(folder), som_str(entry->d_name));
        if (lstat(path.data, &status) == 0 && S_ISREG(status.st_mode) &&
            (status.st_mode & 0077) != 0) {
            chmod(path.data, status.st_mode & 0700);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    som_text_free(&path);
}

bool som_file_make_private_folder(const char *path, SomDiagnostics *diags) {
    if (!make_folders(path, 0700, diags)) {
        return false;
    }
    struct stat status;
    if (stat(path, &status) == 0 && (status.st_mode & 0077) != 0) {
        chmod(path, status.st_mode & 0700);
    }
    restrict_files(path);
    return true;
}

// 0, or why no folder can be made there.
static int obstacle_to_folder(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) {
        return !S_ISDIR(status.st_mode) ? ENOTDIR : access(path, W_OK | X_OK) != 0 ? errno : 0;
    }
    return errno;
}

bool som_file_can_make_folder(const char *path, SomDiagnostics *diags) {
    SomText part = {0}; // the nearest that is there
    som_text_add(&part, som_str(path));
    int error = obstacle_to_folder(part.data);
    while (error == ENOENT && part.length > 0) {
        SomText above = {0};
        som_text_add(&above, som_path_folder(som_text_str(&part)));
        bool is_last = som_str_equal(som_text_str(&above), som_text_str(&part));
        som_text_free(&part);
        part = above;
        if (is_last) {
            break;
        }
        error = obstacle_to_folder(part.data);
    }
    som_text_free(&part);
    return error == 0 || som_file_fail(diags, SOM_FILE_WRITE_FAILED, "make folder", path, error);
}

// ---- where the program is ----

bool som_file_program_folder(SomText *out) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || (size_t)length == sizeof path) {
        return false;
    }
    som_text_add(out, som_path_folder((SomStr){path, (size_t)length}));
    return true;
}

bool som_file_working_folder(SomText *out) {
    char path[4096];
    if (getcwd(path, sizeof path) == NULL) {
        return false;
    }
    som_text_add(out, som_str(path));
    return true;
}

// ---- listing ----

static int compare_names(const void *left, const void *right) {
    return som_str_compare(*(const SomStr *)left, *(const SomStr *)right);
}

int som_file_list(const char *folder, SomStr ending, SomArena *arena, const SomStr **names,
                  SomDiagnostics *diags) {
    *names = NULL;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        som_file_fail(diags, SOM_FILE_READ_FAILED, "list folder", folder, errno);
        return -1;
    }
    SOM_ARRAY(SomStr) found = {0};
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (entry == NULL) {
            break;
        }
        SomStr name = som_str(entry->d_name);
        if (som_str_ends_with(name, ending) && name.data[0] != '.') {
            som_array_push(&found, som_arena_copy(arena, name));
        }
    }
    int error = errno;
    closedir(directory);
    int count = found.count;
    if (error != 0) {
        som_file_fail(diags, SOM_FILE_READ_FAILED, "list folder", folder, error);
        count = -1;
    } else if (count > 0) {
        qsort(found.data, (size_t)count, sizeof *found.data, compare_names);
        SomStr *sorted = som_arena_new(arena, SomStr, count);
        memcpy(sorted, found.data, (size_t)count * sizeof *sorted);
        *names = sorted;
    }
    som_array_free(&found);
    return count;
}

typedef SOM_ARRAY(SomStr) Paths;

// A folder, not a link to one.
static bool is_real_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool leads_out(const char *path, const char *folder) {
    return som_file_exists(path) && !som_file_is_within(path, folder);
}

int som_file_find(const char *folder, SomStr ending, SomArena *arena, const SomStr **paths,
                  SomDiagnostics *diags) {
    Paths folders = {0}, found = {0};
    bool fine = true;
    som_array_push(&folders, som_arena_copy(arena, som_str(folder)));
    for (int next = 0; next < folders.count && fine; next++) {
        const SomStr *names;
        SomStr here = folders.data[next];
        int count = som_file_list(here.data, SOM_STR(""), arena, &names, diags);
        fine = count >= 0;
        for (int i = 0; i < count; i++) {
            SomText path = {0};
            som_path_join(&path, here, names[i]);
            bool is_folder = is_real_folder(path.data);
            if (is_folder ||
                (som_str_ends_with(names[i], ending) && !leads_out(path.data, folder))) {
                SomStr kept = som_arena_copy(arena, som_text_str(&path));
                som_array_push(is_folder ? &folders : &found, kept);
            }
            som_text_free(&path);
        }
    }
    int count = fine ? found.count : -1;
    SomStr *kept = count > 0 ? som_arena_new(arena, SomStr, count) : NULL;
    for (int i = 0; i < count; i++) {
        kept[i] = found.data[i];
    }
    *paths = kept;
    som_array_free(&folders);
    som_array_free(&found);
    return count;
}
