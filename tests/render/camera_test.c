// SPDX-License-Identifier: Apache-2.0

#include "render/camera.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static SomCamera random_camera(SomTestRandom *random) {
    SomCamera camera = {.azimuth = som_test_uniform(random, -4, 4),
                        .elevation = som_test_uniform(random, -1.5, 1.5),
                        .distance = som_test_uniform(random, 0.1, 10),
                        .field_of_view = som_test_uniform(random, 0.2, 1.5),
                        .is_orthographic = som_test_int(random, 0, 1) == 1};
    camera.target = som_vec3(som_test_uniform(random, -5, 5), som_test_uniform(random, -5, 5),
                             som_test_uniform(random, -5, 5));
    return camera;
}

static SomVec3 random_point(SomTestRandom *random, double reach) {
    return som_vec3(som_test_uniform(random, -reach, reach),
                    som_test_uniform(random, -reach, reach),
                    som_test_uniform(random, -reach, reach));
}

static SomVec3 at(SomRay ray, double distance) {
    return som_vec3_add(ray.origin, som_vec3_scale(distance, ray.direction));
}

START_TEST(axes_are_right_handed_and_look_at_the_target) {
    SomTestRandom random = {1};
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        SomCamera camera = random_camera(&random);
        SomCameraAxes axes = som_camera_axes(&camera);
        SomVec3 back = som_vec3_cross(axes.right, axes.up);
        worst = fmax(worst, som_vec3_length(som_vec3_add(back, axes.forward)));
        worst = fmax(worst, fabs(som_vec3_length(axes.up) - 1));
        worst = fmax(worst, fabs(axes.right.z)); // the horizon is level
        double x, y, depth;
        ck_assert(som_camera_project(&camera, camera.target, 640, 480, &x, &y, &depth));
        worst = fmax(worst, fmax(fabs(x - 320), fabs(y - 240)) / 1000);
        worst = fmax(worst, fabs(depth - camera.distance));
    }
    ck_assert_double_le(worst, 1e-12);
}
END_TEST

START_TEST(a_known_camera_sees_what_it_should) {
    // from +x, level: y of the world goes to the right, z up
    SomCamera camera = {.distance = 10, .field_of_view = SOM_PI / 2};
    double x, y, depth;
    ck_assert(som_camera_project(&camera, som_vec3(0, 5, 5), 200, 100, &x, &y, &depth));
    ck_assert_double_eq_tol(x, 125, 1e-9);
    ck_assert_double_eq_tol(y, 25, 1e-9);
    ck_assert_double_eq_tol(depth, 10, 1e-12);
    ck_assert(!som_camera_project(&camera, som_vec3(11, 0, 0), 200, 100, &x, &y, &depth));
    camera.is_orthographic = true; // the same at the target, and no smaller behind it
    ck_assert(som_camera_project(&camera, som_vec3(-90, 5, 5), 200, 100, &x, &y, &depth));
    ck_assert_double_eq_tol(x, 125, 1e-9);
    ck_assert_double_eq_tol(y, 25, 1e-9);
}
END_TEST

START_TEST(rays_and_projection_are_inverse) {
    SomTestRandom random = {2};
    double worst = 0;
    for (int i = 0; i < som_test_count(500, 50000); i++) {
        SomCamera camera = random_camera(&random);
        double x = som_test_uniform(&random, 0, 640), y = som_test_uniform(&random, 0, 480);
        SomRay ray = som_camera_ray(&camera, x, y, 640, 480);
        double distance = som_test_uniform(&random, 0.5, 50), u, v, depth;
        ck_assert(som_camera_project(&camera, at(ray, distance), 640, 480, &u, &v, &depth));
        worst = fmax(worst, fmax(fabs(u - x), fabs(v - y)));
        worst = fmax(worst, fabs(som_vec3_length(ray.direction) - 1));
    }
    ck_assert_double_le(worst, 1e-7);
}
END_TEST

START_TEST(the_matrix_agrees_with_the_projection) {
    SomTestRandom random = {3};
    double worst = 0;
    for (int i = 0; i < 500; i++) {
        SomCamera camera = random_camera(&random);
        SomVec3 origin = random_point(&random, 5);
        double m[16], x, y, depth;
        double low = 0.01, high = 100;
        som_camera_matrix(&camera, origin, 640.0 / 480, low, high, m);
        SomVec3 p = random_point(&random, 8), q = som_vec3_sub(p, origin);
        if (!som_camera_project(&camera, p, 640, 480, &x, &y, &depth) || depth < 0.2) {
            continue;
        }
        double clip[4];
        for (int k = 0; k < 4; k++) {
            clip[k] = m[k] * q.x + m[4 + k] * q.y + m[8 + k] * q.z + m[12 + k];
        }
        worst = fmax(worst, fabs(320 * (1 + clip[0] / clip[3]) - x) / (1 + fabs(x)));
        worst = fmax(worst, fabs(240 * (1 - clip[1] / clip[3]) - y) / (1 + fabs(y)));
        double z = clip[2] / clip[3];
        double wanted = camera.is_orthographic
                            ? 2 * (depth - low) / (high - low) - 1
                            : (high + low - 2 * high * low / depth) / (high - low);
        worst = fmax(worst, fabs(z - wanted));
    }
    ck_assert_double_le(worst, 1e-9);
}
END_TEST

// All points are inside the margin, and one on either side of one direction touches it.
START_TEST(framing_is_tight) {
    SomTestRandom random = {4};
    double outside = 0, slack = 0;
    for (int i = 0; i < 300; i++) {
        SomCamera camera = random_camera(&random);
        SomVec3 points[20];
        int count = som_test_int(&random, 2, 20);
        for (int k = 0; k < count; k++) {
            points[k] = random_point(&random, 3);
        }
        double width = som_test_uniform(&random, 100, 900), height = 400;
        som_camera_frame(&camera, points, count, width / height);
        double left = 1, right = 1, top = 1, bottom = 1; // the rooms to the borders
        double nearest = HUGE_VAL, farthest = -HUGE_VAL;
        for (int k = 0; k < count; k++) {
            double x, y, depth;
            ck_assert(som_camera_project(&camera, points[k], width, height, &x, &y, &depth));
            nearest = fmin(nearest, depth);
            farthest = fmax(farthest, depth);
            left = fmin(left, x / width);
            right = fmin(right, 1 - x / width);
            top = fmin(top, y / height);
            bottom = fmin(bottom, 1 - y / height);
        }
        double least = fmin(fmin(left, right), fmin(top, bottom));
        outside = fmax(outside, 0.06 - least);
        if (camera.is_orthographic || nearest > 0.11 * (farthest - nearest)) {
            slack = fmax(slack, fmin(fmax(left, right), fmax(top, bottom)) - 0.06);
        }
    }
    ck_assert_double_le(outside, 1e-9);
    ck_assert_double_le(slack, 1e-9);
}
END_TEST

START_TEST(one_point_is_framed_without_falling_into_it) {
    SomCamera camera = som_camera_default();
    SomVec3 point = {3, 4, 5};
    som_camera_frame(&camera, &point, 1, 1);
    ck_assert_double_gt(camera.distance, 0);
    ck_assert_double_le(som_vec3_length(som_vec3_sub(camera.target, point)), 1e-9);
}
END_TEST

START_TEST(orbit_stays_below_the_zenith_and_turns_for_ever) {
    SomCamera camera = som_camera_default();
    som_camera_orbit(&camera, 0, 10);
    ck_assert_double_lt(camera.elevation, SOM_PI / 2);
    som_camera_orbit(&camera, 0, -20);
    ck_assert_double_gt(camera.elevation, -SOM_PI / 2);
    for (int i = 0; i < 1000; i++) {
        som_camera_orbit(&camera, 1, 0);
    }
    ck_assert_double_le(fabs(camera.azimuth), SOM_PI + 1e-9);
    SomVec3 eye = som_camera_eye(&camera);
    ck_assert_double_eq_tol(som_vec3_length(som_vec3_sub(eye, camera.target)), camera.distance,
                            1e-12);
}
END_TEST

START_TEST(pan_keeps_the_target_under_the_pointer) {
    SomTestRandom random = {5};
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        SomCamera camera = random_camera(&random);
        SomVec3 held = camera.target;
        som_camera_pan(&camera, 30, -20, 480);
        double x, y, depth;
        som_camera_project(&camera, held, 640, 480, &x, &y, &depth);
        worst = fmax(worst, fmax(fabs(x - 350), fabs(y - 220)));
    }
    ck_assert_double_le(worst, 1e-8);
}
END_TEST

START_TEST(zoom_keeps_what_is_under_the_pointer) {
    SomTestRandom random = {6};
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        SomCamera camera = random_camera(&random);
        SomCameraAxes axes = som_camera_axes(&camera);
        SomRay ray = som_camera_ray(&camera, 500, 100, 640, 480);
        double depth = som_vec3_dot(ray.direction, axes.forward);
        SomVec3 held = at(ray, camera.distance / depth);
        som_camera_zoom_at(&camera, som_test_uniform(&random, 0.2, 3), 500, 100, 640, 480);
        double x, y;
        som_camera_project(&camera, held, 640, 480, &x, &y, &depth);
        worst = fmax(worst, fmax(fabs(x - 500), fabs(y - 100)));
    }
    ck_assert_double_le(worst, 1e-8);
}
END_TEST

START_TEST(wild_input_changes_nothing) {
    SomCamera camera = som_camera_default(), before = camera;
    SomVec3 wild[2] = {{(double)NAN, 0, 0}, {1, HUGE_VAL, 0}};
    som_camera_frame(&camera, wild + 1, 1, 1);
    som_camera_frame(&camera, wild, 0, 1);
    som_camera_frame(&camera, (SomVec3[]){{1, 2, 3}}, 1, 0);
    som_camera_frame(&camera, (SomVec3[]){{1, 2, 3}}, 1, (double)NAN);
    som_camera_orbit(&camera, (double)NAN, 0);
    som_camera_orbit(&camera, 0, HUGE_VAL);
    som_camera_pan(&camera, (double)NAN, 1, 100);
    som_camera_pan(&camera, 1, 1, 0);
    som_camera_zoom(&camera, 0);
    som_camera_zoom(&camera, -1);
    som_camera_zoom(&camera, (double)NAN);
    som_camera_zoom(&camera, HUGE_VAL);
    ck_assert_mem_eq(&camera, &before, sizeof camera);
    for (int i = 0; i < 5000; i++) {
        som_camera_zoom(&camera, 0.1);
    }
    ck_assert_double_gt(camera.distance, 0);
    for (int i = 0; i < 5000; i++) {
        som_camera_zoom(&camera, 10);
    }
    ck_assert(isfinite(camera.distance));
}
END_TEST

SOM_SUITE("render/camera", axes_are_right_handed_and_look_at_the_target,
          a_known_camera_sees_what_it_should, rays_and_projection_are_inverse,
          the_matrix_agrees_with_the_projection, framing_is_tight,
          one_point_is_framed_without_falling_into_it,
          orbit_stays_below_the_zenith_and_turns_for_ever, pan_keeps_the_target_under_the_pointer,
          zoom_keeps_what_is_under_the_pointer, wild_input_changes_nothing)
