// The guided tour, as somebody who is here for the first time takes it.

// SPDX-License-Identifier: Apache-2.0

#include "studio/tour.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/suite.h"

#define TARGET "som-tour-target"

static SomTour *tour_of(SomWindow *window) {
    return SOM_TOUR(som_ui_find(window, "SomTour", NULL));
}

static bool is_done(SomWindow *window) {
    return som_ui_look_for(window, "GtkImage", "This step is done") != NULL;
}

static void go_on(SomWindow *window, const char *title) {
    som_ui_click(som_ui_find(window, "GtkButton", "Next"));
    SOM_UI_WAIT(som_ui_says(window, title));
}

static bool points_at(SomWindow *window, const char *type) {
    for (GtkWidget *each = som_ui_find(window, type, NULL); each != NULL;
         each = gtk_widget_get_parent(each)) {
        if (gtk_widget_has_css_class(each, TARGET)) {
            return true;
        }
    }
    return false;
}

START_TEST(five_steps_lead_through_the_whole_job) {
    SomWindow *window = som_ui_window(NULL);
    som_window_show_start(window);
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkButton", "Take the tour"));
    SOM_UI_WAIT(som_ui_says(window, "1 of 5"));
    SOM_UI_WAIT(som_view_frames(som_window_view(window)) > 0);
    ck_assert(points_at(window, "SomLibraryPanel") && !is_done(window));

    // what it asks for, done as it says, is noticed
    som_story_carry(window, "Chain6", NULL, NULL);
    som_ui_release(som_window_view(window), 1);
    SOM_UI_WAIT(is_done(window));
    go_on(window, "Give it legs");
    ck_assert(points_at(window, "SomView") && !points_at(window, "SomLibraryPanel"));
    ck_assert(!is_done(window));
    for (int side = 0; side < 2; side++) {
        som_story_carry(window, "Chain3", "chain6.front.middle", side == 0 ? "L" : "R");
        som_story_turn_to(window, side == 0 ? "head.L" : "head.R", side == 0 ? 270 : 90);
        som_ui_release(som_window_view(window), 1);
        SOM_UI_WAIT(som_story_modules(window) == 9 + 3 * side);
    }
    SOM_UI_WAIT(is_done(window));
    g_object_set(window, "shows-library", FALSE, "shows-findings", FALSE, NULL);
    go_on(window, "Compose a behavior");
    ck_assert_int_eq(som_window_mode(window), SOM_MODE_BEHAVIORS);
    ck_assert(points_at(window, "SomBlockPanel"));
    ck_assert_ptr_nonnull(som_ui_look_for(window, "SomPalettePanel", NULL)); // it is shown again
    go_on(window, "Play it");
    ck_assert(points_at(window, "SomTimeline"));
    g_object_set(window, "shows-side", FALSE, NULL);
    som_ui_click(som_ui_find(window, "GtkButton", "Back"));
    SOM_UI_WAIT(som_ui_says(window, "3 of 5"));
    ck_assert(points_at(window, "SomPalettePanel")); // where there is no room for blocks
    go_on(window, "Play it");
    go_on(window, "Run it, and take it along");
    ck_assert_int_eq(som_window_mode(window), SOM_MODE_SIMULATE);
    som_ui_click(som_ui_find(window, "GtkButton", "Back"));
    SOM_UI_WAIT(som_ui_says(window, "4 of 5"));
    som_ui_click(som_ui_find(window, "GtkButton", "Next"));
    SOM_UI_WAIT(som_ui_says(window, "5 of 5"));
    som_ui_click(som_ui_find(window, "GtkButton", "Finish"));
    SOM_UI_WAIT(som_ui_look_for(window, "SomTour", NULL) == NULL);
    ck_assert(!points_at(window, "SomView"));
    som_ui_close(window);
}
END_TEST

START_TEST(who_builds_nothing_goes_on_with_the_walkbot) {
    SomWindow *window = som_ui_window(NULL);
    som_ui_key(window, "F1");
    SOM_UI_WAIT(som_ui_look_for(window, "SomTour", NULL) != NULL);
    ck_assert_int_eq(som_tour_step(tour_of(window)), 0);
    go_on(window, "Give it legs");
    go_on(window, "Compose a behavior");
    ck_assert(!is_done(window));
    som_ui_click(som_ui_find(window, "GtkButton", "Use the Walkbot"));
    SOM_UI_WAIT(som_story_modules(window) == 18 && is_done(window));
    ck_assert_ptr_null(som_ui_look_for(window, "GtkButton", "Use the Walkbot"));
    gtk_widget_grab_focus(som_ui_find(window, "GtkButton", "Next"));
    som_ui_key(window, "Escape");
    SOM_UI_WAIT(som_ui_look_for(window, "SomTour", NULL) == NULL);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/tour_story", five_steps_lead_through_the_whole_job,
          who_builds_nothing_goes_on_with_the_walkbot)
