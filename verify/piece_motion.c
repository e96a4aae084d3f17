// SPDX-License-Identifier: Apache-2.0
#include "verify/piece_motion.h"

#include "verify/link_solid.h"
#include "verify/standing_internal.h"

#include <math.h>

// The steps in which a piece is moved down to find what is below it, in metres.
#define STEP 5e-3
#define MOST_STEPS 200
#define LEAST_NEARER 0.1 // of a step; what comes nearer by less slides along

static void place_links(const SomVerifyInput *input, int sample, SomPose *links) {
    size_t dofs = (size_t)input->dof_count;
    SomPosture posture = {(double *)input->values + (size_t)sample * dofs, (int)dofs}; // only read
    som_mechanism_place(input->mechanism, &posture, links);
}

double som_piece_height(const SomVerifyInput *input, bool *stands) {
    SomStanding *standing = som_verify_stand(input);
    SomMotionSamples motion = som_verify_motion_samples(input);
    som_standing_follow(standing, &motion);
    SomStance stance = som_standing_measure(standing, input->values);
    double height = stance.contacts->drop;
    *stands = stance.stands;
    som_standing_destroy(standing);
    return height;
}

// ---- what is below

typedef struct Way {
    const SomMechanism *m;
    int piece;
    SomVec3 step;
    double length; // of the step
    SomPose *links;
    SomLinkSolid *solids;
} Way;

static double distance_at(const Way *w, int link, int steps, int other) {
    SomPose pose = w->links[link];
    pose.position = som_vec3_add(pose.position, som_vec3_scale(steps, w->step));
    return som_solid_distance(&w->solids[link], &pose, &w->solids[other], &w->links[other],
                              w->length, NULL)
        .distance;
}

// The link of another piece into which the next step leads, -1 if there is none, and which part of
// the step nears it: the cosine of its slope where they touch. Faces that slide along each other
// do not come nearer.
static int meets(const Way *w, int steps, double *nearer) {
    const SomMechanismLink *links = w->m->links;
    int found = -1;
    *nearer = LEAST_NEARER;
    for (int a = 0; a < w->m->link_count; a++) {
        bool is_own = links[a].piece == w->piece && w->solids[a].part_count > 0;
        for (int b = 0; is_own && b < w->m->link_count; b++) {
            if (links[b].piece == w->piece || w->solids[b].part_count == 0) {
                continue;
            }
            double after = distance_at(w, a, steps + 1, b);
            double part =
                after < 0 ? (distance_at(w, a, steps, b) - after) / w->length : LEAST_NEARER;
            found = part > *nearer ? b : found;
            *nearer = fmax(*nearer, part);
        }
    }
    return found;
}

SomPieceWay som_piece_way_down(const SomVerifyInput *input, int piece, SomPose place,
                               double height) {
    const SomMechanism *m = input->mechanism;
    SomArena arena = {0};
    SomPieceWay found = {height, -1, false};
    int count = (int)fmin(ceil(height / STEP), MOST_STEPS);
    Way way = {.m = m, .piece = piece, .length = height / count};
    way.links = som_arena_new(&arena, SomPose, m->link_count);
    way.solids = som_arena_new(&arena, SomLinkSolid, m->link_count);
    way.step = som_pose_rotate_inverse(place, som_vec3(0, 0, -way.length));
    place_links(input, 0, way.links);
    for (int i = 0; i < m->link_count; i++) {
        way.solids[i] = som_link_solid(m->links[i].link, &arena);
    }
    for (int i = 0; i < count && found.link < 0; i++) {
        double nearer, friction = input->options.friction;
        found.link = meets(&way, i, &nearer);
        found.length = found.link < 0 ? height : i * way.length;
        found.rests = nearer * sqrt(1 + friction * friction) >= 1;
    }
    som_arena_free(&arena);
    return found;
}

// ---- moving away

typedef struct Track {
    const SomVerifyInput *input;
    SomStanding *standing;
    SomPose apart;
    SomPose *home;   // the links where the motion has them
    SomPose *before; // where they were at the previous tick, set down
    SOM_ARRAY(SomContact) contacts;
    double slid;
} Track;

static SomVec3 corner_of(SomBounds bounds, int corner) {
    return som_vec3((corner & 1) != 0 ? bounds.high.x : bounds.low.x,
                    (corner & 2) != 0 ? bounds.high.y : bounds.low.y,
                    (corner & 4) != 0 ? bounds.high.z : bounds.low.z);
}

static void place_home(const Track *t, int sample) {
    place_links(t->input, sample, t->home);
    for (int i = 0; i < t->input->mechanism->link_count; i++) {
        t->home[i] = som_pose_compose(t->apart, t->home[i]);
    }
}

// How far any point of the piece is from where the motion has it.
static double displacement(const Track *t, SomPose place) {
    const SomMechanism *m = t->input->mechanism;
    SomPose change = som_pose_compose(place, som_pose_invert(t->apart));
    double most = 0;
    for (int i = 0; i < m->link_count; i++) {
        SomBounds bounds = som_mechanism_link_bounds(m, t->home, i);
        bool has_shape = bounds.low.x <= bounds.high.x;
        for (int k = 0; k < 8 && has_shape && !m->links[i].is_loose; k++) {
            SomVec3 corner = corner_of(bounds, k);
            SomVec3 way = som_vec3_sub(som_pose_apply(change, corner), corner);
            most = fmax(most, som_vec3_length(way));
        }
    }
    return most;
}

static bool touches(const SomContacts *contacts, int link) {
    for (int i = 0; i < contacts->count; i++) {
        if (contacts->items[i].link == link) {
            return true;
        }
    }
    return false;
}

// How far contacts of the previous tick that still touch have moved along the ground.
static double slide(const Track *t, const SomStance *stance) {
    double most = 0;
    for (int i = 0; i < t->contacts.count; i++) {
        SomContact contact = t->contacts.data[i];
        if (touches(stance->contacts, contact.link)) {
            SomVec3 point = som_pose_apply_inverse(t->before[contact.link], contact.point);
            SomVec3 now = som_pose_apply(stance->links[contact.link], point);
            SomVec3 way = som_vec3_sub(now, contact.point);
            most = fmax(most, sqrt(way.x * way.x + way.y * way.y));
        }
    }
    return most;
}

static void keep_contacts(Track *t, const SomStance *stance) {
    t->contacts.count = 0;
    for (int i = 0; i < stance->contacts->count; i++) {
        som_array_push(&t->contacts, stance->contacts->items[i]);
    }
    memcpy(t->before, stance->links, sizeof *t->before * (size_t)t->input->mechanism->link_count);
}

static int find_moved(Track *t, const SomStability *stability) {
    double most = t->input->options.tolerance;
    SomMotionSamples motion = som_verify_motion_samples(t->input);
    int moved = motion.count;
    for (int i = 0; i < motion.count && t->slid <= most; i = som_standing_next_tick(&motion, i)) {
        if (som_stop_is_asked(t->input->stop)) {
            return i;
        }
        place_home(t, i);
        SomStance stance = som_standing_measure_sample(t->standing, i);
        t->slid += i > 0 ? slide(t, &stance) : 0;
        bool has_moved = t->slid > most || displacement(t, stability->places[i]) > most;
        moved = has_moved && i < moved ? i : moved;
        keep_contacts(t, &stance);
    }
    return moved;
}

static double unsteady_at_end(const SomVerifyInput *input, const SomStability *stability) {
    if (stability->run_count == 0 || !stability->runs[stability->run_count - 1].is_at_end) {
        return 0;
    }
    int first = stability->runs[stability->run_count - 1].first;
    // its last sample is the first one of what follows
    return (first == 0 ? input->unsteady : 0) +
           (input->sample_count - 1 - first) * input->options.dt;
}

SomPieceMotion som_piece_follow(const SomVerifyInput *input, const SomPose *apart, double slid) {
    SomStanding *standing = som_verify_stand(input);
    SomMotionSamples motion = som_verify_motion_samples(input);
    SomStability *stability = som_stability_measure(standing, &motion, input->options.t_max);
    int count = input->sample_count;
    SomPieceMotion found = {.end = stability->places[count - 1],
                            .unsteady = unsteady_at_end(input, stability),
                            .slid = slid,
                            .fall = count,
                            .moved = count};
    for (int i = stability->run_count - 1; i >= 0; i--) {
        found.fall = stability->runs[i].is_fall ? stability->runs[i].first : found.fall;
    }
    if (apart != NULL) {
        size_t links = (size_t)input->mechanism->link_count;
        Track track = {.input = input, .standing = standing, .apart = *apart, .slid = slid};
        track.home = som_alloc(sizeof *track.home * (links + 1));
        track.before = som_alloc(sizeof *track.before * (links + 1));
        found.moved = slid > input->options.tolerance ? 0 : find_moved(&track, stability);
        found.slid = track.slid;
        found.moved = found.fall < found.moved ? found.fall : found.moved;
        som_array_free(&track.contacts);
        som_free(track.home);
        som_free(track.before);
    }
    som_stability_destroy(stability);
    som_standing_destroy(standing);
    return found;
}
