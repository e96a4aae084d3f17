// SPDX-License-Identifier: Apache-2.0
// Robots that may slip on a slope.

#include "base/codes/verify_codes.h"
#include "verify/slip.h"
#include "verify/stability.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

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
                          .who = som_verification_quote(out, input->design->name),
                          .span = input->design->base.span,
                          .action = SOM_NONE};
    SomStance stance = som_standing_measure_sample(standing, slipping->worst);
    SomFinding *found =
        isfinite(slipping->need)
            ? som_verification_add(
                  out, &finding, "on a slope of %s the ground would have to be %s times as rough",
                  som_verification_value(out, input->options.slope, SOM_DIMENSION_ANGLE),
                  som_verification_value(out, slipping->need, SOM_DIMENSION_NUMBER))
            : som_verification_add(
                  out, &finding, "on a slope of %s it slips however rough the ground is",
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
    out->is_void[SOM_CHECK_SLIP] = terrain.slope == 0; // then no weight pushes sideways
    if (terrain.slope == 0) {
        return;
    }
    SomStanding *standing = som_verify_stand(input);
    SomMotionSamples motion = som_verify_motion_samples(input);
    som_standing_follow(standing, &motion);
    Slipping slipping = {-1, -1, -1, 1};
    int falling = 0;
    for (int i = 0; i < motion.count && !som_stop_is_asked(input->stop);
         i = som_standing_next_tick(&motion, i)) {
        SomStance stance = som_standing_measure_sample(standing, i);
        falling += !stance.stands;
        if (!stance.stands || som_slip_is_held(input->mechanism, stance.contacts, stance.com, down,
                                               input->options.friction)) {
            continue;
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
    if (falling > 0) {
        som_verification_not_checked(out, SOM_CHECK_SLIP, SOM_STR("samples"), falling,
                                     som_standing_tick_count(&motion),
                                     SOM_STR("the robot does not rest"));
    }
    if (slipping.worst >= 0) {
        report(input, standing, &slipping, out);
    }
    som_standing_destroy(standing);
}
