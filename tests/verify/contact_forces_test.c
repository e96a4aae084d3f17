// SPDX-License-Identifier: Apache-2.0
// Tests for verify/contact_forces.c.

#include "tests/suite.h"
#include "verify/contact_forces.h"
#include "verify/support_polygon.h"

#include <math.h>

static SomWrench weight_at(SomVec3 point, SomVec3 force) {
    return (SomWrench){som_vec3_cross(point, force), force};
}

static bool find(const SomPad *pads, int count, SomWrench load, SomVec3 *forces) {
    SomContactProblem problem = {.pads = pads, .count = count, .load = load};
    return som_contact_forces_balance(&problem, som_contact_forces_find(&problem, forces));
}

START_TEST(four_legs_of_a_table_share_alike) {
    const SomPad legs[] = {{.point = {1, 1, 0}, .weight = 1, .friction = 0.5},
                           {.point = {-1, 1, 0}, .weight = 1, .friction = 0.5},
                           {.point = {-1, -1, 0}, .weight = 1, .friction = 0.5},
                           {.point = {1, -1, 0}, .weight = 1, .friction = 0.5}};
    SomVec3 f[4];
    ck_assert(find(legs, 4, weight_at(som_vec3(0, 0, 2), som_vec3(0, 0, -100)), f));
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(f[i].z, 25, 1e-8);
        ck_assert_double_eq_tol(f[i].x, 0, 1e-8);
    }
    // over one leg: of four equally soft ones, the one across is lifted
    ck_assert(find(legs, 4, weight_at(som_vec3(0.9, 0.9, 2), som_vec3(0, 0, -100)), f));
    ck_assert_double_eq_tol(f[0].z, 90, 1e-6);
    ck_assert_double_eq_tol(f[1].z, 5, 1e-6);
    ck_assert_double_eq_tol(f[2].z, 0, 1e-6);
}
END_TEST

START_TEST(a_point_and_a_line_carry_what_is_right_above_them) {
    const SomPad line[] = {{.point = {0, 0, 0}, .weight = 1, .friction = 0.5},
                           {.point = {1, 1, 0}, .weight = 1, .friction = 0.5},
                           {.point = {3, 3, 0}, .weight = 1, .friction = 0.5}};
    SomVec3 f[3];
    ck_assert(find(line, 1, weight_at(som_vec3(0, 0, 2), som_vec3(0, 0, -10)), f));
    ck_assert_double_eq_tol(f[0].z, 10, 1e-6);
    ck_assert(!find(line, 1, weight_at(som_vec3(0.1, 0, 2), som_vec3(0, 0, -10)), f));
    ck_assert(isfinite(f[0].z));
    ck_assert(find(line, 3, weight_at(som_vec3(2, 2, 2), som_vec3(0, 0, -10)), f));
    ck_assert_double_eq_tol(f[0].z + f[1].z + f[2].z, 10, 1e-6);
    ck_assert(!find(line, 3, weight_at(som_vec3(2, 2.1, 2), som_vec3(0, 0, -10)), f));
    ck_assert(!find(line, 3, weight_at(som_vec3(3.1, 3.1, 2), som_vec3(0, 0, -10)), f));
}
END_TEST

START_TEST(a_slope_holds_as_far_as_friction_reaches) {
    SomPad legs[] = {{.point = {1, 1, 0}, .weight = 1, .friction = 0.3},
                     {.point = {-1, 1, 0}, .weight = 1, .friction = 0.3},
                     {.point = {-1, -1, 0}, .weight = 1, .friction = 0.3},
                     {.point = {1, -1, 0}, .weight = 1, .friction = 0.3}};
    SomVec3 f[4];
    for (int i = 0; i < 60; i++) {
        double push = i * 0.01;
        bool holds = find(legs, 4, weight_at(som_vec3(0, 0, 0.1), som_vec3(push, 0, -1)), f);
        ck_assert_msg(i == 30 || holds == (push < 0.3), "%d", i);
        for (int k = 0; k < 4; k++) {
            ck_assert_double_le(sqrt(f[k].x * f[k].x + f[k].y * f[k].y), 0.3 * f[k].z + 1e-9);
        }
    }
}
END_TEST

START_TEST(nothing_and_what_is_not_finite_have_an_end) {
    const SomPad pads[] = {{.point = {1, 1, 0}, .weight = 1, .friction = 0.5},
                           {.point = {-1, (double)NAN, 0}, .weight = 1, .friction = 0.5}};
    SomVec3 f[2];
    ck_assert(find(pads, 1, (SomWrench){{0, 0, 0}, {0, 0, 0}}, f));
    ck_assert_double_eq(f[0].z, 0);
    ck_assert(!find(pads, 2, weight_at(som_vec3(0, 0, 2), som_vec3(0, 0, -10)), f));
    ck_assert(!find(pads, 1, weight_at(som_vec3(0, 0, 2), som_vec3(0, 0, (double)INFINITY)), f));
    ck_assert(!find(pads, 0, weight_at(som_vec3(0, 0, 2), som_vec3(0, 0, -1)), f));
}
END_TEST

// The conditions that make the forces those of the least sum of squares: they balance, lie in their
// cones, and come from one movement of the robot by projecting on the cones. Nothing but the load
// carried where the support polygon says so.
START_TEST(random_stances_balance_exactly_where_the_centre_is_inside) {
    SomTestRandom random = {73};
    int cases = som_test_count(3000, 200000), wrong = 0, steady = 0;
    double worst = 0;
    for (int n = 0; n < cases; n++) {
        SomPad pads[24];
        SomVec3 points[24], f[24];
        int count = som_test_int(&random, 1, 24);
        double scale = n % 3 == 0 ? 1e-3 : n % 3 == 1 ? 1 : 1e3;
        for (int i = 0; i < count; i++) {
            double x = n % 5 == 4 ? som_test_int(&random, -2, 2) : som_test_uniform(&random, -1, 1);
            double y = n % 5 == 4 ? som_test_int(&random, -2, 2) : som_test_uniform(&random, -1, 1);
            points[i] = som_vec3(scale * x, scale * y, 0);
            pads[i] = (SomPad){.point = points[i],
                               .weight = som_test_uniform(&random, 0.1, 1),
                               .friction = som_test_uniform(&random, 0, 1)};
        }
        SomVec3 com = som_vec3(scale * som_test_uniform(&random, -0.9, 0.9),
                               scale * som_test_uniform(&random, -0.9, 0.9), scale);
        SomWrench load = weight_at(com, som_vec3(0, 0, -scale));
        bool is_steady = find(pads, count, load, f);
        SomSupportWork work = {0};
        double margin = som_support_find(points, count, com, som_vec3(0, 0, -1), &work).margin;
        som_support_work_free(&work);
        wrong += is_steady != (margin >= 0) && fabs(margin) > 1e-5 * scale;
        steady += is_steady;
        for (int i = 0; i < count; i++) {
            wrong += !(f[i].z >= 0);
            if (is_steady) {
                worst = fmax(worst, (fabs(f[i].x) + fabs(f[i].y)) / scale);
            }
        }
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_double_le(worst, 1e-6);
    ck_assert(steady > cases / 5 && steady < cases * 4 / 5);
}
END_TEST

// No other distribution that balances is of less effort: moving forces along what keeps the balance
// does not pay.
START_TEST(no_other_forces_that_balance_are_less) {
    SomTestRandom random = {74};
    int better = 0, tried = 0;
    for (int n = 0; n < som_test_count(300, 20000); n++) {
        SomPad pads[6];
        SomVec3 f[6];
        for (int i = 0; i < 6; i++) {
            pads[i] = (SomPad){.point = {som_test_uniform(&random, -1, 1),
                                         som_test_uniform(&random, -1, 1),
                                         som_test_uniform(&random, -0.1, 0.1)},
                               .weight = som_test_uniform(&random, 0.2, 1),
                               .friction = 0.5};
        }
        SomWrench load = weight_at(som_vec3(0.1, 0, 0.5), som_vec3(0.2, 0.1, -1));
        if (!find(pads, 6, load, f)) {
            continue;
        }
        // four points in space: forces along the lines between two of them balance each other
        for (int k = 0; k < 30; k++) {
            int a = som_test_int(&random, 0, 5), b = (a + som_test_int(&random, 1, 5)) % 6;
            SomVec3 way = som_vec3_sub(pads[a].point, pads[b].point);
            double step = som_test_uniform(&random, -1e-3, 1e-3);
            SomVec3 fa = som_vec3_add(f[a], som_vec3_scale(step, way));
            SomVec3 fb = som_vec3_sub(f[b], som_vec3_scale(step, way));
            bool is_allowed = sqrt(fa.x * fa.x + fa.y * fa.y) <= 0.5 * fa.z &&
                              sqrt(fb.x * fb.x + fb.y * fb.y) <= 0.5 * fb.z;
            double before = som_vec3_dot(f[a], f[a]) / pads[a].weight +
                            som_vec3_dot(f[b], f[b]) / pads[b].weight;
            double after =
                som_vec3_dot(fa, fa) / pads[a].weight + som_vec3_dot(fb, fb) / pads[b].weight;
            tried += is_allowed;
            better += is_allowed && after < before - 1e-9;
        }
    }
    ck_assert_int_gt(tried, 1000);
    ck_assert_int_eq(better, 0);
}
END_TEST

SOM_SUITE("verify/contact_forces", four_legs_of_a_table_share_alike,
          a_point_and_a_line_carry_what_is_right_above_them,
          a_slope_holds_as_far_as_friction_reaches, nothing_and_what_is_not_finite_have_an_end,
          random_stances_balance_exactly_where_the_centre_is_inside,
          no_other_forces_that_balance_are_less)
