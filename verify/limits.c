// SPDX-License-Identifier: Apache-2.0
// Joints beyond their limits and faster than they can: over the motion, and as they are told to.

#include "modules/joint_limit.h"
#include "verify/excess_internal.h"
#include "verify/verify.h"

#include <math.h>

// At a limit but for what converting degrees leaves.
#define AT_LIMIT 1e-9

static const SomModuleJoint *joint_of(const SomVerifyInput *input, int dof) {
    return som_configuration_joint(input->design, dof);
}

static SomStr path_of(const SomVerifyInput *input, int dof) {
    return input->design->dofs[dof].path;
}

// ---- what actions ask for

typedef struct Subjects {
    const SomStr *paths;
    int count;
} Subjects;

typedef void Report(const SomVerifyInput *input, const SomExcess *e, const char *does,
                    const char *others, Subjects subjects, SomVerification *out);

static void report_group(const SomVerifyInput *input, const SomExcessGroup *group, const char *does,
                         Report *report, SomVerification *out) {
    SomStr *subjects = som_alloc((size_t)group->count * sizeof *subjects);
    SomText others = {0};
    int subject_count = som_excess_list_joints(input, group, subjects, &others);
    report(input, &group->worst, does, others.length > 0 ? others.data : "",
           (Subjects){subjects, subject_count}, out);
    som_text_free(&others);
    som_free(subjects);
}

// One statement of the user may ask for it in many actions: one finding for all of them.
static void ask(const SomVerifyInput *input, SomExcessList *list, const SomExcess *excess) {
    som_excess_add(list, som_graph_user_span(input->graph, excess->action), excess);
}

// Reports all, and frees the list.
static void report_all(const SomVerifyInput *input, SomExcessList *list, const char *does,
                       Report *report, SomVerification *out) {
    SomExcessGroup group;
    while (som_excess_next(list, &group)) {
        report_group(input, &group, does, report, out);
    }
    som_excess_free(list);
}

// ---- positions

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

// In the name and convention that the action or the pose of the start is written in.
static void report_position(const SomVerifyInput *input, const SomExcess *e, const char *does,
                            const char *others, Subjects subjects, SomVerification *out) {
    SomFinding finding = som_excess_finding(input, e, SOM_CHECK_JOINT_LIMIT);
    finding.subjects = subjects.paths;
    finding.subject_count = subjects.count;
    SomAlias alias;
    SomText name = {0};
    bool is_written = som_excess_add_name(input, e, &alias, &name);
    double value = som_alias_from_joint(alias, e->value);
    double limit = som_alias_from_joint(alias, e->limit);
    finding.who = som_verification_quote(out, som_text_str(&name));
    finding.details = som_str(others);
    SomFinding *found =
        som_verification_add(out, &finding, "%s %s, %s beyond its limit of %s", does,
                             som_verification_exact(out, value, limit, finding.dimension),
                             som_verification_value(out, e->by, finding.dimension),
                             som_verification_exact(out, limit, value, finding.dimension));
    SomText fix = {0};
    if (!is_written) {
        print_values(input, e->index, e->limit, e->value, &fix);
    } else {
        som_text_printf(&fix, "'%s' ", name.data);
        som_text_exact(&fix, limit, value, finding.dimension);
    }
    som_finding_set_fix(out, found, "the nearest value is %s", fix.data);
    som_text_free(&fix);
    som_text_free(&name);
}

static bool is_limited(const SomModuleJoint *joint) {
    return isfinite(joint->low) || isfinite(joint->high);
}

static void check_positions(const SomVerifyInput *input, SomVerification *out) {
    SomExcessList list = {0};
    for (int dof = 0; dof < input->dof_count; dof++) {
        const SomModuleJoint *joint = joint_of(input, dof);
        SomExcess excess = {.index = dof, .action = SOM_NONE};
        for (int i = 0; is_limited(joint) && i < input->sample_count; i++) {
            double value = input->values[(size_t)i * (size_t)input->dof_count + (size_t)dof];
            double by = som_excess_beyond(joint->low, joint->high, value),
                   t = som_verify_time(input, i);
            if (by > 0 && isfinite(by)) { // what is not is told elsewhere
                double limit = som_limit_nearest(joint->low, joint->high, value);
                som_excess_widen(&excess, value, limit, by, t, t);
            }
        }
        // what begins at a sample has not moved anything yet
        double before = excess.worst - 0.5 * input->options.dt;
        excess.action = som_verify_action_of(input, dof, before);
        som_excess_add(&list, som_verify_span(input, excess.action, dof), &excess);
    }
    report_all(input, &list, "reaching", report_position, out);
}

// ---- velocities against a stop

// A velocity that a joint has at present; node SOM_NONE: none.
typedef struct Spin {
    int32_t node;
    double begin;
} Spin;

static const SomAction *action_of(const SomVerifyInput *input, int32_t node) {
    return &input->graph->actions[input->graph->nodes[node].index];
}

// The velocity ends. Adds an excess if it has driven the joint against a limit, where it stands
// still: from the first sample there.
static void end_spin(const SomVerifyInput *input, Spin *spin, double end, SomExcessList *list) {
    if (spin->node == SOM_NONE) {
        return;
    }
    const SomAction *action = action_of(input, spin->node);
    const SomModuleJoint *joint = joint_of(input, action->target);
    SomExcess excess = {.index = action->target, .action = spin->node};
    double limit = action->value > 0 ? joint->high : joint->low;
    for (int i = som_verify_sample_at(input, spin->begin);
         i < input->sample_count && input->times[i] < end && !(excess.by > 0); i++) {
        const double *values = input->values + (size_t)i * (size_t)input->dof_count;
        double value = values[action->target];
        bool is_there = action->value > 0 ? value >= limit - AT_LIMIT : value <= limit + AT_LIMIT;
        if (is_there && action->value != 0) {
            som_excess_widen(&excess, value, limit, 1, input->times[i], end);
        }
    }
    ask(input, list, &excess);
    spin->node = SOM_NONE;
}

static void report_stop(const SomVerifyInput *input, const SomExcess *e, const char *does,
                        const char *others, Subjects subjects, SomVerification *out) {
    SomFinding finding = som_excess_finding(input, e, SOM_CHECK_JOINT_LIMIT);
    finding.subjects = subjects.paths;
    finding.subject_count = subjects.count;
    SomAlias alias;
    SomText name = {0};
    som_excess_add_name(input, e, &alias, &name);
    const char *limit =
        som_verification_value(out, som_alias_from_joint(alias, e->limit), finding.dimension);
    finding.who = som_verification_quote(out, som_text_str(&name));
    finding.details = som_str(others);
    SomFinding *found =
        som_verification_add(out, &finding, "%s %s, where it stands still", does, limit);
    som_finding_set_fix(out, found, "end the action when '%s' reaches %s", name.data, limit);
    som_text_free(&name);
}

// Each run of a velocity, until it ends or another action commands its joint.
static void check_stops(const SomVerifyInput *input, SomVerification *out) {
    SomExcessList list = {0};
    Spin *spins = som_alloc(((size_t)input->dof_count + 1) * sizeof *spins);
    for (int dof = 0; dof < input->dof_count; dof++) {
        spins[dof].node = SOM_NONE;
    }
    for (int i = 0; input->graph != NULL && i < input->prediction->events.count; i++) {
        const SomPredictionEvent *event = &input->prediction->events.data[i];
        const SomAction *action = action_of(input, event->node);
        Spin *spin = action->kind <= SOM_ACTION_HOLD ? &spins[action->target] : NULL;
        if (spin != NULL && (!event->is_end || spin->node == event->node)) {
            end_spin(input, spin, event->time, &list);
        }
        if (!event->is_end && action->kind == SOM_ACTION_VELOCITY &&
            is_limited(joint_of(input, action->target))) {
            *spin = (Spin){event->node, event->time};
        }
    }
    for (int dof = 0; dof < input->dof_count; dof++) {
        end_spin(input, &spins[dof], out->duration, &list);
    }
    report_all(input, &list, "driven against its limit of", report_stop, out);
    som_free(spins);
}

// ---- targets

// The largest excess of the values that an action sends its joint to.
static void widen_by_target(const SomVerifyInput *input, SomExcess *excess, const SomAction *action,
                            double begin, double end) {
    const SomModuleJoint *joint = joint_of(input, action->target);
    int count = action->kind == SOM_ACTION_FOLLOW ? action->keyframe_count : 1;
    for (int i = 0; i < count; i++) {
        double value = action->kind == SOM_ACTION_FOLLOW
                           ? input->graph->keyframes[action->first_keyframe + i].value
                           : action->value;
        double by = som_excess_beyond(joint->low, joint->high, value);
        if (by > 0) {
            double limit = som_limit_nearest(joint->low, joint->high, value);
            som_excess_widen(excess, value, limit, by, begin, end);
        }
    }
}

static void check_targets(const SomVerifyInput *input, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    SomExcessList asked = {0};
    for (int32_t node = 0; graph != NULL && node < graph->node_count; node++) {
        if (graph->nodes[node].kind != SOM_NODE_ACTION) {
            continue;
        }
        const SomAction *action = &graph->actions[graph->nodes[node].index];
        bool has_target = action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_FOLLOW;
        if (has_target && is_limited(joint_of(input, action->target))) {
            double begin, end;
            som_verify_action_times(input, node, &begin, &end);
            SomExcess excess = {.index = action->target, .action = node};
            widen_by_target(input, &excess, action, begin, end);
            ask(input, &asked, &excess);
        }
    }
    report_all(input, &asked, "sent to", report_position, out);
}

void som_check_joint_limits(const SomVerifyInput *input, SomVerification *out) {
    check_positions(input, out);
    check_stops(input, out);
    check_targets(input, out);
    som_check_relative_moves(input, out);
}

// ---- speeds

static void report_speed(const SomVerifyInput *input, const SomExcess *e, const char *does,
                         const char *others, Subjects subjects, SomVerification *out) {
    SomFinding finding = som_excess_finding(input, e, SOM_CHECK_SPEED);
    finding.subjects = subjects.paths;
    finding.subject_count = subjects.count;
    const char *limit = som_verification_exact(out, e->limit, e->value, finding.dimension);
    SomAlias alias;
    SomText name = {0};
    som_excess_add_name(input, e, &alias, &name);
    finding.who = som_verification_quote(out, som_text_str(&name));
    finding.details = som_str(others);
    SomFinding *found = som_verification_add(
        out, &finding, "%s %s, limit %s", does,
        som_verification_exact(out, e->value, e->limit, finding.dimension), limit);
    som_finding_set_fix(out, found, "move '%s' at %s or less", name.data, limit);
    som_text_free(&name);
}

// Of a joint that starts beyond its limits only that is reported: the prediction has it within them
// from the first tick on.
static bool comes_from_beyond(const SomVerifyInput *input, int dof, int sample) {
    const SomModuleJoint *joint = joint_of(input, dof);
    bool is_first_tick = input->times[sample] <= input->times[0] + SOM_VERIFY_TICK * (1 + 1e-9);
    return is_first_tick && som_excess_beyond(joint->low, joint->high, input->values[dof]) > 0;
}

static void check_motion_speeds(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        double limit = joint_of(input, dof)->speed;
        SomExcess excess = {.index = dof, .action = SOM_NONE};
        for (int i = 1; limit > 0 && i < input->sample_count; i++) {
            const double *now = input->values + (size_t)i * (size_t)input->dof_count;
            const double *before = now - input->dof_count;
            double speed = fabs(now[dof] - before[dof]) / (input->times[i] - input->times[i - 1]);
            double by = som_excess_beyond(0, limit, speed);
            if (by > 0 && !comes_from_beyond(input, dof, i)) {
                som_excess_widen(&excess, speed, limit, by, input->times[i - 1], input->times[i]);
            }
        }
        if (excess.by > 0) {
            excess.action = som_verify_action_of(input, dof, excess.worst);
            report_speed(input, &excess, "moving at", "",
                         (Subjects){&input->design->dofs[dof].path, 1}, out);
        }
    }
}

// Widens the excess by what an action that runs from one time to another asks for. Of a course, by
// its pieces that are too fast.
static void widen_by_speed(const SomActionGraph *graph, SomExcess *excess, const SomAction *action,
                           double limit, double begin, double end) {
    double speed = fabs(action->kind == SOM_ACTION_VELOCITY ? action->value : action->speed);
    if (som_excess_beyond(0, limit, speed) > 0) {
        som_excess_widen(excess, speed, limit, speed - limit, begin, end);
    }
    const SomKeyframe *frames = graph->keyframes + action->first_keyframe;
    int32_t count = action->kind == SOM_ACTION_FOLLOW ? action->keyframe_count : 0;
    for (int32_t i = 1; i < count; i++) {
        double way = frames[i].value - frames[i - 1].value;
        double fast = fabs(way / (frames[i].time - frames[i - 1].time));
        if (som_excess_beyond(0, limit, fast) > 0) {
            som_excess_widen(excess, fast, limit, fast - limit, begin + frames[i - 1].time,
                             begin + frames[i].time);
        }
    }
}

static void check_asked_speeds(const SomVerifyInput *input, SomVerification *out) {
    const SomActionGraph *graph = input->graph;
    SomExcessList asked = {0};
    for (int32_t node = 0; graph != NULL && node < graph->node_count; node++) {
        const SomGraphNode *n = &graph->nodes[node];
        const SomAction *action = n->kind == SOM_NODE_ACTION ? &graph->actions[n->index] : NULL;
        if (action == NULL || action->kind > SOM_ACTION_HOLD) {
            continue;
        }
        double limit = joint_of(input, action->target)->speed;
        double begin, end;
        som_verify_action_times(input, node, &begin, &end);
        SomExcess excess = {.index = action->target, .action = node};
        if (limit > 0) {
            widen_by_speed(graph, &excess, action, limit, begin, end);
        }
        ask(input, &asked, &excess);
    }
    report_all(input, &asked, "asked to move at", report_speed, out);
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
        som_verification_not_assessed(out, SOM_CHECK_SPEED, SOM_STR("speeds of joints"), unknown,
                                      SOM_STR("the module type gives none"));
    }
    out->is_void[SOM_CHECK_SPEED] = unknown == input->dof_count;
    out->speeds = unknown > 0 ? SOM_KNOWN_OF_SOME : SOM_KNOWN_OF_ALL;
}
