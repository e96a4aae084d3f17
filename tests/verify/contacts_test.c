// SPDX-License-Identifier: Apache-2.0
// Tests for verify/contacts.c.

#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "verify/contacts.h"
#include "verify/support_polygon.h"

#include <math.h>

// A module of one link.
#define ONE(shape) "module A: root=a\nlink a: shape=" shape ", mass=1kg\n"

typedef struct Touch {
    int count;
    double drop;
    double margin; // of the link's origin
    SomBounds bounds;
} Touch;

static Touch touch_on(const char *m3l, SomVec3 position, SomVec3 turn, const SomTerrain *terrain) {
    PlacedRobot robot = place_module(m3l, position, turn);
    SomContactFinder *finder = som_contact_finder_create(robot.mechanism, terrain, 1e-3);
    const SomContacts *contacts = som_contact_finder_find(finder, robot.links);
    double far = (double)INFINITY;
    Touch touch = {contacts->count, contacts->drop, 0, {{far, far, far}, {-far, -far, -far}}};
    SomVec3 *points = som_alloc(sizeof *points * (size_t)(contacts->count + 1));
    for (int i = 0; i < contacts->count; i++) {
        SomVec3 p = points[i] = contacts->items[i].point;
        touch.bounds.low = som_vec3(fmin(touch.bounds.low.x, p.x), fmin(touch.bounds.low.y, p.y),
                                    fmin(touch.bounds.low.z, p.z));
        touch.bounds.high = som_vec3(fmax(touch.bounds.high.x, p.x), fmax(touch.bounds.high.y, p.y),
                                     fmax(touch.bounds.high.z, p.z));
    }
    SomSupportWork work = {0};
    SomVec3 down = terrain != NULL ? som_terrain_down(terrain) : som_vec3(0, 0, -1);
    touch.margin = som_support_find(points, contacts->count, position, down, &work).margin;
    som_support_work_free(&work);
    som_free(points);
    som_contact_finder_destroy(finder);
    placed_free(&robot);
    return touch;
}

static Touch touch(const char *m3l, SomVec3 turn) {
    return touch_on(m3l, som_vec3(0, 0, 5), turn, NULL);
}

START_TEST(a_box_stands_on_a_face_an_edge_or_a_corner) {
    const char *box = ONE("box((0, 0, 0), (0.4, 0.2, 0.1))");
    Touch t = touch(box, som_vec3(0, 0, 0.3));
    ck_assert_int_eq(t.count, 4);
    ck_assert_double_eq_tol(t.drop, 4.95, 1e-12);
    ck_assert_double_eq_tol(t.margin, 0.1, 1e-9);
    t = touch(box, som_vec3(0.5, 0, 0));
    ck_assert_int_eq(t.count, 2);
    ck_assert_double_eq_tol(t.bounds.high.x - t.bounds.low.x, 0.4, 1e-12);
    ck_assert_double_lt(t.margin, 0);
    t = touch(box, som_vec3(0.5, 0.4, 0));
    ck_assert_int_eq(t.count, 1);
    t = touch(box, som_vec3(0.0025, 0, 0)); // 0.5 mm over 0.2 m
    ck_assert_int_eq(t.count, 4);
    t = touch(box, som_vec3(0.006, 0, 0));
    ck_assert_int_eq(t.count, 2);
}
END_TEST

START_TEST(a_disc_lies_flat_stands_on_edge_or_leans) {
    const char *disc = ONE("cylinder((0, 0, -0.01), (0, 0, 0.01), 0.05)");
    Touch t = touch(disc, som_vec3(0, 0, 0)); // flat: the whole rim
    ck_assert_double_eq_tol(t.margin, 0.05, 0.005 * 0.05);
    ck_assert_double_le(t.margin, 0.05);
    ck_assert_double_eq_tol(t.drop, 4.99, 1e-12);
    t = touch(disc, som_vec3(SOM_PI / 2, 0, 0)); // on edge: a line as long as it is thick
    ck_assert_int_eq(t.count, 2);
    ck_assert_double_eq_tol(t.bounds.high.y - t.bounds.low.y, 0.02, 1e-12);
    ck_assert_double_le(t.margin, 1e-12);
    ck_assert_double_eq_tol(t.drop, 4.95, 1e-12);
    t = touch(disc, som_vec3(0.5, 0, 0)); // leaning: one point
    ck_assert_int_eq(t.count, 1);
    ck_assert_double_eq_tol(t.drop, 5 - 0.05 * sin(0.5) - 0.01 * cos(0.5), 1e-12);

    // the arc shrinks without a jump as it is tilted
    double last = 0.05;
    for (int i = 0; i <= 240; i++) {
        t = touch(disc, som_vec3(i * 0.0005, 0, 0));
        double width = (t.bounds.high.x - t.bounds.low.x) / 2;
        ck_assert_double_le(width, last + 0.005 * 0.05);
        ck_assert_double_ge(width, last - 0.006);
        last = width;
    }
    ck_assert_double_le(last, 1e-9);
}
END_TEST

START_TEST(balls_and_capsules_touch_with_their_lowest_points) {
    Touch t = touch(ONE("sphere((0, 0, 0), 0.03)"), som_vec3(0.1, 0.2, 0.3));
    ck_assert_int_eq(t.count, 1);
    ck_assert_double_eq_tol(t.drop, 4.97, 1e-12);
    const char *capsule = ONE("capsule((-0.1, 0, 0), (0.1, 0, 0), 0.03)");
    t = touch(capsule, som_vec3(0.7, 0, 0));
    ck_assert_int_eq(t.count, 2);
    ck_assert_double_eq_tol(t.bounds.high.x - t.bounds.low.x, 0.2, 1e-12);
    t = touch(capsule, som_vec3(0, 0.1, 0));
    ck_assert_int_eq(t.count, 1);
}
END_TEST

START_TEST(hulls_touch_with_their_corners) {
    const char *hull = "module A: root=a\n"
                       "point p: (point _1: coords=(0, 0, 0)) (point _2: coords=(1, 0, 0))\n"
                       "    (point _3: coords=(0, 1, 0)) (point _4: coords=(0, 0, 1))\n"
                       "    coords=(0, 0, 0)\n"
                       "link a: hull=convex(p.point), mass=1kg\n";
    Touch t = touch(hull, som_vec3(0, 0, 0));
    ck_assert_int_eq(t.count, 3);
    ck_assert_double_eq_tol(t.drop, 5, 1e-12);
    t = touch(hull, som_vec3(SOM_PI, 0, 0));
    ck_assert_int_eq(t.count, 1);
    ck_assert_double_eq_tol(t.drop, 4, 1e-12);
}
END_TEST

START_TEST(a_slope_leans_gravity_and_leaves_the_contacts) {
    SomTerrain terrain = {.slope = 0.3, .direction = SOM_PI / 2};
    SomVec3 down = som_terrain_down(&terrain);
    ck_assert_double_eq_tol(down.x, 0, 1e-15);
    ck_assert_double_eq_tol(down.y, -sin(0.3), 1e-15);
    ck_assert_double_eq_tol(down.z, -cos(0.3), 1e-15);
    Touch t = touch_on(ONE("box((0, 0, 0), (0.4, 0.2, 0.1))"), som_vec3(0, 0, 5), som_vec3(0, 0, 0),
                       &terrain);
    ck_assert_int_eq(t.count, 4);
    ck_assert_double_eq_tol(t.margin, cos(0.3) * (0.1 - 0.05 * tan(0.3)), 1e-9);
}
END_TEST

START_TEST(a_step_carries_what_reaches_over_it) {
    const char *box = ONE("box((0, 0, 0), (0.4, 0.2, 0.1))");
    SomTerrain step = {.steps = {{0.1, 0.05}}, .step_count = 1};
    ck_assert_double_eq(som_terrain_height(&step, 0.0999), 0);
    ck_assert_double_eq(som_terrain_height(&step, 0.1), 0.05);
    // its front end from x = 0.1 to 0.2 lies on the step
    Touch t = touch_on(box, som_vec3(0, 0, 5), som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 4.9, 1e-9);
    ck_assert_double_eq_tol(t.bounds.low.x, 0.1, 1e-9);
    ck_assert_double_eq_tol(t.bounds.high.x, 0.2, 1e-9);
    ck_assert_double_eq_tol(t.bounds.high.y - t.bounds.low.y, 0.2, 1e-9);
    ck_assert_double_eq_tol(t.margin, -0.1, 1e-9);
    // beside it, on it, and down a step that falls
    t = touch_on(box, som_vec3(-0.2, 0, 5), som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 4.95, 1e-9);
    t = touch_on(box, som_vec3(0.4, 0, 5), som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 4.9, 1e-9);
    step.steps[0].height = -0.5;
    t = touch_on(box, som_vec3(0, 0, 5), som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 4.95, 1e-9);
    ck_assert_double_eq_tol(t.bounds.high.x, 0.1, 1e-9);
    ck_assert_double_eq_tol(t.margin, 0.1, 1e-9);
}
END_TEST

// A ball over the edge of a step touches it with its flank.
START_TEST(round_shapes_touch_the_edge_of_a_step) {
    SomTerrain step = {.steps = {{0.03, 0.2}}, .step_count = 1};
    Touch t = touch_on(ONE("sphere((0, 0, 0), 0.05)"), som_vec3(0, 0, 5), som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 5 - 0.04 - 0.2, 1e-9);
    ck_assert_double_eq_tol(t.bounds.low.x, 0.03, 1e-9);
    t = touch_on(ONE("cylinder((0, -0.1, 0), (0, 0.1, 0), 0.05)"), som_vec3(0, 0, 5),
                 som_vec3(0, 0, 0), &step);
    ck_assert_double_eq_tol(t.drop, 5 - 0.04 - 0.2, 1e-9);
    ck_assert_double_eq_tol(t.bounds.high.y - t.bounds.low.y, 0.2, 1e-9);
}
END_TEST

START_TEST(poses_that_are_not_finite_touch_nothing) {
    PlacedRobot robot = place_text("use \"walkbot.som\"\nconfig A { part w : Walkbot }", "A");
    robot.posture.values[7] = (double)NAN;
    place_again(&robot);
    SomContactFinder *finder = som_contact_finder_create(robot.mechanism, NULL, 1e-3);
    const SomContacts *contacts = som_contact_finder_find(finder, robot.links);
    ck_assert_int_eq(contacts->count, 0);
    ck_assert(isnan(contacts->drop));
    som_contact_finder_destroy(finder);
    placed_free(&robot);
}
END_TEST

// All designs of random postures: the drop is the lowest of the bounds, every contact is within the
// tolerance, and the lowest one is there.
START_TEST(contacts_are_the_lowest_points_of_all_shapes) {
    SomTestRandom random = {72};
    int wrong = 0;
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int n = 0; n < som_test_count(5, 200); n++) {
            PlacedRobot robot = {.m3l = m3l};
            place_configuration(&robot, test_finish(test_begin_random(&random, m3l, 6)));
            som_posture_free(&robot.posture);
            robot.posture = test_random_posture(&random, robot.configuration);
            place_again(&robot);
            SomContactFinder *finder = som_contact_finder_create(robot.mechanism, NULL, 1e-3);
            const SomContacts *contacts = som_contact_finder_find(finder, robot.links);
            SomBounds bounds = som_mechanism_bounds(robot.mechanism, robot.links);
            double lowest = (double)INFINITY;
            for (int i = 0; i < contacts->count; i++) {
                SomVec3 p = contacts->items[i].point;
                SomBounds own = som_mechanism_link_bounds(robot.mechanism, robot.links,
                                                          contacts->items[i].link);
                lowest = fmin(lowest, p.z);
                wrong += p.z > bounds.low.z + 1.000001e-3;
                wrong += p.x < own.low.x - 1e-9 || p.x > own.high.x + 1e-9 ||
                         p.y < own.low.y - 1e-9 || p.y > own.high.y + 1e-9;
            }
            wrong += !(fabs(lowest - bounds.low.z) < 1e-9 && fabs(contacts->drop - lowest) < 1e-9);
            som_contact_finder_destroy(finder);
            robot.m3l = NULL;
            som_free(robot.links);
            som_posture_free(&robot.posture);
            som_mechanism_destroy(robot.mechanism);
            som_configuration_destroy(robot.configuration);
        }
        som_m3l_destroy(m3l);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

SOM_SUITE("verify/contacts", a_box_stands_on_a_face_an_edge_or_a_corner,
          a_disc_lies_flat_stands_on_edge_or_leans,
          balls_and_capsules_touch_with_their_lowest_points, hulls_touch_with_their_corners,
          a_slope_leans_gravity_and_leaves_the_contacts, a_step_carries_what_reaches_over_it,
          round_shapes_touch_the_edge_of_a_step, poses_that_are_not_finite_touch_nothing,
          contacts_are_the_lowest_points_of_all_shapes)
