// SPDX-License-Identifier: Apache-2.0
// Which action, joint and place of the text stand behind what was found.

#include "verify/blame_internal.h"

#include <math.h>

// ---- who commanded what

typedef struct Command {
    double time;
    int32_t node;
} Command;

// What began, by DoF and time; and of each node when it ran.
struct SomCommands {
    int *first; // of each DoF in `all`, and the number of all
    Command *all;
    double *begin; // of each node; not a number if it never ran
    double *end;
};

static const SomAction *action_of(const SomActionGraph *graph, int32_t node) {
    const SomGraphNode *n = &graph->nodes[node];
    return n->kind == SOM_NODE_ACTION ? &graph->actions[n->index] : NULL;
}

// The DoF that an event gives to an action, -1 if none.
static int dof_of(const SomActionGraph *graph, const SomPredictionEvent *event) {
    const SomAction *action = action_of(graph, event->node);
    bool is_command = action != NULL && !event->is_end && action->kind <= SOM_ACTION_HOLD;
    return is_command ? action->target : -1;
}

static void note_times(struct SomCommands *commands, const SomActionGraph *graph,
                       const SomPrediction *prediction) {
    for (int32_t i = 0; i < graph->node_count; i++) {
        commands->begin[i] = commands->end[i] = (double)NAN;
    }
    for (int i = 0; i < prediction->events.count; i++) {
        const SomPredictionEvent *event = &prediction->events.data[i];
        if (event->is_end) {
            commands->end[event->node] = event->time;
        } else {
            // until it ends, it lasts as long as the motion does
            commands->end[event->node] = prediction->duration;
            if (isnan(commands->begin[event->node])) {
                commands->begin[event->node] = event->time;
            }
        }
    }
}

struct SomCommands *som_commands_create(const SomActionGraph *graph,
                                        const SomPrediction *prediction) {
    struct SomCommands *commands = som_alloc(sizeof *commands);
    int dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    commands->first = som_alloc((size_t)(dofs + 2) * sizeof *commands->first);
    commands->begin = som_alloc((size_t)graph->node_count * sizeof(double));
    commands->end = som_alloc((size_t)graph->node_count * sizeof(double));
    note_times(commands, graph, prediction);
    // how many of each DoF, then where they begin, then in the order of time
    int *first = commands->first;
    for (int i = 0; i < prediction->events.count; i++) {
        int dof = dof_of(graph, &prediction->events.data[i]);
        first[dof + 2] += dof >= 0;
    }
    for (int dof = 0; dof < dofs; dof++) {
        first[dof + 2] += first[dof + 1];
    }
    commands->all = som_alloc((size_t)(first[dofs + 1] + 1) * sizeof *commands->all);
    for (int i = 0; i < prediction->events.count; i++) {
        const SomPredictionEvent *event = &prediction->events.data[i];
        int dof = dof_of(graph, event);
        if (dof >= 0) {
            commands->all[first[dof + 1]++] = (Command){event->time, event->node};
        }
    }
    return commands;
}

void som_commands_destroy(struct SomCommands *commands) {
    if (commands != NULL) {
        som_free(commands->first);
        som_free(commands->all);
        som_free(commands->begin);
        som_free(commands->end);
        som_free(commands);
    }
}

int32_t som_verify_action_of(const SomVerifyInput *input, int dof, double time) {
    if (input->commands == NULL || dof < 0) {
        return SOM_NONE;
    }
    const Command *all = input->commands->all;
    int low = input->commands->first[dof], high = input->commands->first[dof + 1];
    int before = low;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (all[middle].time <= time + SOM_TIME_SLACK) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > before ? all[low - 1].node : SOM_NONE;
}

int32_t som_verify_action_of_dock(const SomVerifyInput *input, int dock, double time) {
    int32_t found = SOM_NONE;
    for (int i = 0; input->prediction != NULL && i < input->prediction->events.count; i++) {
        const SomPredictionEvent *event = &input->prediction->events.data[i];
        const SomAction *action = action_of(input->graph, event->node);
        if (event->time <= time + SOM_TIME_SLACK && !event->is_end && action != NULL &&
            (action->kind == SOM_ACTION_CONNECT || action->kind == SOM_ACTION_DISCONNECT) &&
            action->target == dock) {
            found = event->node;
        }
    }
    return found;
}

bool som_verify_action_times(const SomVerifyInput *input, int32_t node, double *begin,
                             double *end) {
    *begin = *end = (double)NAN;
    if (input->commands != NULL && node != SOM_NONE) {
        *begin = input->commands->begin[node];
        *end = input->commands->end[node];
    }
    return !isnan(*begin);
}

// ---- times and places

double som_verify_time(const SomVerifyInput *input, int sample) {
    return input->graph == NULL ? (double)NAN : input->times[sample];
}

int som_verify_sample_at(const SomVerifyInput *input, double time) {
    int low = 0, high = input->sample_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (input->times[middle] <= time + SOM_TIME_SLACK) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

SomDimensionName som_verify_dimension(const SomVerifyInput *input, int dof, bool is_speed) {
    bool slides = som_configuration_joint(input->design, dof)->type == SOM_JOINT_PRISMATIC;
    return slides ? (is_speed ? SOM_DIMENSION_SPEED : SOM_DIMENSION_LENGTH)
                  : (is_speed ? SOM_DIMENSION_ANGULAR_SPEED : SOM_DIMENSION_ANGLE);
}

SomSpan som_verify_module_span(const SomConfiguration *design, int module) {
    int part = design->modules[module].part, outermost = part;
    while (design->parts[outermost].depth > 1) {
        outermost = design->parts[outermost].parent;
    }
    // the parts of the whole are written in the user's file
    while (part != outermost &&
           design->parts[part].span.source1 != design->parts[outermost].span.source1) {
        part = design->parts[part].parent;
    }
    bool is_own = part == design->modules[module].part;
    return is_own ? design->modules[module].span : design->parts[part].span;
}

// The line of a pose, in the user's own file, by which the DoF starts where it is.
static SomSpan start_span(const SomVerifyInput *input, int dof) {
    const SomConfiguration *design = input->design;
    const SomNamedPose *pose = input->pose;
    int at = pose != NULL ? dof - pose->first_dof : -1;
    bool is_set = at >= 0 && at < pose->dof_count && pose->values[at] == input->values[dof];
    bool is_start = input->values[dof] == design->start[dof];
    SomSpan span = is_set ? pose->spans[at] : is_start ? design->start_spans[dof] : (SomSpan){0};
    SomSpan module = som_verify_module_span(design, design->dofs[dof].module);
    return span.source1 == module.source1 ? span : (SomSpan){0};
}

SomSpan som_verify_span(const SomVerifyInput *input, int32_t action, int dof) {
    if (action != SOM_NONE) {
        return som_graph_user_span(input->graph, action);
    }
    if (dof < 0) {
        return (SomSpan){0};
    }
    SomSpan start = start_span(input, dof);
    return start.source1 != 0
               ? start
               : som_verify_module_span(input->design, input->design->dofs[dof].module);
}

static bool has_step(const SomFinding *finding, SomSpan span, SomStr words) {
    for (int i = 0; i < finding->step_count; i++) {
        const SomFindingStep *step = &finding->steps[i];
        if (step->span.source1 == span.source1 && step->span.begin == span.begin &&
            som_str_equal(step->words, words)) {
            return true;
        }
    }
    return false;
}

static void add_steps(const SomActionGraph *graph, int32_t node, const char *words,
                      SomFinding *finding, SomVerification *out) {
    SomGraphStep steps[SOM_GRAPH_SHOWN_STEPS];
    int count = som_graph_steps(graph, node, steps, SOM_GRAPH_SHOWN_STEPS);
    for (int i = 0; i < count && i < SOM_GRAPH_SHOWN_STEPS; i++) {
        SomText text = {0};
        if (som_graph_step_print(steps, i, words, &text) &&
            !has_step(finding, steps[i].span, som_text_str(&text))) {
            som_finding_add_step(out, finding, steps[i].span, som_text_str(&text));
        }
        som_text_free(&text);
    }
}

void som_verify_add_steps(const SomVerifyInput *input, SomFinding *finding, SomVerification *out) {
    if (input->graph != NULL && finding->other.source1 != 0) {
        // a conflict of one statement that runs twice is at what runs it
        SomSpan inner = som_graph_user_span(input->graph, finding->action);
        if (som_span_compare(inner, finding->span) != 0) {
            som_finding_add_step(out, finding, inner, SOM_STR("the action is here, both times"));
            return;
        }
    }
    if (input->graph != NULL && finding->action != SOM_NONE) {
        add_steps(input->graph, finding->action, "the action is", finding, out);
    }
    if (input->graph != NULL && finding->other.source1 != 0) {
        add_steps(input->graph, finding->other_action, "the other one is", finding, out);
    }
}

// ---- the joint between two links

// The DoF on the ways from both links to where these meet: first those of a, whose number goes to
// `count_a`.
static int collect_between(const SomMechanism *m, int link_a, int link_b, int *dofs, int *count_a) {
    bool *above_a = som_alloc((size_t)m->link_count);
    bool *above_b = som_alloc((size_t)m->link_count);
    for (int link = link_a; link >= 0; link = m->links[link].parent) {
        above_a[link] = true;
    }
    for (int link = link_b; link >= 0; link = m->links[link].parent) {
        above_b[link] = true;
    }
    int count = 0;
    const int ends[] = {link_a, link_b};
    for (int i = 0; i < 2; i++) {
        for (int link = ends[i]; link >= 0 && !(above_a[link] && above_b[link]);
             link = m->links[link].parent) {
            if (m->links[link].dof >= 0) {
                dofs[count++] = m->links[link].dof;
            }
        }
        *count_a = i == 0 ? count : *count_a;
    }
    som_free(above_a);
    som_free(above_b);
    return count;
}

// How far the DoF moves the middle between the links in one sample, about.
static double reach_of(const SomMechanism *m, const SomPose *links, int dof, SomVec3 middle) {
    const SomMechanismLink *link = &m->links[m->joints[dof].child];
    if (link->type == SOM_JOINT_PRISMATIC || link->parent < 0) {
        return 1;
    }
    SomPose axis = som_pose_compose(links[link->parent], link->frame);
    SomVec3 arm = som_pose_apply_inverse(axis, middle);
    return sqrt(arm.x * arm.x + arm.y * arm.y);
}

static SomVec3 centre_of(const SomMechanism *m, const SomPose *links, int link) {
    return som_pose_apply(links[link], m->links[link].link->inertia.center);
}

static int fastest(const SomVerifyInput *input, const int *dofs, int count, int link_a, int link_b,
                   int sample) {
    const SomMechanism *m = input->mechanism;
    const double *now = input->values + (size_t)sample * (size_t)input->dof_count;
    const double *before = now - input->dof_count;
    SomPosture posture = {som_alloc((size_t)(input->dof_count + 1) * sizeof(double)),
                          input->dof_count};
    memcpy(posture.values, now, (size_t)input->dof_count * sizeof *now);
    SomPose *links = som_alloc((size_t)m->link_count * sizeof *links);
    som_mechanism_place(m, &posture, links);
    SomVec3 a = centre_of(m, links, link_a), b = centre_of(m, links, link_b);
    SomVec3 middle = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    int best = -1;
    double best_way = 0;
    for (int i = 0; i < count; i++) {
        double way = fabs(now[dofs[i]] - before[dofs[i]]);
        // a way with no arm still counts for a little
        way *= reach_of(m, links, dofs[i], middle) + 1e-9;
        if (way > best_way) {
            best = dofs[i];
            best_way = way;
        }
    }
    som_free(links);
    som_posture_free(&posture);
    return best;
}

static bool is_moving(const SomVerifyInput *input, const int *dofs, int count, int sample) {
    const double *now = input->values + (size_t)sample * (size_t)input->dof_count;
    const double *before = now - input->dof_count;
    for (int i = 0; i < count; i++) {
        if (now[dofs[i]] != before[dofs[i]]) {
            return true;
        }
    }
    return false;
}

// The fastest of some DoF at a time, or at the last one before it at which any of them moved.
static int fastest_until(const SomVerifyInput *input, const int *dofs, int count, int link_a,
                         int link_b, double time) {
    int sample = som_verify_sample_at(input, time) + 1;
    sample = sample < input->sample_count ? sample : input->sample_count - 1;
    while (sample > 0 && !is_moving(input, dofs, count, sample)) {
        sample--;
    }
    return sample == 0 ? -1 : fastest(input, dofs, count, link_a, link_b, sample);
}

static void dofs_between(const SomVerifyInput *input, int link_a, int link_b, double time,
                         int found[2]) {
    const SomMechanism *m = input->mechanism;
    found[0] = found[1] = -1;
    if (input->graph == NULL || input->sample_count < 2 || m->dof_count == 0) {
        return;
    }
    int *dofs = som_alloc((size_t)m->link_count * sizeof *dofs), count_a = 0;
    link_b = link_b < 0 ? m->order[0] : link_b;
    int count = collect_between(m, link_a, link_b, dofs, &count_a);
    found[0] = fastest_until(input, dofs, count, link_a, link_b, time);
    bool is_of_a = false;
    for (int i = 0; i < count_a; i++) {
        is_of_a = is_of_a || dofs[i] == found[0];
    }
    found[1] = is_of_a ? fastest_until(input, dofs + count_a, count - count_a, link_a, link_b, time)
                       : fastest_until(input, dofs, count_a, link_a, link_b, time);
    som_free(dofs);
}

int som_verify_dof_between(const SomVerifyInput *input, int link_a, int link_b, double time) {
    int found[2];
    dofs_between(input, link_a, link_b, time, found);
    return found[0];
}

void som_verify_blame(const SomVerifyInput *input, int link_a, int link_b, double time,
                      SomFinding *finding) {
    int dofs[2];
    dofs_between(input, link_a, link_b, time, dofs);
    finding->action = som_verify_action_of(input, dofs[0], time);
    finding->span = som_verify_span(input, finding->action, dofs[0]);
    int32_t other = som_verify_action_of(input, dofs[1], time);
    if (other != SOM_NONE && other != finding->action) {
        finding->other_action = other;
        finding->other = som_verify_span(input, other, dofs[1]);
    }
}
