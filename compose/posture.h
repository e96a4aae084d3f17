// compose/posture.h - one value for every DoF of a configuration: what its joints are at.
//
//     SomPosture posture = som_posture_start(configuration);
//     som_posture_apply(&posture, configuration, som_configuration_find_pose(configuration,
//     stand)); posture.values[dof] = som_alias_to_joint(alias, 0.5); som_posture_free(&posture);
//
// Radians and metres, in the joint's own convention.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPosture {
    double *values;
    int count;
} SomPosture;

SomPosture som_posture_start(const SomConfiguration *configuration); // as it starts
SomPosture som_posture_zero(const SomConfiguration *configuration);
SomPosture som_posture_copy(const SomPosture *posture);
void som_posture_free(SomPosture *posture); // leaves it empty

// What the pose says of its part; all other DoF stay.
void som_posture_apply(SomPosture *posture, const SomConfiguration *configuration, int pose);

// Moves some DoF at random by up to so many radians, sliding ones by a twentieth in metres, but not
// over their limits; by zero only within them. The sequence from a state is the same everywhere.
void som_posture_shake(SomPosture *posture, const SomConfiguration *configuration,
                       const bool *is_moving, double by, uint64_t *state);

// The value of a joint from that of one of its aliases, and back.
static inline double som_alias_to_joint(SomAlias alias, double value) {
    return value / alias.sign + alias.zero;
}

static inline double som_alias_from_joint(SomAlias alias, double value) {
    return alias.sign * (value - alias.zero);
}

#ifdef __cplusplus
}
#endif
