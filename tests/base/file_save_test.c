// SPDX-License-Identifier: Apache-2.0
// Tests for base/file.c: saving.

#include "tests/base/file_support.h"
#include "tests/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static SomText text;

START_TEST(a_new_file_gets_the_usual_permissions) {
    som_enter_folder();
    umask(027);
    ck_assert(som_file_save("new", SOM_STR("content\0\n"), som_file_diags));
    struct stat status;
    ck_assert_int_eq(stat("new", &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0640);
    ck_assert_int_eq((int)status.st_size, 9);
    ck_assert(som_file_save("empty", SOM_STR(""), som_file_diags));
    ck_assert_str_eq(som_content_of("empty"), "");
    ck_assert_int_eq(som_count_files("."), 2);
    ck_assert_str_eq(som_reports(), "");
    som_leave_folder();
}
END_TEST

START_TEST(a_file_replaced_keeps_its_permissions) {
    som_enter_folder();
    som_put("a", "old");
    for (mode_t mode = 0600; mode <= 0777; mode += 0111) {
        ck_assert_int_eq(chmod("a", mode), 0);
        ck_assert(som_file_save("a", SOM_STR("new"), som_file_diags));
        struct stat status;
        ck_assert_int_eq(stat("a", &status), 0);
        ck_assert_int_eq(status.st_mode & 07777, mode);
        ck_assert_str_eq(som_content_of("a"), "new");
    }
    ck_assert_int_eq(som_count_files("."), 1);
    som_leave_folder();
}
END_TEST

static void check_mode(const char *path, mode_t expected) {
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, expected);
}

START_TEST(private_files_and_folders_are_for_their_owner_only) {
    som_enter_folder();
    umask(022);
    ck_assert(som_file_save_private("new", SOM_STR("secret"), som_file_diags));
    check_mode("new", 0600);
    som_put("old", "old");
    ck_assert_int_eq(chmod("old", 0644), 0);
    ck_assert(som_file_save_private("old", SOM_STR("secret"), som_file_diags));
    check_mode("old", 0600);
    ck_assert_str_eq(som_content_of("old"), "secret");

    ck_assert(som_file_make_private_folder("a/b", som_file_diags));
    check_mode("a", 0700);
    check_mode("a/b", 0700);
    // one of an earlier version, which nobody took care of
    ck_assert_int_eq(chmod("a/b", 0755), 0);
    som_put("a/b/draft", "text");
    ck_assert_int_eq(chmod("a/b/draft", 0644), 0);
    ck_assert_int_eq(symlink("../../out", "a/b/link"), 0);
    som_put("out", "not in it");
    ck_assert_int_eq(chmod("out", 0644), 0);
    ck_assert(som_file_make_private_folder("a/b", som_file_diags));
    check_mode("a/b", 0700);
    check_mode("a/b/draft", 0600);
    check_mode("out", 0644);
    ck_assert_str_eq(som_reports(), "");
    som_leave_folder();
}
END_TEST

START_TEST(a_link_is_followed_and_stays_a_link) {
    const char *folder = som_enter_folder();
    ck_assert_int_eq(mkdir("there", 0777), 0);
    som_put("there/a", "old");
    ck_assert_int_eq(symlink("there/b", "first"), 0);
    ck_assert_int_eq(symlink("a", "there/b"), 0);
    ck_assert_int_eq(symlink("there/later", "dangling"), 0);
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/there/a", folder);
    ck_assert_int_eq(symlink(absolute, "absolute"), 0);

    ck_assert(som_file_save("first", SOM_STR("new"), som_file_diags));
    ck_assert_str_eq(som_content_of("there/a"), "new");
    ck_assert(som_file_save("absolute", SOM_STR("newer"), som_file_diags));
    ck_assert_str_eq(som_content_of("there/a"), "newer");
    ck_assert(som_file_save("dangling", SOM_STR("made"), som_file_diags));
    ck_assert_str_eq(som_content_of("there/later"), "made");
    struct stat status;
    const char *const links[] = {"first", "there/b", "dangling", "absolute"};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(lstat(links[i], &status), 0);
        ck_assert(S_ISLNK(status.st_mode));
    }
    ck_assert_int_eq(som_count_files("there"), 3);
    ck_assert_str_eq(som_reports(), "");
    som_leave_folder();
}
END_TEST

static void check_save_fails(const char *path, const char *expected) {
    int before = som_count_files(".");
    ck_assert(!som_file_save(path, SOM_STR("new"), som_file_diags));
    ck_assert_str_eq(som_reports(), expected);
    ck_assert_int_eq(som_count_files("."), before);
}

// Which could be known before, too.
static void check_never_saves(const char *path, const char *expected) {
    ck_assert_msg(!som_file_can_save(path, som_file_diags), "%s", path);
    ck_assert_str_eq(som_reports(), expected);
    check_save_fails(path, expected);
}

START_TEST(what_is_not_a_file_is_not_replaced) {
    som_enter_folder();
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    ck_assert_int_eq(symlink("ring", "ring"), 0);
    som_put("a", "old");
    check_never_saves("folder", "error: can't write 'folder': it is a folder [SOM0103]\n");
    check_never_saves("pipe", "error: can't write 'pipe': it is a pipe, not a file [SOM0104]\n");
    check_never_saves("/dev/full",
                      "error: can't write '/dev/full': it is a device, not a file [SOM0104]\n");
    check_never_saves("ring",
                      "error: can't write 'ring': its symbolic links go in a circle [SOM0101]\n");
    check_never_saves("none/a",
                      "error: can't write 'none/a': there is no such file or folder [SOM0101]\n");
    check_never_saves("a/b",
                      "error: can't write 'a/b': a part of its path is not a folder [SOM0101]\n");
    check_never_saves("", "error: can't write '': there is no such file or folder [SOM0101]\n");
    ck_assert(som_file_can_save("a", som_file_diags) && som_file_can_save("b", som_file_diags));
    ck_assert_str_eq(som_reports(), "");
    ck_assert(!som_file_exists("b"));
    som_faults = (SomFaults){.call = "access", .which = 1, .error = EACCES}; // of its folder
    ck_assert(!som_file_can_save("b", som_file_diags));
    ck_assert_str_eq(som_reports(), "error: can't write 'b': permission is denied [SOM0102]\n");
    som_faults.call = "access";
    som_faults.which = 1;
    som_faults.error = EACCES;
    check_save_fails("a", "error: can't write 'a': permission is denied [SOM0102]\n");
    ck_assert_str_eq(som_content_of("a"), "old");
    som_leave_folder();
}
END_TEST

START_TEST(a_read_only_file_or_folder_is_respected) {
    if (geteuid() == 0) {
        return; // root may write everywhere; the faults below stand for it
    }
    som_enter_folder();
    som_put("a", "old");
    ck_assert_int_eq(chmod("a", 0444), 0);
    check_never_saves("a", "error: can't write 'a': permission is denied [SOM0102]\n");
    ck_assert_int_eq(chmod(".", 0555), 0);
    check_never_saves("b", "error: can't write 'b': permission is denied [SOM0102]\n");
    ck_assert_int_eq(chmod(".", 0755), 0);
    som_leave_folder();
}
END_TEST

START_TEST(a_name_of_the_greatest_length_is_saved) {
    som_enter_folder();
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    ck_assert(som_file_save(name, SOM_STR("long"), som_file_diags));
    ck_assert_str_eq(som_content_of(name), "long");
    som_leave_folder();
}
END_TEST

// Whatever call fails, and whenever: the old content stays, no other file is left behind and the
// report has the path and the reason. The exception is the flush of the folder, which comes when
// the new content is in its place.
START_TEST(a_fault_at_any_moment_leaves_the_old_file) {
    som_enter_folder();
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
                som_put("a", "old");
                som_faults.piece = 512;
                som_faults.renamed = false;
                som_faults.call = calls[c];
                som_faults.which = which;
                som_faults.error = errors[e].error;
                bool good = som_file_save("a", new_content, som_file_diags);
                bool happened = som_faults.which <= 0;
                som_faults.call = NULL;
                som_faults.piece = 0;
                ck_assert_int_eq(som_count_files("."), 1);
                if (!happened) {
                    ck_assert(good);
                    ck_assert_int_gt(which, 1); // at least one did
                    som_reports();
                    break;
                }
                ck_assert_uint_eq(strlen(som_content_of("a")),
                                  som_faults.late ? sizeof content : 3);
                char expected[200];
                snprintf(expected, sizeof expected,
                         som_faults.late
                             ? "error: 'a' was replaced, but its folder could not be flushed: "
                               "%s\n"
                             : "error: can't write 'a': %s\n",
                         errors[e].reason);
                if (som_faults.late && c == 3) {
                    ck_assert(!good);
                    // always the same code: what to do is the same
                    strcpy(strstr(expected, "[SOM"), "[SOM0108]\n");
                    ck_assert_str_eq(som_reports(), expected);
                } else {
                    ck_assert(good == som_faults.late);
                    ck_assert_str_eq(som_reports(), som_faults.late ? "" : expected);
                }
            }
        }
    }
    som_leave_folder();
}
END_TEST

START_TEST(short_and_interrupted_writes_are_continued) {
    som_enter_folder();
    char content[3000];
    for (size_t i = 0; i < sizeof content; i++) {
        content[i] = (char)('a' + i % 26);
    }
    for (size_t size = 1; size < 4096; size *= 2) {
        som_faults.piece = size;
        ck_assert(som_file_save("a", (SomStr){content, sizeof content}, som_file_diags));
        som_faults.piece = 0;
        ck_assert(memcmp(som_content_of("a"), content, sizeof content) == 0);
    }
    som_leave_folder();
}
END_TEST

START_TEST(leftovers_of_killed_processes_are_removed) {
    som_enter_folder();
    ck_assert_int_eq(mkdir("f", 0777), 0);
    for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "f/.somite-%ld-%d.tmp", (long)getpid() + i % 2, i);
        som_put(name, "half of a fi");
    }
    const char *const others[] = {"f/.somite-1-x.tmp", "f/.somite--1.tmp", "f/.somite-1-2.tmp.som",
                                  "f/.somite-1.tmp", "f/somite-1-2.tmp"};
    for (int i = 0; i < 5; i++) {
        som_put(others[i], "not ours");
    }
    // of a process that is still writing
    som_put("f/.somite-7-7.tmp", "half");
    int writer = open("f/.somite-7-7.tmp", O_RDWR);
    ck_assert_int_eq(flock(writer, LOCK_EX), 0);
    som_put("f/a", "old");
    ck_assert(som_file_save("f/a", SOM_STR("new"), som_file_diags));
    ck_assert_str_eq(som_content_of("f/a"), "new");
    ck_assert_int_eq(som_count_files("f"), 7);
    for (int i = 0; i < 5; i++) {
        ck_assert_str_eq(som_content_of(others[i]), "not ours");
    }
    close(writer);
    ck_assert(som_file_save("f/a", SOM_STR("newer"), som_file_diags));
    ck_assert_int_eq(som_count_files("f"), 6);
    som_leave_folder();
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
        if (!som_file_save("a", som_text_str(&version), som_file_diags)) {
            _exit(1);
        }
    }
}

START_TEST(a_process_killed_before_any_call_of_a_save_leaves_a_whole_version) {
    som_enter_folder();
    bool killed = true;
    for (int which = 1; killed; which++) {
        som_put("a", "old");
        pid_t child = fork();
        if (child == 0) {
            som_faults.piece = 2;
            som_faults.call = "any";
            som_faults.which = which;
            som_faults.error = SOM_DEADLY;
            _exit(!som_file_save("a", SOM_STR("new content"), som_file_diags));
        }
        int status;
        waitpid(child, &status, 0);
        killed = WIFSIGNALED(status);
        const char *content = som_content_of("a");
        ck_assert(strcmp(content, "new content") == 0 || (killed && strcmp(content, "old") == 0));
        ck_assert(!killed || which < 100);
        ck_assert(killed || which > 10);
        ck_assert(som_file_save("a", SOM_STR("later"), som_file_diags));
        ck_assert_int_eq(som_count_files("."), 1);
    }
    som_leave_folder();
}
END_TEST

START_TEST(a_process_killed_while_it_saves_leaves_a_whole_version) {
    som_enter_folder();
    SomTestRandom random = {1};
    int count = som_test_count(300, 5000);
    SomText version = {0};
    int different = 0, last = -1;
    write_version(0, &version);
    ck_assert(som_file_save("a", som_text_str(&version), som_file_diags));
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

        ck_assert(som_file_load("a", SOM_FILE_LIMIT, &text, som_file_diags));
        int n = -1;
        ck_assert_int_eq(sscanf(text.data, "%*d of version %d\n", &n), 1);
        write_version(n, &version);
        ck_assert(som_str_equal(som_text_str(&text), som_text_str(&version)));
        different += n != last;
        last = n;
    }
    ck_assert_int_gt(different, count / 10); // the children did get to save
    ck_assert(som_file_save("a", SOM_STR("the last"), som_file_diags));
    ck_assert_int_eq(som_count_files("."), 1);
    som_text_free(&version);
    som_leave_folder();
}
END_TEST

SOM_SUITE("base/file_save", a_new_file_gets_the_usual_permissions,
          a_file_replaced_keeps_its_permissions, private_files_and_folders_are_for_their_owner_only,
          a_link_is_followed_and_stays_a_link, what_is_not_a_file_is_not_replaced,
          a_read_only_file_or_folder_is_respected, a_name_of_the_greatest_length_is_saved,
          a_fault_at_any_moment_leaves_the_old_file, short_and_interrupted_writes_are_continued,
          leftovers_of_killed_processes_are_removed,
          a_process_killed_before_any_call_of_a_save_leaves_a_whole_version,
          a_process_killed_while_it_saves_leaves_a_whole_version)
