// SPDX-License-Identifier: Apache-2.0
// Joints beyond their limits and faster than they can: over the motion, and as they are told to.

#include "base/name_list.h"
#include "compose/words.h"
#include "modules/joint_limit.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

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

// ---- what actions ask for

// One statement of the user may ask for it in many actions: one finding for all of them.
typedef struct Asked {
    SomSpan place; // the user's line
    Excess excess;
} Asked;

typedef struct AskedList {
    SOM_ARRAY(Asked) all;
} AskedList;

typedef struct Subjects {
    const SomStr *paths;
    int count;
} Subjects;

typedef void Report(const SomVerifyInput *input, const Excess *e, const char *does,
                    const char *others, Subjects subjects, SomVerification *out);

static void ask(const SomVerifyInput *input, AskedList *list, const Excess *excess) {
    if (excess->by > 0) {
        Asked asked = {som_graph_user_span(input->graph, excess->action), *excess};
        som_array_push(&list->all, asked);
    }
}

static int compare_places(SomSpan a, SomSpan b) {
    int order = (a.source1 > b.source1) - (a.source1 < b.source1);
    order = order != 0 ? order : (a.begin > b.begin) - (a.begin < b.begin);
    return order != 0 ? order : (a.end > b.end) - (a.end < b.end);
}

static int compare_asked(const void *left, const void *right) {
    const Asked *a = left, *b = right;
    int order = compare_places(a->place, b->place);
    order = order != 0 ? order : (a->excess.dof > b->excess.dof) - (a->excess.dof < b->excess.dof);
    return order != 0
               ? order
               : (a->excess.action > b->excess.action) - (a->excess.action < b->excess.action);
}

// The worst of them, over the time of all. Times of what never ran are no numbers.
static Excess join(const Asked *asked, int count) {
    Excess worst = asked[0].excess;
    for (int i = 1; i < count; i++) {
        const Excess *e = &asked[i].excess;
        double t0 = fmin(worst.t0, e->t0), t1 = fmax(worst.t1, e->t1);
        worst = e->by > worst.by ? *e : worst;
        worst.t0 = t0;
        worst.t1 = t1;
    }
    return worst;
}

static void report_asked(const SomVerifyInput *input, const Asked *asked, int count,
                         const char *does, Report *report, SomVerification *out) {
    Excess worst = join(asked, count);
    SomStr *subjects = som_alloc((size_t)count * sizeof *subjects);
    SomText others = {0};
    SomNameList list = {.out = &others};
    int subject_count = 0;
    subjects[subject_count++] = path_of(input, worst.dof);
    for (int i = 0; i < count; i++) {
        const Excess *e = &asked[i].excess;
        if (e->dof == worst.dof || (i > 0 && e->dof == asked[i - 1].excess.dof)) {
            continue;
        }
        subjects[subject_count++] = path_of(input, e->dof);
        som_text_add(&others, list.count == 0 ? SOM_STR("; likewise ") : SOM_STR(""));
        som_name_list_add(&list, "'%s'", som_graph_joint_name(input->graph, e->action, NULL));
    }
    som_name_list_end(&list);
    report(input, &worst, does, others.length > 0 ? others.data : "",
           (Subjects){subjects, subject_count}, out);
    som_text_free(&others);
    som_free(subjects);
}

// Reports all, and frees the list.
static void report_all(const SomVerifyInput *input, AskedList *list, const char *does,
                       Report *report, SomVerification *out) {
    int count = list->all.count;
    if (count > 1) {
        qsort(list->all.data, (size_t)count, sizeof *list->all.data, compare_asked);
    }
    for (int i = 0, end; i < count; i = end) {
        const Asked *first = &list->all.data[i];
        end = i + 1;
        while (end < count && first->place.source1 != 0 &&
               compare_places(first->place, list->all.data[end].place) == 0) {
            end++;
        }
        report_asked(input, first, end - i, does, report, out);
    }
    som_array_free(&list->all);
}

// ---- positions

// The joint as the action calls it, or by its own name.
static SomStr name_of(const SomVerifyInput *input, const Excess *e, SomAlias *alias) {
    *alias = (SomAlias){.sign = 1};
    return e->action == SOM_NONE ? path_of(input, e->dof)
                                 : som_str(som_graph_joint_name(input->graph, e->action, alias));
}

// The alias by which the pose of the start sets the joint to this value; NULL: none.
static const SomAlias *alias_of_start(const SomVerifyInput *input, const Excess *e) {
    const SomConfiguration *design = input->design;
    if (e->action != SOM_NONE || design->start_pose < 0) {
        return NULL;
    }
    const SomNamedPose *pose = &design->poses[design->start_pose];
    int index = e->dof - pose->first_dof;
    bool is_set = index >= 0 && index < pose->dof_count && pose->values[index] == e->value;
    return is_set && pose->aliases[index] > 0
               ? &joint_of(input, e->dof)->aliases[pose->aliases[index] - 1]
               : NULL;
}

// Likewise, or as the pose of the start calls it.
static void add_name(const SomVerifyInput *input, const Excess *e, SomAlias *alias, SomText *out) {
    const SomAlias *start = alias_of_start(input, e);
    if (start == NULL) {
        som_text_add(out, name_of(input, e, alias));
        return;
    }
    *alias = *start;
    som_words_joint_path(out, input->design->modules[input->design->dofs[e->dof].module].path,
                         start->name);
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

// In the name and convention that the action or the pose of the start is written in.
static void report_position(const SomVerifyInput *input, const Excess *e, const char *does,
                            const char *others, Subjects subjects, SomVerification *out) {
    SomFinding finding = finding_of(input, e, false);
    finding.subjects = subjects.paths;
    finding.subject_count = subjects.count;
    SomAlias alias;
    SomText name = {0};
    add_name(input, e, &alias, &name);
    double value = som_alias_from_joint(alias, e->value);
    double limit = som_alias_from_joint(alias, e->limit);
    SomFinding *found =
        som_verification_add(out, &finding, "'%s' %s %s, %s beyond its limit of %s%s", name.data,
                             does, som_verification_exact(out, value, limit, finding.dimension),
                             som_verification_value(out, e->by, finding.dimension),
                             som_verification_exact(out, limit, value, finding.dimension), others);
    SomText fix = {0};
    if (e->action == SOM_NONE && alias_of_start(input, e) == NULL) {
        print_values(input, e->dof, e->limit, e->value, &fix);
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
            report_position(input, &excess, "is at", "",
                            (Subjects){&input->design->dofs[dof].path, 1}, out);
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
    AskedList asked = {0};
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
        ask(input, &asked, &excess);
    }
    report_all(input, &asked, "is sent to", report_position, out);
}

void som_check_joint_limits(const SomVerifyInput *input, SomVerification *out) {
    check_positions(input, out);
    check_stops(input, out);
    check_targets(input, out);
}

// ---- speeds

static void report_speed(const SomVerifyInput *input, const Excess *e, const char *does,
                         const char *others, Subjects subjects, SomVerification *out) {
    SomFinding finding = finding_of(input, e, true);
    finding.subjects = subjects.paths;
    finding.subject_count = subjects.count;
    const char *limit = som_verification_exact(out, e->limit, e->value, finding.dimension);
    SomAlias alias;
    SomStr name = name_of(input, e, &alias);
    SomFinding *found = som_verification_add(
        out, &finding, "'%.*s' %s %s, its limit is %s%s", SOM_STR_ARG(name), does,
        som_verification_exact(out, e->value, e->limit, finding.dimension), limit, others);
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
            report_speed(input, &excess, "moves at", "",
                         (Subjects){&input->design->dofs[dof].path, 1}, out);
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
    AskedList asked = {0};
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
        ask(input, &asked, &excess);
    }
    report_all(input, &asked, "is to move at", report_speed, out);
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
