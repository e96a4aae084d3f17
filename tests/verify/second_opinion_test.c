// SPDX-License-Identifier: Apache-2.0
// What the checks find about designs of the library is confirmed by libccd and qhull. Kernels that
// are broken: tests/verify/broken_kernel_test.c.

#include "base/number.h"
#include "tests/verify/library.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/second_opinion.h"
#include "verify/second_poses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SomVerification *verify_again(const TestVerified *v, const SomVerifyOptions *options) {
    return som_verify(&(SomVerifyDef){.mechanism = v->mechanism,
                                      .graph = v->graph,
                                      .options = options,
                                      .wants_second_opinion = true});
}

static const char *words_of(const SomVerification *found) {
    static char words[300];
    SomText text = {0};
    som_second_opinion_print(&found->second, &text);
    snprintf(words, sizeof words, "%s", text.data);
    som_text_free(&text);
    return words;
}

static void check_agrees(const SomVerification *found, const char *name) {
    const SomSecondOpinion *second = &found->second;
    ck_assert_msg(second->disagreements == 0, "%s: %s", name, words_of(found));
    ck_assert_msg(second->max_difference <= SOM_SECOND_TOLERANCE, "%s: %g m", name,
                  second->max_difference);
    for (int i = 0; i < found->findings.count; i++) {
        ck_assert(found->findings.data[i].check != SOM_CHECK_SECOND_OPINION);
    }
    for (int i = 0; i < found->skipped.count; i++) {
        const SomSkipped *skipped = &found->skipped.data[i];
        ck_assert_msg(skipped->check != SOM_CHECK_SECOND_OPINION, "%s: %ld %.*s", name,
                      skipped->count, SOM_STR_ARG(skipped->what));
    }
}

// ---- the library

static bool needs_arguments(const SomCompileDef *def, int behavior) {
    int count;
    const SomParameter *params = som_compile_parameters(def, behavior, &count);
    for (int i = 0; i < count; i++) {
        if (params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

static void check_behavior(const SomMechanism *mechanism, const SomActionGraph *graph) {
    SomVerification *found = som_verify(&(SomVerifyDef){
        .mechanism = mechanism, .graph = graph, .wants_second_opinion = true, .skips_loads = true});
    check_agrees(found, mechanism->configuration->name.data);
    ck_assert_int_gt(found->second.moments, graph != NULL);
    som_verification_destroy(found);
}

static const SomConfiguration *find_design(const SomTestLibrary *library, const char *name) {
    int i = 0;
    while (!som_str_equal(library->designs.data[i]->name, som_str(name))) {
        i++;
    }
    return library->designs.data[i];
}

START_TEST(some_designs_of_the_library_are_confirmed) {
    static const char *const calls[][2] = {{"Walkbot", "walk(1)"},
                                           {"Snake", "nSnakeSineGait"},
                                           {"Car", "turn"},
                                           {"MTRANQuadruped", NULL}};
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < 4; i++) {
        const SomConfiguration *design = find_design(&library, calls[i][0]);
        SomMechanism *mechanism = som_mechanism_create(design);
        SomCompileDef def = {
            .workspace = library.workspace, .configuration = design, .diags = library.diags};
        SomActionGraph *graph =
            calls[i][1] != NULL ? som_compile_call(&def, som_str(calls[i][1])) : NULL;
        ck_assert(calls[i][1] == NULL || graph != NULL);
        check_behavior(mechanism, graph);
        som_action_graph_destroy(graph);
        som_mechanism_destroy(mechanism);
    }
    som_test_library_close(&library);
}
END_TEST

START_TEST(all_behaviors_of_the_library_are_confirmed) {
    bool is_long = som_test_count(0, 1) == 1;
    SomTestLibrary library = som_test_library_open();
    int confirmed = 0;
    for (int i = 0; i < library.designs.count && is_long; i++) {
        const SomConfiguration *design = library.designs.data[i];
        SomMechanism *mechanism = som_mechanism_create(design);
        SomCompileDef def = {
            .workspace = library.workspace, .configuration = design, .diags = library.diags};
        check_behavior(mechanism, NULL);
        for (int k = 0; k < design->behavior_count; k++) {
            if (design->behaviors[k].part == 0 && !needs_arguments(&def, k)) {
                SomActionGraph *graph = som_compile_behavior(&def, k);
                check_behavior(mechanism, graph);
                som_action_graph_destroy(graph);
                confirmed++;
            }
        }
        som_mechanism_destroy(mechanism);
    }
    ck_assert_int_ge(confirmed, is_long ? 30 : 0);
    som_test_library_close(&library);
}
END_TEST

// Values within limits, or a turn at most.
static void shake(const SomMechanism *m, SomTestRandom *random, double *values) {
    for (int i = 0; i < m->dof_count; i++) {
        double low = fmax(m->joints[i].joint->low, -3), high = fmin(m->joints[i].joint->high, 3);
        values[i] = som_test_uniform(random, low, high);
    }
}

START_TEST(links_are_placed_as_by_the_mechanism) {
    SomTestRandom random = {9};
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < library.designs.count; i++) {
        SomMechanism *m = som_mechanism_create(library.designs.data[i]);
        size_t count = (size_t)m->link_count;
        SomPose *ours = som_alloc(sizeof *ours * count), *other = som_alloc(sizeof *other * count);
        SomPosture posture = som_posture_start(m->configuration);
        for (int k = 0; k < som_test_count(3, 100); k++) {
            som_mechanism_place(m, &posture, ours);
            som_second_poses(m, posture.values, other);
            for (size_t link = 0; link < count; link++) {
                ck_assert_double_le(som_pose_distance(ours[link], other[link]), 1e-9);
            }
            SomVec3 com = som_mechanism_com(m, ours);
            SomVec3 away = som_vec3_sub(com, som_second_com(m, other));
            ck_assert_double_le(som_vec3_length(away), 1e-9);
            shake(m, &random, posture.values);
        }
        som_posture_free(&posture);
        som_free(ours);
        som_free(other);
        som_mechanism_destroy(m);
    }
    som_test_library_close(&library);
}
END_TEST

// Any posture: many links overlap, deep and in all directions.
START_TEST(postures_with_collisions_are_confirmed) {
    SomTestRandom random = {5};
    long pairs = 0;
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < som_test_count(12, 600); i++) {
        int chosen = i % library.designs.count;
        SomMechanism *m = som_mechanism_create(library.designs.data[chosen]);
        SomPosture posture = som_posture_start(m->configuration);
        shake(m, &random, posture.values);
        SomVerification *found = som_verify(&(SomVerifyDef){.mechanism = m,
                                                            .start = posture.values,
                                                            .wants_second_opinion = true,
                                                            .skips_loads = true});
        ck_assert_msg(found->second.disagreements == 0, "%d: %s", i, words_of(found));
        pairs += found->second.pairs;
        som_verification_destroy(found);
        som_posture_free(&posture);
        som_mechanism_destroy(m);
    }
    ck_assert_int_gt(pairs, 1000);
    som_test_library_close(&library);
}
END_TEST

// ---- docks, overlaps by construction, terrain

static const char two[] = "use \"smores.m3l\"\n"
                          "config Two {\n"
                          "    part a, b : SMORES\n"
                          "    dock d: a.B to b.T closed\n"
                          "    base a on ground\n"
                          "    behavior o = series(disconnect d timeout 2s, a.tilt to 5deg)\n"
                          "    behavior keep = a.tilt to 5deg\n"
                          "}\n";

START_TEST(robots_that_docks_take_apart_are_confirmed) {
    TestVerified v = test_verify(two, "", "o");
    SomVerification *found = verify_again(&v, NULL);
    check_agrees(found, "two");
    ck_assert_int_gt(found->second.moments, 4);
    ck_assert_int_gt(found->second.polygons, 4);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

START_TEST(all_branches_of_a_behavior_are_confirmed) {
    static const char look[] = "use \"atron.m3l\"\n"
                               "config Look {\n"
                               "    part a : ATRON\n"
                               "    base a on ground\n"
                               "    behavior look = choose(contact(a): wait 1s, else: wait 2s)\n"
                               "}\n";
    TestVerified v = test_verify(look, "", "look");
    SomVerification *found = verify_again(&v, NULL);
    check_agrees(found, "look");
    // each of two motions is compared, and the hulls of their links once
    ck_assert_int_eq(found->second.polygons, 2 * SOM_SECOND_SPREAD);
    ck_assert_int_eq(found->second.hulls, 2);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

START_TEST(slopes_and_steps_are_confirmed) {
    TestVerified v = test_verify(two, "", "keep");
    SomVerifyOptions options = som_verify_default_options();
    options.slope = 0.2;
    options.slope_direction = 1;
    SomVerification *found = verify_again(&v, &options);
    check_agrees(found, "slope");
    ck_assert_int_gt(found->second.polygons, 0);
    som_verification_destroy(found);
    options.step = 0.02;
    options.step_at = 0.05;
    found = verify_again(&v, &options);
    check_agrees(found, "step");
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

START_TEST(overlaps_by_construction_are_confirmed) {
    static const char *const behaviors[] = {"openAndClose", "deeper", "through"};
    char path[512];
    snprintf(path, sizeof path, "%s/../tests/verify/gripper.som", test_library);
    for (int i = 0; i < 3; i++) {
        TestVerified v = test_verify_file(path, "Gripper", behaviors[i]);
        SomVerification *found = verify_again(&v, NULL);
        check_agrees(found, behaviors[i]);
        ck_assert_int_gt(found->second.pairs, 2);
        som_verification_destroy(found);
        test_verified_free(&v);
    }
}
END_TEST

// ---- bounds and words

// Balls on sliders of one module, each near all others.
static PlacedRobot heap_of_balls(int count) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module A: root=plate\nlink plate: mass=1kg\n"));
    for (int i = 0; i < count; i++) {
        som_text_printf(&text,
                        "link l%d: shape=sphere((0.00%d, 0.00%d, 0), 0.003), mass=1g\n"
                        "joint j%d: type=prismatic, pair=((l%d, (axis: origin=(0, 0, 0), "
                        "direction=(0, 0, 1))), (plate, (axis: origin=(0, 0, 0), "
                        "direction=(0, 0, -1))))\n",
                        i, i % 10, i / 10 % 10, i, i);
    }
    PlacedRobot robot = place_module(text.data, som_vec3(0, 0, 0), som_vec3(0, 0, 0));
    som_text_free(&text);
    return robot;
}

START_TEST(the_work_is_limited_and_what_is_left_is_listed) {
    PlacedRobot robot = heap_of_balls(240);
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = robot.mechanism, .wants_second_opinion = true});
    ck_assert_int_eq(found->second.pairs, SOM_SECOND_MOST_PAIRS);
    ck_assert_int_eq(found->second.disagreements, 0);
    long left = 0;
    for (int i = 0; i < found->skipped.count; i++) {
        const SomSkipped *skipped = &found->skipped.data[i];
        left += skipped->check == SOM_CHECK_SECOND_OPINION ? skipped->count : 0;
    }
    ck_assert_int_eq(left, 1);
    som_verification_destroy(found);
    placed_free(&robot);
}
END_TEST

START_TEST(nothing_is_computed_unless_asked_for) {
    TestVerified v = test_verify(two, "", "keep");
    ck_assert(!v.found->second.is_wanted);
    ck_assert_int_eq(v.found->second.pairs + v.found->second.polygons, 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(words_say_what_was_computed) {
    SomVerification found = {.second = {.is_wanted = true,
                                        .pairs = 214,
                                        .moments = 12,
                                        .polygons = 31,
                                        .hulls = 9,
                                        .max_difference = 3e-9}};
    ck_assert_str_eq(words_of(&found),
                     "214 pairs at 12 moments, 31 support polygons, 9 hulls agree "
                     "to 1e-6 m (libccd, qhull)");
    found.second.max_difference = 2e-6; // of something large
    ck_assert_str_eq(words_of(&found),
                     "214 pairs at 12 moments, 31 support polygons, 9 hulls agree "
                     "to 1e-6 of their size (libccd, qhull)");
    found.second = (SomSecondOpinion){true, 1, 1, 1, 1, 1, 1e-3};
    ck_assert_str_eq(words_of(&found), "1 pair at 1 moment, 1 support polygon, 1 hull: 1 "
                                       "disagreement beyond 1e-6 m (libccd, qhull)");
    found.second = (SomSecondOpinion){.is_wanted = true, .moments = 2};
    ck_assert_str_eq(words_of(&found), "there was nothing to compute");
}
END_TEST

SOM_SUITE("verify/second_opinion", some_designs_of_the_library_are_confirmed,
          all_behaviors_of_the_library_are_confirmed, links_are_placed_as_by_the_mechanism,
          postures_with_collisions_are_confirmed, robots_that_docks_take_apart_are_confirmed,
          all_branches_of_a_behavior_are_confirmed, slopes_and_steps_are_confirmed,
          overlaps_by_construction_are_confirmed, the_work_is_limited_and_what_is_left_is_listed,
          nothing_is_computed_unless_asked_for, words_say_what_was_computed)
