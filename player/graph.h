// player/graph.h - a behavior, compiled: what the player plays. Flat arrays, indices, no pointers
// between nodes, never changed after it was checked.
//
//     SomGraphFault fault = som_graph_check(&graph);       // before anything else looks at it
//     for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) ...
//
// Nodes lie in the order of a depth-first walk: a node's first child follows it, `end` is one after
// the last node below it, so the children are node + 1, then the end of that one, and so on; node 0
// is the root. The order of actions in this array is the order in which the player looks at them.
//
// The graph borrows all its memory. som_graph_check passes only graphs with which the player and
// everything above it stays in bounds, whoever made them; it needs no memory and no recursion.
// behaviors/graph_builder.h makes graphs, player/graph_text.h reads and writes them as text;
// docs/semantics.md says exactly what they mean.
//
// Everything in player/ is C99, needs libc and libm alone, and allocates, prints and aborts never.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_NONE (-1)                  // no condition, no parent, no DoF
#define SOM_FOREVER (-1)               // passes of a repetition
#define SOM_NO_TIME ((double)INFINITY) // no duration, no time-out

// Far beyond what a robot needs, small enough that a hostile graph cannot ask for gigabytes.
#define SOM_GRAPH_MOST 4194304      // of each array
#define SOM_GRAPH_MOST_DEPTH 4096   // nodes above one another
#define SOM_CONDITION_MOST_DEPTH 32 // values a condition has in hand at once
#define SOM_GRAPH_MOST_VALUE 1e9    // of positions, speeds, tolerances and times of keyframes
#define SOM_TIME_SLACK 1e-9         // seconds by which a duration may be short, for rounding

typedef enum SomNodeKind {
    SOM_NODE_SERIES,   // its children one after the other
    SOM_NODE_PARALLEL, // all at once, until all have ended
    SOM_NODE_ANY,      // all at once, until the first has ended; the others are cancelled
    SOM_NODE_REPEAT,   // its child again and again
    SOM_NODE_CHOOSE,   // the first child whose guard holds
    SOM_NODE_ACTION,
    SOM_NODE_KINDS,
} SomNodeKind;

typedef struct SomGraphNode {
    int32_t parent; // SOM_NONE for the root
    int32_t end;    // one after the last node below
    int32_t index;  // of its action; of a repetition the number of passes or SOM_FOREVER; else 0
    int32_t until;  // of a repetition: a condition tested after each pass, or SOM_NONE
    int32_t guard;  // of a child of choose: a condition, or SOM_NONE: always
    uint8_t kind;   // SomNodeKind
    uint8_t is_instant; // it may end in the tick in which it starts (som_graph_mark_instant)
} SomGraphNode;

typedef enum SomActionKind {
    SOM_ACTION_POSITION, // DoF to value
    SOM_ACTION_RELATIVE, // DoF by value
    SOM_ACTION_VELOCITY, // DoF spin value
    SOM_ACTION_FOLLOW,   // DoF along keyframes
    SOM_ACTION_HOLD,     // DoF stays where it is; ends at once
    SOM_ACTION_WAIT,
    SOM_ACTION_CONNECT,    // a dock
    SOM_ACTION_DISCONNECT, // a dock
    SOM_ACTION_KINDS,
} SomActionKind;

// Made by som_action, which fills in the defaults.
typedef struct SomAction {
    double value;     // radian or metre, or these per second
    double speed;     // of the way to a position; 0: as fast as the host likes
    double tolerance; // arrived when nearer than this
    double duration;  // seconds; it then ends as planned. SOM_NO_TIME: none
    double timeout;   // seconds; it then has failed to end otherwise. SOM_NO_TIME: none
    int32_t target;   // DoF, or dock, or SOM_NONE
    int32_t until;    // condition; SOM_NONE: arrival, where the kind has one
    int32_t first_keyframe;
    int32_t keyframe_count;
    uint8_t kind; // SomActionKind
} SomAction;

typedef struct SomKeyframe {
    double time; // seconds after the start
    double value;
} SomKeyframe;

typedef enum SomInstructionKind {
#define SOM_INSTRUCTION(name, word, takes, operand) SOM_INSTRUCTION_##name,
#include "player/instructions.inc"
#undef SOM_INSTRUCTION
    SOM_INSTRUCTION_KINDS,
} SomInstructionKind;

// One step of a condition, in postfix order. `value` is that of NUMBER, `index` a DoF, contact,
// input or dock.
typedef struct SomInstruction {
    double value;
    int32_t index;
    uint8_t kind; // SomInstructionKind
} SomInstruction;

typedef struct SomCondition {
    int32_t first; // instruction
    int32_t count;
} SomCondition;

// Where a node was written, so that a finding can mark the text: source1, begin and end as in a
// SomSpan of base/diagnostic.h, and an instance path as an offset in the graph's text.
typedef struct SomGraphPlace {
    uint32_t source1;
    uint32_t begin;
    uint32_t end;
    uint32_t path;
} SomGraphPlace;

typedef enum SomSymbolKind {
    SOM_SYMBOL_DOF,
    SOM_SYMBOL_CONTACT, // links whose contact is sensed
    SOM_SYMBOL_INPUT,   // sensors of the user
    SOM_SYMBOL_DOCK,
    SOM_SYMBOL_KINDS,
} SomSymbolKind;

// Where the value of an input comes from, if the host does not give it.
typedef enum SomSourceKind {
    SOM_SOURCE_UNKNOWN,  // 0 until the host gives it
    SOM_SOURCE_CONSTANT, // `low`
    SOM_SOURCE_TABLE,    // on straight lines between keyframes
    SOM_SOURCE_STEPS,    // of the last keyframe
    SOM_SOURCE_RANGE,    // anything from `low` to `high`; `low` until the host gives it
    SOM_SOURCE_TOPIC,    // what is received; 0 until then
    SOM_SOURCE_KINDS,
} SomSourceKind;

typedef struct SomInputSource {
    double low, high;
    int32_t first_keyframe; // times of the behavior
    int32_t keyframe_count;
    uint32_t topic; // offset of its name in the graph's text; 0: none
    uint8_t kind;   // SomSourceKind
} SomInputSource;

typedef struct SomActionGraph {
    const SomGraphNode *nodes;
    const SomAction *actions;
    const SomKeyframe *keyframes;
    const SomCondition *conditions;
    const SomInstruction *instructions;
    const SomGraphPlace *places; // one a node, or NULL
    const char *text;            // names and paths, each terminated
    // offsets of the names in `text`, by kind of symbol; NULL: they have none
    const uint32_t *names[SOM_SYMBOL_KINDS];
    const SomInputSource *sources;          // one an input; NULL: all are unknown
    int32_t symbol_count[SOM_SYMBOL_KINDS]; // how many DoFs, contacts, inputs, docks the host has
    int32_t node_count;
    int32_t action_count;
    int32_t keyframe_count;
    int32_t condition_count;
    int32_t instruction_count;
    int32_t text_length; // with the last terminator
    // calls and names of the text it was compiled from (behaviors/graph_origin.h), for messages;
    // NULL if not known. Nothing in player/ reads it
    const struct SomGraphOrigin *origin;
} SomActionGraph;

typedef enum SomGraphFaultKind {
#define SOM_GRAPH_FAULT(name, words) SOM_GRAPH_FAULT_##name,
#include "player/graph_faults.inc"
#undef SOM_GRAPH_FAULT
} SomGraphFaultKind;

typedef struct SomGraphFault {
    SomGraphFaultKind kind;
    int32_t index; // of the node, action, keyframe, condition or name; SOM_NONE
    int32_t line;  // of a text, from 1; else 0
} SomGraphFault;

// Looks at everything. Whatever passes can be played, printed and walked without further checks.
SomGraphFault som_graph_check(const SomActionGraph *graph);
const char *som_graph_fault_words(SomGraphFaultKind kind);

// Fills in is_instant of all nodes, which otherwise are complete. For who makes graphs. `actions`
// must hold every index.
void som_graph_mark_instant(SomGraphNode *nodes, int32_t count, const SomAction *actions,
                            int32_t action_count);

// An action without end but that of its kind: SOM_NO_TIME, no condition, speed 0, tolerance 0.02.
SomAction som_action(SomActionKind kind, int32_t target, double value);

// What the action commands: an index of DoFs followed by docks, SOM_NONE for a wait.
int32_t som_graph_resource(const SomActionGraph *graph, const SomAction *action);

// "" where it has none.
const char *som_graph_name(const SomActionGraph *graph, SomSymbolKind kind, int32_t index);
const char *som_graph_path(const SomActionGraph *graph, int32_t node);

// On the straight line between two keyframes; before the first and after the last as these.
double som_keyframes_at(const SomKeyframe *frames, int32_t count, double time);

// What an input is at a time of the behavior, as far as its source says.
SomInputSource som_graph_source(const SomActionGraph *graph, int32_t input);
double som_graph_input(const SomActionGraph *graph, int32_t input, double time);
// The source gives one value at every time, so that nobody else needs to.
bool som_source_is_known(SomInputSource source);
// From this time on it stays as it is; 0 of all but tables.
double som_graph_input_end(const SomActionGraph *graph, int32_t input);
const char *som_source_word(SomSourceKind kind); // "constant"; "" of what is unknown
// "" where it has none.
const char *som_graph_topic(const SomActionGraph *graph, int32_t input);

typedef enum SomOperand {
    SOM_OPERAND_NOTHING,
    SOM_OPERAND_NUMBER,
    SOM_OPERAND_DOF,
    SOM_OPERAND_CONTACT,
    SOM_OPERAND_INPUT,
    SOM_OPERAND_DOCK,
} SomOperand;

typedef struct SomInstructionInfo {
    const char *word;
    int32_t takes; // values
    SomOperand operand;
} SomInstructionInfo;

SomInstructionInfo som_instruction_info(SomInstructionKind kind);

#ifdef __cplusplus
}
#endif
