// SPDX-License-Identifier: Apache-2.0
// Actions that command one joint or dock differently: in the motion as predicted, and for all
// schedules that the behavior allows.

#include "behaviors/static_checks.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

// Pairs of running actions that are compared; a behavior with more has been found out long before.
#define MOST_COMPARED 4000000

typedef struct Conflict {
    SomStaticConflict pair;
    double t0, t1; // not a number: it does not happen in the motion as predicted
} Conflict;

typedef struct Search {
    const SomVerifyInput *input;
    const SomActionGraph *graph;
    Conflict *conflicts; // by resource, then by node
    int count;
    int32_t *running; // by resource: a node that commands it, SOM_NONE …
    int32_t *next;    // … and by node the next one
    int64_t compared;
} Search;

static const SomAction *action_of(const SomActionGraph *graph, int32_t node) {
    const SomGraphNode *n = &graph->nodes[node];
    return n->kind == SOM_NODE_ACTION ? &graph->actions[n->index] : NULL;
}

// ---- when it happens

static int compare(const void *left, const void *right) {
    const Conflict *a = left, *b = right;
    if (a->pair.resource != b->pair.resource) {
        return a->pair.resource < b->pair.resource ? -1 : 1;
    }
    return (a->pair.node > b->pair.node) - (a->pair.node < b->pair.node);
}

static Conflict *find(const Search *s, int32_t resource, int32_t node) {
    Conflict wanted = {.pair = {.resource = resource, .node = node}};
    return s->count == 0 ? NULL
                         : bsearch(&wanted, s->conflicts, (size_t)s->count, sizeof wanted, compare);
}

// The nearest node above both. A node comes before all that is below it.
static int32_t meeting(const SomActionGraph *graph, int32_t a, int32_t b) {
    int32_t node = a < b ? a : b, other = a < b ? b : a;
    while (node != SOM_NONE && graph->nodes[node].end <= other) {
        node = graph->nodes[node].parent;
    }
    return node;
}

static void begin(Search *s, int32_t node, int32_t resource, double time) {
    const SomAction *action = action_of(s->graph, node);
    for (int32_t other = s->running[resource]; other != SOM_NONE && s->compared < MOST_COMPARED;
         other = s->next[other]) {
        s->compared++;
        if (som_static_is_same_command(action, action_of(s->graph, other))) {
            continue;
        }
        Conflict *conflict = find(s, resource, meeting(s->graph, node, other));
        if (conflict != NULL && isnan(conflict->t0)) {
            conflict->pair.first = other;
            conflict->pair.second = node;
            conflict->t0 = time;
        }
    }
    s->next[node] = s->running[resource];
    s->running[resource] = node;
}

static void end(Search *s, int32_t node, int32_t resource, double time) {
    int32_t *at = &s->running[resource];
    while (*at != SOM_NONE && *at != node) {
        at = &s->next[*at];
    }
    if (*at == node) {
        *at = s->next[node];
    }
    // conflicts of one resource stand together
    int low = 0, high = s->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->conflicts[middle].pair.resource < resource) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (int i = low; i < s->count && s->conflicts[i].pair.resource == resource; i++) {
        Conflict *c = &s->conflicts[i];
        s->compared++;
        if (isnan(c->t1) && !isnan(c->t0) && (c->pair.first == node || c->pair.second == node)) {
            c->t1 = time;
        }
    }
}

static void search_motion(Search *s) {
    const SomPrediction *prediction = s->input->prediction;
    for (int i = 0; i < prediction->events.count && s->compared < MOST_COMPARED; i++) {
        const SomPredictionEvent *event = &prediction->events.data[i];
        const SomAction *action = action_of(s->graph, event->node);
        int32_t resource = action == NULL ? SOM_NONE : som_graph_resource(s->graph, action);
        if (resource == SOM_NONE) {
            continue;
        }
        if (event->is_end) {
            end(s, event->node, resource, event->time);
        } else {
            begin(s, event->node, resource, event->time);
        }
    }
    for (int i = 0; i < s->count; i++) {
        if (!isnan(s->conflicts[i].t0) && isnan(s->conflicts[i].t1)) {
            s->conflicts[i].t1 = prediction->duration;
        }
    }
}

// ---- as findings

static void report(const SomVerifyInput *input, const Conflict *c, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    bool is_dock = c->pair.resource >= dofs;
    const char *name = som_graph_name(graph, is_dock ? SOM_SYMBOL_DOCK : SOM_SYMBOL_DOF,
                                      is_dock ? c->pair.resource - dofs : c->pair.resource);
    SomFinding finding = {.check = SOM_CHECK_CONFLICT,
                          .code = SOM_COMMAND_CONFLICT,
                          .t0 = c->t0,
                          .t1 = c->t1,
                          .worst = c->t0,
                          .value = (double)NAN,
                          .limit = (double)NAN,
                          .span = som_graph_span(graph, c->pair.second),
                          .other = som_graph_span(graph, c->pair.first),
                          .action = c->pair.second};
    bool happens = !isnan(c->t0);
    SomFinding *found = som_verification_add(
        out, &finding, "%s '%s' %s commanded differently by two actions at the same time%s",
        is_dock ? "dock" : "joint", name, happens ? "is" : "can be",
        happens ? "" : ", if one takes longer than predicted");
    som_finding_add_subject(out, found, som_str(name));
    som_finding_set_fix(
        out, found, "put the two actions in series, or let only one of them command '%s'", name);
}

void som_check_conflicts(const SomVerifyInput *input, SomVerification *out) {
    out->is_void[SOM_CHECK_CONFLICT] = input->graph == NULL;
    if (input->graph == NULL) {
        return;
    }
    const SomActionGraph *graph = input->graph;
    SomStaticConflicts all = {0};
    som_static_conflicts(graph, &all);
    int32_t resources = graph->symbol_count[SOM_SYMBOL_DOF] + graph->symbol_count[SOM_SYMBOL_DOCK];
    Search s = {.input = input, .graph = graph, .count = all.found.count};
    s.conflicts = som_alloc((size_t)(s.count + 1) * sizeof *s.conflicts);
    s.running = som_alloc((size_t)(resources + 1) * sizeof *s.running);
    s.next = som_alloc((size_t)graph->node_count * sizeof *s.next);
    for (int i = 0; i < s.count; i++) {
        s.conflicts[i] = (Conflict){all.found.data[i], (double)NAN, (double)NAN};
    }
    for (int32_t i = 0; i < resources; i++) {
        s.running[i] = SOM_NONE;
    }
    if (s.count > 0) {
        qsort(s.conflicts, (size_t)s.count, sizeof *s.conflicts, compare);
        search_motion(&s);
    }
    for (int i = 0; i < s.count; i++) {
        report(input, &s.conflicts[i], out);
    }
    if (s.compared >= MOST_COMPARED) {
        som_verification_skip(out, SOM_STR("times of commands that conflict"), s.count,
                              SOM_STR("too many actions command one joint at a time"));
    }
    som_free(s.conflicts);
    som_free(s.running);
    som_free(s.next);
    som_array_free(&all.found);
}
