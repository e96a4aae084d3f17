// SPDX-License-Identifier: Apache-2.0
// Which action, joint and place of the text stand behind what was found.

#include "behaviors/graph_builder.h"
#include "verify/verify.h"

#include <math.h>

double som_verify_time(const SomVerifyInput *input, int sample) {
    return input->graph == NULL ? (double)NAN : input->times[sample];
}

int32_t som_verify_action_of(const SomVerifyInput *input, int dof, double time) {
    int32_t found = SOM_NONE;
    if (input->prediction == NULL) {
        return found;
    }
    // events are in the order of time; what has begun last rules, also when it has ended
    for (int i = 0; i < input->prediction->events.count; i++) {
        const SomPredictionEvent *event = &input->prediction->events.data[i];
        if (event->time > time + SOM_TIME_SLACK) {
            break;
        }
        const SomGraphNode *node = &input->graph->nodes[event->node];
        if (event->is_end || node->kind != SOM_NODE_ACTION) {
            continue;
        }
        const SomAction *action = &input->graph->actions[node->index];
        if (action->kind <= SOM_ACTION_HOLD && action->target == dof) {
            found = event->node;
        }
    }
    return found;
}

SomSpan som_verify_span(const SomVerifyInput *input, int32_t action, int dof) {
    if (action != SOM_NONE) {
        return som_graph_span(input->graph, action);
    }
    if (dof >= 0) {
        return input->design->modules[input->design->dofs[dof].module].span;
    }
    return (SomSpan){0};
}

// ---- the joint between two links

// The first sample after a time, but never the first one of all.
static int sample_after(const SomVerifyInput *input, double time) {
    int low = 1, high = input->sample_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (input->times[middle] > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// The DoF on the ways from both links to where these meet.
static int collect_between(const SomMechanism *m, int link_a, int link_b, int *dofs) {
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

int som_verify_dof_between(const SomVerifyInput *input, int link_a, int link_b, double time) {
    const SomMechanism *m = input->mechanism;
    if (input->graph == NULL || input->sample_count < 2 || m->dof_count == 0) {
        return -1;
    }
    int base = m->order[0];
    int *dofs = som_alloc((size_t)m->link_count * sizeof *dofs);
    int count = collect_between(m, link_a, link_b < 0 ? base : link_b, dofs);
    // what stands still now was brought here before
    int sample = sample_after(input, time);
    while (sample > 0 && !is_moving(input, dofs, count, sample)) {
        sample--;
    }
    int best =
        sample == 0 ? -1 : fastest(input, dofs, count, link_a, link_b < 0 ? base : link_b, sample);
    som_free(dofs);
    return best;
}
