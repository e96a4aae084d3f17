// SPDX-License-Identifier: Apache-2.0
// Actions that command one joint or dock differently: in the motion as predicted, and for all
// schedules that the behavior allows.

#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "behaviors/static_checks.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

// Pairs of running actions that are compared; a behavior with more has been found out long before.
#define MAX_COMPARED 4000000

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
    for (int32_t other = s->running[resource]; other != SOM_NONE && s->compared < MAX_COMPARED;
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
    for (int i = 0; i < prediction->events.count && s->compared < MAX_COMPARED; i++) {
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

// Conflicts of one cause, in the order of resources.
typedef struct Cause {
    const Conflict *const *all;
    int count;
} Cause;

static const char *name_of(const SomActionGraph *graph, const Conflict *c) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    return c->pair.resource >= dofs
               ? som_graph_name(graph, SOM_SYMBOL_DOCK, c->pair.resource - dofs)
               : som_graph_joint_name(graph, c->pair.second, NULL);
}

// The first one that happens, or the first.
static const Conflict *first_of(Cause cause) {
    const Conflict *first = cause.all[0];
    for (int i = 1; i < cause.count; i++) {
        if (!isnan(cause.all[i]->t0) && !(first->t0 <= cause.all[i]->t0)) {
            first = cause.all[i];
        }
    }
    return first;
}

static double end_of(Cause cause) {
    double end = (double)NAN;
    for (int i = 0; i < cause.count; i++) {
        end = fmax(end, cause.all[i]->t1); // a number, if there is one
    }
    return end;
}

// Names as they are written go to `names`, paths of joints and docks to `subjects`.
static int list_names(const SomActionGraph *graph, Cause cause, SomText *names, SomStr *subjects) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    SomNameList list = {.out = names};
    for (int i = 0; i < cause.count; i++) {
        int32_t resource = cause.all[i]->pair.resource;
        if (i > 0 && resource == cause.all[i - 1]->pair.resource) {
            continue;
        }
        subjects[list.count] =
            som_str(som_graph_name(graph, resource >= dofs ? SOM_SYMBOL_DOCK : SOM_SYMBOL_DOF,
                                   resource >= dofs ? resource - dofs : resource));
        som_name_list_add(&list, "'%s'", name_of(graph, cause.all[i]));
    }
    som_name_list_end(&list);
    return list.count;
}

static const char *kind_of(const SomActionGraph *graph, Cause cause, int count) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    bool has_joint = cause.all[0]->pair.resource < dofs;
    bool has_dock = cause.all[cause.count - 1]->pair.resource >= dofs;
    return has_joint && has_dock ? "joints and docks"
           : has_joint           ? (count == 1 ? "joint" : "joints")
                                 : (count == 1 ? "dock" : "docks");
}

static void report(const SomVerifyInput *input, Cause cause, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    const Conflict *c = first_of(cause);
    SomText names = {0};
    SomStr *subjects = som_alloc((size_t)cause.count * sizeof *subjects);
    int count = list_names(graph, cause, &names, subjects);
    SomSpan spans[2];
    som_graph_user_spans(graph, c->pair.first, c->pair.second, spans);
    SomFinding finding = {.check = SOM_CHECK_CONFLICT,
                          .code = SOM_COMMAND_CONFLICT,
                          .t0 = c->t0,
                          .t1 = end_of(cause),
                          .worst = c->t0,
                          .value = (double)NAN,
                          .limit = (double)NAN,
                          .span = spans[1],
                          .other = spans[0],
                          .action = c->pair.second,
                          .other_action = c->pair.first,
                          .subjects = subjects,
                          .subject_count = count};
    bool happens = !isnan(c->t0);
    const char *kind = kind_of(graph, cause, count);
    const char *late = happens ? "" : ", if one takes longer than predicted";
    SomText who = {0};
    if (count > 1) {
        som_text_printf(&who, "%d ", count);
    }
    som_text_printf(&who, "%s %s", kind, names.data);
    finding.who = som_text_str(&who);
    SomFinding *found = som_verification_add(
        out, &finding, "commanded differently by two actions at the same time%s", late);
    if (count == 1) {
        som_finding_set_fix(out, found,
                            "put the two actions in series, or let only one of them command %s",
                            names.data);
    } else {
        som_finding_set_fix(
            out, found, "put the two actions in series, or let only one of them command these %s",
            kind);
    }
    som_text_free(&who);
    som_text_free(&names);
    som_free(subjects);
}

// Again, since now it is known which actions meet.
static void find_causes(Search *s, SomStaticConflicts *pairs) {
    for (int i = 0; i < s->count; i++) {
        pairs->found.data[i] = s->conflicts[i].pair;
    }
    som_static_find_causes(s->graph, pairs);
    for (int i = 0; i < s->count; i++) {
        s->conflicts[i].pair.cause = pairs->found.data[i].cause;
    }
}

static void report_causes(const Search *s, const SomStaticConflicts *pairs, SomVerification *out) {
    int *order = som_alloc(((size_t)s->count + 1) * sizeof *order);
    const Conflict **all = som_alloc(((size_t)s->count + 1) * sizeof *all);
    som_static_order_by_cause(pairs, order);
    for (int i = 0; i < s->count; i++) {
        all[i] = &s->conflicts[order[i]];
    }
    for (int i = 0, end; i < s->count; i = end) {
        for (end = i + 1; end < s->count && all[end]->pair.cause == all[i]->pair.cause; end++) {
        }
        report(s->input, (Cause){&all[i], end - i}, out);
    }
    som_free(order);
    som_free(all);
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
    find_causes(&s, &all);
    report_causes(&s, &all, out);
    if (s.compared >= MAX_COMPARED) {
        som_verification_not_checked(out, SOM_CHECK_CONFLICT,
                                     SOM_STR("times of commands that conflict"), s.count, 0,
                                     SOM_STR("too many actions command one joint at a time"));
    }
    som_free(s.conflicts);
    som_free(s.running);
    som_free(s.next);
    som_array_free(&all.found);
}
