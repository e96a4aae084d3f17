// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/solver.c, solver_plan.c and solver_report.c.

#include "base/memory.h"
#include "linkage/solver.h"
#include "linkage/trajectory.h"
#include "tests/linkage/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SomJointId joint(const SomLinkage *l, const char *name) {
    SomJointId id = som_linkage_find_joint(l, som_str(name));
    ck_assert_uint_ne(id.index1, 0);
    return id;
}

static double value(const SomLinkage *l, const char *name, int dof) {
    double y[6];
    som_linkage_coordinates(l, joint(l, name), y);
    return y[dof];
}

static void assert_valid(const SomLinkage *l) {
    SomText why = {0};
    bool is_valid = som_linkage_validate(l, &why);
    ck_assert_msg(is_valid, "%s", why.data == NULL ? "" : why.data);
    som_text_free(&why);
}

START_TEST(a_four_bar_assembles_where_two_circles_meet) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(som_solver_solve(solver, l, 20));
    ck_assert_double_eq_tol(value(l, "j1", SOM_DOF_RZ), 1.1299172548, 1e-9);
    ck_assert_double_eq_tol(value(l, "j2", SOM_DOF_RZ), -0.8489205934, 1e-9);
    ck_assert_double_eq_tol(value(l, "j3", SOM_DOF_RZ), -2.0861275634, 1e-9);
    SomText text = {0};
    som_solver_describe(solver, l, &text);
    ck_assert_uint_eq(text.length, 0);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_driven_crank_takes_the_loop_along) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "j1"), SOM_DOF_RZ, 1.9};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    ck_assert(som_solver_solve(solver, l, 40));
    // the circles of coupler and rocker, in closed form
    ck_assert_double_eq_tol(value(l, "j2", SOM_DOF_RZ), -1.6458844188, 1e-9);
    ck_assert_double_eq_tol(value(l, "j3", SOM_DOF_RZ), -1.5636032202, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(closures_that_cannot_hold_are_named) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    // the rocker's tip cannot be at two places
    test_closure(l, "pin", SOM_JOINT_REVOLUTE, som_linkage_top_ground(l),
                 som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("rocker")),
                 test_move(2.0064, 0, 0), test_move(-1.5, 0, 0));
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(!som_solver_solve(solver, l, 200));
    ck_assert_double_eq_tol(solver == NULL ? 0 : som_solver_measure(solver, l)->levels[0].norm,
                            0.0032 * sqrt(2), 1e-6);
    SomText text = {0};
    som_solver_describe(solver, l, &text);
    ck_assert_str_eq(text.data, "closure 'j4' and closure 'pin' cannot both hold: 3.2 mm left\n");
    som_text_free(&text);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

// A chain of revolute joints about z in the plane, links of length 1, with a link at the tip.
static SomLinkage *make_arm(int joints, SomLinkId *tip) {
    SomLinkage *l = som_linkage_create();
    SomLinkId parent = som_linkage_top_ground(l);
    for (int i = 0; i < joints; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i + 1);
        SomLinkId link = test_link(l, (SomSublinkageId){0}, name);
        test_tree_joint(l, name, SOM_JOINT_REVOLUTE, parent, link, test_move(i == 0 ? 0 : 1, 0, 0),
                        som_pose_identity(), SOM_DOF_RZ, 0.2);
        parent = link;
    }
    *tip = test_link(l, (SomSublinkageId){0}, "tip");
    test_tree_joint(l, "end", SOM_JOINT_FIXED, parent, *tip, test_move(1, 0, 0),
                    som_pose_identity(), 0, 0);
    return l;
}

START_TEST(a_dragged_link_reaches_its_target_and_takes_a_posture) {
    SomLinkId tip;
    SomLinkage *l = make_arm(4, &tip);
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    SomGoal goals[] = {{SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 2.4},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TY, 1.2},
                       {SOM_LEVEL_POSTURE, joint(l, "q2"), SOM_DOF_RZ, 0.6},
                       {SOM_LEVEL_POSTURE, joint(l, "q3"), SOM_DOF_RZ, 0.6}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    ck_assert(som_solver_solve(solver, l, 100));
    SomVec3 p = som_linkage_pose(l, tip).position;
    ck_assert_double_eq_tol(p.x, 2.4, 1e-9);
    ck_assert_double_eq_tol(p.y, 1.2, 1e-9);
    som_solver_destroy(solver);
    double before = fabs(value(l, "q2", 5) - 0.6) + fabs(value(l, "q3", 5) - 0.6);
    solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 4});
    som_solver_solve(solver, l, 200);
    double after = fabs(value(l, "q2", 5) - 0.6) + fabs(value(l, "q3", 5) - 0.6);
    ck_assert_double_lt(after, before);
    p = som_linkage_pose(l, tip).position;
    ck_assert_double_eq_tol(p.x, 2.4, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(an_unreachable_target_is_approached_and_reported) {
    SomLinkId tip;
    SomLinkage *l = make_arm(3, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomGoal goal = {SOM_LEVEL_TARGET, som_linkage_get_link(l, tip).root_joint, SOM_DOF_TX, 5};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    for (int i = 0; i < 300; i++) {
        ck_assert_double_le(som_solver_step(solver, l)->largest_change, 0.25 + 1e-12);
    }
    ck_assert_double_ge(som_linkage_pose(l, tip).position.x, 2.99);
    som_solver_measure(solver, l);
    som_solver_report(solver, l, diags);
    ck_assert(som_diagnostics_has(diags, SOM_SOLVER_UNREACHED));
    SomText text = {0};
    som_solver_describe(solver, l, &text);
    ck_assert_str_eq(text.data, "link 'tip' does not reach its target: 2 m left\n");
    som_text_free(&text);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(limits_of_tree_joints_stop_them_and_are_told) {
    SomLinkId tip;
    SomLinkage *l = make_arm(2, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ, .low = {0}, .high = {0, 0, 0, 0, 0, 0.5}};
    ck_assert(som_linkage_set_limits(l, joint(l, "q1"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "q1"), SOM_DOF_RZ, 1.5};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    som_solver_solve(solver, l, 50);
    ck_assert_double_eq(value(l, "q1", SOM_DOF_RZ), 0.5);
    som_solver_report(solver, l, diags);
    ck_assert(som_diagnostics_has(diags, SOM_SOLVER_AT_LIMIT));
    assert_valid(l);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(limits_of_closures_come_before_targets) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(som_solver_solve(solver, l, 20));
    som_solver_destroy(solver);
    double rocker = value(l, "j4", SOM_DOF_RZ);
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ};
    limits.low[5] = rocker - 0.3;
    limits.high[5] = rocker + 0.3;
    ck_assert(som_linkage_set_limits(l, joint(l, "j4"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "j1"), SOM_DOF_RZ, 1.9};
    solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    ck_assert(som_solver_solve(solver, l, 200));
    double end = value(l, "j4", SOM_DOF_RZ);
    ck_assert_double_le(fabs(end - rocker), 0.3 + 1e-8);
    ck_assert_double_ge(fabs(end - rocker), 0.3 - 1e-6);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(locks_hold_while_targets_pull) {
    SomLinkId tip;
    SomLinkage *l = make_arm(4, &tip);
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    double y[6];
    som_linkage_coordinates(l, handle, y);
    SomGoal goals[] = {{SOM_LEVEL_LOCK, handle, SOM_DOF_RZ, y[5]},
                       {SOM_LEVEL_LOCK, joint(l, "q1"), SOM_DOF_RZ, 0},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 9}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
    som_solver_solve(solver, l, 300);
    double now[6];
    som_linkage_coordinates(l, handle, now);
    ck_assert_double_eq_tol(now[5], y[5], 1e-7);
    ck_assert_double_eq(value(l, "q1", SOM_DOF_RZ), 0.2);
    ck_assert_double_gt(now[0], y[0]);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

// Targets for the pose of the top of a tower whose blocks all tilt by 4 degrees and stretch.
static void tower_goals(const SomLinkage *l, SomLinkId top, int blocks, SomGoal goals[3]) {
    SomPose pose = som_pose_identity(), block = {som_rotation_z(4 * acos(-1) / 180), {0, 0, 0}};
    block = som_pose_compose(block, test_move(0, 1.04, 0));
    for (int i = 0; i < blocks; i++) {
        pose = som_pose_compose(pose, block);
    }
    double y[6];
    som_pose_to_coordinates(pose, NULL, y);
    const int dofs[3] = {SOM_DOF_TX, SOM_DOF_TY, SOM_DOF_RZ};
    for (int i = 0; i < 3; i++) {
        SomJointId handle = som_linkage_get_link(l, top).root_joint;
        goals[i] = (SomGoal){SOM_LEVEL_TARGET, handle, dofs[i], y[dofs[i]]};
    }
}

START_TEST(the_tower_reaches_its_target_flat_and_hierarchical) {
    for (int hierarchical = 0; hierarchical < 2; hierarchical++) {
        SomLinkId top;
        SomGoal goals[3];
        SomLinkage *l = test_tower(15, hierarchical == 1, &top);
        assert_valid(l);
        ck_assert_int_eq(som_linkage_link_count(l), 182);
        tower_goals(l, top, 15, goals);
        SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
        SomSolverSize size = som_solver_size(solver);
        ck_assert_int_eq(size.variables, 180);
        ck_assert_int_eq(size.rounds, hierarchical ? 3 : 1);
        ck_assert_int_eq(size.parts, hierarchical ? 61 : 1);
        ck_assert(som_solver_solve(solver, l, 15));
        ck_assert_double_le(som_solver_measure(solver, l)->levels[SOM_LEVEL_TARGET].norm, 1e-9);
        som_solver_destroy(solver);
        som_linkage_destroy(l);
    }
}
END_TEST

START_TEST(a_driven_part_cannot_move_its_driver) {
    SomLinkId top;
    SomLinkage *l = test_tower(2, true, &top);
    SomSublinkageId leg = som_linkage_find_sublinkage(
        l, som_linkage_find_sublinkage(l, som_linkage_top(l), SOM_STR("I1L")), SOM_STR("A1L"));
    SomLinkId shin = som_linkage_find_link(l, leg, SOM_STR("l2_1L"));
    SomPose before = som_linkage_pose(l, top);
    SomGoal goal = {SOM_LEVEL_TARGET, som_linkage_get_link(l, shin).root_joint, SOM_DOF_TX, -3};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    ck_assert(som_solver_solve(solver, l, 50));
    ck_assert_double_le(test_pose_difference(before, som_linkage_pose(l, top)), 1e-12);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_driving_part_moves_first_and_takes_the_rest_along) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId hand =
        som_linkage_add_sublinkage(l, som_linkage_top(l), SOM_STR("hand"), SOM_DRIVING, diags);
    SomPose none = som_pose_identity();
    SomLinkId palm = test_link(l, hand, "palm"), finger = test_link(l, hand, "finger");
    SomLinkId ground = som_linkage_top_ground(l), rod = test_link(l, som_linkage_top(l), "rod");
    test_tree_joint(l, "wrist", SOM_JOINT_FIXED, ground, palm, none, none, 0, 0);
    test_tree_joint(l, "knuckle", SOM_JOINT_PRISMATIC, palm, finger, none, none, SOM_DOF_TZ, 0.1);
    test_tree_joint(l, "slide", SOM_JOINT_PRISMATIC, ground, rod, none, none, SOM_DOF_TZ, 0.5);
    test_closure(l, "grip", SOM_JOINT_FIXED, finger, rod, none, none);
    SomGoal goals[] = {{SOM_LEVEL_TARGET, joint(l, "knuckle"), SOM_DOF_TZ, 0.3},
                       {SOM_LEVEL_TARGET, joint(l, "slide"), SOM_DOF_TZ, 0.9}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    ck_assert_int_eq(som_solver_size(solver).rounds, 2);
    ck_assert(som_solver_solve(solver, l, 50));
    ck_assert_double_eq_tol(value(l, "knuckle", SOM_DOF_TZ), 0.3, 1e-9);
    ck_assert_double_eq_tol(value(l, "slide", SOM_DOF_TZ), 0.3, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

// Random linkages, open closures, random and impossible goals, limits: never a bad number, never a
// long step, never an invalid linkage.
static void check_random_problem(uint64_t seed) {
    SomTestRandom random = {seed};
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *l = test_random_linkage(&random, (int)(seed % 3));
    for (int i = 0; i < 14; i++) {
        SomJointDef def = test_fitting_joint(l, &random, test_any_link(l, &random),
                                             test_any_link(l, &random), seed % 2 == 0 ? 0.3 : 0);
        char name[] = {'j', (char)('a' + i)};
        def.name = (SomStr){name, sizeof name};
        SomJointId id = som_linkage_add_joint(l, &def, diags);
        if (id.index1 != 0 && som_test_int(&random, 0, 9) < 6) {
            som_linkage_make_tree(l, id, diags);
        }
    }
    SomGoal goals[6];
    for (int i = 0; i < 6; i++) {
        SomJointId id = test_any_joint(l, &random);
        SomLinkInfo link = som_linkage_get_link(l, test_any_link(l, &random));
        if (i % 2 == 0 && link.root_joint.index1 != 0) {
            id = link.root_joint;
        }
        goals[i] = (SomGoal){(SomLevel)som_test_int(&random, SOM_LEVEL_LOCK, SOM_LEVEL_POSTURE), id,
                             som_test_int(&random, 0, 5), 10 * som_test_normal(&random)};
    }
    SomSolverDef def = {.goals = goals,
                        .goal_count = 6,
                        .is_flat = som_test_int(&random, 0, 1) == 1,
                        .limit_mode = (SomLimitMode)som_test_int(&random, 0, 2)};
    SomSolver *solver = test_solver(l, &def);
    for (int i = 0; i < 30; i++) {
        const SomSolverReport *report = som_solver_step(solver, l);
        ck_assert_msg(!report->is_broken, "seed %d", (int)seed);
        ck_assert_double_le(report->largest_change, 0.25 + 1e-12);
        for (int level = 0; level < SOM_LEVELS; level++) {
            ck_assert(isfinite(report->levels[level].norm));
        }
        assert_valid(l);
    }
    SomText text = {0};
    som_solver_measure(solver, l);
    som_solver_describe(solver, l, &text);
    som_text_free(&text);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}

START_TEST(random_problems_stay_bounded_finite_and_valid) {
    for (uint64_t seed = 0; seed < (uint64_t)som_test_count(200, 4000); seed++) {
        check_random_problem(seed);
    }
}
END_TEST

START_TEST(closures_are_never_given_up_for_targets) {
    for (int i = 0; i < 40; i++) {
        SomTestRandom random = {(uint64_t)i};
        SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
        SomLinkId coupler = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("coupler"));
        SomJointId handle = som_linkage_get_link(l, coupler).root_joint;
        SomGoal goals[6];
        for (int d = 0; d < 6; d++) {
            goals[d] = (SomGoal){SOM_LEVEL_TARGET, handle, d, som_test_uniform(&random, -20, 20)};
        }
        SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 6});
        for (int k = 0; k < 300; k++) {
            som_solver_step(solver, l);
        }
        const SomSolverReport *report = som_solver_measure(solver, l);
        ck_assert_double_le(report->levels[SOM_LEVEL_INVARIANT].norm, 1e-3);
        ck_assert_double_ge(report->levels[SOM_LEVEL_TARGET].norm, 0.1);
        som_solver_destroy(solver);
        som_linkage_destroy(l);
    }
}
END_TEST

START_TEST(a_singular_start_is_left_with_the_help_of_damping) {
    SomLinkId tip;
    SomLinkage *l = make_arm(3, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    const char *const names[] = {"q1", "q2", "q3"};
    for (int i = 0; i < 3; i++) { // stretched out: nothing moves the tip inwards
        som_linkage_set_value(l, joint(l, names[i]), SOM_DOF_RZ, i == 2 ? 1e-4 : 0, diags);
    }
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    SomGoal goals[] = {{SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 1.5},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TY, 0.2}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    som_solver_solve(solver, l, 200);
    ck_assert_double_eq_tol(som_linkage_pose(l, tip).position.x, 1.5, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(the_same_problem_gives_the_same_bits) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        SomLinkId top;
        SomGoal goals[3];
        SomLinkage *l = test_tower(5, true, &top);
        tower_goals(l, top, 5, goals);
        SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
        som_solver_solve(solver, l, 7);
        hashes[i] = som_linkage_hash(l);
        som_solver_destroy(solver);
        som_linkage_destroy(l);
    }
    ck_assert_uint_eq(hashes[0], hashes[1]);
}
END_TEST

START_TEST(one_solver_moves_a_linkage_and_its_copies_in_turn) {
    SomLinkage *a = test_fourbar(0.9, -0.5, -1.2), *alone = som_linkage_copy(a);
    SomLinkage *b = som_linkage_copy(a);
    SomGoal goal = {SOM_LEVEL_TARGET, joint(a, "j1"), SOM_DOF_RZ, 1.9};
    SomSolverDef def = {.goals = &goal, .goal_count = 1, .is_unguarded = true};
    SomSolver *shared = test_solver(a, &def), *own = test_solver(alone, &def);
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_linkage_set_value(b, joint(b, "j2"), SOM_DOF_RZ, -0.9, diags));
    for (int i = 0; i < 6; i++) {
        som_solver_solve(shared, a, 1);
        som_solver_solve(shared, b, 1);
        som_solver_step(own, alone);
        if (i == 3) { // from outside
            som_linkage_set_value(a, joint(a, "j3"), SOM_DOF_RZ, -1.7, diags);
            som_linkage_set_value(alone, joint(alone, "j3"), SOM_DOF_RZ, -1.7, diags);
        }
        ck_assert(som_linkage_hash(a) == som_linkage_hash(alone));
    }
    som_solver_destroy(shared);
    som_solver_destroy(own);
    som_linkage_destroy(a);
    som_linkage_destroy(b);
    som_linkage_destroy(alone);
    som_diagnostics_destroy(diags);
}
END_TEST

// What only a programmer can do wrong; numbers say which.
static void misuse(int which) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2), *before = som_linkage_copy(l);
    SomJointId gone = joint(l, "j3"), none = {5000, 1};
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "j1"), SOM_DOF_RZ, 1};
    SomSolverDef def = {.goals = &goal, .goal_count = 1};
    if (which == 0) { // the solver of one future in another one, as many edits after the undo
        test_link(l, (SomSublinkageId){0}, "more");
        SomSolver *solver = test_solver(l, &def);
        som_linkage_remove_joint(before, gone, diags);
        som_solver_step(solver, before);
    } else if (which == 1) {
        som_linkage_remove_joint(l, gone, diags);
        test_solver(l, &(SomSolverDef){.locked = &gone, .locked_count = 1});
    } else if (which == 2) {
        test_solver(l, &(SomSolverDef){.ignored = &none, .ignored_count = 1});
    } else if (which == 3) {
        goal.level = SOM_LEVEL_INVARIANT;
        test_solver(l, &def);
    } else if (which == 4) { // a linkage like it is none of its copies
        SomSolver *solver = test_solver(l, &def);
        som_solver_step(solver, test_fourbar(0.9, -0.5, -1.2));
    }
}

START_TEST(stale_solvers_joints_and_levels_are_asserted) {
    for (int which = 0; which < 5; which++) {
        ck_assert_msg(som_test_aborts(misuse, which), "%d", which);
    }
    ck_assert(!som_test_aborts(misuse, 5));
}
END_TEST

START_TEST(names_and_the_world_pose_are_no_structure) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(som_solver_solve(solver, l, 20));
    SomLinkId crank = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("crank"));
    ck_assert(som_linkage_set_link_name(l, crank, SOM_STR("handle"), diags));
    ck_assert(som_linkage_set_world(l, test_move(5, 0, 0), diags));
    ck_assert(som_solver_solve(solver, l, 20));
    ck_assert_double_eq_tol(som_linkage_pose(l, crank).position.x, 5, 1e-9);
    ck_assert(!som_linkage_set_world(l, test_move((double)NAN, 0, 0), diags));
    ck_assert(!som_linkage_set_world(l, test_move(1e300, 0, 0), diags));
    assert_valid(l);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_new_solver_never_takes_over_the_postures_of_a_dead_one) {
    SomLinkage *a = test_fourbar(0.9, -0.5, -1.2), *b = som_linkage_copy(a);
    SomGoal goal = {SOM_LEVEL_TARGET, joint(a, "j1"), SOM_DOF_RZ, 1.9};
    SomSolverDef def = {.goals = &goal,
                        .goal_count = 1,
                        .ignored = (SomJointId[]){joint(a, "j4")},
                        .ignored_count = 1,
                        .is_unguarded = true};
    SomSolver *first = test_solver(a, &def);
    som_solver_step(first, a);
    som_solver_destroy(first);
    double before = value(a, "j1", SOM_DOF_RZ);
    SomSolver *second = test_solver(b, &def); // often at the same address
    som_solver_set_goal(second, 0, -1);
    som_solver_step(second, b);
    som_solver_set_goal(second, 0, 9);
    som_solver_step(second, a);
    double moved = value(a, "j1", SOM_DOF_RZ) - before; // from where it was, by one step
    ck_assert_double_gt(moved, 0);
    ck_assert_double_le(moved, 0.25 + 1e-12);
    som_solver_destroy(second);
    som_linkage_destroy(a);
    som_linkage_destroy(b);
}
END_TEST

START_TEST(each_option_that_is_zero_gets_its_default) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "j1"), SOM_DOF_RZ, 1.9};
    SomSolverDef def = {.goals = &goal, .goal_count = 1, .options = {.largest_step = 0.01}};
    SomSolver *solver = test_solver(l, &def);
    double change = som_solver_step(solver, l)->largest_change;
    ck_assert_double_gt(change, 0.005);
    ck_assert_double_le(change, 0.01 + 1e-12);
    som_solver_set_options(solver, &(SomPriorityOptions){.level_step = 0.2});
    ck_assert_double_gt(som_solver_step(solver, l)->largest_change, 0.05);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

static void assert_told(double limit, double target, const char *expected) {
    SomLinkId tip;
    SomLinkage *l = make_arm(1, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ, .low = {[5] = -limit}, .high = {[5] = limit}};
    ck_assert(som_linkage_set_limits(l, joint(l, "q1"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, joint(l, "q1"), SOM_DOF_RZ, target};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    som_solver_solve(solver, l, 100);
    SomText text = {0};
    som_solver_describe(solver, l, &text);
    ck_assert_str_eq(text.data, expected);
    som_text_free(&text);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}

START_TEST(limits_are_told_as_given_and_gaps_rounded) {
    double degree = acos(-1) / 180;
    assert_told(125 * degree, 129 * degree,
                "joint 'q1' does not reach its target: 4\u00b0 left\n"
                "joint 'q1' is at its limit of 125\u00b0\n");
    assert_told(114.6 * degree, 238.3 * degree,
                "joint 'q1' does not reach its target: 124\u00b0 left\n"
                "joint 'q1' is at its limit of 114.6\u00b0\n");
    assert_told(1, (double)NAN, "numbers of the linkage are too large or not finite\n");
}
END_TEST

START_TEST(a_floating_link_is_led_beyond_half_a_turn) {
    const double targets[] = {3, 3.5, 6, 6.5, -4};
    for (int i = 0; i < 5; i++) {
        SomLinkage *l = som_linkage_create();
        SomLinkId a = test_link(l, (SomSublinkageId){0}, "a");
        SomGoal goal = {SOM_LEVEL_TARGET, som_linkage_get_link(l, a).root_joint, SOM_DOF_RZ,
                        targets[i]};
        SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
        som_solver_solve(solver, l, 200);
        double y[6];
        som_linkage_coordinates(l, goal.joint, y);
        ck_assert_double_eq_tol(y[SOM_DOF_RZ], targets[i], 1e-9);
        som_solver_destroy(solver);
        som_linkage_destroy(l);
    }
}
END_TEST

START_TEST(a_locked_turn_stays_when_the_whole_turn_passes_half_a_turn) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointId root = som_linkage_get_link(l, test_link(l, (SomSublinkageId){0}, "a")).root_joint;
    ck_assert(som_linkage_set_value(l, root, SOM_DOF_RZ, 2.5, diags));
    SomGoal goals[] = {{SOM_LEVEL_LOCK, root, SOM_DOF_RZ, 2.5},
                       {SOM_LEVEL_TARGET, root, SOM_DOF_RX, 2.5},
                       {SOM_LEVEL_TARGET, root, SOM_DOF_RZ, 2}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
    som_solver_solve(solver, l, 100);
    double y[6];
    som_linkage_coordinates(l, root, y);
    ck_assert_double_eq(y[SOM_DOF_RZ], 2.5);
    ck_assert_double_eq_tol(y[SOM_DOF_RX], 2.5, 1e-9);
    // the target of what is locked counts
    const SomLevelReport *target = &som_solver_measure(solver, l)->levels[SOM_LEVEL_TARGET];
    ck_assert_int_eq(target->rows, 2);
    ck_assert_double_eq_tol(target->norm, 0.5, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

// A chain of n hinges, all turned a little.
static SomLinkage *make_long_chain(int n, SomLinkId *middle, SomLinkId *end) {
    SomLinkage *l = som_linkage_create();
    *end = som_linkage_top_ground(l);
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i);
        SomLinkId link = test_link(l, (SomSublinkageId){0}, name);
        test_tree_joint(l, name, SOM_JOINT_REVOLUTE, *end, link, test_move(0.01, 0, 0),
                        som_pose_identity(), SOM_DOF_RZ, i % 2 == 0 ? 0.1 : -0.1);
        *end = link;
        *middle = i == n / 2 ? link : *middle;
    }
    return l;
}

START_TEST(a_lock_and_a_target_on_a_chain_of_100000_take_memory_by_the_joint) {
    SomLinkId middle, end;
    SomLinkage *l = make_long_chain(som_test_count(20000, 100000), &middle, &end);
    SomJointId held = som_linkage_get_link(l, middle).root_joint;
    SomJointId led = som_linkage_get_link(l, end).root_joint;
    double y[6], z[6];
    som_linkage_coordinates(l, held, y);
    som_linkage_coordinates(l, led, z);
    SomGoal goals[] = {{SOM_LEVEL_LOCK, held, SOM_DOF_TY, y[SOM_DOF_TY]},
                       {SOM_LEVEL_TARGET, led, SOM_DOF_TY, z[SOM_DOF_TY] + 1}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    ck_assert(som_solver_solve(solver, l, 10));
    const SomSolverReport *report = som_solver_measure(solver, l);
    ck_assert_double_le(report->levels[SOM_LEVEL_LOCK].norm, 1e-9);
    ck_assert_double_le(report->levels[SOM_LEVEL_TARGET].norm, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_problem_that_is_too_large_is_refused) {
    SomLinkId middle, end;
    int n = 4000;
    SomLinkage *l = make_long_chain(n, &middle, &end);
    SomDiagnostics *diags = som_diagnostics_create();
    SomGoal *goals = som_alloc((size_t)n * sizeof *goals);
    int count = 0;
    for (SomLinkId k = som_linkage_next_link(l, som_linkage_top_ground(l)); k.index1 != 0;
         k = som_linkage_next_link(l, k)) { // every link is led
        goals[count++] = (SomGoal){SOM_LEVEL_TARGET, som_linkage_get_link(l, k).root_joint, 0, 0};
    }
    SomSolverDef def = {.goals = goals, .goal_count = count};
    ck_assert(som_solver_create(l, &def, diags) == NULL); // the Jacobians
    ck_assert(som_diagnostics_has(diags, SOM_SOLVER_TOO_LARGE));
    def.goals = goals + n - 900; // the matrix of these, with less of everything else
    def.goal_count = 900;
    som_diagnostics_destroy(diags);
    diags = som_diagnostics_create();
    ck_assert(som_solver_create(l, &def, diags) == NULL);
    ck_assert(som_diagnostics_has(diags, SOM_SOLVER_TOO_LARGE));
    SomTracking tracking = {0};
    SomTrack *tracks = som_alloc((size_t)n * sizeof *tracks);
    const SomWaypoint still = {0, 0};
    for (int i = 0; i < n; i++) {
        tracks[i] = (SomTrack){goals[i].joint, goals[i].dof, &still, 1};
    }
    SomTrajectoryDef follow = {.tracks = tracks, .track_count = n};
    ck_assert(!som_trajectory_follow(l, &follow, &tracking, diags));
    som_free(tracks);
    som_free(goals);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

SOM_SUITE("linkage/solver", a_lock_and_a_target_on_a_chain_of_100000_take_memory_by_the_joint,
          a_problem_that_is_too_large_is_refused, a_floating_link_is_led_beyond_half_a_turn,
          a_locked_turn_stays_when_the_whole_turn_passes_half_a_turn,
          stale_solvers_joints_and_levels_are_asserted, names_and_the_world_pose_are_no_structure,
          a_new_solver_never_takes_over_the_postures_of_a_dead_one,
          each_option_that_is_zero_gets_its_default, limits_are_told_as_given_and_gaps_rounded,
          one_solver_moves_a_linkage_and_its_copies_in_turn,
          a_four_bar_assembles_where_two_circles_meet, a_driven_crank_takes_the_loop_along,
          closures_that_cannot_hold_are_named,
          a_dragged_link_reaches_its_target_and_takes_a_posture,
          an_unreachable_target_is_approached_and_reported,
          limits_of_tree_joints_stop_them_and_are_told, limits_of_closures_come_before_targets,
          locks_hold_while_targets_pull, the_tower_reaches_its_target_flat_and_hierarchical,
          a_driven_part_cannot_move_its_driver, a_driving_part_moves_first_and_takes_the_rest_along,
          random_problems_stay_bounded_finite_and_valid, closures_are_never_given_up_for_targets,
          a_singular_start_is_left_with_the_help_of_damping, the_same_problem_gives_the_same_bits)
