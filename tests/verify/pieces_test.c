// SPDX-License-Identifier: Apache-2.0
// Tests for verify/pieces.h: what becomes of pieces that docks release.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"
#include "verify/piece_motion.h"
#include "verify/stability.h"

#include <math.h>

static TestVerified verify(const char *choice, const char *behavior) {
    SomText path = {0};
    som_text_printf(&path, "%s/../tests/verify/crane.som", test_library);
    TestVerified v = test_verify_file(path.data, choice, behavior);
    som_text_free(&path);
    return v;
}

static const SomSkipped *find_skipped(const TestVerified *v, SomCheck check, const char *reason) {
    for (int i = 0; i < v->found->skipped.count; i++) {
        const SomSkipped *skipped = &v->found->skipped.data[i];
        if (skipped->check == check && skipped->is_unchecked &&
            som_str_equal(skipped->reason, som_str(reason))) {
            return skipped;
        }
    }
    return NULL;
}

static void check_verdict(const char *choice, const char *behavior, SomVerdict verdict) {
    TestVerified v = verify(choice, behavior);
    ck_assert_msg(v.found->verdict == verdict, "%s %s: %s\n%s", choice, behavior,
                  som_verdict_word(v.found->verdict), test_findings(&v));
    test_verified_free(&v);
}

START_TEST(what_is_put_down_stands) {
    check_verdict("Crane", "putDown", SOM_VERDICT_SAFE);
    check_verdict("Crane", "takeAgain", SOM_VERDICT_SAFE);
    check_verdict("Two", "putDown", SOM_VERDICT_SAFE);
}
END_TEST

START_TEST(what_is_released_above_the_ground_falls) {
    static const char *const configs[] = {"Crane", "Hung"}; // the base is in one piece or the other
    for (int i = 0; i < 2; i++) {
        TestVerified v = verify(configs[i], "drop");
        const SomFinding *found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
        ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s",
                      test_findings(&v));
        ck_assert_str_eq(found->message.data,
                         "Falling piece: the piece of 'crate' at 0.41 s, released 120 mm above the "
                         "ground; it would stand where it lands");
        ck_assert_double_eq_tol(found->value, 0.12, 1e-4);
        ck_assert_double_eq_tol(found->t0, 0.41, 1e-9);
        ck_assert_str_eq(test_place(&v, found), i == 0 ? "13:48" : "29:48");
        ck_assert_int_eq(test_count_of(&v, SOM_RELEASED_ABOVE_GROUND), 1);
        test_verified_free(&v);
    }
}
END_TEST

// The behavior has ended by then, or waits no longer.
START_TEST(what_a_slow_dock_releases_after_the_end_falls) {
    static const char *const behaviors[] = {"drop", "dropSoon"};
    for (int i = 0; i < 2; i++) {
        TestVerified v = verify("Slow", behaviors[i]);
        const SomFinding *found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
        ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s %s",
                      behaviors[i], test_findings(&v));
        ck_assert_double_eq_tol(found->t0, i == 0 ? 2.4 : 2, 0.011);
        test_verified_free(&v);
    }
    check_verdict("Slow", "putDown", SOM_VERDICT_SAFE);
}
END_TEST

START_TEST(a_dock_that_is_told_to_close_and_does_not_is_found) {
    TestVerified v = verify("Slow", "takeAir");
    const SomFinding *found = test_find(&v, SOM_NOT_DOCKABLE);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_DOCKING));
    test_verified_free(&v);
}
END_TEST

START_TEST(nothing_is_claimed_about_what_has_fallen) {
    TestVerified v = verify("Crane", "drop");
    static const SomCheck checks[] = {SOM_CHECK_STABILITY, SOM_CHECK_LOAD, SOM_CHECK_GROUND,
                                      SOM_CHECK_SELF_COLLISION};
    for (int i = 0; i < 4; i++) {
        const SomSkipped *skipped = find_skipped(&v, checks[i], "the piece of 'crate' has fallen");
        ck_assert_ptr_nonnull(skipped);
        ck_assert_int_eq(skipped->count, 100); // from 0.41 s to 1.41 s
        ck_assert(!som_verification_claims(v.found, checks[i]));
    }
    test_verified_free(&v);
}
END_TEST

START_TEST(a_piece_near_the_ground_is_set_down) {
    TestVerified v = verify("Crane", "almostDown");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_INCOMPLETE, "%s", test_findings(&v));
    const SomFinding *found = test_find(&v, SOM_ROCKS);
    ck_assert(found != NULL && som_str_equal(found->who, SOM_STR("the piece of 'crate'")) &&
              som_str_equal(found->text, SOM_STR("drops by 3 mm to the ground as it is released")));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_LOAD));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    test_verified_free(&v);
}
END_TEST

// Connectors find each other from 5 mm.
START_TEST(what_is_in_reach_docks_again) {
    TestVerified v = verify("Crane", "almostTake");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_INCOMPLETE, "%s", test_findings(&v));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_DOCKING));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_LOAD));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_docks_to_a_fallen_piece_is_not_checked) {
    TestVerified v = verify("Crane", "dropAndTake");
    const char *reason = "the piece of 'crate' has fallen";
    const SomSkipped *docks = find_skipped(&v, SOM_CHECK_DOCKING, reason);
    ck_assert_msg(docks != NULL && docks->count == 1, "%s", test_findings(&v));
    // of the crane, too, once they are one again: 0.41 s to 1.66 s
    ck_assert_int_eq(find_skipped(&v, SOM_CHECK_STABILITY, reason)->count, 125);
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_DOCKING));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_released_piece_that_does_not_stand_tips) {
    TestVerified v = verify("Tipping", "putDown");
    const SomFinding *found = test_find(&v, SOM_FALLS);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert_msg(som_str_starts_with(found->message, SOM_STR("Fall: the piece of 'hammer' from ")),
                  "%.*s", SOM_STR_ARG(found->message));
    ck_assert_str_eq(test_place(&v, found), "38:31");
    ck_assert_ptr_nonnull(
        find_skipped(&v, SOM_CHECK_SELF_COLLISION, "the piece of 'hammer' has fallen"));
    test_verified_free(&v);
    v = verify("Tipping", "drop");
    found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
    ck_assert_str_eq(found->text.data,
                     "released 120 mm above the ground; where it comes to rest is not predicted");
    test_verified_free(&v);
}
END_TEST

START_TEST(joints_of_a_loose_piece_move_its_centre_of_mass) {
    TestVerified v = verify("Opening", "open");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    // the lid, 20 of 520 g, goes out by 90 mm or so
    ck_assert_double_gt(v.found->min_margin, 0.044);
    ck_assert_double_lt(v.found->min_margin, 0.048);
    test_verified_free(&v);
}
END_TEST

// The lid of 20 g reaches out by 43 mm at 80 deg.
START_TEST(joints_of_a_loose_piece_have_loads) {
    TestVerified v = verify("Opening", "open");
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .wants_efforts = true};
    SomVerification *found = som_verify(&def);
    double most = 0;
    for (int i = 0; i < found->sample_count; i++) {
        for (int dof = 0; dof < found->dof_count; dof++) {
            double effort = found->efforts[i * found->dof_count + dof];
            ck_assert(isfinite(effort));
            most = dof == 1 ? fmax(most, fabs(effort)) : most;
        }
    }
    ck_assert_double_eq_tol(most, 0.02 * 9.80665 * 0.045 * sin(80 * 3.14159265 / 180), 1e-4);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

START_TEST(each_dock_releases_a_piece_of_its_own) {
    TestVerified v = verify("Two", "dropOne");
    ck_assert_int_eq(test_count_of(&v, SOM_RELEASED_ABOVE_GROUND), 1);
    const SomFinding *found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
    ck_assert_int_eq(found->subject_count, 1);
    ck_assert(som_str_equal(found->subjects[0], SOM_STR("right")));
    test_verified_free(&v);
}
END_TEST

START_TEST(pieces_that_stay_are_tested_for_collisions) {
    TestVerified v = verify("Crane", "press");
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) != NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_rests_on_another_piece_is_not_predicted) {
    TestVerified v = verify("Stack", "release");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_INCOMPLETE, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(test_find(&v, SOM_PIECE_CARRIED));
    ck_assert_ptr_nonnull(
        find_skipped(&v, SOM_CHECK_STABILITY, "the piece of 'upper' rests on another one"));
    ck_assert_ptr_nonnull(
        find_skipped(&v, SOM_CHECK_STABILITY, "the piece of 'lower' carries another one"));
    test_verified_free(&v);
}
END_TEST

// ---- pieces that move

static const char *const snake =
    "use \"smores.m3l\"\n"
    "config Four {\n"
    "    part a, b, c, e : SMORES\n"
    "    connect a.B to b.T\n"
    "    dock d: b.B to c.T closed\n"
    "    connect c.B to e.T\n"
    "    base a on ground\n"
    "    behavior turn = series(disconnect d timeout 2s, e.pan to 30deg)\n"
    "    behavior turnBack = series(turn, e.pan to 0deg, connect d timeout 1s, wait 1s)\n"
    "    behavior lift = series(a.bend to 40deg, disconnect d timeout 2s, wait 1s)\n"
    "}\n";

// Where it goes while its contacts move along the ground is not known.
START_TEST(collisions_of_a_piece_that_moves_are_not_claimed) {
    TestVerified v = test_verify(snake, "Four", "turn");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_INCOMPLETE, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(
        find_skipped(&v, SOM_CHECK_SELF_COLLISION,
                     "the piece of 'c', 'e' is no longer where the prediction has it"));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_docks_to_a_piece_that_moves_is_not_checked) {
    const char *reason = "the piece of 'c', 'e' is no longer where the prediction has it";
    TestVerified v = test_verify(snake, "Four", "turnBack");
    ck_assert_msg(find_skipped(&v, SOM_CHECK_DOCKING, reason) != NULL, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(find_skipped(&v, SOM_CHECK_STABILITY, reason));
    test_verified_free(&v);
}
END_TEST

// Between the faces of two modules is a gap of 1.7 mm.
static TestVerified release_above(const char *behavior) {
    return test_verify("use \"smores.m3l\"\n"
                       "config Up {\n"
                       "    part m[4] : SMORES\n"
                       "    connect m[i].B to m[i+1].T for i in 1..2\n"
                       "    dock d: m[3].B to m[4].T closed\n"
                       "    base m[1] on ground\n"
                       "}\n",
                       "Up", behavior);
}

START_TEST(what_is_close_to_a_flat_face_below_rests_on_it) {
    TestVerified v = release_above("series(m[3].bend to 85deg, disconnect d timeout 2s)");
    ck_assert_msg(test_find(&v, SOM_PIECE_CARRIED) != NULL, "%s", test_findings(&v));
    ck_assert_ptr_null(test_find(&v, SOM_RELEASED_ABOVE_GROUND));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_is_close_to_a_steep_face_falls) {
    TestVerified v = release_above("series(m[3].bend to 45deg, disconnect d timeout 2s)");
    const SomFinding *found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert_double_eq_tol(found->value, 0.049, 1e-3);
    test_verified_free(&v);
}
END_TEST

// The weight of a bent snake turns it; when a dock opens, it is turned as before.
START_TEST(a_robot_stays_as_it_is_turned_when_a_dock_opens) {
    TestVerified v = test_verify(snake, "Four", "lift");
    double most = 0;
    for (int i = 1; i < v.found->sample_count; i++) {
        most = fmax(most, som_rotation_distance(v.found->places[i - 1].rotation,
                                                v.found->places[i].rotation));
    }
    ck_assert_double_gt(most, 0); // it is turned
    ck_assert_double_lt(most, 0.1);
    test_verified_free(&v);
}
END_TEST

// Of 250 ms out of balance 150 are before the docks change.
START_TEST(a_fall_may_begin_before_a_dock_changes) {
    TestVerified v = verify("Tipping", NULL);
    double values[10] = {0};
    SomMotionSamples motion = {.values = values, .count = 10, .dt = 0.01};
    SomStanding *standing = som_standing_create(v.mechanism, NULL, 1e-3);
    for (int i = 0; i < 2; i++) {
        // pulled over sideways
        SomPose begin = {som_rotation_exp(som_vec3(0, 1.2, 0)), {0, 0, 0}};
        som_standing_continue(standing, &begin, i == 0 ? 0 : 0.15);
        SomStability *stability = som_stability_measure(standing, &motion, 0.2);
        ck_assert_int_eq(stability->run_count, 1);
        ck_assert(stability->runs[0].is_fall == (i == 1));
        som_stability_destroy(stability);
    }
    som_standing_destroy(standing);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/pieces", what_is_put_down_stands, what_is_released_above_the_ground_falls,
          what_a_slow_dock_releases_after_the_end_falls,
          a_dock_that_is_told_to_close_and_does_not_is_found,
          nothing_is_claimed_about_what_has_fallen, a_piece_near_the_ground_is_set_down,
          what_is_in_reach_docks_again, what_docks_to_a_fallen_piece_is_not_checked,
          a_released_piece_that_does_not_stand_tips,
          joints_of_a_loose_piece_move_its_centre_of_mass, joints_of_a_loose_piece_have_loads,
          each_dock_releases_a_piece_of_its_own, pieces_that_stay_are_tested_for_collisions,
          what_rests_on_another_piece_is_not_predicted,
          what_is_close_to_a_flat_face_below_rests_on_it, what_is_close_to_a_steep_face_falls,
          collisions_of_a_piece_that_moves_are_not_claimed,
          what_docks_to_a_piece_that_moves_is_not_checked,
          a_robot_stays_as_it_is_turned_when_a_dock_opens, a_fall_may_begin_before_a_dock_changes)
