// SPDX-License-Identifier: Apache-2.0
// Tests for verify/conflicts.c.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>

static const char *const text =
    "use \"smores.m3l\"\n"
    "config Two {\n"
    "    part a, b : SMORES\n"
    "    connect a.B to b.T\n"
    "    behavior fight = parallel(\n"
    "        series(wait 300ms, a.bend to 20deg),\n"
    "        series(b.bend to 10deg, wait 200ms, a.bend to 60deg))\n"
    "    behavior luck = parallel(\n"
    "        series(a.bend to 20deg, wait 2s),\n"
    "        series(wait 1s, a.bend to 10deg))\n"
    "    behavior deep = parallel(b.left spin 1rad/s during 1s, series(wait 100ms, parallel(\n"
    "        parallel(b.bend to 10deg, series(wait 100ms, parallel(a.left to 10deg, a.right to "
    "45deg))),\n"
    "        series(wait 150ms, parallel(b.right to 5deg, a.right to 40deg)))))\n"
    "    behavior agree = parallel(a.bend to 20deg, series(wait 10ms, a.bend to 20deg))\n"
    "    behavior turns = repeat 3: series(a.bend to 20deg, a.bend to 0deg)\n"
    "}\n";

static const SomFinding *only(TestVerified *v) {
    ck_assert_msg(test_count_of(v, SOM_COMMAND_CONFLICT) == 1, "%s", test_findings(v));
    return test_find(v, SOM_COMMAND_CONFLICT);
}

static void assert_other(TestVerified *v, const SomFinding *found, int line) {
    SomPlace place =
        som_diagnostics_place(v->design.diags, found->other.source1, found->other.begin);
    ck_assert_int_eq(place.line, line);
}

START_TEST(a_conflict_has_both_places_and_the_time_for_which_it_lasts) {
    TestVerified v = test_verify(text, "", "fight");
    const SomFinding *found = only(&v);
    // b takes about 50 ms, then 200: the second action begins first
    ck_assert(fabs(found->t0 - 0.3) < 0.011 && found->t1 > found->t0);
    ck_assert_str_eq(test_place(&v, found), "6:28");
    assert_other(&v, found, 7);
    ck_assert(som_str_equal(found->subjects[0], SOM_STR("a.bend")) && found->fix.length > 0);
    ck_assert_str_eq(found->message.data,
                     "Conflict: joint 'a.bend' from 0.3 s to 0.36 s, commanded differently by two "
                     "actions at the same time");
    test_verified_free(&v);
}
END_TEST

START_TEST(a_conflict_that_only_luck_avoids_is_an_error_without_a_time) {
    TestVerified v = test_verify(text, "", "luck");
    const SomFinding *found = only(&v);
    ck_assert(isnan(found->t0) && found->severity == SOM_ERROR &&
              v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert_str_eq(test_place(&v, found), "10:25");
    assert_other(&v, found, 9);
    test_verified_free(&v);
}
END_TEST

START_TEST(conflicts_deep_in_nested_parallels_are_found) {
    TestVerified v = test_verify(text, "", "deep");
    const SomFinding *found = only(&v);
    ck_assert(som_str_equal(found->subjects[0], SOM_STR("a.right")));
    ck_assert_msg(fabs(found->t0 - 0.25) < 0.011, "%s", test_findings(&v));
    ck_assert_str_eq(test_place(&v, found), "13:54");
    assert_other(&v, found, 12);
    test_verified_free(&v);
}
END_TEST

START_TEST(equal_commands_and_actions_in_series_are_no_conflict) {
    static const char *const fine[] = {"agree", "turns"};
    for (int i = 0; i < 2; i++) {
        TestVerified v = test_verify(text, "", fine[i]);
        ck_assert_int_eq(test_count_of(&v, SOM_COMMAND_CONFLICT), 0);
        test_verified_free(&v);
    }
}
END_TEST

START_TEST(conflicts_of_two_statements_are_one_finding_at_the_users_line) {
    TestVerified v = test_verify("use \"walkbot.som\"\n"
                                 "config Pair {\n"
                                 "    part bot : Walkbot\n"
                                 "    behavior up = parallel(bot.walk, bot.trot(1)) timeout 1s\n"
                                 "}\n",
                                 "", "up");
    const SomFinding *found = only(&v);
    ck_assert_str_eq(test_place(&v, found), "4:38");
    assert_other(&v, found, 4);
    ck_assert_int_eq(found->subject_count, 16);
    ck_assert_msg(strstr(found->message.data, "(and 13 more)") != NULL, "%s", found->message.data);
    ck_assert_int_ge(found->step_count, 4);
    ck_assert_msg(som_str_equal(found->steps[0].words,
                                SOM_STR("the action is here, in behavior 'bot.front_left.legKey'")),
                  "%s", found->steps[0].words.data);
    test_verified_free(&v);
}
END_TEST

START_TEST(a_behavior_that_conflicts_with_itself_is_reported_at_its_calls) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config One {\n"
                                 "    part m : SMORES\n"
                                 "    behavior go(x: angle) = m.bend to x\n"
                                 "    behavior both = parallel(go(10deg),\n"
                                 "        series(wait 10ms, go(20deg)))\n"
                                 "}\n",
                                 "", "both");
    const SomFinding *found = only(&v);
    ck_assert_str_eq(test_place(&v, found), "6:27");
    assert_other(&v, found, 5);
    ck_assert_int_eq(found->step_count, 1);
    ck_assert(som_str_equal(found->steps[0].words, SOM_STR("the action is here, both times")));
    ck_assert_int_eq(som_diagnostics_place(v.design.diags, found->steps[0].span.source1,
                                           found->steps[0].span.begin)
                         .line,
                     4);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/conflicts", a_behavior_that_conflicts_with_itself_is_reported_at_its_calls,
          conflicts_of_two_statements_are_one_finding_at_the_users_line,
          a_conflict_has_both_places_and_the_time_for_which_it_lasts,
          a_conflict_that_only_luck_avoids_is_an_error_without_a_time,
          conflicts_deep_in_nested_parallels_are_found,
          equal_commands_and_actions_in_series_are_no_conflict)
