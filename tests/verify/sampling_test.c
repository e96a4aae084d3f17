// SPDX-License-Identifier: Apache-2.0
// The verdict is about the motion, however many samples of it are taken.

#include "tests/verify/verified.h"

#include <math.h>
#include <stdio.h>

static TestVerified verify_chase(double apart, double dt) {
    char path[512], call[64];
    snprintf(path, sizeof path, "%s/../tests/verify/gripper.som", test_library);
    snprintf(call, sizeof call, "chase(%gmm)", 1e3 * apart);
    SomVerifyOptions options = som_verify_default_options();
    options.dt = dt;
    return test_verify_file_with(path, "Gripper", call, &options);
}

// The finger that flees stops three times, each time until the end of a tick. From hardly touching
// to hardly missing.
START_TEST(whether_fingers_collide_does_not_depend_on_the_time_between_samples) {
    static const double dts[] = {0.002, 0.0005, 0.003, 0.02};
    int unsafe = 0, count = 0;
    for (double apart = 3e-3; apart < 5.5e-3; apart += 0.24e-3, count++) {
        TestVerified v = verify_chase(apart, 0.01);
        const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
        unsafe += found != NULL;
        for (int i = 0; i < 4; i++) {
            TestVerified w = verify_chase(apart, dts[i]);
            const SomFinding *same = test_find(&w, SOM_SELF_COLLISION);
            ck_assert_int_eq(w.found->verdict, v.found->verdict);
            ck_assert((same == NULL) == (found == NULL));
            if (found != NULL) {
                ck_assert_double_eq_tol(same->value, found->value, 2e-4);
                ck_assert_double_eq_tol(same->t0, found->t0, 1e-3);
            }
            test_verified_free(&w);
        }
        test_verified_free(&v);
    }
    ck_assert(2 < unsafe && unsafe < count - 2);
}
END_TEST

// Every eighth sample of the one is one of the other.
START_TEST(joints_are_in_the_same_places_at_the_same_times) {
    TestVerified v = verify_chase(4e-3, 0.01);
    SomVerifyOptions options = som_verify_default_options();
    SomPrediction coarse = {0}, fine = {0};
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .options = &options};
    som_diagnostics_destroy(som_verify_predict(&def, &coarse));
    options.dt = 0.00125;
    som_diagnostics_destroy(som_verify_predict(&def, &fine));
    ck_assert_int_eq(fine.times.count, 8 * (coarse.times.count - 1) + 1);
    for (int i = 0; i < coarse.times.count; i++) {
        ck_assert_double_eq(coarse.times.data[i], fine.times.data[8 * i]);
        for (int dof = 0; dof < coarse.dof_count; dof++) {
            ck_assert_double_eq(coarse.positions.data[i * coarse.dof_count + dof],
                                fine.positions.data[8 * i * coarse.dof_count + dof]);
        }
    }
    som_prediction_free(&coarse);
    som_prediction_free(&fine);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/sampling", whether_fingers_collide_does_not_depend_on_the_time_between_samples,
          joints_are_in_the_same_places_at_the_same_times)
