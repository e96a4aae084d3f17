// SPDX-License-Identifier: Apache-2.0
#include "space/second_hull.h"
#include "tests/suite.h"

#include <math.h>

static const double square[][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 0.5}, {1, 0}, {2, 0}};

static double margin(int count, double x, double y) {
    const double center[] = {x, y};
    return som_second_margin(square, count, center);
}

START_TEST(margins_of_polygons_are_positive_inside_and_negative_outside) {
    ck_assert_double_eq_tol(margin(7, 1, 0.5), 0.5, 1e-12);
    ck_assert_double_eq_tol(margin(7, 0.1, 0.3), 0.1, 1e-12);
    ck_assert_double_eq_tol(margin(7, 1, 1.25), -0.25, 1e-12);
    ck_assert_double_eq_tol(margin(7, 5, 5), -5, 1e-12); // from a corner
    ck_assert_double_eq_tol(margin(3, 2, 1), 0, 1e-12);
}
END_TEST

START_TEST(lines_and_points_have_no_inside) {
    static const double line[][2] = {{0, 0}, {1, 1}, {3, 3}, {-1, -1}};
    static const double beside[] = {1, 2}, beyond[] = {3, 4};
    ck_assert_double_eq_tol(margin(2, 1, 0), 0, 1e-12);
    ck_assert_double_eq_tol(margin(2, 1, 0.5), -0.5, 1e-12);
    ck_assert_double_eq_tol(margin(1, 3, 4), -5, 1e-12);
    ck_assert_double_eq_tol(som_second_margin(line, 4, beside), -sqrt(0.5), 1e-12);
    ck_assert_double_eq_tol(som_second_margin(line, 4, beyond), -1, 1e-12);
}
END_TEST

START_TEST(no_points_and_no_numbers_have_no_margin) {
    static const double broken[][2] = {{0, 0}, {1, 0}, {1, (double)NAN}};
    static const double center[] = {0, 0};
    ck_assert(isnan(margin(0, 0, 0)));
    ck_assert(isnan(margin(7, (double)NAN, 0)));
    ck_assert(isnan(som_second_margin(broken, 3, center)));
}
END_TEST

START_TEST(a_cube_has_its_volume_faces_and_corners) {
    SomVec3 points[9] = {{0.5, 0.5, 0.5}};
    for (int i = 0; i < 8; i++) {
        points[i + 1] = som_vec3(i & 1, i >> 1 & 1, i >> 2);
    }
    SomArena arena = {0};
    SomSecondHull hull;
    ck_assert(som_second_hull(points, 9, &arena, &hull));
    ck_assert_double_eq_tol(hull.volume, 1, 1e-12);
    ck_assert_int_eq(hull.corner_count, 8);
    ck_assert_int_eq(hull.plane_count, 6);
    for (int i = 0; i < hull.plane_count; i++) {
        double middle = som_vec3_dot(hull.planes[i].normal, points[0]) - hull.planes[i].offset;
        ck_assert_double_eq_tol(middle, -0.5, 1e-12);
    }
    for (int i = 0; i < hull.corner_count; i++) {
        ck_assert_int_ge(hull.corners[i], 1);
    }
    som_arena_free(&arena);
}
END_TEST

START_TEST(points_that_qhull_refuses_end_nothing) {
    SomVec3 points[20];
    for (int i = 0; i < 20; i++) {
        points[i] = som_vec3(i % 5, i / 5, 1); // in a plane
    }
    SomArena arena = {0};
    SomSecondHull hull;
    ck_assert(!som_second_hull(points, 20, &arena, &hull));
    ck_assert(!som_second_hull(points, 3, &arena, &hull));
    ck_assert(!som_second_hull(points, 0, &arena, &hull));
    points[7].z = (double)NAN;
    ck_assert(!som_second_hull(points, 20, &arena, &hull));
    som_arena_free(&arena);
}
END_TEST

SOM_SUITE("space/second_hull", margins_of_polygons_are_positive_inside_and_negative_outside,
          lines_and_points_have_no_inside, no_points_and_no_numbers_have_no_margin,
          a_cube_has_its_volume_faces_and_corners, points_that_qhull_refuses_end_nothing)
