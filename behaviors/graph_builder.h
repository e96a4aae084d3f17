// behaviors/graph_builder.h - puts together the compiled graph of a behavior.
//
//     SomGraphBuilder *b = som_graph_builder_create();
//     int tilt = som_graph_builder_add_symbol(b, SOM_SYMBOL_DOF, SOM_STR("head.tilt"));
//     som_graph_builder_open(b, SOM_NODE_SERIES, span, path);
//     SomAction up = som_action(SOM_ACTION_POSITION, tilt, 0.7);
//     up.timeout = 3;
//     som_graph_builder_add_action(b, &up, action_span, SOM_STR("head"));
//     som_graph_builder_close(b);
//     SomActionGraph *graph = som_graph_builder_finish(b, diags); // NULL: see diags
//     som_action_graph_destroy(graph);
//
// Nodes are given in the order of reading: open, its children, close. What a user can cause
// (values, depth, a repetition of nothing) is reported by finish, all of it with its place; opening
// without closing, two roots or an unknown index is a mistake of the programmer.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "behaviors/graph_origin.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomGraphBuilder SomGraphBuilder;

SomGraphBuilder *som_graph_builder_create(void);
void som_graph_builder_destroy(SomGraphBuilder *builder); // NULL is allowed

// Returns its index among those of its kind. Names need not differ.
int som_graph_builder_add_symbol(SomGraphBuilder *builder, SomSymbolKind kind, SomStr name);

// Where an input gets its value from; its keyframes are those of the builder. `topic` is the name
// of one.
void som_graph_builder_set_source(SomGraphBuilder *builder, int input, SomInputSource source,
                                  SomStr topic);

// Returns the index of the condition. The program is copied.
int som_graph_builder_add_condition(SomGraphBuilder *builder, const SomInstruction *program,
                                    int count);

// Of the condition added before: `count` instructions from its `at`-th on are the value of a joint,
// which is called by an alias there. In rising order.
void som_graph_builder_set_operand(SomGraphBuilder *builder, int at, int count, int dof,
                                   SomStr path, SomAlias alias);

// Returns the index of the first. Copied; several actions may follow the same ones.
int som_graph_builder_add_keyframes(SomGraphBuilder *builder, const SomKeyframe *keyframes,
                                    int count);

// The file that the user has opened: where messages about the graph are placed first.
void som_graph_builder_set_own(SomGraphBuilder *builder, uint32_t source1);

// All nodes up to the matching leave are written in this behavior, which a statement runs. A span
// without a source: it is run from outside. `has_values`: with arguments.
void som_graph_builder_enter(SomGraphBuilder *builder, SomSpan call, SomStr behavior,
                             bool has_values);
void som_graph_builder_leave(SomGraphBuilder *builder);

// Opens a series, parallel, any or choose. The path names the instance it belongs to ("leg[2]").
void som_graph_builder_open(SomGraphBuilder *builder, SomNodeKind kind, SomSpan span, SomStr path);

// Opens a repetition of one child. `until` is a condition or SOM_NONE.
void som_graph_builder_open_repeat(SomGraphBuilder *builder, int passes, int until, SomSpan span,
                                   SomStr path);
void som_graph_builder_close(SomGraphBuilder *builder);

int som_graph_builder_children(const SomGraphBuilder *builder); // of the open node, so far

// The open node begins with its child `first`, from 0, those before it come last.
void som_graph_builder_rotate(SomGraphBuilder *builder, int first);

// Of the node that comes next, which is a branch of choose.
void som_graph_builder_set_guard(SomGraphBuilder *builder, int condition);

// The name that the next action uses for its joint. Without it, the joint's own.
void som_graph_builder_set_name(SomGraphBuilder *builder, int dof, SomStr path, SomAlias alias);

// Returns the index of its node.
int som_graph_builder_add_action(SomGraphBuilder *builder, const SomAction *action, SomSpan span,
                                 SomStr path);

// The graph, which has passed som_graph_check, or NULL and reports. The builder is empty
// afterwards, but for its symbols, and can be used again.
SomActionGraph *som_graph_builder_finish(SomGraphBuilder *builder, SomDiagnostics *diags);
void som_action_graph_destroy(SomActionGraph *graph); // NULL is allowed

// The place of a node as a span for reports.
SomSpan som_graph_span(const SomActionGraph *graph, int32_t node);

#ifdef __cplusplus
}
#endif
