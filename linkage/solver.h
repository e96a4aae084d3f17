// linkage/solver.h - moves a linkage: keeps closures shut, respects limits and locks, follows
// targets.
//
// Prioritised damped least squares over five levels (linkage/priority.h): closures stay shut before
// limits of closures hold, before locks, before targets, before posture. Sub-linkages that drive or
// are driven are treated in rounds, independent parts by themselves.
//
//     SomGoal drag = {SOM_LEVEL_TARGET, root_joint_of_foot, SOM_DOF_TX, 0.3};
//     SomSolver *solver = som_solver_create(linkage, &(SomSolverDef){.goals = &drag,
//                                                                    .goal_count = 1}, diags);
//     for each frame: som_solver_set_goal(solver, 0, x), som_solver_step(solver, linkage);
//     som_solver_describe(solver, linkage, &text); // what could not be had, and why
//
// A solver is compiled for the structure of one linkage (som_linkage_version) and then moves that
// linkage, or a copy of it, without allocating. Local assembly is a solver without goals.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/linkage.h"
#include "linkage/priority.h"

#ifdef __cplusplus
extern "C" {
#endif

// A wish for one coordinate of a joint. At level LOCK or TARGET a closure is held at or led to
// `value`. A locked coordinate of a tree joint stays where it is, whatever `value` says: first set
// it to that (som_linkage_set_value). At level POSTURE the wish only uses what all others leave
// free. To drag or lock a link, use its root joint.
typedef struct SomGoal {
    SomLevel level; // SOM_LEVEL_LOCK, SOM_LEVEL_TARGET or SOM_LEVEL_POSTURE
    SomJointId joint;
    int dof;
    double value;
} SomGoal;

// How limits of closures act: as a constraint while they would be left, or as the penalties of the
// literature, which let them be left again and again.
typedef enum SomLimitMode { SOM_LIMIT_ACTIVE, SOM_LIMIT_QUADRATIC, SOM_LIMIT_LINEAR } SomLimitMode;

// Zero is the default for every field. Copied.
typedef struct SomSolverDef {
    const SomGoal *goals;
    int goal_count;
    const SomJointId *locked; // tree joints that stay as they are; a closure among them is not held
                              // by this, but by goals
    int locked_count;
    const SomJointId *ignored; // closures that may open
    int ignored_count;
    bool is_flat; // everything at once, as if there were no sub-linkages and no independent parts
    bool is_unguarded; // no extra damping of levels whose residual grows: the published algorithm,
                       // which swings about what it cannot reach
    SomLimitMode limit_mode;
    SomPriorityOptions options;
} SomSolverDef;

// A closure open by less (metres or radians) is shut; a goal or limit missed by less is reached:
// who sees a micrometre?
#define SOM_SOLVER_SHUT 1e-9
#define SOM_SOLVER_REACHED 1e-6

typedef struct SomLevelReport {
    int rows;
    double norm;    // of all residuals: metres and radians together
    double largest; // residual
    int rank;       // of the last step
    double damping; // likewise, the largest
} SomLevelReport;

typedef struct SomSolverReport {
    SomLevelReport levels[SOM_LEVELS]; // residuals before the step, or now if measured
    int clamped_count;                 // tree coordinates that a limit stops
    double largest_change;             // of a coordinate in the last step
    bool is_broken;                    // a number was not finite: what depends on it did not move
    double work;                       // multiplications of the last step, roughly
    int steps;
} SomSolverReport;

typedef struct SomSolver SomSolver;

// The matrices of a solver have at most so many numbers together, 256 MB. They grow with the rows
// (six for a welded closure, one for a goal) times the coordinates that these tie together, and the
// time of a step with that times the smaller of both: for 300 of each half a second, for 1,000 of
// each some twenty.
#define SOM_SOLVER_MOST_NUMBERS (32 << 20)

// NULL if the problem is too large, which is reported.
SomSolver *som_solver_create(const SomLinkage *linkage, const SomSolverDef *def,
                             SomDiagnostics *diags);
void som_solver_destroy(SomSolver *solver); // NULL is allowed

void som_solver_set_goal(SomSolver *solver, int goal, double value);
// Here, too, a field of zero gets its default.
void som_solver_set_options(SomSolver *solver, const SomPriorityOptions *options);

// One step of every round. Returns the report of it, borrowed.
const SomSolverReport *som_solver_step(SomSolver *solver, SomLinkage *linkage);

// Steps until nothing moves by more than 1e-12 or `most` steps are done. True if all closures are
// shut and all numbers finite; it says nothing about limits of closures, locks and
// targets, which may be out of reach: see the report of som_solver_measure, or describe.
bool som_solver_solve(SomSolver *solver, SomLinkage *linkage, int most);

// The residuals as they are now, with ranks of the last step.
const SomSolverReport *som_solver_measure(SomSolver *solver, const SomLinkage *linkage);

// What is not as wished, for a designer: which closures cannot hold together, which targets are out
// of reach, which joints are at their limits. Empty if all is well. Measure first.
void som_solver_describe(const SomSolver *solver, const SomLinkage *linkage, SomText *out);
// The same as diagnostics.
void som_solver_report(const SomSolver *solver, const SomLinkage *linkage, SomDiagnostics *diags);

// How many variables, rounds and independent parts there are.
typedef struct SomSolverSize {
    int variables;
    int rounds;
    int parts;
} SomSolverSize;

SomSolverSize som_solver_size(const SomSolver *solver);

#ifdef __cplusplus
}
#endif
