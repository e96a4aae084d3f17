// SPDX-License-Identifier: Apache-2.0
// Results are the same bits for every compiler, level and machine: each hash below is over the bit
// patterns of results on fixed random cases. It changes only when a formula is changed on purpose;
// then take the new number over, after looking at why.

#include "space/distance.h"
#include "space/mass.h"
#include "tests/space/shapes.h"

#include <string.h>

static void add_number(uint64_t *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *hash = (*hash ^ bits) * 1099511628211u; // FNV, by words
    *hash ^= *hash >> 29;
}

static void add_vector(uint64_t *hash, SomVec3 v) {
    add_number(hash, v.x);
    add_number(hash, v.y);
    add_number(hash, v.z);
}

static void add_matrix(uint64_t *hash, SomMat3 m) {
    for (int i = 0; i < 9; i++) {
        add_number(hash, m.m[i / 3][i % 3]);
    }
}

static void add_inertia(uint64_t *hash, SomInertia inertia) {
    add_number(hash, inertia.mass);
    add_vector(hash, inertia.center);
    add_matrix(hash, inertia.moments);
}

START_TEST(poses_are_the_pinned_bits) {
    SomTestRandom random = {1};
    uint64_t hash = 0;
    for (int i = 0; i < 5000; i++) {
        SomPose a = random_pose(&random, 2), b = random_pose(&random, 2);
        SomPose ab = som_pose_compose(a, som_pose_invert(b));
        SomVec3 near = random_vec3(&random, -9, 9);
        double y[6], near_y[6] = {0, 0, 0, near.x, near.y, near.z};
        som_pose_to_coordinates(ab, near_y, y);
        add_vector(&hash, som_vec3(y[3], y[4], y[5]));
        add_matrix(&hash, som_pose_from_coordinates(y).rotation);
        add_matrix(&hash, som_rotation_left_jacobian(near));
        add_matrix(&hash, som_rotation_left_jacobian_inverse(near));
        SomPose middle = som_pose_interpolate(a, b, 0.3);
        add_matrix(&hash, som_quat_to_rotation(som_quat_from_rotation(middle.rotation)));
        add_vector(&hash, som_twist_log(middle).linear);
        add_number(&hash, som_pose_distance(a, b));
    }
    ck_assert_uint_eq(hash, 11281826337607381495u);
}
END_TEST

static SomShape random_convex(SomTestRandom *random) {
    return random_shape(random, (SomShapeKind)som_test_int(random, 0, SOM_SHAPE_HULL));
}

START_TEST(hulls_are_the_pinned_bits) {
    SomTestRandom random = {2};
    uint64_t hash = 0;
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 300; i++) {
        SomVec3 points[100];
        int count = som_test_int(&random, 20, 100);
        for (int k = 0; k < count; k++) {
            points[k] = random_vec3(&random, -1, 1);
            if (i % 2 == 0) { // on a grid: flat faces, points in them, points twice
                SomVec3 p = som_vec3_scale(3, points[k]);
                points[k] = som_vec3(0.1 * rint(p.x), 0.1 * rint(p.y), 0.1 * rint(p.z));
            }
        }
        SomHull *hull = som_hull_create(points, count, (SomSpan){0}, diags);
        ck_assert_ptr_nonnull(hull);
        for (int k = 0; k < 3 * hull->triangle_count; k++) {
            add_vector(&hash, hull->vertices[hull->triangles[k]]);
        }
        for (int k = 0; k < hull->plane_count; k++) {
            add_vector(&hash, hull->planes[k].normal);
            add_number(&hash, hull->planes[k].offset);
        }
        add_number(&hash, hull->edge_count);
        add_inertia(&hash, som_surface_inertia(hull->vertices, hull->triangles,
                                               hull->triangle_count, 1000));
        som_hull_destroy(hull);
    }
    som_diagnostics_destroy(diags);
    ck_assert_uint_eq(hash, 12245856739402107085u);
}
END_TEST

START_TEST(masses_are_the_pinned_bits) {
    SomTestRandom random = {3};
    uint64_t hash = 0;
    SomInertia sum = {0};
    for (int i = 0; i < 1000; i++) {
        SomShape shape = random_convex(&random);
        SomInertia inertia = som_shape_inertia(&shape, 1000);
        inertia = som_inertia_transform(random_pose(&random, 1), inertia);
        add_inertia(&hash, inertia);
        sum = som_inertia_add(sum, inertia);
        SomPrincipal principal = som_inertia_principal(sum);
        add_matrix(&hash, principal.axes);
        add_number(&hash, principal.moments[0]);
        som_shape_free(&shape);
    }
    add_inertia(&hash, sum);
    ck_assert_uint_eq(hash, 12774245618680668288u);
}
END_TEST

START_TEST(distances_are_the_pinned_bits) {
    SomTestRandom random = {4};
    uint64_t hash = 0;
    for (int i = 0; i < 4000; i++) {
        SomShape a = random_convex(&random), b = random_convex(&random);
        double reach = i % 2 == 0 ? 0.5 : 3; // mostly overlapping, mostly apart
        SomPose pose_a = random_pose(&random, reach), pose_b = random_pose(&random, reach);
        SomDistance d = som_shape_distance(&a, pose_a, &b, pose_b);
        add_number(&hash, d.distance);
        add_vector(&hash, d.point_a);
        add_vector(&hash, d.point_b);
        add_vector(&hash, d.normal);
        add_number(&hash, som_shape_touch(&a, pose_a, &b, pose_b, NULL));
        SomRayHit hit = {0};
        som_shape_cast_ray(&a, pose_b.position, d.normal, &hit);
        add_number(&hash, hit.distance);
        add_vector(&hash, som_shape_bounds(&b, pose_b).high);
        som_shape_free(&a);
        som_shape_free(&b);
    }
    ck_assert_uint_eq(hash, 11726028085960929146u);
}
END_TEST

SOM_SUITE("space/determinism", poses_are_the_pinned_bits, hulls_are_the_pinned_bits,
          masses_are_the_pinned_bits, distances_are_the_pinned_bits)
