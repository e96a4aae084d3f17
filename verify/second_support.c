// SPDX-License-Identifier: Apache-2.0
// Support polygons by qhull, the centre of mass and the lowest point of the robot, once more.

#include "base/codes/verify_codes.h"
#include "space/second_hull.h"
#include "verify/second_opinion_internal.h"
#include "verify/second_poses.h"

#include <math.h>

typedef struct Look {
    const SomVerifyInput *input;
    SomStanding *standing;
    const SomStability *stability;
    SomVerification *out;
    SomTerrain terrain;
    SomPose *links;
    double (*points)[2];
} Look;

// ---- moments

typedef struct Samples {
    int items[SOM_SECOND_MOST_MOMENTS];
    int count;
} Samples;

static void add_sample(Samples *samples, int sample) {
    bool is_new = sample >= 0 && samples->count < SOM_SECOND_MOST_MOMENTS;
    for (int i = 0; i < samples->count; i++) {
        is_new = is_new && samples->items[i] != sample;
    }
    if (is_new) {
        samples->items[samples->count++] = sample;
    }
}

static Samples find_samples(const Look *l) {
    Samples samples = {.count = 0};
    int last = l->input->sample_count - 1;
    int count = last < SOM_SECOND_SPREAD ? last + 1 : SOM_SECOND_SPREAD;
    for (int i = 0; i < count; i++) {
        add_sample(&samples, count > 1 ? (int)((long)last * i / (count - 1)) : 0);
    }
    add_sample(&samples, l->stability->lowest);
    for (int i = 0; i < l->stability->run_count; i++) {
        add_sample(&samples, l->stability->runs[i].worst);
    }
    return samples;
}

// ---- a sample

static SomPose attitude_of(const Look *l, int sample, double drop) {
    SomPose place = l->stability->places[sample];
    place.position.z += drop;
    return place;
}

static double lowest_of(const Look *l, SomPose attitude) {
    const SomMechanism *m = l->input->mechanism;
    SomVec3 down = som_vec3(0, 0, -1);
    double lowest = HUGE_VAL;
    for (int i = 0; i < m->link_count; i++) {
        const SomModuleLink *link = m->links[i].link;
        SomPose pose = som_pose_compose(attitude, l->links[i]);
        if (link->part_count > 0 && !m->links[i].is_loose) {
            lowest = fmin(lowest, -som_second_reach(som_second_solid(link, pose), down));
        }
        for (int k = 0; link->part_count == 0 && !m->links[i].is_loose && k < link->hull_count;
             k++) {
            lowest = fmin(lowest, som_pose_apply(pose, link->hull[k]).z);
        }
    }
    return lowest;
}

static void report(const Look *l, int sample, double ours, double other, const char *what,
                   const char *who) {
    SomFinding finding = som_second_finding(l->input, SOM_SECOND_OPINION_SUPPORT,
                                            l->input->times[sample], ours, other);
    som_verification_add(l->out, &finding, "the %s is %s according to %s, but %s was found", what,
                         som_verification_exact(l->out, other, ours, SOM_DIMENSION_LENGTH), who,
                         som_verification_exact(l->out, ours, other, SOM_DIMENSION_LENGTH));
}

static double find_margin(Look *l, const SomContacts *contacts, SomVec3 com, double *extent) {
    SomVec3 down = som_terrain_down(&l->terrain);
    // any two axes across gravity
    SomVec3 u = som_vec3_cross(down, fabs(down.x) < 0.5 ? som_vec3(1, 0, 0) : som_vec3(0, 1, 0));
    u = som_vec3_scale(1 / som_vec3_length(u), u);
    SomVec3 v = som_vec3_cross(down, u);
    l->points = som_realloc(l->points, (size_t)contacts->count, sizeof *l->points);
    for (int i = 0; i < contacts->count; i++) {
        SomVec3 from = som_vec3_sub(contacts->items[i].point, com);
        l->points[i][0] = som_vec3_dot(from, u);
        l->points[i][1] = som_vec3_dot(from, v);
        *extent = fmax(*extent, som_vec3_length(from));
    }
    const double center[2] = {0, 0};
    return som_second_margin((const double(*)[2])l->points, contacts->count, center);
}

static void look_at_sample(Look *l, int sample) {
    const SomMechanism *m = l->input->mechanism;
    SomStance stance = som_standing_measure_sample(l->standing, sample);
    double ours = l->stability->margins[sample], extent = 0;
    if (isnan(ours) || stance.contacts->count == 0) {
        return;
    }
    SomPose attitude = attitude_of(l, sample, stance.contacts->drop);
    som_second_poses(m, l->input->values + (size_t)sample * (size_t)m->dof_count, l->links);
    SomVec3 com = som_pose_apply(attitude, som_second_com(m, l->links));
    double other = find_margin(l, stance.contacts, com, &extent);
    if (isnan(other)) {
        som_verification_not_assessed(l->out, SOM_CHECK_SECOND_OPINION, SOM_STR("support polygons"),
                                      1, SOM_STR("qhull gives up"));
        return;
    }
    l->out->second.polygons++;
    if (som_second_compare(l->out, fabs(ours - other), extent)) {
        report(l, sample, ours, other, "stability margin", "qhull");
    }
    double lowest = lowest_of(l, attitude), drop = stance.contacts->drop;
    if (l->terrain.step_count == 0 && som_second_compare(l->out, fabs(lowest - drop), extent)) {
        report(l, sample, drop, lowest, "height of the lowest point", "a second computation");
    }
}

void som_second_opinion_support(const SomVerifyInput *input, SomStanding *standing,
                                const SomStability *stability, SomVerification *out) {
    if (!input->wants_second_opinion) {
        return;
    }
    Look l = {.input = input,
              .standing = standing,
              .stability = stability,
              .out = out,
              .terrain = som_verify_terrain(&input->options),
              .links = som_alloc(sizeof *l.links * ((size_t)input->mechanism->link_count + 1))};
    Samples samples = find_samples(&l);
    for (int i = 0; i < samples.count && !som_stop_is_asked(input->stop); i++) {
        look_at_sample(&l, samples.items[i]);
    }
    som_free(l.links);
    som_free(l.points);
}
