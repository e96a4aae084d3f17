// SPDX-License-Identifier: Apache-2.0
// Actuators that are too weak and connections that do not hold, in a posture or during a motion.

#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "verify/excess_internal.h"
#include "verify/loads.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

typedef struct Report {
    const SomVerifyInput *input;
    SomVerification *out;
    const SomLoads *loads;
    const SomLoadPeak *joints; // those of the loads that are reported
    SomCode code;              // what is reported of them
} Report;

static SomFinding begin_finding(SomCode code, const SomExcess *excess) {
    return (SomFinding){.check = SOM_CHECK_LOAD,
                        .code = code,
                        .t0 = excess->t0,
                        .t1 = excess->t1,
                        .worst = excess->worst,
                        .value = excess->value,
                        .limit = excess->limit,
                        .action = excess->action};
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

static double usage_of(const SomLoadPeak *peak) {
    return peak->value / peak->limit;
}

static SomExcess excess_of(const Report *r, const SomLoadPeak *peak, int index, int32_t action) {
    return (SomExcess){.index = index,
                       .action = action,
                       .t0 = som_verify_time(r->input, peak->first),
                       .t1 = som_verify_time(r->input, peak->last),
                       .worst = som_verify_time(r->input, peak->worst),
                       .value = peak->value,
                       .limit = peak->limit,
                       .by = usage_of(peak)};
}

// ---- joints

static int32_t action_of(const Report *r, int dof) {
    return som_verify_action_of(r->input, dof, som_verify_time(r->input, r->joints[dof].worst));
}

// A joint that only holds still is overloaded by what moves others: of the joints with an action
// that are overloaded from the same sample on, the one that is so most. One per sample, -1: none.
static int *find_leaders(const Report *r) {
    int *leaders = som_alloc((size_t)r->input->sample_count * sizeof *leaders);
    for (int i = 0; i < r->input->sample_count; i++) {
        leaders[i] = -1;
    }
    const SomLoadPeak *joints = r->joints;
    for (int dof = 0; dof < r->input->dof_count; dof++) {
        int first = joints[dof].first;
        if (first >= 0 && action_of(r, dof) != SOM_NONE &&
            (leaders[first] < 0 || usage_of(&joints[dof]) > usage_of(&joints[leaders[first]]))) {
            leaders[first] = dof;
        }
    }
    return leaders;
}

static void report_joints(const Report *r, const SomExcessGroup *group) {
    const SomExcess *worst = &group->worst;
    const SomLoadPeak *peak = &r->joints[worst->index];
    const SomModuleJoint *joint = som_configuration_joint(r->input->design, worst->index);
    SomFinding finding = begin_finding(r->code, worst);
    finding.dimension =
        joint->type == SOM_JOINT_PRISMATIC ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE;
    for (int i = 0; i < group->count && finding.action == SOM_NONE; i++) {
        finding.action = group->all[i].excess.action;
    }
    finding.span = som_verify_span(r->input, finding.action, worst->index);
    SomStr *subjects = som_alloc((size_t)group->count * sizeof *subjects);
    SomText others = {0};
    finding.subject_count = som_excess_list_joints(r->input, group, subjects, &others);
    finding.subjects = subjects;
    if (r->code == SOM_ACTUATOR_SAGS) {
        som_text_add(&others, others.length > 0 ? SOM_STR("; ") : SOM_STR(""));
        som_text_add(&others, SOM_STR("they give way until more of the robot touches the ground"));
    }
    finding.who = som_verification_quote(r->out, subjects[0]);
    finding.details = som_text_str(&others);
    som_verification_add(r->out, &finding, "%s to hold the robot%s, limit %s",
                         som_verification_value(r->out, peak->value, finding.dimension),
                         when(r, peak->worst),
                         som_verification_value(r->out, peak->limit, finding.dimension));
    som_text_free(&others);
    som_free(subjects);
}

// One finding for all joints that one statement overloads, or that are overloaded from one moment
// on.
static void check_joints(const Report *r) {
    SomExcessList list = {0};
    int *leaders = find_leaders(r);
    for (int dof = 0; dof < r->input->dof_count; dof++) {
        int first = r->joints[dof].first;
        if (first >= 0) {
            SomExcess excess = excess_of(r, &r->joints[dof], dof, action_of(r, dof));
            int leader = excess.action == SOM_NONE ? leaders[first] : dof;
            int32_t cause = leader >= 0 ? action_of(r, leader) : SOM_NONE;
            som_excess_add(&list, som_verify_span(r->input, cause, -1), &excess);
        }
    }
    SomExcessGroup group;
    while (som_excess_next(&list, &group)) {
        report_joints(r, &group);
    }
    som_excess_free(&list);
    som_free(leaders);
}

// ---- connections

// The two connectors of a connection, in memory of the verification.
static void print_connectors(const Report *r, int connection, SomStr connectors[2]) {
    const SomConfiguration *design = r->input->design;
    const SomConnection *k = &design->connections[connection];
    SomText a = {0}, b = {0};
    som_configuration_print_connector(design, k->module_a, k->connector_a, &a);
    som_configuration_print_connector(design, k->module_b, k->connector_b, &b);
    connectors[0] = som_arena_copy(&r->out->arena, som_text_str(&a));
    connectors[1] = som_arena_copy(&r->out->arena, som_text_str(&b));
    som_text_free(&a);
    som_text_free(&b);
}

static void report_connections(const Report *r, const SomExcessGroup *group,
                               SomConnectorLoad load) {
    static const char *const words[] = {"a tension", "a shear", "a bending"};
    const SomExcess *worst = &group->worst;
    SomFinding finding = begin_finding(SOM_CONNECTOR_OVERLOAD, worst);
    finding.dimension = load == SOM_LOAD_BENDING ? SOM_DIMENSION_TORQUE : SOM_DIMENSION_FORCE;
    finding.span = r->input->design->connections[worst->index].span;
    SomStr *connectors = som_alloc(2 * (size_t)group->count * sizeof *connectors);
    print_connectors(r, worst->index, connectors);
    SomText others = {0};
    SomNameList list = {.out = &others};
    for (int i = 0, count = 2; i < group->count; i++) {
        if (group->all[i].excess.index != worst->index) {
            SomStr *pair = &connectors[count];
            print_connectors(r, group->all[i].excess.index, pair);
            som_text_add(&others, list.count == 0 ? SOM_STR("likewise ") : SOM_STR(""));
            som_name_list_add(&list, "that of '%.*s' and '%.*s'", SOM_STR_ARG(pair[0]),
                              SOM_STR_ARG(pair[1]));
            count += 2;
        }
    }
    som_name_list_end(&list);
    finding.subjects = connectors;
    finding.subject_count = 2 * group->count;
    int sample = r->loads->connections[worst->index * SOM_CONNECTOR_LOADS + (int)load].worst;
    SomText who = {0};
    som_text_printf(&who, "connection of '%.*s' and '%.*s'", SOM_STR_ARG(connectors[0]),
                    SOM_STR_ARG(connectors[1]));
    finding.who = som_text_str(&who);
    finding.details = som_text_str(&others);
    som_verification_add(r->out, &finding, "%s of %s%s, limit %s", words[load],
                         som_verification_value(r->out, worst->value, finding.dimension),
                         when(r, sample),
                         som_verification_value(r->out, worst->limit, finding.dimension));
    som_text_free(&who);
    som_text_free(&others);
    som_free(connectors);
}

// One finding for all connections that one statement makes.
static void check_connections(const Report *r, SomConnectorLoad load) {
    const SomConfiguration *design = r->input->design;
    SomExcessList list = {0};
    for (int i = 0; i < design->connection_count; i++) {
        const SomLoadPeak *peak = &r->loads->connections[i * SOM_CONNECTOR_LOADS + (int)load];
        if (peak->first >= 0) {
            SomExcess excess = excess_of(r, peak, i, SOM_NONE);
            som_excess_add(&list, design->connections[i].span, &excess);
        }
    }
    SomExcessGroup group;
    while (som_excess_next(&list, &group)) {
        report_connections(r, &group, load);
    }
    som_excess_free(&list);
}

// ---- what was not looked at

static SomKnown known_of(int unknown, int all) {
    return all == 0 || unknown == all ? SOM_KNOWN_OF_NONE
           : unknown > 0              ? SOM_KNOWN_OF_SOME
                                      : SOM_KNOWN_OF_ALL;
}

// Whether there is anything that loads can be compared with.
static bool find_known(const Report *r) {
    const SomConfiguration *design = r->input->design;
    int joints = 0, connections = 0, silent = 0; // of silent ones nothing is known
    for (int i = 0; i < r->input->dof_count; i++) {
        joints += !(r->loads->joints[i].limit > 0);
    }
    for (int i = 0; i < design->connection_count; i++) {
        int given = 0;
        for (int k = 0; k < SOM_CONNECTOR_LOADS; k++) {
            given += r->loads->connections[i * SOM_CONNECTOR_LOADS + k].limit > 0;
        }
        connections += given < SOM_CONNECTOR_LOADS;
        silent += given == 0;
    }
    if (joints > 0) {
        som_verification_not_assessed(r->out, SOM_CHECK_LOAD, SOM_STR("efforts of joints"), joints,
                                      SOM_STR("the module type gives none"));
    }
    if (connections > 0) {
        som_verification_not_assessed(
            r->out, SOM_CHECK_LOAD, SOM_STR("loads of connections"), connections,
            SOM_STR("the module type does not say what its connectors hold"));
    }
    SomKnown of_joints = known_of(joints, r->input->dof_count);
    SomKnown of_connections = known_of(connections, design->connection_count);
    if (of_connections == SOM_KNOWN_OF_NONE && silent < connections) {
        of_connections = SOM_KNOWN_OF_SOME;
    }
    r->out->actuators = of_joints;
    r->out->connectors = of_connections;
    return of_joints != SOM_KNOWN_OF_NONE || of_connections != SOM_KNOWN_OF_NONE;
}

static void skip_samples(const Report *r) {
    SomText loops = {0};
    som_text_printf(&loops, "there are %d closed loops, more than the %d that are computed",
                    r->input->mechanism->closure_count, SOM_STATICS_MOST_LOOPS);
    const struct {
        int count;
        SomStr reason;
    } left[] = {{r->loads->falling, SOM_STR("the robot does not rest")},
                {r->loads->unknown, som_text_str(&loops)},
                {r->loads->shared, SOM_STR("how its base and the ground share the weight is not "
                                           "known")}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        if (left[i].count > 0) {
            som_verification_not_checked(r->out, SOM_CHECK_LOAD, SOM_STR("samples"), left[i].count,
                                         som_verify_tick_count(r->input), left[i].reason);
        }
    }
    som_text_free(&loops);
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
    SomStanding *standing = som_verify_stand(input);
    double friction = input->options.friction;
    SomStatics *statics =
        som_statics_create(&(SomStaticsDef){.mechanism = input->mechanism,
                                            .down = som_terrain_down(&terrain),
                                            .is_held = input->mechanism->is_fixed,
                                            .friction = friction > 0 ? friction : -1});
    SomMotionSamples motion = som_verify_motion_samples(input);
    SomContactFinder *sagged = som_contact_finder_create(
        input->mechanism, &terrain, fmax(input->options.sag, input->options.tolerance));
    SomLoads *loads = som_loads_measure(&(SomLoadsDef){.standing = standing,
                                                       .statics = statics,
                                                       .motion = &motion,
                                                       .safety = input->options.safety,
                                                       .tolerance = input->options.tolerance,
                                                       .sagged = sagged,
                                                       .efforts = out->efforts});
    Report r = {input, out, loads, loads->joints, SOM_ACTUATOR_OVERLOAD};
    check_joints(&r);
    r.joints = loads->sagging;
    r.code = SOM_ACTUATOR_SAGS;
    check_joints(&r);
    for (int load = 0; load < SOM_CONNECTOR_LOADS; load++) {
        check_connections(&r, (SomConnectorLoad)load);
    }
    out->is_void[SOM_CHECK_LOAD] = !find_known(&r);
    if (!out->is_void[SOM_CHECK_LOAD]) {
        skip_samples(&r);
    }
    keep_usage(&r);
    som_loads_destroy(loads);
    som_contact_finder_destroy(sagged);
    som_statics_destroy(statics);
    som_standing_destroy(standing);
}
