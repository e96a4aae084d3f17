// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/solver_plan.c: rounds, independent parts, what is too large.

#include "base/codes/linkage_codes.h"
#include "base/memory.h"
#include "linkage/solver.h"
#include "linkage/trajectory.h"
#include "tests/linkage/support.h"

#include <math.h>
#include <stdio.h>

START_TEST(the_tower_reaches_its_target_flat_and_hierarchical) {
    for (int hierarchical = 0; hierarchical < 2; hierarchical++) {
        SomLinkId top;
        SomGoal goals[3];
        SomLinkage *l = test_tower(15, hierarchical == 1, &top);
        test_valid(l);
        ck_assert_int_eq(som_linkage_link_count(l), 182);
        test_tower_goals(l, top, 15, goals);
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
    SomGoal goals[] = {{SOM_LEVEL_TARGET, test_joint(l, "knuckle"), SOM_DOF_TZ, 0.3},
                       {SOM_LEVEL_TARGET, test_joint(l, "slide"), SOM_DOF_TZ, 0.9}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    ck_assert_int_eq(som_solver_size(solver).rounds, 2);
    ck_assert(som_solver_solve(solver, l, 50));
    ck_assert_double_eq_tol(test_value(l, "knuckle", SOM_DOF_TZ), 0.3, 1e-9);
    ck_assert_double_eq_tol(test_value(l, "slide", SOM_DOF_TZ), 0.3, 1e-9);
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

START_TEST(locked_joints_stay_and_the_others_do_the_work) {
    SomLinkId tip;
    SomLinkage *l = test_arm(4, &tip);
    SomJointId locked[] = {test_joint(l, "q1"), test_joint(l, "q3")};
    SomGoal goal = {SOM_LEVEL_TARGET, som_linkage_get_link(l, tip).root_joint, SOM_DOF_TY, 2.5};
    SomSolver *solver = test_solver(
        l, &(SomSolverDef){.goals = &goal, .goal_count = 1, .locked = locked, .locked_count = 2});
    ck_assert_int_eq(som_solver_size(solver).variables, 2);
    ck_assert(som_solver_solve(solver, l, 100));
    ck_assert_double_eq(test_value(l, "q1", SOM_DOF_RZ), 0.2);
    ck_assert_double_eq(test_value(l, "q3", SOM_DOF_RZ), 0.2);
    ck_assert_double_eq_tol(som_linkage_pose(l, tip).position.y, 2.5, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

SOM_SUITE("linkage/solver_plan", the_tower_reaches_its_target_flat_and_hierarchical,
          a_driven_part_cannot_move_its_driver, a_driving_part_moves_first_and_takes_the_rest_along,
          a_lock_and_a_target_on_a_chain_of_100000_take_memory_by_the_joint,
          a_problem_that_is_too_large_is_refused, locked_joints_stay_and_the_others_do_the_work)
