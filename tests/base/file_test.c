// SPDX-License-Identifier: Apache-2.0
// Tests for base/file.c: loading, folders.

#include "tests/base/file_support.h"
#include "tests/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static SomText text;

static void check_load_fails(const char *path, size_t limit, const char *expected) {
    ck_assert(!som_file_load(path, limit, &text, som_file_diags));
    ck_assert_uint_eq(text.length, 0);
    ck_assert_str_eq(som_reports(), expected);
}

START_TEST(a_file_is_loaded_whole) {
    som_enter_folder();
    som_put("a", "hello\n");
    som_put("empty", "");
    for (int round = 0; round < 2; round++) {
        som_faults.piece = round == 0 ? 0 : 1;
        ck_assert(som_file_load("a", SOM_FILE_LIMIT, &text, som_file_diags));
        ck_assert_str_eq(text.data, "hello\n");
        ck_assert(som_file_load("a", 6, &text, som_file_diags));
        ck_assert_str_eq(text.data, "hello\n");
        ck_assert(som_file_load("empty", SOM_FILE_LIMIT, &text, som_file_diags));
        ck_assert_uint_eq(text.length, 0);
        ck_assert(som_file_load("a", SIZE_MAX, &text, som_file_diags));
        ck_assert_uint_eq(text.length, 6);
    }
    ck_assert_str_eq(som_reports(), "");
    som_leave_folder();
}
END_TEST

START_TEST(what_can_not_be_a_file_is_refused_with_a_reason) {
    som_enter_folder();
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe", 0666), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(end, (const struct sockaddr *)&address, sizeof address), 0);
    close(end);
    som_put("a", "hello\n");
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
    som_leave_folder();
}
END_TEST

START_TEST(a_file_that_may_not_or_can_not_be_read_is_reported) {
    som_enter_folder();
    som_put("a", "hello\n");
    som_faults.call = "open";
    som_faults.which = 1;
    som_faults.error = EACCES;
    check_load_fails("a", 100, "error: can't read 'a': permission is denied [SOM0102]\n");
    som_faults.call = "read";
    som_faults.which = 1;
    som_faults.error = EIO;
    check_load_fails("a", 100, "error: can't read 'a': the disk has a fault [SOM0106]\n");
    som_faults.which = 1;
    som_faults.error = 12345;
    check_load_fails("a", 100, "error: can't read 'a': error number 12345 [SOM0106]\n");
    som_leave_folder();
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
    som_put("a", "HELLO\n");
    ck_assert_int_eq(utimensat(AT_FDCWD, "a", times, 0), 0);
}

START_TEST(a_file_that_changes_under_the_reader_is_reported) {
    som_enter_folder();
    void (*const changes[])(void) = {append_to_a, truncate_a, rewrite_a};
    for (int i = 0; i < 3; i++) {
        som_put("a", "hello\n");
        som_faults.before_read = changes[i];
        check_load_fails("a", 100, "error: 'a' changed while it was read [SOM0107]\n");
    }
    // and one that grows beyond the limit is not read beyond it
    som_put("a", "hello\n");
    som_faults.before_read = append_to_a;
    check_load_fails("a", 8, "error: can't read 'a': it has more than 8 bytes [SOM0105]\n");
    som_leave_folder();
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
    som_enter_folder();
    signal(SIGPIPE, SIG_IGN);
    feed_input("hello\n", 1000, 0);
    ck_assert(som_file_load("-", SOM_FILE_LIMIT, &text, som_file_diags));
    ck_assert_uint_eq(text.length, 6000);
    feed_input("hello\n", 3, O_NONBLOCK);
    ck_assert(som_file_load("-", SOM_FILE_LIMIT, &text, som_file_diags));
    ck_assert_str_eq(text.data, "hello\nhello\nhello\n");
    feed_input("hello\n", 3, 0);
    ck_assert_uint_ne(som_file_load_source("-", &text, som_file_diags), 0);
    ck_assert(som_str_equal(som_diagnostics_place(som_file_diags, 1, 0).path, SOM_STR("<stdin>")));

    feed_input("endless ", 1 << 30, 0);
    check_load_fails("-", 1000,
                     "error: can't read '<stdin>': it has more than 1000 bytes [SOM0105]\n");
    int file = open(".", O_RDONLY);
    dup2(file, STDIN_FILENO);
    check_load_fails("-", 1000, "error: can't read '<stdin>': it is a folder [SOM0103]\n");
    som_leave_folder();
}
END_TEST

START_TEST(a_source_is_registered_and_a_byte_order_mark_dropped) {
    som_enter_folder();
    som_put("a.som", "\xEF\xBB\xBF"
                     "config A\nb\n");
    som_put("b.som", "");
    ck_assert_uint_eq(som_file_load_source("a.som", &text, som_file_diags), 1);
    ck_assert_str_eq(text.data, "config A\nb\n");
    SomPlace place = som_diagnostics_place(som_file_diags, 1, 7);
    ck_assert_int_eq(place.line, 1);
    ck_assert_int_eq(place.column, 8);
    ck_assert(som_str_equal(place.path, SOM_STR("a.som")));
    SomText second = {0};
    ck_assert_uint_eq(som_file_load_source("b.som", &second, som_file_diags), 2);
    ck_assert_uint_eq(som_file_load_source("c.som", &second, som_file_diags), 0);
    som_text_free(&second);
    som_leave_folder();
}
END_TEST

START_TEST(a_text_with_zero_bytes_or_that_is_not_utf8_is_refused_at_its_place) {
    som_enter_folder();
    FILE *file = fopen("a.som", "wb");
    fwrite("caf\xC3\xA9\nx\0y\n\xC3\xA9\xE9t\n", 1, 14, file);
    fclose(file);
    ck_assert_uint_eq(som_file_load_source("a.som", &text, som_file_diags), 0);
    ck_assert_str_eq(som_reports(), "a.som:2:2: error: a zero byte stands in the text [SOM0121]\n"
                                    "    2 | x?y\n"
                                    "      |  ^\n"
                                    "a.som:3:2: error: byte 0xE9 is not UTF-8 [SOM0122]\n"
                                    "    3 | \xC3\xA9?t\n"
                                    "      |  ^\n");
    som_leave_folder();
}
END_TEST

START_TEST(folders_are_made_with_their_parents) {
    const char *folder = som_enter_folder();
    ck_assert(som_file_make_folder("a/b//c/", som_file_diags));
    ck_assert(som_file_make_folder("a/b/c", som_file_diags));
    ck_assert(som_file_make_folder("a", som_file_diags));
    ck_assert(som_file_make_folder(".", som_file_diags));
    ck_assert(som_file_make_folder("/", som_file_diags));
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/x/y", folder);
    ck_assert(som_file_make_folder(absolute, som_file_diags));
    struct stat status;
    ck_assert(stat("a/b/c", &status) == 0 && S_ISDIR(status.st_mode));
    ck_assert(stat("x/y", &status) == 0 && S_ISDIR(status.st_mode));
    ck_assert_str_eq(som_reports(), "");

    som_put("file", "");
    ck_assert(!som_file_make_folder("file/b", som_file_diags));
    ck_assert(!som_file_make_folder("file", som_file_diags));
    ck_assert(!som_file_make_folder("", som_file_diags));
    som_faults.call = "mkdir";
    som_faults.which = 2;
    som_faults.error = ENOSPC;
    ck_assert(!som_file_make_folder("n/m", som_file_diags));
    ck_assert_str_eq(
        som_reports(),
        "error: can't make folder 'file/b': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder 'file': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder '': there is no such file or folder [SOM0101]\n"
        "error: can't make folder 'n/m': no space is left on the disk [SOM0108]\n");
    som_leave_folder();
}
END_TEST

// Asked before: the same answer, and nothing is made.
START_TEST(whether_a_folder_can_be_made_is_known_before) {
    som_enter_folder();
    som_put("file", "");
    static const char *const good[] = {"a", "a/b//c/", ".", "/", "./n/m"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(som_file_can_make_folder(good[i], som_file_diags), "%s", good[i]);
    }
    ck_assert(!som_file_is_folder("a") && !som_file_is_folder("n"));
    ck_assert_str_eq(som_reports(), "");
    ck_assert(!som_file_can_make_folder("file/b", som_file_diags));
    ck_assert(!som_file_can_make_folder("file", som_file_diags));
    ck_assert(!som_file_can_make_folder("", som_file_diags));
    ck_assert_str_eq(
        som_reports(),
        "error: can't make folder 'file/b': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder 'file': a part of its path is not a folder [SOM0101]\n"
        "error: can't make folder '': there is no such file or folder [SOM0101]\n");
    som_leave_folder();
}
END_TEST

START_TEST(a_folder_is_listed_in_order) {
    som_enter_folder();
    som_put("b.som", "");
    som_put("a.som", "");
    som_put("c.m3l", "");
    som_put(".hidden.som", "");
    SomArena arena = {0};
    const SomStr *names;
    ck_assert_int_eq(som_file_list(".", SOM_STR(".som"), &arena, &names, som_file_diags), 2);
    ck_assert(som_str_equal(names[0], SOM_STR("a.som")));
    ck_assert(som_str_equal(names[1], SOM_STR("b.som")));
    ck_assert_int_eq(som_file_list(".", SOM_STR(""), &arena, &names, som_file_diags), 3);
    ck_assert_int_eq(som_file_list(".", SOM_STR(".x"), &arena, &names, som_file_diags), 0);
    ck_assert_int_eq(som_file_list("none", SOM_STR(".x"), &arena, &names, som_file_diags), -1);
    ck_assert_str_eq(
        som_reports(),
        "error: can't list folder 'none': there is no such file or folder [SOM0101]\n");
    ck_assert(som_file_exists("a.som"));
    ck_assert(!som_file_exists("."));
    ck_assert(!som_file_exists("none"));
    ck_assert(som_file_is_folder(".") && !som_file_is_folder("a.som") &&
              !som_file_is_folder("none"));
    som_arena_free(&arena);
    som_leave_folder();
}
END_TEST

START_TEST(files_below_a_folder_are_found) {
    som_enter_folder();
    ck_assert(mkdir("d", 0777) == 0 && mkdir("d/below", 0777) == 0 && mkdir("d/.git", 0777) == 0);
    ck_assert(symlink("..", "d/below/loop") == 0);
    som_put("d/b.som", "");
    som_put("d/below/a.som", "");
    som_put("d/.git/c.som", "");
    SomArena arena = {0};
    const SomStr *paths;
    ck_assert_int_eq(som_file_find("d", SOM_STR(".som"), &arena, &paths, som_file_diags), 2);
    ck_assert(som_str_equal(paths[0], SOM_STR("d/b.som")));
    ck_assert(som_str_equal(paths[1], SOM_STR("d/below/a.som")));
    ck_assert_int_eq(som_file_find("none", SOM_STR(".x"), &arena, &paths, som_file_diags), -1);
    som_arena_free(&arena);
    som_leave_folder();
}
END_TEST

START_TEST(the_stamp_of_a_file_tells_whether_it_changed) {
    som_enter_folder();
    ck_assert(som_file_stamp("a.som") == 0);
    ck_assert(som_file_save("a.som", SOM_STR("one"), som_file_diags));
    uint64_t first = som_file_stamp("a.som");
    ck_assert(first != 0 && som_file_stamp("a.som") == first);
    ck_assert(som_file_save("a.som", SOM_STR("more"), som_file_diags));
    ck_assert(som_file_stamp("a.som") != first);
    som_leave_folder();
}
END_TEST

SOM_SUITE("base/file", a_file_is_loaded_whole, what_can_not_be_a_file_is_refused_with_a_reason,
          a_file_that_may_not_or_can_not_be_read_is_reported,
          a_file_that_changes_under_the_reader_is_reported,
          a_dash_is_standard_input_up_to_the_limit,
          a_source_is_registered_and_a_byte_order_mark_dropped,
          a_text_with_zero_bytes_or_that_is_not_utf8_is_refused_at_its_place,
          folders_are_made_with_their_parents, whether_a_folder_can_be_made_is_known_before,
          a_folder_is_listed_in_order, files_below_a_folder_are_found,
          the_stamp_of_a_file_tells_whether_it_changed)
