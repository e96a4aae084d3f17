// SPDX-License-Identifier: Apache-2.0
#include "verify/posture_balance.h"

#include "base/memory.h"
#include "verify/standing_internal.h"

#include <math.h>

static void keep_support(SomPostureBalance *b, const SomStance *stance, SomPose shown,
                         SomVec3 down) {
    const SomContacts *contacts = stance->contacts;
    SomVec3 *points = som_alloc(sizeof *points * (size_t)(contacts->count + 1));
    for (int i = 0; i < contacts->count; i++) {
        points[i] = contacts->items[i].point;
    }
    SomSupportWork work = {0};
    SomSupport support = som_support_find(points, contacts->count, stance->com, down, &work);
    b->corner_count = support.corners;
    b->corners = som_alloc(sizeof *b->corners * (size_t)(support.corners + 1));
    for (int i = 0; i < support.corners; i++) {
        b->corners[i] = som_pose_apply(shown, points[work.hull.data[i].index]);
    }
    for (int i = 0; i < 2; i++) {
        b->edge[i] = som_pose_apply(shown, points[support.edge[i]]);
    }
    double height = som_vec3_dot(som_vec3_sub(points[support.edge[0]], stance->com), down);
    SomVec3 below = som_vec3_add(stance->com, som_vec3_scale(height, down));
    b->below_center = som_pose_apply(shown, below);
    som_support_work_free(&work);
    som_free(points);
}

static SomPostureBalance find_piece(const SomMechanism *mechanism, const SomVerifyOptions *options,
                                    const double *values, int sample_count) {
    SomVerifyInput input = {.design = mechanism->configuration,
                            .mechanism = mechanism,
                            .options = *options,
                            .dof_count = mechanism->dof_count,
                            .sample_count = sample_count,
                            .values = values};
    SomStanding *standing = som_verify_stand(&input);
    SomMotionSamples motion = som_verify_motion_samples(&input);
    som_standing_follow(standing, &motion);
    SomStance stance = som_standing_measure_sample(standing, sample_count - 1);
    // the base link is never moved by joints, only by tipping
    const SomBase *base = &mechanism->configuration->base;
    int link = som_mechanism_link_of(mechanism, base->module, base->link);
    SomPose shown = som_pose_compose(mechanism->base, som_pose_invert(stance.links[link]));
    SomPostureBalance b = {.stands = stance.stands,
                           .leans_too_far = stance.lean > 0,
                           .is_fixed = mechanism->is_fixed,
                           .margin = mechanism->is_fixed ? (double)NAN : stance.support.margin,
                           .drop = (double)NAN};
    b.center = b.below_center = som_pose_apply(shown, stance.com);
    if (fabs(b.margin) <= SOM_STANDING_SLACK) {
        b.margin = 0;
    }
    if (stance.support.edge[0] >= 0) {
        SomTerrain terrain = som_verify_terrain(options);
        b.drop = stance.contacts->drop;
        keep_support(&b, &stance, shown, som_terrain_down(&terrain));
    }
    som_standing_destroy(standing);
    return b;
}

static bool is_worse(const SomPostureBalance *a, const SomPostureBalance *b) {
    bool is_known = !isnan(a->margin) && !isnan(b->margin);
    return a->is_fixed != b->is_fixed ? b->is_fixed
           : a->stands != b->stands   ? b->stands
                                      : is_known && a->margin < b->margin;
}

SomPostureBalance som_posture_balance_find(const SomMechanism *mechanism,
                                           const SomVerifyOptions *options, const double *values,
                                           int sample_count) {
    SomPostureBalance worst = find_piece(mechanism, options, values, sample_count);
    for (int i = 1; i < mechanism->piece_count; i++) {
        SomMechanism *piece = som_mechanism_create_piece(mechanism, i, som_pose_identity());
        SomPostureBalance own = find_piece(piece, options, values, sample_count);
        SomPostureBalance *other = is_worse(&own, &worst) ? &worst : &own;
        som_posture_balance_free(other);
        worst = other == &worst ? own : worst;
        som_mechanism_destroy(piece);
    }
    return worst;
}

void som_posture_balance_free(SomPostureBalance *balance) {
    som_free(balance->corners);
    *balance = (SomPostureBalance){0};
}
