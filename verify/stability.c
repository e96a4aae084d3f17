// SPDX-License-Identifier: Apache-2.0

#include "verify/stability.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define MOST_ROCKS 6
#define ANGLE_STEPS 24
#define SINKING 0.25 // of the tolerance: what rolls over its edge sinks, too, but by less

struct SomStanding {
    const SomMechanism *m;
    SomVec3 down;
    double tolerance;
    SomContactFinder *finder;
    SomSupportWork work;
    SomPose *links;
    SOM_ARRAY(SomVec3) points;
};

SomStanding *som_standing_create(const SomMechanism *mechanism, const SomTerrain *terrain,
                                 double tolerance) {
    SomStanding *s = som_alloc(sizeof *s);
    s->m = mechanism;
    s->tolerance = tolerance;
    s->down = terrain != NULL ? som_terrain_down(terrain) : som_vec3(0, 0, -1);
    s->finder = som_contact_finder_create(mechanism, terrain, tolerance);
    s->links = som_alloc(sizeof *s->links * (size_t)(mechanism->link_count + 1));
    return s;
}

void som_standing_destroy(SomStanding *s) {
    if (s != NULL) {
        som_contact_finder_destroy(s->finder);
        som_support_work_free(&s->work);
        som_array_free(&s->points);
        som_free(s->links);
        som_free(s);
    }
}

const SomMechanism *som_standing_mechanism(const SomStanding *s) {
    return s->m;
}

static bool stands(double margin) {
    return margin >= -SOM_STANDING_SLACK; // not if it is not known
}

static void place(SomStanding *s, const double *values) {
    SomPosture posture = {(double *)values, s->m->dof_count}; // only read
    som_mechanism_place(s->m, &posture, s->links);
}

static SomStance measure_placed(SomStanding *s) {
    const SomContacts *contacts = som_contact_finder_find(s->finder, s->links);
    SomStance stance = {.contacts = contacts, .links = s->links};
    stance.com = som_mechanism_com(s->m, s->links);
    som_array_reserve(&s->points, contacts->count);
    for (int i = 0; i < contacts->count; i++) {
        s->points.data[i] = contacts->items[i].point;
    }
    int count = s->m->mass > 0 ? contacts->count : 0;
    stance.support = som_support_find(s->points.data, count, stance.com, s->down, &s->work);
    return stance;
}

SomStance som_standing_measure(SomStanding *s, const double *values) {
    place(s, values);
    return measure_placed(s);
}

double som_standing_margin_centres(SomStanding *s, const double *values) {
    place(s, values);
    return som_support_margin_centres(s->m, s->links, &s->work);
}

// ---- rocking

// Turns the robot, as it is placed, about a level axis through a point.
static void tip(SomStanding *s, const SomPose *from, SomVec3 pivot, SomVec3 axis, double angle) {
    SomPose turn = {som_rotation_exp(som_vec3_scale(angle, axis)), {0, 0, 0}};
    turn.position = som_vec3_sub(pivot, som_pose_rotate(turn, pivot));
    for (int i = 0; i < s->m->link_count; i++) {
        s->links[i] = som_pose_compose(turn, from[i]);
    }
}

// Tips a robot that does not stand until something else than its edge touches. Returns the angle.
static double tip_over(SomStanding *s, const SomStance *stance, SomPose *from, double most) {
    SomVec3 pivot = stance->contacts->items[stance->support.edge[0]].point;
    SomVec3 axis = som_vec3_cross(som_vec3_scale(-1, s->down), stance->support.direction);
    double ground = stance->contacts->drop, low = 0, high = most;
    memcpy(from, s->links, sizeof *from * (size_t)s->m->link_count);
    for (int i = 0; i <= ANGLE_STEPS; i++) {
        double angle = i == 0 ? most : (low + high) / 2;
        tip(s, from, pivot, axis, angle);
        double drop = som_contact_finder_find(s->finder, s->links)->drop;
        if (drop < ground - SINKING * s->tolerance) {
            high = angle;
        } else if (i == 0) {
            return most; // nothing touches
        } else {
            low = angle;
        }
    }
    tip(s, from, pivot, axis, high);
    return high;
}

SomRock som_standing_rock(SomStanding *s, const double *values) {
    SomRock rock = {false, 0, -1};
    SomPose *from = som_alloc(sizeof *from * (size_t)(s->m->link_count + 1));
    SomStance stance = som_standing_measure(s, values);
    for (int i = 0; i <= MOST_ROCKS && stance.support.edge[0] >= 0; i++) {
        if (stands(stance.support.margin)) {
            rock.does_rest = true;
            break;
        }
        rock.angle += tip_over(s, &stance, from, SOM_ROCK_MOST - rock.angle);
        if (rock.angle >= SOM_ROCK_MOST) {
            break;
        }
        stance = measure_placed(s);
        for (int k = 0; k < stance.contacts->count; k++) {
            bool is_lowest = stance.contacts->items[k].point.z <= stance.contacts->drop + 1e-9;
            rock.link = is_lowest ? stance.contacts->items[k].link : rock.link;
        }
    }
    rock.link = rock.does_rest ? rock.link : -1;
    som_free(from);
    return rock;
}

// ---- over a motion

static const double *sample_of(const SomStanding *s, const SomMotionSamples *motion, int sample) {
    return motion->values + (size_t)sample * (size_t)s->m->dof_count;
}

static void find_runs(SomStability *found, int count, double dt, double t_max) {
    int capacity = 0;
    for (int i = 0, end; i < count; i = end) {
        for (end = i; end < count && !stands(found->margins[end]); end++) {
        }
        if (end == i) {
            end = i + 1;
            continue;
        }
        SomUnsteadyRun run = {.first = i, .last = end - 1, .worst = i, .is_at_end = end == count};
        for (int k = i; k < end; k++) {
            run.worst = found->margins[k] < found->margins[run.worst] ? k : run.worst;
        }
        run.margin = found->margins[run.worst];
        run.is_fall = (end - i) * dt > t_max * (1 + 1e-9); // but for rounding
        if (found->run_count == capacity) {
            capacity = som_array_grow(capacity, found->run_count + 1);
            found->runs = som_realloc(found->runs, (size_t)capacity, sizeof *found->runs);
        }
        found->runs[found->run_count++] = run;
    }
}

SomStability *som_stability_measure(SomStanding *s, const SomMotionSamples *motion, double t_max) {
    SomStability *found = som_alloc(sizeof *found);
    found->margins = som_alloc(sizeof *found->margins * (size_t)(motion->count + 1));
    found->lowest = -1;
    found->margin_centres = (double)NAN;
    for (int i = 0; i < motion->count; i++) {
        SomStance stance = som_standing_measure(s, sample_of(s, motion, i));
        double margin = found->margins[i] = stance.support.margin;
        double centres = som_support_margin_centres(s->m, s->links, &s->work);
        found->margin_centres = fmin(found->margin_centres, centres);
        found->unknown += isnan(margin);
        if (!isnan(margin) && (found->lowest < 0 || margin < found->margins[found->lowest])) {
            found->lowest = i;
        }
    }
    find_runs(found, motion->count, motion->dt, t_max);
    return found;
}

void som_stability_destroy(SomStability *found) {
    if (found != NULL) {
        som_free(found->margins);
        som_free(found->runs);
        som_free(found);
    }
}
