// behaviors/graph_origin.h - where the nodes of a compiled behavior come from in the text, for
// messages: which statements run the behavior a node is written in, and by which name a joint is
// called there.
//
//     SomSpan span = som_graph_user_span(graph, node);     // first: the user's own line
//     som_graph_note_calls(graph, node, words, diags);     // then: where it comes from
//
// A user opens one file. What happens in a behavior of another file, as of the library, was caused
// by the statement of their file that runs it: that is the place of a report, and the way from
// there to the node are its notes. The player does not read any of this; graphs that were read
// from text have no origin, and everything here falls back to their places.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "modules/module_type.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// A behavior that is run.
typedef struct SomGraphCall {
    SomSpan span;      // of the statement that runs it; source1 0: it was run from outside
    uint32_t behavior; // its path, an offset in the graph's text
    int32_t around;    // the call in whose behavior the statement is written; SOM_NONE: in none
    bool has_values;   // it gives the behavior arguments
} SomGraphCall;

// The name an action uses for its joint: the joint's own or an alias, with its convention.
typedef struct SomGraphJointName {
    uint32_t path; // offset in the origin's text; 0: that of the joint
    double sign;   // value as written = sign * (value - zero)
    double zero;
} SomGraphJointName;

// A joint that a condition asks for by an alias: the instructions that make its value.
typedef struct SomGraphOperand {
    int32_t first; // instruction; the one that names the joint
    int32_t count;
    uint32_t path; // as it is written, an offset in the origin's text
} SomGraphOperand;

typedef struct SomGraphOrigin {
    uint32_t own_source1;            // of the user's file; 0: not known
    const int32_t *call_of;          // one per node, SOM_NONE: written outside of behaviors
    const SomGraphCall *calls;       // each after the one around it
    const SomGraphJointName *names;  // one per action
    const SomGraphOperand *operands; // of conditions, by instruction
    const char *text;                // of these, each terminated
    int32_t call_count;
    int32_t operand_count;
} SomGraphOrigin;

// The innermost statement of the user's own file that leads to the node, or is the node; if none
// does, the outermost statement that does.
SomSpan som_graph_user_span(const SomActionGraph *graph, int32_t node);

// Likewise of two nodes that conflict. If it is one statement of a behavior that runs twice: the
// two statements of the user that run it, as far outwards as they differ.
void som_graph_user_spans(const SomActionGraph *graph, int32_t first, int32_t second,
                          SomSpan spans[2]);

// A statement on the way from the node outwards.
typedef struct SomGraphStep {
    SomSpan span;
    const char *behavior; // in which it is written; "" if in none
    bool is_user;         // som_graph_user_span is this one
    bool is_beyond;       // farther out than that one
    bool decides;         // what the node does depends on it: it gives arguments, or leads to a
                          // relative move, which starts where others have led
} SomGraphStep;

// The node itself and the statements that run what it is written in, as many as fit; returns how
// many there are. Statements that have no place are left out.
int som_graph_steps(const SomActionGraph *graph, int32_t node, SomGraphStep *steps, int max);

// The step in words: "WORDS here, in behavior 'a.walk'" for the node itself, which is step 0, and
// "called from here, in behavior 'b'". False for a step that adds nothing: the user's line and,
// beyond it, statements that do not decide what the node does.
bool som_graph_step_print(const SomGraphStep *steps, int index, const char *words, SomText *out);

// The largest source1 of all places.
uint32_t som_graph_last_source(const SomActionGraph *graph);

// Steps that messages show; a chain of calls may be as long as behaviors are nested.
#define SOM_GRAPH_SHOWN_STEPS 8

// Adds the steps as notes.
void som_graph_note_calls(const SomActionGraph *graph, int32_t node, const char *words,
                          SomDiagnostics *diags);

// The path by which an action calls its joint: as it is written, or the joint's own. `alias` gets
// its convention; NULL is allowed.
const char *som_graph_joint_name(const SomActionGraph *graph, int32_t node, SomAlias *alias);

// The path by which a condition calls the joint that an instruction asks for, if that is an alias,
// and how many instructions make its value; else NULL.
const char *som_graph_operand_name(const SomActionGraph *graph, int32_t instruction,
                                   int32_t *count);

#ifdef __cplusplus
}
#endif
