// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/solver_report.c.

#include "base/codes/linkage_codes.h"
#include "linkage/solver.h"
#include "tests/linkage/support.h"

#include <math.h>

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

START_TEST(an_unreachable_target_is_approached_and_reported) {
    SomLinkId tip;
    SomLinkage *l = test_arm(3, &tip);
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
    SomLinkage *l = test_arm(2, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ, .low = {0}, .high = {0, 0, 0, 0, 0, 0.5}};
    ck_assert(som_linkage_set_limits(l, test_joint(l, "q1"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "q1"), SOM_DOF_RZ, 1.5};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = &goal, .goal_count = 1});
    som_solver_solve(solver, l, 50);
    ck_assert_double_eq(test_value(l, "q1", SOM_DOF_RZ), 0.5);
    som_solver_report(solver, l, diags);
    ck_assert(som_diagnostics_has(diags, SOM_SOLVER_AT_LIMIT));
    test_valid(l);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

static void assert_told(double limit, double target, const char *expected) {
    SomLinkId tip;
    SomLinkage *l = test_arm(1, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLimits limits = {.limited = 1u << SOM_DOF_RZ, .low = {[5] = -limit}, .high = {[5] = limit}};
    ck_assert(som_linkage_set_limits(l, test_joint(l, "q1"), &limits, diags));
    SomGoal goal = {SOM_LEVEL_TARGET, test_joint(l, "q1"), SOM_DOF_RZ, target};
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

SOM_SUITE("linkage/solver_report", closures_that_cannot_hold_are_named,
          an_unreachable_target_is_approached_and_reported,
          limits_of_tree_joints_stop_them_and_are_told, limits_are_told_as_given_and_gaps_rounded)
