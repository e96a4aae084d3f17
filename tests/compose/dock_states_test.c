// SPDX-License-Identifier: Apache-2.0
// Tests for compose/dock_states.c and for docks of a configuration.

#include "compose/dock_states.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#include <stdio.h>

#define DEG (SOM_PI / 180)

static const char *const ring = "use \"smores.m3l\"\n"
                                "config Ring(n: count = 6) {\n"
                                "    part m[n] : SMORES\n"
                                "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
                                "    dock ends: m[n].B to m[1].T open\n"
                                "}\n"
                                "config Pair { part left, right : Ring; connect left.m[1].L to "
                                "right.m[1].R }\n";

// A module that hangs on another.
static const char *const arms = "use \"smores.m3l\"\n"
                                "config Arms {\n"
                                "    part a, b, load : SMORES\n"
                                "    connect a.B to b.B at 0deg\n"
                                "    dock hang: b.T to load.T at 0deg closed\n"
                                "    dock other: b.T to load.B open\n"
                                "}\n";

typedef struct Docked {
    TestDesign design;
    SomConfiguration *configuration;
    SomDockStates *states;
    SomPosture posture;
} Docked;

static Docked create(const char *text, const char *choice) {
    Docked d = {.design = test_design(text)};
    d.configuration = test_compose(&d.design, choice);
    d.states = som_dock_states_create(d.configuration);
    d.posture = som_posture_start(d.configuration);
    return d;
}

static void discard(Docked *d) {
    som_dock_states_destroy(d->states);
    som_posture_free(&d->posture);
    som_configuration_destroy(d->configuration);
    test_design_free(&d->design);
}

static void set(Docked *d, const char *path, double degrees) {
    SomAlias alias;
    int dof = som_configuration_find_dof(d->configuration, som_str(path), &alias);
    ck_assert_int_ge(dof, 0);
    d->posture.values[dof] = som_alias_to_joint(alias, degrees * DEG);
    som_dock_states_place(d->states, &d->posture);
}

static SomPose pose_of(const Docked *d, const char *path) {
    int module = som_configuration_find_module(d->configuration, som_str(path));
    ck_assert_int_ge(module, 0);
    return som_mechanism_module_pose(som_dock_states_mechanism(d->states),
                                     som_dock_states_links(d->states), module);
}

static double moved(SomPose a, SomPose b) {
    return som_vec3_length(som_vec3_sub(a.position, b.position)) +
           som_rotation_distance(a.rotation, b.rotation);
}

START_TEST(a_configuration_keeps_its_docks) {
    Docked d = create(ring, "");
    ck_assert_int_eq(d.configuration->dock_count, 1);
    ck_assert_int_eq(d.configuration->connection_count, 5);
    const SomDock *dock = &d.configuration->docks[0];
    ck_assert(som_str_equal(dock->path, SOM_STR("ends")));
    ck_assert(!dock->is_closed);
    ck_assert_int_eq(dock->connection.module_a, 5);
    ck_assert_int_eq(dock->connection.module_b, 0);
    ck_assert_int_eq(som_configuration_find_dock(d.configuration, SOM_STR("ends")), 0);
    ck_assert_int_eq(som_configuration_find_dock(d.configuration, SOM_STR("end")), -1);
    int t = dock->connection.connector_b, b = dock->connection.connector_a;
    ck_assert_int_eq(som_configuration_dock_between(d.configuration, 0, t, 5, b), 0);
    ck_assert_int_eq(som_configuration_dock_between(d.configuration, 5, b, 0, t), 0);
    ck_assert_int_eq(som_configuration_dock_between(d.configuration, 4, b, 0, t), -1);
    discard(&d);
    d = create(ring, "Pair");
    ck_assert_int_eq(d.configuration->dock_count, 2);
    ck_assert_int_eq(som_configuration_find_dock(d.configuration, SOM_STR("right.ends")), 1);
    discard(&d);
}
END_TEST

START_TEST(ends_of_a_row_reach_each_other_when_it_is_bent_to_a_ring) {
    for (int n = 4; n <= 12; n++) {
        char choice[40];
        snprintf(choice, sizeof choice, "Ring(n = %d)", n);
        Docked d = create(ring, choice);
        ck_assert_double_eq_tol(som_dock_states_gap(d.states, 0).metres, 0.1 * n, 0.02 * n);
        ck_assert(!som_dock_in_reach(d.configuration, 0, som_dock_states_gap(d.states, 0)));
        for (int i = 1; i <= n; i++) {
            char path[40];
            snprintf(path, sizeof path, "m[%d].tilt", i);
            set(&d, path, 360.0 / n);
        }
        SomGap gap = som_dock_states_gap(d.states, 0);
        ck_assert_double_lt(gap.metres, 1e-9);
        ck_assert_double_lt(gap.radians, 1e-6);
        som_dock_states_set(d.states, 0, true);
        const SomMechanism *closed = som_dock_states_mechanism(d.states);
        ck_assert_int_eq(closed->closure_count, 1);
        ck_assert(!som_mechanism_worst_gap(closed, som_dock_states_links(d.states), NULL, NULL));
        set(&d, "m[2].tilt", 0);
        ck_assert(som_mechanism_worst_gap(som_dock_states_mechanism(d.states),
                                          som_dock_states_links(d.states), NULL, NULL));
        discard(&d);
    }
}
END_TEST

START_TEST(what_is_let_go_stays_until_it_is_taken_again) {
    Docked d = create(arms, "");
    SomPose before = pose_of(&d, "load");
    set(&d, "b.tilt", 30);
    SomPose carried = pose_of(&d, "load");
    ck_assert_double_gt(moved(before, carried), 0.1); // it hangs on b
    som_dock_states_set(d.states, 0, false);
    ck_assert_double_lt(moved(carried, pose_of(&d, "load")), 1e-12);
    set(&d, "b.tilt", -40);
    ck_assert_double_lt(moved(carried, pose_of(&d, "load")), 1e-12); // left alone
    ck_assert(!som_dock_in_reach(d.configuration, 0, som_dock_states_gap(d.states, 0)));
    set(&d, "b.tilt", 31);
    ck_assert(som_dock_in_reach(d.configuration, 0, som_dock_states_gap(d.states, 0)));
    som_dock_states_set(d.states, 0, true);
    set(&d, "b.tilt", 0);
    ck_assert_double_lt(moved(before, pose_of(&d, "load")), 1e-9); // taken back
    discard(&d);
}
END_TEST

START_TEST(a_connector_is_held_by_one_dock_at_a_time) {
    Docked d = create(arms, "");
    ck_assert_int_eq(som_dock_states_rival(d.states, 0), -1);
    ck_assert_int_eq(som_dock_states_rival(d.states, 1), 0);
    som_dock_states_set(d.states, 0, false);
    ck_assert_int_eq(som_dock_states_rival(d.states, 1), -1);
    discard(&d);
}
END_TEST

START_TEST(a_connector_that_is_connected_for_good_has_no_dock) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A {\n"
                                    "    part a, b, c : SMORES\n"
                                    "    dock a.T to c.B open\n"
                                    "    connect a.T to b.B\n"
                                    "    connect b.T to c.T\n"
                                    "}\n");
    ck_assert_ptr_null(
        som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags));
    ck_assert_str_eq(test_codes(&design), "4:10 2501");
    test_design_free(&design);
}
END_TEST

START_TEST(docks_have_names_of_their_own) {
    static const struct {
        const char *docks;
        const char *codes;
    } cases[] = {
        {"dock x: m[1].L to m[2].L open; dock x: m[2].R to m[3].R open", "5:36 2514"},
        {"dock x: m[i+1].L to m[i+2].L open for i in 0..1", "5:5 2016"},
        {"dock m[1].L to m[1].R open", "5:5 2502"},
        {"dock x: m[i].L to m[i+1].R open for i in 1..2", ""},
        {"dock m[1].L to m[2].L open; dock m[1].L to m[3].L open", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "use \"smores.m3l\"\nconfig A {\n    part m[3] : SMORES\n"
                 "    connect m[i].B to m[i+1].T for i in 1..2\n    %s\n}\n",
                 cases[i].docks);
        TestDesign design = test_design(text);
        SomConfiguration *c =
            som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags);
        ck_assert_str_eq(test_codes(&design), cases[i].codes);
        ck_assert_int_eq(c != NULL, cases[i].codes[0] == '\0');
        if (i == 3) {
            ck_assert_int_eq(som_configuration_find_dock(c, SOM_STR("x[2]")), 1);
        } else if (i == 4) {
            ck_assert_int_eq(som_configuration_find_dock(c, SOM_STR("m[1].L to m[3].L")), 1);
        }
        som_configuration_destroy(c);
        test_design_free(&design);
    }
}
END_TEST

START_TEST(parts_that_only_an_open_dock_joins_are_apart) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A { part a, b : SMORES; dock a.T to b.B open }\n");
    ck_assert_ptr_null(
        som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags));
    ck_assert_str_eq(test_codes(&design), "2:20 2511");
    test_design_free(&design);
}
END_TEST

SOM_SUITE("dock_states", a_configuration_keeps_its_docks,
          ends_of_a_row_reach_each_other_when_it_is_bent_to_a_ring,
          what_is_let_go_stays_until_it_is_taken_again, a_connector_is_held_by_one_dock_at_a_time,
          a_connector_that_is_connected_for_good_has_no_dock, docks_have_names_of_their_own,
          parts_that_only_an_open_dock_joins_are_apart)
