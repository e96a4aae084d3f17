// SPDX-License-Identifier: Apache-2.0
#include "behaviors/prediction_docks.h"

#include "base/codes/behaviors_codes.h"
#include "base/number.h"
#include "behaviors/graph_builder.h"
#include "compose/dock_states.h"
#include "player/fingerprint.h"

#include <math.h>

struct SomPredictedDocks {
    const SomActionGraph *graph;
    const SomConfiguration *design; // NULL: partners are always in reach
    SomDiagnostics *diags;
    SomDockStates *states;
    SomDockModel *models;
    SomDockDriver *drivers;
    SomPosture posture;
    bool *is_explained; // by dock
    bool is_torn;       // which was reported
    int count;
};

static void begin(SomPredictedDocks *d, const SomPredictionDef *def, int i) {
    d->models[i] = def->dock;
    d->drivers[i].state = def->docks == NULL ? SOM_DOCK_OPEN : def->docks[i];
    if (d->design != NULL) {
        const SomDock *dock = &d->design->docks[i];
        d->models[i] = (SomDockModel){.closing = som_dock_connect_time(d->design, dock),
                                      .opening = som_dock_release_time(d->design, dock),
                                      .reach = som_dock_reach(d->design, dock)};
        d->drivers[i].state = dock->is_closed ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
    }
}

SomPredictedDocks *som_predicted_docks_create(const SomPredictionDef *def, SomDiagnostics *diags) {
    SomPredictedDocks *d = som_alloc(sizeof *d);
    d->graph = def->graph;
    d->diags = diags;
    d->count = def->graph->symbol_count[SOM_SYMBOL_DOCK];
    size_t room = (size_t)d->count + 1;
    d->models = som_alloc(room * sizeof *d->models);
    d->drivers = som_alloc(room * sizeof *d->drivers);
    d->is_explained = som_alloc(room * sizeof *d->is_explained);
    if (def->design != NULL && d->count > 0 && d->count == def->design->dock_count &&
        def->graph->symbol_count[SOM_SYMBOL_DOF] == def->design->dof_count) {
        d->design = def->design;
        d->states = som_dock_states_create(def->design);
        d->posture = som_posture_start(def->design);
    }
    for (int i = 0; i < d->count; i++) {
        begin(d, def, i);
    }
    return d;
}

void som_predicted_docks_destroy(SomPredictedDocks *d) {
    som_dock_states_destroy(d->states);
    som_posture_free(&d->posture);
    som_free(d->models);
    som_free(d->drivers);
    som_free(d->is_explained);
    som_free(d);
}

void som_predicted_docks_sense(const SomPredictedDocks *d, uint8_t *states) {
    for (int i = 0; i < d->count; i++) {
        states[i] = d->drivers[i].state;
    }
}

// Metres to the partner; not a number if it is turned away or taken.
static double gap_of(const SomPredictedDocks *d, int dock) {
    if (d->states == NULL) {
        return 0;
    }
    SomGap gap = som_dock_states_gap(d->states, dock);
    bool fits = som_dock_in_reach(d->design, dock, gap) &&
                som_dock_states_rival(d->states, dock) < 0 &&
                !som_dock_states_joins_fixed(d->states, dock);
    return fits ? gap.metres : (double)NAN;
}

static void check_loops(SomPredictedDocks *d, double time) {
    const SomMechanism *m = som_dock_states_mechanism(d->states);
    bool has_closed = false;
    for (int i = 0; i < d->count; i++) {
        has_closed |= som_dock_states_is_closed(d->states, i);
    }
    int closure;
    SomGap gap;
    if (d->is_torn || !has_closed || m->closure_count == 0 ||
        !som_mechanism_worst_gap(m, som_dock_states_links(d->states), &closure, &gap) ||
        (gap.metres <= SOM_DOCK_REACH && gap.radians <= SOM_DOCK_REACH_ANGLE)) {
        return;
    }
    d->is_torn = true;
    SomText loop = {0}, width = {0};
    char seconds[SOM_NUMBER_TEXT];
    som_mechanism_print_closure(m, closure, &loop);
    som_gap_print(gap, &width);
    som_number_print(som_number_round(time, 6), seconds);
    som_report(d->diags, SOM_DOCK_TORN, som_graph_user_span(d->graph, 0),
               "after %s s %s is torn open by %s", seconds, loop.data, width.data);
    som_text_free(&loop);
    som_text_free(&width);
}

void som_predicted_docks_move(SomPredictedDocks *d, const uint8_t *commands,
                              const double *positions, double dt, double time) {
    if (d->states != NULL) {
        for (int i = 0; i < d->posture.count; i++) {
            d->posture.values[i] = positions[i];
        }
        som_dock_states_place(d->states, &d->posture);
    }
    for (int i = 0; i < d->count; i++) {
        SomDockDriver *driver = &d->drivers[i];
        bool is_wanted = commands[i] == SOM_DOCK_CONNECT && driver->state != SOM_DOCK_CLOSED;
        som_dock_driver_step(&d->models[i], driver, (SomDockCommand)commands[i],
                             is_wanted ? gap_of(d, i) : 0, dt);
        if (d->states != NULL && driver->state != SOM_DOCK_MOVING) {
            som_dock_states_set(d->states, i, driver->state == SOM_DOCK_CLOSED);
        }
    }
    if (d->states != NULL) {
        check_loops(d, time);
    }
}

uint64_t som_predicted_docks_fingerprint(const SomPredictedDocks *d) {
    uint64_t state = 0;
    for (int i = 0; i < d->count; i++) {
        const SomDockDriver *driver = &d->drivers[i];
        bool is_moving = driver->state == SOM_DOCK_MOVING;
        state = som_fingerprint_add(state, driver->state | (uint64_t)driver->is_torn << 8);
        state = som_fingerprint_add(state, is_moving ? driver->from : 0);
        state = som_fingerprint_add_number(state, is_moving ? driver->since : 0);
    }
    // what docks released is where it is, whatever the joints are
    const SomPose *links = d->states != NULL ? som_dock_states_links(d->states) : NULL;
    int count = d->states != NULL ? som_dock_states_mechanism(d->states)->link_count : 0;
    for (int i = 0; i < count; i++) {
        const double *numbers = (const double *)&links[i];
        for (size_t k = 0; k < sizeof *links / sizeof *numbers; k++) {
            state = som_fingerprint_add_number(state, numbers[k]);
        }
    }
    return state;
}

void som_predicted_docks_explain(SomPredictedDocks *d, int32_t node) {
    const SomAction *action = &d->graph->actions[d->graph->nodes[node].index];
    if (d->states == NULL || action->kind != SOM_ACTION_CONNECT ||
        d->is_explained[action->target]) {
        return;
    }
    d->is_explained[action->target] = true;
    const SomConnection *c = &d->design->docks[action->target].connection;
    int rival = som_dock_states_rival(d->states, action->target);
    SomGap gap = som_dock_states_gap(d->states, action->target);
    SomText text = {0};
    if (rival >= 0) {
        som_text_printf(&text, "dock '%.*s' holds one of its connectors",
                        SOM_STR_ARG(d->design->docks[rival].path));
    } else if (som_dock_in_reach(d->design, action->target, gap) &&
               som_dock_states_joins_fixed(d->states, action->target)) {
        som_text_add(&text, SOM_STR("both pieces are fixed to the world, and a loop through the "
                                    "world is not predicted"));
    } else if (som_dock_in_reach(d->design, action->target, gap)) {
        som_text_add(&text, SOM_STR("it takes "));
        som_text_rounded(&text, d->models[action->target].closing, 6);
        som_text_add(&text, SOM_STR(" s, with both connectors in reach"));
    } else {
        som_text_add(&text, SOM_STR("'"));
        som_configuration_print_connector(d->design, c->module_a, c->connector_a, &text);
        som_text_add(&text, SOM_STR("' and '"));
        som_configuration_print_connector(d->design, c->module_b, c->connector_b, &text);
        som_text_add(&text, SOM_STR("' are "));
        som_gap_print(gap, &text);
        som_text_add(&text, SOM_STR(" away from each other"));
    }
    som_report(d->diags, SOM_DOCK_NOT_CLOSED, som_graph_user_span(d->graph, node),
               "'%s' does not close: %s", som_graph_name(d->graph, SOM_SYMBOL_DOCK, action->target),
               text.data);
    som_graph_note_calls(d->graph, node, "the action is", d->diags);
    som_text_free(&text);
}
