// SPDX-License-Identifier: Apache-2.0
// Robots that tip until they rest.

#include "space/trigonometry.h"
#include "verify/stability_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TIPS 24
#define STEP_BACK 1e-7 // radians that it is tipped farther, so that what touches does touch

// Turns all links about a level axis through a point.
static SomPose turn_about(SomVec3 pivot, SomVec3 axis, double angle) {
    SomPose turn = {som_rotation_exp(som_vec3_scale(angle, axis)), {0, 0, 0}};
    turn.position = som_vec3_sub(pivot, som_pose_rotate(turn, pivot));
    return turn;
}

static void move_links(SomStanding *s, SomPose motion) {
    for (int i = 0; i < s->m->link_count; i++) {
        s->links[i] = som_pose_compose(motion, s->links[i]);
    }
}

static int lowest_link(const SomContacts *contacts) {
    int best = 0;
    for (int i = 1; i < contacts->count; i++) {
        best = contacts->items[i].point.z < contacts->items[best].point.z ? i : best;
    }
    return contacts->items[best].link;
}

// The links as they are placed; what they were turned by goes to `turned`.
static SomRest settle(SomStanding *s, double most, SomPose *turned) {
    SomRest rest = {false, 0, -1};
    for (int i = 0; i < MOST_TIPS; i++) {
        SomStance stance = som_standing_measure_placed(s);
        if (stance.support.edge[0] < 0) {
            return rest;
        }
        if (stance.support.margin >= -SOM_STANDING_SLACK) {
            rest.does_rest = true;
            return rest;
        }
        SomVec3 pivot = stance.contacts->items[stance.support.edge[0]].point;
        SomVec3 out = som_vec3(stance.support.direction.x, stance.support.direction.y, 0);
        double length = som_vec3_length(out);
        pivot.z = stance.contacts->drop;
        out = som_vec3_scale(1 / length, out);
        double angle = som_contact_finder_tip(s->finder, s->links, pivot, out) + STEP_BACK;
        rest.angle += angle;
        if (!(rest.angle <= most)) {
            return rest;
        }
        SomPose turn = turn_about(pivot, som_vec3_cross(som_vec3(0, 0, 1), out), angle);
        move_links(s, turn);
        *turned = som_pose_compose(turn, *turned);
        rest.link = lowest_link(som_contact_finder_find(s->finder, s->links));
    }
    return rest;
}

SomRest som_standing_settle(SomStanding *s, const double *values, double most) {
    SomPose turned = som_pose_identity();
    som_standing_place(s, values);
    if (s->has_steps) {
        return (SomRest){false, 0, -1};
    }
    return settle(s, most, &turned);
}

// ---- leaning

typedef struct Tilt {
    double angle, mass;
} Tilt;

static int compare_tilts(const void *a, const void *b) {
    const Tilt *p = a, *q = b;
    return (p->angle > q->angle) - (p->angle < q->angle);
}

static double tilt_of(SomVec3 up) {
    return som_atan2(sqrt(up.x * up.x + up.y * up.y), up.z);
}

// How far the robot leans against how it stood: the smaller of the tilt on average and of that
// which half of its mass does not exceed. `up` is the world's up in every link as it stood.
static double lean_of(const SomStanding *s, const SomVec3 *up, Tilt *tilts) {
    SomVec3 sum = som_vec3(0, 0, 0);
    for (int i = 0; i < s->m->link_count; i++) {
        SomVec3 now = som_pose_rotate(s->links[i], up[i]);
        double mass = s->m->links[i].link->inertia.mass;
        sum = som_vec3_add(sum, som_vec3_scale(mass, now));
        tilts[i] = (Tilt){tilt_of(now), mass};
    }
    qsort(tilts, (size_t)s->m->link_count, sizeof *tilts, compare_tilts);
    double half = s->m->mass / 2, median = 0;
    for (int i = 0; i < s->m->link_count && half > 0; i++) {
        half -= tilts[i].mass;
        median = tilts[i].angle;
    }
    return fmin(median, tilt_of(sum));
}

// Whether most of the robot's mass is in modules that touch the ground, as it is placed.
static bool lies_down(SomStanding *s) {
    const SomContacts *contacts = som_contact_finder_find(s->finder, s->links);
    bool *touches = som_alloc((size_t)s->m->configuration->module_count);
    for (int i = 0; i < contacts->count; i++) {
        touches[s->m->links[contacts->items[i].link].module] = true;
    }
    double mass = 0;
    for (int i = 0; i < s->m->link_count; i++) {
        mass += touches[s->m->links[i].module] ? s->m->links[i].link->inertia.mass : 0;
    }
    som_free(touches);
    return mass > s->m->mass / 2;
}

static const double *values_of(const SomStanding *s, const SomMotionSamples *motion, int sample) {
    return motion->values + (size_t)sample * (size_t)s->m->dof_count;
}

SomLeaning som_standing_follow(SomStanding *s, const SomMotionSamples *motion,
                               const SomUnsteadyRun *run) {
    SomLeaning leaning = {false, run->first, 0};
    if (s->has_steps || run->last - run->first > SOM_FOLLOW_MOST) {
        return leaning;
    }
    size_t count = (size_t)s->m->link_count + 1;
    SomVec3 *up = som_alloc(sizeof *up * count);
    Tilt *tilts = som_alloc(sizeof *tilts * count);
    som_standing_place(s, values_of(s, motion, run->first > 0 ? run->first - 1 : 0));
    for (int i = 0; i < s->m->link_count; i++) {
        up[i] = som_pose_rotate_inverse(s->links[i], som_vec3(0, 0, 1));
    }
    bool lies = lies_down(s);
    double most = lies ? (double)INFINITY : SOM_LEAN_MOST;
    double tip = lies ? SOM_ROLL_MOST : SOM_TIP_MOST;
    SomPose turned = som_pose_identity();
    leaning.does_rest = true;
    for (int i = run->first; i <= run->last && leaning.does_rest; i++) {
        som_standing_place(s, values_of(s, motion, i));
        move_links(s, turned);
        SomRest rest = settle(s, tip, &turned);
        double lean = lean_of(s, up, tilts);
        leaning.does_rest = rest.does_rest && lean <= most;
        if (!leaning.does_rest || lean > leaning.lean) {
            leaning.sample = i;
            leaning.lean = lean;
        }
    }
    som_free(up);
    som_free(tilts);
    return leaning;
}
