// SPDX-License-Identifier: Apache-2.0
// What is said of a run: stuck, or out of time; and that the same run says the same, bit for bit.

#include "simulate/recording.h"
#include "tests/simulate/runs.h"

#include <string.h>

// One that waits for what it never senses, one that waits for time to pass, one that never ends;
// the snake of the library cannot lift one of its ends.
static const char designs[] =
    "use \"walkbot.som\"\n"
    "use \"snake.som\"\n"
    "config Sleeper {\n"
    "    part m : Module\n"
    "    base m on ground\n"
    "    behavior listen = series(m.tilt to 20deg, wait until bodyTilt > 1rad)\n"
    "    behavior sleep = series(m.tilt to 20deg, wait 30s)\n"
    "    behavior turn = m.pan spin 1rad/s timeout 30s\n"
    "}\n";

static const char *outcome_of(SomEngineKind engine, const char *choice, const char *call) {
    TestRun r = test_run(engine, designs, choice, call, 2.5);
    const char *outcome = test_run_outcome(&r);
    ck_assert_double_eq_tol(r.result->time, 2.5, 1e-9);
    test_run_free(&r);
    return outcome;
}

START_TEST(what_rests_and_waits_for_something_is_stuck) {
    FOR_EACH_ENGINE(engine) {
        ck_assert_str_eq(outcome_of(engine, "Sleeper", "listen"), "stuck");
        ck_assert_str_eq(outcome_of(engine, "Chain18", "s[3].tail.bend to 60deg"), "stuck");
    }
}
END_TEST

START_TEST(what_moves_or_only_waits_for_time_to_pass_is_not) {
    FOR_EACH_ENGINE(engine) {
        ck_assert_str_eq(outcome_of(engine, "Sleeper", "sleep"), "timeout");
        ck_assert_str_eq(outcome_of(engine, "Sleeper", "turn"), "timeout");
    }
}
END_TEST

static SomText recorded(SomEngineKind engine, const char *choice, const char *call) {
    TestRun r = test_run(engine, designs, choice, call, 1.2);
    SomText csv = {0};
    som_recording_print(r.result, r.graph, &csv);
    test_run_free(&r);
    return csv;
}

START_TEST(the_same_run_is_recorded_in_the_same_bytes_whatever_ran_before) {
    FOR_EACH_ENGINE(engine) {
        SomText first = recorded(engine, "Walkbot", "walk(1)");
        ck_assert_ptr_nonnull(strstr(first.data, "\n1.19,"));
        SomText again = recorded(engine, "Walkbot", "walk(1)");
        SomText other = recorded(engine, "Snake", "nSnakeSineGait(1)");
        SomText third = recorded(engine, "Walkbot", "walk(1)");
        ck_assert_msg(som_str_equal(som_text_str(&first), som_text_str(&again)), "%s, again",
                      som_engine_name(engine));
        ck_assert_msg(som_str_equal(som_text_str(&first), som_text_str(&third)),
                      "%s, after another", som_engine_name(engine));
        ck_assert(!som_str_equal(som_text_str(&first), som_text_str(&other)));
        som_text_free(&first);
        som_text_free(&again);
        som_text_free(&other);
        som_text_free(&third);
    }
}
END_TEST

SOM_SUITE("simulate/outcomes", what_rests_and_waits_for_something_is_stuck,
          what_moves_or_only_waits_for_time_to_pass_is_not,
          the_same_run_is_recorded_in_the_same_bytes_whatever_ran_before)
