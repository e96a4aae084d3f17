// SPDX-License-Identifier: Apache-2.0
#include "behaviors/graph_origin.h"

#include "behaviors/graph_builder.h"

typedef struct Walk {
    const SomActionGraph *graph;
    int32_t call; // in whose behavior the present statement is written
    SomSpan span;
    bool has_values;
} Walk;

static Walk walk_from(const SomActionGraph *graph, int32_t node) {
    const SomGraphOrigin *origin = graph->origin;
    return (Walk){graph, origin != NULL ? origin->call_of[node] : SOM_NONE,
                  som_graph_span(graph, node), false};
}

// On to the next statement outwards that has a place. False at the end.
static bool walk_on(Walk *w) {
    while (w->call != SOM_NONE) {
        const SomGraphCall *call = &w->graph->origin->calls[w->call];
        w->call = call->around;
        w->span = call->span;
        w->has_values = call->has_values;
        if (w->span.source1 != 0) {
            return true;
        }
    }
    return false;
}

SomSpan som_graph_user_span(const SomActionGraph *graph, int32_t node) {
    uint32_t own = graph->origin != NULL ? graph->origin->own_source1 : 0;
    Walk w = walk_from(graph, node);
    SomSpan span = w.span;
    while (span.source1 != own && walk_on(&w)) {
        span = w.span;
    }
    return span;
}

// Goes from two nodes outwards to the behavior in which both are run; `spans` are its statements
// that run them.
static void meet(const SomActionGraph *graph, int32_t first, int32_t second, SomSpan spans[2]) {
    const SomGraphOrigin *origin = graph->origin;
    int32_t at[2] = {origin->call_of[first], origin->call_of[second]};
    spans[0] = som_graph_span(graph, first);
    spans[1] = som_graph_span(graph, second);
    while (at[0] != at[1]) { // a call comes after the one around it
        int inner = at[0] < at[1];
        spans[inner] = origin->calls[at[inner]].span;
        at[inner] = origin->calls[at[inner]].around;
    }
}

void som_graph_user_spans(const SomActionGraph *graph, int32_t first, int32_t second,
                          SomSpan spans[2]) {
    spans[0] = som_graph_user_span(graph, first);
    spans[1] = som_graph_user_span(graph, second);
    if (graph->origin == NULL || som_span_compare(spans[0], spans[1]) != 0) {
        return;
    }
    uint32_t own = graph->origin->own_source1;
    SomSpan calls[2];
    meet(graph, first, second, calls);
    if (calls[0].source1 == own && calls[1].source1 == own && own != 0) {
        spans[0] = calls[0];
        spans[1] = calls[1];
    }
}

int som_graph_steps(const SomActionGraph *graph, int32_t node, SomGraphStep *steps, int max) {
    SomSpan user = som_graph_user_span(graph, node);
    Walk w = walk_from(graph, node);
    const SomGraphNode *n = &graph->nodes[node];
    bool is_relative =
        n->kind == SOM_NODE_ACTION && graph->actions[n->index].kind == SOM_ACTION_RELATIVE;
    int count = 0;
    bool is_beyond = false;
    do {
        bool is_user = !is_beyond && som_span_compare(w.span, user) == 0;
        if (count < max) {
            const char *behavior =
                w.call != SOM_NONE ? graph->text + graph->origin->calls[w.call].behavior : "";
            steps[count] =
                (SomGraphStep){w.span, behavior, is_user, is_beyond, w.has_values || is_relative};
        }
        is_beyond = is_beyond || is_user;
        count++;
    } while (walk_on(&w));
    return count;
}

bool som_graph_step_print(const SomGraphStep *steps, int index, const char *words, SomText *out) {
    const SomGraphStep *step = &steps[index];
    bool is_named = step->behavior[0] != '\0'; // a call from outside has no useful place
    if (step->is_user || (index > 0 && !is_named) || (step->is_beyond && !step->decides)) {
        return false;
    }
    som_text_printf(out, is_named ? "%s here, in behavior '%s'" : "%s here%s",
                    index == 0 ? words : "called from", step->behavior);
    return true;
}

void som_graph_note_calls(const SomActionGraph *graph, int32_t node, const char *words,
                          SomDiagnostics *diags) {
    SomGraphStep steps[SOM_GRAPH_SHOWN_STEPS];
    int count = som_graph_steps(graph, node, steps, SOM_GRAPH_SHOWN_STEPS);
    for (int i = 0; i < count && i < SOM_GRAPH_SHOWN_STEPS; i++) {
        SomText text = {0};
        if (som_graph_step_print(steps, i, words, &text)) {
            som_note(diags, steps[i].span, "%s", text.data);
        }
        som_text_free(&text);
    }
}

uint32_t som_graph_last_source(const SomActionGraph *graph) {
    uint32_t last = 0;
    for (int32_t i = 0; graph->places != NULL && i < graph->node_count; i++) {
        last = graph->places[i].source1 > last ? graph->places[i].source1 : last;
    }
    for (int32_t i = 0; graph->origin != NULL && i < graph->origin->call_count; i++) {
        uint32_t source1 = graph->origin->calls[i].span.source1;
        last = source1 > last ? source1 : last;
    }
    return last;
}

const char *som_graph_joint_name(const SomActionGraph *graph, int32_t node, SomAlias *alias) {
    int32_t index = graph->nodes[node].index;
    const SomGraphOrigin *origin = graph->origin;
    const char *own = som_graph_name(graph, SOM_SYMBOL_DOF, graph->actions[index].target);
    bool is_known = origin != NULL && origin->names[index].path != 0;
    if (alias != NULL) {
        *alias = (SomAlias){.sign = is_known ? origin->names[index].sign : 1,
                            .zero = is_known ? origin->names[index].zero : 0};
    }
    return is_known ? origin->text + origin->names[index].path : own;
}

const char *som_graph_operand_name(const SomActionGraph *graph, int32_t instruction,
                                   int32_t *count) {
    const SomGraphOrigin *origin = graph->origin;
    int32_t low = 0, high = origin != NULL ? origin->operand_count : 0;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (origin->operands[middle].first < instruction) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found =
        origin != NULL && low < origin->operand_count && origin->operands[low].first == instruction;
    *count = is_found ? origin->operands[low].count : 1;
    return is_found ? origin->text + origin->operands[low].path : NULL;
}
