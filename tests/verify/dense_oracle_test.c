// SPDX-License-Identifier: Apache-2.0
// Random behaviors of robots, with FCL asked ten thousand times a second (a hundred thousand in the
// long run) which links overlap: the certificate misses none of it, and tells no touch that is not.
//
// Verdicts allow for a little depth (verify/pairs.h). FCL is given shapes made smaller by half of
// it: where these overlap, the real ones do by more than is allowed.

#include "base/memory.h"
#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "tests/compose/texts.h"
#include "tests/verify/fcl_shapes.h"
#include "verify/certificate.h"

#include <math.h>

#define WITHIN 1e-3 // seconds in which the first touch is told
#define MOST_TIME 1.2
#define LEVELS 3

// By how much shapes are smaller on every side: not at all, and for pairs that are free or flush.
static const double insets[LEVELS] = {0, 1.2e-5, 6e-4};

static const char *const robots = "use \"smores.m3l\"\n"
                                  "config Chain {\n"
                                  "    part m[6] : SMORES\n"
                                  "    connect m[i].B to m[i+1].T for i in 1..5\n"
                                  "}\n"
                                  "config Fork {\n"
                                  "    part a, b, c, d, e : SMORES\n"
                                  "    connect a.L to b.T\n"
                                  "    connect a.T to c.T\n"
                                  "    connect b.B to d.T\n"
                                  "    connect c.B to e.T\n"
                                  "}\n"
                                  "config Hook {\n"
                                  "    part a, b, c, d : SMORES\n"
                                  "    connect a.B to b.T\n"
                                  "    connect b.B to c.T\n"
                                  "    connect c.L to d.B\n"
                                  "}\n";
static const char *const names[] = {"Chain", "Fork", "Hook"};

typedef struct Part {
    FclShape *shapes[LEVELS];
    SomPose pose;
    double radius; // of a ball round it, in the middle of its frame
} Part;

typedef struct Solid {
    Part *parts;
    int count;
} Solid;

typedef struct Robot {
    TestDesign design;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPairs *pairs;
    Solid *solids;
    SomPose *links;
    SomPosture posture;
} Robot;

// ---- robots

static FclShape *make_smaller(const SomShape *shape, double by) {
    ck_assert(shape->kind == SOM_SHAPE_BOX || shape->kind == SOM_SHAPE_CYLINDER);
    SomShape smaller = *shape;
    smaller.half = som_vec3_sub(shape->half, som_vec3(by, by, by));
    smaller.radius -= by;
    smaller.half_length -= by;
    return fcl_shape_create(&smaller);
}

static Solid make_solid(const SomModuleLink *link) {
    Solid solid = {som_alloc(sizeof(Part) * (size_t)link->part_count), link->part_count};
    for (int i = 0; i < link->part_count; i++) {
        const SomShapePart *part = &link->parts[i];
        solid.parts[i].pose = part->pose;
        solid.parts[i].radius = som_shape_ball(&part->shape).radius;
        for (int k = 0; k < LEVELS; k++) {
            solid.parts[i].shapes[k] = make_smaller(&part->shape, insets[k]);
        }
    }
    return solid;
}

static Robot make_robot(const char *name) {
    Robot r = {.design = test_design(robots)};
    r.configuration = test_compose(&r.design, name);
    r.mechanism = som_mechanism_create(r.configuration);
    r.pairs = som_pairs_create(r.mechanism);
    r.posture = som_posture_start(r.configuration);
    size_t count = (size_t)r.mechanism->link_count;
    r.links = som_alloc(sizeof *r.links * count);
    r.solids = som_alloc(sizeof *r.solids * count);
    for (size_t i = 0; i < count; i++) {
        r.solids[i] = make_solid(r.mechanism->links[i].link);
    }
    return r;
}

static void free_robot(Robot *r) {
    for (int i = 0; i < r->mechanism->link_count; i++) {
        for (int k = 0; k < r->solids[i].count * LEVELS; k++) {
            fcl_shape_destroy(r->solids[i].parts[k / LEVELS].shapes[k % LEVELS]);
        }
        som_free(r->solids[i].parts);
    }
    som_free(r->solids);
    som_free(r->links);
    som_posture_free(&r->posture);
    som_pairs_destroy(r->pairs);
    som_mechanism_destroy(r->mechanism);
    som_configuration_destroy(r->configuration);
    test_design_free(&r->design);
}

// ---- behaviors

// One joint of each module goes from place to place at its own speed; robots that curl up meet
// themselves.
static SomActionGraph *random_behavior(Robot *r, SomTestRandom *random) {
    static const char *const joints[] = {"left", "right", "front", "bend", "bend"};
    bool is_curling = som_test_int(random, 0, 2) > 0;
    SomText text = {0};
    som_text_printf(&text, "parallel(");
    for (int i = 0; i < r->configuration->module_count; i++) {
        SomStr path = r->configuration->modules[i].path;
        const char *joint = joints[is_curling ? 4 : som_test_int(random, 0, 4)];
        som_text_printf(&text, i == 0 ? "series(" : ", series(");
        for (int k = 0; k < 3; k++) {
            som_text_printf(&text, "%s%.*s.%s to %ddeg at %ddeg/s timeout 1s", k == 0 ? "" : ", ",
                            SOM_STR_ARG(path), joint,
                            som_test_int(random, is_curling ? 80 : -90, 90),
                            som_test_int(random, 60, 137));
        }
        som_text_printf(&text, ")");
    }
    som_text_printf(&text, ")");
    SomCompileDef def = {.workspace = r->design.workspace,
                         .configuration = r->configuration,
                         .diags = r->design.diags};
    SomActionGraph *graph = som_compile_call(&def, som_text_str(&text));
    if (graph == NULL) {
        ck_abort_msg("%s", test_diagnostics(&r->design));
    }
    som_text_free(&text);
    return graph;
}

static SomPrediction predict(Robot *r, const SomActionGraph *graph, SomTestRandom *random) {
    for (int i = 0; i < r->posture.count; i++) {
        bool is_bend =
            som_str_equal(som_configuration_joint(r->configuration, i)->name, SOM_STR("bend"));
        r->posture.values[i] = (is_bend ? 1 : 0.1) * som_test_uniform(random, -0.3, 1.3);
    }
    SomServoModel *servos = som_compile_servos(r->configuration);
    SomPrediction prediction = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_prediction_play(&(SomPredictionDef){.graph = graph,
                                            .servos = servos,
                                            .initial = r->posture.values,
                                            .most_time = MOST_TIME,
                                            .is_excerpt = true},
                        &prediction, diags);
    som_diagnostics_destroy(diags);
    som_free(servos);
    return prediction;
}

// ---- what FCL says

static bool overlap(const Robot *r, int a, int b, int level) {
    SomPartPairs except = som_pairs_except(r->pairs, a, b);
    for (int i = 0; i < r->solids[a].count; i++) {
        const Part *p = &r->solids[a].parts[i];
        SomPose at = som_pose_compose(r->links[a], p->pose);
        for (int k = 0; k < r->solids[b].count; k++) {
            const Part *q = &r->solids[b].parts[k];
            if (som_part_pair_is_in(except, r->pairs->solids[b], i, k)) {
                continue;
            }
            SomPose bt = som_pose_compose(r->links[b], q->pose);
            SomVec3 way = som_vec3_sub(at.position, bt.position);
            double reach = p->radius + q->radius;
            if (som_vec3_dot(way, way) <= reach * reach &&
                fcl_shapes_touch(p->shapes[level], &at, q->shapes[level], &bt)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_told(const SomCertificate *found, int a, int b, double time) {
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *o = &found->overlaps.data[i];
        if (o->link_a == a && o->link_b == b && time >= o->t0 - WITHIN && time <= o->t1 + WITHIN) {
            return true;
        }
    }
    return false;
}

static void place_at(Robot *r, const SomPrediction *prediction, double time) {
    som_prediction_at(prediction, time, r->posture.values);
    som_mechanism_place(r->mechanism, &r->posture, r->links);
}

// Overlaps at a time that the certificate does not tell.
static int missed_at(const Robot *r, const SomCertificate *found, double time) {
    int missed = 0;
    for (int a = 0; a < r->mechanism->link_count; a++) {
        for (int b = a + 1; b < r->mechanism->link_count; b++) {
            double allowed;
            SomPairRule rule = som_pairs_rule(r->pairs, a, b, &allowed);
            if (!som_pair_is_tested(rule)) {
                continue;
            }
            int level = rule == SOM_PAIR_FREE ? 1 : 2;
            bool is_covered = 2 * insets[level] > allowed + SOM_CERTIFIED_DEPTH;
            missed += !is_covered || (overlap(r, a, b, level) && !is_told(found, a, b, time));
        }
    }
    return missed;
}

// Overlaps that are told and are none a millisecond after they are said to begin.
static int invented(Robot *r, const SomPrediction *prediction, const SomCertificate *found) {
    int wrong = 0;
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *o = &found->overlaps.data[i];
        place_at(r, prediction, fmin(o->t0 + WITHIN, o->t1));
        wrong += !overlap(r, o->link_a, o->link_b, 0);
    }
    return wrong;
}

START_TEST(certificates_miss_nothing_that_fcl_finds) {
    SomTestRandom random = {21};
    double step = som_test_count(10, 1) * 1e-5;
    int overlaps = 0, free_motions = 0;
    for (int i = 0; i < som_test_count(3, 9); i++) {
        Robot r = make_robot(names[i % 3]);
        SomActionGraph *graph = random_behavior(&r, &random);
        SomPrediction prediction = predict(&r, graph, &random);
        SomCertificate found = {0};
        som_certify(
            &(SomCertificateDef){.pairs = r.pairs,
                                 .motion = {prediction.times.data, prediction.positions.data,
                                            prediction.times.count, prediction.dof_count}},
            &found);
        ck_assert_int_eq(found.undecided.count, 0);
        int missed = 0;
        double end = prediction.times.data[prediction.times.count - 1];
        for (int k = 0; k * step <= end; k++) {
            place_at(&r, &prediction, k * step);
            missed += missed_at(&r, &found, k * step);
        }
        ck_assert_msg(end > 0.3, "behavior %d takes %g s", i, end);
        ck_assert_msg(missed == 0, "behavior %d: missed %d times", i, missed);
        ck_assert_msg(invented(&r, &prediction, &found) == 0, "behavior %d: no touch", i);
        overlaps += found.overlaps.count;
        free_motions += found.overlaps.count == 0;
        som_certificate_free(&found);
        som_prediction_free(&prediction);
        som_action_graph_destroy(graph);
        free_robot(&r);
    }
    // there was something to miss, and something to invent
    ck_assert_int_gt(overlaps, 20);
    ck_assert_int_gt(free_motions, 0);
}
END_TEST

SOM_SUITE("verify/dense_oracle", certificates_miss_nothing_that_fcl_finds)
