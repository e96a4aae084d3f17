// SPDX-License-Identifier: Apache-2.0
// Tests for verify/verify.c and verify/blame.c.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>

static const char *const pair = "use \"smores.m3l\"\n"
                                "config Pair {\n"
                                "    part a, b : SMORES\n"
                                "    connect a.B to b.T\n"
                                "    behavior up = series(a.tilt to 30deg, wait 100ms)\n"
                                "    behavior drift = repeat forever: a.pan by 0.777deg\n"
                                "}\n";

START_TEST(a_configuration_has_one_sample_and_no_time) {
    TestVerified v = test_verify(pair, "", NULL);
    ck_assert(!v.found->is_behavior && v.found->duration == 0);
    ck_assert_int_eq(v.found->sample_count, 1);
    test_verified_free(&v);
}
END_TEST

START_TEST(a_behavior_has_a_sample_at_every_tick) {
    TestVerified v = test_verify(pair, "", "up");
    const SomVerification *found = v.found;
    ck_assert(found->is_behavior && found->duration > 0.1);
    for (int i = 1; i < found->sample_count; i++) {
        ck_assert(fabs(found->times[i] - found->times[i - 1] - 0.01) < 1e-9);
    }
    ck_assert(fabs(found->times[found->sample_count - 1] - found->duration) < 1e-9);
    test_verified_free(&v);
}
END_TEST

// What was not checked, and nothing else.
static void assert_unchecked(const SomVerification *found, const char *words) {
    SomText text = {0};
    for (int i = 0; i < found->skipped.count; i++) {
        if (found->skipped.data[i].is_unchecked) {
            som_skipped_print(&found->skipped.data[i], &text);
        }
    }
    ck_assert_str_eq(text.data, words);
    som_text_free(&text);
}

START_TEST(what_has_not_ended_is_incomplete_and_not_looked_at_for_ever) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 3;
    TestVerified v = test_verify_with(pair, "", "drift", &options);
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    ck_assert_int_eq(v.found->findings.count, 0); // it is one fact, and no finding
    assert_unchecked(v.found, "motion not checked: what follows after 3 s (the behavior has not "
                              "ended by then)");
    ck_assert_double_eq_tol(v.found->duration, 3, 0.02);
    test_verified_free(&v);
}
END_TEST

START_TEST(values_that_are_no_numbers_are_told_and_nothing_else_is_said) {
    TestDesign design = test_design(pair);
    SomConfiguration *configuration = test_compose(&design, "");
    SomMechanism *mechanism = som_mechanism_create(configuration);
    SomPosture start = som_posture_start(configuration);
    start.values[1] = (double)NAN;
    start.values[2] = (double)INFINITY;
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = mechanism, .start = start.values});
    ck_assert_int_eq(found->findings.count, 2);
    ck_assert_int_eq(found->findings.data[0].code, SOM_JOINT_NO_NUMBER);
    ck_assert(found->verdict == SOM_VERDICT_UNSAFE &&
              som_str_equal(found->findings.data[0].subjects[0], configuration->dofs[1].path));
    som_verification_destroy(found);
    som_posture_free(&start);
    som_mechanism_destroy(mechanism);
    som_configuration_destroy(configuration);
    test_design_free(&design);
}
END_TEST

static const char *const ring =
    "use \"smores.m3l\"\n"
    "config Ring(n: count = 6) {\n"
    "    part m[n] : SMORES\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    dock ends: m[n].B to m[1].T open\n"
    "    behavior curl = series(parallel(for i in 1..n: m[i].tilt to 360deg/n within 1deg),\n"
    "        connect ends timeout 5s)\n"
    "    behavior pull = series(curl, m[3].tilt by 20deg)\n"
    "    behavior open = series(curl, disconnect ends timeout 5s, m[3].tilt by 20deg)\n"
    "    behavior tooSoon = series(m[1].tilt to 10deg, connect ends timeout 1s)\n"
    "}\n";

START_TEST(a_dock_that_has_closed_makes_a_loop_until_it_opens) {
    TestVerified v = test_verify(ring, "", "pull");
    const SomFinding *found = test_find(&v, SOM_LOOP_TEARS);
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 1, "%s", test_findings(&v));
    ck_assert(found->t0 > 0.44 && found->t0 < 0.5 && !v.found->is_void[SOM_CHECK_LOOP]);
    ck_assert_str_eq(test_place(&v, found), "8:34");
    test_verified_free(&v);
    v = test_verify(ring, "", "open");
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_dock_that_does_not_close_is_told) {
    TestVerified v = test_verify(ring, "", "tooSoon");
    const SomFinding *found = test_find(&v, SOM_NOT_DOCKABLE);
    ck_assert(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert_str_eq(test_place(&v, found), "10:51");
    test_verified_free(&v);
}
END_TEST

// ---- before it is verified, and without an end

// With the dock that cannot close, which only the prediction knows of.
START_TEST(a_motion_that_is_had_before_gives_the_same_findings) {
    TestVerified v = test_verify(ring, "", "tooSoon");
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph};
    SomPrediction prediction = {0};
    SomDiagnostics *reports = som_verify_predict(&def, &prediction);
    def.prediction = &prediction;
    def.reports = reports;
    SomVerification *found = som_verify(&def);
    ck_assert_int_eq(found->findings.count, v.found->findings.count);
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *is = &found->findings.data[i], *was = &v.found->findings.data[i];
        ck_assert(is->code == was->code && som_str_equal(is->message, was->message));
    }
    ck_assert_int_eq(found->sample_count, v.found->sample_count);
    ck_assert_double_eq(found->duration, v.found->duration);
    som_verification_destroy(found);
    som_diagnostics_destroy(reports);
    som_prediction_free(&prediction);
    test_verified_free(&v);
}
END_TEST

typedef struct Patience {
    int left; // times that it may still be asked
} Patience;

static bool is_over(void *context) {
    Patience *patience = context;
    patience->left -= patience->left > 0;
    return patience->left == 0;
}

// Whenever nobody wants it any more it ends, without asking much more often.
START_TEST(it_ends_when_nobody_wants_it) {
    TestVerified v = test_verify(ring, "", "tooSoon");
    int asked = 0;
    for (int most = 1; most < 100000; most += 1 + most / 7) {
        Patience patience = {most};
        SomStop stop = {is_over, &patience};
        SomVerification *found = som_verify(&(SomVerifyDef){.mechanism = v.mechanism,
                                                            .graph = v.graph,
                                                            .wants_series = true,
                                                            .wants_efforts = true,
                                                            .stop = &stop});
        asked = patience.left > 0 ? most - patience.left : asked;
        if (patience.left > 0) { // it came to its end before
            ck_assert_int_eq(found->findings.count, v.found->findings.count);
            most = 100000;
        }
        som_verification_destroy(found);
    }
    ck_assert_int_gt(asked, 100); // it asks often
    test_verified_free(&v);
}
END_TEST

START_TEST(what_is_measured_over_time_is_kept_for_who_wants_it) {
    TestVerified v = test_verify(pair, "", "up");
    SomVerification *found = som_verify(&(SomVerifyDef){
        .mechanism = v.mechanism, .graph = v.graph, .wants_series = true, .wants_efforts = true});
    static const char *const names[] = {"clearance", "stability margin",
                                        "height of the centre of mass", "tilt of the body"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int k = 0;
        while (k < found->series.count &&
               !som_str_equal(found->series.data[k].name, som_str(names[i]))) {
            k++;
        }
        ck_assert_msg(k < found->series.count || i == 0, "no '%s'", names[i]);
        ck_assert(i < 2 || isfinite(found->series.data[k].values[0]));
    }
    SomPosture posture = som_posture_start(v.configuration);
    SomPose links[64];
    ck_assert_int_le(v.mechanism->link_count, 64);
    som_mechanism_place(v.mechanism, &posture, links);
    for (int i = 0; i < v.mechanism->link_count; i++) {
        links[i] = som_pose_compose(found->places[0], links[i]);
    }
    ck_assert_double_le(fabs(som_mechanism_bounds(v.mechanism, links).low.z), 1e-6);
    int known = 0;
    for (int i = 0; i < found->sample_count * found->dof_count; i++) {
        known += isfinite(found->efforts[i]);
    }
    ck_assert_int_gt(known, 0);
    som_posture_free(&posture);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/verify", a_motion_that_is_had_before_gives_the_same_findings,
          it_ends_when_nobody_wants_it, what_is_measured_over_time_is_kept_for_who_wants_it,
          a_dock_that_has_closed_makes_a_loop_until_it_opens, a_dock_that_does_not_close_is_told,
          a_configuration_has_one_sample_and_no_time, a_behavior_has_a_sample_at_every_tick,
          what_has_not_ended_is_incomplete_and_not_looked_at_for_ever,
          values_that_are_no_numbers_are_told_and_nothing_else_is_said)
