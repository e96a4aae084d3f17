// SPDX-License-Identifier: Apache-2.0
// Physics and geometry agree on which links touch: wherever links overlap at the joint values that
// an engine reached, the engine has a contact, and none where they are apart.

#include "base/file.h"
#include "behaviors/compile.h"
#include "exchange/sdf.h"
#include "simulate/world.h"
#include "tests/simulate/runs.h"
#include "verify/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OVERLAP 5e-3    // metres: the engine must have a contact
#define CLEARANCE 10e-3 // metres: it must have none
#define MOTION 0.2      // seconds, each
#define MOTIONS 5       // in one world: loading it takes longest
#define LOOK 10         // steps between two looks

// Two legs side by side, each near the body and the other one.
static const char legs[] = "use \"walkbot.som\"\n"
                           "config Legs {\n"
                           "    part body[3] : Module\n"
                           "    part a, b : Chain3\n"
                           "    connect body[i].B to body[i+1].T for i in 1..2\n"
                           "    connect a.head.L to body[1].L at 270deg\n"
                           "    connect b.head.L to body[2].L at 270deg\n"
                           "    base body[1] on ground\n"
                           "    behavior roll = a.middle.front by 90deg timeout 1s\n"
                           "}\n" TEST_SPOILT;

// ---- random motions

typedef struct Scene {
    TestDesign text;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomPairs *pairs;
    SomServoModel *servos;
    SomPose *links;
} Scene;

static Scene make_scene(TestDesign text, const char *choice) {
    Scene s = {.text = text};
    s.design = test_compose(&s.text, choice);
    s.mechanism = som_mechanism_create(s.design);
    s.pairs = som_pairs_create(s.mechanism);
    s.servos = som_compile_servos(s.design);
    s.links = som_alloc(sizeof *s.links * (size_t)s.mechanism->link_count);
    return s;
}

static void free_scene(Scene *s) {
    som_free(s->links);
    som_free(s->servos);
    som_pairs_destroy(s->pairs);
    som_mechanism_destroy(s->mechanism);
    som_configuration_destroy(s->design);
    test_design_free(&s->text);
}

static double distance(const Scene *s, int a, int b, double limit) {
    return som_solid_distance(s->pairs->solids[a], &s->links[a], s->pairs->solids[b], &s->links[b],
                              limit, NULL)
        .distance;
}

// Whether nothing but what is connected or overlaps by construction is nearer than that.
static bool is_clear(const Scene *s, double by) {
    for (int a = 0; a < s->mechanism->link_count; a++) {
        for (int b = a + 1; b < s->mechanism->link_count; b++) {
            if (som_pairs_rule(s->pairs, a, b, NULL) == SOM_PAIR_FREE &&
                distance(s, a, b, by) < by) {
                return false;
            }
        }
    }
    return true;
}

static double random_value(const Scene *s, int dof, SomTestRandom *random) {
    const SomModuleJoint *joint = som_configuration_joint(s->design, dof);
    return som_test_uniform(random, fmax(joint->low, -1.5), fmin(joint->high, 1.5));
}

// Legs somewhere, clear of everything.
static SomPosture random_posture(const Scene *s, SomTestRandom *random) {
    SomPosture posture = som_posture_start(s->design);
    do {
        for (int i = 0; i < posture.count; i++) {
            bool is_leg =
                s->design->dofs[i].path.data[0] != 'b' || s->design->dofs[i].path.data[1] == '.';
            bool is_bent = som_test_uniform(random, 0, 1) < 0.3; // others stand in the way
            posture.values[i] = is_leg && is_bent ? random_value(s, i, random) : 0;
        }
        som_mechanism_place(s->mechanism, &posture, s->links);
    } while (!is_clear(s, 0));
    return posture;
}

static void print_motion(const Scene *s, SomTestRandom *random, SomText *call) {
    int count = 1 + (int)som_test_uniform(random, 0, 2.999);
    som_text_add(call, SOM_STR("parallel("));
    for (int i = 0; i < count; i++) {
        int dof;
        do {
            dof = (int)som_test_uniform(random, 0, s->design->dof_count - 0.001);
        } while (som_str_starts_with(s->design->dofs[dof].path, SOM_STR("body")));
        som_text_printf(call, "%s%.*s to %.2fdeg timeout %gs", i > 0 ? ", " : "",
                        SOM_STR_ARG(s->design->dofs[dof].path),
                        random_value(s, dof, random) * 57.29, MOTION);
    }
    som_text_add(call, SOM_STR(")"));
}

// Several motions one after the other, each of one to three joints of the legs.
static SomActionGraph *random_motions(Scene *s, SomTestRandom *random) {
    SomText call = {0};
    som_text_add(&call, SOM_STR("series("));
    for (int i = 0; i < MOTIONS; i++) {
        som_text_add(&call, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        print_motion(s, random, &call);
    }
    som_text_add(&call, SOM_STR(")"));
    SomCompileDef compile = {
        .workspace = s->text.workspace, .configuration = s->design, .diags = s->text.diags};
    SomActionGraph *graph = som_compile_call(&compile, som_text_str(&call));
    som_text_free(&call);
    return graph; // NULL: one joint twice
}

// ---- looking

// A roller stands for two wheels: contacts are told by module and body.
static bool are_same(const SomBodyModel *model, int a, int b) {
    const SomMechanismLink *links = model->mechanism->links;
    return links[a].module == links[b].module && model->body_of[a] == model->body_of[b];
}

static bool has_contact(const SomBodyModel *model, const SomEngineState *now, int a, int b) {
    for (int i = 0; i < now->contact_count; i++) {
        const SomEngineContact *contact = &now->contacts[i];
        if (contact->body_b < 0) {
            continue;
        }
        int x = model->shapes[contact->shape_a].link, y = model->shapes[contact->shape_b].link;
        if ((are_same(model, a, x) && are_same(model, b, y)) ||
            (are_same(model, a, y) && are_same(model, b, x))) {
            return true;
        }
    }
    return false;
}

typedef struct Tally {
    int motions, touches, overlaps;
    SomText wrong;
} Tally;

static void look_at_overlaps(const Scene *s, const SomBodyModel *model, const SomEngineState *now,
                             Tally *tally, const char *label) {
    for (int a = 0; a < s->mechanism->link_count; a++) {
        for (int b = a + 1; b < s->mechanism->link_count; b++) {
            if (model->body_of[a] == model->body_of[b] ||
                som_pairs_rule(s->pairs, a, b, NULL) != SOM_PAIR_FREE) {
                continue;
            }
            double gap = distance(s, a, b, 0);
            tally->overlaps += gap <= -OVERLAP;
            if (gap <= -OVERLAP && !has_contact(model, now, a, b)) {
                som_text_printf(&tally->wrong, "\n%s: '%.*s' and '%.*s' overlap by %.1f mm", label,
                                SOM_STR_ARG(s->mechanism->links[a].path),
                                SOM_STR_ARG(s->mechanism->links[b].path), -1e3 * gap);
            }
        }
    }
}

static void look_at_contacts(const Scene *s, const SomBodyModel *model, const SomEngineState *now,
                             Tally *tally, const char *label) {
    for (int i = 0; i < now->contact_count; i++) {
        const SomEngineContact *contact = &now->contacts[i];
        if (contact->body_b < 0) {
            continue;
        }
        int x = model->shapes[contact->shape_a].link, y = model->shapes[contact->shape_b].link;
        double gap = INFINITY;
        for (int a = 0; a < s->mechanism->link_count; a++) {
            for (int b = 0; b < s->mechanism->link_count && are_same(model, a, x); b++) {
                if (are_same(model, b, y) && s->pairs->solids[a]->part_count > 0 &&
                    s->pairs->solids[b]->part_count > 0) {
                    gap = fmin(gap, distance(s, a, b, 1));
                }
            }
        }
        tally->touches++;
        if (gap >= CLEARANCE) {
            som_text_printf(&tally->wrong, "\n%s: '%.*s' and '%.*s' touch %.1f mm apart", label,
                            SOM_STR_ARG(s->mechanism->links[x].path),
                            SOM_STR_ARG(s->mechanism->links[y].path), 1e3 * gap);
        }
    }
}

static void try_motion(Scene *s, SomEngineKind engine, const SomPosture *posture,
                       const SomActionGraph *graph, Tally *tally, int number) {
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = s->mechanism;
    bodies.posture = posture;
    bodies.graph = graph;
    SomBodyModel *model = som_body_model_create(&bodies);
    SomText world = {0};
    som_world_write(engine, model, SOM_STR("run"), &world, s->text.diags);
    SomSimulation *simulation =
        som_simulation_create(engine,
                              &(SomSimulationDef){.model = model,
                                                  .world = som_text_str(&world),
                                                  .graph = graph,
                                                  .servos = s->servos,
                                                  .duration = MOTIONS * MOTION,
                                                  .sample_time = INFINITY},
                              s->text.diags);
    ck_assert_msg(simulation != NULL, "%s", test_diagnostics(&s->text));
    char label[64];
    snprintf(label, sizeof label, "motions from %d in %s", number, som_engine_name(engine));
    for (int step = 1; som_simulation_step(simulation); step++) {
        if (step % LOOK == 0) {
            som_simulation_place(simulation, s->links);
            look_at_overlaps(s, model, som_simulation_state(simulation), tally, label);
            look_at_contacts(s, model, som_simulation_state(simulation), tally, label);
        }
    }
    tally->motions += MOTIONS;
    som_simulation_destroy(simulation);
    som_text_free(&world);
    som_body_model_destroy(model);
}

static void try_motions(const char *text, const char *choice, int count, uint64_t seed) {
    Scene s = make_scene(test_design(text), choice);
    SomTestRandom random = {seed};
    Tally tally[SOM_ENGINE_KINDS] = {0};
    for (int i = 0; i < count; i += MOTIONS) {
        SomActionGraph *graph = NULL;
        while ((graph = random_motions(&s, &random)) == NULL) {
        }
        SomPosture posture = random_posture(&s, &random);
        FOR_EACH_ENGINE(engine) {
            try_motion(&s, engine, &posture, graph, &tally[engine], i);
        }
        som_posture_free(&posture);
        som_action_graph_destroy(graph);
    }
    FOR_EACH_ENGINE(engine) {
        printf("# %s: %d motions, %d contacts seen, %d overlaps\n", som_engine_name(engine),
               tally[engine].motions, tally[engine].touches, tally[engine].overlaps);
        ck_assert_msg(tally[engine].wrong.length == 0, "%s", tally[engine].wrong.data);
        ck_assert_int_gt(tally[engine].touches, count / 10);
        som_text_free(&tally[engine].wrong);
    }
    free_scene(&s);
}

START_TEST(engines_find_contacts_where_links_overlap_and_nowhere_else) {
    try_motions(legs, "Legs", som_test_count(100, 1000), 1);
}
END_TEST

// ---- what is told

// `contacts`: how many pairs of links touch that did not at the start; NULL is allowed.
static const char *outcome_of(Scene *s, SomEngineKind engine, const char *call, bool is_exported,
                              int *contacts) {
    SomCompileDef compile = {
        .workspace = s->text.workspace, .configuration = s->design, .diags = s->text.diags};
    SomActionGraph *graph = som_compile_call(&compile, som_str(call));
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = s->mechanism;
    bodies.graph = graph;
    SomBodyModel *model = som_body_model_create(&bodies);
    SomText world = {0};
    if (is_exported && engine == SOM_ENGINE_GAZEBO) {
        som_sdf_write_world(&(SomSdfDef){.model = model, .graph = graph}, &world);
    } else { // what is exported is the same
        som_world_write(engine, model, s->design->name, &world, s->text.diags);
    }
    SomSimulationDef def = {.model = model,
                            .world = som_text_str(&world),
                            .graph = graph,
                            .servos = s->servos,
                            .duration = 2};
    SomSimulation *simulation = som_simulation_create(engine, &def, s->text.diags);
    ck_assert_msg(simulation != NULL, "%s", test_diagnostics(&s->text));
    while (som_simulation_step(simulation)) {
    }
    const SomSimulationResult *result = som_simulation_result(simulation);
    const char *word = som_outcome_word(result->outcome);
    for (int i = 0; contacts != NULL && i < result->events.count; i++) {
        *contacts += result->events.data[i].kind == SOM_EVENT_SELF_CONTACT;
    }
    som_simulation_destroy(simulation);
    som_text_free(&world);
    som_body_model_destroy(model);
    som_action_graph_destroy(graph);
    return word;
}

// A leg that is fixed to the body but for one joint rolls against one that is all fixed to it; and
// the legs of figure 10b, in the worlds of this program and in those it exports.
START_TEST(a_leg_that_swings_into_what_is_fixed_collides) {
    Scene rolling = make_scene(test_design(legs), "Legs");
    Scene walking = make_scene(test_design(legs), "Spoilt(at = 4)");
    FOR_EACH_ENGINE(engine) {
        for (int exported = 0; exported < 2; exported++) {
            ck_assert_str_eq(outcome_of(&rolling, engine, "roll", exported, NULL), "collided");
            ck_assert_str_eq(outcome_of(&walking, engine, "toward", exported, NULL), "collided");
        }
    }
    free_scene(&rolling);
    free_scene(&walking);
}
END_TEST

static Scene joined_scene(const char *choice) {
    SomText file = {0};
    TestDesign design = {.diags = som_diagnostics_create()};
    som_text_printf(&file, "%s/../tests/verify/joined.som", test_library);
    design.workspace = som_workspace_create(som_str(test_library), design.diags);
    design.file = som_workspace_open(design.workspace, som_text_str(&file));
    som_text_free(&file);
    return make_scene(design, choice);
}

// The designs with which verify is tested: what collides there does in physics.
START_TEST(parts_of_joined_links_away_from_their_joint_collide) {
    static const struct {
        const char *choice, *collides, *does_not;
    } cases[] = {{"Column", "fold", "half"},
                 {"Socket", "fold", "half"},
                 {"Door", "open", "half"},
                 {"Wall", "fold", "half"}};
    for (int i = 0; i < 4; i++) {
        Scene s = joined_scene(cases[i].choice);
        FOR_EACH_ENGINE(engine) {
            for (int exported = 0; exported < 2; exported++) {
                int touch = 0, none = 0;
                outcome_of(&s, engine, cases[i].collides, exported, &touch);
                outcome_of(&s, engine, cases[i].does_not, exported, &none);
                ck_assert_msg(touch == 1 && none == 0, "%s in %s: %d, %d", cases[i].choice,
                              som_engine_name(engine), touch, none);
            }
        }
        free_scene(&s);
    }
}
END_TEST

// ---- parallel edges

// A box that is pressed on another one, both turned by a wrist that keeps its place.
static const char press[] =
    "module Press: root=foot\n"
    "link foot: shape=box((0, 0, 0), (0.6, 0.6, 0.04)), mass=50kg\n"
    "link yaw: mass=0.01kg\n"
    "link pitch: mass=0.01kg\n"
    "link frame: mass=0.01kg\n"
    "link table: shape=box((0, 0, 0.5), (0.06, 0.06, 0.02)), mass=0.2kg\n"
    "link stamp: shape=box((0.02, 0, 0.56), (0.06, 0.06, 0.02)), mass=0.2kg\n"
    "joint turn_z: type=revolute, speed=1rad/s, pair=("
    "(foot, (axis: origin=(0, 0, 0.5), direction=(0, 0, 1))), "
    "(yaw, (axis: origin=(0, 0, 0.5), direction=(0, 0, -1))))\n"
    "joint turn_y: type=revolute, speed=1rad/s, pair=("
    "(yaw, (axis: origin=(0, 0, 0.5), direction=(0, 1, 0))), "
    "(pitch, (axis: origin=(0, 0, 0.5), direction=(0, -1, 0))))\n"
    "joint turn_x: type=revolute, speed=1rad/s, pair=("
    "(pitch, (axis: origin=(0, 0, 0.5), direction=(1, 0, 0))), "
    "(frame, (axis: origin=(0, 0, 0.5), direction=(-1, 0, 0))))\n"
    "joint mount: type=fixed, pair=("
    "(frame, (axis: origin=(0, 0, 0.5), direction=(0, 0, 1))), "
    "(table, (axis: origin=(0, 0, 0.5), direction=(0, 0, -1))))\n"
    "joint push: type=prismatic, speed=0.1m/s, effort=20N, pair=("
    "(frame, (axis: origin=(0, 0, 0.5), direction=(0, 0, 1))), "
    "(stamp, (axis: origin=(0, 0, 0.5), direction=(0, 0, -1))))\n";

static const char pressing[] = "use \"press.m3l\"\n"
                               "config Pressing {\n"
                               "    part p : Press\n"
                               "    base p on ground\n"
                               "    behavior down = p.push to 80mm timeout 2s\n"
                               "}\n";

// Modules have files of their own.
static TestDesign press_design(void) {
    char folder[] = "/tmp/somite-press-XXXXXX";
    TestDesign design = {.diags = som_diagnostics_create()};
    SomText type = {0}, file = {0};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    som_text_printf(&type, "%s/press.m3l", folder);
    som_text_printf(&file, "%s/pressing.som", folder);
    ck_assert(som_file_save(type.data, som_str(press), design.diags));
    ck_assert(som_file_save(file.data, som_str(pressing), design.diags));
    design.workspace = som_workspace_create(som_str(test_library), design.diags);
    design.file = som_workspace_open(design.workspace, som_text_str(&file));
    ck_assert(unlink(type.data) == 0 && unlink(file.data) == 0 && rmdir(folder) == 0);
    som_text_free(&type);
    som_text_free(&file);
    return design;
}

// How far the stamp is in the table, of 60 mm on its way through, in metres.
static double pressed(Scene *s, SomEngineKind engine, const SomPosture *posture,
                      const SomActionGraph *graph) {
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = s->mechanism;
    bodies.posture = posture;
    bodies.graph = graph;
    SomBodyModel *model = som_body_model_create(&bodies);
    SomText world = {0};
    som_world_write(engine, model, SOM_STR("run"), &world, s->text.diags);
    SomSimulationDef def = {
        .model = model, .world = som_text_str(&world), .graph = graph, .duration = 0.5};
    SomSimulation *simulation = som_simulation_create(engine, &def, s->text.diags);
    ck_assert_msg(simulation != NULL, "%s", test_diagnostics(&s->text));
    while (som_simulation_step(simulation)) {
    }
    som_simulation_place(simulation, s->links);
    int table = som_mechanism_link_of(s->mechanism, 0, 4);
    double deep = -distance(s, table, table + 1, 1);
    som_simulation_destroy(simulation);
    som_text_free(&world);
    som_body_model_destroy(model);
    return deep;
}

START_TEST(boxes_with_parallel_edges_do_not_sink_into_each_other) {
    Scene s = make_scene(press_design(), "Pressing");
    SomTestRandom random = {3};
    SomCompileDef compile = {
        .workspace = s.text.workspace, .configuration = s.design, .diags = s.text.diags};
    SomActionGraph *graph = som_compile_call(&compile, SOM_STR("down"));
    ck_assert_msg(graph != NULL, "%s", test_diagnostics(&s.text));
    for (int i = 0; i < som_test_count(8, 250); i++) {
        SomPosture posture = som_posture_start(s.design);
        for (int k = 0; k < 3; k++) {
            posture.values[k] = som_test_uniform(&random, -3, 3);
        }
        FOR_EACH_ENGINE(engine) {
            if (engine == SOM_ENGINE_MUJOCO && i > 2) {
                continue; // it has another detector
            }
            double deep = pressed(&s, engine, &posture, graph);
            ck_assert_msg(fabs(deep) < 1e-4, "%s, %d: %g m", som_engine_name(engine), i, deep);
        }
        som_posture_free(&posture);
    }
    som_action_graph_destroy(graph);
    free_scene(&s);
}
END_TEST

SOM_SUITE("simulate/touching", engines_find_contacts_where_links_overlap_and_nowhere_else,
          a_leg_that_swings_into_what_is_fixed_collides,
          parts_of_joined_links_away_from_their_joint_collide,
          boxes_with_parallel_edges_do_not_sink_into_each_other)
