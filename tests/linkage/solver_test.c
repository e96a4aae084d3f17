// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/solver.c.

#include "linkage/solver.h"
#include "tests/linkage/support.h"

#include <math.h>
#include <string.h>

START_TEST(a_four_bar_assembles_where_two_circles_meet) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(som_solver_solve(solver, l, 20));
    ck_assert_double_eq_tol(test_value(l, "j1", SOM_DOF_RZ), 1.1299172548, 1e-9);
    ck_assert_double_eq_tol(test_value(l, "j2", SOM_DOF_RZ), -0.8489205934, 1e-9);
    ck_assert_double_eq_tol(test_value(l, "j3", SOM_DOF_RZ), -2.0861275634, 1e-9);
    SomText text = {0};
    som_solver_describe(solver, l, &text);
    ck_assert_uint_eq(text.length, 0);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_driven_crank_takes_the_loop_along) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "j1"), SOM_DOF_RZ, 1.9};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    ck_assert(som_solver_solve(solver, l, 40));
    // the circles of coupler and rocker, in closed form
    ck_assert_double_eq_tol(test_value(l, "j2", SOM_DOF_RZ), -1.6458844188, 1e-9);
    ck_assert_double_eq_tol(test_value(l, "j3", SOM_DOF_RZ), -1.5636032202, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_dragged_link_reaches_its_target_and_takes_a_posture) {
    SomLinkId tip;
    SomLinkage *l = test_arm(4, &tip);
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    SomGoal goals[] = {{SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 2.4},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TY, 1.2},
                       {SOM_LEVEL_POSTURE, test_joint(l, "q2"), SOM_DOF_RZ, 0.6},
                       {SOM_LEVEL_POSTURE, test_joint(l, "q3"), SOM_DOF_RZ, 0.6}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 2});
    ck_assert(som_solver_solve(solver, l, 100));
    SomVec3 p = som_linkage_pose(l, tip).position;
    ck_assert_double_eq_tol(p.x, 2.4, 1e-9);
    ck_assert_double_eq_tol(p.y, 1.2, 1e-9);
    som_solver_destroy(solver);
    double before = fabs(test_value(l, "q2", 5) - 0.6) + fabs(test_value(l, "q3", 5) - 0.6);
    solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 4});
    som_solver_solve(solver, l, 200);
    double after = fabs(test_value(l, "q2", 5) - 0.6) + fabs(test_value(l, "q3", 5) - 0.6);
    ck_assert_double_lt(after, before);
    p = som_linkage_pose(l, tip).position;
    ck_assert_double_eq_tol(p.x, 2.4, 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(limits_of_closures_come_before_targets) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = test_solver(l, &(SomSolverDef){0});
    ck_assert(som_solver_solve(solver, l, 20));
    som_solver_destroy(solver);
    double rocker = test_value(l, "j4", SOM_DOF_RZ);
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ};
    limits.low[5] = rocker - 0.3;
    limits.high[5] = rocker + 0.3;
    ck_assert(som_linkage_set_limits(l, test_joint(l, "j4"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "j1"), SOM_DOF_RZ, 1.9};
    solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    ck_assert(som_solver_solve(solver, l, 200));
    double end = test_value(l, "j4", SOM_DOF_RZ);
    ck_assert_double_le(fabs(end - rocker), 0.3 + 1e-8);
    ck_assert_double_ge(fabs(end - rocker), 0.3 - 1e-6);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(locks_hold_while_targets_pull) {
    SomLinkId tip;
    SomLinkage *l = test_arm(4, &tip);
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    double y[6];
    som_linkage_coordinates(l, handle, y);
    SomGoal goals[] = {{SOM_LEVEL_LOCK, handle, SOM_DOF_RZ, y[5]},
                       {SOM_LEVEL_LOCK, test_joint(l, "q1"), SOM_DOF_RZ, 0},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 9}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
    som_solver_solve(solver, l, 300);
    double now[6];
    som_linkage_coordinates(l, handle, now);
    ck_assert_double_eq_tol(now[5], y[5], 1e-7);
    ck_assert_double_eq(test_value(l, "q1", SOM_DOF_RZ), 0.2);
    ck_assert_double_gt(now[0], y[0]);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
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
        test_valid(l);
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
    SomLinkage *l = test_arm(3, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    const char *const names[] = {"q1", "q2", "q3"};
    for (int i = 0; i < 3; i++) { // stretched out: nothing moves the tip inwards
        som_linkage_set_value(l, test_joint(l, names[i]), SOM_DOF_RZ, i == 2 ? 1e-4 : 0, diags);
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
        test_tower_goals(l, top, 5, goals);
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
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(a, "j1"), SOM_DOF_RZ, 1.9};
    SomSolverDef def = {.goals = &goal, .goal_count = 1, .is_unguarded = true};
    SomSolver *shared = test_solver(a, &def), *own = test_solver(alone, &def);
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_linkage_set_value(b, test_joint(b, "j2"), SOM_DOF_RZ, -0.9, diags));
    for (int i = 0; i < 6; i++) {
        som_solver_solve(shared, a, 1);
        som_solver_solve(shared, b, 1);
        som_solver_step(own, alone);
        if (i == 3) { // from outside
            som_linkage_set_value(a, test_joint(a, "j3"), SOM_DOF_RZ, -1.7, diags);
            som_linkage_set_value(alone, test_joint(alone, "j3"), SOM_DOF_RZ, -1.7, diags);
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
    SomJointId gone = test_joint(l, "j3"), none = {5000, 1};
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "j1"), SOM_DOF_RZ, 1};
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
    test_valid(l);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_new_solver_never_takes_over_the_postures_of_a_dead_one) {
    SomLinkage *a = test_fourbar(0.9, -0.5, -1.2), *b = som_linkage_copy(a);
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(a, "j1"), SOM_DOF_RZ, 1.9};
    SomSolverDef def = {.goals = &goal,
                        .goal_count = 1,
                        .ignored = (SomJointId[]){test_joint(a, "j4")},
                        .ignored_count = 1,
                        .is_unguarded = true};
    SomSolver *first = test_solver(a, &def);
    som_solver_step(first, a);
    som_solver_destroy(first);
    double before = test_value(a, "j1", SOM_DOF_RZ);
    SomSolver *second = test_solver(b, &def); // often at the same address
    som_solver_set_goal(second, 0, -1);
    som_solver_step(second, b);
    som_solver_set_goal(second, 0, 9);
    som_solver_step(second, a);
    double moved = test_value(a, "j1", SOM_DOF_RZ) - before; // from where it was, by one step
    ck_assert_double_gt(moved, 0);
    ck_assert_double_le(moved, 0.25 + 1e-12);
    som_solver_destroy(second);
    som_linkage_destroy(a);
    som_linkage_destroy(b);
}
END_TEST

START_TEST(each_option_that_is_zero_gets_its_default) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "j1"), SOM_DOF_RZ, 1.9};
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

SOM_SUITE("linkage/solver", a_four_bar_assembles_where_two_circles_meet,
          a_driven_crank_takes_the_loop_along,
          a_dragged_link_reaches_its_target_and_takes_a_posture,
          limits_of_closures_come_before_targets, locks_hold_while_targets_pull,
          random_problems_stay_bounded_finite_and_valid, closures_are_never_given_up_for_targets,
          a_singular_start_is_left_with_the_help_of_damping, the_same_problem_gives_the_same_bits,
          one_solver_moves_a_linkage_and_its_copies_in_turn,
          stale_solvers_joints_and_levels_are_asserted, names_and_the_world_pose_are_no_structure,
          a_new_solver_never_takes_over_the_postures_of_a_dead_one,
          each_option_that_is_zero_gets_its_default, a_floating_link_is_led_beyond_half_a_turn,
          a_locked_turn_stays_when_the_whole_turn_passes_half_a_turn)
