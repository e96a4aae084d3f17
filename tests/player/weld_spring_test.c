// SPDX-License-Identifier: Apache-2.0
// Tests for player/weld_spring.c, dock_load.c, robot_watch.c and topic.c.

#include "player/robot_watch.h"
#include "player/topic.h"
#include "player/weld_spring.h"
#include "tests/player/played.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define DT 1e-3

// A ball that can turn: enough of a body to be held.
typedef struct Ball {
    double position[3], speed[3], turn[4], turning[3], mass, inertia;
} Ball;

static SomBodyPlace place_of(const Ball *b) {
    return som_body_place(b->position, b->turn);
}

static void move(Ball *b, const SomBodyLoad *load, double sign) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double arm_j = load->at[j] - b->position[j], arm_k = load->at[k] - b->position[k];
        double torque = load->torque[i] + arm_j * load->force[k] - arm_k * load->force[j];
        b->speed[i] += sign * load->force[i] / b->mass * DT;
        b->turning[i] += sign * torque / b->inertia * DT;
    }
    double w[3] = {b->turning[0] * DT / 2, b->turning[1] * DT / 2, b->turning[2] * DT / 2}, q[4];
    memcpy(q, b->turn, sizeof q);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        b->position[i] += b->speed[i] * DT;
        b->turn[i] += w[i] * q[3] + w[j] * q[k] - w[k] * q[j];
    }
    b->turn[3] -= w[0] * q[0] + w[1] * q[1] + w[2] * q[2];
    double length = 0;
    for (int i = 0; i < 4; i++) {
        length += b->turn[i] * b->turn[i];
    }
    for (int i = 0; i < 4; i++) {
        b->turn[i] /= sqrt(length);
    }
}

START_TEST(a_spring_brings_faces_together_and_keeps_them) {
    Ball a = {{0, 0, 0}, {0}, {0, 0, 0, 1}, {0}, 0.2, 1e-4};
    Ball b = {{0.104, 0.002, -0.001}, {0}, {0.02, 0, 0.03, 1}, {0}, 0.1, 5e-5};
    // what two balls, with arms of 5 cm, do against a push
    double give = 1 / a.mass + 1 / b.mass + 0.05 * 0.05 * (1 / a.inertia + 1 / b.inertia);
    SomRobotWeld weld = {.name = "w",
                         .place = som_body_place((double[]){0.1, 0, 0}, (double[]){0, 0, 0, 1}),
                         .mass = 1 / give,
                         .inertia = 1 / (1 / a.inertia + 1 / b.inertia),
                         .middle = {0.05, 0, 0}};
    SomWeldSpring spring = {0};
    for (int i = 0; i < 2000; i++) {
        SomBodyPlace parent = place_of(&a), child = place_of(&b);
        SomBodyLoad load;
        ck_assert(som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load));
        move(&b, &load, 1);
        move(&a, &load, -1);
        ck_assert_double_lt(fabs(b.position[0]), 1);
    }
    SomBodyPlace parent = place_of(&a), child = place_of(&b);
    ck_assert_double_lt(som_weld_gap(&weld, &parent, &child), 1e-5);
    ck_assert_double_lt(fabs(spring.turn[0]) + fabs(spring.turn[1]) + fabs(spring.turn[2]), 1e-5);
}
END_TEST

START_TEST(a_spring_that_aligns_pulls_harder_the_longer_faces_are_apart) {
    SomRobotWeld weld = {.mass = 0.1, .inertia = 1e-4, .place = som_body_place_identity()};
    SomBodyPlace parent = som_body_place_identity(), child = som_body_place_identity();
    child.position[0] = 1e-3;
    SomWeldSpring spring = {.aligns = true};
    SomBodyLoad load;
    for (int i = 0; i < 100; i++) {
        som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load);
    }
    double plain = -0.05 * 0.1 * 1e6 * 1e-3;
    ck_assert_double_eq_tol(load.force[0], 4 * plain, 1e-9);
    for (int i = 0; i < 100000; i++) {
        som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load);
    }
    ck_assert_double_eq_tol(load.force[0], 21 * plain, 1e-9);
    spring.aligns = false;
    som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load);
    ck_assert_double_eq_tol(load.force[0], plain, 1e-9);
}
END_TEST

START_TEST(what_is_put_elsewhere_is_not_shot_away) {
    SomRobotWeld weld = {.mass = 0.1, .inertia = 1e-4, .place = som_body_place_identity()};
    SomBodyPlace parent = som_body_place_identity(), child = som_body_place_identity();
    SomWeldSpring spring = {0};
    SomBodyLoad load;
    som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load);
    ck_assert_double_eq(load.force[0], 0);
    child.position[0] = 0.09;
    som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load);
    ck_assert_double_eq_tol(load.force[0], -0.05 * 0.1 * 1e6 * 0.09, 1e-6); // no damper
    ck_assert(!som_weld_spring_is_far(&spring));
    child.position[0] = 1;
    ck_assert(som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load));
    ck_assert_double_eq(load.force[0], 0);
    ck_assert(som_weld_spring_is_far(&spring));
    weld.mass = 0;
    ck_assert(!som_weld_spring_pull(&weld, &spring, &parent, &child, DT, &load));
    ck_assert_double_eq(load.force[0], 0);
}
END_TEST

START_TEST(a_spring_is_no_stiffer_than_its_bodies) {
    const double masses[2] = {1, 3}, moments[2] = {2e-3, 6e-3};
    SomRobotWeld weld = {.mass = 0.75, .inertia = 1.5e-3};
    ck_assert(som_weld_spring_fits(&weld, masses, moments));
    weld.mass = 0.76;
    ck_assert(!som_weld_spring_fits(&weld, masses, moments));
    weld.mass = 0.1;
    weld.inertia = 1.6e-3;
    ck_assert(!som_weld_spring_fits(&weld, masses, moments));
}
END_TEST

START_TEST(what_is_sensed_is_a_number_and_possible) {
    double positions[2] = {0, 1e6}, speeds[2] = {0, 9e3};
    SomSenses senses = {.positions = positions, .speeds = speeds};
    ck_assert(som_robot_senses_are_sound(&senses, 2));
    speeds[1] = -2e4;
    ck_assert(!som_robot_senses_are_sound(&senses, 2));
    ck_assert(som_robot_senses_are_sound(&senses, 1));
    positions[0] = NAN;
    ck_assert(!som_robot_senses_are_sound(&senses, 1));
}
END_TEST

// Seconds until the dock breaks under a load; -1: it does not in a second.
static double breaks_after(const SomDockLimits *limits, SomBodyLoad load) {
    SomBodyPlace child = som_body_place((double[]){1, 2, 3}, (double[]){0, 0, 1, 0}); // half a turn
    SomDockLoad dock = {0};
    for (int i = 1; i <= 1000; i++) {
        if (som_dock_load_step(limits, &dock, &load, &child, DT)) {
            return i * DT;
        }
    }
    return -1;
}

START_TEST(a_dock_breaks_by_tension_shear_and_bending_once_it_has_settled) {
    SomDockLimits limits = {.tension = 10, .shear = 5, .bending = 1, .outward = {1, 0, 0}};
    // the face looks to -x in the world
    ck_assert_double_lt(breaks_after(&limits, (SomBodyLoad){{1, 2, 3}, {9.9, 0, 0}, {0}}), 0);
    ck_assert_double_lt(breaks_after(&limits, (SomBodyLoad){{1, 2, 3}, {50, 0, 0}, {0}}),
                        0); // push
    ck_assert_double_eq_tol(breaks_after(&limits, (SomBodyLoad){{1, 2, 3}, {-11, 0, 0}, {0}}),
                            SOM_DOCK_SETTLES, 2e-3);
    ck_assert_double_gt(breaks_after(&limits, (SomBodyLoad){{1, 2, 3}, {0, 4, 4}, {0}}), 0);
    ck_assert_double_gt(breaks_after(&limits, (SomBodyLoad){{1, 2, 3}, {0}, {0, 0, 1.1}}), 0);
    // a push beside the face bends it
    ck_assert_double_gt(breaks_after(&limits, (SomBodyLoad){{1, 2.3, 3}, {4, 0, 0}, {0}}), 0);
    SomDockLimits none = {.outward = {1, 0, 0}};
    ck_assert_double_lt(breaks_after(&none, (SomBodyLoad){{1, 2, 3}, {-1e9, 0, 0}, {0}}), 0);
}
END_TEST

START_TEST(the_outcome_says_what_is_worst) {
    Played played;
    played_init(&played, "position 0 1 timeout 2");
    SomRobotDof dofs[2] = {{.name = "a", .joint = "j"}, {.name = "b", .joint = "k"}};
    SomRobotRunDef def = {&played.graph, dofs, NULL, 0};
    void *memory = malloc(som_robot_run_size(&def));
    SomRobotRun *run = som_robot_run_init(memory, som_robot_run_size(&def), &def, NULL);
    SomRobotWatch watch = {0};
    double zeros[2] = {0};
    SomSenses senses = {.positions = zeros, .speeds = zeros};
    som_robot_run_play(run, &senses, DT); // the action starts: that is news
    som_robot_run_play(run, &senses, DT);
    for (int i = 0; i < 1100; i++) {
        som_robot_watch_step(&watch, run, &senses, true, DT);
        ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)),
                         i < 999 ? "running" : "stuck");
    }
    for (int i = 0; i < SOM_NUMB_STEPS; i++) {
        som_robot_watch_step(&watch, run, &senses, false, DT);
    }
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "nothing moves");
    som_robot_watch_step(&watch, run, &senses, true, DT);
    for (int i = 0; i < 2000; i++) {
        som_robot_run_play(run, &senses, DT);
    }
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "timeout");
    watch.has_collided = true;
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "collided");
    watch.has_fallen = true;
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "fell");
    watch.has_opened = true;
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "loop open");
    watch.has_broken = true;
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "dock broke");
    watch.has_diverged = true;
    ck_assert_str_eq(som_outcome_word(som_robot_watch_outcome(&watch, run)), "diverged");
    free(memory);
    played_free(&played);
}
END_TEST

START_TEST(a_topic_has_no_blanks) {
    char topic[64];
    size_t length = som_topic_write("My robot: 2", "state", topic, sizeof topic);
    ck_assert_str_eq(topic, "/model/My_robot__2/somite/state");
    ck_assert_uint_eq(length, strlen(topic));
    som_topic_write("", "state", topic, sizeof topic);
    ck_assert_str_eq(topic, "/model/_/somite/state");
    ck_assert_uint_eq(som_topic_write("a", "b", NULL, 0), 17);
}
END_TEST

SOM_SUITE("player/weld_spring", a_spring_brings_faces_together_and_keeps_them,
          a_spring_that_aligns_pulls_harder_the_longer_faces_are_apart,
          what_is_put_elsewhere_is_not_shot_away, a_spring_is_no_stiffer_than_its_bodies,
          what_is_sensed_is_a_number_and_possible,
          a_dock_breaks_by_tension_shear_and_bending_once_it_has_settled,
          the_outcome_says_what_is_worst, a_topic_has_no_blanks)
