// The whole job of docs/tutorial.md: a behavior is composed of those of the parts, a collision is
// found and repaired, physics has its say, Gazebo gets the files, and all is undone. Its pictures
// are those of README.md and docs/: with SOM_UPDATE set they are made anew: look at them. GTK's
// dialogs and the engines lose memory, so leaks are not looked for.

// SPDX-License-Identifier: Apache-2.0

#include "studio/motion_panel.h"
#include "studio/simulate_live.h"
#include "studio/simulate_words.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/studio/story_blocks.h"
#include "tests/suite.h"

#include <sys/stat.h>
#include <unistd.h>

#define PICTURES "docs/pictures/"

#define WALKER                                                                                     \
    "use \"chain6.som\"\n\n"                                                                       \
    "# Four legs, nothing learned yet.\n"                                                          \
    "config Walker {\n"                                                                            \
    "    part body : Chain6\n"                                                                     \
    "    part front_left, front_right, rear_left, rear_right : Chain3\n"                           \
    "    connect front_left.head.L to body.front.middle.L at 270deg\n"                             \
    "    connect front_right.head.R to body.front.middle.R at 90deg\n"                             \
    "    connect rear_left.head.L to body.rear.middle.L at 270deg\n"                               \
    "    connect rear_right.head.R to body.rear.middle.R at 90deg\n\n"                             \
    "    pose stand {\n"                                                                           \
    "        front_left.leg\n"                                                                     \
    "        front_right.leg\n"                                                                    \
    "        rear_left.leg\n"                                                                      \
    "        rear_right.leg\n"                                                                     \
    "    }\n"                                                                                      \
    "    start stand\n"                                                                            \
    "    base body.front.head on ground\n"                                                         \
    "}\n"

static bool says(SomWindow *window, const char *text) {
    return strstr(som_story_text(window), text) != NULL;
}

static SomMotionPanel *motion_of(SomWindow *window) {
    return SOM_MOTION_PANEL(som_ui_find(window, "SomMotionPanel", NULL));
}

static bool is_verified(SomWindow *window) {
    const SomMotionLive *live = som_motion_panel_live(motion_of(window));
    return !som_motion_live_is_stale(live) && !som_motion_live_is_busy(live);
}

// The band of the first error; -1: none.
static int error_band(SomWindow *window) {
    const SomMotionRecord *record =
        som_motion_live_record(som_motion_panel_live(motion_of(window)));
    const SomTimelineData *data = &record->data->model->data;
    for (int i = 0; i < data->band_count; i++) {
        if (data->bands[i].severity == SOM_ERROR) {
            return i;
        }
    }
    return -1;
}

static void compare(SomWindow *window, const char *name) {
    som_ui_move(window, 300, 20); // so that nothing in the view is under it
    som_ui_settle(window);
    som_ui_compare(window, name, SOM_UI_LOOSE);
}

static void compose(SomWindow *window) {
    som_story_add_behavior(window, "greet");
    som_story_select_block(window, "");
    som_ui_key(window, "<Alt><Shift>p");
    SOM_UI_WAIT(says(window, "behavior greet = parallel()"));
    som_story_drop(window, som_story_action(window, "front_left legSt", "front_left.legStep"), "",
                   0.7);
    SOM_UI_WAIT(says(window, "parallel(front_left.legStep)"));
    som_story_drop(window, som_story_action(window, "rear_left legSt", "rear_left.legStep"), "0",
                   0.9);
    SOM_UI_WAIT(says(window, "parallel(front_left.legStep, rear_left.legStep)"));
    som_story_set_field(window, "0", SOM_FIELD_ARGUMENT, "40deg");
    SOM_UI_WAIT(says(window, "front_left.legStep(40deg)"));
    som_story_set_field(window, "1", SOM_FIELD_ARGUMENT, "-40deg");
    SOM_UI_WAIT(says(window, "parallel(front_left.legStep(40deg), rear_left.legStep(-40deg))\n"));
}

static void look_at_collision(SomWindow *window) {
    SomTimeline *timeline = som_motion_panel_timeline(motion_of(window));
    SOM_UI_WAIT(is_verified(window) && error_band(window) >= 0);
    som_ui_settle(window);
    int band = error_band(window), count;
    double y = som_timeline_y_of_band(timeline, band);
    som_ui_click_at(timeline, som_timeline_x_of(timeline, 1.632), y, 1);
    SOM_UI_WAIT(som_timeline_band(timeline) == band);
    som_view_glow(som_window_view(window), &count);
    ck_assert_int_eq(count, 2);
    som_desk_marks(som_window_desk(window), &count);
    ck_assert_int_ge(count, 1);
    double time = som_playhead_time(som_motion_panel_head(motion_of(window)));
    ck_assert(time > 1.6 && time < 1.75);
}

static void repair(SomWindow *window) {
    som_story_set_field(window, "0", SOM_FIELD_ARGUMENT, "20deg");
    SOM_UI_WAIT(says(window, "front_left.legStep(20deg)"));
    som_story_set_field(window, "1", SOM_FIELD_ARGUMENT, "-20deg");
    SOM_UI_WAIT(says(window, "rear_left.legStep(-20deg)"));
    SOM_UI_WAIT(is_verified(window));
    ck_assert_int_eq(error_band(window), -1);
}

static void run(SomWindow *window) {
    SomSession *session = som_window_session(window);
    som_ui_key(window, "<Alt>3");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_SIMULATE);
    som_ui_settle(window);
    som_ui_key(window, "F5");
    SOM_UI_WAIT(som_session_is_running(session));
    SOM_UI_WAIT(!som_session_is_running(session));
    ck_assert_int_eq(som_session_count(session), 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(som_session_record(session, i)->run.result->outcome,
                         SOM_OUTCOME_COMPLETED);
    }
    som_ui_settle(window);
    ck_assert(som_ui_says(window, "Completed "));
}

static void take_to_gazebo(SomWindow *window) {
    char *folder = som_story_file("world");
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    som_ui_key(window, "<Control><Shift>F5");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>l"); // the path is typed
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), folder);
    som_ui_key(som_ui_top(), "Return");
    static const char *const names[] = {"world.sdf", "model.sdf", "model.config", "names.csv",
                                        "run.sh"};
    g_autofree char *made = g_build_filename(folder, "walker_sdf", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(made, names[i], NULL);
        SOM_UI_WAIT(g_file_test(path, G_FILE_TEST_EXISTS) && som_ui_top() == GTK_WINDOW(window));
        unlink(path);
    }
    rmdir(made);
    rmdir(folder);
    som_story_remove(folder);
}

START_TEST(a_behavior_is_composed_repaired_run_and_exported) {
    SomWindow *window = som_ui_window(NULL);
    som_project_begin(som_window_project(window), SOM_STR(""), SOM_STR(""), SOM_STR(WALKER));
    som_ui_key(window, "Home");
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    compose(window);
    SOM_UI_WAIT(is_verified(window));
    som_ui_settle(window);
    compare(window, PICTURES "studio-behaviors");
    look_at_collision(window);
    compare(window, PICTURES "studio-collision");
    repair(window);
    if (som_engine_is_built(SOM_ENGINE_MUJOCO) && som_engine_loads(SOM_ENGINE_GAZEBO)) {
        run(window);
        compare(window, PICTURES "studio-simulate");
        take_to_gazebo(window);
    }
    som_ui_key(window, "<Alt>2");
    som_story_undo_all(window);
    ck_assert_str_eq(som_story_text(window), WALKER);
    som_story_redo_all(window);
    ck_assert(says(window, "parallel(front_left.legStep(20deg), rear_left.legStep(-20deg))\n"));
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/designer_story", a_behavior_is_composed_repaired_run_and_exported)
