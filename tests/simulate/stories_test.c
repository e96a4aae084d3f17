// SPDX-License-Identifier: Apache-2.0
// What the papers tell of robots, under physics, in every engine that this program has.

#include "behaviors/compile.h"
#include "simulate/simulation.h"
#include "simulate/world.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

// Walkbots whose legs are not where they should be, and an arm.
static const char stories[] =
    "use \"walkbot.som\"\nuse \"snake.som\"\nuse \"car.som\"\nuse \"ring.som\"\n"
    "config Spoilt(r: angle = 270deg, at: count = 5) {\n"
    "    part body[5] : Module\n"
    "    part front_left, front_right, rear_left, rear_right : Chain3\n"
    "    connect body[i].B to body[i+1].T for i in 1..4\n"
    "    connect front_left.head.L to body[2].L at 270deg\n"
    "    connect front_right.head.R to body[2].R at 90deg\n"
    "    connect rear_left.head.L to body[at].L at r\n"
    "    connect rear_right.head.R to body[at].R at 360deg - r\n"
    "    pose stand { front_left.leg; front_right.leg; rear_left.leg; rear_right.leg }\n"
    "    start stand\n"
    "    base body[1] on ground\n"
    "    behavior toward = parallel(\n"
    "        front_left.middle.bend to -69.38deg at 0.5rad/s,\n"
    "        front_left.tail.bend to 69.38deg at 0.5rad/s,\n"
    "        rear_left.middle.bend to 69.38deg at 0.5rad/s,\n"
    "        rear_left.tail.bend to -69.38deg at 0.5rad/s)\n"
    "}\n"
    "config Arm {\n"
    "    part a, b, c : Module\n"
    "    connect a.B to b.T\n"
    "    connect b.B to c.T\n"
    "    base a on ground\n"
    "    behavior lower = series(b.bend to 30deg,\n"
    "        b.bend spin -20deg/s until contact(c.UHolderBody) timeout 5s)\n"
    "}\n";

typedef struct Story {
    TestDesign text;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomActionGraph *graph;
    SomServoModel *servos;
    SomBodyModel *model;
    SomText world;
    SomSimulation *simulation;
    const SomSimulationResult *result;
} Story;

static Story tell(SomEngineKind engine, const char *choice, const char *call, double duration) {
    Story s = {.text = test_design(stories)};
    s.design = test_compose(&s.text, choice);
    s.mechanism = som_mechanism_create(s.design);
    s.servos = som_compile_servos(s.design);
    SomCompileDef compile = {
        .workspace = s.text.workspace, .configuration = s.design, .diags = s.text.diags};
    s.graph = som_compile_call(&compile, som_str(call));
    ck_assert_msg(s.graph != NULL, "%s", test_diagnostics(&s.text));
    s.model = som_body_model_create(&(SomBodyDef){
        .mechanism = s.mechanism, .graph = s.graph, .is_centered = engine == SOM_ENGINE_MUJOCO});
    som_world_write(engine, s.model, SOM_STR("story"), &s.world, s.text.diags);
    s.simulation = som_simulation_create(engine,
                                         &(SomSimulationDef){.model = s.model,
                                                             .world = som_text_str(&s.world),
                                                             .graph = s.graph,
                                                             .servos = s.servos,
                                                             .duration = duration},
                                         s.text.diags);
    ck_assert_msg(s.simulation != NULL, "%s", test_diagnostics(&s.text));
    while (som_simulation_step(s.simulation)) {
    }
    s.result = som_simulation_result(s.simulation);
    return s;
}

static void discard(Story *s) {
    som_simulation_destroy(s->simulation);
    som_text_free(&s->world);
    som_body_model_destroy(s->model);
    som_free(s->servos);
    som_action_graph_destroy(s->graph);
    som_mechanism_destroy(s->mechanism);
    som_configuration_destroy(s->design);
    test_design_free(&s->text);
}

static const char *outcome(const Story *s) {
    return som_outcome_word(s->result->outcome);
}

// The time of the first event of a kind; NAN if there is none.
static double time_of(const Story *s, SomSimulationEventKind kind) {
    for (int i = 0; i < s->result->events.count; i++) {
        if (s->result->events.data[i].kind == kind) {
            return s->result->events.data[i].time;
        }
    }
    return NAN;
}

static double along_ground(const Story *s) {
    return hypot(s->result->displacement.x, s->result->displacement.y);
}

#define FOR_EACH_ENGINE(engine)                                                                    \
    for (SomEngineKind engine = 0; engine < SOM_ENGINE_KINDS; engine++)                            \
        if (som_engine_is_built(engine))

// What takes Gazebo's physics minutes is run in it before something is called done.
#define FOR_EACH_FAST_ENGINE(engine)                                                               \
    FOR_EACH_ENGINE(engine)                                                                        \
    if (engine == SOM_ENGINE_MUJOCO || som_test_count(0, 1) == 1)

START_TEST(the_walkbot_stands_and_walks_its_length) {
    FOR_EACH_ENGINE(engine) {
        Story s = tell(engine, "Walkbot", "wait 2s", 3);
        ck_assert_str_eq(outcome(&s), "completed");
        ck_assert_double_lt(along_ground(&s), 0.005);
        discard(&s);
        s = tell(engine, "Walkbot", "walk(9)", 20);
        ck_assert_str_eq(outcome(&s), "completed");
        ck_assert_double_gt(along_ground(&s), 0.7); // six modules, and their wheels
        discard(&s);
    }
}
END_TEST

START_TEST(two_legs_reversed_make_it_fall) {
    FOR_EACH_ENGINE(engine) {
        Story s = tell(engine, "Spoilt", "wait 2s", 3);
        ck_assert_str_eq(outcome(&s), "completed");
        discard(&s);
        s = tell(engine, "Spoilt(r = 90deg)", "wait 2s", 3);
        ck_assert_str_eq(outcome(&s), "fell");
        discard(&s);
    }
}
END_TEST

// By the shapes of the feet, which touch at 47.8 % of a way of 1.2109 rad at 0.5 rad/s.
START_TEST(legs_that_swing_toward_each_other_touch_when_they_should) {
    FOR_EACH_ENGINE(engine) {
        Story s = tell(engine, "Spoilt(at = 4)", "toward", 3);
        ck_assert_str_eq(outcome(&s), "collided");
        ck_assert_double_eq_tol(time_of(&s, SOM_EVENT_SELF_CONTACT), 0.478 * 1.2109 / 0.5, 0.1);
        discard(&s);
    }
}
END_TEST

START_TEST(the_snake_travels_by_its_wave) {
    FOR_EACH_FAST_ENGINE(engine) {
        Story s = tell(engine, "Chain18", "snake.nSnakeSineGait(20)", 20);
        ck_assert_double_gt(along_ground(&s), 0.3);
        ck_assert(!isfinite(time_of(&s, SOM_EVENT_FELL)));
        discard(&s);
    }
}
END_TEST

START_TEST(the_car_drives_its_square_home) {
    FOR_EACH_ENGINE(engine) {
        Story s = tell(engine, "Car", "square", 40);
        ck_assert_str_eq(outcome(&s), "completed");
        ck_assert_double_lt(along_ground(&s), 0.15); // half its length
        double farthest = 0;
        for (int i = 0; i < s.result->com.count; i++) {
            SomVec3 way = som_vec3_sub(s.result->com.data[i], s.result->com.data[0]);
            farthest = fmax(farthest, hypot(way.x, way.y));
        }
        ck_assert_double_gt(farthest, 0.3); // it did go somewhere
        discard(&s);
    }
}
END_TEST

START_TEST(an_action_ends_at_the_contact_it_waits_for) {
    FOR_EACH_ENGINE(engine) {
        Story s = tell(engine, "Arm", "lower", 10);
        ck_assert_str_eq(outcome(&s), "completed");
        const SomSimulationEvent *last = &s.result->events.data[s.result->events.count - 1];
        ck_assert_int_eq(last->reason, SOM_END_DONE);
        ck_assert_double_gt(last->time, 1.2); // 30 degrees up, and down again at 20 a second
        ck_assert_double_lt(last->time, 3);
        discard(&s);
    }
}
END_TEST

START_TEST(what_is_blocked_runs_into_its_time_out) {
    FOR_EACH_FAST_ENGINE(engine) {
        // half of a snake is too heavy for one joint
        Story s = tell(engine, "Chain18", "snake.s[3].tail.bend to 60deg timeout 1s", 10);
        ck_assert_str_eq(outcome(&s), "timeout");
        discard(&s);
    }
}
END_TEST

// A row of modules bends to a ring, holds its own end, and lets go of it again.
START_TEST(a_dock_closes_when_its_partner_is_there_and_opens_again) {
    FOR_EACH_ENGINE(engine) {
        if (engine != SOM_ENGINE_MUJOCO) { // Gazebo's cannot close loops
            continue;
        }
        Story s = tell(engine, "Ring", "curlAndBack", 20);
        int docked = 0;
        for (int i = 0; i < s.result->events.count; i++) {
            const SomSimulationEvent *event = &s.result->events.data[i];
            const SomAction *action = &s.graph->actions[s.graph->nodes[event->node].index];
            if (event->kind == SOM_EVENT_ACTION_ENDED && action->kind >= SOM_ACTION_CONNECT) {
                ck_assert_int_eq(event->reason, SOM_END_DONE);
                docked++;
            }
        }
        ck_assert_int_eq(docked, 2);
        discard(&s);
    }
}
END_TEST

static uint64_t hash_of(const SomSimulationResult *result) {
    uint64_t hash = 14695981039346656037u;
    const unsigned char *bytes = (const unsigned char *)result->positions.data;
    for (size_t i = 0; i < (size_t)result->positions.count * sizeof(double); i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash;
}

START_TEST(the_same_run_gives_the_same_bits) {
    FOR_EACH_ENGINE(engine) {
        Story a = tell(engine, "Walkbot", "walk(1)", 20);
        Story b = tell(engine, "Walkbot", "walk(1)", 20);
        ck_assert_uint_eq(hash_of(a.result), hash_of(b.result));
        discard(&a);
        discard(&b);
    }
}
END_TEST

SOM_SUITE("simulate/stories", the_walkbot_stands_and_walks_its_length,
          two_legs_reversed_make_it_fall, legs_that_swing_toward_each_other_touch_when_they_should,
          the_snake_travels_by_its_wave, the_car_drives_its_square_home,
          an_action_ends_at_the_contact_it_waits_for, what_is_blocked_runs_into_its_time_out,
          a_dock_closes_when_its_partner_is_there_and_opens_again, the_same_run_gives_the_same_bits)
