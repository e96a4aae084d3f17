// SPDX-License-Identifier: Apache-2.0
// Tests for player/body_place.c.

#include "player/body_place.h"
#include "tests/suite.h"

#include <math.h>

static SomBodyPlace turned(double x, double y, double z, double angle, double height) {
    double position[3] = {0, 0, height}, s = sin(angle / 2);
    double quaternion[4] = {x * s, y * s, z * s, cos(angle / 2)};
    return som_body_place(position, quaternion);
}

START_TEST(quaternions_come_back) {
    SomTestRandom random = {3};
    for (int i = 0; i < 1000; i++) {
        double position[3] = {1, 2, 3}, q[4], back[4], length = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = i < 16 ? (i >> k) % 2 : som_test_normal(&random);
            length += q[k] * q[k];
        }
        SomBodyPlace place = som_body_place(position, q);
        som_body_place_quaternion(&place, back);
        double same = 0;
        for (int k = 0; k < 4; k++) {
            same += q[k] * back[k] / sqrt(length);
        }
        if (length > 0) {
            ck_assert_double_eq_tol(fabs(same), 1, 1e-14);
        }
        ck_assert_double_ge(back[3], 0);
    }
}
END_TEST

START_TEST(the_tilt_is_the_angle_from_up) {
    const double angles[] = {0, 1e-9, 0.001, 0.3, 1, 1.5707963267948966, 2, 3, 3.14159265};
    SomRobotBody body = {.mass = 2, .up = {0, 0, 1}, .upright = 1};
    for (int i = 0; i < 9; i++) {
        SomBodyPlace place = turned(0.6, 0.8, 0, angles[i], 1);
        SomBodySenses now = som_body_senses(&body, &place, 1);
        ck_assert_double_eq_tol(now.tilt, angles[i], 1e-14 + 1e-16 * i);
        ck_assert_double_eq(now.base.position[2], 1);
    }
    ck_assert_double_eq(som_body_senses(NULL, NULL, 0).tilt, 0);
}
END_TEST

START_TEST(a_robot_that_leans_and_sinks_has_fallen) {
    SomRobotBody bodies[2] = {{.mass = 1, .center = {0, 0, 0.1}, .up = {0, 0, 1}, .upright = 1},
                              {.mass = 3, .up = {0, 1, 0}, .is_base = true}};
    bodies[1].base = turned(1, 0, 0, 0, 0.5);
    SomBodyPlace places[2] = {turned(0, 0, 1, 2, 0.3), turned(1, 0, 0, 0, 0.2)};
    SomBodySenses start = som_body_senses(bodies, places, 2);
    ck_assert_double_eq_tol(start.center[2], (0.4 + 0.6) / 4, 1e-15);
    ck_assert_double_eq_tol(start.base.position[2], 0.7, 1e-15);
    // angles of the first body, which alone says how it leans, and of the base; height of the base
    const struct {
        double body, base, height;
        bool has_fallen;
    } cases[] = {
        {0, 0, 0.2, false},    {0, 2, 0.2, false},     {0.36, 0, 0.15, false},
        {0.36, 2, 0.15, true}, {0.34, 2, 0.15, false}, {0.36, 0.34, 0.15, false},
        {0.36, 2, 0.2, false}, // leans, but lies as high as before
        {0.8, 2, 0.2, true},   {0, 0, 0.04, false},    {0, 0, 0.03, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        places[0] = turned(1, 0, 0, cases[i].body, 0.3);
        places[1] = turned(1, 0, 0, cases[i].base, cases[i].height);
        SomBodySenses now = som_body_senses(bodies, places, 2);
        SomFallLimits limits = som_fall_limits(), never = {SOM_FALL_NEVER, 0};
        ck_assert_msg(som_body_has_fallen(&now, &start, &limits) == cases[i].has_fallen, "case %zu",
                      i);
        ck_assert(!som_body_has_fallen(&now, &start, &never));
    }
}
END_TEST

SOM_SUITE("player/body_place", quaternions_come_back, the_tilt_is_the_angle_from_up,
          a_robot_that_leans_and_sinks_has_fallen)
