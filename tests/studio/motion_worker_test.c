// Tests for studio/motion_worker.c, studio/motion_record.c and studio/motion_data.c: behaviors that
// are predicted and verified in a thread, ended at any moment, and what a timeline shows of them.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/compile.h"
#include "studio/motion_worker.h"
#include "tests/compose/texts.h"

#include <math.h>
#include <time.h>

#define CHAIN                                                                                      \
    "use \"smores.m3l\"\n"                                                                         \
    "config Leg is SMORES {\n"                                                                     \
    "    behavior lift(a: angle = 10deg) = series(tilt to a, wait 1s)\n"                           \
    "    behavior turn(a: angle, t: time) = pan to a timeout t\n"                                  \
    "}\n"                                                                                          \
    "config Pair {\n"                                                                              \
    "    part a, b : Leg\n"                                                                        \
    "    connect a.B to b.T\n"
#define WALK "    behavior walk = series(a.lift, parallel(b.lift(20deg), wait 0.5s))\n"
#define PAIR CHAIN WALK "}\n"

typedef struct Fixture {
    SomProject *project;
    SomMotionWorker *worker;
    atomic_int woken;
} Fixture;

static void wake(void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
}

static void begin(Fixture *f, const char *text, const char *choice) {
    f->project = som_project_create(som_str(test_library));
    som_project_begin(f->project, SOM_STR(""), SOM_STR(""), som_str(text));
    som_project_choose(f->project, som_str(choice));
    atomic_init(&f->woken, 0);
    f->worker = som_motion_worker_create(wake, &f->woken);
}

static void end(Fixture *f) {
    som_motion_worker_destroy(f->worker);
    som_project_destroy(f->project);
}

// The last record of a behavior, when all is done; to be released.
static SomMotionRecord *answer(Fixture *f, const char *behavior) {
    long number = som_motion_worker_ask(f->worker, f->project, som_str(behavior));
    som_motion_worker_wait(f->worker);
    SomMotionRecord *record = som_motion_worker_collect(f->worker);
    ck_assert_ptr_nonnull(record);
    ck_assert_int_eq(record->number, number);
    ck_assert_ptr_null(som_motion_worker_collect(f->worker));
    return record;
}

static void pause_for(double seconds) {
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

// ---- what is answered

// As the command line plays it, and at its end until all joints rest.
START_TEST(the_motion_is_that_of_the_command_line) {
    Fixture f;
    begin(&f, "use \"snake.som\"", "Snake(n = 2)");
    SomMotionRecord *record = answer(&f, "nSnakeSineGait");
    TestDesign text = test_design("use \"snake.som\"");
    SomConfiguration *snake = test_compose(&text, "Snake(n = 2)");
    SomCompileDef compile = {
        .workspace = text.workspace, .configuration = snake, .diags = text.diags};
    SomActionGraph *graph = som_compile_call(&compile, SOM_STR("nSnakeSineGait"));
    SomServoModel *servos = som_compile_servos(snake);
    SomPosture start = som_posture_start(snake);
    SomPrediction played = {0}, *is = &record->scene->prediction;
    som_prediction_play(&(SomPredictionDef){.graph = graph,
                                            .servos = servos,
                                            .initial = start.values,
                                            .design = snake,
                                            .tick = 0.01},
                        &played, text.diags);
    ck_assert_double_eq(is->duration, played.duration);
    ck_assert_int_eq(is->events.count, played.events.count);
    ck_assert_int_ge(is->times.count, played.times.count);
    ck_assert_mem_eq(is->positions.data, played.positions.data,
                     sizeof(double) * (size_t)played.positions.count);
    ck_assert_ptr_nonnull(record->found);
    ck_assert_int_gt(atomic_load(&f.woken), 0);
    som_prediction_free(&played);
    som_posture_free(&start);
    som_free(servos);
    som_action_graph_destroy(graph);
    som_configuration_destroy(snake);
    test_design_free(&text);
    som_motion_record_release(record);
    end(&f);
}
END_TEST

// To be played before it is verified.
START_TEST(the_prediction_comes_before_the_findings) {
    Fixture f;
    begin(&f, "use \"snake.som\"", "Snake(n = 20)");
    long number = som_motion_worker_ask(f.worker, f.project, SOM_STR("nSnakeSineGait"));
    SomMotionRecord *record = NULL;
    while (record == NULL) {
        pause_for(0.001);
        record = som_motion_worker_collect(f.worker);
    }
    ck_assert_int_eq(record->number, number);
    ck_assert_ptr_null(record->found);
    ck_assert(som_motion_record_plays(record));
    ck_assert_double_gt(som_motion_record_duration(record), 0.5);
    som_motion_worker_wait(f.worker);
    SomMotionRecord *second = som_motion_worker_collect(f.worker);
    ck_assert_ptr_nonnull(second->found);
    ck_assert_ptr_eq(second->scene, record->scene);
    som_motion_record_release(second);
    som_motion_record_release(record);
    end(&f);
}
END_TEST

static void check_refusal(const char *text, const char *behavior, const char *words) {
    Fixture f;
    begin(&f, text, "Pair");
    SomMotionRecord *record = answer(&f, behavior);
    ck_assert(!som_motion_record_plays(record));
    ck_assert_ptr_null(record->found);
    ck_assert_str_eq(som_text_str(&record->scene->words).data, words);
    som_motion_record_release(record);
    end(&f);
}

START_TEST(what_cannot_be_played_says_why) {
    check_refusal(PAIR, "a.turn",
                  "it needs a value for a (angle), t (time); give a default, or run it from "
                  "another behavior");
    check_refusal(PAIR, "fly", "there is no such behavior");
    check_refusal("", "walk", "the design is empty");
    check_refusal(CHAIN "    behavior walk = series(nobody.lift)\n}\n", "walk",
                  "'Pair' has no part 'nobody'");
}
END_TEST

START_TEST(defaults_are_used_and_parts_have_behaviors) {
    Fixture f;
    begin(&f, PAIR, "Pair");
    SomMotionRecord *record = answer(&f, "b.lift");
    ck_assert(som_motion_record_plays(record));
    ck_assert_double_ge(som_motion_record_duration(record), 1);
    som_motion_record_release(record);
    end(&f);
}
END_TEST

START_TEST(what_never_ends_is_cut_and_told) {
    Fixture f;
    begin(&f, CHAIN "    behavior walk = repeat forever: a.left by 5deg\n}\n", "Pair");
    SomMotionRecord *record = answer(&f, "walk");
    ck_assert(som_motion_record_is_cut(record));
    ck_assert_double_le(som_motion_record_duration(record), SOM_MOTION_MOST_TIME + 1);
    // the wheel turns on and on, so that no pass ends as it began
    ck_assert_int_ne(record->found->verdict, SOM_VERDICT_SAFE);
    ck_assert(!som_verification_claims(record->found, SOM_CHECK_MOTION));
    som_motion_record_release(record);
    end(&f);
}
END_TEST

START_TEST(a_motion_stands_on_the_ground_at_any_time) {
    Fixture f;
    begin(&f, PAIR, "Pair");
    SomMotionRecord *record = answer(&f, "walk");
    const SomMechanism *m = record->scene->mechanism;
    SomPose *at = som_alloc(sizeof *at * (size_t)m->link_count), first = {0};
    double most = 0;
    for (int i = -5; i <= 105; i++) {
        som_motion_record_place(record, 0.01 * i * som_motion_record_duration(record), at);
        first = i == -5 ? at[m->link_count - 1] : first;
        most = fmax(most, som_pose_distance(first, at[m->link_count - 1]));
        ck_assert_double_le(fabs(som_mechanism_bounds(m, at).low.z), 2e-3);
    }
    ck_assert_double_gt(most, 0.01); // it moves
    som_free(at);
    som_motion_record_release(record);
    end(&f);
}
END_TEST

// ---- at any moment

START_TEST(it_can_be_ended_at_any_moment) {
    SomTestRandom random = {7};
    for (int i = 0; i < som_test_count(10, 400); i++) {
        Fixture f;
        begin(&f, "use \"snake.som\"", "Snake(n = 6)");
        som_motion_worker_ask(f.worker, f.project, SOM_STR("nSnakeSineGait(waves = 1)"));
        som_motion_worker_ask(f.worker, f.project, SOM_STR("nSnakeSineGait"));
        pause_for(0.03 * som_test_uniform(&random, 0, 1));
        if (i % 3 == 0) {
            som_motion_worker_cancel(f.worker);
            som_motion_worker_wait(f.worker);
            ck_assert_ptr_null(som_motion_worker_collect(f.worker));
        }
        end(&f); // with a record that nobody collected
    }
}
END_TEST

// What is wanted last is what is answered, whatever was edited and asked for meanwhile.
START_TEST(thousands_of_requests_end_with_the_last) {
    Fixture f;
    SomTestRandom random = {11};
    begin(&f, PAIR, "Pair");
    SomText text = {0};
    long number = 0;
    for (int i = 0; i < som_test_count(1000, 30000); i++) {
        if (i % 50 == 0) {
            som_text_clear(&text);
            som_text_printf(&text, "%s    behavior walk = a.tilt to %ddeg\n}\n", CHAIN, i % 60);
            som_project_set_text(f.project, som_text_str(&text));
        }
        number = som_motion_worker_ask(f.worker, f.project, SOM_STR("walk"));
        if (som_test_uniform(&random, 0, 1) < 0.05) {
            som_motion_worker_cancel(f.worker);
        }
        if (som_test_uniform(&random, 0, 1) < 0.02) {
            pause_for(0.01 * som_test_uniform(&random, 0, 1));
        }
        SomMotionRecord *record = som_motion_worker_collect(f.worker);
        ck_assert(record == NULL || record->number == number);
        som_motion_record_release(record);
    }
    SomMotionRecord *last = answer(&f, "walk");
    ck_assert(som_str_equal(som_text_str(&last->scene->texts.text), som_text_str(&text)));
    ck_assert_ptr_nonnull(last->found);
    som_motion_record_release(last);
    som_text_free(&text);
    end(&f);
}
END_TEST

// A verification of seconds is left within a moment.
START_TEST(a_long_verification_gives_way) {
    Fixture f;
    begin(&f, "use \"snake.som\"", "Snake(n = 22)");
    som_motion_worker_ask(f.worker, f.project, SOM_STR("nSnakeSineGait"));
    SomMotionRecord *record = NULL;
    while (record == NULL) {
        pause_for(0.001);
        record = som_motion_worker_collect(f.worker);
    }
    struct timespec begun, ended;
    som_project_begin(f.project, SOM_STR(""), SOM_STR(""), SOM_STR(PAIR));
    som_project_choose(f.project, SOM_STR("Pair"));
    clock_gettime(CLOCK_MONOTONIC, &begun);
    som_motion_record_release(record);
    record = answer(&f, "walk");
    clock_gettime(CLOCK_MONOTONIC, &ended);
    ck_assert(som_motion_record_plays(record));
    ck_assert_int_le(ended.tv_sec - begun.tv_sec, 5);
    som_motion_record_release(record);
    end(&f);
}
END_TEST

// Behaviors opens on a design in which a piece comes loose.
START_TEST(a_dock_that_opens_is_played_and_verified) {
    Fixture f;
    begin(&f,
          "use \"smores.m3l\"\n"
          "config Two {\n"
          "    part a, b : SMORES\n"
          "    dock d: a.B to b.T closed\n"
          "    behavior o = series(disconnect d timeout 2s, b.tilt to 20deg)\n"
          "}\n",
          "Two");
    SomMotionRecord *record = answer(&f, "o");
    ck_assert(som_motion_record_plays(record));
    ck_assert_ptr_nonnull(record->found);
    SomPose links[16];
    ck_assert_int_le(record->scene->mechanism->link_count, 16);
    som_motion_record_place(record, 0, links);
    som_motion_record_place(record, som_motion_record_duration(record), links);
    ck_assert(isfinite(links[9].position.x));
    som_motion_record_release(record);
    end(&f);
}
END_TEST

SOM_SUITE("studio/motion_worker", the_motion_is_that_of_the_command_line,
          the_prediction_comes_before_the_findings, what_cannot_be_played_says_why,
          defaults_are_used_and_parts_have_behaviors, what_never_ends_is_cut_and_told,
          a_motion_stands_on_the_ground_at_any_time, it_can_be_ended_at_any_moment,
          thousands_of_requests_end_with_the_last, a_long_verification_gives_way,
          a_dock_that_opens_is_played_and_verified)
