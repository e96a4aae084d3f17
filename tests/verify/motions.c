// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/motions.h"

#include "base/memory.h"

#include <math.h>

static TestMotion new_motion(const SomMechanism *m, int samples, double tick) {
    TestMotion t = {0};
    t.times = som_alloc(sizeof *t.times * (size_t)samples);
    t.values = som_alloc(sizeof *t.values * (size_t)(samples * m->dof_count + 1));
    for (int i = 0; i < samples; i++) {
        t.times[i] = i * tick;
    }
    t.motion = (SomMotion){t.times, t.values, samples, m->dof_count};
    return t;
}

TestMotion test_random_motion(SomTestRandom *random, const SomMechanism *m, const double *start,
                              int samples, double moving, double speed) {
    TestMotion t = new_motion(m, samples, 0.01);
    for (int dof = 0; dof < m->dof_count; dof++) {
        bool moves = som_test_uniform(random, 0, 1) < moving;
        double value = start[dof], rate = 0;
        double scale = m->joints[dof].joint->type == SOM_JOINT_PRISMATIC ? 0.1 : 1;
        for (int i = 0; i < samples; i++) {
            t.values[i * m->dof_count + dof] = value;
            if (moves && (i == 0 || som_test_int(random, 0, 9) == 0)) {
                bool rests = som_test_int(random, 0, 3) == 0;
                rate = rests ? 0 : som_test_uniform(random, -speed, speed) * scale;
            }
            value += rate * 0.01;
        }
    }
    return t;
}

TestMotion test_straight_motion(const SomMechanism *m, const double *from, const double *to,
                                int samples, double seconds) {
    TestMotion t = new_motion(m, samples, samples > 1 ? seconds / (samples - 1) : 0);
    for (int i = 0; i < samples; i++) {
        double s = samples > 1 ? (double)i / (samples - 1) : 0;
        for (int dof = 0; dof < m->dof_count; dof++) {
            t.values[i * m->dof_count + dof] = from[dof] + s * (to[dof] - from[dof]);
        }
    }
    return t;
}

void test_motion_free(TestMotion *motion) {
    som_free(motion->times);
    som_free(motion->values);
}

void test_place_at(const SomMechanism *m, const SomMotion *motion, double place, SomPose *links) {
    int sample = (int)place < motion->sample_count - 1 ? (int)place : motion->sample_count - 1;
    double rest = place - sample;
    SomPosture posture = som_posture_zero(m->configuration);
    const double *now = motion->values + sample * motion->dof_count;
    for (int i = 0; i < m->dof_count; i++) {
        posture.values[i] =
            rest > 0 ? (1 - rest) * now[i] + rest * now[motion->dof_count + i] : now[i];
    }
    som_mechanism_place(m, &posture, links);
    som_posture_free(&posture);
}
