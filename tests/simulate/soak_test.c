// SPDX-License-Identifier: Apache-2.0
// Long runs: ten minutes of a gait that repeats leave memory as it was and numbers sound; physics
// that explodes is seen, and what it leaves behind can be drawn.

#include "tests/simulate/runs.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

#define WARM_UP 2.0   // seconds, after which nothing is new
#define GROWTH 200000 // bytes: what is noted of events, and the engines' own ups and downs

// Bytes that the program has asked for and not given back.
static size_t memory_used(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static bool is_sound(SomPose pose) {
    return som_vec3_length(pose.position) < 1e3 && isfinite(pose.rotation.m[0][0]) &&
           isfinite(pose.rotation.m[1][1]) && isfinite(pose.rotation.m[2][2]);
}

START_TEST(a_gait_that_repeats_leaves_memory_as_it_was) {
    double duration = som_test_count(6, 600);
    FOR_EACH_ENGINE(engine) {
        // a trace grows, as it should: here only its last sample is wanted
        SomSimulationDef def = {.duration = duration, .sample_time = (double)INFINITY};
        TestRun r = test_run_begin(engine, "use \"walkbot.som\"", "Walkbot",
                                   "repeat forever: walk(1)", def, (TestChange){0});
        SomPose *links = som_alloc(sizeof *links * (size_t)r.mechanism->link_count);
        size_t before = 0;
        int events = 0;
        while (som_simulation_step(r.simulation)) {
            int64_t step = r.result->steps;
            if (step == (int64_t)(WARM_UP * 1000)) {
                before = memory_used();
                events = r.result->events.count;
            }
            if (step % 100 == 0) {
                som_simulation_place(r.simulation, links);
                for (int i = 0; i < r.mechanism->link_count; i++) {
                    ck_assert_msg(is_sound(links[i]), "link %d at %g s", i, r.result->time);
                }
            }
        }
        size_t noted = (size_t)(r.result->events.count - events) * sizeof(SomSimulationEvent);
        ck_assert_str_eq(test_run_outcome(&r), "timeout"); // it would go on
        // an array that grows holds up to twice what is in it
        ck_assert_msg(memory_used() < before + GROWTH + 2 * noted, "%s: %zu bytes, then %zu",
                      som_engine_name(engine), before, memory_used());
        som_free(links);
        test_run_free(&r);
    }
}
END_TEST

START_TEST(engines_are_given_back) {
    FOR_EACH_ENGINE(engine) {
        size_t before = 0;
        for (int i = 0; i < 6; i++) {
            TestRun r = test_run(engine, "use \"module.som\"", "Module", NULL, 0.05);
            test_run_free(&r);
            before = i == 1 ? memory_used() : before;
        }
        ck_assert_msg(memory_used() < before + GROWTH, "%s: %zu bytes, then %zu",
                      som_engine_name(engine), before, memory_used());
    }
}
END_TEST

static const TestChange absurd[SOM_ENGINE_KINDS] = {
    [SOM_ENGINE_GAZEBO] = {"<gravity>0 0 -9.81</gravity>", "<gravity>0 1e18 1e22</gravity>"},
    [SOM_ENGINE_MUJOCO] = {"integrator=\"implicit\"",
                           "integrator=\"implicit\" gravity=\"0 1e18 1e22\""},
};

START_TEST(physics_that_explodes_is_seen_and_can_be_drawn) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run_begin(engine, "use \"walkbot.som\"", "Walkbot", "walk(1)",
                                   (SomSimulationDef){.duration = 2}, absurd[engine]);
        while (som_simulation_step(r.simulation)) {
        }
        ck_assert_str_eq(test_run_outcome(&r), "diverged");
        ck_assert_ptr_nonnull(test_run_event(&r, SOM_EVENT_DIVERGED));
        SomPose *links = som_alloc(sizeof *links * (size_t)r.mechanism->link_count);
        som_simulation_place(r.simulation, links);
        for (int i = 0; i < r.mechanism->link_count; i++) {
            ck_assert(is_sound(links[i]));
        }
        for (int i = 0; i < r.result->base.count; i++) {
            ck_assert(is_sound(r.result->base.data[i]));
            ck_assert(som_vec3_length(r.result->com.data[i]) < 1e3);
        }
        for (int i = 0; i < r.result->positions.count; i++) {
            ck_assert(fabs(r.result->positions.data[i]) < 1e3);
            ck_assert(isfinite(r.result->efforts.data[i]));
        }
        som_free(links);
        test_run_free(&r);
    }
}
END_TEST

SOM_SUITE("simulate/soak", a_gait_that_repeats_leaves_memory_as_it_was, engines_are_given_back,
          physics_that_explodes_is_seen_and_can_be_drawn)
