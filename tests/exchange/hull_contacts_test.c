// SPDX-License-Identifier: Apache-2.0

#include "exchange/hull_contacts.h"
#include "tests/suite.h"

#include <math.h>

static SomVec3 random_direction(SomTestRandom *random) {
    SomVec3 d = som_vec3(som_test_normal(random), som_test_normal(random), som_test_normal(random));
    return som_vec3_scale(1 / som_vec3_length(d), d);
}

// How far the balls are from reaching as far as the hull, at most; negative if they reach farther.
static double worst_shortfall(const SomHull *hull, const SomHullContacts *contacts,
                              double *beyond) {
    SomTestRandom random = {5};
    double worst = 0;
    *beyond = 0;
    for (int k = 0; k < 2000; k++) {
        SomVec3 d = random_direction(&random);
        double reach = som_vec3_dot(d, hull->vertices[som_hull_support(hull, d, 0)]);
        double ours = -INFINITY;
        for (int i = 0; i < contacts->ball_count; i++) {
            ours = fmax(ours, som_vec3_dot(d, contacts->balls[i]) + SOM_HULL_BALL);
        }
        worst = fmax(worst, reach - ours);
        *beyond = fmax(*beyond, ours - reach);
    }
    return worst;
}

START_TEST(balls_stand_as_the_hull_does) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    SomTestRandom random = {1};
    for (int n = 0; n < 20; n++) {
        SomVec3 points[30];
        for (int i = 0; i < 30; i++) { // corners of a box, then of anything
            points[i] = n == 0
                            ? som_vec3(i & 1 ? 0.03 : -0.03, i & 2 ? 0.02 : -0.02, i & 4 ? 0.05 : 0)
                            : som_vec3_scale(0.05, random_direction(&random));
        }
        SomHull *hull = som_hull_create(points, 30, (SomSpan){0}, diags);
        ck_assert_ptr_nonnull(hull);
        SomHullContacts contacts = som_hull_contacts(hull, &arena);
        double beyond, worst = worst_shortfall(hull, &contacts, &beyond);
        ck_assert_int_eq(contacts.ball_count, hull->vertex_count);
        ck_assert_double_le(worst, 1e-3);
        ck_assert_double_le(beyond, 1e-12);
        ck_assert(contacts.has_box);
        for (int i = 0; i < hull->plane_count; i++) {
            SomVec3 v = hull->planes[i].normal, h = contacts.box_half;
            double reach = som_vec3_dot(v, contacts.box_center) + fabs(v.x) * h.x +
                           fabs(v.y) * h.y + fabs(v.z) * h.z;
            ck_assert_double_le(reach, hull->planes[i].offset - 0.9e-3);
        }
        som_hull_destroy(hull);
    }
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(large_hulls_get_a_bounded_number_of_balls) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    SomTestRandom random = {1};
    SomVec3 points[500];
    for (int i = 0; i < 500; i++) {
        points[i] = som_vec3_scale(0.05, random_direction(&random));
    }
    SomHull *hull = som_hull_create(points, 500, (SomSpan){0}, diags);
    SomHullContacts contacts = som_hull_contacts(hull, &arena);
    double beyond, worst = worst_shortfall(hull, &contacts, &beyond);
    ck_assert_int_le(contacts.ball_count, SOM_HULL_MAX_BALLS);
    ck_assert_int_ge(contacts.ball_count, SOM_HULL_MAX_BALLS / 2);
    ck_assert_double_le(worst, 5e-3);
    som_hull_destroy(hull);
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("exchange/hull_contacts", balls_stand_as_the_hull_does,
          large_hulls_get_a_bounded_number_of_balls)
