// behaviors/compile_internal.h - what the files of the compiler of behaviors share.
//
// compile.c begins and ends; compile_scope.c finds values of names, compile_argument.c those of
// parameters; compile_place.c goes along places; compile_action.c knows the actions of DoF,
// compile_table.c those that follow a file, compile_flow.c those made of actions,
// compile_condition.c what is sensed while playing; compile_check.c looks at all behaviors of a
// configuration.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "behaviors/compile.h"

// Names looked at for hints.
#define SOM_COMPILE_MOST_HINTS 256

// A number of a range, or a parameter: a value, a joint or a part.
typedef struct SomBinding {
    SomStr name;
    SomParameterKind kind;
    SomValue value;
    int part;      // that is meant, or the module of the joint
    SomStr member; // the joint, by the name that was written
} SomBinding;

// A behavior being unfolded.
typedef struct SomUnfolding {
    int part;
    int file; // whose lets are seen; -1: none
    const SomSyntax *tree;
    int behavior; // -1: what was called from outside
    SomStr path;  // of the behavior
    SOM_ARRAY(SomBinding) bindings;
    struct SomUnfolding *around;
    int depth; // unfoldings around it
    SomSpan call;
} SomUnfolding;

typedef struct SomCompiler {
    SomWorkspace *workspace;
    const SomConfiguration *configuration;
    SomDiagnostics *diags;
    SomReportedPlaces *reported;
    SomReportedPlaces own_reported;
    SomInputSettings *settings; // NULL: none
    SomGraphBuilder *builder;
    SomUnfolding *unfolding; // the innermost
    bool *is_unfolded;       // by behavior, whether it is being unfolded; NULL: few are
    SomArena arena;
    SOM_ARRAY(SomStr) symbols[SOM_SYMBOL_KINDS];
    int64_t steps_left;
    int64_t *shared_steps; // where the rest goes; NULL
    int actions;
    int depth;
    SomNode from; // of the repetition whose series comes next; 0: none
    int first;    // step of it
    SomSpan from_span;
    uint32_t own_source1; // of the user's file; 0: not known
    bool is_folding;      // inside a call whose errors become one
    bool has_failed;
    bool is_too_large;
} SomCompiler;

// ---- compile_scope.c

__attribute__((format(printf, 4, 5))) bool
som_compiler_report(SomCompiler *c, SomCode code, SomSpan span, const char *format, ...);

// "text 'wrong'; did you mean 'near'?", with the fix.
void som_compiler_report_unknown(SomCompiler *c, SomCode code, SomSpan span, const char *text,
                                 SomStr wrong, const SomStr *names, int count);

SomSpan som_compiler_span(const SomCompiler *c, SomNode node); // in the text of the unfolding
SomStr som_compiler_name(SomCompiler *c, SomNode name);        // quotes removed

bool som_compiler_find_value(SomCompiler *c, SomStr name, SomValue *value);
SomEvaluator som_compiler_evaluator(SomCompiler *c);
SomValue som_compiler_evaluate(SomCompiler *c, SomNode node);

// False after a report.
bool som_compiler_quantity(SomCompiler *c, SomNode node, SomDimension wanted, double *number);
bool som_compiler_time(SomCompiler *c, SomNode node, double *seconds); // not negative
bool som_compiler_whole(SomCompiler *c, SomNode node, int low, int high, int *whole);

void som_compiler_bind(SomCompiler *c, SomStr name, SomValue value);
void som_compiler_unbind(SomCompiler *c, int count); // leaves this many

// The innermost binding of a name, if it stands for a joint or part; else NULL.
const SomBinding *som_compiler_find_place_binding(SomCompiler *c, SomStr name);

// ---- compile_argument.c

// Puts the values of a behavior's parameters into the bindings of `inner`, those that are not given
// from their defaults. `list` is an ARGUMENTS node of the unfolding, or 0.
bool som_compiler_pass(SomCompiler *c, SomUnfolding *inner, SomNode list, SomSpan call);

// Does a behavior have parameters that stand for joints or parts?
bool som_compiler_takes_places(const SomCompiler *c, int behavior);

// ---- compile_place.c

typedef struct SomPlaced {
    int part;       // as far as parts go
    SomNode member; // the name behind the last part; 0: none
    SomStr name;
    SomStr path; // of the member, or of the part
} SomPlaced;

typedef struct SomMover {
    int dof;
    SomAlias alias;
    const SomModuleJoint *joint;
    SomStr path;    // with the name that was written: the joint's or the alias's
    double timeout; // of its type; 0: none
} SomMover;

bool som_compiler_follow(SomCompiler *c, SomNode place, SomPlaced *placed);
bool som_compiler_find_dof(SomCompiler *c, SomNode place, SomMover *mover);
SomMover som_compiler_mover(const SomCompiler *c, int dof);
bool som_compiler_find_part(SomCompiler *c, SomNode place, int *part);
bool som_compiler_find_pose(SomCompiler *c, int part, SomNode place, int *pose);
bool som_compiler_find_behavior(SomCompiler *c, SomNode place, int *behavior);
bool som_compiler_find_dock(SomCompiler *c, SomNode place, int *dock);
// By its connectors.
bool som_compiler_find_dock_between(SomCompiler *c, SomNode a, SomNode b, int *dock);
bool som_compiler_is_dof(SomCompiler *c, SomStr name); // of the unfolding's part

SomDimension som_mover_dimension(const SomMover *mover); // angle or length
SomDimension som_mover_speed_dimension(const SomMover *mover);
SomDimension som_mover_effort_dimension(const SomMover *mover);

// ---- compile_condition.c

// What a condition may ask about the action it ends.
typedef struct SomConditionOf {
    const SomMover *mover; // NULL: no target
    double tolerance;
    double course_end; // seconds until a course is over; 0: it is no course
} SomConditionOf;

// Whether an expression asks for what is only known while the behavior runs.
bool som_compiler_is_sensed(SomCompiler *c, SomNode expression);

// The index in the graph, SOM_NONE after a report.
int som_compiler_condition(SomCompiler *c, SomNode expression, SomConditionOf of);

// The index of a name, which is added if it is new.
int som_compiler_symbol(SomCompiler *c, SomSymbolKind kind, SomStr name);

// ---- compile_input.c

// The symbol and type of an input, with its source. False after a report.
bool som_compiler_input(SomCompiler *c, SomNode place, int *symbol, const SomParameter **type);

// Reports what is wrong with the inputs that the configuration itself declares.
void som_compiler_check_inputs(SomCompiler *c);

// ---- compile_action.c

// Each of these adds exactly one node.
void som_compiler_move(SomCompiler *c, SomNode node);
void som_compiler_to_pose(SomCompiler *c, SomNode node);
void som_compiler_hold(SomCompiler *c, SomNode node);
void som_compiler_wait(SomCompiler *c, SomNode node);
void som_compiler_docking(SomCompiler *c, SomNode node);
void som_compiler_nothing(SomCompiler *c, SomNode node); // where something was wrong
void som_compiler_add(SomCompiler *c, const SomAction *action, SomNode node);
// An action of a joint, which is called as the mover has it.
void som_compiler_add_move(SomCompiler *c, const SomAction *action, const SomMover *mover,
                           SomNode node);

typedef struct SomClauses {
    SomNode until, within, timeout, at, during, latch; // the expressions; 0: not there
} SomClauses;

SomClauses som_compiler_clauses(SomCompiler *c, SomNode node);

// A trajectory of one DoF, of at least one keyframe, with the clauses. Values that exceed a limit
// by rounding only are set to it.
void som_compiler_add_course(SomCompiler *c, SomNode node, const SomClauses *clauses,
                             const SomMover *mover, SomKeyframe *frames, int count);

// Reports a clause that means nothing here.
void som_compiler_refuse(SomCompiler *c, SomNode clause, const char *words);

// ---- compile_table.c

void som_compiler_table(SomCompiler *c, SomNode node);

// A table of an input: the column of its name, or the only one beside the time.
typedef struct SomInputTable {
    const SomParameter *type;
    SomStr text;
    uint32_t source1;
    SomSpan named; // where the user names the table
} SomInputTable;

typedef SOM_ARRAY(SomKeyframe) SomKeyframes;

bool som_compiler_input_table(SomCompiler *c, const SomInputTable *table, SomKeyframes *frames);

// ---- compile_flow.c

void som_compiler_action(SomCompiler *c, SomNode node);
void som_compiler_unfold(SomCompiler *c, int behavior, SomNode list, SomNode call);
