// SPDX-License-Identifier: Apache-2.0
// Links below the ground. A robot whose base is `on ground` starts there; during a motion the base
// stays, and what goes deeper lifts a real robot, so that it is told and no error. A base at a
// height of its own says where the robot is above the ground, and what is below then is an error.
// A slope changes nothing: ground and robot are tilted together. A step of the ground counts.

#include "verify/ground_dips.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

#define MOST_SUBJECTS 20

// Whether the design says where the ground is: without a word about it the base is at the origin.
static bool has_ground(const SomConfiguration *design) {
    return design->base.is_on_ground || design->base.placement.position.z != 0;
}

// How high the robot, as it starts and in whatever posture that is, is above the ground.
static double height_at_start(const SomVerifyInput *input) {
    const SomMechanism *m = input->mechanism;
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    double *values = som_alloc(sizeof *values * (size_t)(m->dof_count + 1));
    memcpy(values, input->values, sizeof *values * (size_t)m->dof_count);
    som_mechanism_place(m, &(SomPosture){values, m->dof_count}, links);
    double height = som_mechanism_bounds(m, links).low.z;
    if (input->options.step != 0) {
        SomTerrain terrain = som_verify_terrain(&input->options);
        SomContactFinder *finder = som_contact_finder_create(m, &terrain, input->options.tolerance);
        height = som_contact_finder_find(finder, links)->drop;
        som_contact_finder_destroy(finder);
    }
    som_free(links);
    som_free(values);
    return height;
}

static void add_subjects(const SomVerifyInput *input, const SomDips *dips, SomFinding *found,
                         SomVerification *out) {
    for (int i = 0; i < dips->count && i < MOST_SUBJECTS; i++) {
        som_finding_add_subject(out, found, input->mechanism->links[dips->data[i].link].path);
    }
}

static void report_start(const SomVerifyInput *input, const SomDips *dips, SomVerification *out) {
    const SomDip *deepest = &dips->data[0];
    const char *depth = som_verification_value(out, deepest->depth, SOM_DIMENSION_LENGTH);
    SomFinding finding = {.check = SOM_CHECK_GROUND,
                          .code = SOM_GROUND_PENETRATION,
                          .t0 = (double)NAN,
                          .t1 = (double)NAN,
                          .worst = (double)NAN,
                          .value = -deepest->depth,
                          .limit = 0,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = input->design->base.span,
                          .action = SOM_NONE};
    SomFinding *found =
        som_verification_add(out, &finding, "'%.*s' is %s below the ground",
                             SOM_STR_ARG(input->mechanism->links[deepest->link].path), depth);
    add_subjects(input, dips, found, out);
    som_finding_set_fix(out, found, "raise the base by %s",
                        som_verification_value(out, -height_at_start(input), SOM_DIMENSION_LENGTH));
}

static void report_dips(const SomVerifyInput *input, const SomDips *dips, SomVerification *out) {
    const SomDip *deepest = &dips->data[0];
    double t0 = deepest->t0, t1 = deepest->t1;
    for (int i = 0; i < dips->count; i++) {
        t0 = fmin(t0, dips->data[i].t0);
        t1 = fmax(t1, dips->data[i].t1);
    }
    int dof = som_verify_dof_between(input, deepest->link, -1, deepest->depth_time);
    int32_t action = som_verify_action_of(input, dof, deepest->depth_time);
    SomFinding finding = {.check = SOM_CHECK_GROUND,
                          .code = SOM_BELOW_START_GROUND,
                          .t0 = t0,
                          .t1 = t1,
                          .worst = deepest->depth_time,
                          .value = -deepest->depth,
                          .limit = 0,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = som_verify_span(input, action, dof),
                          .action = action};
    const char *depth = som_verification_value(out, deepest->depth, SOM_DIMENSION_LENGTH);
    SomFinding *found =
        som_verification_add(out, &finding,
                             "with the base where it is, '%.*s' goes %s below the ground at %s: "
                             "there the robot is lifted",
                             SOM_STR_ARG(input->mechanism->links[deepest->link].path), depth,
                             som_verification_value(out, deepest->depth_time, SOM_DIMENSION_TIME));
    add_subjects(input, dips, found, out);
}

void som_check_ground(const SomVerifyInput *input, SomVerification *out) {
    if (!has_ground(input->design)) {
        som_verification_skip(
            out, SOM_STR("heights above the ground"), input->mechanism->link_count,
            SOM_STR("links whose height is not known, since no base is on the ground"));
        return;
    }
    SomPairs *pairs = som_pairs_create(input->mechanism);
    SomDipDef def = {.pairs = pairs,
                     .motion = {input->times, input->values, 1, input->dof_count},
                     .step = input->options.step,
                     .step_at = input->options.step_at,
                     .tolerance = input->options.tolerance,
                     .resolution = 0.5 * input->options.resolution};
    SomDips dips = {0};
    if (input->design->base.is_on_ground) {
        def.height = height_at_start(input);
    }
    som_find_dips(&def, &dips);
    if (dips.count > 0) {
        report_start(input, &dips, out);
    } else if (input->graph != NULL) {
        def.motion.sample_count = input->sample_count;
        if (!som_find_dips(&def, &dips)) {
            som_verification_skip(out, SOM_STR("heights between samples"), 1,
                                  SOM_STR("the motion is too fast to follow"));
        }
        if (dips.count > 0) {
            report_dips(input, &dips, out);
        }
    }
    som_array_free(&dips);
    som_pairs_destroy(pairs);
}
