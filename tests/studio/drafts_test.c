// Tests for studio/drafts.c: what is kept comes back, from a studio that was killed and from no
// other; what is damaged is told.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/render_codes.h"
#include "base/file.h"
#include "studio/drafts.h"
#include "tests/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static SomDiagnostics *diags;
static SomArena arena;
static const SomDraft *found;

static void begin(void) {
    strcpy(folder, "/tmp/somite-drafts-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    diags = som_diagnostics_create();
}

static void finish(void) {
    const SomStr *paths;
    SomArena names = {0};
    int count = som_file_find(folder, SOM_STR(""), &names, &paths, diags);
    for (int i = 0; i < count; i++) {
        unlink(paths[i].data);
    }
    rmdir(folder);
    som_arena_free(&names);
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
}

static SomDrafts *start(void) {
    SomDrafts *drafts = som_drafts_create(som_str(folder), diags);
    ck_assert_ptr_nonnull(drafts);
    return drafts;
}

static SomDraft draft(const char *path, const char *text, int64_t time) {
    return (SomDraft){.path = som_str(path), .text = som_str(text), .time = time};
}

static void keep(SomDrafts *drafts, int slot, const char *path, const char *text, int64_t time) {
    SomDraft kept = draft(path, text, time);
    som_drafts_keep(drafts, slot, &kept);
}

static int find(SomDrafts *drafts) {
    return som_drafts_find(drafts, &arena, &found, diags);
}

static int count_files(const char *ending) {
    const SomStr *names;
    return som_file_list(folder, som_str(ending), &arena, &names, diags);
}

START_TEST(a_draft_that_is_written_is_read_again) {
    diags = som_diagnostics_create();
    const SomDraft all[] = {
        {.text = SOM_STR("")},
        {SOM_STR("/robots/a b\n.som"),
         SOM_STR("Snake(n = 3)"),
         SOM_STR("config {}"),
         SOM_STR("config A {}\r\nend\n"),
         17,
         {0}},
        {SOM_STR("/\xff.som"), SOM_STR(""), SOM_STR(""), SOM_STR("text 3\nabc\n"), INT64_MAX, {0}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        SomText text = {0};
        SomDraft read;
        som_draft_write(&all[i], &text);
        ck_assert(som_draft_read(som_text_str(&text), 0, &read, diags));
        ck_assert(som_str_equal(read.path, all[i].path) && read.time == all[i].time);
        ck_assert(som_str_equal(read.config, all[i].config));
        ck_assert(som_str_equal(read.saved, all[i].saved));
        ck_assert(som_str_equal(read.text, all[i].text));
        som_text_free(&text);
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
}
END_TEST

// Every cut and every changed byte is noticed, but those of the time and inside the pieces.
START_TEST(a_damaged_draft_is_told) {
    SomText text = {0};
    SomDraft whole = draft("/robots/a.som", "config A {}\n", 17), read;
    som_draft_write(&whole, &text);
    for (size_t length = 0; length < text.length; length++) {
        diags = som_diagnostics_create();
        ck_assert(!som_draft_read((SomStr){text.data, length}, 0, &read, diags));
        ck_assert(som_diagnostics_has(diags, SOM_DRAFT_DAMAGED));
        ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
        som_diagnostics_destroy(diags);
    }
    const char *const wrong[] = {
        "somite draft 1\ntime 017\npath 0\n\nconfig 0\n\nsaved 0\n\ntext 0\n\nend\n",
        "somite draft 1\ntime 1\npath 0\n\nconfig 0\n\nsaved 0\n\ntext 0\n\nend\n ",
        "somite draft 1\ntime 1\npath 99999999999999999999\n\nconfig 0\n\n",
        "somite draft 1\ntime -1\npath 0\n\nconfig 0\n\nsaved 0\n\ntext 0\n\nend\n",
        "somite draft 1\ntime 1\npath 0\n\nconfig 0\n\nsaved 0\n\ntext 1\n\xff\nend\n",
        "somite draft 2\ntime 1\npath 0\n\nconfig 0\n\nsaved 0\n\ntext 0\n\nend\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        diags = som_diagnostics_create();
        ck_assert(!som_draft_read(som_str(wrong[i]), 0, &read, diags));
        ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
        som_diagnostics_destroy(diags);
    }
    som_text_free(&text);
}
END_TEST

START_TEST(what_a_studio_left_is_found_by_the_next_one) {
    begin();
    SomDrafts *first = start();
    int a = som_drafts_open(first), b = som_drafts_open(first);
    keep(first, a, "/a.som", "old", 1);
    keep(first, a, "/a.som", "config A {}\n", 2);
    keep(first, b, "", "config B {}\n", 3);
    som_drafts_destroy(first); // without a word to the drafts: they stay
    SomDrafts *next = start();
    ck_assert_int_eq(find(next), 2);
    ck_assert(som_str_equal(found[0].text, SOM_STR("config B {}\n")) && found[0].time == 3);
    ck_assert(som_str_equal(found[1].text, SOM_STR("config A {}\n")));
    ck_assert(som_str_equal(found[1].path, SOM_STR("/a.som")));
    som_drafts_forget(next, found[0].file);
    som_drafts_settle(next);
    ck_assert_int_eq(count_files(".draft"), 1);
    som_drafts_destroy(next);
    next = start(); // one was neither restored nor given up
    ck_assert_int_eq(find(next), 1);
    ck_assert(som_str_equal(found[0].path, SOM_STR("/a.som")));
    som_drafts_forget(next, found[0].file);
    som_drafts_destroy(next);
    ck_assert_int_eq(count_files(""), 0); // nor locks
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    finish();
}
END_TEST

static mode_t mode_of(const char *path) {
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 0777;
}

// Unsaved work may be of a file that only its owner can read. Folders and drafts of earlier
// versions were open to everyone.
START_TEST(drafts_are_for_their_owner_only) {
    begin();
    umask(022);
    SomText old = {0}, written = {0};
    SomDraft left = draft("/robots/old.som", "config Old {}\n", 5);
    som_text_printf(&old, "%s/99-0-0.draft", folder);
    som_draft_write(&left, &written);
    ck_assert(som_file_save(old.data, som_text_str(&written), diags));
    ck_assert_int_eq(mode_of(old.data), 0644);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    SomDrafts *drafts = start();
    ck_assert_int_eq(mode_of(folder), 0700);
    ck_assert_int_eq(mode_of(old.data), 0600);
    keep(drafts, som_drafts_open(drafts), "/a.som", "config A {}\n", 1);
    som_drafts_settle(drafts);
    const SomStr *names;
    SomArena all = {0};
    int count = som_file_find(folder, SOM_STR(""), &all, &names, diags);
    ck_assert_int_eq(count, 3); // two drafts and a lock
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(mode_of(names[i].data), 0600);
    }
    som_arena_free(&all);
    som_drafts_destroy(drafts);
    som_text_free(&old);
    som_text_free(&written);
    finish();
}
END_TEST

START_TEST(what_is_dropped_leaves_no_file) {
    begin();
    SomDrafts *drafts = start();
    int slot = som_drafts_open(drafts);
    keep(drafts, slot, "/a.som", "config A {}\n", 1);
    som_drafts_settle(drafts);
    ck_assert_int_eq(count_files(".draft"), 1);
    som_drafts_drop(drafts, slot);
    som_drafts_settle(drafts);
    ck_assert_int_eq(count_files(".draft"), 0);
    keep(drafts, slot, "/a.som", "config A {}\n", 1); // not yet written when it goes
    som_drafts_close(drafts, slot);
    som_drafts_settle(drafts);
    ck_assert_int_eq(count_files(".draft"), 0);
    ck_assert_int_eq(som_drafts_open(drafts), slot);
    som_drafts_destroy(drafts);
    ck_assert_int_eq(count_files(""), 0);
    finish();
}
END_TEST

START_TEST(studios_that_run_do_not_take_drafts_from_each_other) {
    begin();
    SomDrafts *one = start(), *other = start();
    keep(one, som_drafts_open(one), "/a.som", "config A {}\n", 1);
    som_drafts_settle(one);
    ck_assert_int_eq(find(other), 0);
    ck_assert_int_eq(find(one), 0);
    som_drafts_destroy(one);
    SomDrafts *third = start();
    ck_assert_int_eq(find(other), 1);
    ck_assert_int_eq(find(third), 0); // the other has it already
    som_drafts_destroy(third);
    som_drafts_destroy(other);
    finish();
}
END_TEST

// Writes until it is killed: "begin 17\n…\nend 17\n", whole or not at all.
static void write_for_ever(void) {
    SomDiagnostics *own = som_diagnostics_create();
    SomDrafts *drafts = som_drafts_create(som_str(folder), own);
    int slot = som_drafts_open(drafts);
    SomText text = {0};
    for (int i = 0;; i++) {
        som_text_clear(&text);
        som_text_printf(&text, "begin %d\n", i);
        som_text_add_char(&text, 'x', 20000);
        som_text_printf(&text, "\nend %d\n", i);
        keep(drafts, slot, "/a.som", text.data, i);
        som_drafts_settle(drafts);
    }
}

START_TEST(a_studio_that_is_killed_while_it_writes_leaves_a_whole_draft) {
    begin();
    SomTestRandom random = {7};
    int count = som_test_count(10, 200);
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            write_for_ever();
        }
        while (count_files(".draft") == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        int wait = som_test_int(&random, 0, 20000000);
        nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        SomDrafts *next = start();
        ck_assert_int_eq(find(next), 1);
        SomText begin_and_end = {0};
        som_text_printf(&begin_and_end, "\nend %d\n", (int)found[0].time);
        ck_assert(som_str_ends_with(found[0].text, som_text_str(&begin_and_end)));
        som_text_clear(&begin_and_end);
        som_text_printf(&begin_and_end, "begin %d\n", (int)found[0].time);
        ck_assert(som_str_starts_with(found[0].text, som_text_str(&begin_and_end)));
        som_text_free(&begin_and_end);
        som_drafts_forget(next, found[0].file);
        som_drafts_destroy(next);
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    finish();
}
END_TEST

START_TEST(damaged_files_are_put_aside_and_told_once) {
    begin();
    SomText path = {0};
    som_text_printf(&path, "%s/99-0-1.draft", folder);
    ck_assert(som_file_save(path.data, SOM_STR("no draft"), diags));
    SomDrafts *drafts = start();
    keep(drafts, som_drafts_open(drafts), "", "config A {}\n", 1);
    som_drafts_destroy(drafts);
    drafts = start();
    ck_assert_int_eq(find(drafts), 1);
    ck_assert(som_diagnostics_has(diags, SOM_DRAFT_DAMAGED));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert_int_eq(count_files(".draft.damaged"), 1);
    som_drafts_destroy(drafts);
    drafts = start();
    ck_assert_int_eq(find(drafts), 1);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_drafts_destroy(drafts);
    som_text_free(&path);
    finish();
}
END_TEST

START_TEST(where_nothing_can_be_kept_that_is_told) {
    begin();
    SomText path = {0}, words = {0};
    som_text_printf(&path, "%s/file", folder);
    ck_assert(som_file_save(path.data, SOM_STR(""), diags));
    ck_assert_ptr_null(som_drafts_create(som_text_str(&path), diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    unlink(path.data);
    SomDrafts *drafts = start();
    ck_assert(!som_drafts_has_failed(drafts, &words));
    const SomStr *locks;
    ck_assert_int_eq(som_file_find(folder, SOM_STR(".lock"), &arena, &locks, diags), 1);
    unlink(locks[0].data);
    rmdir(folder);
    int slot = som_drafts_open(drafts);
    for (int round = 0; round < 2; round++) {
        keep(drafts, slot, "", "config A {}\n", 1);
        som_drafts_settle(drafts);
        ck_assert(som_drafts_has_failed(drafts, &words));
        ck_assert(som_str_starts_with(som_text_str(&words), SOM_STR("can't write '")));
        keep(drafts, slot, "", "config B {}\n", 1);
        som_drafts_settle(drafts);
        ck_assert(!som_drafts_has_failed(drafts, &words)); // told once
        ck_assert(som_file_make_folder(folder, diags));
        keep(drafts, slot, "", "config C {}\n", 1);
        som_drafts_settle(drafts);
        ck_assert(!som_drafts_has_failed(drafts, &words)); // until it worked again
        som_drafts_drop(drafts, slot);
        som_drafts_settle(drafts);
        rmdir(folder);
    }
    som_drafts_destroy(drafts);
    som_text_free(&path);
    som_text_free(&words);
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
}
END_TEST

SOM_SUITE("studio/drafts", a_draft_that_is_written_is_read_again, a_damaged_draft_is_told,
          what_a_studio_left_is_found_by_the_next_one, what_is_dropped_leaves_no_file,
          drafts_are_for_their_owner_only, studios_that_run_do_not_take_drafts_from_each_other,
          a_studio_that_is_killed_while_it_writes_leaves_a_whole_draft,
          damaged_files_are_put_aside_and_told_once, where_nothing_can_be_kept_that_is_told)
