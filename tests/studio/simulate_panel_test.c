// Tests for studio/simulate_*.c: behaviors run under physics in a window, and what came of them is
// seen and played again.

// SPDX-License-Identifier: Apache-2.0

#include "studio/simulate_words.h"
#include "studio/timeline.h"
#include "tests/simulate/runs.h"
#include "tests/studio/simulate_story.h"
#include "tests/studio/ui_stall.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void limit_to(SomWindow *window, const char *seconds) {
    som_simulate_type(window, som_ui_find(window, "GtkSpinButton", "At most, seconds"), seconds);
    som_ui_key(window, "Return");
}

static SomTimeline *timeline_of(SomWindow *window) {
    return SOM_TIMELINE(som_ui_find(window, "SomTimeline", NULL));
}

static double time_of(SomWindow *window) {
    return som_playhead_time(som_session_head(som_window_session(window)));
}

// Does the view show the record of the session as it was then?
static bool shows(SomWindow *window, int index, double time) {
    const SomPhysicsRecord *record = som_session_record(som_window_session(window), index);
    int count = record->run.mechanism->link_count;
    g_autofree SomPose *links = g_new0(SomPose, (gsize)count);
    const SomPose *seen = som_view_links(som_window_view(window));
    double worst = 0;
    ck_assert(som_physics_record_place(record, time, links));
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, som_pose_distance(links[i], seen[i]));
    }
    return worst < 1e-9;
}

static bool has_engines(void) {
    return som_engine_is_built(SOM_ENGINE_MUJOCO) && som_engine_loads(SOM_ENGINE_GAZEBO);
}

// ---- stories

START_TEST(the_walkbot_walks_in_both_engines_and_is_played_again) {
    if (!has_engines()) {
        return;
    }
    SomWindow *window = som_ui_window("walkbot");
    SomSession *session = som_simulate_enter(window);
    SomView *view = som_window_view(window);
    som_desk_choose(som_window_desk(window), SOM_STR("walk"));
    som_ui_settle(window);
    ck_assert(som_ui_says(window, "MuJoCo, then Gazebo's"));
    som_simulate_type(window, som_ui_find(window, "GtkEntry", "Arguments"), "1");
    limit_to(window, "0.5");
    ck_assert_double_eq(som_session_settings(session)->duration, 0.5);
    gtk_widget_set_visible(GTK_WIDGET(view), FALSE); // pictures take their time
    SomStall *stall = som_stall_watch(window);
    som_ui_key(window, "F5");
    SOM_UI_WAIT(som_session_is_running(session));
    SOM_UI_WAIT(som_ui_says(window, "Runs in MuJoCo"));
    SOM_UI_WAIT(time_of(window) > 0.1);
    const SomPose *posture = som_project_model(som_window_project(window))->links;
    ck_assert_double_gt(som_pose_distance(som_view_links(view)[0], posture[0]), 0);
    ck_assert_int_eq(som_session_shown(session), SOM_SESSION_LIVE);
    SOM_UI_WAIT(som_timeline_y_of_track(timeline_of(window), 0) > 0); // plotted as it goes on
    SOM_UI_WAIT(som_session_count(session) == 1);                     // goes on in the other engine
    SOM_UI_WAIT(!som_session_is_running(session));
    double longest = som_stall_end(stall);
    ck_assert_msg(longest <= SOM_STALL_MOST, "%g s", longest);
    gtk_widget_set_visible(GTK_WIDGET(view), TRUE);
    som_ui_settle(window);
    ck_assert_int_eq(som_session_count(session), 2);
    ck_assert_str_eq(som_session_record(session, 1)->scene->texts.behavior.data, "walk(1)");
    ck_assert_int_eq(som_ui_count(window, NULL, "MuJoCo: Timed out after 0.50 s"), 1);
    ck_assert(som_ui_says(window, "The limit of 0.5 s came before the end"));

    // it is played again, from where the ruler was clicked
    SomTimeline *timeline = timeline_of(window);
    ck_assert_int_eq(som_session_shown(session), 1);
    ck_assert(shows(window, 1, 0.5));
    som_ui_click_at(timeline, som_timeline_x_of(timeline, 0.25), 8, 1);
    SOM_UI_WAIT(fabs(time_of(window) - 0.25) < 0.02);
    ck_assert(shows(window, 1, time_of(window)));
    gtk_widget_grab_focus(GTK_WIDGET(view));
    som_ui_key(window, "space");
    SOM_UI_WAIT(time_of(window) >= 0.5);
    som_simulate_choose(window, "Which run is shown", 0);
    som_ui_click_at(timeline, som_timeline_x_of(timeline, 0.4), 8, 1);
    ck_assert(shows(window, 0, time_of(window)) && !shows(window, 1, time_of(window)));
    ck_assert_double_ge(som_timeline_y_of_row(timeline, 0), 0);
    ck_assert_double_ge(som_timeline_y_of_track(timeline, 0), 0);

    // other modes have their posture, and texts that are new their time
    som_ui_key(window, "<Alt>1");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_CONFIGURATION);
    ck_assert_double_eq(som_pose_distance(som_view_links(view)[0], posture[0]), 0);
    som_simulate_enter(window);
    ck_assert(shows(window, 0, time_of(window)));
    ck_assert(!som_ui_says(window, "of an older text"));
    g_autofree char *text = g_strconcat("# newer\n", som_story_text(window), NULL);
    som_project_set_text(som_window_project(window), som_str(text));
    som_ui_settle(window);
    ck_assert(som_ui_says(window, "of an older text"));
    ck_assert(shows(window, 0, time_of(window))); // it is the same robot
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(!som_ui_says(window, "of an older text"));
    som_ui_close(window);
}
END_TEST

START_TEST(a_fall_and_a_touch_are_shown_with_their_moments) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomWindow *window = som_ui_window(NULL);
    SomProject *project = som_window_project(window);
    som_project_set_text(project, SOM_STR("use \"walkbot.som\"\n" TEST_SPOILT));
    som_project_choose(project, SOM_STR("Spoilt(r = 90deg)"));
    SomSession *session = som_simulate_enter(window);
    som_simulate_quickly(window, SOM_PHYSICS_PREVIEW);
    som_simulate_choose(window, "Behavior", 0);
    ck_assert(som_session_settings(session)->stands);
    som_simulate_run(window);
    const SomPhysicsRecord *record = som_session_record(session, 0);
    double moment = som_record_moment(record);
    ck_assert(som_ui_says(window, "Fell "));
    ck_assert_int_eq(som_record_severity(record), SOM_ERROR);
    som_playhead_seek(som_session_head(session), 0);
    som_ui_click(som_ui_find(window, "GtkButton", "Shows this moment"));
    SOM_UI_WAIT(time_of(window) == moment);
    ck_assert(moment > 0.05 && shows(window, 0, moment));

    som_project_choose(project, SOM_STR("Spoilt(at = 4)"));
    som_ui_settle(window);
    ck_assert(som_ui_says(window, "of an older text"));
    som_simulate_choose(window, "Behavior", 1);
    som_simulate_run(window);
    ck_assert_uint_eq(som_session_record(session, 0)->scene->texts.behavior.length, 6);
    ck_assert(som_ui_says(window, "Collided "));
    SomTimeline *timeline = timeline_of(window);
    double touch = som_record_moment(som_session_record(session, 0));
    ck_assert_double_eq_tol(touch, 0.478 * 1.2109 / 0.5, 0.1);
    som_playhead_seek(som_session_head(session), 0);
    som_ui_click_at(timeline, som_timeline_x_of(timeline, touch),
                    som_timeline_y_of_band(timeline, 0), 1);
    SOM_UI_WAIT(time_of(window) == touch);
    int count, modules[2];
    ck_assert_int_eq(som_session_touching(session, modules), 2);
    ck_assert_int_eq(som_view_glow(som_window_view(window), &count)[0], modules[0]);
    ck_assert_int_eq(count, 2);
    const SomModule *all = som_project_model(project)->configuration->modules;
    ck_assert(som_str_equal(all[modules[0]].path, SOM_STR("front_left.tail")));
    ck_assert(som_str_equal(all[modules[1]].path, SOM_STR("rear_left.tail")));
    som_playhead_seek(som_session_head(session), 0);
    ck_assert_int_eq(som_session_touching(session, modules), 0);
    som_view_glow(som_window_view(window), &count);
    ck_assert_int_eq(count, 0);
    som_ui_close(window);
}
END_TEST

START_TEST(a_run_is_stopped_and_goes_on_in_another_window_until_it_is_closed) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    SomWindow *windows[2];
    for (int i = 0; i < 2; i++) {
        windows[i] = som_ui_window("car");
        som_simulate_enter(windows[i]);
        som_desk_choose(som_window_desk(windows[i]), SOM_STR("drive"));
        som_simulate_type(windows[i], som_ui_find(windows[i], "GtkEntry", "Arguments"),
                          "70mm/s, 60s");
    }
    for (int i = 0; i < 2; i++) {
        som_ui_key(windows[i], "Return"); // runs as F5 does
        SOM_UI_WAIT(som_session_is_running(som_window_session(windows[i])));
    }
    SOM_UI_WAIT(time_of(windows[0]) > 0.1 && time_of(windows[1]) > 0.1);
    SomSession *session = som_window_session(windows[1]);
    // while it runs, other things are done
    som_ui_key(windows[1], "<Alt>1");
    SOM_UI_WAIT(som_window_mode(windows[1]) == SOM_MODE_CONFIGURATION);
    double before = som_session_now(session)->time;
    SOM_UI_WAIT(som_session_now(session)->time > before + 0.1);
    som_simulate_enter(windows[1]);
    som_ui_key(windows[1], "<Shift>F5");
    SOM_UI_WAIT(!som_session_is_running(session));
    ck_assert_int_eq(som_session_count(session), 1);
    som_ui_settle(windows[1]);
    ck_assert(som_ui_says(windows[1], "Stopped after"));
    double duration = som_physics_record_duration(som_session_record(session, 0));
    ck_assert(duration > 0.1 && duration < 59);
    ck_assert_double_eq(som_playhead_duration(som_session_head(session)), duration);
    ck_assert(som_session_is_running(som_window_session(windows[0])));
    int64_t began = g_get_monotonic_time();
    som_ui_close(windows[0]); // fails if something holds it on
    som_ui_close(windows[1]);
    ck_assert_double_lt((double)(g_get_monotonic_time() - began), 5e6);
}
END_TEST

START_TEST(what_diverges_or_cannot_run_is_shown_as_such) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    char *path = som_story_file("giant.som");
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *types = g_build_filename(folder, "giant.m3l", NULL);
    ck_assert(g_file_set_contents(types, TEST_GIANT, -1, NULL));
    ck_assert(g_file_set_contents(path,
                                  "use \"giant.m3l\"\nconfig Giant is GIANT {\n"
                                  "behavior go = turn spin 1rad/s during 1s\n"
                                  "behavior turn(w: angularSpeed) = turn spin w during 1s\n}\n",
                                  -1, NULL));
    SomWindow *window = som_ui_window(path);
    som_simulate_enter(window);
    som_simulate_quickly(window, SOM_PHYSICS_PREVIEW);
    som_simulate_run(window);
    ck_assert(som_ui_says(window, "Diverged "));
    ck_assert(som_ui_says(window, "the physics diverged"));
    som_desk_choose(som_window_desk(window), SOM_STR("turn"));
    som_simulate_run(window);
    ck_assert(som_ui_says(window, "Could not run"));
    ck_assert(som_ui_says(window, "'turn' needs a value for its parameter 'w'"));
    ck_assert(!som_ui_says(window, "SOM2"));
    ck_assert_ptr_null(som_session_links(som_window_session(window)));
    som_ui_close(window);
    unlink(types);
    som_story_remove(path);
}
END_TEST

SOM_SUITE("studio/simulate_panel", the_walkbot_walks_in_both_engines_and_is_played_again,
          a_fall_and_a_touch_are_shown_with_their_moments,
          a_run_is_stopped_and_goes_on_in_another_window_until_it_is_closed,
          what_diverges_or_cannot_run_is_shown_as_such)
