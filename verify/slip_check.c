// SPDX-License-Identifier: Apache-2.0
// Robots that may slip on a slope.

#include "verify/slip.h"
#include "verify/stability.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

#define MOST_SAMPLES 200 // of a motion that are looked at, evenly spread

typedef struct Slipping {
    int first, last, worst; // samples; -1: none
    double need;            // of the worst
} Slipping;

static void report(const SomVerifyInput *input, SomStanding *standing, const Slipping *slipping,
                   SomVerification *out) {
    SomFinding finding = {.check = SOM_CHECK_SLIP,
                          .code = SOM_SLIP_RISK,
                          .t0 = som_verify_time(input, slipping->first),
                          .t1 = som_verify_time(input, slipping->last),
                          .worst = som_verify_time(input, slipping->worst),
                          .value = slipping->need,
                          .limit = 1,
                          .dimension = SOM_DIMENSION_NUMBER,
                          .span = input->design->base.span,
                          .action = SOM_NONE};
    SomStance stance = som_standing_measure_sample(standing, slipping->worst);
    SomFinding *found =
        isfinite(slipping->need)
            ? som_verification_add(
                  out, &finding,
                  "may slip: on a slope of %s the ground would have to be %s "
                  "times as rough",
                  som_verification_value(out, input->options.slope, SOM_DIMENSION_ANGLE),
                  som_verification_value(out, slipping->need, SOM_DIMENSION_NUMBER))
            : som_verification_add(
                  out, &finding, "slips on a slope of %s however rough it is",
                  som_verification_value(out, input->options.slope, SOM_DIMENSION_ANGLE));
    // the bodies that touch
    for (int i = 0; i < stance.contacts->count; i++) {
        SomStr body = som_verify_body(input->mechanism, stance.contacts->items[i].link);
        bool is_new = true;
        for (int k = 0; k < found->subject_count; k++) {
            is_new = is_new && !som_str_equal(found->subjects[k], body);
        }
        if (is_new) {
            som_finding_add_subject(out, found, body);
        }
    }
}

void som_check_slip(const SomVerifyInput *input, SomVerification *out) {
    SomTerrain terrain = som_verify_terrain(&input->options);
    SomVec3 down = som_terrain_down(&terrain);
    if (terrain.slope == 0) {
        return; // on level ground nothing pushes sideways
    }
    SomStanding *standing =
        som_standing_create(input->mechanism, &terrain, input->options.tolerance);
    SomMotionSamples motion = {input->values,          input->sample_count,    input->options.dt,
                               input->options.rocking, input->options.rolling, input->options.lean};
    som_standing_follow(standing, &motion);
    Slipping slipping = {-1, -1, -1, 1};
    int stride = (input->sample_count + MOST_SAMPLES - 1) / MOST_SAMPLES;
    for (int i = 0; i < input->sample_count && !som_stop_is_asked(input->stop); i += stride) {
        SomStance stance = som_standing_measure_sample(standing, i);
        if (!stance.stands) {
            continue; // it falls, which is told elsewhere
        }
        double need = som_slip_need(input->mechanism, stance.contacts, stance.com, down,
                                    input->options.friction);
        if (need > 1) {
            slipping.first = slipping.first < 0 ? i : slipping.first;
            slipping.last = i;
            slipping.worst = slipping.worst < 0 || need > slipping.need ? i : slipping.worst;
            slipping.need = fmax(slipping.need, need);
        }
    }
    int skipped = input->sample_count - (input->sample_count + stride - 1) / stride;
    if (skipped > 0) {
        som_verification_skip(out, SOM_STR("slipping at samples"), skipped,
                              SOM_STR("of a long motion 200 at most are looked at for it"));
    }
    if (slipping.worst >= 0) {
        report(input, standing, &slipping, out);
    }
    som_standing_destroy(standing);
}
