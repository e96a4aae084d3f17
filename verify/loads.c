// SPDX-License-Identifier: Apache-2.0

#include "verify/loads.h"

#include "base/memory.h"
#include "verify/contact_forces.h"

#include <math.h>
#include <string.h>

typedef struct Meter {
    SomStanding *standing;
    SomStatics *statics;
    const SomMechanism *m;
    const SomMotionSamples *motion;
    double safety;
    double *limits; // of each DoF, without the safety factor
    double *rigid;  // efforts of each DoF with the weight shared as by a rigid robot
    SomLoads *out;
    double *efforts; // of all samples; NULL: nobody wants them
} Meter;

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
    out->usage = som_alloc(sizeof *out->usage * (size_t)(q->motion->count + 1));
    out->connector_usage = som_alloc(sizeof *out->usage * (size_t)(q->motion->count + 1));
    q->limits = som_alloc(sizeof *q->limits * (size_t)(q->m->dof_count + 1));
    q->rigid = som_alloc(sizeof *q->rigid * (size_t)(q->m->dof_count + 1));
    for (int i = 0; i < q->m->dof_count; i++) {
        out->joints[i] = (SomLoadPeak){0, q->m->joints[i].joint->effort, -1, -1, -1};
        q->limits[i] = out->joints[i].limit / q->safety;
    }
    for (int i = 0; i < connections; i++) {
        for (int k = 0; k < SOM_CONNECTOR_LOADS; k++) {
            double limit = som_connection_limit(design, i, (SomConnectorLoad)k);
            out->connections[i * SOM_CONNECTOR_LOADS + k] = (SomLoadPeak){0, limit, -1, -1, -1};
        }
    }
    for (int i = 0; i < q->motion->count; i++) {
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
            most = fmax(most, q->safety * fmax(load, 0) / limit);
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
        note(peak, q->safety * effort, sample);
    }
    for (int i = 0; i < connections * SOM_CONNECTOR_LOADS; i++) {
        double load =
            load_of(&balance->connections[i / SOM_CONNECTOR_LOADS], i % SOM_CONNECTOR_LOADS);
        note(&q->out->connections[i], q->safety * load, sample);
    }
    if (q->efforts != NULL && q->m->dof_count > 0) {
        size_t dofs = (size_t)q->m->dof_count;
        memcpy(q->efforts + (size_t)sample * dofs, balance->efforts, dofs * sizeof *q->efforts);
    }
    q->out->usage[sample] = usage_of(q, balance, false);
    q->out->connector_usage[sample] = usage_of(q, balance, true);
}

static SomStance stand(const Meter *q, int sample) {
    return som_standing_measure_sample(q->standing, sample);
}

// True if something holds too much and the sample is not yet noted.
static bool measure_sample(Meter *q, int sample) {
    SomStance stance = stand(q, sample);
    if (!stance.stands) {
        q->out->falling++;
        return false;
    }
    const SomBalance *balance = som_statics_solve(q->statics, stance.links, stance.contacts);
    if (!balance->has_loads || !balance->is_balanced) {
        q->out->unknown += !balance->has_loads;
        q->out->falling += balance->has_loads;
        return false;
    }
    if (usage_of(q, balance, false) > 1 || usage_of(q, balance, true) > 1) {
        return true;
    }
    note_sample(q, balance, sample, false);
    return false;
}

static void spare_sample(Meter *q, int sample) {
    SomStance stance = stand(q, sample);
    const SomBalance *balance = som_statics_solve(q->statics, stance.links, stance.contacts);
    memcpy(q->rigid, balance->efforts, sizeof *q->rigid * (size_t)q->m->dof_count);
    balance = som_statics_spare(q->statics, stance.links, stance.contacts, q->limits);
    if (!balance->is_balanced) { // on the very edge
        balance = som_statics_solve(q->statics, stance.links, stance.contacts);
    }
    note_sample(q, balance, sample, true);
}

SomLoads *som_loads_measure(SomStanding *standing, SomStatics *statics,
                            const SomMotionSamples *motion, double safety) {
    return som_loads_measure_efforts(standing, statics, motion, safety, NULL);
}

SomLoads *som_loads_measure_efforts(SomStanding *standing, SomStatics *statics,
                                    const SomMotionSamples *motion, double safety,
                                    double *efforts) {
    SomLoads *out = som_alloc(sizeof *out);
    Meter q = {.standing = standing,
               .statics = statics,
               .m = som_standing_mechanism(standing),
               .motion = motion,
               .safety = safety,
               .out = out,
               .efforts = efforts};
    const SomStop *stop = som_standing_stop(standing);
    begin_peaks(&q);
    som_standing_follow(standing, motion);
    int *heavy = som_alloc(sizeof *heavy * (size_t)(motion->count + 1)), count = 0;
    for (int i = 0; i < motion->count && !som_stop_is_asked(stop); i++) {
        if (measure_sample(&q, i)) {
            heavy[count++] = i;
        }
    }
    int stride = (count + SOM_LOADS_SPARED - 1) / SOM_LOADS_SPARED;
    for (int i = 0; i < count && !som_stop_is_asked(stop); i++) {
        // the ends, too: first and last say how long it lasts
        if (i % stride == 0 || i == count - 1) {
            spare_sample(&q, heavy[i]);
        }
    }
    som_free(heavy);
    som_free(q.limits);
    som_free(q.rigid);
    return out;
}

void som_loads_destroy(SomLoads *loads) {
    if (loads != NULL) {
        som_free(loads->joints);
        som_free(loads->connections);
        som_free(loads->usage);
        som_free(loads->connector_usage);
        som_free(loads);
    }
}
