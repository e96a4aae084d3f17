// SPDX-License-Identifier: Apache-2.0

#include "render/support_sign.h"
#include "tests/suite.h"

#include <math.h>

static const SomVec3 square[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};

static SomColor color_at(double x, double y, bool is_standing) {
    SomScene scene = {0};
    SomSupportSign sign = {square, 4, {x, y, 0}, is_standing};
    ck_assert(som_scene_add_support(&scene, &sign));
    ck_assert_int_eq(scene.patches.count, 2);
    ck_assert_int_eq(scene.lines.count, 5); // the border and the margin
    ck_assert_int_eq(scene.marks.count, 1);
    SomColor color = scene.lines.data[0].color;
    som_scene_free(&scene);
    return color;
}

START_TEST(the_margin_is_the_shortest_way_to_the_border) {
    SomTestRandom random = {3};
    for (int i = 0; i < 200; i++) {
        SomVec3 ground =
            som_vec3(som_test_uniform(&random, -1, 3), som_test_uniform(&random, -1, 3), 0);
        SomVec3 end = som_support_sign_nearest(square, 4, ground);
        double best = HUGE_VAL;
        for (int k = 0; k < 4000; k++) { // all round the border
            double s = 2 * (k % 1000) / 1000.0;
            const SomVec3 points[4] = {{s, 0, 0}, {2, s, 0}, {s, 2, 0}, {0, s, 0}};
            best = fmin(best, som_vec3_length(som_vec3_sub(points[k / 1000], ground)));
        }
        double own = som_vec3_length(som_vec3_sub(end, ground));
        ck_assert_double_le(own, best);
        ck_assert_double_ge(own, best - 0.003);
    }
}
END_TEST

START_TEST(colours_tell_how_well_it_stands) {
    SomColor well = color_at(1, 1, true), tight = color_at(0.2, 1, true),
             falls = color_at(3, 1, false);
    ck_assert(well.g > well.r && well.g > well.b);
    ck_assert(tight.r > tight.g && tight.g > 0.5f);
    ck_assert(falls.r > 0.8f && falls.g < 0.2f);
}
END_TEST

START_TEST(lines_points_and_nothing_are_shown_as_what_they_are) {
    SomScene scene = {0};
    SomSupportSign sign = {square, 0, {0, 0, 0}, false};
    ck_assert(som_scene_add_support(&scene, &sign));
    ck_assert_int_eq(scene.lines.count + scene.marks.count + scene.patches.count, 0);
    sign.count = 1;
    sign.ground = som_vec3(1, 0, 0);
    ck_assert(som_scene_add_support(&scene, &sign));
    ck_assert_int_eq(scene.patches.count, 0);
    ck_assert_int_eq(scene.marks.count, 1);
    sign.count = 2;
    ck_assert(som_scene_add_support(&scene, &sign));
    ck_assert_int_eq(scene.patches.count, 0);
    const SomVec3 wild[3] = {{0, 0, 0}, {1, 0, 0}, {0, (double)NAN, 0}};
    sign = (SomSupportSign){wild, 3, {0, 0, 0}, true};
    ck_assert(!som_scene_add_support(&scene, &sign));
    som_scene_free(&scene);
}
END_TEST

SOM_SUITE("render/support_sign", the_margin_is_the_shortest_way_to_the_border,
          colours_tell_how_well_it_stands, lines_points_and_nothing_are_shown_as_what_they_are)
