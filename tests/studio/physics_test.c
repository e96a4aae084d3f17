// Tests for studio/physics.c: behaviors under physics in a thread, ended at any moment.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "studio/physics.h"
#include "tests/compose/texts.h"
#include "tests/simulate/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SNAKE "use \"snake.som\""
#define CAR "use \"car.som\""
#define GAIT "nSnakeSineGait(1)"

static atomic_int woken;

static void wake(void *context) {
    (void)context;
    atomic_fetch_add(&woken, 1);
}

static SomPhysicsDef def_of(const char *text, const char *choice, const char *behavior) {
    return (SomPhysicsDef){.library = som_str(test_library),
                           .text = som_str(text),
                           .choice = som_str(choice),
                           .behavior = som_str(behavior),
                           .engines = SOM_PHYSICS_PREVIEW,
                           .duration = 20};
}

static SomPhysicsDef snake(void) {
    return def_of(SNAKE, "Snake(n = 2)", GAIT);
}

static void pause_for(double seconds) {
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static const char *outcome_of(const SomPhysicsRecord *record) {
    ck_assert_msg(record->has_run, "%s", record->words.data);
    return som_outcome_word(record->run.result->outcome);
}

// The only record of a run that is over; to be released.
static SomPhysicsRecord *record_of(const SomPhysicsDef *def) {
    SomPhysics *physics = som_physics_create(wake, NULL);
    som_physics_start(physics, def);
    som_physics_wait(physics);
    SomPhysicsRecord *record = som_physics_take_record(physics);
    ck_assert_ptr_nonnull(record);
    ck_assert_ptr_null(som_physics_take_record(physics));
    ck_assert_int_eq(som_physics_now(physics).stage, SOM_PHYSICS_IDLE);
    som_physics_destroy(physics);
    return record;
}

// The room that starts a run of one's own; the same numbers as on the command line.
START_TEST(a_run_ends_as_it_does_on_the_command_line) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomPhysicsDef def = snake();
    SomPhysicsRecord *record = record_of(&def);
    TestRun run = test_run(SOM_ENGINE_MUJOCO, SNAKE, "Snake(n = 2)", GAIT, 20);
    ck_assert_str_eq(outcome_of(record), "completed");
    ck_assert_str_eq(outcome_of(record), test_run_outcome(&run));
    ck_assert_double_eq(record->run.result->time, run.result->time);
    ck_assert_int_eq(record->run.result->positions.count, run.result->positions.count);
    ck_assert_mem_eq(record->run.result->positions.data, run.result->positions.data,
                     sizeof(double) * (size_t)run.result->positions.count);
    ck_assert_ptr_nonnull(record->report.comparison);
    ck_assert_int_gt(record->report.prediction.times.count, 10);
    ck_assert_int_gt(record->film.count, 5);
    ck_assert(!record->is_stopped);
    test_run_free(&run);
    som_physics_record_release(record);
}
END_TEST

START_TEST(a_recorded_run_can_be_placed_at_any_time) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomPhysicsDef def = def_of(CAR, "Car", "drive(70mm/s, 1s)");
    SomPhysicsRecord *record = record_of(&def);
    int count = record->run.mechanism->link_count;
    SomPose *at = som_alloc(sizeof *at * (size_t)count),
            *exact = som_alloc(sizeof *at * (size_t)count);
    ck_assert(som_physics_record_place(record, -1, at));
    som_simulation_place_sample(record->run.simulation, 0, exact);
    ck_assert_double_eq(som_pose_distance(at[0], exact[0]), 0);
    ck_assert(som_physics_record_place(record, 1e9, at));
    som_simulation_place(record->run.simulation, exact);
    ck_assert_double_le(som_pose_distance(at[0], exact[0]), 1e-9);
    double last = -1;
    for (int i = 0; i <= 100; i++) { // smoothly, between samples too
        double time = 0.01 * i * som_physics_record_duration(record);
        ck_assert(som_physics_record_place(record, time, at));
        ck_assert(last < 0 || som_pose_distance(at[0], exact[0]) < 0.02);
        exact[0] = at[0];
        last = time;
    }
    som_free(at);
    som_free(exact);
    som_physics_record_release(record);
}
END_TEST

START_TEST(the_verdict_comes_after_the_preview) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO) || !som_engine_loads(SOM_ENGINE_GAZEBO)) {
        return;
    }
    SomPhysicsDef def = def_of("use \"module.som\"", "Module", "drive(70mm/s, 0.3s)");
    SomPhysics *physics = som_physics_create(wake, NULL);
    def.engines = SOM_PHYSICS_BOTH;
    som_physics_start(physics, &def);
    som_physics_wait(physics);
    for (int i = 0; i < 2; i++) {
        SomPhysicsRecord *record = som_physics_take_record(physics);
        ck_assert_ptr_nonnull(record);
        ck_assert_int_eq(record->engine, i == 0 ? SOM_ENGINE_MUJOCO : SOM_ENGINE_GAZEBO);
        ck_assert_str_eq(outcome_of(record), "completed");
        ck_assert_ptr_nonnull(record->report.comparison);
        som_physics_record_release(record);
    }
    ck_assert_ptr_null(som_physics_take_record(physics));
    som_physics_destroy(physics);
}
END_TEST

// It would go on for a minute, at the pace of the wall.
START_TEST(what_is_stopped_gives_what_it_has_recorded) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomPhysicsDef def = def_of(CAR, "Car", "drive(70mm/s, 60s)");
    SomPhysics *physics = som_physics_create(wake, NULL);
    SomPhysicsLinks links = {0};
    def.is_paced = true;
    def.duration = 60;
    som_physics_start(physics, &def);
    while (som_physics_now(physics).time < 0.2) {
        pause_for(0.002);
    }
    ck_assert_double_eq_tol(som_physics_now(physics).expected, 60, 1);
    while (!som_physics_take_links(physics, &links)) {
        pause_for(0.002);
    }
    ck_assert_int_gt(links.all.count, 4);
    ck_assert_int_gt(atomic_load(&woken), 2);
    som_physics_stop(physics);
    som_physics_wait(physics);
    SomPhysicsRecord *record = som_physics_take_record(physics);
    ck_assert_ptr_nonnull(record);
    ck_assert(record->has_run && record->is_stopped);
    ck_assert_ptr_null(record->report.comparison);
    ck_assert_double_lt(som_physics_record_duration(record), 59);
    // no faster than the wall, but for what it may be ahead
    ck_assert_double_le(som_physics_record_duration(record), record->seconds + 0.02);
    ck_assert(som_physics_record_place(record, 0.1, links.all.data));
    som_physics_record_release(record);
    som_array_free(&links.all);
    som_physics_destroy(physics);
}
END_TEST

// Stopped, started anew or destroyed, early and late.
START_TEST(a_run_can_be_ended_at_any_moment) {
    SomTestRandom random = {20261116};
    SomPhysicsDef defs[] = {snake(), def_of(CAR, "Car", "drive(70mm/s, 9s)"),
                            def_of("use \"module.som\"", "Module", ""),
                            def_of("config Broken { part a : Nothing }", "", "")};
    int count = som_test_count(40, 1000), records = 0;
    SomPhysics *physics = som_physics_create(wake, NULL);
    for (int i = 0; i < count; i++) {
        SomPhysicsDef def = defs[som_test_int(&random, 0, 3)];
        def.is_paced = som_test_int(&random, 0, 1);
        som_physics_start(physics, &def);
        double wait = som_test_uniform(&random, 0, 1);
        pause_for(0.15 * wait * wait * wait);
        int way = som_test_int(&random, 0, 3);
        if (way == 0) {
            som_physics_stop(physics);
            som_physics_wait(physics);
        } else if (way == 1) {
            som_physics_destroy(physics);
            physics = som_physics_create(som_test_int(&random, 0, 1) ? wake : NULL, NULL);
        } else if (way == 2) {
            som_physics_stop(physics);
        }
        SomPhysicsRecord *record = som_physics_take_record(physics);
        records += record != NULL;
        som_physics_record_release(record);
    }
    som_physics_destroy(physics);
    ck_assert_int_gt(records, 0);
}
END_TEST

START_TEST(gazebos_physics_can_be_ended_as_well) {
    if (!som_engine_loads(SOM_ENGINE_GAZEBO)) {
        return;
    }
    SomTestRandom random = {7};
    int count = som_test_count(4, 40);
    for (int i = 0; i < count; i++) {
        SomPhysicsDef def = snake();
        def.engines = SOM_PHYSICS_VERDICT;
        SomPhysics *physics = som_physics_create(wake, NULL);
        som_physics_start(physics, &def);
        pause_for(som_test_uniform(&random, 0, 0.3));
        som_physics_destroy(physics);
    }
}
END_TEST

START_TEST(a_run_that_diverges_is_recorded_as_such) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    char folder[] = "/tmp/somite-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomDiagnostics *diags = som_diagnostics_create();
    SomText types = {0}, path = {0};
    som_text_printf(&types, "%s/giant.m3l", folder);
    ck_assert(som_file_save(types.data, SOM_STR(TEST_GIANT), diags));
    som_text_printf(&path, "%s/giant.som", folder);
    SomPhysicsDef def = def_of("use \"giant.m3l\"\nconfig Giant is GIANT {\n"
                               "behavior go = turn spin 1rad/s during 1s\n}\n",
                               "", "go");
    def.path = som_text_str(&path);
    SomPhysicsRecord *record = record_of(&def);
    ck_assert_str_eq(outcome_of(record), "diverged");
    bool is_told = false;
    for (int i = 0; i < record->run.result->events.count; i++) {
        is_told |= record->run.result->events.data[i].kind == SOM_EVENT_DIVERGED;
    }
    ck_assert(is_told);
    som_physics_record_release(record);
    unlink(types.data);
    rmdir(folder);
    som_text_free(&types);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_cannot_be_run_is_said) {
    static const struct {
        const char *text, *behavior, *words;
    } cases[] = {
        {"", "", "empty"},
        {"config Broken { part a : Nothing }", "", "Nothing"},
        {"use \"module.som\"\nconfig One { part a : Module }", "dance", "dance"},
        {"use \"module.som\"\nconfig One { part a : Module }",
         "parallel(a.m.tilt to 20deg, a.m.tilt to 40deg)", "40deg"},
        {"use \"module.som\"\nconfig One { part a : Module }", "a.m.left spin 11rad/s during 1s",
         "11rad/s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomPhysicsDef def = def_of(cases[i].text, "", cases[i].behavior);
        SomPhysicsRecord *record = record_of(&def);
        ck_assert(!record->has_run);
        ck_assert_msg(strstr(record->words.data, cases[i].words) != NULL, "%s", record->words.data);
        som_physics_record_release(record);
    }
}
END_TEST

static void ask_for_missing(void) {
    for (SomEngineKind kind = 0; kind < SOM_ENGINE_KINDS; kind++) {
        if (som_engine_loads(kind)) {
            continue;
        }
        SomPhysicsDef def = def_of(CAR, "Car", "");
        def.engines = kind == SOM_ENGINE_MUJOCO ? SOM_PHYSICS_PREVIEW : SOM_PHYSICS_VERDICT;
        SomPhysicsRecord *record = record_of(&def);
        ck_assert(!record->has_run);
        ck_assert_msg(strstr(record->words.data, som_engine_name(kind)) != NULL, "%s",
                      record->words.data);
        som_physics_record_release(record);
    }
}

// Gazebo's module lies beside the program: a copy of this one, elsewhere, has none.
START_TEST(an_engine_that_is_not_there_is_said) {
    ask_for_missing();
    if (som_engine_loads(SOM_ENGINE_GAZEBO)) {
        char folder[] = "/tmp/somite-XXXXXX";
        ck_assert_ptr_nonnull(mkdtemp(folder));
        SomText command = {0};
        som_text_printf(&command,
                        "cd %s && mkdir a && cp /proc/%d/exe a/moved && "
                        "CK_RUN_CASE=an_engine_that_is_not_there_is_said a/moved >/dev/null",
                        folder, (int)getpid());
        int status = system(command.data);
        som_text_clear(&command);
        som_text_printf(&command, "rm -r %s", folder);
        ck_assert_int_eq(system(command.data), 0);
        som_text_free(&command);
        ck_assert_int_eq(status, 0);
    }
}
END_TEST

// Two windows, each with a run.
START_TEST(runs_beside_each_other_do_not_meet) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    enum { COUNT = 3 };
    SomPhysics *all[COUNT];
    SomPhysicsDef def = snake();
    def.duration = 0.5;
    for (int i = 0; i < COUNT; i++) {
        all[i] = som_physics_create(wake, NULL);
        som_physics_start(all[i], &def);
    }
    SomPhysicsRecord *first = NULL;
    for (int i = 0; i < COUNT; i++) {
        som_physics_wait(all[i]);
        SomPhysicsRecord *record = som_physics_take_record(all[i]);
        ck_assert_str_eq(outcome_of(record), "timeout");
        first = first != NULL ? first : som_physics_record_hold(record);
        ck_assert_mem_eq(record->run.result->positions.data, first->run.result->positions.data,
                         sizeof(double) * (size_t)record->run.result->positions.count);
        som_physics_record_release(record);
        som_physics_destroy(all[i]);
    }
    som_physics_record_release(first);
}
END_TEST

START_TEST(nothing_has_to_be_started) {
    som_physics_destroy(NULL);
    SomPhysics *physics = som_physics_create(NULL, NULL);
    SomPhysicsLinks links = {0};
    som_physics_stop(physics);
    som_physics_wait(physics);
    ck_assert(!som_physics_take_links(physics, &links));
    ck_assert_ptr_null(som_physics_take_record(physics));
    ck_assert_int_eq(som_physics_now(physics).stage, SOM_PHYSICS_IDLE);
    som_physics_destroy(physics);
}
END_TEST

SOM_SUITE("studio/physics", a_run_ends_as_it_does_on_the_command_line,
          a_recorded_run_can_be_placed_at_any_time, the_verdict_comes_after_the_preview,
          what_is_stopped_gives_what_it_has_recorded, a_run_can_be_ended_at_any_moment,
          gazebos_physics_can_be_ended_as_well, a_run_that_diverges_is_recorded_as_such,
          what_cannot_be_run_is_said, an_engine_that_is_not_there_is_said,
          runs_beside_each_other_do_not_meet, nothing_has_to_be_started)
