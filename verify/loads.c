// SPDX-License-Identifier: Apache-2.0

#include "verify/loads.h"

#include "base/memory.h"
#include "verify/contact_forces.h"

#include <math.h>
#include <string.h>

typedef struct Meter {
    const SomLoadsDef *def;
    const SomMechanism *m;
    double *limits; // of each DoF, without the safety factor
    double *rigid;  // efforts of each DoF with the weight shared as by a rigid robot
    double *spared; // and with contacts that spare the joints
    SomPose *links; // of the previous sample that stood: one like it has the same loads
    bool has_stood;
    SomLoads *out;
} Meter;

// What was found of a sample. Balances are valid until the statics solve the next one.
typedef struct Outcome {
    const SomBalance *balance; // NULL: it does not rest, or its loads could not be found
    bool is_unknown;
    bool is_shared;
    bool is_spared; // by contacts that spare the actuators
    bool is_sagged; // until more of it touched; `spared` has the efforts from before
} Outcome;

// ---- limits

static double limit_of(const SomConnector *connector, SomConnectorLoad load) {
    switch (load) {
    case SOM_LOAD_TENSION:
        return connector->tension;
    case SOM_LOAD_SHEAR:
        return connector->shear;
    case SOM_LOAD_BENDING:
        return connector->bending;
    case SOM_CONNECTOR_LOADS:
        break;
    }
    return 0;
}

double som_connection_limit(const SomConfiguration *design, int connection, SomConnectorLoad load) {
    const SomConnection *k = &design->connections[connection];
    double a = limit_of(&design->modules[k->module_a].type->connectors[k->connector_a], load);
    double b = limit_of(&design->modules[k->module_b].type->connectors[k->connector_b], load);
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

static void begin_peaks(Meter *q) {
    SomLoads *out = q->out;
    const SomConfiguration *design = q->m->configuration;
    int connections = design->connection_count;
    out->joints = som_alloc(sizeof *out->joints * (size_t)(q->m->dof_count + 1));
    out->connections =
        som_alloc(sizeof *out->connections * (size_t)(connections * SOM_CONNECTOR_LOADS + 1));
    out->usage = som_alloc(sizeof *out->usage * (size_t)(q->def->motion->count + 1));
    out->connector_usage = som_alloc(sizeof *out->usage * (size_t)(q->def->motion->count + 1));
    q->limits = som_alloc(sizeof *q->limits * (size_t)(q->m->dof_count + 1));
    q->rigid = som_alloc(sizeof *q->rigid * (size_t)(q->m->dof_count + 1));
    q->spared = som_alloc(sizeof *q->spared * (size_t)(q->m->dof_count + 1));
    out->sagging = som_alloc(sizeof *out->sagging * (size_t)(q->m->dof_count + 1));
    for (int i = 0; i < q->m->dof_count; i++) {
        out->joints[i] = (SomLoadPeak){0, q->m->joints[i].joint->effort, -1, -1, -1};
        out->sagging[i] = out->joints[i];
        q->limits[i] = out->joints[i].limit / q->def->safety;
    }
    for (int i = 0; i < connections; i++) {
        for (int k = 0; k < SOM_CONNECTOR_LOADS; k++) {
            double limit = som_connection_limit(design, i, (SomConnectorLoad)k);
            out->connections[i * SOM_CONNECTOR_LOADS + k] = (SomLoadPeak){0, limit, -1, -1, -1};
        }
    }
    for (int i = 0; i < q->def->motion->count; i++) {
        out->usage[i] = out->connector_usage[i] = (double)NAN;
    }
}

// ---- samples

static double load_of(const SomConnectionLoad *load, int which) {
    return which == SOM_LOAD_TENSION ? load->tension
           : which == SOM_LOAD_SHEAR ? load->shear
                                     : load->bending;
}

// The largest load / limit; of connectors or of actuators.
static double usage_of(const Meter *q, const SomBalance *balance, bool of_connectors) {
    double most = (double)NAN;
    int connections = q->m->configuration->connection_count;
    for (int i = 0; !of_connectors && i < q->m->dof_count; i++) {
        if (q->limits[i] > 0) {
            most = fmax(most, fabs(balance->efforts[i]) / q->limits[i]);
        }
    }
    for (int i = 0; of_connectors && i < connections * SOM_CONNECTOR_LOADS; i++) {
        double limit = q->out->connections[i].limit;
        if (limit > 0) {
            double load =
                load_of(&balance->connections[i / SOM_CONNECTOR_LOADS], i % SOM_CONNECTOR_LOADS);
            most = fmax(most, q->def->safety * fmax(load, 0) / limit);
        }
    }
    return most;
}

static void note(SomLoadPeak *peak, double value, int sample) {
    if (peak->worst < 0 || value > peak->value) {
        peak->value = value;
        peak->worst = sample;
    }
    if (peak->limit > 0 && value > peak->limit * (1 + 1e-9)) {
        peak->first = peak->first < 0 || sample < peak->first ? sample : peak->first;
        peak->last = sample > peak->last ? sample : peak->last;
    }
}

static void note_sample(Meter *q, const SomBalance *balance, int sample, bool is_spared) {
    int connections = q->m->configuration->connection_count;
    for (int i = 0; i < q->m->dof_count; i++) {
        SomLoadPeak *peak = &q->out->joints[i];
        double effort = fabs(balance->efforts[i]), slack = 1 + SOM_CONTACT_YIELD;
        // what could be spared, and is but just above its limit, is at it
        bool is_other = fabs(effort - fabs(q->rigid[i])) > 1e-6 * effort;
        if (is_spared && is_other && effort > q->limits[i] && effort <= slack * q->limits[i]) {
            effort = q->limits[i];
        }
        note(peak, q->def->safety * effort, sample);
    }
    for (int i = 0; i < connections * SOM_CONNECTOR_LOADS; i++) {
        double load =
            load_of(&balance->connections[i / SOM_CONNECTOR_LOADS], i % SOM_CONNECTOR_LOADS);
        note(&q->out->connections[i], q->def->safety * load, sample);
    }
    if (q->def->efforts != NULL && q->m->dof_count > 0) {
        size_t dofs = (size_t)q->m->dof_count;
        double *efforts = q->def->efforts + (size_t)sample * dofs;
        for (size_t i = 0; i < dofs; i++) {
            efforts[i] = isnan(balance->efforts[i]) ? efforts[i] : balance->efforts[i];
        }
    }
    q->out->usage[sample] = usage_of(q, balance, false);
    q->out->connector_usage[sample] = usage_of(q, balance, true);
}

static const SomBalance *spare(Meter *q, const SomStance *stance, const SomContacts *contacts) {
    const SomBalance *balance =
        som_statics_spare(q->def->statics, stance->links, contacts, q->limits);
    if (!balance->is_balanced) { // on the very edge
        balance = som_statics_solve(q->def->statics, stance->links, contacts);
    }
    return balance;
}

static bool holds(const Meter *q, const SomBalance *balance) {
    return balance->is_balanced && usage_of(q, balance, false) <= 1 + SOM_CONTACT_YIELD;
}

// A robot that rests turned by its weight sags until more of it touches, if that is near enough to
// the ground and then holds it. NULL if not.
static const SomBalance *sag(Meter *q, const SomStance *stance, int sample) {
    if (q->def->sagged == NULL ||
        !(som_standing_base_lean(q->def->standing, sample) > SOM_STANDING_LEVEL)) {
        return NULL;
    }
    const SomContacts *contacts = som_contact_finder_find(q->def->sagged, stance->links);
    const SomBalance *balance = spare(q, stance, contacts);
    return holds(q, balance) ? balance : NULL;
}

// With contacts that spare the actuators, where a rigid robot's are too weak.
static Outcome spare_sample(Meter *q, const SomStance *stance, const SomBalance *balance,
                            int sample) {
    size_t size = sizeof *q->rigid * (size_t)q->m->dof_count;
    memcpy(q->rigid, balance->efforts, size);
    balance = spare(q, stance, stance->contacts);
    if (holds(q, balance)) {
        return (Outcome){.balance = balance, .is_spared = true};
    }
    memcpy(q->spared, balance->efforts, size);
    const SomBalance *sagged = sag(q, stance, sample);
    return (Outcome){.balance = sagged != NULL ? sagged : spare(q, stance, stance->contacts),
                     .is_spared = true,
                     .is_sagged = sagged != NULL};
}

// Does what joints move, of a robot that is fixed to the world, touch the ground?
static bool leans_on_ground(const Meter *q, const SomPose *links) {
    for (int i = 0; q->m->is_fixed && i < q->m->link_count; i++) {
        bool moves = false;
        for (int link = i; link >= 0; link = q->m->links[link].parent) {
            moves = moves || q->m->links[link].dof >= 0;
        }
        double low = som_mechanism_link_bounds(q->m, links, i).low.z;
        if (moves && !q->m->links[i].is_loose && low <= q->def->tolerance) {
            return true;
        }
    }
    return false;
}

static Outcome solve_sample(Meter *q, const SomStance *stance, int sample) {
    const SomBalance *balance = som_statics_solve(q->def->statics, stance->links, stance->contacts);
    if (!balance->has_loads || !balance->is_balanced) {
        return (Outcome){.is_unknown = !balance->has_loads};
    }
    bool is_too_much = usage_of(q, balance, false) > 1 || usage_of(q, balance, true) > 1;
    if (is_too_much && q->m->is_fixed) {
        bool is_shared = leans_on_ground(q, stance->links);
        return (Outcome){.balance = is_shared ? NULL : balance, .is_shared = is_shared};
    }
    if (is_too_much) {
        return spare_sample(q, stance, balance, sample);
    }
    return (Outcome){.balance = balance};
}

static void note_outcome(Meter *q, const Outcome *outcome, int sample) {
    if (outcome->balance == NULL) {
        q->out->unknown += outcome->is_unknown;
        q->out->shared += outcome->is_shared;
        q->out->falling += !outcome->is_unknown && !outcome->is_shared;
        return;
    }
    for (int i = 0; outcome->is_sagged && i < q->m->dof_count; i++) {
        note(&q->out->sagging[i], q->def->safety * fabs(q->spared[i]), sample);
    }
    note_sample(q, outcome->balance, sample, outcome->is_spared);
}

// Whether all links are where they were in the previous sample that stood, as they are in a wait.
static bool is_like_previous(Meter *q, const SomPose *links) {
    size_t size = sizeof *links * (size_t)q->m->link_count;
    if (q->has_stood && memcmp(q->links, links, size) == 0) {
        return true;
    }
    memcpy(q->links, links, size);
    q->has_stood = true;
    return false;
}

static void measure_sample(Meter *q, Outcome *previous, int sample) {
    SomStance stance = som_standing_measure_sample(q->def->standing, sample);
    if (!stance.stands) {
        q->out->falling++;
        return;
    }
    if (!is_like_previous(q, stance.links)) {
        *previous = solve_sample(q, &stance, sample);
    }
    note_outcome(q, previous, sample);
}

// What was found of a tick counts until the next one.
static void repeat_tick(Meter *q, int tick, int next) {
    size_t dofs = (size_t)q->m->dof_count;
    for (int i = tick + 1; i < next; i++) {
        q->out->usage[i] = q->out->usage[tick];
        q->out->connector_usage[i] = q->out->connector_usage[tick];
        if (q->def->efforts != NULL && dofs > 0) {
            double *efforts = q->def->efforts;
            memcpy(efforts + (size_t)i * dofs, efforts + (size_t)tick * dofs,
                   dofs * sizeof *efforts);
        }
    }
}

SomLoads *som_loads_measure(const SomLoadsDef *def) {
    SomLoads *out = som_alloc(sizeof *out);
    Meter q = {.def = def, .m = som_standing_mechanism(def->standing), .out = out};
    const SomStop *stop = som_standing_stop(def->standing);
    Outcome previous = {0};
    begin_peaks(&q);
    q.links = som_alloc(sizeof *q.links * (size_t)(q.m->link_count + 1));
    som_standing_follow(def->standing, def->motion);
    const SomMotionSamples *motion = def->motion;
    for (int i = 0; i < motion->count && !som_stop_is_asked(stop);) {
        int next = som_standing_next_tick(motion, i);
        measure_sample(&q, &previous, i);
        repeat_tick(&q, i, next);
        i = next;
    }
    som_free(q.limits);
    som_free(q.rigid);
    som_free(q.spared);
    som_free(q.links);
    return out;
}

void som_loads_destroy(SomLoads *loads) {
    if (loads != NULL) {
        som_free(loads->joints);
        som_free(loads->sagging);
        som_free(loads->connections);
        som_free(loads->usage);
        som_free(loads->connector_usage);
        som_free(loads);
    }
}
