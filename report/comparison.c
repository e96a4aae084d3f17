// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include "report/comparison_internal.h"

#include <math.h>
#include <stdlib.h>

// ---- actions: the k-th run of a node beside its k-th run

// Indices of actions, one a node; -1: none.
typedef struct Cursors {
    int *next; // the one whose simulated run begins next
    int *last; // the last one that was added
    int *open; // the one that runs
} Cursors;

static Cursors make_cursors(int nodes) {
    size_t size = ((size_t)nodes + 1) * sizeof(int);
    Cursors c = {som_alloc(size), som_alloc(size), som_alloc(size)};
    for (int i = 0; i < nodes; i++) {
        c.next[i] = c.last[i] = c.open[i] = -1;
    }
    return c;
}

static void free_cursors(Cursors *c) {
    som_free(c->next);
    som_free(c->last);
    som_free(c->open);
}

static int add_action(SomComparison *c, Cursors *at, int32_t node) {
    SomRun never = {(double)NAN, (double)NAN, SOM_END_NOT_YET};
    SomComparedAction action = {node, never, never, -1};
    int index = c->actions.count;
    if (at->last[node] >= 0) {
        c->actions.data[at->last[node]].next = index;
    } else {
        at->next[node] = index;
    }
    at->last[node] = index;
    som_array_push(&c->actions, action);
    return index;
}

static void add_predicted(SomComparison *c, Cursors *at) {
    const SomPrediction *p = c->def.prediction;
    for (int i = 0; i < p->events.count; i++) {
        const SomPredictionEvent *event = &p->events.data[i];
        if (!event->is_end) {
            at->open[event->node] = add_action(c, at, event->node);
            c->actions.data[at->open[event->node]].predicted.start = event->time;
        } else if (at->open[event->node] >= 0) {
            SomRun *run = &c->actions.data[at->open[event->node]].predicted;
            run->end = event->time;
            run->reason = event->reason;
        }
    }
}

static void add_simulated(SomComparison *c, Cursors *at) {
    const SomSimulationResult *r = c->def.simulated;
    for (int i = 0; i < c->def.graph->node_count; i++) {
        at->open[i] = -1;
    }
    for (int i = 0; i < r->events.count; i++) {
        const SomSimulationEvent *event = &r->events.data[i];
        if (event->kind == SOM_EVENT_ACTION_STARTED) {
            int index = at->next[event->node];
            index = index >= 0 ? index : add_action(c, at, event->node);
            at->open[event->node] = index;
            at->next[event->node] = c->actions.data[index].next;
            c->actions.data[index].simulated.start = event->time;
        } else if (event->kind == SOM_EVENT_ACTION_ENDED && at->open[event->node] >= 0) {
            SomRun *run = &c->actions.data[at->open[event->node]].simulated;
            run->end = event->time;
            run->reason = event->reason;
        }
    }
}

static void pair_actions(SomComparison *c) {
    Cursors at = make_cursors(c->def.graph->node_count);
    add_predicted(c, &at);
    add_simulated(c, &at);
    for (int i = 0; i < c->actions.count; i++) {
        const SomComparedAction *action = &c->actions.data[i];
        c->as_predicted += isfinite(action->simulated.end) && isfinite(action->predicted.end) &&
                           action->simulated.reason == action->predicted.reason;
    }
    free_cursors(&at);
}

// ---- stages

int som_comparison_dof(const SomComparison *c, int32_t node) {
    const SomAction *action = &c->def.graph->actions[c->def.graph->nodes[node].index];
    bool has_dof = action->kind != SOM_ACTION_WAIT && action->kind != SOM_ACTION_CONNECT &&
                   action->kind != SOM_ACTION_DISCONNECT;
    return has_dof ? action->target : -1;
}

static int compare_stages(const void *a, const void *b) {
    const SomStage *left = a, *right = b;
    if (left->dof != right->dof) {
        return left->dof < right->dof ? -1 : 1;
    }
    int order = (left->simulated > right->simulated) - (left->simulated < right->simulated);
    return order != 0 ? order
                      : (left->predicted > right->predicted) - (left->predicted < right->predicted);
}

static void find_stages(SomComparison *c) {
    int dofs = c->def.simulated->dof_count;
    for (int i = 0; i < c->actions.count; i++) {
        const SomComparedAction *action = &c->actions.data[i];
        SomStage stage = {som_comparison_dof(c, action->node), action->simulated.start,
                          action->predicted.start};
        if (stage.dof >= 0 && isfinite(stage.simulated) && isfinite(stage.predicted)) {
            som_array_push(&c->stages, stage);
        }
    }
    if (c->stages.count > 0) {
        qsort(c->stages.data, (size_t)c->stages.count, sizeof *c->stages.data, compare_stages);
    }
    c->first_stage = som_alloc(((size_t)dofs + 2) * sizeof(int));
    for (int i = 0, at = 0; i <= dofs; i++) {
        while (at < c->stages.count && c->stages.data[at].dof < i) {
            at++;
        }
        c->first_stage[i] = at;
    }
}

double som_comparison_stage(const SomComparison *c, int dof, double time) {
    const SomStage *stages = c->stages.data;
    int end = c->first_stage[dof + 1];
    // the last one that is not after the time
    int low = c->first_stage[dof] - 1, high = end;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (stages[middle].simulated <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double stage = time;
    if (low >= c->first_stage[dof]) {
        stage = stages[low].predicted + (time - stages[low].simulated);
    }
    // the prediction waits for the next action to begin
    return high < end ? fmin(stage, stages[high].predicted) : stage;
}

double som_comparison_predicted(const SomComparison *c, int dof, double time) {
    const SomPrediction *p = c->def.prediction;
    int low = 0, high = p->times.count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (p->times.data[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double way = p->times.data[high] - p->times.data[low];
    double share = way > 0 ? fmin(fmax((time - p->times.data[low]) / way, 0), 1) : 1;
    double from = p->positions.data[(size_t)low * (size_t)p->dof_count + (size_t)dof];
    double to = p->positions.data[(size_t)high * (size_t)p->dof_count + (size_t)dof];
    return from + share * (to - from);
}

// ---- joints

SomDimensionName som_comparison_dimension(const SomComparison *c, int dof) {
    const SomModuleJoint *joint = som_configuration_joint(c->def.mechanism->configuration, dof);
    return joint->type == SOM_JOINT_PRISMATIC ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE;
}

static void measure_sample(SomComparison *c, int sample) {
    const SomSimulationResult *r = c->def.simulated;
    size_t row = (size_t)sample * (size_t)r->dof_count;
    double time = r->times.data[sample];
    double lasts = sample > 0 ? time - r->times.data[sample - 1] : 0;
    for (int i = 0; i < r->dof_count; i++) {
        SomComparedDof *dof = &c->dofs[i];
        double off = r->positions.data[row + (size_t)i] -
                     som_comparison_predicted(c, i, som_comparison_stage(c, i, time));
        double effort = fabs(r->efforts.data[row + (size_t)i]);
        dof->mean += off * off;
        dof->most_effort = fmax(dof->most_effort, effort);
        if (fabs(off) > fabs(dof->worst)) {
            dof->worst = off;
            dof->worst_time = time;
        }
        if (dof->limit > 0 && effort >= SOM_COMPARED_EFFORT * dof->limit) {
            dof->time_at_limit += lasts;
        }
    }
}

static void measure_ways(SomComparison *c) {
    const SomPrediction *p = c->def.prediction;
    for (int i = 0; i < p->dof_count; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < p->times.count; k++) {
            double value = p->positions.data[(size_t)k * (size_t)p->dof_count + (size_t)i];
            low = fmin(low, value);
            high = fmax(high, value);
        }
        c->dofs[i].way = high > low ? high - low : 0;
    }
}

static void measure_dofs(SomComparison *c) {
    const SomSimulationResult *r = c->def.simulated;
    const SomConfiguration *design = c->def.mechanism->configuration;
    c->dofs = som_alloc(((size_t)r->dof_count + 1) * sizeof *c->dofs);
    for (int i = 0; i < r->dof_count; i++) {
        c->dofs[i].limit = som_configuration_joint(design, i)->effort;
    }
    for (int i = 0; i < r->times.count && c->def.prediction->times.count > 0; i++) {
        measure_sample(c, i);
    }
    measure_ways(c);
    c->worst_dof = -1;
    for (int i = 0; i < r->dof_count; i++) {
        c->dofs[i].mean = sqrt(c->dofs[i].mean / fmax(r->times.count, 1));
        bool is_worse =
            c->worst_dof < 0 || fabs(c->dofs[i].worst) > fabs(c->dofs[c->worst_dof].worst);
        c->worst_dof = c->dofs[i].worst != 0 && is_worse ? i : c->worst_dof;
    }
}

// ---- touches and falls

static double first_of(const SomVerification *found, SomCheck check) {
    double first = NAN;
    for (int i = 0; found != NULL && i < found->findings.count; i++) {
        const SomFinding *finding = &found->findings.data[i];
        if (finding->check == check && finding->severity == SOM_ERROR) {
            first = fmin(first, finding->t0); // not NAN if one of them is not
        }
    }
    return first;
}

static void find_events(SomComparison *c) {
    c->fall = c->contact = (double)NAN;
    c->warned_fall = first_of(c->def.found, SOM_CHECK_STABILITY);
    c->warned_contact = first_of(c->def.found, SOM_CHECK_SELF_COLLISION);
    for (int i = 0; i < c->def.simulated->events.count; i++) {
        const SomSimulationEvent *event = &c->def.simulated->events.data[i];
        if (event->kind == SOM_EVENT_FELL) {
            c->fall = fmin(c->fall, event->time);
        } else if (event->kind == SOM_EVENT_SELF_CONTACT) {
            c->contact = fmin(c->contact, event->time);
        }
    }
}

SomComparison *som_comparison_create(const SomComparisonDef *def) {
    SomComparison *c = som_alloc(sizeof *c);
    c->def = *def;
    pair_actions(c);
    find_stages(c);
    measure_dofs(c);
    find_events(c);
    som_comparison_find_partings(c);
    return c;
}

void som_comparison_destroy(SomComparison *c) {
    if (c == NULL) {
        return;
    }
    som_array_free(&c->actions);
    som_array_free(&c->partings);
    som_array_free(&c->stages);
    som_free(c->first_stage);
    som_free(c->dofs);
    som_arena_free(&c->arena);
    som_free(c);
}
