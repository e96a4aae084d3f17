// SPDX-License-Identifier: Apache-2.0
// Tests for compose/connection_rolls.c: a design whose connection is rolled is the one whose text
// says so.

#include "base/memory.h"
#include "compose/connection_rolls.h"
#include "compose/mechanism.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#include <stdio.h>

typedef struct Arm {
    TestDesign design;
    SomConfiguration *configuration;
} Arm;

// The middle one of three modules at an angle, with or without a gap.
static Arm compose_arm(double degrees, const char *gap) {
    char text[256];
    snprintf(text, sizeof text,
             "use \"smores.m3l\"\nconfig A {\n    part a, b, c : SMORES\n"
             "    connect b.T to a.L at %gdeg%s\n    connect b.B to c.T\n    base a on ground\n}\n",
             degrees, gap);
    Arm arm = {.design = test_design(text)};
    arm.configuration = test_compose(&arm.design, "A");
    return arm;
}

static void arm_free(Arm *arm) {
    som_configuration_destroy(arm->configuration);
    test_design_free(&arm->design);
}

// Where all links are, seen from the first one.
static void check_same(const SomConfiguration *is, const SomConfiguration *wanted) {
    SomMechanism *a = som_mechanism_create(is), *b = som_mechanism_create(wanted);
    SomPosture zero = som_posture_zero(is);
    SomPose *links_a = som_alloc(sizeof *links_a * (size_t)a->link_count);
    SomPose *links_b = som_alloc(sizeof *links_b * (size_t)b->link_count);
    som_mechanism_place(a, &zero, links_a);
    som_mechanism_place(b, &zero, links_b);
    ck_assert_int_eq(a->link_count, b->link_count);
    for (int i = 0; i < a->link_count; i++) {
        SomPose at_a = som_pose_compose(som_pose_invert(links_a[0]), links_a[i]);
        SomPose at_b = som_pose_compose(som_pose_invert(links_b[0]), links_b[i]);
        ck_assert_double_lt(som_pose_distance(at_a, at_b), 1e-9);
    }
    som_free(links_a);
    som_free(links_b);
    som_posture_free(&zero);
    som_mechanism_destroy(a);
    som_mechanism_destroy(b);
}

START_TEST(a_rolled_connection_is_as_the_text_would_have_it) {
    static const char *const gaps[] = {"", " gap 5mm"};
    for (int i = 0; i < 8; i++) {
        int roll = 90 * (i % 4);
        Arm arm = compose_arm(0, gaps[i / 4]), wanted = compose_arm(roll, "");
        SomRollChange change = {0, roll * SOM_PI / 180};
        SomRolledDesign *rolled = som_rolled_design_create(arm.configuration, &change, 1);
        ck_assert_ptr_nonnull(rolled);
        const SomConnection *c = &som_rolled_design_get(rolled)->connections[0];
        ck_assert_double_eq(c->roll, wanted.configuration->connections[0].roll);
        ck_assert_double_eq(c->gap, 0);
        check_same(som_rolled_design_get(rolled), wanted.configuration);
        som_rolled_design_destroy(rolled);
        arm_free(&arm);
        arm_free(&wanted);
    }
}
END_TEST

START_TEST(a_roll_that_no_rule_offers_is_none) {
    Arm arm = compose_arm(0, "");
    SomRollChange change = {0, 0.5};
    ck_assert_ptr_null(som_rolled_design_create(arm.configuration, &change, 1));
    arm_free(&arm);
}
END_TEST

SOM_SUITE("compose/connection_rolls", a_rolled_connection_is_as_the_text_would_have_it,
          a_roll_that_no_rule_offers_is_none)
