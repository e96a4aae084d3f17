// The pictures of README.md and docs/studio.md: what they show is what the studio shows. With
// SOM_UPDATE set they are made anew (tools/screenshots.py): look at them.

// SPDX-License-Identifier: Apache-2.0

#include "studio/library_panel.h"
#include "tests/studio/story.h"
#include "tests/suite.h"

#define PICTURES "docs/pictures/"

// Pictures of the library are drawn by a thread.
static bool lacks_picture(GtkWidget *widget) {
    bool lacks = GTK_IS_PICTURE(widget) && gtk_widget_get_mapped(widget) &&
                 gtk_picture_get_paintable(GTK_PICTURE(widget)) == NULL;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && !lacks;
         child = gtk_widget_get_next_sibling(child)) {
        lacks = lacks_picture(child);
    }
    return lacks;
}

static void compare(SomWindow *window, const char *name) {
    SOM_UI_WAIT(som_project_is_stale(som_window_project(window)) ||
                som_project_verdict(som_window_project(window))->is_current);
    GtkWidget *panel = som_ui_find(window, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    som_ui_settle(window);
    SOM_UI_WAIT(!lacks_picture(panel));
    som_ui_settle(window);
    som_ui_compare(window, name, SOM_UI_LOOSE);
}

START_TEST(the_walkbot_and_all_panels) {
    SomWindow *window = som_ui_window("walkbot");
    som_ui_key(window, "Home");
    som_ui_move(window, 300, 20); // so that nothing in the view is under it
    compare(window, PICTURES "studio");
    som_ui_close(window);
}
END_TEST

START_TEST(a_leg_that_is_held_at_the_body) {
    SomWindow *window = som_ui_window("chain6");
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_key(window, "minus");
    som_story_carry(window, "Chain3", "front.middle", "L");
    som_story_turn_to(window, "head.L", 270);
    compare(window, PICTURES "studio-place");
    som_ui_release(som_window_view(window), 1);
    som_ui_close(window);
}
END_TEST

START_TEST(a_robot_that_tips_over) {
    SomWindow *window = som_ui_window("walkbot");
    SomProject *project = som_window_project(window);
    SomDesign *design = som_project_design(project);
    for (int side = 0; side < 2; side++) {
        SomStr own = side == 0 ? SOM_STR("front_left.head.L") : SOM_STR("front_right.head.R");
        SomStr body = side == 0 ? SOM_STR("body.front.middle.L") : SOM_STR("body.front.middle.R");
        SomMatingWish wish = {.has_roll = true, .roll = side == 0 ? G_PI_2 : 3 * G_PI_2};
        ck_assert(som_project_edited(
            project, som_design_reconnect(design, SOM_STR(""), own, body, own, body, wish)));
    }
    som_ui_key(window, "Home");
    som_ui_move(window, 300, 20); // so that nothing in the view is under it
    compare(window, PICTURES "studio-warning");
    som_ui_close(window);
}
END_TEST

START_TEST(a_mistake_in_the_text) {
    SomWindow *window = som_ui_window("chain3");
    som_ui_key(window, "<Control>e");
    som_ui_key(window, "<Control>Home");
    const char *line = strstr(som_story_text(window), "    connect");
    for (const char *at = som_story_text(window); at < line; at++) {
        if (*at == '\n') {
            som_ui_key(window, "Down");
        }
    }
    som_ui_key(window, "End");
    som_ui_type(window, " at 10deg");
    som_ui_move(window, 300, 20);
    SOM_UI_WAIT(som_project_is_stale(som_window_project(window)));
    compare(window, PICTURES "studio-text");
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/pictures", the_walkbot_and_all_panels, a_leg_that_is_held_at_the_body,
          a_robot_that_tips_over, a_mistake_in_the_text)
