// SPDX-License-Identifier: Apache-2.0
#include "player/graph.h"

SomAction som_action(SomActionKind kind, int32_t target, double value) {
    SomAction action = {0};
    action.kind = (uint8_t)kind;
    action.target = kind == SOM_ACTION_WAIT ? SOM_NONE : target;
    action.value = value;
    action.tolerance = 0.02;
    action.duration = SOM_NO_TIME;
    action.timeout = SOM_NO_TIME;
    action.until = SOM_NONE;
    return action;
}

int32_t som_graph_resource(const SomActionGraph *graph, const SomAction *action) {
    switch ((SomActionKind)action->kind) {
    case SOM_ACTION_POSITION:
    case SOM_ACTION_RELATIVE:
    case SOM_ACTION_VELOCITY:
    case SOM_ACTION_FOLLOW:
    case SOM_ACTION_HOLD:
        return action->target;
    case SOM_ACTION_CONNECT:
    case SOM_ACTION_DISCONNECT:
        return graph->symbol_count[SOM_SYMBOL_DOF] + action->target;
    case SOM_ACTION_WAIT:
    case SOM_ACTION_KINDS:
        break;
    }
    return SOM_NONE;
}

const char *som_graph_name(const SomActionGraph *graph, SomSymbolKind kind, int32_t index) {
    bool has_names = graph->names[kind] != NULL && 0 <= index && index < graph->symbol_count[kind];
    return has_names ? graph->text + graph->names[kind][index] : "";
}

const char *som_graph_path(const SomActionGraph *graph, int32_t node) {
    bool has_path =
        graph->places != NULL && graph->text != NULL && 0 <= node && node < graph->node_count;
    return has_path ? graph->text + graph->places[node].path : "";
}

// ---- inputs

SomInputSource som_graph_source(const SomActionGraph *graph, int32_t input) {
    SomInputSource unknown = {0, 0, 0, 0, 0, SOM_SOURCE_UNKNOWN};
    bool has_source =
        graph->sources != NULL && 0 <= input && input < graph->symbol_count[SOM_SYMBOL_INPUT];
    return has_source ? graph->sources[input] : unknown;
}

bool som_source_is_known(SomInputSource source) {
    return source.kind == SOM_SOURCE_CONSTANT || source.kind == SOM_SOURCE_TABLE ||
           source.kind == SOM_SOURCE_STEPS;
}

static bool has_keyframes(SomInputSource source) {
    return source.kind == SOM_SOURCE_TABLE || source.kind == SOM_SOURCE_STEPS;
}

double som_keyframes_at(const SomKeyframe *frames, int32_t count, double time) {
    int32_t low = 0, high = count - 1;
    if (time <= frames[low].time) {
        return frames[low].value;
    }
    if (time >= frames[high].time) {
        return frames[high].value;
    }
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (frames[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double part = (time - frames[low].time) / (frames[high].time - frames[low].time);
    return frames[low].value + part * (frames[high].value - frames[low].value);
}

// Of the last keyframe that is not after the time; before all of them as the first.
static double step_at(const SomKeyframe *frames, int32_t count, double time) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (frames[middle].time <= time + SOM_TIME_SLACK) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return frames[low].value;
}

double som_graph_input(const SomActionGraph *graph, int32_t input, double time) {
    SomInputSource source = som_graph_source(graph, input);
    if (!has_keyframes(source)) {
        return source.low;
    }
    const SomKeyframe *frames = graph->keyframes + source.first_keyframe;
    return source.kind == SOM_SOURCE_STEPS ? step_at(frames, source.keyframe_count, time)
                                           : som_keyframes_at(frames, source.keyframe_count, time);
}

double som_graph_input_end(const SomActionGraph *graph, int32_t input) {
    SomInputSource source = som_graph_source(graph, input);
    return has_keyframes(source)
               ? graph->keyframes[source.first_keyframe + source.keyframe_count - 1].time
               : 0;
}

const char *som_source_word(SomSourceKind kind) {
    static const char *const words[] = {"", "constant", "table", "steps", "range", "topic"};
    return words[kind];
}

const char *som_graph_topic(const SomActionGraph *graph, int32_t input) {
    SomInputSource source = som_graph_source(graph, input);
    return source.kind == SOM_SOURCE_TOPIC ? graph->text + source.topic : "";
}

const char *som_graph_fault_words(SomGraphFaultKind kind) {
    switch (kind) {
#define SOM_GRAPH_FAULT(name, words)                                                               \
    case SOM_GRAPH_FAULT_##name:                                                                   \
        return words;
#include "player/graph_faults.inc"
#undef SOM_GRAPH_FAULT
    }
    return "";
}

SomInstructionInfo som_instruction_info(SomInstructionKind kind) {
    static const SomInstructionInfo infos[] = {
#define SOM_INSTRUCTION(name, word, takes, operand) {word, takes, SOM_OPERAND_##operand},
#include "player/instructions.inc"
#undef SOM_INSTRUCTION
    };
    return infos[kind];
}

// ---- which nodes may end in the tick in which they start

// From the marks of its children, which come after it.
static bool may_be_instant(const SomGraphNode *nodes, int32_t node, const SomAction *actions,
                           int32_t action_count) {
    const SomGraphNode *n = &nodes[node];
    bool all = true, one = false, has_else = false;
    for (int32_t child = node + 1; child < n->end; child = nodes[child].end) {
        all = all && nodes[child].is_instant;
        one = one || nodes[child].is_instant;
        has_else = has_else || nodes[child].guard == SOM_NONE;
    }
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
    case SOM_NODE_PARALLEL:
        return all;
    case SOM_NODE_ANY:
        return one || n->end == node + 1;
    case SOM_NODE_CHOOSE:
        return one || !has_else;
    case SOM_NODE_REPEAT:
        return n->index == 0;
    case SOM_NODE_ACTION:
        return 0 <= n->index && n->index < action_count &&
               actions[n->index].kind == SOM_ACTION_HOLD;
    case SOM_NODE_KINDS:
        break;
    }
    return false;
}

void som_graph_mark_instant(SomGraphNode *nodes, int32_t count, const SomAction *actions,
                            int32_t action_count) {
    for (int32_t i = count - 1; i >= 0; i--) {
        nodes[i].is_instant = may_be_instant(nodes, i, actions, action_count);
    }
}

// ---- checking

static SomGraphFault fault_at(SomGraphFaultKind kind, int32_t index) {
    SomGraphFault fault = {SOM_GRAPH_FAULT_NONE, SOM_NONE, 0};
    fault.kind = kind;
    fault.index = index;
    return fault;
}

static bool is_count(int32_t count, const void *array) {
    return 0 <= count && count <= SOM_GRAPH_MOST && (count == 0 || array != NULL);
}

static bool has_good_counts(const SomActionGraph *g) {
    int64_t symbols = 0;
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        if (g->symbol_count[kind] < 0 || g->symbol_count[kind] > SOM_GRAPH_MOST) {
            return false;
        }
        symbols += g->symbol_count[kind];
    }
    return symbols <= SOM_GRAPH_MOST && is_count(g->node_count, g->nodes) &&
           is_count(g->action_count, g->actions) && is_count(g->keyframe_count, g->keyframes) &&
           is_count(g->condition_count, g->conditions) &&
           is_count(g->instruction_count, g->instructions) && 0 <= g->text_length &&
           (g->text_length == 0 || g->text != NULL);
}

// Nodes are a tree in depth-first order if each one's parent is the one before it or above that,
// and whatever is left behind ends there. Walks up only what it walked down.
static SomGraphFault check_structure(const SomActionGraph *g) {
    int32_t depth = 0;
    for (int32_t i = 0; i <= g->node_count; i++) {
        int32_t parent = i < g->node_count ? g->nodes[i].parent : SOM_NONE;
        int32_t above = i - 1;
        while (above != parent) {
            if (above < 0 || g->nodes[above].end != i) {
                return fault_at(SOM_GRAPH_FAULT_STRUCTURE, i);
            }
            above = g->nodes[above].parent;
            depth--;
        }
        bool is_second_root = i > 0 && i < g->node_count && parent == SOM_NONE;
        if (is_second_root) {
            return fault_at(SOM_GRAPH_FAULT_STRUCTURE, i);
        }
        depth++;
        if (depth > SOM_GRAPH_MOST_DEPTH) {
            return fault_at(SOM_GRAPH_FAULT_DEPTH, i);
        }
    }
    return fault_at(SOM_GRAPH_FAULT_NONE, SOM_NONE);
}

static bool is_condition(const SomActionGraph *g, int32_t condition) {
    return SOM_NONE <= condition && condition < g->condition_count;
}

static SomGraphFaultKind fault_of_node(const SomActionGraph *g, int32_t node) {
    const SomGraphNode *n = &g->nodes[node];
    if (n->kind >= SOM_NODE_KINDS || !is_condition(g, n->until) || !is_condition(g, n->guard)) {
        return SOM_GRAPH_FAULT_NODE;
    }
    if (n->kind == SOM_NODE_ACTION) {
        if (n->index < 0 || n->index >= g->action_count) {
            return SOM_GRAPH_FAULT_NODE;
        }
        if (n->end != node + 1) {
            return SOM_GRAPH_FAULT_CHILDREN;
        }
    }
    if (n->is_instant != may_be_instant(g->nodes, node, g->actions, g->action_count)) {
        return SOM_GRAPH_FAULT_INSTANT;
    }
    if (n->kind == SOM_NODE_REPEAT) {
        if (n->index < SOM_FOREVER) {
            return SOM_GRAPH_FAULT_NODE;
        }
        if (node + 1 >= n->end || g->nodes[node + 1].end != n->end) {
            return SOM_GRAPH_FAULT_CHILDREN;
        }
        if (g->nodes[node + 1].is_instant && n->index != 0) {
            return SOM_GRAPH_FAULT_ZERO_REPEAT;
        }
    }
    return SOM_GRAPH_FAULT_NONE;
}

static bool is_time(double seconds) {
    return seconds >= 0; // infinite is none; not a number fails
}

static bool is_value(double value) {
    return fabs(value) <= SOM_GRAPH_MOST_VALUE;
}

static bool arrives(uint8_t kind) {
    return kind == SOM_ACTION_POSITION || kind == SOM_ACTION_RELATIVE || kind == SOM_ACTION_FOLLOW;
}

static bool are_keyframes(const SomActionGraph *g, int32_t first, int32_t count) {
    return count >= 1 && first >= 0 && count <= g->keyframe_count &&
           first <= g->keyframe_count - count;
}

static SomGraphFaultKind fault_of_action(const SomActionGraph *g, const SomAction *a) {
    if (a->kind >= SOM_ACTION_KINDS || !is_condition(g, a->until)) {
        return SOM_GRAPH_FAULT_ACTION;
    }
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    int32_t targets = g->symbol_count[is_dock ? SOM_SYMBOL_DOCK : SOM_SYMBOL_DOF];
    if (a->kind != SOM_ACTION_WAIT && (a->target < 0 || a->target >= targets)) {
        return SOM_GRAPH_FAULT_ACTION;
    }
    if (!is_value(a->value) || !is_value(a->speed) || a->speed < 0 || !is_value(a->tolerance) ||
        a->tolerance < 0 || !is_time(a->duration) || !is_time(a->timeout) ||
        (arrives(a->kind) && a->tolerance <= 0)) {
        return SOM_GRAPH_FAULT_VALUE;
    }
    if (a->kind == SOM_ACTION_FOLLOW && !are_keyframes(g, a->first_keyframe, a->keyframe_count)) {
        return SOM_GRAPH_FAULT_ACTION;
    }
    return SOM_GRAPH_FAULT_NONE;
}

// Actions may share keyframes, so each pair of neighbours is looked at for each action; what is
// shared by many is bounded by `budget`.
static bool has_good_keyframes(const SomActionGraph *g, int32_t first, int32_t count,
                               int64_t *budget) {
    const SomKeyframe *frames = g->keyframes + first;
    *budget -= count;
    if (*budget < 0 || !(frames[0].time >= 0)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!is_value(frames[i].time) || !is_value(frames[i].value) ||
            (i > 0 && !(frames[i - 1].time < frames[i].time))) {
            return false;
        }
    }
    return true;
}

static bool is_good_source(const SomActionGraph *g, const SomInputSource *s, int64_t *budget) {
    if (s->kind >= SOM_SOURCE_KINDS || !is_value(s->low) || !is_value(s->high) ||
        s->low > s->high) {
        return false;
    }
    if (has_keyframes(*s)) {
        return are_keyframes(g, s->first_keyframe, s->keyframe_count) &&
               has_good_keyframes(g, s->first_keyframe, s->keyframe_count, budget);
    }
    bool has_topic = g->text_length > 0 && g->text[g->text_length - 1] == '\0' &&
                     s->topic < (uint32_t)g->text_length;
    return s->kind != SOM_SOURCE_TOPIC || has_topic;
}

static bool is_good_operand(const SomActionGraph *g, const SomInstruction *instruction) {
    SomOperand operand = som_instruction_info((SomInstructionKind)instruction->kind).operand;
    int32_t count = 0;
    switch (operand) {
    case SOM_OPERAND_NOTHING:
        return true;
    case SOM_OPERAND_NUMBER:
        return isfinite(instruction->value);
    case SOM_OPERAND_DOF:
        count = g->symbol_count[SOM_SYMBOL_DOF];
        break;
    case SOM_OPERAND_CONTACT:
        count = g->symbol_count[SOM_SYMBOL_CONTACT];
        break;
    case SOM_OPERAND_INPUT:
        count = g->symbol_count[SOM_SYMBOL_INPUT];
        break;
    case SOM_OPERAND_DOCK:
        count = g->symbol_count[SOM_SYMBOL_DOCK];
        break;
    }
    return 0 <= instruction->index && instruction->index < count;
}

static bool is_good_program(const SomActionGraph *g, const SomCondition *c, int64_t *budget) {
    if (c->count < 1 || c->first < 0 || c->count > g->instruction_count ||
        c->first > g->instruction_count - c->count) {
        return false;
    }
    *budget -= c->count;
    int32_t depth = 0;
    for (int32_t i = c->first; i < c->first + c->count && *budget >= 0; i++) {
        const SomInstruction *instruction = &g->instructions[i];
        if (instruction->kind >= SOM_INSTRUCTION_KINDS || !is_good_operand(g, instruction)) {
            return false;
        }
        int32_t takes = som_instruction_info((SomInstructionKind)instruction->kind).takes;
        if (takes > depth) {
            return false;
        }
        depth += 1 - takes;
        if (depth > SOM_CONDITION_MOST_DEPTH) {
            return false;
        }
    }
    return depth == 1 && *budget >= 0;
}

static SomGraphFault check_names(const SomActionGraph *g) {
    bool is_terminated = g->text_length > 0 && g->text[g->text_length - 1] == '\0';
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        for (int32_t i = 0; g->names[kind] != NULL && i < g->symbol_count[kind]; i++) {
            if (!is_terminated || g->names[kind][i] >= (uint32_t)g->text_length) {
                return fault_at(SOM_GRAPH_FAULT_NAMES, i);
            }
        }
    }
    for (int32_t i = 0; g->places != NULL && i < g->node_count; i++) {
        if (!is_terminated || g->places[i].path >= (uint32_t)g->text_length) {
            return fault_at(SOM_GRAPH_FAULT_NAMES, i);
        }
    }
    return fault_at(SOM_GRAPH_FAULT_NONE, SOM_NONE);
}

SomGraphFault som_graph_check(const SomActionGraph *graph) {
    if (!has_good_counts(graph)) {
        return fault_at(SOM_GRAPH_FAULT_COUNT, SOM_NONE);
    }
    if (graph->node_count == 0) {
        return fault_at(SOM_GRAPH_FAULT_EMPTY, SOM_NONE);
    }
    SomGraphFault fault = check_structure(graph);
    for (int32_t i = 0; fault.kind == SOM_GRAPH_FAULT_NONE && i < graph->node_count; i++) {
        fault = fault_at(fault_of_node(graph, i), i);
    }
    int64_t budget = 4 * (int64_t)SOM_GRAPH_MOST;
    for (int32_t i = 0; fault.kind == SOM_GRAPH_FAULT_NONE && i < graph->action_count; i++) {
        const SomAction *action = &graph->actions[i];
        fault = fault_at(fault_of_action(graph, action), i);
        if (fault.kind == SOM_GRAPH_FAULT_NONE && action->kind == SOM_ACTION_FOLLOW &&
            !has_good_keyframes(graph, action->first_keyframe, action->keyframe_count, &budget)) {
            fault = fault_at(SOM_GRAPH_FAULT_KEYFRAMES, i);
        }
    }
    for (int32_t i = 0; graph->sources != NULL && fault.kind == SOM_GRAPH_FAULT_NONE &&
                        i < graph->symbol_count[SOM_SYMBOL_INPUT];
         i++) {
        if (!is_good_source(graph, &graph->sources[i], &budget)) {
            fault = fault_at(SOM_GRAPH_FAULT_SOURCE, i);
        }
    }
    for (int32_t i = 0; fault.kind == SOM_GRAPH_FAULT_NONE && i < graph->condition_count; i++) {
        if (!is_good_program(graph, &graph->conditions[i], &budget)) {
            fault = fault_at(SOM_GRAPH_FAULT_CONDITION, i);
        }
    }
    return fault.kind == SOM_GRAPH_FAULT_NONE ? check_names(graph) : fault;
}
