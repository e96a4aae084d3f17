// SPDX-License-Identifier: Apache-2.0
// Links below the ground. A robot whose base is `on ground`, or has no height, starts there; during
// a motion the base stays, and what goes deeper lifts a real robot, so that it is told and no
// error. A base at a height of its own says where the robot is above the ground, and what is below
// then is an error; so it is, at any time, if the base is fixed. Of several pieces each is looked
// at by itself, and heights are as they are given. A slope changes nothing: ground and robot are
// tilted together. A step of the ground counts.

#include "base/codes/verify_codes.h"
#include "verify/ground_dips.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

#define MOST_SUBJECTS 20
#define SHORTEST_FALL 5e-3 // metres; what starts nearer to the ground is put down

// Whether the robot starts on the ground: if the design gives its base no height, it is taken to.
static bool starts_on_ground(const SomConfiguration *design) {
    bool is_without = design->base.placement.position.z == 0;
    return design->base.is_on_ground ||
           (is_without && !design->base.is_fixed && design->base_count == 1);
}

// How high the robot, as the motion starts and in whatever posture that is, is above the ground.
static double height_at_start(const SomVerifyInput *part) {
    bool is_piece = part->design->base_count > 1; // its bases give heights in the world
    const SomVerifyInput *input = part->whole != NULL && !is_piece ? part->whole : part;
    const SomMechanism *m = input->mechanism;
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    double *values = som_alloc(sizeof *values * (size_t)(m->dof_count + 1));
    memcpy(values, input->values, sizeof *values * (size_t)m->dof_count);
    som_mechanism_place(m, &(SomPosture){values, m->dof_count}, links);
    double height = is_piece ? som_mechanism_piece_bounds(m, links, 0).low.z
                             : som_mechanism_bounds(m, links).low.z;
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

// The deepest of all, named by its module; when any of them begin and end.
static SomFinding finding_of(const SomVerifyInput *input, SomCode code, const SomDips *dips,
                             SomText *who) {
    const SomDip *deepest = &dips->data[0];
    const SomMechanismLink *link = &input->mechanism->links[deepest->link];
    SomStr module = input->mechanism->configuration->modules[link->module].path;
    bool has_time = input->graph != NULL;
    double t0 = deepest->t0, t1 = deepest->t1;
    for (int i = 0; i < dips->count; i++) {
        t0 = fmin(t0, dips->data[i].t0);
        t1 = fmax(t1, dips->data[i].t1);
    }
    som_text_printf(who, "'%.*s'", SOM_STR_ARG(module.length > 0 ? module : link->path));
    return (SomFinding){.check = SOM_CHECK_GROUND,
                        .code = code,
                        .t0 = has_time ? t0 : (double)NAN,
                        .t1 = has_time ? t1 : (double)NAN,
                        .worst = has_time ? deepest->depth_time : (double)NAN,
                        .value = -deepest->depth,
                        .limit = 0,
                        .tolerance = has_time ? som_dip_tolerance(deepest->depth) : 0,
                        .dimension = SOM_DIMENSION_LENGTH,
                        .who = som_text_str(who),
                        .action = SOM_NONE};
}

static void add_details(const SomVerifyInput *input, const SomDip *deepest, const char *more,
                        SomFinding *found, SomVerification *out) {
    SomText text = {0};
    som_text_printf(&text, "link '%.*s'", SOM_STR_ARG(input->mechanism->links[deepest->link].path));
    if (input->graph != NULL) {
        som_text_add(&text, SOM_STR(", deepest at "));
        som_text_value(&text, deepest->depth_time, SOM_DIMENSION_TIME);
    }
    som_finding_set_details(out, found, "%s%s", text.data, more);
    som_text_free(&text);
}

// Of a motion, the deepest that any link goes below the ground in it.
static void report_start(const SomVerifyInput *input, const SomDips *dips, SomVerification *out) {
    SomText who = {0};
    SomFinding finding = finding_of(input, SOM_GROUND_PENETRATION, dips, &who);
    finding.span = input->design->base.span;
    const char *depth = som_verification_value(out, dips->data[0].depth, SOM_DIMENSION_LENGTH);
    SomFinding *found = som_verification_add(out, &finding, "%s below the ground", depth);
    add_details(input, &dips->data[0], "", found, out);
    add_subjects(input, dips, found, out);
    som_finding_set_fix(out, found, "raise the base by %s",
                        som_verification_value(out, -height_at_start(input), SOM_DIMENSION_LENGTH));
    som_text_free(&who);
}

// A base at a height of its own from which the robot falls.
static void report_height(const SomVerifyInput *input, double height, SomVerification *out) {
    double t = som_verify_time(input, 0);
    SomFinding finding = {.check = SOM_CHECK_GROUND,
                          .code = SOM_START_ABOVE_GROUND,
                          .t0 = t,
                          .t1 = t,
                          .worst = t,
                          .value = height,
                          .limit = SHORTEST_FALL,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = input->design->base.span,
                          .action = SOM_NONE};
    const char *words = som_verification_value(out, height, SOM_DIMENSION_LENGTH);
    finding.who = som_verification_quote(out, input->design->name);
    SomFinding *found = som_verification_add(
        out, &finding, "starts %s above the ground and falls; it is verified as if put down",
        words);
    som_finding_set_fix(out, found, "lower the base by %s", words);
}

static void report_dips(const SomVerifyInput *input, const SomDips *dips, SomVerification *out) {
    const SomDip *deepest = &dips->data[0];
    SomText who = {0};
    bool is_fixed = input->mechanism->is_fixed; // nothing lifts it
    SomCode code = is_fixed ? SOM_GROUND_PENETRATION : SOM_BELOW_START_GROUND;
    SomFinding finding = finding_of(input, code, dips, &who);
    int dof = som_verify_dof_between(input, deepest->link, -1, deepest->depth_time);
    finding.action = som_verify_action_of(input, dof, deepest->depth_time);
    finding.span = som_verify_span(input, finding.action, dof);
    SomFinding *found =
        som_verification_add(out, &finding, is_fixed ? "%s below the ground" : "by up to %s",
                             som_verification_value(out, deepest->depth, SOM_DIMENSION_LENGTH));
    add_details(input, deepest,
                is_fixed ? "" : ": so far below the ground with the base where it is", found, out);
    add_subjects(input, dips, found, out);
    som_text_free(&who);
}

// Whether the robot, or the piece, begins with this input.
static bool is_start(const SomVerifyInput *input) {
    return input->whole == NULL || input->whole->values == input->values;
}

// Heights of the ground, if the robot starts on it, in the frame of the prediction. Of several
// pieces it is at 0: what starts on it was put there.
static double ground_of(const SomVerifyInput *input) {
    bool is_alone = input->design->base_count == 1;
    return is_alone && starts_on_ground(input->design) ? height_at_start(input) : 0;
}

void som_check_ground(const SomVerifyInput *input, SomVerification *out) {
    bool is_alone = input->design->base_count == 1, is_fixed = input->mechanism->is_fixed;
    if (starts_on_ground(input->design) && !input->design->base.is_on_ground) {
        som_verification_not_assessed(
            out, SOM_CHECK_GROUND, SOM_STR("height of the base"), 1,
            SOM_STR("the design gives the base no height, so it starts on the ground"));
    }
    SomPairs *pairs = som_pairs_create(input->mechanism);
    SomDipDef def = {.pairs = pairs,
                     .motion = {input->times, input->values, 1, input->dof_count},
                     .height = ground_of(input),
                     .skips_loose = !is_alone,
                     .step = input->options.step,
                     .step_at = input->options.step_at,
                     .tolerance = input->options.tolerance,
                     .resolution = 0.5 * input->options.resolution};
    SomDips at_start = {0}, dips = {0};
    if (is_start(input)) {
        double height = starts_on_ground(input->design) ? 0 : height_at_start(input);
        som_find_dips(&def, &at_start);
        if (height > SHORTEST_FALL && isfinite(height) && is_alone && !is_fixed) {
            report_height(input, height, out);
        }
    }
    def.motion.sample_count = input->sample_count;
    if (!som_find_dips(&def, &dips)) {
        som_verification_not_checked(out, SOM_CHECK_GROUND, SOM_STR("heights between samples"), 1,
                                     0, SOM_STR("the motion is too fast to follow"));
    }
    if (at_start.count > 0) {
        report_start(input, &dips, out);
    } else if (dips.count > 0) {
        report_dips(input, &dips, out);
    }
    som_array_free(&at_start);
    som_array_free(&dips);
    som_pairs_destroy(pairs);
}
