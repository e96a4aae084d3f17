// SPDX-License-Identifier: Apache-2.0
// Joints beyond their limits and faster than they can: over the motion, and as they are told to.

#include "modules/joint_limit.h"
#include "verify/verify.h"

#include <math.h>

// At a limit but for what converting degrees leaves.
#define AT_LIMIT 1e-9

// What one DoF does, or is told, that it cannot.
typedef struct Excess {
    int dof;
    int32_t action; // SOM_NONE: nobody told it
    double t0, t1, worst;
    double value, limit;
    double by; // beyond the limit; below 0: it is not
} Excess;

static const SomModuleJoint *joint_of(const SomVerifyInput *input, int dof) {
    return som_configuration_joint(input->design, dof);
}

static SomStr path_of(const SomVerifyInput *input, int dof) {
    return input->design->dofs[dof].path;
}

// Excess beyond the limits; 0 if there is none, or rounding explains it.
static double beyond(double low, double high, double value) {
    return som_limit_fit(low, high, value) == SOM_LIMIT_BEYOND ? som_limit_excess(low, high, value)
                                                               : 0;
}

// Keeps the worst value of all and the time from the first to the last.
static void widen(Excess *excess, double value, double limit, double by, double t0, double t1) {
    if (!(excess->by > 0)) {
        excess->t0 = t0;
    }
    excess->t1 = t1;
    if (by > excess->by) {
        excess->by = by;
        excess->value = value;
        excess->limit = limit;
        excess->worst = t0;
    }
}

static SomFinding finding_of(const SomVerifyInput *input, const Excess *e, bool is_speed) {
    return (SomFinding){.check = is_speed ? SOM_CHECK_SPEED : SOM_CHECK_JOINT_LIMIT,
                        .code = is_speed ? SOM_JOINT_SPEED : SOM_JOINT_LIMIT,
                        .t0 = e->t0,
                        .t1 = e->t1,
                        .worst = e->worst,
                        .value = e->value,
                        .limit = e->limit,
                        .dimension = som_verify_dimension(input, e->dof, is_speed),
                        .span = som_verify_span(input, e->action, e->dof),
                        .action = e->action};
}

// ---- positions

// The joint as the action calls it, or by its own name.
static SomStr name_of(const SomVerifyInput *input, const Excess *e, SomAlias *alias) {
    *alias = (SomAlias){.sign = 1};
    return e->action == SOM_NONE ? path_of(input, e->dof)
                                 : som_str(som_graph_joint_name(input->graph, e->action, alias));
}

// "'a.bend' 90 deg, or 'a.tilt' -90 deg": in the words of the joint and of aliases that count
// otherwise; never so short that it reads like the value at fault.
static void print_values(const SomVerifyInput *input, int dof, double value, double fault,
                         SomText *out) {
    const SomModuleJoint *joint = joint_of(input, dof);
    SomDimensionName dimension = som_verify_dimension(input, dof, false);
    SomStr path = path_of(input, dof);
    SomStr module = input->design->modules[input->design->dofs[dof].module].path;
    som_text_printf(out, "'%.*s' ", SOM_STR_ARG(path));
    som_text_exact(out, value, fault, dimension);
    for (int i = 0; i < joint->alias_count; i++) {
        const SomAlias *alias = &joint->aliases[i];
        if (alias->sign == 1 && alias->zero == 0) {
            continue;
        }
        som_text_printf(out, ", or '%.*s%s%.*s' ", SOM_STR_ARG(module),
                        module.length > 0 ? "." : "", SOM_STR_ARG(alias->name));
        som_text_exact(out, som_alias_from_joint(*alias, value),
                       som_alias_from_joint(*alias, fault), dimension);
    }
}

// Of an action, in the name and convention it is written in.
static void report_position(const SomVerifyInput *input, const Excess *e, const char *does,
                            SomVerification *out) {
    SomFinding finding = finding_of(input, e, false);
    SomAlias alias;
    SomStr name = name_of(input, e, &alias);
    double value = som_alias_from_joint(alias, e->value);
    double limit = som_alias_from_joint(alias, e->limit);
    SomFinding *found = som_verification_add(
        out, &finding, "'%.*s' %s %s, %s beyond its limit of %s", SOM_STR_ARG(name), does,
        som_verification_exact(out, value, limit, finding.dimension),
        som_verification_value(out, e->by, finding.dimension),
        som_verification_exact(out, limit, value, finding.dimension));
    som_finding_add_subject(out, found, path_of(input, e->dof));
    SomText fix = {0};
    if (e->action == SOM_NONE) {
        print_values(input, e->dof, e->limit, e->value, &fix);
    } else {
        som_text_printf(&fix, "'%.*s' ", SOM_STR_ARG(name));
        som_text_exact(&fix, limit, value, finding.dimension);
    }
    som_finding_set_fix(out, found, "the nearest value is %s", fix.data);
    som_text_free(&fix);
}

static bool is_limited(const SomModuleJoint *joint) {
    return isfinite(joint->low) || isfinite(joint->high);
}

static void check_positions(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        const SomModuleJoint *joint = joint_of(input, dof);
        Excess excess = {.dof = dof, .action = SOM_NONE};
        for (int i = 0; is_limited(joint) && i < input->sample_count; i++) {
            double value = input->values[(size_t)i * (size_t)input->dof_count + (size_t)dof];
            double by = beyond(joint->low, joint->high, value), t = som_verify_time(input, i);
            if (by > 0 && isfinite(by)) { // what is not is told elsewhere
                double limit = som_limit_nearest(joint->low, joint->high, value);
                widen(&excess, value, limit, by, t, t);
            }
        }
        if (excess.by > 0) {
            excess.action = som_verify_action_of(input, dof, excess.worst);
            report_position(input, &excess, "is at", out);
        }
    }
}

// Whether a velocity that is commanded at a sample pushes the joint against the limit it is at.
static bool is_driven(const SomVerifyInput *input, int dof, double value, double time,
                      int32_t *action) {
    const SomModuleJoint *joint = joint_of(input, dof);
    bool is_high = value >= joint->high - AT_LIMIT;
    bool is_low = value <= joint->low + AT_LIMIT;
    double begin, end;
    if (input->graph == NULL || !(is_high || is_low)) {
        return false;
    }
    *action = som_verify_action_of(input, dof, time);
    if (!som_verify_action_times(input, *action, &begin, &end) || !(time < end)) {
        return false;
    }
    const SomAction *a = &input->graph->actions[input->graph->nodes[*action].index];
    return a->kind == SOM_ACTION_VELOCITY &&
           ((is_high && a->value > 0) || (is_low && a->value < 0));
}

// Velocities that drive a joint against its limit, where it stands still.
static void check_stops(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        const SomModuleJoint *joint = joint_of(input, dof);
        Excess excess = {.dof = dof, .action = SOM_NONE};
        for (int i = 0; is_limited(joint) && i < input->sample_count; i++) {
            double value = input->values[(size_t)i * (size_t)input->dof_count + (size_t)dof];
            double t = input->times[i];
            int32_t action;
            if (is_driven(input, dof, value, t, &action)) {
                excess.action = excess.by > 0 ? excess.action : action;
                double limit = fabs(value - joint->high) <= AT_LIMIT ? joint->high : joint->low;
                widen(&excess, value, limit, 1, t, t);
            }
        }
        if (excess.by > 0) {
            SomFinding finding = finding_of(input, &excess, false);
            SomAlias alias;
            SomStr name = name_of(input, &excess, &alias);
            double limit = som_alias_from_joint(alias, excess.limit);
            SomFinding *found = som_verification_add(
                out, &finding, "'%.*s' is driven against its limit of %s and stands still there",
                SOM_STR_ARG(name), som_verification_value(out, limit, finding.dimension));
            som_finding_add_subject(out, found, path_of(input, dof));
            som_finding_set_fix(out, found, "end the action before %s",
                                som_verification_value(out, excess.t0, SOM_DIMENSION_TIME));
        }
    }
}

// The largest excess of the values that an action sends its joint to. Way of a relative one: from
// where the joint is when it begins.
static void widen_by_target(const SomVerifyInput *input, Excess *excess, const SomAction *action,
                            double begin, double end) {
    const SomModuleJoint *joint = joint_of(input, action->target);
    int sample = som_verify_sample_at(input, isnan(begin) ? 0 : begin);
    double now = input->values[(size_t)sample * (size_t)input->dof_count + (size_t)action->target];
    int count = action->kind == SOM_ACTION_FOLLOW ? action->keyframe_count : 1;
    for (int i = 0; i < count; i++) {
        double value = action->kind == SOM_ACTION_FOLLOW
                           ? input->graph->keyframes[action->first_keyframe + i].value
                           : action->value;
        value += action->kind == SOM_ACTION_RELATIVE ? now : 0;
        double by = beyond(joint->low, joint->high, value);
        if (by > 0) {
            double limit = som_limit_nearest(joint->low, joint->high, value);
            widen(excess, value, limit, by, begin, end);
        }
    }
}

static void check_targets(const SomVerifyInput *input, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    for (int32_t node = 0; graph != NULL && node < graph->node_count; node++) {
        if (graph->nodes[node].kind != SOM_NODE_ACTION) {
            continue;
        }
        const SomAction *action = &graph->actions[graph->nodes[node].index];
        bool has_target = action->kind == SOM_ACTION_POSITION ||
                          action->kind == SOM_ACTION_RELATIVE || action->kind == SOM_ACTION_FOLLOW;
        if (!has_target || !is_limited(joint_of(input, action->target))) {
            continue;
        }
        double begin, end;
        bool has_run = som_verify_action_times(input, node, &begin, &end);
        if (!has_run && action->kind == SOM_ACTION_RELATIVE) {
            continue; // from where it would go nobody knows
        }
        Excess excess = {.dof = action->target, .action = node};
        widen_by_target(input, &excess, action, begin, end);
        if (excess.by > 0) {
            report_position(input, &excess, "is sent to", out);
        }
    }
}

void som_check_joint_limits(const SomVerifyInput *input, SomVerification *out) {
    check_positions(input, out);
    check_stops(input, out);
    check_targets(input, out);
}

// ---- speeds

static void report_speed(const SomVerifyInput *input, const Excess *e, const char *does,
                         SomVerification *out) {
    SomFinding finding = finding_of(input, e, true);
    const char *limit = som_verification_exact(out, e->limit, e->value, finding.dimension);
    SomAlias alias;
    SomStr name = name_of(input, e, &alias);
    SomFinding *found = som_verification_add(
        out, &finding, "'%.*s' %s %s, its limit is %s", SOM_STR_ARG(name), does,
        som_verification_exact(out, e->value, e->limit, finding.dimension), limit);
    som_finding_add_subject(out, found, path_of(input, e->dof));
    som_finding_set_fix(out, found, "move '%.*s' at %s or less", SOM_STR_ARG(name), limit);
}

static void check_motion_speeds(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        double limit = joint_of(input, dof)->speed;
        Excess excess = {.dof = dof, .action = SOM_NONE};
        for (int i = 1; limit > 0 && i < input->sample_count; i++) {
            const double *now = input->values + (size_t)i * (size_t)input->dof_count;
            const double *before = now - input->dof_count;
            double speed = fabs(now[dof] - before[dof]) / (input->times[i] - input->times[i - 1]);
            double by = beyond(0, limit, speed);
            if (by > 0) {
                widen(&excess, speed, limit, by, input->times[i - 1], input->times[i]);
            }
        }
        if (excess.by > 0) {
            excess.action = som_verify_action_of(input, dof, excess.worst);
            report_speed(input, &excess, "moves at", out);
        }
    }
}

// Widens the excess by what an action that runs from one time to another asks for. Of a course, by
// its pieces that are too fast.
static void widen_by_speed(const SomActionGraph *graph, Excess *excess, const SomAction *action,
                           double limit, double begin, double end) {
    double speed = fabs(action->kind == SOM_ACTION_VELOCITY ? action->value : action->speed);
    if (beyond(0, limit, speed) > 0) {
        widen(excess, speed, limit, speed - limit, begin, end);
    }
    const SomKeyframe *frames = graph->keyframes + action->first_keyframe;
    int32_t count = action->kind == SOM_ACTION_FOLLOW ? action->keyframe_count : 0;
    for (int32_t i = 1; i < count; i++) {
        double way = frames[i].value - frames[i - 1].value;
        double fast = fabs(way / (frames[i].time - frames[i - 1].time));
        if (beyond(0, limit, fast) > 0) {
            widen(excess, fast, limit, fast - limit, begin + frames[i - 1].time,
                  begin + frames[i].time);
        }
    }
}

static void check_asked_speeds(const SomVerifyInput *input, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    for (int32_t node = 0; graph != NULL && node < graph->node_count; node++) {
        const SomGraphNode *n = &graph->nodes[node];
        const SomAction *action = n->kind == SOM_NODE_ACTION ? &graph->actions[n->index] : NULL;
        if (action == NULL || action->kind > SOM_ACTION_HOLD) {
            continue;
        }
        double limit = joint_of(input, action->target)->speed;
        double begin, end;
        som_verify_action_times(input, node, &begin, &end);
        Excess excess = {.dof = action->target, .action = node};
        if (limit > 0) {
            widen_by_speed(graph, &excess, action, limit, begin, end);
        }
        if (excess.by > 0) {
            report_speed(input, &excess, "is to move at", out);
        }
    }
}

void som_check_speeds(const SomVerifyInput *input, SomVerification *out) {
    out->is_void[SOM_CHECK_SPEED] = input->graph == NULL;
    if (input->graph == NULL) {
        return;
    }
    check_motion_speeds(input, out);
    check_asked_speeds(input, out);
    int unknown = 0;
    for (int dof = 0; dof < input->dof_count; dof++) {
        unknown += !(joint_of(input, dof)->speed > 0);
    }
    if (unknown > 0) {
        som_verification_skip(out, SOM_STR("speeds of joints"), unknown,
                              SOM_STR("the module type gives none"));
    }
}
