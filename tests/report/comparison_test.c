// SPDX-License-Identifier: Apache-2.0
// Tests for report/comparison.c, parting.c and comparison_page.c, with real runs in every engine.

#include "base/codes/verify_codes.h"
#include "report/comparison_page.h"
#include "tests/simulate/runs.h"
#include "tests/suite.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

static const char designs[] =
    "use \"walkbot.som\"\nuse \"snake.som\"\n" TEST_SPOILT "config Arm {\n"
    "    part a, b, c : Module\n"
    "    connect a.B to b.T\n"
    "    connect b.B to c.T\n"
    "    base a on ground\n"
    "    behavior wave = repeat 3: series(c.bend to 20deg at 20deg/s, c.bend to 0deg at 20deg/s)\n"
    "}\n";

typedef struct Case {
    TestRun run;
    SomPrediction prediction;
    SomVerification *found;
    SomComparison *compared;
    SomText words;
} Case;

static void compare(Case *s, SomEngineKind engine, const char *choice, const char *call,
                    double duration) {
    *s = (Case){.run = test_run(engine, designs, choice, call, duration)};
    SomPosture start = som_posture_start(s->run.design);
    SomPredictionDef predict = {.graph = s->run.graph,
                                .servos = s->run.servos,
                                .initial = start.values,
                                .design = s->run.design,
                                .tick = 0.001,
                                .sample_time = 0.01};
    som_prediction_play(&predict, &s->prediction, s->run.text.diags);
    s->found = som_verify(&(SomVerifyDef){.mechanism = s->run.mechanism, .graph = s->run.graph});
    s->compared = som_comparison_create(&(SomComparisonDef){.mechanism = s->run.mechanism,
                                                            .graph = s->run.graph,
                                                            .prediction = &s->prediction,
                                                            .simulated = s->run.result,
                                                            .found = s->found,
                                                            .engine = engine});
    som_comparison_print(s->compared, &s->words);
    som_posture_free(&start);
}

static void discard(Case *s) {
    som_text_free(&s->words);
    som_comparison_destroy(s->compared);
    som_verification_destroy(s->found);
    som_prediction_free(&s->prediction);
    test_run_free(&s->run);
}

// The first parting of a kind; NULL: none.
static const SomParting *parting_of(const Case *s, SomPartingKind kind) {
    for (int i = 0; i < s->compared->partings.count; i++) {
        if (s->compared->partings.data[i].kind == kind) {
            return &s->compared->partings.data[i];
        }
    }
    return NULL;
}

static void says(const SomParting *parting, const char *words) {
    ck_assert_ptr_nonnull(parting);
    ck_assert_msg(strstr(parting->message.data, words) != NULL, "'%s' is not in '%.*s'", words,
                  SOM_STR_ARG(parting->message));
}

static void prints(const Case *s, const char *words) {
    ck_assert_msg(strstr(s->words.data, words) != NULL, "'%s' is not in:\n%s", words,
                  s->words.data);
}

START_TEST(what_is_easy_goes_as_predicted) {
    FOR_EACH_ENGINE(engine) {
        Case s;
        compare(&s, engine, "Arm", "wave", 20);
        prints(&s, "they do not part");
        prints(&s, "6 of 6 actions ended as predicted");
        // every run of the two actions has its own times
        ck_assert_int_eq(s.compared->actions.count, 6);
        for (int i = 0; i < 6; i++) {
            const SomComparedAction *action = &s.compared->actions.data[i];
            ck_assert_double_eq_tol(action->simulated.end, action->predicted.end, 0.05);
            ck_assert(i == 0 || action->predicted.start >= action[-1].predicted.end);
            ck_assert_int_eq(action->next, i + 2 < 6 ? i + 2 : -1);
        }
        int dof = s.compared->worst_dof;
        ck_assert_str_eq(s.run.design->dofs[dof].path.data, "c.bend");
        ck_assert_double_lt(fabs(s.compared->dofs[dof].worst), SOM_COMPARED_ANGLE);
        ck_assert_double_gt(fabs(s.compared->dofs[dof].worst), 0);
        ck_assert_double_eq_tol(s.compared->dofs[dof].way, 0.3,
                                0.05); // it is done within 2 degrees
        discard(&s);
    }
}
END_TEST

START_TEST(a_fall_is_told_beside_the_warning) {
    FOR_EACH_ENGINE(engine) {
        Case s;
        compare(&s, engine, "Spoilt(r = 90deg)", "wait 2s", 3);
        const SomParting *parting = parting_of(&s, SOM_PARTING_FALL);
        says(parting, "the robot fell; the verifier warned of a fall at ");
        ck_assert_double_eq(parting->time, s.compared->fall);
        ck_assert_double_eq(parting->predicted, s.compared->warned_fall);
        ck_assert_double_gt(s.compared->fall, s.compared->warned_fall);
        prints(&s, " s: the robot fell; ");
        discard(&s);
    }
}
END_TEST

START_TEST(a_touch_is_told_beside_the_warning) {
    FOR_EACH_ENGINE(engine) {
        Case s;
        compare(&s, engine, "Spoilt(at = 4)", "toward", 3);
        const SomParting *parting = parting_of(&s, SOM_PARTING_CONTACT);
        says(parting, "touch; the verifier warned of it at ");
        ck_assert_double_eq_tol(parting->time, parting->predicted, 0.1);
        ck_assert_double_eq(s.compared->contact, parting->time);
        discard(&s);
    }
}
END_TEST

START_TEST(what_is_too_heavy_says_so) {
    SomEngineKind engine = SOM_ENGINE_MUJOCO; // Gazebo's takes long for 18 modules
    if (!som_engine_is_built(engine)) {
        return;
    }
    Case s;
    compare(&s, engine, "Chain18", "series(s[3].tail.bend to 60deg timeout 1s, wait 9s)", 2);
    const SomParting *parting = parting_of(&s, SOM_PARTING_REASON);
    says(parting, "'s[3].tail.bend to 60deg' ended by timeout instead of done, and stopped ");
    says(parting, " deg short: its effort is at its limit, 2.3 Nm");
    ck_assert_double_eq_tol(parting->time, 1, 0.002);
    ck_assert_double_lt(parting->predicted, 0.9);
    says(parting_of(&s, SOM_PARTING_TRACKING), "'s[3].tail.bend' is ");
    says(parting_of(&s, SOM_PARTING_MISSING), "'wait' did not end: the run was over (timeout)");
    // partings come by time
    for (int i = 1; i < s.compared->partings.count; i++) {
        ck_assert_double_ge(s.compared->partings.data[i].time,
                            s.compared->partings.data[i - 1].time);
    }
    discard(&s);
}
END_TEST

START_TEST(what_ends_at_a_touch_is_done_and_not_short) {
    FOR_EACH_ENGINE(engine) {
        Case s;
        compare(&s, engine, "Arm",
                "series(b.bend to 20deg, b.bend to -60deg at 0.5rad/s until contact(c) timeout 5s)",
                8);
        says(parting_of(&s, SOM_PARTING_REASON),
             "'b.bend to -60deg' ended by done instead of timeout: its condition was met, which "
             "was not predicted");
        ck_assert_ptr_null(strstr(s.words.data, "short"));
        ck_assert_ptr_null(strstr(s.words.data, "predicted: its effort"));
        discard(&s);
    }
}
END_TEST

START_TEST(what_comes_later_for_a_delay_before_it_is_not_wrong) {
    SomEngineKind engine = SOM_ENGINE_MUJOCO;
    if (!som_engine_is_built(engine)) {
        return;
    }
    Case s;
    compare(&s, engine, "Chain18",
            "series(s[3].tail.bend to 60deg timeout 1s, s[6].tail.bend to 20deg at "
            "20deg/s)",
            5);
    const SomComparedAction *late = &s.compared->actions.data[1];
    ck_assert_double_gt(late->simulated.start - late->predicted.start, 0.5);
    int dof = som_comparison_dof(s.compared, late->node);
    ck_assert_str_eq(s.run.design->dofs[dof].path.data, "s[6].tail.bend");
    ck_assert_double_lt(fabs(s.compared->dofs[dof].worst), SOM_COMPARED_ANGLE);
    // before its action the prediction waits, then both go on together
    ck_assert_double_eq(som_comparison_stage(s.compared, dof, 0.9), late->predicted.start);
    ck_assert_double_eq_tol(som_comparison_stage(s.compared, dof, late->simulated.start + 0.25),
                            late->predicted.start + 0.25, 1e-12);
    discard(&s);
}
END_TEST

START_TEST(a_warning_in_vain_and_a_run_cut_short_are_told) {
    SomEngineKind engine = SOM_ENGINE_MUJOCO;
    if (!som_engine_is_built(engine)) {
        return;
    }
    Case s;
    compare(&s, engine, "Arm", "wave", 1.5);
    says(parting_of(&s, SOM_PARTING_MISSING), "and 2 more actions did not begin: the run was over");
    SomFinding fall = {
        .check = SOM_CHECK_STABILITY, .code = SOM_FALLS, .t0 = 0.25, .action = SOM_NONE};
    SomFinding touch = {.check = SOM_CHECK_SELF_COLLISION,
                        .code = SOM_SELF_COLLISION,
                        .t0 = 0.5,
                        .action = SOM_NONE};
    som_verification_add(s.found, &fall, "it falls");
    som_verification_add(s.found, &touch, "they touch");
    SomComparisonDef def = s.compared->def;
    som_comparison_destroy(s.compared);
    s.compared = som_comparison_create(&def);
    says(parting_of(&s, SOM_PARTING_FALL),
         "the verifier warned of a fall at 0.25 s, but the robot did not fall");
    says(parting_of(&s, SOM_PARTING_CONTACT),
         "the verifier warned of a collision at 0.5 s, but no parts touched");
    discard(&s);
}
END_TEST

// ---- causes, of a run that was changed afterwards

static void compare_again(Case *s) {
    SomComparisonDef def = s->compared->def;
    som_comparison_destroy(s->compared);
    s->compared = som_comparison_create(&def);
}

// The wave's second action, back to 0 deg, ends 0.2 s later than it did.
static void compare_late(Case *s) {
    compare(s, SOM_ENGINE_MUJOCO, "Arm", "wave", 20);
    const SomSimulationResult *r = s->run.result;
    int ended = 0;
    for (int i = 0; i < r->events.count; i++) {
        bool is_end = r->events.data[i].kind == SOM_EVENT_ACTION_ENDED;
        ended += is_end;
        r->events.data[i].time += is_end && ended == 2 ? 0.2 : 0;
    }
    compare_again(s);
}

// The effort of c.bend is at its limit from t0 to t1.
static void strain(Case *s, double t0, double t1) {
    const SomSimulationResult *r = s->run.result;
    int dof = som_comparison_dof(s->compared, s->compared->actions.data[1].node);
    for (int i = 0; i < r->times.count; i++) {
        if (r->times.data[i] >= t0 && r->times.data[i] <= t1) {
            r->efforts.data[i * r->dof_count + dof] = s->compared->dofs[dof].limit;
        }
    }
    compare_again(s);
}

static bool is_strained(const Case *s) {
    const SomParting *parting = parting_of(s, SOM_PARTING_DURATION);
    says(parting, "'c.bend to 0deg' took ");
    return strstr(parting->message.data, "its effort is at its limit") != NULL;
}

START_TEST(an_effort_is_the_cause_if_it_is_at_its_limit_in_the_end) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    Case s;
    compare_late(&s);
    SomRun run = s.compared->actions.data[1].simulated;
    ck_assert(!is_strained(&s));
    strain(&s, run.start, run.start + 0.1); // as it sets off
    ck_assert(!is_strained(&s));
    strain(&s, run.end - 0.1, run.end - 0.08);
    ck_assert(!is_strained(&s));
    strain(&s, run.end - 0.2, run.end);
    ck_assert(is_strained(&s));
    discard(&s);
}
END_TEST

START_TEST(a_touch_is_the_cause_if_it_is_of_the_time) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    Case s;
    compare_late(&s);
    SomRun run = s.compared->actions.data[1].simulated;
    const SomSimulationResult *r = som_simulation_result(s.run.simulation);
    const struct {
        double time;
        bool is_cause;
    } touches[] = {{run.start - 0.1, false},
                   {run.start - 0.02, true},
                   {run.end - 0.1, true},
                   {run.end + 0.1, false}};
    for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
        r->events.data[r->events.count - 1] = (SomSimulationEvent){
            .kind = SOM_EVENT_SELF_CONTACT, .time = touches[i].time, .link_a = 0, .link_b = 1};
        compare_again(&s);
        const SomParting *parting = parting_of(&s, SOM_PARTING_DURATION);
        says(parting, "'c.bend to 0deg' took ");
        bool is_told = strstr(parting->message.data, "parts of the robot touch from ") != NULL;
        ck_assert_msg(is_told == touches[i].is_cause, "%zu: %s", i, parting->message.data);
    }
    discard(&s);
}
END_TEST

static int count_of(const SomText *text, const char *piece) {
    int count = 0;
    for (const char *at = strstr(text->data, piece); at != NULL; at = strstr(at + 1, piece)) {
        count++;
    }
    return count;
}

START_TEST(the_page_has_pictures_curves_and_all_actions) {
    SomEngineKind engine = SOM_ENGINE_MUJOCO;
    if (!som_engine_is_built(engine)) {
        return;
    }
    Case s;
    compare(&s, engine, "Arm", "wave", 20);
    SomText html = {0};
    som_comparison_page_print(&(SomComparisonPage){.comparison = s.compared,
                                                   .simulation = s.run.simulation,
                                                   .design = SOM_STR("Arm <b>"),
                                                   .behavior = SOM_STR("wave")},
                              &html);
    ck_assert_ptr_nonnull(strstr(html.data, "<h1>Arm &lt;b&gt;: wave</h1>"));
    ck_assert_int_eq(count_of(&html, "<img"), SOM_COMPARISON_PICTURES);
    // the joint that moves, the height, the effort
    ck_assert_int_eq(count_of(&html, "<svg"), 3);
    ck_assert_int_eq(count_of(&html, "<tr><td><code>c.bend to "), 6);
    ck_assert_ptr_nonnull(strstr(html.data, "They do not."));
    ck_assert_ptr_null(strstr(html.data, ">nan"));
    ck_assert_ptr_null(strstr(html.data, "<script"));
    ck_assert_uint_lt(html.length, 3000000);
    som_text_free(&html);
    discard(&s);
}
END_TEST

START_TEST(programs_get_the_same) {
    SomEngineKind engine = SOM_ENGINE_MUJOCO;
    if (!som_engine_is_built(engine)) {
        return;
    }
    Case s;
    compare(&s, engine, "Arm", "wave", 1.5);
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    som_json_open_object(&json);
    som_comparison_write(s.compared, &json);
    som_json_close_object(&json);
    som_json_end(&json);
    ck_assert_int_eq(count_of(&text, "\"action\": \"c.bend to "), 6);
    ck_assert_int_eq(count_of(&text, "\"simulated\": null"), 3);
    ck_assert_int_eq(count_of(&text, "\"dof\": \"c.bend\""), 1);
    ck_assert_int_eq(count_of(&text, "\"kind\": \"missing\""), 2);
    ck_assert_ptr_nonnull(strstr(text.data, "\"fall\": null"));
    som_text_free(&text);
    discard(&s);
}
END_TEST

// A library names no option of a program: that counts the rest, like every message.
START_TEST(partings_that_are_not_printed_are_counted) {
    SomParting kept[10] = {0};
    for (int i = 0; i < 10; i++) {
        kept[i] = (SomParting){.kind = SOM_PARTING_TRACKING, .message = SOM_STR("it lags")};
    }
    SomPrediction prediction = {0};
    SomSimulationResult simulated = {0};
    SomComparison compared = {
        .def = {.prediction = &prediction, .simulated = &simulated}, .worst_dof = -1, .unkept = 3};
    compared.partings.data = kept;
    compared.partings.count = 10;
    SomText text = {0};
    som_comparison_print(&compared, &text);
    ck_assert_int_eq(count_of(&text, ": it lags\n"), 8);
    ck_assert_int_eq(count_of(&text, "\n    (and 5 more)\n"), 1);
    ck_assert_ptr_null(strstr(text.data, "--"));
    som_text_free(&text);
}
END_TEST

SOM_SUITE("report/comparison", what_is_easy_goes_as_predicted, a_fall_is_told_beside_the_warning,
          a_touch_is_told_beside_the_warning, what_is_too_heavy_says_so,
          what_ends_at_a_touch_is_done_and_not_short,
          what_comes_later_for_a_delay_before_it_is_not_wrong,
          a_warning_in_vain_and_a_run_cut_short_are_told,
          an_effort_is_the_cause_if_it_is_at_its_limit_in_the_end,
          a_touch_is_the_cause_if_it_is_of_the_time, the_page_has_pictures_curves_and_all_actions,
          programs_get_the_same, partings_that_are_not_printed_are_counted)
