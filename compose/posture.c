// SPDX-License-Identifier: Apache-2.0

#include "compose/posture.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

SomPosture som_posture_zero(const SomConfiguration *configuration) {
    int count = configuration->dof_count;
    SomPosture posture = {som_alloc(sizeof(double) * (size_t)(count + 1)), count};
    return posture;
}

SomPosture som_posture_start(const SomConfiguration *configuration) {
    SomPosture posture = som_posture_zero(configuration);
    for (int i = 0; i < posture.count; i++) {
        posture.values[i] = configuration->start[i];
    }
    return posture;
}

SomPosture som_posture_copy(const SomPosture *posture) {
    SomPosture copy = {som_alloc(sizeof(double) * (size_t)(posture->count + 1)), posture->count};
    for (int i = 0; i < copy.count; i++) {
        copy.values[i] = posture->values[i];
    }
    return copy;
}

void som_posture_free(SomPosture *posture) {
    som_free(posture->values);
    *posture = (SomPosture){0};
}

void som_posture_apply(SomPosture *posture, const SomConfiguration *configuration, int pose) {
    assert(0 <= pose && pose < configuration->pose_count);
    assert(posture->count == configuration->dof_count);
    const SomNamedPose *named = &configuration->poses[pose];
    for (int i = 0; i < named->dof_count; i++) {
        if (!isnan(named->values[i])) {
            posture->values[named->first_dof + i] = named->values[i];
        }
    }
}

// The next of a fixed sequence, from -1 to 1: everybody gets the same answer.
static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) / 4503599627370496.0 - 1;
}

void som_posture_shake(SomPosture *posture, const SomConfiguration *configuration,
                       const bool *is_moving, double by, uint64_t *state) {
    assert(posture->count == configuration->dof_count);
    for (int i = 0; i < posture->count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(configuration, i);
        if (is_moving[i]) {
            double scale = joint->type == SOM_JOINT_PRISMATIC ? 0.05 : 1;
            double value = posture->values[i] + (by > 0 ? by * scale * next_random(state) : 0);
            posture->values[i] = fmin(fmax(value, joint->low), joint->high);
        }
    }
}
