// SPDX-License-Identifier: Apache-2.0
// Tests for verify/support_polygon.c.

#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "verify/support_polygon.h"

#include <math.h>
#include <stdlib.h>

static const SomVec3 down = {0, 0, -1};

static SomSupport find(const SomVec3 *points, int count, SomVec3 com) {
    SomSupportWork work = {0};
    SomSupport support = som_support_find(points, count, com, down, &work);
    som_support_work_free(&work);
    return support;
}

START_TEST(a_table_has_the_margin_of_its_nearest_edge) {
    const SomVec3 legs[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    SomSupport s = find(legs, 4, som_vec3(1.2, 0.7, 5));
    ck_assert_double_eq_tol(s.margin, 0.3, 1e-9);
    ck_assert_int_eq(s.edge[0] + s.edge[1], 5);
    ck_assert_double_eq_tol(s.direction.y, 1, 1e-9);
    ck_assert_int_eq(s.corners, 4);
    // outside an edge, and outside a corner
    s = find(legs, 4, som_vec3(2.25, 0.5, 5));
    ck_assert_double_eq_tol(s.margin, -0.25, 1e-9);
    ck_assert_int_eq(s.edge[0] + s.edge[1], 3);
    ck_assert_double_eq_tol(s.direction.x, 1, 1e-9);
    s = find(legs, 4, som_vec3(-3, -4, 5));
    ck_assert_double_eq_tol(s.margin, -5, 1e-8);
    ck_assert_double_eq_tol(s.direction.x, -0.6, 1e-8);
    ck_assert_double_eq_tol(s.direction.y, -0.8, 1e-8);
}
END_TEST

START_TEST(points_and_lines_have_no_inside) {
    const SomVec3 points[] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 0.0005}};
    SomSupport s = find(points, 3, som_vec3(1, 1, 3));
    ck_assert(s.margin == 0 && s.corners == 1 && s.edge[0] == s.edge[1]);
    ck_assert_double_eq(som_vec3_length(s.direction), 0);
    s = find(points, 3, som_vec3(1, 1.5, 3));
    ck_assert_double_eq_tol(s.margin, -0.5, 1e-12);
    ck_assert_double_eq_tol(s.direction.y, 1, 1e-12);

    SomVec3 line[50];
    for (int i = 0; i < 50; i++) { // not in order, along a slanted line, with rounding
        double along = 0.1 * ((i * 17) % 50) / 3;
        line[i] = som_vec3(0.3 * along, 0.7 * along, 0);
    }
    s = find(line, 50, som_vec3(0.3, 0.7, 1));
    ck_assert_double_le(fabs(s.margin), 1e-8);
    ck_assert_double_eq_tol(fabs(som_vec3_dot(s.direction, som_vec3(0.3, 0.7, 0))), 0, 1e-6);
    s = find(line, 50, som_vec3(0.3 - 0.7, 0.7 + 0.3, 1));
    ck_assert_double_eq_tol(s.margin, -sqrt(0.58), 1e-8);
}
END_TEST

START_TEST(what_is_not_finite_has_no_margin) {
    const SomVec3 points[] = {{0, 0, 0}, {1, (double)NAN, 0}, {0, 1, 0}};
    ck_assert(isnan(find(points, 3, som_vec3(0, 0, 0)).margin));
    ck_assert(isnan(find(points, 1, som_vec3(0, (double)INFINITY, 0)).margin));
    ck_assert(isnan(find(points, 0, som_vec3(0, 0, 0)).margin));
    ck_assert_int_eq(find(points, 0, som_vec3(0, 0, 0)).edge[0], -1);
    const SomVec3 far[] = {{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}};
    ck_assert(isnan(find(far, 3, som_vec3(0, 0, 0)).margin));
}
END_TEST

// ---- against an oracle

// The least of (support of the points - centre) over directions: that is the margin, inside and
// outside. The best direction is across two points, or from one point to the centre.
static double margin_by_force(const SomVec3 *p, int count, SomVec3 com) {
    double best = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k <= count; k++) {
            SomVec3 d = k < count ? som_vec3(p[k].y - p[i].y, p[i].x - p[k].x, 0)
                                  : som_vec3(com.x - p[i].x, com.y - p[i].y, 0);
            double length = som_vec3_length(d), most = -(double)INFINITY;
            if (length == 0) {
                continue;
            }
            for (int j = 0; j < count; j++) {
                most = fmax(most, som_vec3_dot(som_vec3_sub(p[j], com), d) / length);
            }
            best = fmin(best, most);
        }
    }
    return best;
}

// Is the centre a convex combination of the points? Phase one of the simplex method, with Bland's
// rule: minimise the sum of artificial variables of [x; y; 1] w = [cx; cy; 1], w >= 0.
static double infeasibility(const SomVec3 *p, int count, SomVec3 com) {
    enum { MOST = 64 };
    double t[4][MOST + 4] = {{0}};
    int base[3];
    for (int i = 0; i < count; i++) {
        t[0][i] = p[i].x - com.x;
        t[1][i] = p[i].y - com.y;
        t[2][i] = 1;
    }
    t[2][count + 3] = 1;
    for (int r = 0; r < 3; r++) {
        t[r][count + r] = 1;
        base[r] = count + r;
        for (int i = 0; i < count + 4; i++) {
            t[3][i] -= i >= count && i < count + 3 ? 0 : t[r][i];
        }
    }
    for (int step = 0; step < 1000; step++) {
        int in = -1, out = -1;
        for (int i = 0; i < count + 3 && in < 0; i++) {
            in = t[3][i] < -1e-12 ? i : -1;
        }
        if (in < 0) {
            break;
        }
        for (int r = 0; r < 3; r++) {
            if (t[r][in] > 1e-12) {
                double ratio = t[r][count + 3] / t[r][in];
                double least = out < 0 ? 0 : t[out][count + 3] / t[out][in];
                if (out < 0 || ratio < least || (ratio == least && base[r] < base[out])) {
                    out = r;
                }
            }
        }
        if (out < 0) {
            break;
        }
        double pivot = t[out][in];
        for (int i = 0; i < count + 4; i++) {
            t[out][i] /= pivot;
        }
        for (int r = 0; r < 4; r++) {
            double factor = t[r][in];
            for (int i = 0; r != out && i < count + 4; i++) {
                t[r][i] -= factor * t[out][i];
            }
        }
        base[out] = in;
    }
    return -t[3][count + 3];
}

START_TEST(margins_agree_with_a_linear_programme_and_all_directions) {
    SomTestRandom random = {71};
    int cases = som_test_count(2000, 100000), wrong = 0, inside = 0;
    double worst = 0;
    for (int n = 0; n < cases; n++) {
        SomVec3 p[40];
        int count = som_test_int(&random, 1, 40), kind = n % 4;
        double scale = kind == 3 ? 1e-6 : 1;
        for (int i = 0; i < count; i++) {
            double x = som_test_uniform(&random, -1, 1), y = som_test_uniform(&random, -1, 1);
            if (kind == 1) { // a grid: coincident and collinear ones
                x = som_test_int(&random, -2, 2);
                y = som_test_int(&random, -2, 2);
            } else if (kind == 2) { // clusters
                x = 0.01 * x + (double)som_test_int(&random, 0, 1);
                y = 0.01 * y + (double)som_test_int(&random, 0, 1);
            }
            p[i] = som_vec3(scale * x, scale * y, som_test_uniform(&random, 0, 1e-3));
        }
        SomVec3 com = som_vec3(scale * som_test_uniform(&random, -1.2, 1.2),
                               scale * som_test_uniform(&random, -1.2, 1.2), 1);
        double margin = find(p, count, com).margin;
        for (int i = 0; i < count; i++) {
            p[i] = som_vec3(p[i].x / scale, p[i].y / scale, 0);
        }
        com = som_vec3(com.x / scale, com.y / scale, 0);
        margin /= scale;
        worst = fmax(worst, fabs(margin - margin_by_force(p, count, com)));
        bool is_inside = infeasibility(p, count, com) < 1e-9;
        wrong += is_inside != (margin >= 0) && fabs(margin) > 1e-8;
        inside += is_inside;
    }
    ck_assert_double_le(worst, 1e-8);
    ck_assert_int_eq(wrong, 0);
    ck_assert(inside > cases / 5 && inside < cases * 4 / 5);
}
END_TEST

START_TEST(thousands_of_points_on_a_circle_have_its_radius) {
    enum { COUNT = 20000 };
    SomVec3 *p = som_alloc(COUNT * sizeof *p);
    for (int scale = -6; scale <= 6; scale += 3) {
        double r = 1;
        for (int k = 0; k < abs(scale); k++) {
            r = scale < 0 ? r / 10 : r * 10;
        }
        for (int i = 0; i < COUNT; i++) {
            double s, c;
            som_sincos(i * 2.399963, &s, &c);
            p[i] = som_vec3(r * c + 5 * r, r * s - 3 * r, 0);
        }
        ck_assert_double_eq_tol(find(p, COUNT, som_vec3(5 * r, -3 * r, r)).margin / r, 1, 1e-5);
        ck_assert_double_eq_tol(find(p, COUNT, som_vec3(8 * r, -3 * r, r)).margin / r, -2, 1e-5);
    }
    som_free(p);
}
END_TEST

START_TEST(gravity_that_leans_moves_the_centre_downhill) {
    const SomVec3 legs[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    SomSupportWork work = {0};
    // at height 1 over a slope of 30 degrees the centre is tan(30) downhill on the ground
    SomVec3 leaning = som_vec3(-0.5, 0, -sqrt(0.75));
    SomSupport s = som_support_find(legs, 4, som_vec3(0, 0, 1), leaning, &work);
    ck_assert_double_eq_tol(s.margin, (1 - 1 / sqrt(3)) * sqrt(0.75), 1e-8);
    ck_assert(s.direction.x < 0);
    ck_assert_double_eq_tol(som_vec3_dot(s.direction, leaning), 0, 1e-12);
    s = som_support_find(legs, 4, som_vec3(0, 0, 2), leaning, &work);
    ck_assert_double_lt(s.margin, 0);
    som_support_work_free(&work);
}
END_TEST

// ---- the laboratory's measure

#define WALKBOT                                                                                    \
    "use \"chain3.som\"\n"                                                                         \
    "config Walkbot(f: angle = 270deg, r: angle = 270deg) {\n"                                     \
    "    part body[5] : Module\n"                                                                  \
    "    part fl, fr, rl, rr : Chain3\n"                                                           \
    "    connect body[i].B to body[i+1].T for i in 1..4\n"                                         \
    "    connect fl.head.L to body[2].L at f\n"                                                    \
    "    connect fr.head.R to body[2].R at 360deg - f\n"                                           \
    "    connect rl.head.L to body[5].L at r\n"                                                    \
    "    connect rr.head.R to body[5].R at 360deg - r\n"                                           \
    "    pose stand { fl.leg; fr.leg; rl.leg; rr.leg }\n"                                          \
    "    start stand\n"                                                                            \
    "}\n"

static double margin_centres(const char *text, const char *choice) {
    PlacedRobot robot = place_text(text, choice);
    SomSupportWork work = {0};
    double margin = som_support_margin_centres(robot.mechanism, robot.links, &work);
    som_support_work_free(&work);
    placed_free(&robot);
    return margin;
}

// Figures of the laboratory's own program for its walkbot and for Fig. 9 of the paper.
START_TEST(centres_of_the_walkbot_stand_with_a_tenth_of_a_metre) {
    ck_assert_double_eq_tol(margin_centres(WALKBOT, "Walkbot"), 0.1, 1e-6);
    ck_assert_double_eq_tol(
        margin_centres("use \"walkbot.som\"\nconfig A { part w : Walkbot17 }", "A"), 0.1, 1e-6);
    // two legs reversed: two feet are left, 0.135 m before the centre
    ck_assert_double_eq_tol(margin_centres(WALKBOT, "Walkbot(r=90deg)"), -(4.0 / 17 - 0.1), 1e-6);
}
END_TEST

SOM_SUITE("verify/support_polygon", a_table_has_the_margin_of_its_nearest_edge,
          points_and_lines_have_no_inside, what_is_not_finite_has_no_margin,
          margins_agree_with_a_linear_programme_and_all_directions,
          thousands_of_points_on_a_circle_have_its_radius,
          gravity_that_leans_moves_the_centre_downhill,
          centres_of_the_walkbot_stand_with_a_tenth_of_a_metre)
