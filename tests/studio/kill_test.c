// Tests for studio/drafts.h in a studio that is killed: kill -9 at any moment loses at most the
// last two seconds of typing.
//
// A child types real keys into the text, lines with numbers, and tells each that was handled with
// its time. The parent kills it at a seeded moment and looks at the draft that is left. Where the
// machine itself stands still for long, so that the parent can't keep its own times, a round does
// not count and is tried again.

// SPDX-License-Identifier: Apache-2.0

#include "studio/application.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOWED (2 * G_USEC_PER_SEC) // what may be lost
#define STALL (G_USEC_PER_SEC / 5)   // by which a short sleep of the parent may be late
#define SHORT 10000                  // such a sleep, in microseconds
#define MOST_TRIES 20                // of a round

typedef struct Typed {
    int number;
    int64_t time;
} Typed;

// ---- the studio

static void type_for_ever(int pipe) {
    som_ui_start();
    SomApplication *application = som_application_new(false);
    ck_assert(g_application_register(G_APPLICATION(application), NULL, NULL));
    SomWindow *window = som_window_new(GTK_APPLICATION(application));
    ck_assert(som_window_open(window, "walkbot"));
    gtk_window_present(GTK_WINDOW(window));
    SOM_UI_WAIT(som_view_frames(som_window_view(window)) > 0);
    som_ui_key(window, "<Control>e"); // into the text, at its end
    som_ui_key(window, "<Control>Home");
    for (int i = 0;; i++) {
        g_autofree char *line = g_strdup_printf("#%d\n", i);
        som_ui_type(window, line);
        Typed typed = {i, g_get_monotonic_time()};
        ck_assert_int_eq(write(pipe, &typed, sizeof typed), sizeof typed);
    }
}

// ---- who kills it

typedef struct Round {
    Typed all[10000];
    int count;
    int64_t stalled; // when the machine last stood still
    int64_t end;
} Round;

static void take(Round *round, int pipe) {
    while (round->count < (int)G_N_ELEMENTS(round->all) &&
           read(pipe, &round->all[round->count], sizeof(Typed)) == sizeof(Typed)) {
        round->count++;
    }
}

static void rest(Round *round) {
    int64_t begin = g_get_monotonic_time();
    g_usleep(SHORT);
    int64_t end = g_get_monotonic_time();
    if (end - begin > SHORT + STALL) {
        round->stalled = end;
    }
}

static void run_and_kill(Round *round, int64_t duration) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        type_for_ever(ends[1]);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int64_t deadline = som_ui_deadline();
    while (round->count == 0 && g_get_monotonic_time() < deadline) {
        rest(round);
        take(round, ends[0]);
    }
    ck_assert_msg(round->count > 0, "nothing was typed");
    int64_t end = g_get_monotonic_time() + duration;
    while (g_get_monotonic_time() < end) {
        rest(round);
    }
    round->end = g_get_monotonic_time();
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    take(round, ends[0]);
    close(ends[0]);
}

// ---- what is left

// Of how many lines the draft is, which must begin with all of them in order; 0 if there is none.
static int lines_left(void) {
    g_autofree char *folder = g_build_filename(g_get_user_state_dir(), "somite", "drafts", NULL);
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    const SomDraft *found;
    SomDrafts *drafts = som_drafts_create(som_str(folder), diags);
    ck_assert_ptr_nonnull(drafts);
    int count = som_drafts_find(drafts, &arena, &found, diags), lines = 0;
    ck_assert_int_le(count, 1);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    if (count == 1) {
        SomText expected = {0};
        size_t whole = 0;
        while (som_str_starts_with(found[0].text, som_text_str(&expected))) {
            whole = expected.length;
            som_text_printf(&expected, "#%d\n", lines++);
        }
        lines--;
        // then perhaps a part of the next line, then the design itself
        g_autofree char *rest = g_strndup(found[0].text.data + whole, found[0].text.length - whole);
        ck_assert_ptr_nonnull(strstr(rest, "config Walkbot {"));
        som_text_free(&expected);
        som_drafts_forget(drafts, found[0].file);
    }
    som_drafts_destroy(drafts);
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
    return lines;
}

START_TEST(at_most_two_seconds_of_typing_are_lost) {
    SomTestRandom random = {9};
    int rounds = som_test_count(3, 20), done = 0, most_lost = 0;
    for (int tries = 0; done < rounds && tries < MOST_TRIES * rounds; tries++) {
        g_autofree Round *round = g_new0(Round, 1);
        run_and_kill(round, som_test_int(&random, 0, 6 * G_USEC_PER_SEC));
        int kept = lines_left(), old = 0;
        while (old < round->count && round->all[old].time < round->end - ALLOWED) {
            old++;
        }
        if (round->stalled < round->end - 2 * ALLOWED) {
            ck_assert_msg(kept >= old, "%d lines were kept of %d older than two seconds", kept,
                          old);
            most_lost = MAX(most_lost, round->count - kept);
            done++;
        }
    }
    ck_assert_msg(done == rounds, "the machine stands still all the time");
    g_printerr("# at most %d lines were lost\n", most_lost);
}
END_TEST

SOM_SUITE("studio/kill", at_most_two_seconds_of_typing_are_lost)
