// SPDX-License-Identifier: Apache-2.0
// Robots that tip until they rest, in a posture and from each sample of a motion to the next.

#include "space/trigonometry.h"
#include "verify/stability_internal.h"
#include "verify/verify.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TIPS 24   // beside the steps of those that roll
#define STEP_BACK 1e-7 // radians that it is tipped farther, so that what touches does touch
#define BETWEEN 16     // postures that are looked at between two samples if they are too far apart
#define LOW                                                                                        \
    2 // what lay on the ground still does if its centre is no more than so many times as high

// A turn of the whole robot about a level axis through a point.
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

// The link of the contact that is farthest out.
static int outermost_link(const SomContacts *contacts, SomVec3 out) {
    int best = 0;
    for (int i = 1; i < contacts->count; i++) {
        double far = som_vec3_dot(contacts->items[i].point, out);
        best = far > som_vec3_dot(contacts->items[best].point, out) ? i : best;
    }
    return contacts->items[best].link;
}

// On the ground, at the end of the edge that is farther out.
static SomVec3 pivot_of(const SomStanding *s, const SomStance *stance, SomVec3 out) {
    SomVec3 a = stance->contacts->items[stance->support.edge[0]].point;
    SomVec3 b = stance->contacts->items[stance->support.edge[1]].point;
    SomVec3 pivot = som_vec3_dot(b, out) > som_vec3_dot(a, out) ? b : a;
    // within the tolerance it is above the ground
    pivot.z = stance->contacts->drop + som_terrain_height_near(&s->terrain, pivot.x);
    return pivot;
}

// By how much less the robot may sink than its pivot, as it is turned: metres. The point of a round
// piece below the pivot moves on by less than that.
#define TOUCHES 1e-5
#define LIFTED 1e-4 // metres: by more it would be lifted at once
#define TIP_HALVINGS 24

// How far the robot sinks if it is turned so far.
static double drop_at(SomStanding *s, SomVec3 pivot, SomVec3 axis, double angle) {
    SomPose turn = turn_about(pivot, axis, angle);
    for (int i = 0; i < s->m->link_count; i++) {
        s->turned[i] = som_pose_compose(turn, s->links[i]);
    }
    return som_contact_finder_find(s->finder, s->turned)->drop;
}

// The angle by which it tips over steps until something beside the pivot touches, or `most`. What
// touches from the side would be lifted at once: where the robot goes then is not predicted, and
// the angle is NAN.
static double tip_on_steps(SomStanding *s, SomVec3 pivot, SomVec3 axis, double most, double drop) {
    double low = 0, high = most, at_high = drop_at(s, pivot, axis, most);
    if (at_high >= drop - TOUCHES) {
        return most;
    }
    for (int i = 0; i < TIP_HALVINGS; i++) {
        double middle = (low + high) / 2, there = drop_at(s, pivot, axis, middle);
        *(there >= drop - TOUCHES ? &low : &high) = middle;
        at_high = there >= drop - TOUCHES ? at_high : there;
    }
    return at_high >= drop - LIFTED ? high : (double)NAN;
}

// The links as they are placed; what they were turned by comes before `turned`.
static SomRest settle(SomStanding *s, double most, SomPose *turned) {
    SomRest rest = {.link = -1};
    int tips = MOST_TIPS + (int)(most / SOM_STANDING_ROLL_STEP);
    double step = SOM_STANDING_ROLL_STEP;
    SomVec3 last = som_vec3(0, 0, 0);
    for (int i = 0; i < tips; i++) {
        SomStance stance = som_standing_measure_placed(s);
        if (stance.support.edge[0] < 0) {
            return rest;
        }
        if (stance.support.margin >= -SOM_STANDING_SLACK) {
            rest.does_rest = true;
            rest.link = i > 0 ? outermost_link(stance.contacts, last) : -1;
            return rest;
        }
        SomVec3 out = som_vec3(stance.support.direction.x, stance.support.direction.y, 0);
        out = som_vec3_scale(1 / som_vec3_length(out), out);
        SomVec3 pivot = pivot_of(s, &stance, out), axis = som_vec3_cross(som_vec3(0, 0, 1), out);
        // what has rolled too far rolls back by less
        step *= som_vec3_dot(out, last) < 0 ? 0.5 : 1;
        last = out;
        double angle =
            s->terrain.step_count > 0
                ? tip_on_steps(s, pivot, axis, step, stance.contacts->drop)
                : fmin(som_contact_finder_tip(s->finder, s->links, pivot, out) + STEP_BACK, step);
        rest.is_blocked = isnan(angle);
        rest.angle += rest.is_blocked ? 0 : angle;
        if (rest.is_blocked || !(rest.angle <= most)) {
            return rest;
        }
        SomPose turn = turn_about(pivot, axis, angle);
        move_links(s, turn);
        *turned = som_pose_compose(turn, *turned);
    }
    return rest;
}

SomRest som_standing_settle(SomStanding *s, const double *values, double most) {
    SomPose turned = som_pose_identity();
    som_standing_place(s, values);
    return settle(s, most, &turned);
}

const double *som_standing_values(const SomStanding *s, int sample) {
    return s->motion.values + (size_t)sample * (size_t)s->m->dof_count;
}

// ---- leaning

static double tilt_of(SomVec3 up) {
    return som_atan2(sqrt(up.x * up.x + up.y * up.y), up.z);
}

static double base_lean(SomPose attitude) {
    return tilt_of(som_pose_rotate(attitude, som_vec3(0, 0, 1)));
}

double som_standing_base_lean(const SomStanding *s, int sample) {
    return base_lean(s->settled.data[sample].attitude);
}

typedef struct Tilt {
    double angle, mass;
} Tilt;

static int compare_tilts(const void *a, const void *b) {
    const Tilt *p = a, *q = b;
    return (p->angle > q->angle) - (p->angle < q->angle);
}

// The smaller of the tilt on average and of that which half of the robot's mass does not exceed.
static double lean_of(SomStanding *s, const double *values) {
    int count = s->m->link_count;
    SomVec3 *up = som_alloc(sizeof *up * (size_t)(count + 1)), sum = som_vec3(0, 0, 0);
    Tilt *tilts = som_alloc(sizeof *tilts * (size_t)(count + 1));
    SomPose attitude = s->attitude;
    som_standing_turn(s, s->begin);
    som_standing_place(s, som_standing_values(s, 0));
    for (int i = 0; i < count; i++) {
        up[i] = som_pose_rotate_inverse(s->links[i], som_vec3(0, 0, 1));
    }
    som_standing_turn(s, attitude);
    som_standing_place(s, values);
    for (int i = 0; i < count; i++) {
        SomVec3 now = som_pose_rotate(s->links[i], up[i]);
        double mass = s->m->links[i].is_loose ? 0 : s->m->links[i].link->inertia.mass;
        sum = som_vec3_add(sum, som_vec3_scale(mass, now));
        tilts[i] = (Tilt){tilt_of(now), mass};
    }
    qsort(tilts, (size_t)count, sizeof *tilts, compare_tilts);
    double half = s->m->mass / 2, median = 0;
    for (int i = 0; i < count && half > 0; i++) {
        half -= tilts[i].mass;
        median = tilts[i].angle;
    }
    som_free(up);
    som_free(tilts);
    return fmin(median, tilt_of(sum));
}

// ---- motions

void som_standing_follow(SomStanding *s, const SomMotionSamples *motion) {
    s->motion = *motion;
    s->settled.count = 0;
    s->is_turned = false;
    s->attitude = som_pose_identity();
    som_standing_turn(s, s->begin);
    s->stride = som_standing_stride(motion);
}

void som_standing_resume(SomStanding *s, const SomMotionSamples *motion, const SomStanding *like,
                         int first) {
    som_standing_follow(s, motion);
    s->low = like->low;
    for (int i = 0; i < first && i < like->settled.count; i++) {
        som_array_push(&s->settled, like->settled.data[i]);
    }
}

int som_standing_stride(const SomMotionSamples *motion) {
    double samples = SOM_VERIFY_TICK / motion->dt;
    return samples > 1.5 ? (int)lround(samples) : 1;
}

// Whether most of the robot's mass is in modules that touch the ground. One module alone is no
// snake.
static bool touches_with_most(const SomStanding *s, const SomContacts *contacts) {
    int modules = s->m->configuration->module_count, connected = 0;
    for (int i = 0; i < modules; i++) {
        connected += !s->m->links[s->m->first_link[i]].is_loose;
    }
    if (connected < 2) {
        return false;
    }
    bool *touches = som_alloc((size_t)modules + 1);
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

// Whether it lies, as a snake does: it has nowhere to fall.
static bool lies(SomStanding *s, const SomStance *stance) {
    double height = stance->com.z - stance->contacts->drop;
    if (s->settled.count == 0) {
        s->low = touches_with_most(s, stance->contacts) ? LOW * height : 0;
    }
    return height <= s->low;
}

// From one posture to the next. The attitude is changed only if it comes to rest.
static bool rests_at(SomStanding *s, const double *values, double most) {
    SomPose turned = s->attitude;
    som_standing_place(s, values);
    SomRest rest = settle(s, most, &turned);
    s->is_blocked = s->is_blocked || rest.is_blocked;
    if (rest.does_rest) {
        som_standing_turn(s, turned);
    }
    return rest.does_rest;
}

// Between two ticks joints move linearly. A robot that turns much from one to the other may have
// done so little by little.
static bool rests_on_the_way(SomStanding *s, int before_it, int sample, double most) {
    const double *from = som_standing_values(s, before_it), *to = som_standing_values(s, sample);
    SomPose before = s->attitude;
    bool does_rest = true;
    for (int k = 1; k <= BETWEEN && does_rest; k++) {
        for (int i = 0; i < s->m->dof_count; i++) {
            s->values[i] = from[i] + (to[i] - from[i]) * k / BETWEEN;
        }
        does_rest = rests_at(s, k < BETWEEN ? s->values : to, most);
    }
    if (!does_rest) {
        som_standing_turn(s, before);
    }
    return does_rest;
}

// How far the robot leans, if that is too far for it and its base; else 0.
static double excess_lean(SomStanding *s, const double *values) {
    double most = s->motion.lean;
    SomPose turned = som_pose_compose(s->attitude, som_pose_invert(s->begin));
    double lean = base_lean(turned) > most ? lean_of(s, values) : 0;
    return lean > most ? lean : 0;
}

static SomStance with_reason(SomStance stance, const SomSettled *settled) {
    stance.lean = settled->lean;
    stance.may_tip = settled->may_tip;
    stance.is_blocked = settled->is_blocked;
    stance.stands = stance.stands && !(settled->lean > 0) && !settled->is_blocked;
    return stance;
}

// Whether a joint has moved by a sample with these values.
static bool moved_before(const SomStanding *s, int before, const double *values) {
    size_t size = sizeof *values * (size_t)s->m->dof_count;
    bool moved = before >= 0 ? s->settled.data[before].has_moved : s->motion.has_moved;
    return moved || (size > 0 && memcmp(values, s->motion.values, size) != 0);
}

// From the tick before to a sample, whatever was between: so what becomes of the robot does not
// depend on how many samples a tick has.
static SomStance step(SomStanding *s, int sample) {
    const double *values = som_standing_values(s, sample);
    int before = sample > 0 ? (sample - 1) / s->stride * s->stride : -1;
    som_standing_turn(s, before >= 0 ? s->settled.data[before].attitude : s->begin);
    SomStance stance = som_standing_measure(s, values);
    bool stood = before >= 0 && s->settled.data[before].stood;
    bool is_known = stance.support.edge[0] >= 0, stands = stance.stands;
    bool is_low = is_known && lies(s, &stance);
    bool has_moved = moved_before(s, before, values);
    double most =
        is_low && has_moved ? fmax(s->motion.rocking, s->motion.rolling) : s->motion.rocking;
    s->is_blocked = before >= 0 && s->settled.data[before].is_blocked;
    if (!stands && most > 0 && is_known && !s->is_blocked) {
        stands = rests_at(s, values, most);
        if (!stands && stood) {
            s->is_blocked = false; // it may get past little by little
            stands = rests_on_the_way(s, before, sample, most);
        }
        stance = som_standing_measure(s, values);
    }
    double lean = stands && !is_low ? excess_lean(s, values) : 0;
    if (lean > 0) {
        stance = som_standing_measure(s, values);
    }
    som_array_push(&s->settled,
                   ((SomSettled){s->attitude, lean, most, stands, s->is_blocked, has_moved}));
    return with_reason(stance, &s->settled.data[sample]);
}

SomStance som_standing_measure_sample(SomStanding *s, int sample) {
    assert(0 <= sample && sample < s->motion.count);
    int known = s->settled.count;
    if (sample < known) {
        som_standing_turn(s, s->settled.data[sample].attitude);
        return with_reason(som_standing_measure(s, som_standing_values(s, sample)),
                           &s->settled.data[sample]);
    }
    while (known < sample) {
        step(s, known++);
    }
    return step(s, sample);
}
