// SPDX-License-Identifier: Apache-2.0
#include "behaviors/graph_builder.h"

#include "base/codes/behaviors_codes.h"
#include "base/memory.h"

#include <assert.h>

#define MOST_REPORTS 20 // of one graph

struct SomGraphBuilder {
    SOM_ARRAY(SomGraphNode) nodes;
    SOM_ARRAY(SomGraphPlace) places;
    SOM_ARRAY(SomAction) actions;
    SOM_ARRAY(int32_t) node_of_action;
    SOM_ARRAY(SomKeyframe) keyframes;
    SOM_ARRAY(SomInputSource) sources; // of the first inputs
    SOM_ARRAY(SomCondition) conditions;
    SOM_ARRAY(SomInstruction) instructions;
    SOM_ARRAY(uint32_t) names[SOM_SYMBOL_KINDS];
    SomText text;
    int32_t open;
    int32_t guard;
    uint32_t last_path;         // neighbours often share theirs
    SOM_ARRAY(int32_t) call_of; // by node
    SOM_ARRAY(SomGraphCall) calls;
    SOM_ARRAY(SomGraphJointName) joint_names; // by action
    SOM_ARRAY(SomGraphJointName) named;       // by DoF, the latest
    SOM_ARRAY(SomGraphOperand) operands;
    SomText name_text;
    SomGraphJointName name; // of the next action
    int32_t call;           // the innermost
    uint32_t own_source1;
};

SomGraphBuilder *som_graph_builder_create(void) {
    SomGraphBuilder *b = som_alloc(sizeof *b);
    b->open = b->guard = b->call = SOM_NONE;
    som_text_add_char(&b->text, '\0', 1);
    return b;
}

static void clear(SomGraphBuilder *b) {
    som_array_free(&b->nodes);
    som_array_free(&b->places);
    som_array_free(&b->actions);
    som_array_free(&b->node_of_action);
    som_array_free(&b->keyframes);
    som_array_free(&b->sources);
    som_array_free(&b->conditions);
    som_array_free(&b->instructions);
    som_array_free(&b->call_of);
    som_array_free(&b->calls);
    som_array_free(&b->joint_names);
    som_array_free(&b->named);
    som_array_free(&b->operands);
    som_text_free(&b->name_text);
    b->open = b->guard = b->call = SOM_NONE;
}

void som_graph_builder_destroy(SomGraphBuilder *b) {
    if (b == NULL) {
        return;
    }
    clear(b);
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        som_array_free(&b->names[kind]);
    }
    som_text_free(&b->text);
    som_free(b);
}

// ---- pieces

// A name ends at its first zero byte, as everything in C.
static uint32_t add_text(SomGraphBuilder *b, SomStr text) {
    if (text.length == 0) {
        return 0;
    }
    uint32_t offset = (uint32_t)b->text.length;
    som_text_add(&b->text, text);
    som_text_add_char(&b->text, '\0', 1);
    return offset;
}

static uint32_t add_path(SomGraphBuilder *b, SomStr path) {
    if (!som_str_equal(som_str(b->text.data + b->last_path), path)) {
        b->last_path = add_text(b, path);
    }
    return b->last_path;
}

int som_graph_builder_add_symbol(SomGraphBuilder *b, SomSymbolKind kind, SomStr name) {
    uint32_t offset = add_text(b, name);
    som_array_push(&b->names[kind], offset);
    return b->names[kind].count - 1;
}

void som_graph_builder_set_source(SomGraphBuilder *b, int input, SomInputSource source,
                                  SomStr topic) {
    while (b->sources.count <= input) {
        som_array_push(&b->sources, ((SomInputSource){.kind = SOM_SOURCE_UNKNOWN}));
    }
    source.topic = source.kind == SOM_SOURCE_TOPIC ? add_text(b, topic) : 0;
    b->sources.data[input] = source;
}

int som_graph_builder_add_condition(SomGraphBuilder *b, const SomInstruction *program, int count) {
    SomCondition condition = {b->instructions.count, count};
    for (int i = 0; i < count; i++) {
        som_array_push(&b->instructions, program[i]);
    }
    som_array_push(&b->conditions, condition);
    return b->conditions.count - 1;
}

int som_graph_builder_add_keyframes(SomGraphBuilder *b, const SomKeyframe *keyframes, int count) {
    int first = b->keyframes.count;
    for (int i = 0; i < count; i++) {
        som_array_push(&b->keyframes, keyframes[i]);
    }
    return first;
}

// ---- where it comes from

void som_graph_builder_set_own(SomGraphBuilder *b, uint32_t source1) {
    b->own_source1 = source1;
}

void som_graph_builder_enter(SomGraphBuilder *b, SomSpan call, SomStr behavior, bool has_values) {
    SomGraphCall entered = {call, add_path(b, behavior), b->call, has_values};
    som_array_push(&b->calls, entered);
    b->call = b->calls.count - 1;
}

void som_graph_builder_leave(SomGraphBuilder *b) {
    assert(b->call != SOM_NONE);
    b->call = b->calls.data[b->call].around;
}

static SomGraphJointName name_joint(SomGraphBuilder *b, int dof, SomStr path, SomAlias alias) {
    while (b->named.count <= dof) {
        som_array_push(&b->named, (SomGraphJointName){0});
    }
    SomGraphJointName *name = &b->named.data[dof]; // most actions of a joint call it the same
    if (name->path == 0 || !som_str_equal(som_str(b->name_text.data + name->path), path)) {
        som_text_add_char(&b->name_text, '\0', b->name_text.length == 0);
        name->path = (uint32_t)b->name_text.length;
        som_text_add(&b->name_text, path);
        som_text_add_char(&b->name_text, '\0', 1);
    }
    name->sign = alias.sign;
    name->zero = alias.zero;
    return *name;
}

void som_graph_builder_set_name(SomGraphBuilder *b, int dof, SomStr path, SomAlias alias) {
    b->name = name_joint(b, dof, path, alias);
}

void som_graph_builder_set_operand(SomGraphBuilder *b, int at, int count, int dof, SomStr path,
                                   SomAlias alias) {
    const SomCondition *condition = &b->conditions.data[b->conditions.count - 1];
    assert(0 <= at && at + count <= condition->count);
    SomGraphOperand operand = {condition->first + at, count, name_joint(b, dof, path, alias).path};
    som_array_push(&b->operands, operand);
}

// ---- nodes

static int add_node(SomGraphBuilder *b, SomGraphNode node, SomSpan span, uint32_t path) {
    assert(b->nodes.count == 0 || b->open != SOM_NONE); // one root
    node.parent = b->open;
    node.guard = b->guard;
    node.end = b->nodes.count + 1;
    b->guard = SOM_NONE;
    SomGraphPlace place = {span.source1, span.begin, span.end, path};
    som_array_push(&b->nodes, node);
    som_array_push(&b->places, place);
    som_array_push(&b->call_of, b->call);
    if (node.kind != SOM_NODE_ACTION) {
        b->open = b->nodes.count - 1;
    }
    return b->nodes.count - 1;
}

void som_graph_builder_open(SomGraphBuilder *b, SomNodeKind kind, SomSpan span, SomStr path) {
    assert(kind != SOM_NODE_ACTION && kind != SOM_NODE_REPEAT);
    add_node(b, (SomGraphNode){.kind = (uint8_t)kind, .until = SOM_NONE}, span, add_path(b, path));
}

void som_graph_builder_open_repeat(SomGraphBuilder *b, int passes, int until, SomSpan span,
                                   SomStr path) {
    SomGraphNode node = {.kind = SOM_NODE_REPEAT, .index = passes, .until = until};
    add_node(b, node, span, add_path(b, path));
}

void som_graph_builder_close(SomGraphBuilder *b) {
    assert(b->open != SOM_NONE && b->guard == SOM_NONE);
    b->nodes.data[b->open].end = b->nodes.count;
    b->open = b->nodes.data[b->open].parent;
}

int som_graph_builder_children(const SomGraphBuilder *b) {
    int count = 0;
    for (int i = b->open + 1; i < b->nodes.count; i = b->nodes.data[i].end) {
        count++;
    }
    return count;
}

// Nodes from `begin` to before `end` go to `to`, with what they know of each other.
static void move_nodes(SomGraphBuilder *b, const SomGraphNode *nodes, const SomGraphPlace *places,
                       const int32_t *call_of, int begin, int end, int to) {
    for (int i = begin; i < end; i++) {
        SomGraphNode node = nodes[i];
        int at = i + to - begin;
        node.end += to - begin;
        node.parent += node.parent >= begin ? to - begin : 0;
        if (node.kind == SOM_NODE_ACTION) {
            b->node_of_action.data[node.index] = at;
        }
        b->nodes.data[at] = node;
        b->places.data[at] = places[i];
        b->call_of.data[at] = call_of[i];
    }
}

void som_graph_builder_rotate(SomGraphBuilder *b, int first) {
    assert(b->open != SOM_NONE);
    int begin = b->open + 1, end = b->nodes.count, split = begin;
    for (; first > 0 && split < end; first--) {
        split = b->nodes.data[split].end;
    }
    if (split == begin || split >= end) {
        return;
    }
    size_t count = (size_t)end;
    SomGraphNode *nodes = som_alloc(count * sizeof *nodes);
    SomGraphPlace *places = som_alloc(count * sizeof *places);
    int32_t *call_of = som_alloc(count * sizeof *call_of);
    memcpy(nodes, b->nodes.data, count * sizeof *nodes);
    memcpy(places, b->places.data, count * sizeof *places);
    memcpy(call_of, b->call_of.data, count * sizeof *call_of);
    move_nodes(b, nodes, places, call_of, split, end, begin);
    move_nodes(b, nodes, places, call_of, begin, split, begin + end - split);
    som_free(nodes);
    som_free(places);
    som_free(call_of);
}

void som_graph_builder_set_guard(SomGraphBuilder *b, int condition) {
    assert(b->open != SOM_NONE && b->nodes.data[b->open].kind == SOM_NODE_CHOOSE);
    b->guard = condition;
}

int som_graph_builder_add_action(SomGraphBuilder *b, const SomAction *action, SomSpan span,
                                 SomStr path) {
    SomGraphNode node = {.kind = SOM_NODE_ACTION, .index = b->actions.count, .until = SOM_NONE};
    int index = add_node(b, node, span, add_path(b, path));
    som_array_push(&b->actions, *action);
    som_array_push(&b->node_of_action, index);
    som_array_push(&b->joint_names, b->name);
    b->name = (SomGraphJointName){0};
    return index;
}

// ---- finishing

static void *copy_array(unsigned char **at, const void *data, int count, size_t size) {
    size_t bytes = (size_t)count * size;
    void *copy = *at;
    if (bytes > 0) {
        memcpy(copy, data, bytes);
    }
    *at += (bytes + 7) / 8 * 8;
    return copy;
}

static size_t origin_size(const SomGraphBuilder *b) {
    return sizeof(SomGraphOrigin) + (size_t)b->call_of.count * sizeof *b->call_of.data +
           (size_t)b->calls.count * sizeof *b->calls.data +
           (size_t)b->joint_names.count * sizeof *b->joint_names.data +
           (size_t)b->operands.count * sizeof *b->operands.data + b->name_text.length + 6 * 8;
}

static const SomGraphOrigin *copy_origin(const SomGraphBuilder *b, unsigned char **at) {
    SomGraphOrigin origin = {.own_source1 = b->own_source1,
                             .call_count = b->calls.count,
                             .operand_count = b->operands.count};
    SomGraphOrigin *copy = copy_array(at, &origin, 1, sizeof origin);
    copy->call_of = copy_array(at, b->call_of.data, b->call_of.count, sizeof *b->call_of.data);
    copy->calls = copy_array(at, b->calls.data, b->calls.count, sizeof *b->calls.data);
    copy->names =
        copy_array(at, b->joint_names.data, b->joint_names.count, sizeof *b->joint_names.data);
    copy->operands = copy_array(at, b->operands.data, b->operands.count, sizeof *b->operands.data);
    copy->text = copy_array(at, b->name_text.data, (int)b->name_text.length, 1);
    return copy;
}

// The graph and all it points to are one piece of memory.
static SomActionGraph *copy_graph(const SomGraphBuilder *b) {
    int sources = b->sources.count > 0 ? b->names[SOM_SYMBOL_INPUT].count : 0;
    size_t size = (size_t)sources * sizeof(SomInputSource) + sizeof(SomActionGraph) +
                  (size_t)b->nodes.count * sizeof *b->nodes.data +
                  (size_t)b->places.count * sizeof *b->places.data +
                  (size_t)b->actions.count * sizeof *b->actions.data +
                  (size_t)b->keyframes.count * sizeof *b->keyframes.data +
                  (size_t)b->conditions.count * sizeof *b->conditions.data +
                  (size_t)b->instructions.count * sizeof *b->instructions.data + b->text.length;
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        size += (size_t)b->names[kind].count * sizeof *b->names[kind].data;
    }
    size += origin_size(b);
    SomActionGraph *g = som_alloc(size + (size_t)(10 + SOM_SYMBOL_KINDS) * 8);
    unsigned char *at = (unsigned char *)g + (sizeof *g + 7) / 8 * 8;
    g->nodes = copy_array(&at, b->nodes.data, b->nodes.count, sizeof *b->nodes.data);
    g->places = copy_array(&at, b->places.data, b->places.count, sizeof *b->places.data);
    g->actions = copy_array(&at, b->actions.data, b->actions.count, sizeof *b->actions.data);
    g->keyframes =
        copy_array(&at, b->keyframes.data, b->keyframes.count, sizeof *b->keyframes.data);
    g->conditions =
        copy_array(&at, b->conditions.data, b->conditions.count, sizeof *b->conditions.data);
    g->instructions =
        copy_array(&at, b->instructions.data, b->instructions.count, sizeof *b->instructions.data);
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        g->names[kind] =
            copy_array(&at, b->names[kind].data, b->names[kind].count, sizeof *b->names[kind].data);
        g->symbol_count[kind] = b->names[kind].count;
    }
    SomInputSource *copies = (SomInputSource *)(void *)at;
    at += ((size_t)sources * sizeof *copies + 7) / 8 * 8;
    for (int i = 0; i < sources && i < b->sources.count; i++) { // the others are unknown
        copies[i] = b->sources.data[i];
    }
    g->sources = sources > 0 ? copies : NULL;
    g->text = copy_array(&at, b->text.data, (int)b->text.length, 1);
    g->origin = copy_origin(b, &at);
    g->node_count = b->nodes.count;
    g->action_count = b->actions.count;
    g->keyframe_count = b->keyframes.count;
    g->condition_count = b->conditions.count;
    g->instruction_count = b->instructions.count;
    g->text_length = (int32_t)b->text.length;
    return g;
}

// The first node with this condition.
static int32_t user_of(const SomGraphBuilder *b, int32_t condition) {
    for (int i = 0; i < b->nodes.count; i++) {
        const SomGraphNode *n = &b->nodes.data[i];
        if (n->until == condition || n->guard == condition ||
            (n->kind == SOM_NODE_ACTION && b->actions.data[n->index].until == condition)) {
            return i;
        }
    }
    return 0;
}

static void report_value(const SomAction *a, SomSpan span, SomDiagnostics *diags) {
    if (!(fabs(a->value) <= SOM_GRAPH_MOST_VALUE)) {
        bool is_speed = a->kind == SOM_ACTION_VELOCITY;
        som_report(diags, SOM_ACTION_VALUE, span,
                   "the %s of this action exceeds the limit of 1e9 %s, or is not a number",
                   is_speed                         ? "speed"
                   : a->kind == SOM_ACTION_RELATIVE ? "distance"
                                                    : "target",
                   is_speed ? "rad/s or m/s" : "rad or m");
    } else if (!(a->speed >= 0 && a->speed <= SOM_GRAPH_MOST_VALUE)) {
        som_report(diags, SOM_ACTION_VALUE, span,
                   "the speed of this action is not from 0 to 1e9 rad/s or m/s");
    } else if (!(a->duration >= 0) || !(a->timeout >= 0)) {
        som_report(diags, SOM_ACTION_VALUE, span, "the %s of this action is less than 0s",
                   a->timeout >= 0 ? "duration" : "timeout");
    } else {
        som_report(diags, SOM_ACTION_VALUE, span,
                   "the tolerance of this action is not more than 0 and at most 1e9 rad or m");
    }
}

// Reports the fault and takes it out of what was built, so that the next one shows. False: it was
// the last that can be shown.
static bool report(SomGraphBuilder *b, SomGraphFault fault, const SomActionGraph *graph,
                   SomDiagnostics *diags) {
    static const SomInstruction never = {0, 0, SOM_INSTRUCTION_NUMBER};
    bool is_action = fault.kind == SOM_GRAPH_FAULT_VALUE || fault.kind == SOM_GRAPH_FAULT_KEYFRAMES;
    int32_t node = is_action ? b->node_of_action.data[fault.index] : 0;
    switch (fault.kind) {
    case SOM_GRAPH_FAULT_COUNT:
    case SOM_GRAPH_FAULT_DEPTH:
        som_report(diags, SOM_GRAPH_TOO_LARGE, som_graph_user_span(graph, 0),
                   "the behavior is too %s",
                   fault.kind == SOM_GRAPH_FAULT_DEPTH ? "deeply nested" : "large");
        return false;
    case SOM_GRAPH_FAULT_ZERO_REPEAT:
        som_report(diags, SOM_REPEAT_WITHOUT_DURATION, som_graph_user_span(graph, fault.index),
                   "what is repeated here may take no time at all");
        som_graph_note_calls(graph, fault.index, "it is repeated", diags);
        b->nodes.data[fault.index].index = 0;
        return true;
    case SOM_GRAPH_FAULT_VALUE:
        report_value(&b->actions.data[fault.index], som_graph_user_span(graph, node), diags);
        som_graph_note_calls(graph, node, "the action is", diags);
        b->actions.data[fault.index] = som_action(SOM_ACTION_WAIT, SOM_NONE, 0);
        return true;
    case SOM_GRAPH_FAULT_KEYFRAMES:
        som_report(diags, SOM_FOLLOW_TIMES, som_graph_user_span(graph, node),
                   "the times of this course do not rise from 0s on, or a value is far too large");
        som_graph_note_calls(graph, node, "the action is", diags);
        b->actions.data[fault.index] = som_action(SOM_ACTION_WAIT, SOM_NONE, 0);
        return true;
    case SOM_GRAPH_FAULT_CONDITION:
        som_report(diags, SOM_CONDITION_TOO_DEEP,
                   som_graph_user_span(graph, user_of(b, fault.index)),
                   "the condition is too deeply nested");
        som_array_push(&b->instructions, never);
        b->conditions.data[fault.index] = (SomCondition){b->instructions.count - 1, 1};
        return true;
    default:
        assert(false); // the graph was put together wrongly
    }
    return false;
}

SomActionGraph *som_graph_builder_finish(SomGraphBuilder *b, SomDiagnostics *diags) {
    assert(b->nodes.count > 0 && b->open == SOM_NONE);
    SomActionGraph *graph = NULL;
    bool is_faulty = false;
    for (int i = 0; i < MOST_REPORTS; i++) {
        som_graph_mark_instant(b->nodes.data, b->nodes.count, b->actions.data, b->actions.count);
        graph = copy_graph(b);
        SomGraphFault fault = som_graph_check(graph);
        if (fault.kind == SOM_GRAPH_FAULT_NONE) {
            break;
        }
        is_faulty = true;
        bool goes_on = report(b, fault, graph, diags);
        som_action_graph_destroy(graph);
        graph = NULL;
        if (!goes_on) {
            break;
        }
    }
    clear(b);
    if (is_faulty) {
        som_action_graph_destroy(graph);
        return NULL;
    }
    return graph;
}

void som_action_graph_destroy(SomActionGraph *graph) {
    som_free(graph);
}

SomSpan som_graph_span(const SomActionGraph *graph, int32_t node) {
    if (graph->places == NULL) {
        return (SomSpan){0};
    }
    const SomGraphPlace *place = &graph->places[node];
    return (SomSpan){place->source1, place->begin, place->end};
}
