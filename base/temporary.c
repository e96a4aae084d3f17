// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE // flock
#include "base/path.h"
#include "base/temporary_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".somite-"
#define ENDING ".tmp"

// Names that are tried, for leftovers that could not be removed and for other threads.
#define MAX_NAMES 1000

static void name_file(SomStr folder, SomStr name, SomText *path) {
    som_text_clear(path);
    som_path_join(path, folder, name);
}

// False if another process took the new file for a leftover before it was locked. Where a file
// system has no locks nothing is ever removed, so the file is ours.
static bool hold(int file) {
    struct stat status;
    return (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
           fstat(file, &status) == 0 && status.st_nlink > 0;
}

int som_temporary_open(SomStr folder, mode_t mode, SomText *path) {
    for (int i = 0; i < MAX_NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name, PREFIX "%ld-%d" ENDING, (long)getpid(), i);
        name_file(folder, som_str(name), path);
        int file = open(path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno != EEXIST && errno != EINTR) {
            return -1;
        }
        if (file >= 0 && hold(file)) {
            return file;
        }
        if (file >= 0) {
            close(file);
        }
    }
    errno = EEXIST;
    return -1;
}

static size_t skip_digits(SomStr name, size_t at) {
    while (at < name.length && name.data[at] >= '0' && name.data[at] <= '9') {
        at++;
    }
    return at;
}

// ".somite-1234-0.tmp", and nothing that is only similar.
static bool is_temporary(SomStr name) {
    size_t start = sizeof PREFIX - 1;
    if (!som_str_starts_with(name, SOM_STR(PREFIX))) {
        return false;
    }
    size_t dash = skip_digits(name, start);
    if (dash == start || dash == name.length || name.data[dash] != '-') {
        return false;
    }
    size_t end = skip_digits(name, dash + 1);
    return end > dash + 1 && som_str_equal(som_str_slice(name, end, name.length), SOM_STR(ENDING));
}

static void remove_if_stale(const char *path) {
    int file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    if (file < 0) {
        return;
    }
    struct stat held, named;
    // its writer may have renamed it since it was opened
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &held) == 0 && S_ISREG(held.st_mode) &&
        lstat(path, &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
        unlink(path);
    }
    close(file);
}

void som_temporary_remove_stale(SomStr folder) {
    SomText path = {0};
    name_file(folder, SOM_STR("."), &path);
    DIR *entries = opendir(path.data);
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (is_temporary(som_str(entry->d_name))) {
            name_file(folder, som_str(entry->d_name), &path);
            remove_if_stale(path.data);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    som_text_free(&path);
}
