// A behavior is played, scrubbed and looked through: what it does, when, and what is wrong with it.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/verify_codes.h"
#include "studio/motion_panel.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/studio/ui_stall.h"
#include "tests/suite.h"

#include <math.h>

// The ends of the chain meet from 0.653 s to 0.938 s.
#define CURL                                                                                       \
    "use \"smores.m3l\"\n\n"                                                                       \
    "config Curl {\n"                                                                              \
    "    part a, b, c, d, e : Leg\n"                                                               \
    "    connect a.B to b.T\n"                                                                     \
    "    connect b.B to c.T\n"                                                                     \
    "    connect c.B to d.T\n"                                                                     \
    "    connect d.B to e.T\n\n"                                                                   \
    "    behavior curl = series(\n"                                                                \
    "        parallel(b.bend to 40deg, d.bend to 40deg),\n"                                        \
    "        parallel(a.swing(85deg), b.bend to 85deg, c.bend to 85deg, d.swing(85deg)),\n"        \
    "        parallel(a.swing(0deg), b.bend to 0deg, c.bend to 0deg, d.swing(0deg)),\n"            \
    "        wait 0.3s)\n"                                                                         \
    "    behavior rest = series(wait 0.5s, c.bend to 10deg, c.bend to 0deg)\n"                     \
    "    behavior turn(a: angle) = c.bend to a\n"                                                  \
    "}\n\n"                                                                                        \
    "config Leg is SMORES {\n"                                                                     \
    "    behavior swing(a: angle) = bend to a\n"                                                   \
    "}\n"

static SomMotionPanel *panel_of(SomWindow *window) {
    return SOM_MOTION_PANEL(som_ui_find(window, "SomMotionPanel", NULL));
}

static SomPlayhead *head_of(SomWindow *window) {
    return som_motion_panel_head(panel_of(window));
}

static SomTimeline *timeline_of(SomWindow *window) {
    return som_motion_panel_timeline(panel_of(window));
}

static const SomMotionRecord *record_of(SomWindow *window) {
    return som_motion_live_record(som_motion_panel_live(panel_of(window)));
}

// The motion is of what the text says, and verified.
static bool is_known(SomWindow *window) {
    const SomMotionLive *live = som_motion_panel_live(panel_of(window));
    return !som_motion_live_is_stale(live) && !som_motion_live_is_busy(live);
}

static SomWindow *begin(const char *text) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), som_str(text));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    SOM_UI_WAIT(is_known(window));
    som_ui_settle(window);
    return window;
}

// ---- what is on the screen

static int band_of(SomWindow *window, SomCode code) {
    const SomMotionRecord *record = record_of(window);
    for (int i = 0; i < record->data->model->data.band_count; i++) {
        if (record->found->findings.data[record->data->findings[i]].code == code) {
            return i;
        }
    }
    ck_abort_msg("there is no band of SOM%04d", (int)code);
    return -1;
}

static void click_timeline(SomWindow *window, double x, double y) {
    SomTimeline *timeline = timeline_of(window);
    ck_assert_double_ge(y, 0);
    som_ui_click_at(timeline, x, y, 1);
}

// In the middle of a band, which is seen.
static void click_band(SomWindow *window, int band) {
    SomTimeline *timeline = timeline_of(window);
    const SomTimelineBand *b = &record_of(window)->data->model->data.bands[band];
    click_timeline(window, som_timeline_x_of(timeline, (b->t0 + b->t1) / 2),
                   som_timeline_y_of_band(timeline, band));
}

static int block_of(SomWindow *window, const char *path) {
    SomDesk *desk = som_window_desk(window);
    return som_blocks_find(som_desk_blocks(desk), som_desk_behavior(desk), som_str(path));
}

static bool is_marked(SomWindow *window, int block) {
    int count;
    const int *marks = som_desk_marks(som_window_desk(window), &count);
    for (int i = 0; i < count; i++) {
        if (marks[i] == block) {
            return true;
        }
    }
    return false;
}

static bool text_is_marked(SomWindow *window, const char *piece) {
    const char *text = som_story_text(window), *at = strstr(text, piece);
    SomSourcePanel *source = SOM_SOURCE_PANEL(som_ui_find(window, "SomSourcePanel", NULL));
    uint32_t last = at != NULL ? (uint32_t)(at - text + (long)strlen(piece) - 1) : 0;
    return at != NULL && som_source_panel_is_marked(source, last);
}

static int glowing(SomWindow *window) {
    int count;
    som_view_glow(som_window_view(window), &count);
    return count;
}

// How far the last link is from where the posture has it.
static double moved(SomWindow *window) {
    const SomModel *model = som_project_model(som_window_project(window));
    const SomPose *links = som_view_links(som_window_view(window));
    int last = model->mechanism->link_count - 1;
    SomPose seen = som_pose_compose(som_pose_invert(links[0]), links[last]);
    SomPose rests = som_pose_compose(som_pose_invert(model->links[0]), model->links[last]);
    return som_pose_distance(seen, rests);
}

static bool shows_posture(SomWindow *window) {
    const SomModel *model = som_project_model(som_window_project(window));
    return som_view_links(som_window_view(window)) == model->links;
}

// ---- stories

START_TEST(a_behavior_is_played_paused_and_scrubbed) {
    SomWindow *window = begin(CURL);
    SomPlayhead *head = head_of(window);
    SomTimeline *timeline = timeline_of(window);
    ck_assert_str_eq(som_motion_panel_words(panel_of(window)), "2 errors, 1 warning, 1 note");
    ck_assert_double_eq_tol(som_playhead_duration(head), 1.74, 0.02);
    ck_assert(!shows_posture(window));
    ck_assert_double_le(moved(window), 1e-6); // as it starts

    // from the view, by keys
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_key(window, "<Alt>l");
    ck_assert(som_playhead_loops(head));
    som_ui_key(window, "space");
    SOM_UI_WAIT(som_playhead_time(head) > 0.3);
    ck_assert(som_playhead_is_playing(head));
    som_ui_key(window, "space");
    ck_assert(!som_playhead_is_playing(head));
    double time = som_playhead_time(head);
    ck_assert_double_ge(moved(window), 0.02);
    som_ui_settle(window);
    ck_assert_double_eq(som_playhead_time(head), time);

    // from the blocks, where lists would select with it
    som_desk_select(som_window_desk(window), block_of(window, "0"));
    som_ui_key(window, "<Control>b");
    SOM_UI_WAIT(gtk_widget_get_ancestor(gtk_window_get_focus(GTK_WINDOW(window)),
                                        GTK_TYPE_LIST_VIEW) != NULL);
    som_ui_key(window, "space");
    ck_assert(som_playhead_is_playing(head));

    // it plays again and again, and what is searched for is found meanwhile
    som_ui_click(som_ui_find(window, NULL, "Search actions"));
    som_ui_type(window, "zzz");
    SOM_UI_WAIT(som_ui_says(window, "Nothing is called so"));
    ck_assert(som_playhead_is_playing(head));
    som_ui_key(window, "<Control>b");
    som_ui_key(window, "space");
    ck_assert(!som_playhead_is_playing(head));

    // on the ruler
    double y = 12;
    som_ui_drag(timeline, som_timeline_x_of(timeline, 0.2), y, som_timeline_x_of(timeline, 0.6), y,
                1);
    SOM_UI_WAIT(fabs(som_playhead_time(head) - 0.6) < 0.02);
    double first = moved(window);
    som_ui_click_at(timeline, som_timeline_x_of(timeline, 0.2), y, 1);
    SOM_UI_WAIT(fabs(som_playhead_time(head) - 0.2) < 0.02);
    ck_assert_double_lt(moved(window), first);

    // again and again, and faster
    som_ui_click(som_ui_find(panel_of(window), "GtkToggleButton", "Play again and again"));
    SOM_UI_WAIT(!som_playhead_loops(head));
    som_ui_click(som_ui_find(panel_of(window), "GtkToggleButton", "Play again and again"));
    SOM_UI_WAIT(som_playhead_loops(head));
    som_ui_click(som_ui_find(panel_of(window), "GtkDropDown", "Speed"));
    som_ui_key(window, "End"); // 10×
    som_ui_key(window, "Up");
    som_ui_key(window, "Up");
    som_ui_key(window, "Return");
    SOM_UI_WAIT(som_playhead_speed(head) == 2);
    som_ui_settle(window);
    som_ui_click_at(timeline, som_timeline_x_of(timeline, 1.5), y, 1);
    som_ui_click(som_ui_find(panel_of(window), "GtkButton", "Play"));
    SOM_UI_WAIT(som_playhead_time(head) < 1); // begun anew
    ck_assert(som_playhead_is_playing(head));
    som_ui_click(som_ui_find(panel_of(window), "GtkButton", "Pause"));
    som_ui_key(window, "<Control>Home");
    SOM_UI_WAIT(som_playhead_time(head) == 0);

    // the posture comes back with joints that are moved, and with another mode
    som_project_move(som_window_project(window), 3, 0.2);
    ck_assert(shows_posture(window));
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_key(window, "space");
    SOM_UI_WAIT(!shows_posture(window));
    som_ui_key(window, "<Alt>1");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_CONFIGURATION);
    ck_assert(shows_posture(window));
    ck_assert(!som_playhead_is_playing(head));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(!shows_posture(window));
    som_ui_key(window, "<Alt>3"); // which shows what has run, nothing here
    SOM_UI_WAIT(shows_posture(window));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(!shows_posture(window));
    som_ui_close(window);
}
END_TEST

START_TEST(a_finding_is_gone_to_and_marked) {
    SomWindow *window = begin(CURL);
    SomPlayhead *head = head_of(window);
    SomTimeline *timeline = timeline_of(window);
    int collision = band_of(window, SOM_SELF_COLLISION);
    click_band(window, collision);
    SOM_UI_WAIT(som_timeline_band(timeline) == collision);
    ck_assert_double_eq_tol(som_playhead_time(head), 0.821, 1e-3);
    ck_assert_double_ge(moved(window), 0.1);
    ck_assert_int_eq(glowing(window), 2);
    ck_assert(is_marked(window, block_of(window, "1/2")));
    ck_assert(!is_marked(window, block_of(window, "1/1")));
    ck_assert_int_ge(som_timeline_marked(timeline), 0);
    ck_assert_ptr_nonnull(strstr(som_motion_panel_words(panel_of(window)), "Collision"));
    ck_assert_ptr_nonnull(som_ui_look_for(window, "SomBlockPanel", NULL)); // still
    som_ui_key(window, "<Control>e");
    SOM_UI_WAIT(som_ui_look_for(window, "SomSourcePanel", NULL) != NULL);
    ck_assert(text_is_marked(window, "c.bend to 85deg"));
    ck_assert(!text_is_marked(window, "b.bend to 85deg"));

    // the next; one that comes from a behavior of a part marks both places
    som_ui_key(window, "<Shift>F4");
    SOM_UI_WAIT(som_timeline_band(timeline) == band_of(window, SOM_FALLS));
    ck_assert(is_marked(window, block_of(window, "1/3")));
    ck_assert(text_is_marked(window, "= bend to a"));
    ck_assert(!text_is_marked(window, "c.bend to 85deg"));

    // in the list of all findings, with its time
    som_ui_click(som_ui_find(window, "GtkToggleButton", "Findings"));
    SOM_UI_WAIT(som_ui_says(window, "from 0.653 s to 0.938 s"));
    GtkWidget *line = som_ui_find(
        window, "GtkLabel",
        "first 'a.FrontWheel' and 'e.UHolderBody', deepest 'a.FrontWheel' and 'e.CircuitHolder' "
        "at 0.821 s (tolerance 0.49 mm), line 12");
    som_ui_click(line);
    SOM_UI_WAIT(text_is_marked(window, "c.bend to 85deg"));
    ck_assert_int_eq(glowing(window), 2);
    som_ui_click(som_ui_find(window, "GtkToggleButton", "Timeline"));
    SOM_UI_WAIT(som_ui_look_for(window, "SomMotionPanel", NULL) != NULL);
    ck_assert_int_eq(som_timeline_band(timeline), collision);

    // nothing stands out while it plays
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_key(window, "space");
    SOM_UI_WAIT(glowing(window) == 0 && som_timeline_band(timeline) == -1);
    ck_assert(!text_is_marked(window, "c.bend to 85deg"));
    ck_assert(!is_marked(window, block_of(window, "1/2")));
    som_ui_key(window, "space");

    // a row and its block
    som_timeline_zoom(timeline, 0, som_playhead_duration(head));
    const SomTimelineData *data = &record_of(window)->data->model->data;
    int row = 0;
    while (!som_str_equal(data->rows[row].title, SOM_STR("a.bend to 85deg"))) {
        row++;
    }
    som_desk_select(som_window_desk(window), block_of(window, "1/0"));
    ck_assert_int_eq(som_timeline_marked(timeline), row);
    som_ui_settle(window);
    som_desk_select(som_window_desk(window), -1);
    click_timeline(window, 30, som_timeline_y_of_row(timeline, row));
    SOM_UI_WAIT(som_desk_selected(som_window_desk(window)) == block_of(window, "1/0"));

    // a plot that is asked for
    int track = 0;
    while (!som_str_equal(data->tracks[track].title, SOM_STR("tilt of the body"))) {
        track++;
    }
    ck_assert(!som_timeline_shows_track(timeline, track));
    som_ui_click(som_ui_find(timeline, "GtkMenuButton", NULL));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkCheckButton", "tilt of the body") != NULL);
    som_ui_click(som_ui_find(window, "GtkCheckButton", "tilt of the body"));
    SOM_UI_WAIT(som_timeline_shows_track(timeline, track));
    som_ui_key(window, "Escape");
    som_ui_close(window);
}
END_TEST

static bool is_stale(SomWindow *window) {
    return som_motion_live_is_stale(som_motion_panel_live(panel_of(window)));
}

static void replace(SomWindow *window, const char *from, const char *to) {
    const char *text = som_story_text(window), *at = strstr(text, from);
    g_autofree char *changed =
        g_strdup_printf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    som_project_set_text(som_window_project(window), som_str(changed));
}

START_TEST(while_it_is_edited_the_last_motion_stays) {
    SomWindow *window = begin(CURL);
    SomPlayhead *head = head_of(window);
    click_band(window, band_of(window, SOM_SELF_COLLISION));
    SOM_UI_WAIT(glowing(window) == 2);
    double time = som_playhead_time(head), before = moved(window);
    const SomMotionRecord *old = record_of(window);

    // repaired: it is seen as it was until it is known how it is
    replace(window, "c.bend to 85deg", "c.bend to 20deg");
    ck_assert(is_stale(window));
    ck_assert_ptr_eq(record_of(window), old);
    ck_assert(!shows_posture(window));
    ck_assert_double_eq(moved(window), before);
    ck_assert_int_eq(glowing(window), 0);
    SOM_UI_WAIT(is_known(window));
    ck_assert_double_eq(som_playhead_time(head), time);
    ck_assert(!shows_posture(window));
    ck_assert_double_ne(moved(window), before);
    const SomVerification *found = record_of(window)->found;
    for (int i = 0; i < found->findings.count; i++) {
        ck_assert_int_ne(found->findings.data[i].code, SOM_SELF_COLLISION);
    }

    // a mistake
    replace(window, "c.bend to 20deg", "c.bend to to 20deg");
    ck_assert(is_stale(window));
    ck_assert(som_ui_says(window, "the text has errors"));
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(is_known(window));

    // others, and what cannot be played
    som_desk_choose(som_window_desk(window), SOM_STR("rest"));
    ck_assert(is_stale(window));
    SOM_UI_WAIT(is_known(window));
    ck_assert_double_eq(som_playhead_time(head), 0);
    som_desk_choose(som_window_desk(window), SOM_STR("turn"));
    SOM_UI_WAIT(is_known(window));
    ck_assert(som_ui_says(window, "cannot be played: it needs a value for a (angle)"));
    ck_assert(shows_posture(window));
    ck_assert(!gtk_widget_is_sensitive(som_ui_find(panel_of(window), "GtkButton", "Play")));
    som_ui_key(window, "space");
    som_desk_choose(som_window_desk(window), SOM_STR("curl"));
    SOM_UI_WAIT(is_known(window));

    // one that was empty is seen as a whole when something is in it
    replace(window, "behavior rest = series(wait 0.5s, c.bend to 10deg, c.bend to 0deg)",
            "behavior rest = series()");
    som_desk_choose(som_window_desk(window), SOM_STR("rest"));
    SOM_UI_WAIT(is_known(window));
    ck_assert_double_eq(som_playhead_duration(head), 0);
    replace(window, "behavior rest = series()", "behavior rest = series(wait 2s)");
    SOM_UI_WAIT(is_known(window));
    ck_assert_double_eq_tol(som_timeline_last_seen(timeline_of(window)), 2, 0.05);

    // and none at all
    som_project_set_text(som_window_project(window), SOM_STR("use \"chain6.som\"\n"
                                                             "config Bare { part a : Chain6 }\n"));
    ck_assert(som_ui_says(window, "there is no behavior yet"));
    ck_assert(shows_posture(window));
    ck_assert_ptr_null(record_of(window));
    som_ui_close(window);
}
END_TEST

// 66 modules, more than two thousand actions.
#define LONG                                                                                       \
    "use \"snake.som\"\n\n"                                                                        \
    "config Long {\n"                                                                              \
    "    part s : Snake(n = 22)\n"                                                                 \
    "    verify { dt = 25ms }\n"                                                                   \
    "    behavior long = series(s.nSnakeSineGait, s.nSnakeSineGait, s.nSnakeSineGait,\n"           \
    "        s.nSnakeSineGait, s.nSnakeSineGait, s.nSnakeSineGait)\n"                              \
    "}\n"

START_TEST(a_large_motion_does_not_stop_the_window) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), SOM_STR(LONG));
    som_ui_settle(window);
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    gtk_widget_set_visible(GTK_WIDGET(som_window_view(window)), FALSE); // pictures take their time
    som_ui_settle(window);
    SomStall *stall = som_stall_watch(window);
    SOM_UI_WAIT(record_of(window) != NULL);
    ck_assert_int_ge(record_of(window)->scene->graph->action_count, 2000);
    som_playhead_toggle(head_of(window));
    SOM_UI_WAIT(som_playhead_time(head_of(window)) > 0.5);
    SOM_UI_WAIT(is_known(window));
    som_ui_settle(window);
    double longest = som_stall_end(stall);
    ck_assert_msg(longest <= SOM_STALL_MOST, "%g s", longest);
    replace(window, "s.nSnakeSineGait)", "wait 1s)"); // closed while it is computed
    ck_assert(is_stale(window));
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/motion_story", a_behavior_is_played_paused_and_scrubbed,
          a_finding_is_gone_to_and_marked, while_it_is_edited_the_last_motion_stays,
          a_large_motion_does_not_stop_the_window)
