// Tests for studio/simulate_session.c, simulate_data.c, simulate_words.c and physics_trace.c: what
// a window simulates, without a window.

// SPDX-License-Identifier: Apache-2.0

#include "studio/simulate_data.h"
#include "studio/simulate_session.h"
#include "studio/simulate_words.h"
#include "tests/simulate/runs.h"
#include "tests/suite.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define CAR                                                                                        \
    "use \"car.som\"\nconfig Own { part car : Car\n behavior go = car.drive(70mm/s, 1s)\n }\n"

static atomic_int woken;

static void wake(void *context) {
    (void)context;
    atomic_fetch_add(&woken, 1);
}

typedef struct Bench {
    SomProject *project;
    SomDesk *desk;
    SomSession *session;
    unsigned changes;
} Bench;

static void on_change(void *context, unsigned changes) {
    ((Bench *)context)->changes |= changes;
}

static void set_up(Bench *bench, const char *text) {
    *bench = (Bench){.project = som_project_create(som_str(test_library))};
    som_project_set_text(bench->project, som_str(text));
    bench->desk = som_desk_create(bench->project);
    bench->session = som_session_create(bench->desk, wake, NULL);
    som_session_listen(bench->session, on_change, bench);
    som_session_set_settings(bench->session,
                             &(SomSessionSettings){.engines = SOM_PHYSICS_PREVIEW, .duration = 5});
}

static void tear_down(Bench *bench) {
    som_session_destroy(bench->session);
    som_desk_destroy(bench->desk);
    som_project_destroy(bench->project);
}

// Collects as a main loop does, until it is over.
static void run(Bench *bench) {
    som_session_start(bench->session);
    ck_assert(som_session_is_running(bench->session));
    while (som_session_is_running(bench->session)) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        som_session_collect(bench->session);
    }
}

START_TEST(a_run_follows_its_text_and_is_played_again) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    Bench bench;
    set_up(&bench, CAR);
    SomSession *session = bench.session;
    ck_assert(som_session_can_start(session));
    ck_assert_ptr_null(som_session_links(session));
    som_session_stop(session); // of nothing
    run(&bench);
    ck_assert_uint_eq(bench.changes & (SOM_SESSION_TRACE | SOM_SESSION_RECORDS | SOM_SESSION_LINKS),
                      SOM_SESSION_TRACE | SOM_SESSION_RECORDS | SOM_SESSION_LINKS);
    ck_assert_int_gt(atomic_load(&woken), 3);
    ck_assert_int_eq(som_session_count(session), 1);
    ck_assert_int_eq(som_session_shown(session), 0);
    const SomPhysicsRecord *record = som_session_record(session, 0);
    double end = som_physics_record_duration(record);
    ck_assert_double_eq(som_playhead_time(som_session_head(session)), end);
    SomPose last = som_session_links(session)[0];
    som_session_jump(session, 0, 0.2);
    ck_assert_double_eq(som_playhead_time(som_session_head(session)), 0.2);
    ck_assert_double_gt(som_pose_distance(som_session_links(session)[0], last), 0.01);
    // the text is another one, of the same robot; then of another robot
    som_project_set_text(bench.project, SOM_STR(CAR "# newer\n"));
    ck_assert(som_session_is_old(session));
    ck_assert_ptr_nonnull(som_session_links(session));
    som_project_set_text(bench.project,
                         SOM_STR("use \"chain3.som\"\nconfig B { part a : Chain3 }"));
    ck_assert(som_session_is_old(session));
    ck_assert_ptr_null(som_session_links(session));
    som_project_undo(bench.project);
    som_project_undo(bench.project);
    ck_assert(!som_session_is_old(session));
    ck_assert_ptr_nonnull(som_session_links(session));
    tear_down(&bench);
}
END_TEST

START_TEST(arguments_are_those_of_the_behavior_that_is_chosen) {
    Bench bench;
    set_up(&bench, CAR);
    SomSession *session = bench.session;
    SomText call = {0};
    som_desk_choose(bench.desk, SOM_STR("car.drive"));
    ck_assert_uint_gt(som_session_params(session).length, 10);
    som_session_set_arguments(session, SOM_STR("70mm/s, 1s"));
    som_session_print_call(session, &call);
    ck_assert_str_eq(call.data, "car.drive(70mm/s, 1s)");
    som_desk_choose(bench.desk, SOM_STR("car.turn"));
    ck_assert_uint_eq(som_session_arguments(session).length, 0);
    som_text_clear(&call);
    som_session_set_settings(session, &(SomSessionSettings){.stands = true});
    som_session_print_call(session, &call);
    ck_assert_uint_eq(call.length, 0);
    ck_assert_uint_eq(som_session_params(session).length, 0);
    som_text_free(&call);
    tear_down(&bench);
}
END_TEST

static int row_of(const SomTimelineData *data, const char *title) {
    for (int i = 0; i < data->row_count; i++) {
        if (som_str_equal(data->rows[i].title, som_str(title))) {
            return i;
        }
    }
    return -1;
}

START_TEST(a_record_is_a_timeline_and_words) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    Bench bench;
    set_up(&bench, "use \"walkbot.som\"\n" TEST_SPOILT);
    som_project_choose(bench.project, SOM_STR("Spoilt(at = 4)"));
    run(&bench);
    const SomPhysicsRecord *record = som_session_record(bench.session, 0);
    ck_assert_msg(record->has_run, "%s", record->words.data);
    SomRunData *made = som_run_data_create(record);
    const SomTimelineData *data = &made->data;
    ck_assert_double_eq(data->duration, som_physics_record_duration(record));
    int whole = row_of(data, "toward"), row = row_of(data, "front_left.tail.bend to 69.38deg");
    ck_assert_int_eq(whole, 0);
    ck_assert_msg(row > 0, "%.*s", SOM_STR_ARG(data->rows[1].title));
    ck_assert_int_eq(data->rows[row].depth, 1);
    ck_assert_int_eq(data->row_count, 5);
    ck_assert_int_eq(data->bar_count, 5);
    double touch = som_record_moment(record);
    ck_assert_int_ge(data->band_count, 1);
    ck_assert_double_eq(data->bands[0].at, touch);
    ck_assert_int_eq(data->bands[0].severity, SOM_ERROR);
    int shown = 0, both = 0;
    for (int i = 0; i < data->track_count; i++) {
        const SomTimelineTrack *track = &data->tracks[i];
        shown += track->is_shown;
        both += track->curves[SOM_TIMELINE_PREDICTED].count > 0;
        ck_assert_int_gt(track->curves[SOM_TIMELINE_SIMULATED].count, 10);
        ck_assert(isfinite(som_timeline_track_value(track, SOM_TIMELINE_SIMULATED, touch)));
    }
    ck_assert_int_eq(shown, 6);
    ck_assert_int_eq(both, record->run.result->dof_count);
    ck_assert_int_eq(data->track_count, 3 + 2 * record->run.result->dof_count);
    som_run_data_destroy(made);

    SomText words = {0};
    ck_assert_str_eq(som_record_title(record), "Collided");
    som_record_print_when(record, &words);
    ck_assert_msg(strncmp(words.data, "at 1.1", 6) == 0, "%s", words.data);
    som_text_clear(&words);
    som_record_print_actions(record, &words);
    ck_assert_str_eq(words.data, "2 of 4 as predicted");
    som_text_free(&words);
    SomRecordLines lines = som_record_lines(record, 2);
    ck_assert_int_ge(lines.all.count, 3);
    ck_assert_int_gt(lines.hidden, 0);
    for (int i = 1; i < lines.all.count; i++) {
        ck_assert_double_ge(lines.all.data[i].time, lines.all.data[i - 1].time);
    }
    som_record_lines_free(&lines);
    tear_down(&bench);
}
END_TEST

// What is plotted while it runs is what is recorded in the end.
START_TEST(traces_are_taken_in_pieces) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomPhysics *physics = som_physics_create(NULL, NULL);
    SomPhysicsTrace trace = {0};
    som_physics_start(physics, &(SomPhysicsDef){.library = som_str(test_library),
                                                .text = SOM_STR("use \"car.som\""),
                                                .choice = SOM_STR("Car"),
                                                .behavior = SOM_STR("drive(70mm/s, 1s)"),
                                                .engines = SOM_PHYSICS_PREVIEW});
    int pieces = 0;
    while (som_physics_now(physics).stage != SOM_PHYSICS_IDLE) {
        pieces += som_physics_take_trace(physics, &trace);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    pieces += som_physics_take_trace(physics, &trace);
    ck_assert_int_gt(pieces, 0);
    SomPhysicsRecord *record = som_physics_take_record(physics);
    const SomSimulationResult *all = record->run.result;
    ck_assert_ptr_eq(trace.record, record);
    ck_assert_int_eq(trace.result.times.count, all->times.count);
    ck_assert_int_eq(trace.result.events.count, all->events.count);
    ck_assert_mem_eq(trace.result.positions.data, all->positions.data,
                     sizeof(double) * (size_t)all->positions.count);
    ck_assert_mem_eq(trace.result.com.data, all->com.data,
                     sizeof(SomVec3) * (size_t)all->com.count);
    SomRunData *live = som_run_data_create_live(&trace, 100), *over = som_run_data_create(record);
    ck_assert_double_eq(live->data.duration, 100);
    ck_assert_int_eq(live->data.row_count, over->data.row_count);
    ck_assert_int_eq(live->data.bar_count, over->data.bar_count);
    ck_assert_int_eq(live->data.track_count, over->data.track_count);
    som_run_data_destroy(live);
    som_run_data_destroy(over);
    som_physics_trace_free(&trace);
    som_physics_record_release(record);
    som_physics_destroy(physics);
}
END_TEST

SOM_SUITE("studio/simulate_session", a_run_follows_its_text_and_is_played_again,
          arguments_are_those_of_the_behavior_that_is_chosen, a_record_is_a_timeline_and_words,
          traces_are_taken_in_pieces)
