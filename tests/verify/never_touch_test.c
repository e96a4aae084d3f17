// SPDX-License-Identifier: Apache-2.0
// What is proven never to touch does not, in any posture that is tried; and some of what is proven.

#include "base/memory.h"
#include "space/distance.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"
#include "tests/verify/library.h"
#include "verify/never_touch.h"

#include <math.h>

typedef struct Proof {
    SomMechanism *m;
    SomArena arena;
    const SomMechanismPair *pairs;
    int count;
} Proof;

static Proof prove(const SomConfiguration *design, const SomPosture *posture) {
    Proof p = {.m = som_mechanism_create(design)};
    p.count = som_never_touch(p.m, posture, &p.arena, &p.pairs);
    return p;
}

static void proof_free(Proof *p) {
    som_arena_free(&p->arena);
    som_mechanism_destroy(p->m);
}

// ---- by trying

static double distance_of(const SomMechanism *m, const SomPose *links, int a, int b) {
    const SomModuleLink *x = m->links[a].link, *y = m->links[b].link;
    double least = (double)INFINITY;
    for (int i = 0; i < x->part_count; i++) {
        for (int k = 0; k < y->part_count; k++) {
            SomPose pose = som_pose_compose(links[a], x->parts[i].pose);
            SomPose other = som_pose_compose(links[b], y->parts[k].pose);
            double d =
                som_shape_distance(&x->parts[i].shape, pose, &y->parts[k].shape, other).distance;
            least = fmin(least, d);
        }
    }
    return least;
}

// At limits as often as between them.
static void try_posture(const SomMechanism *m, SomTestRandom *random, SomPosture *posture) {
    for (int i = 0; i < m->dof_count; i++) {
        double low = m->joints[i].joint->low, high = m->joints[i].joint->high;
        low = isfinite(low) ? low : -7;
        high = isfinite(high) ? high : 7;
        int choice = som_test_int(random, 0, 3);
        posture->values[i] = choice == 0   ? low
                             : choice == 1 ? high
                                           : som_test_uniform(random, low, high);
    }
}

static double nearest(const Proof *p, const SomPosture *posture, SomPose *links) {
    double least = (double)INFINITY;
    som_mechanism_place(p->m, posture, links);
    for (int i = 0; i < p->count; i++) {
        least = fmin(least, distance_of(p->m, links, p->pairs[i].link_a, p->pairs[i].link_b));
    }
    return least;
}

static void check_by_trying(const Proof *p, const char *name, int tries) {
    SomTestRandom random = {5};
    SomPosture posture = som_posture_start(p->m->configuration);
    SomPose *links = som_alloc(sizeof *links * (size_t)p->m->link_count);
    double least = nearest(p, &posture, links);
    for (int i = 0; i < tries; i++) {
        try_posture(p->m, &random, &posture);
        least = fmin(least, nearest(p, &posture, links));
    }
    ck_assert_msg(least > 0, "%s: %d pairs, %g", name, p->count, least);
    for (int i = 0; i < p->count; i++) { // each once
        ck_assert_int_lt(p->pairs[i].link_a, p->pairs[i].link_b);
        for (int k = 0; k < i; k++) {
            ck_assert(p->pairs[i].link_a != p->pairs[k].link_a ||
                      p->pairs[i].link_b != p->pairs[k].link_b);
        }
    }
    som_free(links);
    som_posture_free(&posture);
}

START_TEST(no_posture_of_the_library_touches_what_is_proven) {
    SomTestLibrary library = som_test_library_open();
    int proven = 0;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *design = library.designs.data[i];
        Proof p = prove(design, NULL);
        check_by_trying(&p, design->name.data, som_test_count(40, 2000));
        proven += p.count;
        proof_free(&p);
    }
    ck_assert_int_gt(proven, 1000);
    som_test_library_close(&library);
}
END_TEST

// ---- chains made at random

static void add_shape(SomText *text, SomTestRandom *random, int at) {
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = i < 3 ? som_test_uniform(random, -0.1, 0.1) : som_test_uniform(random, 0.02, 0.15);
    }
    x[0] += 0.15 * at;
    switch (som_test_int(random, 0, 2)) {
    case 0:
        som_text_printf(text, "box((%f, %f, %f), (%f, %f, %f))", x[0], x[1], x[2], x[3], x[4],
                        x[5]);
        break;
    case 1:
        som_text_printf(text, "capsule((%f, %f, %f), (%f, %f, %f), %f)", x[0], x[1], x[2],
                        x[0] + x[3], x[1] + x[4], x[2], 0.5 * x[5]);
        break;
    default:
        som_text_printf(text, "cylinder((%f, %f, %f), (%f, %f, %f), %f)", x[0], x[1], x[2],
                        x[0] - x[3], x[1] + x[4], x[2] + x[5], 0.5 * x[5]);
    }
}

static void add_joint(SomText *text, SomTestRandom *random, int at) {
    double d[3] = {som_test_normal(random), som_test_normal(random), som_test_normal(random)};
    double o[3] = {0.15 * at + som_test_uniform(random, -0.1, 0.1),
                   som_test_uniform(random, -0.1, 0.1), som_test_uniform(random, -0.1, 0.1)};
    bool slides = som_test_int(random, 0, 3) == 0;
    double low = som_test_uniform(random, -1, 0) * (slides ? 0.1 : 1.5);
    double high = som_test_uniform(random, 0, 1) * (slides ? 0.1 : 1.5);
    som_text_printf(text, "axis p%d: origin=(%f, %f, %f), direction=(%f, %f, %f)\n", at, o[0], o[1],
                    o[2], d[0], d[1], d[2]);
    som_text_printf(text, "axis c%d: origin=(%f, %f, %f), direction=(%f, %f, %f)\n", at, o[0], o[1],
                    o[2], -d[0], -d[1], -d[2]);
    som_text_printf(text, "joint J%d: type=%s, ", at, slides ? "prismatic" : "revolute");
    if (som_test_int(random, 0, 4) > 0) {
        som_text_printf(text, "value=[%f, %f], ", low, high);
    }
    // on the last link or on any before
    int parent = som_test_int(random, 0, 2) == 0 ? som_test_int(random, 0, at - 1) : at - 1;
    som_text_printf(text, "pair=((L%d, c%d), (L%d, p%d))\n", at, at, parent, at);
}

// One module of so many links.
static SomConfiguration *make_chain(SomTestRandom *random, int links, SomM3l **m3l,
                                    SomDiagnostics *diags) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module Chain:\n"));
    for (int i = 0; i < links; i++) {
        som_text_printf(&text, "link L%d: shape=", i);
        add_shape(&text, random, i);
        som_text_add_char(&text, '\n', 1);
    }
    for (int i = 1; i < links; i++) {
        add_joint(&text, random, i);
    }
    *m3l = som_m3l_read(som_text_str(&text), 0, diags);
    ck_assert_msg((*m3l)->type_count == 1, "%s", text.data);
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Chain")});
    test_add_module(b, "m", 0, *m3l, "Chain");
    SomText said = {0};
    SomConfiguration *design = test_finish_with(b, &said);
    ck_assert_msg(design != NULL, "%s", said.data);
    som_text_free(&said);
    som_text_free(&text);
    return design;
}

START_TEST(no_posture_of_random_chains_touches_what_is_proven) {
    SomTestRandom random = {3};
    int proven = 0;
    for (int i = 0; i < som_test_count(25, 400); i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomM3l *m3l;
        SomConfiguration *design = make_chain(&random, som_test_int(&random, 3, 7), &m3l, diags);
        Proof p = prove(design, NULL);
        check_by_trying(&p, "chain", som_test_count(300, 3000));
        proven += p.count;
        proof_free(&p);
        som_configuration_destroy(design);
        som_m3l_destroy(m3l);
        som_diagnostics_destroy(diags);
    }
    ck_assert_int_gt(proven, 20);
}
END_TEST

// ---- what is known

static bool is_told(const Proof *p, const char *a, const char *b) {
    for (int i = 0; i < p->count; i++) {
        SomStr x = p->m->links[p->pairs[i].link_a].path, y = p->m->links[p->pairs[i].link_b].path;
        if ((som_str_equal(x, som_str(a)) && som_str_equal(y, som_str(b))) ||
            (som_str_equal(x, som_str(b)) && som_str_equal(y, som_str(a)))) {
            return true;
        }
    }
    return false;
}

START_TEST(wheels_of_a_module_never_meet_and_bodies_of_a_chain_may) {
    TestDesign design = test_design("use \"smores.m3l\"\nconfig C {\n    part a, b, c : SMORES\n"
                                    "    connect a.B to b.T\n    connect b.B to c.T\n}\n");
    SomConfiguration *c = test_compose(&design, "");
    Proof p = prove(c, NULL);
    ck_assert(is_told(&p, "a.LeftWheel", "a.RightWheel"));
    ck_assert(is_told(&p, "a.LeftWheel", "a.FrontWheel"));
    ck_assert(!is_told(&p, "a.LeftWheel", "a.UHolderBody"));   // they overlap at a joint
    ck_assert(!is_told(&p, "a.UHolderBody", "b.FrontWheel"));  // a connection
    ck_assert(is_told(&p, "a.CircuitHolder", "a.FrontWheel")); // a joint, with room all around it
    proof_free(&p);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

// An arm of 10 cm that turns about z by up to `limit` from pointing along x; a post stands along y.
static bool arm_never_meets_post(const char *limit, double value) {
    SomText text = {0};
    som_text_printf(&text,
                    "module Arm:\n"
                    "link post: shape=(box((0, 0.1, 0), (0.02, 0.02, 0.02)),"
                    " box((0, 0, -0.1), (0.02, 0.02, 0.02)))\n"
                    "link stand: shape=box((0, 0, -0.05), (0.01, 0.01, 0.01))\n"
                    "link arm: shape=box((0.05, 0, 0), (0.1, 0.02, 0.02))\n"
                    "axis a: origin=(0, 0, 0), direction=(0, 0, 1)\n"
                    "axis b: origin=(0, 0, 0), direction=(0, 0, -1)\n"
                    "joint fixed: type=fixed, pair=((stand, a), (post, b))\n"
                    "joint turn: type=revolute, value=[-%s, %s], pair=((arm, a), (stand, b))\n",
                    limit, limit);
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_text_str(&text), 0, diags);
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Arm")});
    test_add_module(b, "m", 0, m3l, "Arm");
    SomText said = {0};
    SomConfiguration *design = test_finish_with(b, &said);
    ck_assert_msg(design != NULL, "%s", said.data);
    SomPosture posture = som_posture_start(design);
    posture.values[0] = value;
    Proof p = prove(design, &posture);
    bool is_apart = is_told(&p, "m.post", "m.arm");
    ck_assert(is_told(&p, "m.post", "m.stand")); // one rigid body, apart
    proof_free(&p);
    som_posture_free(&posture);
    som_configuration_destroy(design);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&said);
    som_text_free(&text);
    return is_apart;
}

// Its corner meets the post's at 77.3 degrees.
START_TEST(limits_and_postures_beyond_them_decide) {
    ck_assert(arm_never_meets_post("30deg", 0));
    ck_assert(arm_never_meets_post("76deg", 0));
    ck_assert(!arm_never_meets_post("79deg", 0));
    ck_assert(!arm_never_meets_post("180deg", 0));
    ck_assert(!arm_never_meets_post("30deg", SOM_PI / 2));
    ck_assert(arm_never_meets_post("30deg", SOM_PI / 4));
}
END_TEST

SOM_SUITE("verify/never_touch", no_posture_of_the_library_touches_what_is_proven,
          no_posture_of_random_chains_touches_what_is_proven,
          wheels_of_a_module_never_meet_and_bodies_of_a_chain_may,
          limits_and_postures_beyond_them_decide)
