// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // lstat, readlink
#include "base/file.h"

#include "base/codes/base_codes.h"
#include "base/file_internal.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/temporary_internal.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES 65536

// More links than this point in a circle.
#define MAX_LINKS 40

// ---- what went wrong ----

// In our words: strerror's depend on the user's language and are not safe in threads.
static const char *reason_of(int error) {
    switch (error) {
    case ENOENT:
        return "there is no such file or folder";
    case EACCES:
    case EPERM:
        return "permission is denied";
    case EROFS:
        return "the file system is read-only";
    case EISDIR:
        return "it is a folder";
    case ENOTDIR:
        return "a part of its path is not a folder";
    case ENOSPC:
        return "no space is left on the disk";
    case EDQUOT:
        return "the disk quota is used up";
    case EFBIG:
        return "the file would be too large";
    case EIO:
        return "the disk has a fault";
    case ENAMETOOLONG:
        return "the name is too long";
    case ELOOP:
        return "its symbolic links go in a circle";
    case EEXIST:
        return "its folder is full of temporary files";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    }
    return NULL;
}

static SomCode code_of(int error, SomCode otherwise) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
        return SOM_FILE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return SOM_FILE_NOT_ALLOWED;
    case EISDIR:
        return SOM_FILE_IS_FOLDER;
    }
    return otherwise;
}

bool som_file_fail(SomDiagnostics *diags, SomCode otherwise, const char *verb, const char *path,
                   int error) {
    char number[32];
    snprintf(number, sizeof number, "error number %d", error);
    const char *reason = reason_of(error);
    som_report(diags, code_of(error, otherwise), (SomSpan){0}, "can't %s '%s': %s", verb, path,
               reason != NULL ? reason : number);
    return false;
}

// Whether a thing on the disk is a plain file; reports if not.
static bool check_regular(const struct stat *status, const char *verb, const char *path,
                          SomDiagnostics *diags) {
    if (S_ISDIR(status->st_mode)) {
        return som_file_fail(diags, SOM_FILE_IS_FOLDER, verb, path, EISDIR);
    }
    if (!S_ISREG(status->st_mode)) {
        som_report(diags, SOM_FILE_NOT_REGULAR, (SomSpan){0},
                   "can't %s '%s': it is a %s, not a file", verb, path,
                   S_ISFIFO(status->st_mode)   ? "pipe"
                   : S_ISSOCK(status->st_mode) ? "socket"
                                               : "device");
        return false;
    }
    return true;
}

// ---- loading ----

static bool report_too_large(const char *path, size_t limit, SomDiagnostics *diags) {
    bool whole = limit > 0 && limit % ((size_t)1 << 20) == 0;
    som_report(diags, SOM_FILE_TOO_LARGE, (SomSpan){0}, "can't read '%s': it has more than %zu %s",
               path, whole ? limit >> 20 : limit, whole ? "MiB" : "bytes");
    return false;
}

// Reads to the end, or to the first byte beyond the limit.
static bool read_all(int file, const char *path, size_t limit, SomText *text,
                     SomDiagnostics *diags) {
    char *buffer = som_alloc(READ_BYTES);
    bool done = false, good = true;
    while (good && !done) {
        size_t room = limit - text->length;
        ssize_t count = read(file, buffer, room < READ_BYTES ? room + 1 : READ_BYTES);
        if (count < 0 && errno == EAGAIN) { // standard input of a parent that does not wait
            poll(&(struct pollfd){.fd = file, .events = POLLIN}, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            good = som_file_fail(diags, SOM_FILE_READ_FAILED, "read", path, errno);
        } else if (count == 0) {
            done = true;
        } else if (count > 0 && (size_t)count > room) {
            good = report_too_large(path, limit, diags);
        } else if (count > 0) {
            som_text_add(text, (SomStr){buffer, (size_t)count});
        }
    }
    som_free(buffer);
    return good;
}

static bool same_state(const struct stat *a, const struct stat *b) {
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool load_open(int file, const char *path, size_t limit, SomText *text,
                      SomDiagnostics *diags) {
    struct stat before, after;
    if (fstat(file, &before) != 0) {
        return som_file_fail(diags, SOM_FILE_READ_FAILED, "read", path, errno);
    }
    if (!check_regular(&before, "read", path, diags)) {
        return false;
    }
    if (before.st_size > 0 && (uintmax_t)before.st_size > limit) {
        return report_too_large(path, limit, diags);
    }
    if (!read_all(file, path, limit, text, diags)) {
        return false;
    }
    if (fstat(file, &after) != 0 || !same_state(&before, &after) ||
        (after.st_size > 0 && (uintmax_t)after.st_size != text->length)) {
        som_report(diags, SOM_FILE_CHANGED, (SomSpan){0}, "'%s' changed while it was read", path);
        return false;
    }
    return true;
}

bool som_file_can_load(const char *path, SomDiagnostics *diags) {
    struct stat status;
    if (strcmp(path, "-") == 0) {
        return true;
    }
    if (stat(path, &status) != 0) {
        return som_file_fail(diags, SOM_FILE_READ_FAILED, "read", path, errno);
    }
    return check_regular(&status, "read", path, diags) &&
           (access(path, R_OK) == 0 ||
            som_file_fail(diags, SOM_FILE_READ_FAILED, "read", path, errno));
}

static bool load_path(const char *path, size_t limit, SomText *text, SomDiagnostics *diags) {
    // looked at before it is opened, since opening a device may do something already; and again
    // when it is open, without waiting, since a pipe may have taken its place in between
    if (!som_file_can_load(path, diags)) {
        return false;
    }
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) {
        return som_file_fail(diags, SOM_FILE_READ_FAILED, "read", path, errno);
    }
    bool good = load_open(file, path, limit, text, diags);
    close(file);
    return good;
}

bool som_file_load(const char *path, size_t limit, SomText *text, SomDiagnostics *diags) {
    som_text_clear(text);
    bool good = strcmp(path, "-") == 0 ? read_all(STDIN_FILENO, "<stdin>", limit, text, diags)
                                       : load_path(path, limit, text, diags);
    if (!good) {
        som_text_clear(text);
    }
    return good;
}

bool som_source_check(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    const char *zero = text.length > 0 ? memchr(text.data, 0, text.length) : NULL;
    if (zero != NULL) {
        uint32_t at = (uint32_t)(zero - text.data);
        som_report(diags, SOM_TEXT_HAS_NUL, (SomSpan){source1, at, at + 1},
                   "a zero byte stands in the text");
    }
    size_t invalid = som_utf8_find_invalid(text);
    if (invalid < text.length) {
        uint32_t at = (uint32_t)invalid;
        som_report(diags, SOM_TEXT_NOT_UTF8, (SomSpan){source1, at, at + 1},
                   "byte 0x%02X is not UTF-8", (unsigned char)text.data[invalid]);
    }
    return zero == NULL && invalid == text.length;
}

uint32_t som_file_load_source(const char *path, SomText *text, SomDiagnostics *diags) {
    if (!som_file_load(path, SOM_FILE_LIMIT, text, diags)) {
        return 0;
    }
    if (som_str_starts_with(som_text_str(text), SOM_STR("\xEF\xBB\xBF"))) {
        text->length -= 3;
        memmove(text->data, text->data + 3, text->length + 1);
    }
    bool is_input = strcmp(path, "-") == 0;
    uint32_t source1 = som_diagnostics_add_source(
        diags, is_input ? SOM_STR("<stdin>") : som_str(path), som_text_str(text));
    return som_source_check(som_text_str(text), source1, diags) ? source1 : 0;
}

// ---- saving ----

// One file being replaced.
typedef struct Save {
    const char *path; // as the user named it, for reports
    SomText target;   // the same with symbolic links resolved
    SomText folder;
    SomText temporary;
    bool is_private; // readable by its owner only, whatever the old file allowed
    SomDiagnostics *diags;
} Save;

static bool fail_save(const Save *save, int error) {
    return som_file_fail(save->diags, SOM_FILE_WRITE_FAILED, "write", save->path, error);
}

static void set_text(SomText *text, SomStr value) {
    som_text_clear(text);
    som_text_add(text, value);
}

// Follows links by hand, since realpath wants the file at their end to exist.
static bool resolve_target(Save *save) {
    set_text(&save->target, som_str(save->path));
    for (int links = 0;; links++) {
        char link[4096];
        ssize_t length = readlink(save->target.data, link, sizeof link);
        if (length < 0) {
            // not a link, or nothing at all, or something the next step complains of
            break;
        }
        if (links == MAX_LINKS || (size_t)length == sizeof link) {
            return fail_save(save, links == MAX_LINKS ? ELOOP : ENAMETOOLONG);
        }
        SomText next = {0};
        som_path_join(&next, som_path_folder(som_text_str(&save->target)),
                      (SomStr){link, (size_t)length});
        som_text_free(&save->target);
        save->target = next;
    }
    set_text(&save->folder, som_path_folder(som_text_str(&save->target)));
    return true;
}

static bool write_all(int file, SomStr content) {
    while (content.length > 0) {
        ssize_t count = write(file, content.data, content.length);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        content = som_str_slice(content, count > 0 ? (size_t)count : 0, content.length);
    }
    return true;
}

static bool flush(int file) {
    while (fsync(file) != 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Gives the new file the permissions of the old one, and its owner where we may: who edits as root
// should not take a file away from its owner. Not being allowed to is no fault of the save.
static bool copy_permissions(int file, const struct stat *old) {
    struct stat now;
    if (fstat(file, &now) != 0) {
        return false;
    }
    bool same_owner = now.st_uid == old->st_uid && now.st_gid == old->st_gid;
    if (!same_owner && fchown(file, old->st_uid, old->st_gid) != 0 && errno != EPERM) {
        return false;
    }
    return fchmod(file, old->st_mode & 07777) == 0;
}

static bool fill_temporary(const Save *save, int file, SomStr content, const struct stat *old) {
    bool is_copied = old != NULL && !save->is_private;
    return write_all(file, content) && (!is_copied || copy_permissions(file, old)) && flush(file);
}

// Makes the renaming itself survive a loss of power. Folders that can't be opened for reading, and
// file systems that can't flush folders, leave nothing to be done.
static bool flush_folder(const Save *save) {
    int folder = open(save->folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return true;
    }
    bool flushed = flush(folder) || errno == EINVAL || errno == ENOTSUP;
    int error = errno;
    close(folder);
    errno = error;
    return flushed;
}

// Closes the temporary file and gives it its name, both under the lock that keeps other processes
// from taking it for a leftover.
static bool finish_temporary(const Save *save, int file) {
    int lock = fcntl(file, F_DUPFD_CLOEXEC, 0);
    // on Linux a close that was interrupted has closed
    bool good = (close(file) == 0 || errno == EINTR) &&
                rename(save->temporary.data, save->target.data) == 0;
    int error = errno;
    if (lock >= 0) {
        close(lock);
    }
    errno = error;
    return good;
}

static bool replace(Save *save, SomStr content, const struct stat *old) {
    som_temporary_remove_stale(som_text_str(&save->folder));
    // readable by the owner only until it has the permissions of the old file
    mode_t mode = old != NULL || save->is_private ? 0600 : 0666;
    int file = som_temporary_open(som_text_str(&save->folder), mode, &save->temporary);
    if (file < 0) {
        return fail_save(save, errno);
    }
    bool good = fill_temporary(save, file, content, old);
    int error = errno;
    if (!good) {
        close(file);
    } else if (!finish_temporary(save, file)) {
        good = false;
        error = errno;
    }
    if (!good) {
        unlink(save->temporary.data);
        return fail_save(save, error);
    }
    if (!flush_folder(save)) {
        const char *reason = reason_of(errno);
        som_report(save->diags, SOM_FILE_WRITE_FAILED, (SomSpan){0},
                   "'%s' was replaced, but its folder could not be flushed%s%s", save->path,
                   reason != NULL ? ": " : "", reason != NULL ? reason : "");
        return false;
    }
    return true;
}

// What is replaced, if it may be.
static bool look_at_old(const Save *save, struct stat *old, bool *is_new) {
    *is_new = stat(save->target.data, old) != 0;
    if (*is_new) {
        return (errno == ENOENT && save->path[0] != '\0') || fail_save(save, errno);
    }
    // renaming would replace a read-only file without asking
    return check_regular(old, "write", save->path, save->diags) &&
           (access(save->target.data, W_OK) == 0 || fail_save(save, errno));
}

static void free_save(Save *save) {
    som_text_free(&save->target);
    som_text_free(&save->folder);
    som_text_free(&save->temporary);
}

static bool save_file(Save save, SomStr content) {
    struct stat old;
    bool is_new;
    bool good = resolve_target(&save) && look_at_old(&save, &old, &is_new) &&
                replace(&save, content, is_new ? NULL : &old);
    free_save(&save);
    return good;
}

bool som_file_save(const char *path, SomStr content, SomDiagnostics *diags) {
    return save_file((Save){.path = path, .diags = diags}, content);
}

bool som_file_save_private(const char *path, SomStr content, SomDiagnostics *diags) {
    return save_file((Save){.path = path, .is_private = true, .diags = diags}, content);
}

bool som_file_can_save(const char *path, SomDiagnostics *diags) {
    Save save = {.path = path, .diags = diags};
    struct stat old;
    bool is_new;
    bool good = resolve_target(&save) && look_at_old(&save, &old, &is_new) &&
                (access(save.folder.data, W_OK | X_OK) == 0 || fail_save(&save, errno));
    free_save(&save);
    return good;
}

// ---- removing, moving, holding ----

bool som_file_remove(const char *path, SomDiagnostics *diags) {
    return unlink(path) == 0 || errno == ENOENT ||
           som_file_fail(diags, SOM_FILE_WRITE_FAILED, "remove", path, errno);
}

bool som_file_move(const char *path, const char *to, SomDiagnostics *diags) {
    return rename(path, to) == 0 ||
           som_file_fail(diags, SOM_FILE_WRITE_FAILED, "move", path, errno);
}

int som_file_lock(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct stat held, named;
    // whoever held it before may have removed it after we opened it
    if (file >= 0 &&
        (flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &held) != 0 ||
         stat(path, &named) != 0 || held.st_ino != named.st_ino || held.st_dev != named.st_dev)) {
        close(file);
        return -1;
    }
    return file;
}

void som_file_unlock(int lock) {
    close(lock);
}

// ---- what is there ----

bool som_file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

bool som_file_is_free(const char *path, SomDiagnostics *diags) {
    bool is_free = !som_file_exists(path);
    if (!is_free) {
        som_report(diags, SOM_FILE_EXISTS, (SomSpan){0}, "'%s' exists and is not replaced", path);
    }
    return is_free;
}

bool som_file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool som_file_is_same(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

// Mixes a value into a stamp (FNV-1a over its bytes).
static uint64_t mix(uint64_t stamp, uint64_t value) {
    for (int i = 0; i < 8; i++) {
        stamp = (stamp ^ ((value >> (8 * i)) & 0xff)) * 1099511628211u;
    }
    return stamp;
}

uint64_t som_file_stamp(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return 0;
    }
    uint64_t stamp = 14695981039346656037u;
    stamp = mix(stamp, (uint64_t)status.st_mtim.tv_sec);
    stamp = mix(stamp, (uint64_t)status.st_mtim.tv_nsec);
    stamp = mix(stamp, (uint64_t)status.st_size);
    stamp = mix(stamp, (uint64_t)status.st_ino);
    return stamp == 0 ? 1 : stamp;
}
