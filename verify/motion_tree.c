// SPDX-License-Identifier: Apache-2.0

#include "verify/motion_tree.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <assert.h>

// Axes nearer than this, in metres and radians, are one: what that moves is less than rounding.
#define SAME_AXIS 1e-12

// ---- the motion

int som_motion_sane_samples(const SomMotion *motion) {
    for (int i = 0; i < motion->sample_count; i++) {
        const double *values = motion->values + (size_t)i * (size_t)motion->dof_count;
        for (int dof = 0; dof < motion->dof_count; dof++) {
            if (!(fabs(values[dof]) <= SOM_MOTION_MOST_VALUE)) {
                return i;
            }
        }
    }
    return motion->sample_count;
}

// The sample at or before a place; what is over goes to `rest`.
static int sample_of(const SomMotion *motion, double place, double *rest) {
    int last = motion->sample_count - 1;
    int sample = place >= last ? last : (int)place;
    *rest = sample == last ? 0 : place - sample;
    return sample;
}

double som_motion_time(const SomMotion *motion, double place) {
    if (motion->times == NULL) {
        return 0;
    }
    double rest;
    int sample = sample_of(motion, place, &rest);
    double time = motion->times[sample];
    return rest > 0 ? time + rest * (motion->times[sample + 1] - time) : time;
}

static double value_at(const SomMotion *motion, int sample, int dof) {
    return motion->values[(size_t)sample * (size_t)motion->dof_count + (size_t)dof];
}

// How far the value goes from where it is at first.
static double range_of(const SomMotion *motion, int dof) {
    double first = value_at(motion, 0, dof), range = 0;
    for (int i = 1; i < motion->sample_count; i++) {
        range = fmax(range, fabs(value_at(motion, i, dof) - first));
    }
    return range;
}

// ---- the tree

typedef struct Maker {
    SomMotionTree *tree;
    SomMotionJoint *joints;
    int *dofs;
    SomMotionLink *links;
    const SomPose *places; // of all links at the first sample
    int *own;              // the joint that moves each link itself, -1 if none does
    SomPose *frames;       // that each joint moves, at the first sample
} Maker;

static double distance_of(SomVec3 a, SomVec3 b) {
    return som_vec3_length(som_vec3_sub(a, b));
}

// Of a point from an axis.
static double off_axis(SomVec3 point, SomVec3 origin, SomVec3 axis) {
    return som_vec3_length(som_vec3_cross(axis, som_vec3_sub(point, origin)));
}

// Whether the axes of two joints that turn are one.
static bool are_coaxial(const SomMotionJoint *a, const SomMotionJoint *b) {
    return !a->slides && !b->slides &&
           som_vec3_length(som_vec3_cross(a->axis, b->axis)) <= SAME_AXIS &&
           off_axis(a->origin, b->origin, b->axis) <= SAME_AXIS;
}

// Of a link seen from a joint that it does not hang on, or from which only fixed joints lead to it:
// how far it reaches from the origin and from the axis.
static void reach_of(const SomMotionTree *tree, int link, const SomMotionJoint *j, double *reach,
                     double *arm) {
    const SomLinkSolid *solid = tree->solids[link];
    SomPose place = tree->links[link].place;
    SomVec3 point = som_pose_apply_inverse(place, j->origin);
    SomVec3 axis = som_pose_rotate_inverse(place, j->axis);
    *reach = distance_of(solid->ball.center, point) + solid->ball.radius;
    *arm = j->slides ? 1 : fmin(*reach, som_solid_arm(solid, point, axis));
}

// A link that a moving DoF moves, hanging on `up`.
static void add_joint(Maker *q, int link, int up, double range) {
    const SomMechanismLink *l = &q->tree->mechanism->links[link];
    int index = q->tree->joint_count++;
    SomMotionJoint *j = &q->joints[index];
    q->own[link] = index;
    q->dofs[index] = l->dof;
    q->frames[index] = som_pose_compose(q->places[link], l->frame);
    *j = (SomMotionJoint){.dof = l->dof, .up = up, .sign = l->sign};
    j->slides = l->type == SOM_JOINT_PRISMATIC;
    j->range = j->slides ? range : 0;
    SomPose parent = q->places[l->parent];
    SomPose frame = som_pose_compose(parent, l->frame);
    j->before = up < 0 ? frame : som_pose_relative(q->frames[up], frame);
    j->axis = som_pose_rotate(frame, som_vec3(0, 0, 1));
    // the point of the axis nearest to the module's frame, wherever on it the type put the origin
    double along = som_vec3_dot(j->axis, som_vec3_sub(parent.position, frame.position));
    j->origin = som_vec3_add(frame.position, som_vec3_scale(along, j->axis));
    if (up >= 0) {
        const SomMotionJoint *u = &q->joints[up];
        j->depth = u->depth + 1;
        j->gap = distance_of(j->origin, u->origin) + u->range;
    }
}

static void add_link(Maker *q, int link, int joint) {
    SomMotionLink *l = &q->links[link];
    l->joint = joint;
    l->place = q->places[link];
    l->pose = joint < 0 ? l->place : som_pose_relative(q->frames[joint], l->place);
    if (joint >= 0) {
        reach_of(q->tree, link, &q->joints[joint], &l->reach, &l->arm);
        l->reach += q->joints[joint].range;
    }
}

SomMotionTree *som_motion_tree_create(const SomMechanism *m, const SomLinkSolid *const *solids,
                                      const SomMotion *motion) {
    assert(motion->sample_count > 0 && motion->dof_count == m->dof_count);
    SomMotionTree *tree = som_alloc(sizeof *tree);
    tree->mechanism = m;
    tree->motion = motion;
    tree->solids = solids;
    SomPose *places = som_alloc(sizeof *places * (size_t)m->link_count);
    double *first = som_alloc(sizeof *first * (size_t)(m->dof_count + 1));
    memcpy(first, motion->values, sizeof *first * (size_t)m->dof_count);
    som_mechanism_place(m, &(SomPosture){first, m->dof_count}, places);
    Maker q = {.tree = tree, .places = places};
    tree->joints = q.joints = som_arena_new(&tree->arena, SomMotionJoint, m->dof_count + 1);
    tree->dofs = q.dofs = som_arena_new(&tree->arena, int, m->dof_count + 1);
    tree->links = q.links = som_arena_new(&tree->arena, SomMotionLink, m->link_count);
    q.own = som_alloc(sizeof *q.own * (size_t)m->link_count);
    q.frames = som_alloc(sizeof *q.frames * (size_t)(m->dof_count + 1));
    for (int i = 0; i < m->link_count; i++) {
        int link = m->order[i];
        const SomMechanismLink *l = &m->links[link];
        int up = l->parent < 0 ? -1 : q.links[l->parent].joint;
        double range = l->dof < 0 || l->parent < 0 ? 0 : range_of(motion, l->dof);
        if (range > 0) {
            add_joint(&q, link, up, range);
            up = q.own[link];
        }
        add_link(&q, link, up);
    }
    som_free(first);
    som_free(places);
    som_free(q.own);
    som_free(q.frames);
    return tree;
}

void som_motion_tree_destroy(SomMotionTree *tree) {
    if (tree != NULL) {
        som_arena_free(&tree->arena);
        som_free(tree);
    }
}

// ---- paths

// The joint on which both hang, -1: the world; counts those below it.
static int meeting(const SomMotionTree *tree, int link_a, int link_b, int *count_a, int *count_b) {
    int a = tree->links[link_a].joint, b = link_b < 0 ? -1 : tree->links[link_b].joint;
    *count_a = *count_b = 0;
    while (a != b) {
        bool is_a_deeper = b < 0 || (a >= 0 && tree->joints[a].depth >= tree->joints[b].depth);
        if (is_a_deeper) {
            a = tree->joints[a].up;
            ++*count_a;
        } else {
            b = tree->joints[b].up;
            ++*count_b;
        }
    }
    return a;
}

int som_motion_path_count(const SomMotionTree *tree, int link_a, int link_b) {
    int count_a, count_b;
    meeting(tree, link_a, link_b, &count_a, &count_b);
    return count_a + count_b;
}

// Where the n-th joint of a path is in it, counted from one of the links to the other: its own side
// upwards, then the other one downwards.
static int path_place(const SomMotionPath *path, bool is_a, int n) {
    int own = is_a ? path->count_a : path->count - path->count_a;
    if (n < own) {
        return is_a ? n : path->count_a + n;
    }
    return (is_a ? path->count - 1 : path->count_a - 1) - (n - own);
}

// Takes the arms of one of the links where they are shorter than those of the other.
static void shorten_arms(const SomMotionTree *tree, SomMotionPath *path, bool is_a) {
    int link = is_a ? path->link_a : path->link_b;
    int own = is_a ? path->count_a : path->count - path->count_a;
    double reach = 0, arm = 0, round_arm = 0;
    bool is_round = true;
    for (int n = 0; n < path->count; n++) {
        int at = path_place(path, is_a, n);
        const SomMotionJoint *j = &tree->joints[path->joints[at]];
        if (n == 0) {
            reach_of(tree, link, j, &reach, &round_arm);
            reach += own > 0 ? j->range : 0;
            arm = round_arm;
        } else {
            // what is within reach of the last origin is within more of this one
            const SomMotionJoint *i = &tree->joints[path->joints[path_place(path, is_a, n - 1)]];
            double slid = n < own ? j->range : n > own ? i->range : 0;
            is_round = is_round && are_coaxial(i, j);
            double off = off_axis(i->origin, j->origin, j->axis) + (n > own ? i->range : 0);
            arm = is_round ? round_arm : reach + off;
            reach += distance_of(i->origin, j->origin) + slid;
        }
        path->arms[at] = fmin(path->arms[at], j->slides ? 1 : arm);
    }
}

void som_motion_path(const SomMotionTree *tree, int link_a, int link_b, int *joints, double *arms,
                     SomMotionPath *path) {
    int count_a, count_b;
    meeting(tree, link_a, link_b, &count_a, &count_b);
    *path = (SomMotionPath){link_a, link_b, joints, arms, count_a + count_b, count_a};
    int a = tree->links[link_a].joint, b = link_b < 0 ? -1 : tree->links[link_b].joint;
    for (int i = 0; i < count_a; i++, a = tree->joints[a].up) {
        joints[i] = a;
    }
    for (int i = 0; i < count_b; i++, b = tree->joints[b].up) {
        joints[count_a + i] = b;
    }
    for (int i = 0; i < path->count; i++) {
        arms[i] = HUGE_VAL;
    }
    shorten_arms(tree, path, true);
    if (link_b >= 0) {
        shorten_arms(tree, path, false);
    }
}

void som_motion_values(const SomMotionTree *tree, const SomMotionPath *path, double place,
                       double *values) {
    double rest;
    const SomMotion *motion = tree->motion;
    const double *now = motion->values;
    now += (size_t)sample_of(motion, place, &rest) * (size_t)motion->dof_count;
    for (int i = 0; i < path->count; i++) {
        int dof = tree->dofs[path->joints[i]];
        values[i] = now[dof];
        if (rest > 0) {
            values[i] += rest * (now[motion->dof_count + dof] - now[dof]);
        }
    }
}

int som_motion_first_beyond(const SomMotionTree *tree, const SomMotionPath *path,
                            const double *arms, const double *from, double most, int first,
                            int last) {
    size_t dofs = (size_t)tree->motion->dof_count;
    const double *now = tree->motion->values + (size_t)first * dofs;
    for (int sample = first; sample <= last; sample++, now += dofs) {
        double sum = 0;
        for (int i = 0; i < path->count; i++) {
            sum += arms[i] * fabs(now[tree->dofs[path->joints[i]]] - from[i]);
        }
        if (!(sum <= most)) {
            return sample;
        }
    }
    return last + 1;
}

// frame * Rz
static void turn(SomPose *frame, double angle) {
    double sine, cosine;
    som_sincos(angle, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        double *row = frame->rotation.m[i], x = row[0], y = row[1];
        row[0] = x * cosine + y * sine;
        row[1] = y * cosine - x * sine;
    }
}

// From the joint where the sides meet down to a link.
static SomPose pose_of(const SomMotionTree *tree, int link, const int *joints, const double *values,
                       int count, SomVec3 *axes) {
    SomPose pose = som_pose_identity();
    for (int i = count - 1; i >= 0; i--) {
        const SomMotionJoint *j = &tree->joints[joints[i]];
        pose = i == count - 1 ? j->before : som_pose_compose(pose, j->before);
        SomVec3 axis =
            som_vec3(pose.rotation.m[0][2], pose.rotation.m[1][2], pose.rotation.m[2][2]);
        if (axes != NULL) {
            axes[i] = axis;
        }
        if (j->slides) {
            double way = j->sign * values[i];
            pose.position = som_vec3_add(pose.position, som_vec3_scale(way, axis));
        } else {
            turn(&pose, j->sign * values[i]);
        }
    }
    if (link < 0) {
        return pose;
    }
    return count == 0 ? tree->links[link].pose : som_pose_compose(pose, tree->links[link].pose);
}

void som_motion_poses(const SomMotionTree *tree, const SomMotionPath *path, const double *values,
                      SomPose *pose_a, SomPose *pose_b, SomVec3 *axes) {
    int count_a = path->count_a, count_b = path->count - count_a;
    *pose_a = pose_of(tree, path->link_a, path->joints, values, count_a, axes);
    *pose_b = pose_of(tree, path->link_b, path->joints + count_a, values + count_a, count_b,
                      axes == NULL ? NULL : axes + count_a);
}

void som_motion_weights(const SomMotionTree *tree, const SomMotionPath *path, const SomVec3 *axes,
                        SomVec3 direction, double *weights) {
    for (int i = 0; i < path->count; i++) {
        bool slides = tree->joints[path->joints[i]].slides;
        double part = slides ? fabs(som_vec3_dot(axes[i], direction))
                             : som_vec3_length(som_vec3_cross(axes[i], direction));
        weights[i] = path->arms[i] * part;
    }
}

// ---- steps in the world

void som_motion_steps(const SomMotionTree *tree, int sample, double *steps) {
    const SomMotion *motion = tree->motion;
    int count = tree->joint_count;
    double *turns = som_alloc(sizeof *turns * (size_t)(2 * count + 1)), *ways = turns + count;
    for (int i = 0; i < count; i++) {
        const SomMotionJoint *j = &tree->joints[i];
        double moved =
            fabs(value_at(motion, sample + 1, j->dof) - value_at(motion, sample, j->dof));
        turns[i] = j->slides ? 0 : moved;
        ways[i] = j->slides ? moved : 0;
        if (j->up >= 0) { // what hangs on it goes as far as its origin, and turns with all above
            turns[i] += turns[j->up];
            ways[i] += ways[j->up] + turns[j->up] * j->gap;
        }
    }
    for (int l = 0; l < tree->mechanism->link_count; l++) {
        const SomMotionLink *link = &tree->links[l];
        steps[l] = 0;
        if (link->joint >= 0) {
            const SomMotionJoint *j = &tree->joints[link->joint];
            double above = j->up < 0 ? 0 : turns[j->up];
            double own = turns[link->joint] - above;
            steps[l] = ways[link->joint] + above * link->reach + own * link->arm;
        }
    }
    som_free(turns);
}
