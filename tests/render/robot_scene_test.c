// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "render/robot_scene.h"
#include "tests/compose/designs.h"
#include "tests/suite.h"

typedef struct Placed {
    SomM3l *m3l;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPose *links;
    SomScene scene;
} Placed;

static Placed place_snake(int modules, unsigned flags) {
    Placed placed = {.m3l = som_test_library("smores")};
    placed.configuration = test_snake(placed.m3l, modules);
    placed.mechanism = som_mechanism_create(placed.configuration);
    placed.links = som_alloc((size_t)placed.mechanism->link_count * sizeof *placed.links);
    SomTestRandom random = {1};
    SomPosture posture = test_random_posture(&random, placed.configuration);
    som_mechanism_place(placed.mechanism, &posture, placed.links);
    som_posture_free(&posture);
    som_scene_add_robot(&placed.scene, placed.mechanism, placed.links, NULL, flags);
    return placed;
}

static void remove_snake(Placed *placed) {
    som_scene_free(&placed->scene);
    som_free(placed->links);
    som_mechanism_destroy(placed->mechanism);
    som_configuration_destroy(placed->configuration);
    som_m3l_destroy(placed->m3l);
}

START_TEST(every_shape_of_every_module_is_there) {
    Placed placed = place_snake(6, SOM_ROBOT_GROUND);
    const SomScene *scene = &placed.scene;
    int parts = 0;
    for (int i = 0; i < placed.mechanism->link_count; i++) {
        parts += placed.mechanism->links[i].link->part_count;
    }
    ck_assert_int_eq(scene->items.count, parts);
    ck_assert_int_lt(scene->geometries.count, parts / 6 + 1); // shared by the six
    ck_assert_int_eq(scene->lines.count + scene->discs.count + scene->marks.count, 0);
    ck_assert_uint_eq(scene->items.data[0].look.owner, 1);
    ck_assert_uint_eq(scene->items.data[parts - 1].look.owner, 6);
    SomBounds own, wanted = som_mechanism_bounds(placed.mechanism, placed.links);
    ck_assert(som_scene_bounds(scene, &own));
    ck_assert_double_le(som_vec3_length(som_vec3_sub(own.low, wanted.low)), 1e-12);
    ck_assert_double_le(som_vec3_length(som_vec3_sub(own.high, wanted.high)), 1e-12);
    ck_assert(scene->ground.is_shown);
    remove_snake(&placed);
}
END_TEST

START_TEST(axes_connectors_and_centre_are_added_when_asked_for) {
    Placed placed =
        place_snake(6, SOM_ROBOT_AXES | SOM_ROBOT_CONNECTORS | SOM_ROBOT_CENTER_OF_MASS);
    const SomScene *scene = &placed.scene;
    // four connectors a module, of which five connections take ten; four joints a module
    ck_assert_int_eq(scene->discs.count, 6 * 4 - 10);
    ck_assert_int_eq(scene->lines.count, 6 * 4 + scene->discs.count);
    ck_assert_int_eq(scene->marks.count, 1);
    ck_assert(!scene->ground.is_shown);
    ck_assert_int_eq(scene->skipped, 0);
    SomVec3 center = som_mechanism_com(placed.mechanism, placed.links);
    ck_assert_double_le(som_vec3_length(som_vec3_sub(scene->marks.data[0].position, center)),
                        1e-12);
    for (int i = 0; i < scene->discs.count; i++) {
        ck_assert_uint_ge(scene->discs.data[i].owner, 1);
        ck_assert_uint_le(scene->discs.data[i].owner, 6);
    }
    remove_snake(&placed);
}
END_TEST

SOM_SUITE("render/robot_scene", every_shape_of_every_module_is_there,
          axes_connectors_and_centre_are_added_when_asked_for)
