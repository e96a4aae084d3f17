// SPDX-License-Identifier: Apache-2.0

#include "compose/matings.h"
#include "render/robot_scene.h"
#include "render/robot_skin.h"
#include "tests/compose/designs.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>

typedef struct Dressed {
    TestDesign design;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPose *links;
    SomScene scene;
    SomRobotSkin skin;
} Dressed;

static Dressed dress(const char *text, const char *choice) {
    Dressed d = {.design = test_design(text)};
    d.configuration = test_compose(&d.design, choice);
    d.mechanism = som_mechanism_create(d.configuration);
    d.links = som_alloc((size_t)d.mechanism->link_count * sizeof *d.links);
    SomPosture posture = som_posture_start(d.configuration);
    som_mechanism_place(d.mechanism, &posture, d.links);
    som_posture_free(&posture);
    som_robot_skin_make(&d.skin, &d.scene, d.mechanism, NULL);
    som_robot_skin_place(&d.skin, &d.scene, d.links, SOM_ROBOT_GROUND);
    return d;
}

static void undress(Dressed *d) {
    som_robot_skin_free(&d->skin);
    som_scene_free(&d->scene);
    som_free(d->links);
    som_mechanism_destroy(d->mechanism);
    som_configuration_destroy(d->configuration);
    test_design_free(&d->design);
}

static void move(Dressed *d, SomTestRandom *random) {
    SomPosture posture = test_random_posture(random, d->configuration);
    som_mechanism_place(d->mechanism, &posture, d->links);
    som_posture_free(&posture);
    som_scene_clear(&d->scene);
    som_robot_skin_place(&d->skin, &d->scene, d->links,
                         SOM_ROBOT_GROUND | SOM_ROBOT_AXES | SOM_ROBOT_CONNECTORS |
                             SOM_ROBOT_FRAMES | SOM_ROBOT_CENTER_OF_MASS);
}

// A ray that comes from outside, straight to a point on a connector's disc.
static SomRay ray_to(SomPose connector, double up, double side) {
    SomVec3 target = som_pose_apply(connector, som_vec3(0, side, up));
    SomVec3 out = som_pose_rotate(connector, som_vec3(1, 0, 0));
    return (SomRay){som_vec3_add(target, som_vec3_scale(0.5, out)), som_vec3_scale(-1, out)};
}

START_TEST(a_ray_finds_each_free_connector_of_a_module) {
    Dressed d = dress("use \"module.som\"\n", "Module");
    ck_assert_int_eq(d.skin.connectors.count, 4);
    for (int i = 0; i < 4; i++) {
        const SomSkinConnector *c = &d.skin.connectors.data[i];
        SomPose pose = som_mechanism_connector_pose(d.mechanism, d.links, c->module, c->connector);
        SomRay ray = ray_to(pose, 0.9 * c->radius, 0);
        SomRobotHit hit = som_robot_skin_pick(&d.skin, &d.scene, d.links, ray);
        ck_assert_int_eq(hit.module, 0);
        ck_assert_int_eq(hit.connector, c->connector);
        ck_assert_double_le(fabs(hit.distance - 0.5), c->radius);
        SomVec3 there = som_vec3_add(ray.origin, som_vec3_scale(hit.distance, ray.direction));
        ck_assert_double_le(som_vec3_length(som_vec3_sub(there, hit.point)), 1e-12);
        // beside the disc is the module itself, or nothing
        hit = som_robot_skin_pick(&d.skin, &d.scene, d.links, ray_to(pose, 0, 1.05 * c->radius));
        ck_assert_int_eq(hit.connector, -1);
        // and from inside out there is no connector
        ray.direction = som_vec3_scale(-1, ray.direction);
        ray.origin = som_pose_apply(pose, som_vec3(-1e-3, 0, 0));
        ck_assert_int_eq(som_robot_skin_pick(&d.skin, &d.scene, d.links, ray).connector, -1);
    }
    SomRay away = {{0, 0, 1}, {0, 0, 1}};
    ck_assert_int_eq(som_robot_skin_pick(&d.skin, &d.scene, d.links, away).module, -1);
    undress(&d);
}
END_TEST

START_TEST(connected_connectors_are_not_found_and_hidden_ones_neither) {
    Dressed d = dress("use \"chain3.som\"\n", "Chain3");
    // four each, of which two connections take four
    ck_assert_int_eq(d.skin.connectors.count, 8);
    for (int module = 0; module < 3; module++) {
        for (int k = 0; k < 4; k++) {
            bool is_free = false;
            for (int i = 0; i < d.skin.connectors.count; i++) {
                const SomSkinConnector *c = &d.skin.connectors.data[i];
                is_free = is_free || (c->module == module && c->connector == k);
            }
            SomPose pose = som_mechanism_connector_pose(d.mechanism, d.links, module, k);
            SomRobotHit hit = som_robot_skin_pick(&d.skin, &d.scene, d.links, ray_to(pose, 0, 0));
            ck_assert(!is_free || (hit.module == module && hit.connector == k));
            ck_assert(is_free || hit.module != module || hit.connector != k);
        }
    }
    undress(&d);
}
END_TEST

// The whole picture agrees with a pick of the items alone, and connectors are of what is hit.
START_TEST(a_pick_agrees_with_the_items_everywhere) {
    Dressed d = dress("use \"walkbot.som\"\n", "Walkbot");
    SomCamera camera = som_camera_default();
    som_camera_frame_scene(&camera, &d.scene, 1.5);
    int modules = 0, connectors = 0;
    for (int y = 0; y < 40; y++) {
        for (int x = 0; x < 60; x++) {
            SomRay ray = som_camera_ray(&camera, x + 0.5, y + 0.5, 60, 40);
            SomRobotHit hit = som_robot_skin_pick(&d.skin, &d.scene, d.links, ray);
            double distance;
            int item = som_scene_pick(&d.scene, ray.origin, ray.direction, &distance);
            modules += hit.module >= 0 ? 1 : 0;
            connectors += hit.connector >= 0 ? 1 : 0;
            ck_assert_double_le(hit.distance, distance);
            int owner = item < 0 ? -1 : (int)d.scene.items.data[item].look.owner - 1;
            // a connector is of the module that is seen there, or before it
            ck_assert(hit.module == owner || (hit.connector >= 0 && hit.distance < distance));
        }
    }
    ck_assert_int_gt(modules, 300);
    ck_assert_int_gt(connectors, 30);
    ck_assert_int_lt(connectors, modules / 2);
    undress(&d);
}
END_TEST

START_TEST(moving_adds_no_geometry_and_places_as_if_it_were_new) {
    Dressed d = dress("use \"walkbot.som\"\n", "Walkbot");
    SomTestRandom random = {1};
    move(&d, &random);
    int geometries = d.scene.geometries.count;
    for (int i = 0; i < 200; i++) {
        move(&d, &random);
    }
    // arrows of one size may be rounded to two
    ck_assert_int_le(d.scene.geometries.count, geometries + 3);
    SomScene fresh = {0};
    som_scene_add_robot(&fresh, d.mechanism, d.links, NULL,
                        SOM_ROBOT_GROUND | SOM_ROBOT_AXES | SOM_ROBOT_CONNECTORS |
                            SOM_ROBOT_FRAMES | SOM_ROBOT_CENTER_OF_MASS);
    ck_assert_int_eq(fresh.items.count, d.scene.items.count);
    ck_assert_int_eq(fresh.lines.count, d.scene.lines.count);
    for (int i = 0; i < fresh.items.count; i++) {
        SomVec3 way =
            som_vec3_sub(fresh.items.data[i].pose.position, d.scene.items.data[i].pose.position);
        ck_assert_double_le(som_vec3_length(way), 0);
    }
    som_scene_free(&fresh);
    undress(&d);
}
END_TEST

START_TEST(marks_are_those_of_one_module) {
    Dressed d = dress("use \"walkbot.som\"\n", "Walkbot");
    som_robot_skin_mark(&d.skin, &d.scene, 7, 1, SOM_LOOK_SELECTED);
    som_robot_skin_mark(&d.skin, &d.scene, 7, 1, SOM_LOOK_ALARMED);
    for (int i = 0; i < d.scene.items.count; i++) {
        const SomLook *look = &d.scene.items.data[i].look;
        ck_assert_uint_eq(look->flags, look->owner == 8 ? SOM_LOOK_SELECTED | SOM_LOOK_ALARMED : 0);
    }
    som_robot_skin_mark(&d.skin, &d.scene, 3, 2, SOM_LOOK_RELATED);
    for (int i = 0; i < d.scene.items.count; i++) {
        const SomLook *look = &d.scene.items.data[i].look;
        bool is_related = look->owner == 4 || look->owner == 5;
        ck_assert_int_eq((look->flags & SOM_LOOK_RELATED) != 0, is_related);
    }
    undress(&d);
}
END_TEST

SOM_SUITE("render/robot_skin", a_ray_finds_each_free_connector_of_a_module,
          connected_connectors_are_not_found_and_hidden_ones_neither,
          a_pick_agrees_with_the_items_everywhere,
          moving_adds_no_geometry_and_places_as_if_it_were_new, marks_are_those_of_one_module)
