// SPDX-License-Identifier: Apache-2.0
// Tests for space/mass.c.

#include "space/mass.h"
#include "tests/space/shapes.h"

#define PI 3.14159265358979323846

static double largest_difference(SomMat3 a, SomMat3 b) {
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(a.m[i][j] - b.m[i][j]));
        }
    }
    return largest;
}

static void assert_same(SomInertia a, SomInertia b, double tolerance) {
    ck_assert_double_le(fabs(a.mass - b.mass), tolerance * fabs(a.mass));
    ck_assert_double_le(som_vec3_length(som_vec3_sub(a.center, b.center)), tolerance);
    ck_assert_double_le(largest_difference(a.moments, b.moments), tolerance * fabs(a.mass));
}

// The inertia by brute force: the midpoints of a fine grid over the bounds.
static SomInertia summed_over_grid(const SomShape *shape, int steps) {
    SomBounds b = som_shape_bounds(shape, som_pose_identity());
    SomVec3 size = som_vec3_sub(b.high, b.low);
    double cell = size.x * size.y * size.z / steps / steps / steps;
    SomInertia sum = {0};
    SomMat3 about_origin = {{{0}}};
    for (int i = 0; i < steps * steps * steps; i++) {
        SomVec3 p = som_vec3(b.low.x + size.x * (i % steps + 0.5) / steps,
                             b.low.y + size.y * (i / steps % steps + 0.5) / steps,
                             b.low.z + size.z * (i / steps / steps + 0.5) / steps);
        if (!som_shape_contains(shape, p)) {
            continue;
        }
        sum.mass += cell;
        sum.center = som_vec3_add(sum.center, som_vec3_scale(cell, p));
        const double c[3] = {p.x, p.y, p.z};
        for (int r = 0; r < 3; r++) {
            for (int s = 0; s < 3; s++) {
                about_origin.m[r][s] += cell * ((r == s) * som_vec3_dot(p, p) - c[r] * c[s]);
            }
        }
    }
    sum.center = som_vec3_scale(1 / sum.mass, sum.center);
    SomInertia at_center = {sum.mass, sum.center, {{{0}}}};
    SomMat3 steiner = som_inertia_about_origin(at_center);
    for (int r = 0; r < 3; r++) {
        for (int s = 0; s < 3; s++) {
            sum.moments.m[r][s] = about_origin.m[r][s] - steiner.m[r][s];
        }
    }
    return sum;
}

START_TEST(every_convex_kind_agrees_with_a_sum_over_small_cells) {
    SomTestRandom random = {1};
    int steps = som_test_count(60, 150);
    for (int i = 0; i < 20; i++) {
        SomShape shape = random_shape(&random, (SomShapeKind)(i % 5));
        assert_same(som_shape_inertia(&shape, 1), summed_over_grid(&shape, steps), 0.02);
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(closed_forms_are_the_textbook_ones) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSpan none = {0};
    SomShape shape;
    ck_assert(som_shape_box(&shape, som_vec3(0.2, 0.4, 0.6), none, diags));
    SomInertia box = som_shape_inertia(&shape, 1000);
    ck_assert_double_eq_tol(box.mass, 48, 1e-12);
    ck_assert_double_eq_tol(box.moments.m[0][0], 48.0 / 12 * (0.16 + 0.36), 1e-12);
    ck_assert(som_shape_sphere(&shape, 0.5, none, diags));
    SomInertia ball = som_shape_inertia(&shape, 6 / PI);
    ck_assert_double_eq_tol(ball.mass, 1, 1e-15);
    ck_assert_double_eq_tol(ball.moments.m[2][2], 0.1, 1e-15);
    ck_assert(som_shape_cylinder(&shape, 2, 3, none, diags));
    ck_assert_double_eq_tol(som_shape_volume(&shape), 12 * PI, 1e-13);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_box_as_a_hull_weighs_what_the_box_does) {
    SomVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = som_vec3(i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : -0.3);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomShape hull, box;
    ck_assert(som_shape_hull(&hull, corners, 8, (SomSpan){0}, diags));
    ck_assert(som_shape_box(&box, som_vec3(0.2, 0.4, 0.6), (SomSpan){0}, diags));
    assert_same(som_shape_inertia(&box, 1000), som_shape_inertia(&hull, 1000), 1e-15);
    som_shape_free(&hull);
    som_diagnostics_destroy(diags);
}
END_TEST

// Errors of an inscribed polyhedron fall with the square of the edge length: four times as small
// for twice as many edges.
START_TEST(tessellated_spheres_and_cylinders_converge_to_the_exact_ones) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomShape sphere, cylinder;
    ck_assert(som_shape_sphere(&sphere, 0.5, (SomSpan){0}, diags));
    ck_assert(som_shape_cylinder(&cylinder, 0.5, 0.4, (SomSpan){0}, diags));
    const SomInertia exact[2] = {som_shape_inertia(&sphere, 1), som_shape_inertia(&cylinder, 1)};
    double before[2][2] = {{0}};
    for (int around = 16; around <= som_test_count(64, 256); around *= 2) {
        for (int which = 0; which < 2; which++) {
            SomShape hull = which == 0 ? tessellated_sphere(0.5, around / 2, around)
                                       : tessellated_cylinder(0.5, 0.4, around);
            SomInertia inertia = som_shape_inertia(&hull, 1);
            double errors[2] = {1 - inertia.mass / exact[which].mass,
                                largest_difference(inertia.moments, exact[which].moments) /
                                    exact[which].mass};
            ck_assert_double_le(som_vec3_length(inertia.center), 1e-14); // a sum of 65,000 terms
            for (int k = 0; k < 2; k++) {
                ck_assert_double_gt(errors[k], 0);
                if (around > 16) {
                    double gain = before[which][k] / errors[k];
                    ck_assert_double_gt(gain, 3.8);
                    ck_assert_double_lt(gain, 4.2);
                }
                before[which][k] = errors[k];
            }
            som_shape_free(&hull);
        }
    }
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(moving_a_surface_moves_its_inertia) {
    SomTestRandom random = {2};
    for (int i = 0; i < som_test_count(200, 20000); i++) {
        SomShape shape = random_shape(&random, SOM_SHAPE_HULL);
        SomInertia here = som_shape_inertia(&shape, 1000);
        SomPose pose = random_pose(&random, 10);
        SomInertia expected = som_inertia_transform(pose, here);
        for (int k = 0; k < shape.hull->vertex_count; k++) {
            shape.hull->vertices[k] = som_pose_apply(pose, shape.hull->vertices[k]);
        }
        assert_same(expected, som_shape_inertia(&shape, 1000), 1e-11);
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(pieces_weigh_what_the_whole_does) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomShape whole;
    SomShapePart halves[2];
    ck_assert(som_shape_cylinder(&whole, 0.3, 1.0, (SomSpan){0}, diags));
    for (int i = 0; i < 2; i++) {
        ck_assert(som_shape_cylinder(&halves[i].shape, 0.3, 0.5, (SomSpan){0}, diags));
        halves[i].pose = som_pose_translation(som_vec3(0, 0, i == 0 ? 0.25 : -0.25));
    }
    SomShape compound = som_shape_compound(halves, 2);
    assert_same(som_shape_inertia(&whole, 7800), som_shape_inertia(&compound, 7800), 1e-15);
    som_shape_free(&compound);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(principal_axes_rebuild_the_moments) {
    SomTestRandom random = {3};
    for (int i = 0; i < som_test_count(1000, 100000); i++) {
        SomShape shape = random_shape(&random, (SomShapeKind)(i % 6));
        SomInertia inertia =
            som_inertia_transform(random_pose(&random, 1), som_shape_inertia(&shape, 1));
        SomPrincipal p = som_inertia_principal(inertia);
        ck_assert(0 < p.moments[0] && p.moments[0] <= p.moments[1] && p.moments[1] <= p.moments[2]);
        SomMat3 scaled = p.axes;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                scaled.m[r][c] *= p.moments[c];
            }
        }
        SomMat3 rebuilt = som_mat3_multiply(scaled, som_mat3_transpose(p.axes));
        ck_assert_double_le(largest_difference(rebuilt, inertia.moments), 1e-14 * p.moments[2] * 8);
        SomMat3 unit = som_mat3_multiply(som_mat3_transpose(p.axes), p.axes);
        ck_assert_double_le(largest_difference(unit, som_mat3_identity()), 1e-14);
        SomVec3 x = som_vec3(p.axes.m[0][0], p.axes.m[1][0], p.axes.m[2][0]);
        SomVec3 y = som_vec3(p.axes.m[0][1], p.axes.m[1][1], p.axes.m[2][1]);
        SomVec3 z = som_vec3(p.axes.m[0][2], p.axes.m[1][2], p.axes.m[2][2]);
        ck_assert_double_gt(som_vec3_dot(som_vec3_cross(x, y), z), 0.9);
        ck_assert(som_inertia_is_physical(inertia));
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(no_body_has_one_moment_above_the_sum_of_the_others) {
    SomInertia inertia = {1, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}}};
    ck_assert(som_inertia_is_physical(inertia)); // a flat plate
    inertia.moments.m[2][2] = 2.01;
    ck_assert(!som_inertia_is_physical(inertia));
    inertia.moments.m[2][2] = 2;
    inertia.mass = 0;
    ck_assert(!som_inertia_is_physical(inertia));
    inertia = (SomInertia){1, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 3}, {0, 3, 1}}}};
    ck_assert(!som_inertia_is_physical(inertia));
}
END_TEST

SOM_SUITE("space/mass", every_convex_kind_agrees_with_a_sum_over_small_cells,
          closed_forms_are_the_textbook_ones, a_box_as_a_hull_weighs_what_the_box_does,
          tessellated_spheres_and_cylinders_converge_to_the_exact_ones,
          moving_a_surface_moves_its_inertia, pieces_weigh_what_the_whole_does,
          principal_axes_rebuild_the_moments, no_body_has_one_moment_above_the_sum_of_the_others)
