// SPDX-License-Identifier: Apache-2.0
// Actuators that are too weak and connections that do not hold, in a posture or during a motion.

#include "verify/loads.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

typedef struct Report {
    const SomVerifyInput *input;
    SomVerification *out;
    const SomLoads *loads;
} Report;

static SomFinding begin_finding(const Report *r, SomCode code, const SomLoadPeak *peak) {
    return (SomFinding){.check = SOM_CHECK_LOAD,
                        .code = code,
                        .t0 = som_verify_time(r->input, peak->first),
                        .t1 = som_verify_time(r->input, peak->last),
                        .worst = som_verify_time(r->input, peak->worst),
                        .value = peak->value,
                        .limit = peak->limit,
                        .action = SOM_NONE};
}

// " at 1.2 s", nothing for a configuration.
static const char *when(const Report *r, int sample) {
    if (r->input->graph == NULL) {
        return "";
    }
    SomText text = {0};
    som_text_add(&text, SOM_STR(" at "));
    som_text_value(&text, r->input->times[sample], SOM_DIMENSION_TIME);
    SomStr kept = som_arena_copy(&r->out->arena, som_text_str(&text));
    som_text_free(&text);
    return kept.data;
}

static void report_joint(const Report *r, int dof) {
    const SomLoadPeak *peak = &r->loads->joints[dof];
    const SomModuleJoint *joint = som_configuration_joint(r->input->design, dof);
    SomFinding finding = begin_finding(r, SOM_ACTUATOR_OVERLOAD, peak);
    finding.dimension =
        joint->type == SOM_JOINT_PRISMATIC ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE;
    if (r->input->graph != NULL) {
        finding.action = som_verify_action_of(r->input, dof, finding.worst);
    }
    finding.span = som_verify_span(r->input, finding.action, dof);
    SomStr path = r->input->design->dofs[dof].path;
    SomFinding *found = som_verification_add(
        r->out, &finding, "'%.*s' would need %s to hold the robot%s, its actuator has %s",
        SOM_STR_ARG(path), som_verification_value(r->out, peak->value, finding.dimension),
        when(r, peak->worst), som_verification_value(r->out, peak->limit, finding.dimension));
    som_finding_add_subject(r->out, found, path);
}

static void report_connection(const Report *r, int connection, SomConnectorLoad load) {
    static const char *const words[] = {"a tension", "a shear", "a bending"};
    const SomLoadPeak *peak = &r->loads->connections[connection * SOM_CONNECTOR_LOADS + (int)load];
    const SomConfiguration *design = r->input->design;
    const SomConnection *k = &design->connections[connection];
    SomFinding finding = begin_finding(r, SOM_CONNECTOR_OVERLOAD, peak);
    finding.dimension = load == SOM_LOAD_BENDING ? SOM_DIMENSION_TORQUE : SOM_DIMENSION_FORCE;
    finding.span = k->span;
    SomText a = {0}, b = {0};
    som_configuration_print_connector(design, k->module_a, k->connector_a, &a);
    som_configuration_print_connector(design, k->module_b, k->connector_b, &b);
    SomFinding *found = som_verification_add(
        r->out, &finding,
        "the connection of '%s' and '%s' would have to hold %s of %s%s, it holds %s", a.data,
        b.data, words[load], som_verification_value(r->out, peak->value, finding.dimension),
        when(r, peak->worst), som_verification_value(r->out, peak->limit, finding.dimension));
    som_finding_add_subject(r->out, found, som_text_str(&a));
    som_finding_add_subject(r->out, found, som_text_str(&b));
    som_text_free(&a);
    som_text_free(&b);
}

// ---- what was not looked at

static void report_unknown(const Report *r) {
    SomFinding finding = begin_finding(r, SOM_LOAD_UNKNOWN, &(SomLoadPeak){0});
    finding.t1 = som_verify_time(r->input, r->input->sample_count - 1);
    finding.value = finding.limit = (double)NAN;
    finding.span = r->input->design->base.span;
    som_verification_add(
        r->out, &finding,
        "what actuators and connectors hold was not found: there are %d closed loops, more than %d",
        r->input->mechanism->closure_count, SOM_STATICS_MOST_LOOPS);
}

static void skip_unlimited(const Report *r) {
    const SomConfiguration *design = r->input->design;
    int joints = 0, connections = 0;
    for (int i = 0; i < r->input->dof_count; i++) {
        joints += !(r->loads->joints[i].limit > 0);
    }
    for (int i = 0; i < design->connection_count; i++) {
        bool has_all = true;
        for (int k = 0; k < SOM_CONNECTOR_LOADS; k++) {
            has_all = has_all && r->loads->connections[i * SOM_CONNECTOR_LOADS + k].limit > 0;
        }
        connections += !has_all;
    }
    if (joints > 0) {
        som_verification_skip(r->out, SOM_STR("efforts of joints"), joints,
                              SOM_STR("the module type gives none"));
    }
    if (connections > 0) {
        som_verification_skip(r->out, SOM_STR("loads of connections"), connections,
                              SOM_STR("the module type does not say what its connectors hold"));
    }
    if (r->loads->falling > 0) {
        som_verification_skip(r->out, SOM_STR("loads at samples"), r->loads->falling,
                              SOM_STR("the robot does not stand level there"));
    }
}

// ---- plots

static void keep_usage(const Report *r) {
    const struct {
        SomStr name;
        const double *values;
    } series[] = {{SOM_STR("load of actuators, of their limits"), r->loads->usage},
                  {SOM_STR("load of connectors, of their limits"), r->loads->connector_usage}};
    for (int k = 0; k < 2 && r->input->wants_series; k++) {
        bool has_any = false;
        for (int i = 0; i < r->input->sample_count; i++) {
            has_any = has_any || !isnan(series[k].values[i]);
        }
        if (has_any) {
            double *values =
                som_verification_add_series(r->out, series[k].name, SOM_DIMENSION_NUMBER, 1);
            memcpy(values, series[k].values, sizeof *values * (size_t)r->input->sample_count);
        }
    }
}

void som_check_loads(const SomVerifyInput *input, SomVerification *out) {
    SomTerrain terrain = som_verify_terrain(&input->options);
    SomStanding *standing =
        som_standing_create(input->mechanism, &terrain, input->options.tolerance);
    double friction = input->options.friction;
    SomStatics *statics =
        som_statics_create(&(SomStaticsDef){.mechanism = input->mechanism,
                                            .down = som_terrain_down(&terrain),
                                            .friction = friction > 0 ? friction : -1});
    // where it leans it is not held by its actuators alone: weak ones sag until more touches
    SomMotionSamples motion = {
        .values = input->values, .count = input->sample_count, .dt = input->options.dt};
    som_standing_set_stop(standing, input->stop);
    SomLoads *loads =
        som_loads_measure_efforts(standing, statics, &motion, input->options.safety, out->efforts);
    Report r = {input, out, loads};
    for (int i = 0; i < input->dof_count; i++) {
        if (loads->joints[i].first >= 0) {
            report_joint(&r, i);
        }
    }
    for (int i = 0; i < input->design->connection_count * SOM_CONNECTOR_LOADS; i++) {
        if (loads->connections[i].first >= 0) {
            report_connection(&r, i / SOM_CONNECTOR_LOADS,
                              (SomConnectorLoad)(i % SOM_CONNECTOR_LOADS));
        }
    }
    if (loads->unknown > 0) {
        report_unknown(&r);
    }
    skip_unlimited(&r);
    keep_usage(&r);
    som_loads_destroy(loads);
    som_statics_destroy(statics);
    som_standing_destroy(standing);
}
