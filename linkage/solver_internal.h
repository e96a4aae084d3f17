// linkage/solver_internal.h - the compiled form of a solver, for solver*.c only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "linkage/kinematics.h"
#include "linkage/solver.h"

// One free coordinate of a tree joint.
typedef struct Variable {
    int node;
    int dof;
    int axis; // which of the node's axes
    int round;
    int component; // of its round; -1 if nothing asks for it
    int column;    // in its component
} Variable;

// A closure that some row speaks of, in the round that enforces it.
typedef struct Loop {
    int closure;  // in the kinematics
    bool is_shut; // its other coordinates are invariants
    int round;    // -1: no variable moves it
    int support_count;
    int *variables; // that move it in its round
    double *signs;
    int *columns;     // theirs, in the component
    double *jacobian; // six numbers a column
} Loop;

// What a row of a component's step is about.
typedef struct Meaning {
    SomLevel level;
    int loop; // -1: a tree coordinate
    int dof;
    int goal;     // -1: an invariant or a limit
    int variable; // of a tree coordinate
} Meaning;

typedef struct Component {
    int *variables;
    int variable_count;
    int *nodes; // whose axes are needed, each once
    int node_count;
    int *loops;
    int loop_count;
    int first_goal;    // -1; then along next_goal
    Meaning *meanings; // of the rows
    SomPriority *priority;
    double squares[SOM_LEVELS];      // of the residuals, before this step
    double last_squares[SOM_LEVELS]; // before the last one; negative: not to be compared with
} Component;

// Nodes to place again after a round.
typedef struct Range {
    int first, end;
} Range;

typedef struct Round {
    Component *components;
    int component_count;
    Range *ranges;
    int range_count;
} Round;

struct SomSolver {
    SomArena arena;
    SomKinematics *kinematics;
    SomPriorityOptions options;
    SomLimitMode limit_mode;
    bool is_unguarded;
    bool is_fresh; // goals or values changed from outside: residuals may grow
    SomGoal *goals;
    int goal_count;
    int *goal_loop;     // of a goal on a closure; -1
    int *goal_variable; // of a goal on a tree joint; -1 if it is locked
    int *next_goal;     // of the same component; -1
    bool *can_rename;   // by node: it turns about three axes and none of them is locked
    int *first_lead;    // by node that can be renamed, a goal for one of its turns; -1
    int *next_lead;     // by goal; -1
    Variable *variables;
    int variable_count;
    Loop *loops;
    int loop_count;
    Round *rounds;
    int round_count;
    SomAxis *axes;             // by variable
    SomLimits *limits_of_node; // of its parent joint
    uint64_t ticket;           // left in the linkage that was moved last
    SomSolverReport report;
};

// The component of a variable; NULL if nothing asks for it.
static inline Component *som_solver_component_of_variable(const SomSolver *s, int variable) {
    const Variable *v = &s->variables[variable];
    return v->component < 0 ? NULL : &s->rounds[v->round].components[v->component];
}

// The component whose variables move a loop; NULL if nothing does.
static inline Component *som_solver_component_of(const SomSolver *s, const Loop *loop) {
    return loop->support_count == 0 ? NULL
                                    : som_solver_component_of_variable(s, loop->variables[0]);
}

// The coordinates that a closure holds at zero, as bits.
static inline unsigned som_solver_held(const SomClosure *closure) {
    return 0x3fu & ~som_joint_type(closure->type)->freedom;
}

// Makes the rows and the step of a component whose variables, loops and goals are known. False if
// that needs more than `*room` numbers.
bool som_solver_make_component(SomSolver *s, Component *c, size_t *room);
