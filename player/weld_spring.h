// player/weld_spring.h - holds a child in its parent by a spring with a damper, for hosts whose
// physics cannot: where holding closes a loop, and where faces still have to align.
//
//     SomWeldSpring spring = {0};                             // it begins to hold
//     som_weld_spring_pull(&weld, &spring, &parent, &child, dt, &load);
//     ... load acts on the child, its opposite at the same point on the parent ...
//
// As stiff as the masses of the two bodies and the step allow. It needs the step before to know how
// fast they part, which is exact where positions follow from speeds, as they do in physics engines.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/robot_run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_WELD_FAR 0.1 // metre: a spring does not pull from farther away

typedef struct SomWeldSpring {
    double off[3], turn[3];         // in the step before: metre, sine of the angle
    double off_sum[3], turn_sum[3]; // of those, while it aligns, times 30 a second
    bool has_before;
    bool aligns; // set by the host: pulls harder the longer they are apart, against friction
} SomWeldSpring;

// The load is zero where the two are farther from each other than SOM_WELD_FAR.
// False if the weld has no mass and inertia, or dt is not above 0: the load is zero then.
bool som_weld_spring_pull(const SomRobotWeld *weld, SomWeldSpring *spring,
                          const SomBodyPlace *parent, const SomBodyPlace *child, double dt,
                          SomBodyLoad *load);

// Whether the spring of the weld is no stiffer than two bodies of these masses and largest moments
// of inertia can bear: else they explode.
bool som_weld_spring_fits(const SomRobotWeld *weld, const double masses[2],
                          const double moments[2]);

// In the last step.
bool som_weld_spring_is_far(const SomWeldSpring *spring);

#ifdef __cplusplus
}
#endif
