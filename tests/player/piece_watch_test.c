// SPDX-License-Identifier: Apache-2.0
// Tests for player/piece_watch.c: pieces fall by themselves, and together while docks hold them.

#include "player/piece_watch.h"
#include "tests/suite.h"

#include <math.h>

// Three boxes, each a piece; the last one is bolted down.
typedef struct Scene {
    SomRobotBody bodies[3];
    SomBodyPlace places[3];
    SomPieceWatch pieces[3];
    SomPiecePair held[2];
    int held_count;
} Scene;

static void put(Scene *s, int body, double height, double angle) {
    s->places[body] = som_body_place((double[]){body, 0, height},
                                     (double[]){0, sin(angle / 2), 0, cos(angle / 2)});
}

static Scene make_scene(void) {
    Scene s = {0};
    for (int i = 0; i < 3; i++) {
        s.bodies[i] = (SomRobotBody){.mass = 1,
                                     .up = {0, 0, 1},
                                     .upright = 1,
                                     .is_base = true,
                                     .is_fixed = i == 2,
                                     .piece = i,
                                     .base = som_body_place_identity()};
        put(&s, i, 0.1, 0);
    }
    return s;
}

static int step(Scene *s) {
    SomFallLimits limits = som_fall_limits();
    SomPieceStep now = {s->bodies, s->places, 3, s->held, s->held_count, &limits};
    return som_piece_watch_step(s->pieces, 3, &now);
}

START_TEST(each_piece_falls_by_itself_and_once) {
    Scene s = make_scene();
    ck_assert_int_eq(som_piece_count(s.bodies, 3), 3);
    ck_assert_int_eq(step(&s), -1);
    put(&s, 1, 0.1, 1);
    ck_assert_int_eq(step(&s), 1);
    ck_assert_int_eq(step(&s), -1);
    ck_assert(!s.pieces[0].has_fallen && s.pieces[1].has_fallen);
    put(&s, 0, 0.04, 0); // it has sunk
    ck_assert_int_eq(step(&s), 0);
}
END_TEST

START_TEST(what_is_bolted_down_never_falls_nor_what_it_holds) {
    Scene s = make_scene();
    step(&s);
    put(&s, 2, 0.01, 3);
    ck_assert_int_eq(step(&s), -1);
    s.held[0] = (SomPiecePair){2, 0};
    s.held_count = 1;
    step(&s);
    put(&s, 0, 0.5, 2);
    ck_assert_int_eq(step(&s), -1);
    s.held_count = 0; // released, 0.5 m above the ground
    ck_assert_int_eq(step(&s), -1);
    put(&s, 0, 0.1, 2);
    ck_assert_int_eq(step(&s), 0);
}
END_TEST

// In a chain of docks, whatever their order, all are one group.
START_TEST(pieces_that_are_docked_fall_together) {
    Scene s = make_scene();
    s.bodies[2].is_fixed = false;
    s.held[0] = (SomPiecePair){1, 2};
    s.held[1] = (SomPiecePair){1, 0};
    s.held_count = 2;
    ck_assert_int_eq(step(&s), -1);
    ck_assert_int_eq(s.pieces[2].group1, 1);
    put(&s, 2, 0.1, 1); // one of three does not tip them all
    ck_assert_int_eq(step(&s), -1);
    for (int i = 0; i < 3; i++) {
        put(&s, i, 0.1, 1);
    }
    ck_assert_int_eq(step(&s), 0);
}
END_TEST

START_TEST(places_are_those_of_the_bases) {
    Scene s = make_scene();
    SomBodyPlace places[3];
    s.bodies[1].base.position[2] = 0.5;
    som_piece_places(s.bodies, s.places, 3, places, 3);
    ck_assert_double_eq_tol(places[0].position[2], 0.1, 1e-15);
    ck_assert_double_eq_tol(places[1].position[2], 0.6, 1e-15);
    ck_assert_double_eq(places[2].position[0], 2);
}
END_TEST

SOM_SUITE("player/piece_watch", each_piece_falls_by_itself_and_once,
          what_is_bolted_down_never_falls_nor_what_it_holds, pieces_that_are_docked_fall_together,
          places_are_those_of_the_bases)
