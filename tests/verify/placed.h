// tests/verify/placed.h - robots of text or of one module type, composed and placed, for tests.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/mechanism.h"
#include "tests/compose/designs.h"
#include "tests/compose/texts.h"

typedef struct PlacedRobot {
    TestDesign design; // of text
    SomM3l *m3l;       // of a builder
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPosture posture;
    SomPose *links;
} PlacedRobot;

static inline void place_again(PlacedRobot *robot) {
    som_mechanism_place(robot->mechanism, &robot->posture, robot->links);
}

static inline void place_configuration(PlacedRobot *robot, SomConfiguration *configuration) {
    robot->configuration = configuration;
    robot->mechanism = som_mechanism_create(configuration);
    robot->posture = som_posture_start(configuration);
    robot->links = som_alloc(sizeof *robot->links * (size_t)robot->mechanism->link_count);
    place_again(robot);
}

// A configuration of .som text, with the library.
static inline PlacedRobot place_text(const char *text, const char *choice) {
    PlacedRobot robot = {.design = test_design(text)};
    place_configuration(&robot, test_compose(&robot.design, choice));
    return robot;
}

// One module "m" of type A of M3L text, its root turned by `turn` (about x, then y, then z).
static inline PlacedRobot place_module(const char *m3l, SomVec3 position, SomVec3 turn) {
    PlacedRobot robot = {.m3l = som_test_m3l("a.m3l", som_str(m3l))};
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Whole")});
    test_add_module(b, "m", 0, robot.m3l, "A");
    som_builder_set_base(b, &(SomBaseDef){.module = 0,
                                          .frame = -1,
                                          .position = {position.x, position.y, position.z},
                                          .turn = {turn.x, turn.y, turn.z}});
    place_configuration(&robot, test_finish(b));
    return robot;
}

static inline void placed_free(PlacedRobot *robot) {
    som_free(robot->links);
    som_posture_free(&robot->posture);
    som_mechanism_destroy(robot->mechanism);
    som_configuration_destroy(robot->configuration);
    if (robot->m3l != NULL) {
        som_m3l_destroy(robot->m3l);
    } else {
        test_design_free(&robot->design);
    }
}
