// SPDX-License-Identifier: Apache-2.0
// Tests for robots that docks take apart: checks of mechanisms of several pieces.

#include "compose/dock_states.h"
#include "tests/verify/verified.h"
#include "verify/batch.h"
#include "verify/loads.h"

#include <math.h>

static const char *const two = "use \"smores.m3l\"\n"
                               "config Two {\n"
                               "    part a, b : SMORES\n"
                               "    dock d: a.B to b.T closed\n"
                               "    behavior o = disconnect d timeout 2s\n"
                               "    behavior keep = a.tilt to 5deg\n"
                               "}\n"
                               "config One is SMORES {}\n"
                               "config Four {\n"
                               "    part a, b, c, e : SMORES\n"
                               "    connect a.B to b.T\n"
                               "    dock d: b.B to c.T closed\n"
                               "    connect c.B to e.T\n"
                               "    behavior o = series(disconnect d timeout 2s, e.pan to 30deg)\n"
                               "}\n"
                               "config Front {\n"
                               "    part a, b : SMORES\n"
                               "    connect a.B to b.T\n"
                               "}\n";

// ---- one mechanism of two pieces

typedef struct Opened {
    TestDesign design;
    SomConfiguration *whole, *front;
    SomDockStates *states;
    const SomMechanism *m;
    SomMechanism *front_m;
} Opened;

static Opened open_dock(void) {
    Opened o = {.design = test_design(two)};
    o.whole = test_compose(&o.design, "Four");
    o.front = test_compose(&o.design, "Front");
    o.states = som_dock_states_create(o.whole);
    som_dock_states_set(o.states, 0, false);
    o.m = som_dock_states_mechanism(o.states);
    o.front_m = som_mechanism_create(o.front);
    return o;
}

static void discard(Opened *o) {
    som_mechanism_destroy(o->front_m);
    som_dock_states_destroy(o->states);
    som_configuration_destroy(o->whole);
    som_configuration_destroy(o->front);
    test_design_free(&o->design);
}

START_TEST(mass_and_centre_of_mass_are_those_of_the_piece_with_the_base) {
    Opened o = open_dock();
    const SomPose *links = som_dock_states_links(o.states);
    SomPose *own = som_alloc(sizeof *own * (size_t)o.front_m->link_count);
    SomPosture start = som_posture_start(o.front);
    som_mechanism_place(o.front_m, &start, own);
    ck_assert_int_eq(o.m->configuration->piece_count, 1);
    ck_assert_double_eq(o.m->mass, o.front_m->mass);
    SomVec3 is = som_mechanism_com(o.m, links), wanted = som_mechanism_com(o.front_m, own);
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(is, wanted)), 1e-12);
    for (int i = 0; i < o.m->link_count; i++) {
        ck_assert(o.m->links[i].is_loose == (o.m->links[i].module >= 2));
    }
    som_posture_free(&start);
    som_free(own);
    discard(&o);
}
END_TEST

START_TEST(eight_postures_place_loose_pieces_where_they_were_let_go) {
    Opened o = open_dock();
    SomBatch *batch = som_batch_create(o.m, NULL);
    double *values = som_alloc(sizeof *values * SOM_BATCH * (size_t)o.m->dof_count);
    SomPosture posture = som_posture_start(o.whole);
    for (int i = 0; i < o.m->dof_count; i++) {
        posture.values[i] = 0.1 * (i % 5) - 0.2;
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            values[i * SOM_BATCH + lane] = posture.values[i];
        }
    }
    som_dock_states_place(o.states, &posture);
    som_batch_place(batch, values);
    const SomPose *links = som_dock_states_links(o.states);
    for (int i = 0; i < o.m->link_count; i++) {
        SomPose is = som_batch_pose(batch, i, 3);
        ck_assert_double_lt(som_vec3_length(som_vec3_sub(is.position, links[i].position)), 1e-12);
        ck_assert_double_lt(som_rotation_distance(is.rotation, links[i].rotation), 1e-7);
    }
    SomVec3 com = som_batch_com(batch, 0), wanted = som_mechanism_com(o.m, links);
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(com, wanted)), 1e-12);
    som_posture_free(&posture);
    som_free(values);
    som_batch_destroy(batch);
    discard(&o);
}
END_TEST

// The loads of the front alone; those of the loose piece are not known.
START_TEST(a_loose_piece_loads_nothing_and_its_own_loads_are_unknown) {
    Opened o = open_dock();
    SomStanding *standing[2] = {som_standing_create(o.m, NULL, 1e-3),
                                som_standing_create(o.front_m, NULL, 1e-3)};
    SomStatics *statics[2] = {som_statics_create(&(SomStaticsDef){.mechanism = o.m}),
                              som_statics_create(&(SomStaticsDef){.mechanism = o.front_m})};
    SomStance stance = som_standing_measure(standing[0], o.whole->start);
    SomStance alone = som_standing_measure(standing[1], o.front->start);
    ck_assert_int_eq(stance.contacts->count, alone.contacts->count);
    ck_assert_double_eq_tol(stance.support.margin, alone.support.margin, 1e-9);
    const SomBalance *is = som_statics_solve(statics[0], stance.links, stance.contacts);
    const SomBalance *wanted = som_statics_solve(statics[1], alone.links, alone.contacts);
    ck_assert(is->has_loads && is->is_balanced == wanted->is_balanced);
    for (int i = 0; i < o.m->dof_count; i++) {
        if (i < o.front_m->dof_count) {
            ck_assert_double_eq_tol(is->efforts[i], wanted->efforts[i], 1e-9);
        } else {
            ck_assert_double_nan(is->efforts[i]);
        }
    }
    ck_assert_int_eq(o.m->configuration->connection_count, 2);
    ck_assert_double_eq_tol(is->connections[0].bending, wanted->connections[0].bending, 1e-9);
    ck_assert_double_nan(is->connections[1].bending);
    for (int i = 0; i < 2; i++) {
        som_statics_destroy(statics[i]);
        som_standing_destroy(standing[i]);
    }
    discard(&o);
}
END_TEST

// All checks, also of a part of the motion in which joints of the loose piece move.
START_TEST(a_motion_goes_on_with_the_piece_of_the_base) {
    TestVerified v = test_verify(two, "Four", "o");
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .wants_efforts = true};
    SomVerification *found = som_verify(&def);
    int last = found->sample_count - 1, dofs = found->dof_count;
    ck_assert(isfinite(found->efforts[last * dofs]));
    ck_assert(isfinite(found->efforts[dofs - 1])); // while it was connected
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/loose_pieces", mass_and_centre_of_mass_are_those_of_the_piece_with_the_base,
          eight_postures_place_loose_pieces_where_they_were_let_go,
          a_loose_piece_loads_nothing_and_its_own_loads_are_unknown,
          a_motion_goes_on_with_the_piece_of_the_base)
