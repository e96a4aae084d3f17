// SPDX-License-Identifier: Apache-2.0
// What the papers tell of robots, under physics, in every engine that this program has.

#include "tests/simulate/runs.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

// Walkbots whose legs are not where they should be, and an arm.
static const char stories[] =
    "use \"walkbot.som\"\nuse \"snake.som\"\nuse \"car.som\"\nuse \"ring.som\"\n" TEST_SPOILT
    "config Rolling {\n"
    "    part w : Spoilt(r = 90deg)\n"
    "    base w.body[1] on ground\n"
    "    verify { lean = 180deg }\n"
    "}\n"
    "config Arm {\n"
    "    part a, b, c : Module\n"
    "    connect a.B to b.T\n"
    "    connect b.B to c.T\n"
    "    base a on ground\n"
    "    behavior lower = series(b.bend to 30deg,\n"
    "        b.bend spin -20deg/s until contact(c.UHolderBody) timeout 5s)\n"
    "}\n";

static TestRun tell(SomEngineKind engine, const char *choice, const char *call, double duration) {
    return test_run(engine, stories, choice, call, duration);
}

// The time of the first event of a kind; NAN if there is none.
static double time_of(const TestRun *run, SomSimulationEventKind kind) {
    const SomSimulationEvent *event = test_run_event(run, kind);
    return event != NULL ? event->time : (double)NAN;
}

static double along_ground(const TestRun *s) {
    return hypot(s->result->displacement.x, s->result->displacement.y);
}

// What takes Gazebo's physics minutes is run in it before something is called done.
#define FOR_EACH_FAST_ENGINE(engine)                                                               \
    FOR_EACH_ENGINE(engine)                                                                        \
    if (engine == SOM_ENGINE_MUJOCO || som_test_count(0, 1) == 1)

START_TEST(the_walkbot_stands_and_walks_its_length) {
    FOR_EACH_ENGINE(engine) {
        TestRun s = tell(engine, "Walkbot", "wait 2s", 3);
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        ck_assert_double_lt(along_ground(&s), 0.005);
        test_run_free(&s);
        s = tell(engine, "Walkbot", "walk(9)", 20);
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        ck_assert_double_gt(along_ground(&s), 0.7); // six modules, and their wheels
        test_run_free(&s);
    }
}
END_TEST

START_TEST(two_legs_reversed_make_it_fall) {
    FOR_EACH_ENGINE(engine) {
        TestRun s = tell(engine, "Spoilt", "wait 2s", 3);
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        test_run_free(&s);
        s = tell(engine, "Spoilt(r = 90deg)", "wait 2s", 3);
        ck_assert_str_eq(test_run_outcome(&s), "fell");
        test_run_free(&s);
        s = tell(engine, "Rolling", "wait 2s", 3); // it is meant to
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        test_run_free(&s);
    }
}
END_TEST

// By the shapes of the feet, which touch at 47.8 % of a way of 1.2109 rad at 0.5 rad/s.
START_TEST(legs_that_swing_toward_each_other_touch_when_they_should) {
    FOR_EACH_ENGINE(engine) {
        TestRun s = tell(engine, "Spoilt(at = 4)", "toward", 3);
        ck_assert_str_eq(test_run_outcome(&s), "collided");
        ck_assert_double_eq_tol(time_of(&s, SOM_EVENT_SELF_CONTACT), 0.478 * 1.2109 / 0.5, 0.1);
        test_run_free(&s);
    }
}
END_TEST

START_TEST(the_snake_travels_by_its_wave) {
    FOR_EACH_FAST_ENGINE(engine) {
        TestRun s = tell(engine, "Chain18", "SineGait18(20)", 20);
        ck_assert_double_gt(along_ground(&s), 0.3);
        ck_assert(!isfinite(time_of(&s, SOM_EVENT_FELL)));
        test_run_free(&s);
    }
}
END_TEST

START_TEST(the_car_drives_its_square_home) {
    FOR_EACH_ENGINE(engine) {
        TestRun s = tell(engine, "Car", "square", 40);
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        ck_assert_double_lt(along_ground(&s), 0.15);                          // half its length
        ck_assert_double_eq_tol(fabs(s.result->heading_change), 6.2832, 0.5); // all the way round
        double farthest = 0;
        for (int i = 0; i < s.result->com.count; i++) {
            SomVec3 way = som_vec3_sub(s.result->com.data[i], s.result->com.data[0]);
            farthest = fmax(farthest, hypot(way.x, way.y));
        }
        ck_assert_double_gt(farthest, 0.3); // it did go somewhere
        test_run_free(&s);
    }
}
END_TEST

START_TEST(an_action_ends_at_the_contact_it_waits_for) {
    FOR_EACH_ENGINE(engine) {
        TestRun s = tell(engine, "Arm", "lower", 10);
        ck_assert_str_eq(test_run_outcome(&s), "completed");
        const SomSimulationEvent *last = &s.result->events.data[s.result->events.count - 1];
        ck_assert_int_eq(last->reason, SOM_END_DONE);
        ck_assert_double_gt(last->time, 1.2); // 30 degrees up, and down again at 20 a second
        ck_assert_double_lt(last->time, 3);
        test_run_free(&s);
    }
}
END_TEST

START_TEST(what_is_blocked_runs_into_its_time_out) {
    FOR_EACH_FAST_ENGINE(engine) {
        // half of a snake is too heavy for one joint
        TestRun s = tell(engine, "Chain18", "s[3].tail.bend to 60deg timeout 1s", 10);
        ck_assert_str_eq(test_run_outcome(&s), "timeout");
        ck_assert_int_eq(som_simulation_timeouts(s.result), 1);
        test_run_free(&s);
    }
}
END_TEST

// A row of modules bends to a ring, holds its own end, and lets go of it again.
START_TEST(a_dock_closes_when_its_partner_is_there_and_opens_again) {
    FOR_EACH_ENGINE(engine) {
        if (engine != SOM_ENGINE_MUJOCO) { // Gazebo's cannot close loops
            continue;
        }
        TestRun s = tell(engine, "Ring", "curlAndBack", 20);
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
        test_run_free(&s);
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
        TestRun a = tell(engine, "Walkbot", "walk(1)", 20);
        TestRun b = tell(engine, "Walkbot", "walk(1)", 20);
        ck_assert_uint_eq(hash_of(a.result), hash_of(b.result));
        test_run_free(&a);
        test_run_free(&b);
    }
}
END_TEST

SOM_SUITE("simulate/stories", the_walkbot_stands_and_walks_its_length,
          two_legs_reversed_make_it_fall, legs_that_swing_toward_each_other_touch_when_they_should,
          the_snake_travels_by_its_wave, the_car_drives_its_square_home,
          an_action_ends_at_the_contact_it_waits_for, what_is_blocked_runs_into_its_time_out,
          a_dock_closes_when_its_partner_is_there_and_opens_again, the_same_run_gives_the_same_bits)
