// SPDX-License-Identifier: Apache-2.0
// Steps of the solver do not allocate: this program is linked so that it counts allocations.

#include "linkage/solver.h"
#include "tests/linkage/support.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static int allocations;

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    allocations++;
    return __real_realloc(memory, size);
}

static void count_steps(bool is_hierarchical, bool is_flat) {
    SomLinkId top;
    allocations = 0;
    SomLinkage *l = test_tower(5, is_hierarchical, &top);
    ck_assert_int_gt(allocations, 0); // the counting works
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointId handle = som_linkage_get_link(l, top).root_joint;
    SomLimits limits = {.limited = 1u << SOM_DOF_TZ};
    limits.low[SOM_DOF_TZ] = 0.9;
    limits.high[SOM_DOF_TZ] = 1.05;
    som_linkage_set_limits(l, som_linkage_find_joint(l, SOM_STR("B3p")), &limits, diags);
    limits.limited = 1u << SOM_DOF_RZ;
    limits.low[SOM_DOF_RZ] = -0.1;
    limits.high[SOM_DOF_RZ] = 0.02;
    som_linkage_set_limits(l, som_linkage_find_joint(l, SOM_STR("R2_2L")), &limits, diags);
    SomGoal goals[] = {{SOM_LEVEL_TARGET, handle, SOM_DOF_TX, 9},
                       {SOM_LEVEL_TARGET, handle, SOM_DOF_TY, -9},
                       {SOM_LEVEL_POSTURE, som_linkage_find_joint(l, SOM_STR("B2r")), 5, 0.1}};
    SomSolver *solver =
        test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3, .is_flat = is_flat});
    allocations = 0;
    for (int i = 0; i < 50; i++) {
        som_solver_set_goal(solver, 0, 9 - i);
        som_solver_step(solver, l);
        som_solver_measure(solver, l);
    }
    ck_assert_int_eq(allocations, 0);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}

START_TEST(steps_do_not_allocate) {
    count_steps(false, true);
    count_steps(true, false);
}
END_TEST

SOM_SUITE("linkage/allocation", steps_do_not_allocate)
