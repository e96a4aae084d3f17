// SPDX-License-Identifier: Apache-2.0
#include "base/codes/space_codes.h"
#include "space/hull.h"
#include "space/second_hull.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 128

static double random_between(SomTestRandom *random, double low, double high) {
    return som_test_uniform(random, low, high);
}

static SomVec3 random_vector(SomTestRandom *random, double size) {
    double x = random_between(random, -size, size), y = random_between(random, -size, size);
    return som_vec3(x, y, random_between(random, -size, size));
}

static SomVec3 shrink(SomTestRandom *random, SomVec3 v) {
    double x = ldexp(v.x, -som_test_int(random, 0, 40));
    double y = ldexp(v.y, -som_test_int(random, 0, 40));
    return som_vec3(x, y, ldexp(v.z, -som_test_int(random, 0, 40)));
}

enum { KIND_COUNT = 12 };

// Points of all the kinds that hulls are known to trip over.
static int make_points(SomTestRandom *random, int kind, SomVec3 points[MOST]) {
    int count = som_test_int(random, 8, MOST);
    for (int i = 0; i < count; i++) {
        SomVec3 v = random_vector(random, 1);
        SomVec3 whole = som_vec3(rint(2 * v.x), rint(2 * v.y), rint(2 * v.z));
        double angle = 12.566370614359172 / count * i;
        SomVec3 rim = som_vec3(cos(angle), sin(angle), 2 * i < count ? -1 : 1);
        SomVec3 twin = i > count / 2 ? points[i - count / 2] : v;
        switch (kind) {
        case 0: // anywhere in a box
            break;
        case 1: // on a ball
            v = som_vec3_scale(1 / som_vec3_length(v), v);
            break;
        case 2: // on a grid, many twice
            v = whole;
            break;
        case 3: // nearly on a grid
            v = som_vec3_add(whole, random_vector(random, 1e-15));
            break;
        case 4:
            v = som_vec3_add(som_vec3_scale(0.1, whole), random_vector(random, 1e-12));
            break;
        case 5: // flat, but not too flat
            v.z *= 1e-6;
            break;
        case 6: // pairs that almost coincide
            v = som_vec3_add(twin, random_vector(random, 1e-13));
            break;
        case 7:
            v = som_vec3_add(twin, random_vector(random, 1e-9));
            break;
        case 8: // a prism, turned so that nothing is exact
            v = som_vec3(0.6 * rim.x - 0.8 * rim.z, rim.y, 0.8 * rim.x + 0.6 * rim.z);
            break;
        case 9: // of all sizes
            v = shrink(random, v);
            break;
        case 10: // a millimetre, a thousand kilometres away
            v = som_vec3_add(som_vec3(1e6, -1e6, 1e6), som_vec3_scale(1e-3, v));
            break;
        default: // a micrometre
            v = som_vec3_scale(1e-6, v);
        }
        points[i] = v;
    }
    return count;
}

static double extent_of(const SomVec3 *points, int count) {
    double extent = 0;
    for (int i = 1; i < count; i++) {
        extent = fmax(extent, som_vec3_length(som_vec3_sub(points[i], points[0])));
    }
    return extent;
}

static SomHull *hull_of(const SomVec3 *points, int count) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomHull *hull = som_hull_create(points, count, (SomSpan){0}, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert_ptr_nonnull(hull);
    som_diagnostics_destroy(diags);
    return hull;
}

static double volume_of(const SomHull *hull) {
    double volume = 0;
    SomVec3 o = hull->vertices[0];
    for (int i = 0; i < hull->triangle_count; i++) {
        const int32_t *t = hull->triangles + 3 * i;
        SomVec3 a = som_vec3_sub(hull->vertices[t[0]], o);
        SomVec3 b = som_vec3_sub(hull->vertices[t[1]], o);
        SomVec3 c = som_vec3_sub(hull->vertices[t[2]], o);
        volume += som_vec3_dot(a, som_vec3_cross(b, c)) / 6;
    }
    return volume;
}

// Each side of a triangle runs once each way, and Euler's count is that of a ball.
static void check_closed(const SomHull *hull, int kind) {
    int n = hull->vertex_count;
    char *runs = calloc((size_t)(n * n), 1);
    int wrong = 0; // Check is slow, so it is asked once
    for (int i = 0; i < 3 * hull->triangle_count; i++) {
        int from = hull->triangles[i], to = hull->triangles[i % 3 == 2 ? i - 2 : i + 1];
        wrong += runs[from * n + to]++ != 0;
    }
    for (int i = 0; i < n * n; i++) {
        wrong += runs[i] != runs[(i % n) * n + i / n];
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(hull->triangle_count, 2 * (n - 2));
    if (kind < 3 || kind == 8) { // elsewhere a sliver may be flat with either neighbour
        ck_assert_int_eq(n - hull->edge_count + hull->plane_count, 2);
    }
    free(runs);
}

START_TEST(hulls_of_difficult_points_are_closed_and_hold_them_all) {
    SomTestRandom random = {1};
    for (int i = 0; i < som_test_count(1200, 60000); i++) {
        SomVec3 points[MOST];
        int kind = i % KIND_COUNT;
        int count = make_points(&random, kind, points);
        double extent = extent_of(points, count);
        SomHull *hull = hull_of(points, count);
        check_closed(hull, kind);
        ck_assert(volume_of(hull) > 0);
        double points_out = 0, vertices_out = 0;
        for (int k = 0; k < hull->plane_count; k++) {
            SomPlane plane = hull->planes[k];
            for (int p = 0; p < count; p++) {
                double out = som_vec3_dot(plane.normal, points[p]) - plane.offset;
                points_out = fmax(points_out, out);
            }
            for (int v = 0; v < hull->vertex_count; v++) {
                double out = som_vec3_dot(plane.normal, hull->vertices[v]) - plane.offset;
                vertices_out = fmax(vertices_out, out);
            }
        }
        ck_assert_double_le(points_out, 2e-9 * extent);
        ck_assert_double_le(vertices_out, kind == 10 ? 1e-9 : 1e-15 * extent);
        som_hull_destroy(hull);
    }
}
END_TEST

START_TEST(volumes_are_those_of_qhull) {
    SomTestRandom random = {2};
    for (int i = 0; i < som_test_count(500, 20000); i++) {
        SomVec3 points[MOST];
        int kind = i % 9; // qhull does not know the others' scale
        int count = make_points(&random, kind, points);
        SomHull *hull = hull_of(points, count);
        SomArena arena = {0};
        SomSecondHull other;
        ck_assert(som_second_hull(points, count, &arena, &other));
        double theirs = other.volume;
        ck_assert_double_le(fabs(volume_of(hull) - theirs), 2e-8 * (theirs + (kind == 5)));
        som_arena_free(&arena);
        som_hull_destroy(hull);
    }
}
END_TEST

START_TEST(a_cube_with_points_all_over_it_has_eight_corners) {
    SomVec3 points[125];
    for (int i = 0; i < 125; i++) { // turned, so that flatness is not exact
        SomVec3 p = som_vec3(i % 5 * 0.25, i / 5 % 5 * 0.25, i / 25 * 0.25);
        points[i] = som_vec3(0.6 * p.x - 0.8 * p.y, 0.8 * p.x + 0.6 * p.y, p.z);
    }
    SomHull *hull = hull_of(points, 125);
    ck_assert_int_eq(hull->vertex_count, 8);
    ck_assert_int_eq(hull->triangle_count, 12);
    ck_assert_int_eq(hull->plane_count, 6);
    ck_assert_int_eq(hull->edge_count, 12);
    ck_assert_double_le(fabs(volume_of(hull) - 1), 1e-15);
    for (int i = 0; i < 12; i++) { // the diagonals are no edges
        SomVec3 a = hull->vertices[hull->edges[2 * i]], b = hull->vertices[hull->edges[2 * i + 1]];
        ck_assert_double_le(fabs(som_vec3_length(som_vec3_sub(a, b)) - 1), 1e-15);
    }
    som_hull_destroy(hull);
}
END_TEST

START_TEST(hulls_of_a_hull_are_the_same) {
    SomTestRandom random = {3};
    for (int i = 0; i < 200; i++) {
        SomVec3 points[MOST];
        int count = make_points(&random, i % 2, points);
        SomHull *hull = hull_of(points, count);
        SomHull *again = hull_of(hull->vertices, hull->vertex_count);
        ck_assert_int_eq(hull->vertex_count, again->vertex_count);
        ck_assert_int_eq(hull->triangle_count, again->triangle_count);
        ck_assert(memcmp(hull->triangles, again->triangles,
                         (size_t)hull->triangle_count * 3 * sizeof(int32_t)) == 0);
        SomHull *copy = som_hull_copy(hull);
        som_hull_destroy(hull);
        ck_assert(memcmp(copy->vertices, again->vertices,
                         (size_t)copy->vertex_count * sizeof(SomVec3)) == 0);
        som_hull_destroy(again);
        som_hull_destroy(copy);
    }
}
END_TEST

START_TEST(support_is_the_farthest_vertex_from_any_start) {
    SomTestRandom random = {4};
    for (int i = 0; i < 600; i++) {
        SomVec3 points[MOST];
        int count = make_points(&random, i % KIND_COUNT, points);
        double extent = extent_of(points, count);
        SomHull *hull = hull_of(points, count);
        for (int k = 0; k < 50; k++) {
            SomVec3 direction = random_vector(&random, 1);
            if (k % 2 == 0) { // the hardest: along a face
                direction = hull->planes[som_test_int(&random, 0, hull->plane_count - 1)].normal;
            }
            int start = som_test_int(&random, 0, hull->vertex_count - 1);
            SomVec3 found = hull->vertices[som_hull_support(hull, direction, start)];
            double farther = 0;
            for (int v = 0; v < hull->vertex_count; v++) {
                SomVec3 way = som_vec3_sub(hull->vertices[v], found);
                farther = fmax(farther, som_vec3_dot(direction, way));
            }
            ck_assert_double_le(farther, 3e-15 * extent);
        }
        som_hull_destroy(hull);
    }
}
END_TEST

static void expect_refusal(const SomVec3 *points, int count, SomCode code, const char *says) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert_ptr_null(som_hull_create(points, count, (SomSpan){0}, diags));
    ck_assert(som_diagnostics_has(diags, code));
    int diagnostic_count;
    const SomDiagnostic *list = som_diagnostics_get(diags, &diagnostic_count);
    ck_assert_int_eq(diagnostic_count, 1);
    char message[200] = {0};
    memcpy(message, list[0].message.data, list[0].message.length);
    ck_assert_msg(strstr(message, says) != NULL, "%s", message);
    som_diagnostics_destroy(diags);
}

START_TEST(points_without_volume_are_refused) {
    SomVec3 same[5], line[5], plane[5];
    for (int i = 0; i < 5; i++) {
        same[i] = som_vec3(1, 2, 3);
        line[i] = som_vec3(0.1 * i, 0.2 * i, 0.3 * i);
        plane[i] = som_vec3(0.1 * i, 0.2 * i * i, 0.3 * i + 0.1 * i * i);
    }
    expect_refusal(same, 0, SOM_HULL_FLAT, "fewer than four");
    expect_refusal(plane, 3, SOM_HULL_FLAT, "fewer than four");
    expect_refusal(same, 5, SOM_HULL_FLAT, "one place");
    expect_refusal(line, 5, SOM_HULL_FLAT, "one line");
    expect_refusal(plane, 5, SOM_HULL_FLAT, "one plane");
}
END_TEST

START_TEST(points_that_are_no_points_are_refused) {
    SomVec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    points[2].y = (double)NAN;
    expect_refusal(points, 4, SOM_HULL_NOT_FINITE, "point 3");
    points[2].y = -(double)INFINITY;
    expect_refusal(points, 4, SOM_HULL_NOT_FINITE, "not finite");
    points[2].y = 2e9;
    expect_refusal(points, 4, SOM_HULL_NOT_FINITE, "too far");
    SomVec3 *many = calloc(SOM_HULL_MAX_POINTS + 1, sizeof *many);
    expect_refusal(many, SOM_HULL_MAX_POINTS + 1, SOM_HULL_TOO_MANY_POINTS, "200001");
    free(many);
}
END_TEST

START_TEST(large_hulls_take_a_moment_only) {
    int count = som_test_count(20000, SOM_HULL_MAX_POINTS);
    SomVec3 *points = calloc((size_t)count, sizeof *points);
    for (int i = 0; i < count; i++) { // a prism: two flat faces of very many corners
        double angle = 12.566370614359172 / count * i;
        points[i] = som_vec3(cos(angle), sin(angle), 2 * i < count ? 0 : 1);
    }
    SomHull *hull = hull_of(points, count);
    ck_assert_int_ge(hull->plane_count, 1000);
    ck_assert_double_le(fabs(volume_of(hull) - 3.141592653589793), 1e-6);
    som_hull_destroy(hull);
    free(points);
}
END_TEST

SOM_SUITE("space/hull", hulls_of_difficult_points_are_closed_and_hold_them_all,
          volumes_are_those_of_qhull, a_cube_with_points_all_over_it_has_eight_corners,
          hulls_of_a_hull_are_the_same, support_is_the_farthest_vertex_from_any_start,
          points_without_volume_are_refused, points_that_are_no_points_are_refused,
          large_hulls_take_a_moment_only)
