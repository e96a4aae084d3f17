// SPDX-License-Identifier: Apache-2.0
// How firmly the sample kernel finds robots standing, against the contacts and support polygon of
// verify/.

#include "tests/verify/eight_postures.h"
#include "tests/verify/library.h"
#include "tests/verify/random_robot.h"
#include "verify/contacts.h"
#include "verify/support_polygon.h"

#include <math.h>

// By verify/contacts.h and verify/support_polygon.h.
static double plain_margin(const SomMechanism *m, const SomPose *links, double tolerance) {
    SomContactFinder *finder = som_contact_finder_create(m, NULL, tolerance);
    const SomContacts *contacts = som_contact_finder_find(finder, links);
    SomVec3 *points = som_alloc(sizeof *points * (size_t)(contacts->count + 1));
    for (int i = 0; i < contacts->count; i++) {
        points[i] = contacts->items[i].point;
    }
    SomSupportWork work = {0};
    SomSupport support = som_support_find(points, contacts->count, som_mechanism_com(m, links),
                                          som_vec3(0, 0, -1), &work);
    som_support_work_free(&work);
    som_free(points);
    som_contact_finder_destroy(finder);
    return support.margin;
}

START_TEST(margins_are_those_of_the_support_polygon) {
    SomTestRandom random = {9};
    double worst = 0;
    int inside = 0, wrong = 0, sharp = 0, all = 0;
    for (int n = 0; n < som_test_count(60, 3000); n++) {
        RandomRobot *robot = random_robot(&random, som_test_int(&random, 1, 4), 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        random_values(&random, p.m, n % 2 == 0, 1, p.values);
        eight_place(&p);
        double margins[SOM_BATCH], tolerance = n % 3 == 0 ? 1e-3 : n % 3 == 1 ? 0.05 : 0.5;
        som_batch_margins(p.batch, tolerance, margins);
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            // what is just as high as the tolerance allows may count or not: more of it, more
            // margin
            double least = (double)INFINITY, most = -least;
            for (int k = -1; k <= 1; k++) {
                double margin = plain_margin(p.m, p.links[lane], tolerance + k * 5e-6);
                least = fmin(least, margin);
                most = fmax(most, margin);
            }
            wrong += (least > most) != isnan(margins[lane]);
            sharp += most - least <= 1e-6;
            worst = least > most ? worst : fmax(worst, least - margins[lane]);
            worst = least > most ? worst : fmax(worst, margins[lane] - most);
            inside += least > 0;
            all++;
        }
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(inside, 20);
    ck_assert_int_gt(sharp, all * 9 / 10);
    ck_assert_double_le(worst, 1e-6);
}
END_TEST

// A robot of one link that stands on spheres.
static double margin_on_feet(const SomVec3 *feet, int count, SomVec3 com, double *plain) {
    SomTestRandom random = {13};
    RandomRobot *robot = random_robot(&random, 1, 1);
    SomShapePart parts[8];
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert_int_le(count, 8);
    for (int i = 0; i < count; i++) {
        parts[i].pose = som_pose_identity();
        parts[i].pose.position = feet[i];
        ck_assert(som_shape_sphere(&parts[i].shape, 0.01, (SomSpan){0}, diags));
    }
    SomModuleLink link = {.parts = parts, .part_count = count};
    link.inertia.mass = 1;
    link.inertia.center = com;
    SomMechanismLink links[1] = {robot->mechanism.links[0]};
    links[0].link = &link;
    SomMechanism m = robot->mechanism;
    m.links = links;
    m.link_count = 1;
    m.dof_count = 0;
    m.mass = 1;
    m.base = som_pose_identity();
    EightPostures p = eight_begin(&m, NULL, SOM_BATCH_BASELINE);
    eight_place(&p);
    double margins[SOM_BATCH];
    som_batch_margins(p.batch, 1e-3, margins);
    *plain = plain_margin(&m, p.links[0], 1e-3);
    eight_end(&p);
    som_diagnostics_destroy(diags);
    random_robot_free(robot);
    return margins[0];
}

// Of these feet, two are farthest in four of the eight directions each: the line through them is no
// polygon, but all of them span one.
START_TEST(a_slanted_sliver_of_feet_is_stood_on) {
    const SomVec3 feet[] = {{0, 0, 0}, {1, 0.2, 0}, {0.5, 0.19, 0}, {0.5, 0.01, 0}};
    double plain, margin = margin_on_feet(feet, 4, som_vec3(0.5, 0.1, 1), &plain);
    // the lines from the first to the last two are symmetric about the middle
    double expected = 0.09 * 0.5 / sqrt(0.25 + 0.19 * 0.19);
    ck_assert_double_eq_tol(plain, expected, 1e-8);
    ck_assert_double_eq_tol(margin, expected, 1e-8);
    margin = margin_on_feet(feet, 4, som_vec3(0.5, 0.195, 1), &plain);
    ck_assert_double_lt(plain, 0);
    ck_assert_double_eq_tol(margin, plain, 1e-8);
    margin = margin_on_feet(feet, 2, som_vec3(0.5, 0.15, 1), &plain);
    ck_assert_double_lt(plain, -0.04);
    ck_assert_double_eq_tol(margin, plain, 1e-8);
    margin = margin_on_feet(feet, 1, som_vec3(0.3, 0.4, 1), &plain);
    ck_assert_double_eq_tol(margin, -0.5, 1e-8);
    ck_assert_double_eq_tol(plain, -0.5, 1e-8);
}
END_TEST

// Hairs between feet make edges so short that rounding turns them round.
START_TEST(feet_a_hair_apart_change_nothing) {
    SomTestRandom random = {14};
    for (int n = 0; n < som_test_count(100, 10000); n++) {
        SomVec3 feet[8];
        for (int i = 0; i < 8; i++) {
            double hair = n % 2 == 0 ? 3e-17 : 1e-12;
            feet[i] = som_vec3(i & 1 ? 0.3 : 0.1, i & 2 ? 0.5 : 0.2, 0);
            feet[i].x += som_test_int(&random, -2, 2) * hair;
            feet[i].y += som_test_int(&random, -2, 2) * hair;
        }
        double plain, margin = margin_on_feet(feet, 8, som_vec3(0.15, 0.4, 1), &plain);
        ck_assert_double_eq_tol(plain, 0.05, 1e-8);
        ck_assert_double_eq_tol(margin, 0.05, 1e-8);
    }
}
END_TEST

START_TEST(the_library_stands_as_firmly_as_its_polygons_say) {
    SomTestLibrary library = som_test_library_open();
    double worst = 0;
    for (int n = 0; n < library.designs.count; n++) {
        const SomConfiguration *c = library.designs.data[n];
        SomMechanism *m = som_mechanism_create(c);
        EightPostures p = eight_begin(m, NULL, (SomBatchPath)(n % path_count()));
        for (int i = 0; i < m->dof_count * SOM_BATCH; i++) {
            p.values[i] =
                c->start[i / SOM_BATCH] + 0.01 * (i % SOM_BATCH) * (i / SOM_BATCH % 3 - 1);
        }
        eight_place(&p);
        double margins[SOM_BATCH];
        // apart from the heights of feet, which are multiples of 1 mm
        som_batch_margins(p.batch, 0.9e-3, margins);
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            double expected = plain_margin(m, p.links[lane], 0.9e-3);
            double off = fabs(expected - margins[lane]);
            worst =
                isnan(expected) && isnan(margins[lane]) ? worst : fmax(worst, isnan(off) ? 1 : off);
        }
        eight_end(&p);
        som_mechanism_destroy(m);
    }
    som_test_library_close(&library);
    ck_assert_double_le(worst, 1e-6);
}
END_TEST

SOM_SUITE("verify/batch_margin", margins_are_those_of_the_support_polygon,
          a_slanted_sliver_of_feet_is_stood_on, feet_a_hair_apart_change_nothing,
          the_library_stands_as_firmly_as_its_polygons_say)
