// SPDX-License-Identifier: Apache-2.0
// Robots of the library as pictures, from two opposite sides each.

#include "base/memory.h"
#include "render/robot_scene.h"
#include "tests/compose/texts.h"
#include "tests/render/pictures.h"
#include "tests/render/scenes.h"
#include "tests/suite.h"

#include <stdio.h>

#define WIDTH 216
#define HEIGHT 162

// With its centre of mass and free connectors; azimuth in degrees.
static void compare_robot(const char *use, const char *choice, double azimuth, const char *name) {
    char text[100];
    snprintf(text, sizeof text, "use \"%s\"\n", use);
    TestDesign design = test_design(text);
    SomConfiguration *configuration = test_compose(&design, choice);
    SomMechanism *mechanism = som_mechanism_create(configuration);
    SomPose *links = som_alloc((size_t)mechanism->link_count * sizeof *links);
    SomPosture posture = som_posture_start(configuration);
    som_mechanism_place(mechanism, &posture, links);
    SomScene scene = {0};
    som_scene_add_robot(&scene, mechanism, links, NULL,
                        SOM_ROBOT_GROUND | SOM_ROBOT_CENTER_OF_MASS | SOM_ROBOT_CONNECTORS);
    SomCamera camera = som_test_camera(&scene, azimuth, 25, (double)WIDTH / HEIGHT);
    som_test_compare(som_test_draw(&scene, &camera, WIDTH, HEIGHT), name);
    som_scene_free(&scene);
    som_posture_free(&posture);
    som_free(links);
    som_mechanism_destroy(mechanism);
    som_configuration_destroy(configuration);
    test_design_free(&design);
}

START_TEST(a_walkbot) {
    compare_robot("walkbot.som", "Walkbot", -50, "walkbot-front");
    compare_robot("walkbot.som", "Walkbot", 130, "walkbot-behind");
}
END_TEST

START_TEST(a_closed_ring) {
    compare_robot("loop.som", "LoopN(n=6)", 30, "ring-front");
    compare_robot("loop.som", "LoopN(n=6)", 210, "ring-behind");
}
END_TEST

SOM_SUITE("render/robot_picture", a_walkbot, a_closed_ring)
