// compose/resolve_internal.h - what the files of the resolver, from text to builder calls, share.
//
// resolve.c chooses what to compose; resolve_target.c reads what a reference means; resolve_part.c
// unfolds configs into parts, resolve_let.c lets that name these; resolve_scope.c finds values of
// names; resolve_place.c goes along places; resolve_pose.c reads poses and the base.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/builder.h"
#include "compose/value.h"
#include "compose/workspace_internal.h"

// All that composing one design may take: one for a node of an expression or a number of a range,
// more for what needs memory.
#define SOM_MAX_COMPOSE_STEPS 20000000
#define SOM_STEPS_OF_A_PART 40
#define SOM_STEPS_OF_A_VALUE 20 // of a pose, and of a connection

// Lets that need lets, deeper than anybody writes.
#define SOM_MAX_LET_DEPTH 200

// Names looked at for hints.
#define SOM_MAX_HINTS 512

// What a part was made of.
typedef struct SomPartSource {
    SomDefinitionKind kind;
    int file;
    int index; // of the config, robot or type in its file
} SomPartSource;

typedef enum SomLetState { SOM_LET_UNKNOWN, SOM_LET_COMPUTING, SOM_LET_KNOWN } SomLetState;

typedef struct SomLetValue {
    SomLetState state;
    SomValue value;
} SomLetValue;

// A config being unfolded.
typedef struct SomInstance {
    int file;
    int config;
    const SomConfigInfo *info;
    const SomLocals *locals;
    SomLetValue *values; // parameters, then lets, by their index
    int part;
    struct SomInstance *around; // whose part it is; NULL for the whole
    SomSpan span;               // where it was asked for
} SomInstance;

typedef struct SomResolver {
    SomWorkspace *workspace;
    SomDiagnostics *diags;
    SomBuilder *builder;
    int64_t steps_given; // of those that the workspace has left
    int64_t steps_left;
    SOM_ARRAY(SomPartSource) sources; // by part
    int let_depth;
    int failures; // so often something was left out, for reasons that were reported
    bool is_too_large;
    bool is_cut;     // parts were left out because there were too many
    bool is_endless; // a config contains itself without end, which was reported
} SomResolver;

static inline void som_resolver_fail(SomResolver *r) {
    r->failures++;
}

// Where names of an expression are looked up: a loop's variable, the instance's parameters and
// lets, the file's lets.
typedef struct SomScope {
    SomResolver *r;
    int file;
    const SomSyntax *tree; // NULL: that of the file
    SomInstance *instance; // NULL in a file
    SomStr loop_name;      // empty if there is none
    double loop_value;
} SomScope;

// ---- resolve_scope.c

static inline const SomSyntax *som_scope_tree(const SomScope *scope) {
    return scope->tree != NULL ? scope->tree
                               : scope->r->workspace->files.data[scope->file]->file.tree;
}

// The evaluator of the scope, which must outlive it.
SomEvaluator som_scope_evaluator(SomScope *scope);

// Evaluates, and checks the dimension or form. False after a report.
bool som_scope_quantity(SomScope *scope, SomNode node, SomDimensionName wanted, double *number);
bool som_scope_whole(SomScope *scope, SomNode node, int low, int high, int *whole);

// A value for a parameter: of its type, or SOM_VALUE_NONE after a report at `node` of the scope.
SomValue som_scope_parameter(SomScope *scope, const SomParameter *parameter, SomNode node);

// Evaluates all parameters that were not given and all lets, so that every error is found.
void som_instance_evaluate(SomResolver *r, SomInstance *instance);
void som_file_evaluate(SomResolver *r, int file);
SomValue som_file_value(SomResolver *r, int file, int let);

// Calls `body` with the scope's loop variable at every number of a FOR node that its condition
// allows; once, as it is, if `loop` is 0.
void som_scope_repeat(SomScope *scope, SomNode loop, void (*body)(SomScope *scope, void *context),
                      void *context);

SomStr som_scope_name(SomScope *scope, SomNode name);

// Reports at a place of the scope's text, once; something is left out then.
__attribute__((format(printf, 4, 5))) bool som_scope_report(SomScope *scope, SomCode code,
                                                            SomSpan span, const char *format, ...);

// Was this reported already, so that no hints need to be looked for? Something is left out then.
bool som_scope_is_reported(SomScope *scope, SomCode code, SomSpan span);

// Are hints worth looking for? Not where so much is wrong that nobody will see them.
static inline bool som_scope_wants_hints(const SomScope *scope) {
    return scope->r->workspace->reported.count < SOM_MAX_KEPT_DIAGNOSTICS;
}

// Reports with the nearest of `names` offered. `text` goes before the wrong name: "there is no
// part".
void som_scope_report_unknown(SomScope *scope, SomCode code, SomSpan span, const char *text,
                              SomStr wrong, const SomStr *names, int count);

// ---- resolve_source.c: what the text of a config, robot or module type says

// Is something wrong with the text, or its module type unknown? Then names in it may be missing.
// NULL if there is none.
const SomConfigBehavior *som_source_find_behavior(SomWorkspace *workspace, SomPartSource source,
                                                  SomStr name);
bool som_source_is_damaged(SomWorkspace *workspace, SomPartSource source);

// The ITEM node of a config's part; 0 if there is none of this name.
SomNode som_source_find_item(SomWorkspace *workspace, SomPartSource source, SomStr name);

// What a part of it is; false if there is none of this name, or it is made of nothing known.
bool som_source_find_part(SomWorkspace *workspace, SomPartSource source, SomStr name,
                          SomPartSource *part);

// The module type, also of a config that is a module itself; NULL if it is none.
const SomModuleType *som_source_type(SomWorkspace *workspace, SomPartSource source);

bool som_source_has(SomWorkspace *workspace, SomPartSource source, int kind, SomStr name);

// A let of a config that names a joint or part; NULL if there is none of this name.
const SomLocal *som_source_find_let(SomWorkspace *workspace, SomPartSource source, SomStr name);

// What such a let names.
typedef struct SomLetTarget {
    SomPartSource source; // of the part, or of the module of the joint
    SomStr joint;         // empty: the part
} SomLetTarget;

// False if it names nothing, which composing reports.
bool som_source_follow_let(SomWorkspace *workspace, SomPartSource source, const SomLocal *let,
                           SomLetTarget *target);

// Names it has, at most `max`. Return how many.
int som_source_parts(SomWorkspace *workspace, SomPartSource source, SomStr *names, int max);
int som_source_names(SomWorkspace *workspace, SomPartSource source, int kind, SomStr *names,
                     int max);

// ---- resolve_action.c

// Reports names in the behaviors of a config that nothing has.
void som_resolve_behaviors(SomResolver *r, int file, int config);

// ---- resolve_target.c

// The part that a REFERENCE asks for, in the open part.
typedef struct SomTarget {
    SomPartSource source;
    SomLetValue *arguments; // of a config, by parameter; freed by the caller
} SomTarget;

bool som_resolve_target(SomScope *scope, SomNode reference, SomTarget *target);

// The definition a name means, and its file; NULL after a report.
const SomDefinition *som_resolve_definition(SomScope *scope, SomNode name_node, unsigned kinds,
                                            int *file);

SomStr som_resolve_source_name(const SomResolver *r, SomPartSource source);

// ---- resolve_part.c

// Fills the open part with what the target is.
void som_resolve_fill(SomResolver *r, SomInstance *around, const SomTarget *target, SomSpan span);

// ---- resolve_place.c

// A place that was followed as far as parts go.
typedef struct SomFollowed {
    int part;
    SomNode member; // the name behind the last part: a connector, joint or pose; 0 if none
    SomStr name;    // of the member; of a let that names a joint the name of that joint
} SomFollowed;

// False after a report.
bool som_resolve_follow(SomScope *scope, SomNode place, SomFollowed *followed);

// A module and its connector; -1 where none is named and `is_optional`.
bool som_resolve_connector(SomScope *scope, SomNode place, bool is_optional, int *module,
                           int *connector);
bool som_resolve_joint(SomScope *scope, SomNode place, int *module, int *joint, SomAlias *alias);
bool som_resolve_module(SomScope *scope, SomNode place, int *module);
bool som_resolve_pose(SomScope *scope, SomNode place, int *pose);

// ---- resolve_let.c

// Adds the lets of the instance that name joints and parts, after its parts.
void som_resolve_places(SomScope *scope);

// ---- resolve_pose.c

void som_resolve_pose_statement(SomScope *scope, SomNode node);
void som_resolve_start(SomScope *scope, SomNode node);
void som_resolve_base(SomScope *scope, SomNode node);
void som_resolve_verify(SomScope *scope, SomNode node);
