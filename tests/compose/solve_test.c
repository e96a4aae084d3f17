// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/mechanism.h"
#include "compose/solve.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"

#include <math.h>

#define MOST_WISHES 8

// Solves with wishes as text: locks begin with '!'. Every one must be understood.
static SomSolveResult solve(const SomConfiguration *c, const char *const *texts) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    SomWish wishes[MOST_WISHES];
    int count = 0;
    for (; texts[count] != NULL; count++) {
        bool is_lock = texts[count][0] == '!';
        ck_assert(som_wish_read(c, is_lock ? SOM_LEVEL_LOCK : SOM_LEVEL_TARGET,
                                som_str(texts[count] + is_lock), &arena, &wishes[count], diags));
    }
    SomSolveResult result = {0};
    ck_assert(som_solve(c, &(SomSolveDef){.wishes = wishes, .wish_count = count}, &result, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
    return result;
}

static double value_of(const SomConfiguration *c, const SomSolveResult *result, const char *dof) {
    return result->posture.values[som_configuration_find_dof(c, som_str(dof), NULL)];
}

static SomPose pose_of(const SomConfiguration *c, const SomPosture *posture, const char *module) {
    SomMechanism *m = som_mechanism_create(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, posture, links);
    SomPose pose =
        som_mechanism_module_pose(m, links, som_configuration_find_module(c, som_str(module)));
    som_free(links);
    som_mechanism_destroy(m);
    return pose;
}

START_TEST(joints_go_to_their_targets_and_locks_hold) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    static const char *const texts[] = {"s[1].head.bend=30deg", "s[1].tail.tilt = -0.25rad",
                                        "!s[1].middle.bend", NULL};
    SomSolveResult result = solve(c, texts);
    ck_assert(result.is_closed);
    ck_assert_double_eq_tol(value_of(c, &result, "s[1].head.bend"), SOM_PI / 6, 1e-9);
    ck_assert_double_eq_tol(value_of(c, &result, "s[1].tail.bend"), 0.25, 1e-9); // counts back
    ck_assert_double_eq(value_of(c, &result, "s[1].middle.bend"), 0);
    ck_assert_double_le(result.residuals[SOM_LEVEL_TARGET], 1e-9);
    ck_assert_int_eq((int)result.words.length, 0);
    ck_assert_int_gt(result.iterations, 0);
    som_solve_result_free(&result);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(places_are_led_where_they_are_wished) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = test_begin_snake(smores, 6);
    int pose = som_builder_add_pose(b, SOM_STR("bent"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 6; i++) {
        som_builder_set_value(b, pose, i, 3, 0.2, (SomSpan){0});
    }
    som_builder_set_start(b, pose);
    SomConfiguration *c = test_finish(b);
    static const char *const texts[] = {"s[2].tail.position=(0m, 300mm, 0.25m)", NULL};
    SomSolveResult result = solve(c, texts);
    SomPose tail = pose_of(c, &result.posture, "s[2].tail");
    ck_assert_double_le(som_vec3_length(som_vec3_sub(tail.position, som_vec3(0, 0.3, 0.25))), 1e-9);
    som_solve_result_free(&result);

    // its height and its turn, the rest free
    static const char *const turned[] = {"s[2].tail.z=0.2m",
                                         "s[2].tail.turned=(20deg, 0deg, 10deg)", NULL};
    result = solve(c, turned);
    tail = pose_of(c, &result.posture, "s[2].tail");
    SomMat3 wished = som_mat3_multiply(som_rotation_z(SOM_PI / 18), som_rotation_x(SOM_PI / 9));
    ck_assert_double_eq_tol(tail.position.z, 0.2, 1e-9);
    ck_assert_double_le(som_rotation_distance(tail.rotation, wished), 1e-9);
    som_solve_result_free(&result);

    // out of reach: as near as it can be, and it is said
    static const char *const far[] = {"s[2].tail.x=0m", "s[2].tail.y=3m", NULL};
    result = solve(c, far);
    ck_assert(result.is_closed);
    ck_assert_double_gt(result.residuals[SOM_LEVEL_TARGET], 2);
    ck_assert_int_gt((int)result.words.length, 0);
    ck_assert_ptr_nonnull(strstr(result.words.data, "s[2].tail.y"));
    som_solve_result_free(&result);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(a_locked_place_stays_while_others_move) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = test_begin_snake(smores, 9);
    int pose = som_builder_add_pose(b, SOM_STR("bent"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 9; i++) {
        som_builder_set_value(b, pose, i, 3, i % 2 == 0 ? 0.4 : -0.3, (SomSpan){0});
    }
    som_builder_set_start(b, pose);
    SomConfiguration *c = test_finish(b);
    SomPosture start = som_posture_start(c);
    SomPose before = pose_of(c, &start, "s[3].tail");
    static const char *const texts[] = {"!s[3].tail", "s[2].head.z=0.15m", NULL};
    SomSolveResult result = solve(c, texts);
    SomPose after = pose_of(c, &result.posture, "s[3].tail");
    ck_assert_double_le(test_distance(before, after), 1e-8);
    ck_assert_double_eq_tol(pose_of(c, &result.posture, "s[2].head").position.z, 0.15, 1e-6);
    som_solve_result_free(&result);
    som_posture_free(&start);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// The ends of an open chain are brought together: it is then a ring that could be closed.
START_TEST(connectors_are_led_face_to_face) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = test_begin_snake(smores, 9);
    int pose = som_builder_add_pose(b, SOM_STR("bent"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 9; i++) {
        som_builder_set_value(b, pose, i, 3, 0.5, (SomSpan){0});
    }
    som_builder_set_start(b, pose);
    SomConfiguration *c = test_finish(b);
    static const char *const texts[] = {"s[1].head.T=s[3].tail.B@0deg", NULL};
    SomSolveResult result = solve(c, texts);
    ck_assert_double_le(result.residuals[SOM_LEVEL_TARGET], 1e-8);

    b = test_begin_snake(smores, 9);
    test_connect(b, 8, "B", 0, "T", 0);
    pose = som_builder_add_pose(b, SOM_STR("round"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < c->dof_count; i++) {
        som_builder_set_value(b, pose, i / 4, i % 4, result.posture.values[i], (SomSpan){0});
    }
    som_builder_set_start(b, pose);
    SomConfiguration *ring = test_finish(b);
    ck_assert(!ring->is_start_solved);
    som_configuration_destroy(ring);
    som_solve_result_free(&result);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// A straight chain pulls at nothing that would fold it, until it is shaken.
START_TEST(a_straight_chain_folds_into_a_ring) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 6);
    static const char *const texts[] = {"s[1].head.T=s[2].tail.B", "!s[1].tail.left", NULL};
    SomSolveResult result = solve(c, texts);
    ck_assert_double_le(result.residuals[SOM_LEVEL_TARGET], 1e-8);
    ck_assert_int_eq((int)result.words.length, 0);
    ck_assert_double_eq(value_of(c, &result, "s[1].tail.left"), 0);
    ck_assert_double_eq(value_of(c, &result, "s[1].head.left"), 0); // leads nowhere
    SomSolveResult again = solve(c, texts);
    for (int i = 0; i < c->dof_count; i++) {
        ck_assert_double_eq(result.posture.values[i], again.posture.values[i]);
    }
    som_solve_result_free(&again);
    som_solve_result_free(&result);

    // out of reach: nearer all the same, and said of a place, not of a joint
    static const char *const far[] = {"s[2].tail.x=9m", "s[1].head.bend=0deg", NULL};
    result = solve(c, far);
    ck_assert_msg(strncmp(result.words.data, "'s[2].tail.x' does not reach its target: ", 41) == 0,
                  "%s", result.words.data);
    ck_assert_double_lt(result.residuals[SOM_LEVEL_TARGET], 9);
    som_solve_result_free(&result);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(loops_stay_closed_while_joints_move) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Loop")});
    for (int i = 0; i < 8; i++) {
        test_add_module(b, "m", i + 1, smores, "SMORES");
    }
    int pose = som_builder_add_pose(b, SOM_STR("round"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 8; i++) {
        test_connect(b, i, "B", (i + 1) % 8, "T", 0);
        som_builder_set_value(b, pose, i, 3, SOM_PI / 4, (SomSpan){0});
    }
    som_builder_set_start(b, pose);
    SomConfiguration *c = test_finish(b);
    static const char *const texts[] = {"m[1].bend=60deg@0s, 30deg@1s", NULL};
    SomSolveResult result = solve(c, texts);
    ck_assert(result.is_closed);
    ck_assert_double_le(result.residuals[SOM_LEVEL_INVARIANT], 1e-8);
    ck_assert_double_eq_tol(value_of(c, &result, "m[1].bend"), SOM_PI / 6, 1e-8);
    ck_assert_int_ge(result.tracking.samples.count, 60);
    som_solve_result_free(&result);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(wishes_that_mean_nothing_are_refused) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"s[1].haed.bend=1",
         "error: 's[1].haed.bend' is neither a degree of freedom nor a place of "
         "this design [SOM2530]\nnote: did you mean 's[1].head.bend'?\n"},
        {"s[1].head.bend", "error: 's[1].head.bend': a target is a subject, '=' and a value"},
        {"!s[1].head.bend=3", "error: 's[1].head.bend=3': a lock has no value"},
        {"s[1].head.bend=3s", "error: 's[1].head.bend=3s': s is not the unit of an angle"},
        {"s[1].head.x=3deg", "error: 's[1].head.x=3deg': deg is not the unit of a length"},
        {"s[1].head.x=", "error: 's[1].head.x=': a number is missing"},
        {"s[1].head.x=1m 2", "error: 's[1].head.x=1m 2': something stands behind the value"},
        {"s[1].head=1", "error: 's[1].head=1': give '.x', '.y', '.z', '.position' or '.turned'"},
        {"s[1].head.position=(1m, 2m)", "error: 's[1].head.position=(1m, 2m)': three values"},
        {"s[1].head.bend=30", "error: 's[1].head.bend=30': '30' has no unit; write 30deg or 30rad"},
        {"s[1].head.position=1", "error: 's[1].head.position=1': three values"},
        {"s[1].head.x=1m@2s, 3m@1s",
         "error: 's[1].head.x=1m@2s, 3m@1s': several values need times"},
        {"s[1].head.x=1m, 3m@1s", "error: 's[1].head.x=1m, 3m@1s': several values need times"},
        {"s[1].head.T=s[1].head.B", "error: 's[1].head.T=s[1].head.B': both connectors are of one"},
        {"s[1].head.T=s[1].tail", "error: 's[1].head.T=s[1].tail': only two connectors"},
        {"s[1].head.x=1e99m", "error: 's[1].head.x=1e99m': the number is too large"},
        {"=", "error: '' is neither"},
    };
    SomArena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomWish wish;
        bool is_lock = cases[i].text[0] == '!';
        ck_assert(!som_wish_read(c, is_lock ? SOM_LEVEL_LOCK : SOM_LEVEL_TARGET,
                                 som_str(cases[i].text + is_lock), &arena, &wish, diags));
        SomText text = {0};
        som_diagnostics_print(diags, 0, &text);
        ck_assert_msg(strncmp(text.data, cases[i].message, strlen(cases[i].message)) == 0, "%s",
                      text.data);
        bool is_known =
            strstr(text.data, "[SOM2530]") != NULL || strstr(text.data, "[SOM2531]") != NULL;
        ck_assert(is_known);
        som_text_free(&text);
        som_diagnostics_destroy(diags);
    }
    som_arena_free(&arena);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

SOM_SUITE("compose/solve", joints_go_to_their_targets_and_locks_hold,
          places_are_led_where_they_are_wished, a_locked_place_stays_while_others_move,
          connectors_are_led_face_to_face, a_straight_chain_folds_into_a_ring,
          loops_stay_closed_while_joints_move, wishes_that_mean_nothing_are_refused)
