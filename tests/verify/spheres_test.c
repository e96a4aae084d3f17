// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/texts.h"
#include "tests/verify/motions.h"
#include "tests/verify/walkbot_near.h"
#include "verify/spheres.h"

#include <math.h>

START_TEST(modules_with_equal_faces_have_a_sphere) {
    static const struct {
        const char *file, *type;
        double radius; // 0: none
    } types[] = {{"smores", "SMORES", 0.05},
                 {"ckbot", "UBar", 0.03},
                 {"mtran", "MTRAN", 0},
                 {"ckbot", "L7", 0}};
    for (int i = 0; i < 4; i++) {
        SomM3l *m3l = som_test_library(types[i].file);
        SomBall ball;
        bool has = som_module_sphere(som_m3l_find_type(m3l, som_str(types[i].type)), &ball);
        ck_assert_int_eq(has, types[i].radius > 0);
        if (has) {
            ck_assert_double_eq_tol(ball.radius, types[i].radius, 1e-12);
            ck_assert_double_le(som_vec3_length(ball.center), 1e-12);
        }
        som_m3l_destroy(m3l);
    }
}
END_TEST

// The case of Fig. 10 of Tosun, Jing, Kress-Gazit and Yim, with the laboratory's own components:
// sampled at every hundredth, its spheres first overlap at 0.44 of the motion.
START_TEST(legs_toward_each_other_touch_at_44_percent) {
    WalkbotNear w = walkbot_near();
    SomSphereTouch touch = som_spheres_first_touch(w.m, &w.t.motion);
    ck_assert_double_ge(touch.time / w.t.times[w.t.motion.sample_count - 1], 0.43);
    ck_assert_double_le(touch.time / w.t.times[w.t.motion.sample_count - 1], 0.44);
    const SomModule *modules = w.c->modules;
    ck_assert(som_str_equal(modules[touch.module_a].path, SOM_STR("front.tail")));
    ck_assert(som_str_equal(modules[touch.module_b].path, SOM_STR("rear.tail")));
    walkbot_near_free(&w);
}
END_TEST

START_TEST(spheres_of_a_snake_at_rest_do_not_touch) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 6);
    SomMechanism *m = som_mechanism_create(c);
    SomPosture zero = som_posture_zero(c);
    TestMotion t = test_straight_motion(m, zero.values, zero.values, 1, 0);
    ck_assert_int_eq(som_spheres_first_touch(m, &t.motion).module_a, -1);
    t.values[3] = (double)NAN;
    ck_assert_int_eq(som_spheres_first_touch(m, &t.motion).module_a, -1);
    test_motion_free(&t);
    som_posture_free(&zero);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

SOM_SUITE("verify/spheres", modules_with_equal_faces_have_a_sphere,
          legs_toward_each_other_touch_at_44_percent, spheres_of_a_snake_at_rest_do_not_touch)
