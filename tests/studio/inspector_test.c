// Tests for studio/inspector.c and its panels, with real events: what is chosen in the tree,
// sliders, names, angles, poses and the base. Undo restores the exact text.

// SPDX-License-Identifier: Apache-2.0

#include "space/trigonometry.h"
#include "studio/inspector.h"
#include "studio/part_tree.h"
#include "tests/compose/edited.h"
#include "tests/studio/ui.h"

#include <math.h>

// ---- a window with the robot of edited.h

static SomWindow *begin(void) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), som_str(test_edit_robot));
    som_ui_settle(window);
    return window;
}

static const SomModel *model_of(SomWindow *window) {
    return som_project_model(som_window_project(window));
}

static bool has_text(SomWindow *window, const char *text) {
    return som_str_equal(som_project_text(som_window_project(window)), som_str(text));
}

static bool text_holds(SomWindow *window, const char *piece) {
    SomText text = {0};
    som_text_add(&text, som_project_text(som_window_project(window)));
    bool holds = strstr(text.data, piece) != NULL;
    som_text_free(&text);
    return holds;
}

static void undo_all(SomWindow *window, int steps) {
    for (int i = 0; i < steps; i++) {
        ck_assert(som_project_undo(som_window_project(window)));
    }
    ck_assert(has_text(window, test_edit_robot));
}

static GtkWidget *tree_row(SomWindow *window, const char *words) {
    return som_ui_find(som_ui_find(window, "SomPartTree", NULL), "GtkTreeExpander", words);
}

static void choose(SomWindow *window, const char *words) {
    GtkWidget *row = tree_row(window, words);
    som_ui_click_at(row, gtk_widget_get_width(row) * 0.8, gtk_widget_get_height(row) / 2.0, 1);
}

static void open_page(SomWindow *window, const char *title) {
    som_ui_click(som_ui_find(som_ui_find(window, "SomInspector", NULL), "GtkToggleButton", title));
}

static double degrees_of(SomWindow *window, const char *joint) {
    const SomModel *model = model_of(window);
    int dof = som_configuration_find_dof(model->configuration, som_str(joint), NULL);
    ck_assert_int_ge(dof, 0);
    return model->posture.values[dof] * 180 / SOM_PI;
}

// Types over what an entry holds and applies it.
static void enter(GtkWidget *entry, const char *text) {
    som_ui_click_at(entry, 20, gtk_widget_get_height(entry) / 2.0, 1); // beside buttons in it
    som_ui_key(entry, "<Control>a");
    som_ui_type(entry, text);
    som_ui_key(entry, "Return");
}

// ---- the tree

START_TEST(the_tree_and_the_selection_go_together) {
    SomWindow *window = begin();
    SomProject *project = som_window_project(window);
    SomInspector *inspector = SOM_INSPECTOR(som_ui_find(window, "SomInspector", NULL));
    ck_assert_int_eq(som_inspector_part(inspector), 0);
    choose(window, "left, Chain3 of 3 modules");
    const SomConfiguration *c = model_of(window)->configuration;
    int left = som_configuration_find_part(c, SOM_STR("left"));
    ck_assert_int_eq(som_inspector_part(inspector), left);
    ck_assert_int_eq(som_project_selected(project), c->parts[left].first_module);
    som_ui_key(window, "Right"); // unfolds, and then goes into it
    som_ui_key(window, "Down");
    ck_assert_int_eq(som_inspector_part(inspector), left + 1);
    som_project_select(project, som_configuration_find_module(c, SOM_STR("right.tail")));
    som_ui_settle(window);
    ck_assert_int_eq(som_inspector_part(inspector),
                     som_configuration_find_part(c, SOM_STR("right.tail")));
    tree_row(window, "tail, module of type Module"); // is unfolded and seen
    choose(window, "tail, module of type Module");   // another one, that of the left
    som_ui_key(window, "Left");
    ck_assert_int_eq(som_inspector_part(inspector), left);
    som_ui_key(window, "Left"); // folds
    som_ui_key(window, "Left");
    ck_assert_int_eq(som_inspector_part(inspector), 0);
    ck_assert_int_eq(som_project_selected(project), -1);
    ck_assert(has_text(window, test_edit_robot));
    som_ui_close(window);
}
END_TEST

START_TEST(the_menu_of_a_row_is_about_its_part) {
    SomWindow *window = begin();
    GtkWidget *row = tree_row(window, "right, Chain3 of 3 modules");
    som_ui_click_at(row, 60, gtk_widget_get_height(row) / 2.0, 3);
    ck_assert(som_str_equal(som_project_selected_part(som_window_project(window)), S("right")));
    GtkWidget *tree = som_ui_find(window, "SomPartTree", NULL);
    SOM_UI_WAIT(som_ui_look_for(tree, "GtkModelButton", "Mirror") != NULL);
    som_ui_key(window, "Escape");
    SOM_UI_WAIT(som_ui_look_for(tree, "GtkModelButton", "Mirror") == NULL);
    ck_assert(has_text(window, test_edit_robot));
    som_ui_close(window);
}
END_TEST

START_TEST(a_search_lists_what_holds_the_words) {
    SomWindow *window = begin();
    GtkWidget *tree = som_ui_find(window, "SomPartTree", NULL);
    som_ui_click(som_ui_find(tree, "GtkSearchEntry", NULL));
    som_ui_type(window, "FRONT.t");
    SOM_UI_WAIT(som_ui_count(tree, "GtkTreeExpander", NULL) == 1);
    ck_assert(som_ui_says(tree, "body.front.tail"));
    som_ui_settle(window);
    choose(window, "tail, module of type Module");
    const SomConfiguration *c = model_of(window)->configuration;
    ck_assert_int_eq(som_project_selected(som_window_project(window)),
                     som_configuration_find_module(c, SOM_STR("body.front.tail")));
    som_ui_close(window);
}
END_TEST

START_TEST(thousands_of_modules_have_rows_only_where_they_are_seen) {
    SomWindow *window = som_ui_window("snake");
    int count = som_test_count(60, 667);
    g_autofree char *choice = g_strdup_printf("Snake(n = %d)", count);
    som_project_choose(som_window_project(window), som_str(choice));
    som_ui_settle(window);
    const SomConfiguration *c = model_of(window)->configuration;
    ck_assert_int_eq(c->module_count, 3 * count);
    som_project_select(som_window_project(window), c->module_count - 1);
    som_ui_settle(window);
    GtkWidget *tree = som_ui_find(window, "SomPartTree", NULL);
    ck_assert_int_lt(som_ui_count(tree, "GtkTreeExpander", NULL), 100);
    som_project_select(som_window_project(window), -1);
    open_page(window, "Joints");
    GtkWidget *joints = som_ui_find(window, "SomJointPanel", NULL);
    ck_assert_int_lt(som_ui_count(joints, "SomJointRow", NULL), 100);
    som_ui_close(window);
}
END_TEST

// ---- joints

START_TEST(a_slider_moves_the_posture_and_not_the_text) {
    SomWindow *window = begin();
    choose(window, "left, Chain3 of 3 modules");
    open_page(window, "Joints");
    GtkWidget *scale = som_ui_find(window, "GtkScale", "left.head.front in degrees");
    double middle = gtk_widget_get_width(scale) / 2.0, y = gtk_widget_get_height(scale) / 2.0;
    som_ui_drag(scale, middle, y, middle + 60, y, 1);
    double moved = degrees_of(window, "left.head.front");
    ck_assert_double_gt(moved, 20);
    ck_assert_double_eq_tol(moved, round(moved * 10) / 10, 1e-9); // of tenths
    ck_assert_ptr_eq(som_ui_find(window, "GtkScale", "left.head.front in degrees"), scale);
    ck_assert(has_text(window, test_edit_robot));
    // from another side, the slider follows
    const SomConfiguration *c = model_of(window)->configuration;
    int dof = som_configuration_find_dof(c, SOM_STR("left.head.front"), NULL);
    som_project_move(som_window_project(window), dof, SOM_PI / 2);
    ck_assert_double_eq_tol(gtk_range_get_value(GTK_RANGE(scale)), 90, 1e-9);
    som_ui_click(som_ui_find(window, "GtkButton", "Back to the start"));
    ck_assert_double_eq(degrees_of(window, "left.head.front"), 0);
    som_ui_close(window);
}
END_TEST

START_TEST(a_typed_value_is_taken_and_leaving_a_field_rounds_nothing) {
    SomWindow *window = begin();
    choose(window, "left, Chain3 of 3 modules");
    open_page(window, "Joints");
    GtkWidget *spin = som_ui_find(window, "GtkSpinButton", "left.head.left in degrees");
    enter(spin, "-33.25");
    ck_assert_double_eq_tol(degrees_of(window, "left.head.left"), -33.25, 1e-9);
    som_ui_key(window, "Tab");
    som_ui_key(window, "<Shift>Tab");
    ck_assert_double_eq_tol(degrees_of(window, "left.head.left"), -33.25, 1e-9);
    GtkWidget *bend = som_ui_find(window, "GtkSpinButton", "left.head.bend in degrees");
    enter(bend, "500"); // as far as the joint goes
    ck_assert_double_eq_tol(degrees_of(window, "left.head.bend"), 90, 1e-9);
    som_ui_close(window);
}
END_TEST

// ---- poses

START_TEST(what_was_moved_is_kept_in_a_pose) {
    SomWindow *window = begin();
    choose(window, "right, Chain3 of 3 modules");
    open_page(window, "Joints");
    enter(som_ui_find(window, "GtkSpinButton", "right.head.left in degrees"), "12.5");
    som_ui_click(som_ui_find(window, "GtkMenuButton", "Keep in a pose…"));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkButton", "Keep in the pose stand") != NULL);
    som_ui_click(som_ui_find(window, "GtkButton", "Keep in the pose stand"));
    ck_assert(text_holds(window, "        right.head.tilt = -90deg\n"
                                 "        right.head.left = 12.5deg\n    }\n"));
    undo_all(window, 1);
    som_ui_close(window);
}
END_TEST

START_TEST(poses_are_made_shown_renamed_started_in_and_removed) {
    SomWindow *window = begin();
    choose(window, "left, Chain3 of 3 modules");
    open_page(window, "Joints");
    enter(som_ui_find(window, "GtkSpinButton", "left.head.left in degrees"), "30");
    open_page(window, "Poses");
    som_ui_click(som_ui_find(window, "GtkMenuButton", "Keep the joints as they are…"));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkEntry", "Name of a new pose") != NULL);
    enter(som_ui_find(window, "GtkEntry", "Name of a new pose"), "turned");
    ck_assert(text_holds(window, "    pose turned {\n"));
    ck_assert(text_holds(window, "        left.head.left = 30deg\n"));

    som_ui_click(som_ui_find(window, "GtkButton", "Show the pose stand"));
    ck_assert_double_eq(degrees_of(window, "left.head.left"), 0);
    som_ui_click(som_ui_find(window, "GtkButton", "Show the pose turned"));
    ck_assert_double_eq_tol(degrees_of(window, "left.head.left"), 30, 1e-9);

    som_ui_click(som_ui_find(window, "GtkButton", "Start in the pose turned"));
    ck_assert(text_holds(window, "    start turned\n"));
    enter(som_ui_find(window, "AdwEntryRow", "turned"), "aside");
    ck_assert(text_holds(window, "    pose aside {\n") && text_holds(window, "    start aside\n"));
    som_ui_click(som_ui_find(window, "GtkButton", "Remove the pose aside"));
    ck_assert(text_holds(window, "    pose aside {\n")); // it is started in: refused
    SOM_UI_WAIT(som_ui_says(window, "has no pose"));
    som_ui_click(som_ui_find(window, "GtkButton", "Do not start in the pose aside"));
    som_ui_click(som_ui_find(window, "GtkButton", "Remove the pose aside"));
    ck_assert(!text_holds(window, "aside"));
    undo_all(window, 5);
    som_ui_close(window);
}
END_TEST

// ---- parts and connections

START_TEST(a_part_is_renamed_where_it_stands) {
    SomWindow *window = begin();
    choose(window, "left, Chain3 of 3 modules");
    GtkWidget *entry = som_ui_find(window, "AdwEntryRow", "left");
    som_ui_click_at(entry, 20, gtk_widget_get_height(entry) / 2.0, 1);
    som_ui_key(entry, "<Control>a");
    som_ui_type(entry, "other");
    som_ui_key(entry, "Escape"); // gives it back
    ck_assert_str_eq(gtk_editable_get_text(GTK_EDITABLE(entry)), "left");
    enter(entry, "right"); // is taken
    SOM_UI_WAIT(som_ui_says(window, "already"));
    ck_assert(has_text(window, test_edit_robot));
    enter(entry, "front leg");
    ck_assert(text_holds(window, "    part \"front leg\", right : Chain3 # legs\n"));
    SomInspector *inspector = SOM_INSPECTOR(som_ui_find(window, "SomInspector", NULL));
    ck_assert_int_eq(
        som_inspector_part(inspector),
        som_configuration_find_part(model_of(window)->configuration, SOM_STR("\"front leg\"")));
    som_ui_key(window, "<Control>z"); // of the design: the entry is left
    undo_all(window, 0);
    som_ui_close(window);
}
END_TEST

START_TEST(the_angle_of_a_connection_is_chosen) {
    SomWindow *window = begin();
    choose(window, "left, Chain3 of 3 modules");
    GtkWidget *angle =
        som_ui_find(window, "GtkDropDown", "Angle of left.head.L to body.front.middle.L");
    som_ui_click(angle);
    som_ui_key(angle, "Home");
    som_ui_key(angle, "Down"); // from 0 to 90 degrees
    som_ui_key(angle, "Return");
    SOM_UI_WAIT(!has_text(window, test_edit_robot));
    ck_assert(text_holds(window, "connect left.head.L to body.front.middle.L at 90deg # one\n"));
    som_ui_click(som_ui_find(window, "GtkButton",
                             "Disconnect left.head.L from "
                             "body.front.middle.L"));
    ck_assert(text_holds(window, "at 90deg # one\n")); // the leg would fall off: refused
    undo_all(window, 1);
    choose(window, "left, Chain3 of 3 modules"); // what another config connects is only read
    som_project_select(
        som_window_project(window),
        som_configuration_find_module(model_of(window)->configuration, SOM_STR("left.tail")));
    som_ui_settle(window);
    angle = som_ui_find(window, "GtkDropDown", "Angle of left.tail.T to left.middle.B");
    ck_assert(!gtk_widget_is_sensitive(angle));
    som_ui_close(window);
}
END_TEST

// ---- the configuration

START_TEST(the_base_is_set) {
    SomWindow *window = begin();
    GtkWidget *base = som_ui_find(window, "SomBasePanel", NULL);
    GtkWidget *ground = som_ui_find(window, "GtkSwitch", "On the ground");
    gtk_widget_grab_focus(ground); // scrolls there
    som_ui_settle(window);
    som_ui_key(window, "space");
    SOM_UI_WAIT(!has_text(window, test_edit_robot));
    ck_assert(!model_of(window)->configuration->base.is_on_ground);
    ck_assert(text_holds(window, "    base body.front.head at (0mm, 0mm, "));
    GtkWidget *z = som_ui_find(base, "GtkSpinButton", "Position along z in millimetres");
    gtk_widget_grab_focus(z);
    som_ui_settle(window);
    enter(z, "250");
    ck_assert(text_holds(window, "    base body.front.head at (0mm, 0mm, 250mm)\n"));
    GtkWidget *yaw = som_ui_find(base, "GtkSpinButton", "Yaw: turn about z in degrees");
    gtk_widget_grab_focus(yaw);
    som_ui_settle(window);
    enter(yaw, "90");
    ck_assert(text_holds(
        window, "    base body.front.head at (0mm, 0mm, 250mm) turned (0deg, 0deg, 90deg)\n"));
    undo_all(window, 3);
    GtkWidget *fixed = som_ui_find(window, "GtkSwitch", "Fixed to the world");
    gtk_widget_grab_focus(fixed);
    som_ui_settle(window);
    som_ui_key(window, "space");
    SOM_UI_WAIT(!has_text(window, test_edit_robot));
    ck_assert(text_holds(window, " on ground fixed\n"));
    ck_assert(model_of(window)->configuration->base.is_fixed);
    undo_all(window, 1);
    som_ui_close(window);
}
END_TEST

START_TEST(the_configuration_is_renamed_and_another_one_chosen) {
    SomWindow *window = begin();
    enter(som_ui_find(window, "AdwEntryRow", "Robot"), "Walker");
    ck_assert(text_holds(window, "config Walker {\n"));
    undo_all(window, 1);
    GtkWidget *start = som_ui_find(window, "GtkDropDown", "Pose that the design starts in");
    som_ui_click(start);
    som_ui_key(start, "Up");
    som_ui_key(start, "Return");
    SOM_UI_WAIT(!text_holds(window, "    start stand\n"));
    undo_all(window, 1);
    som_ui_close(window);

    window = som_ui_window("snake");
    GtkWidget *arguments = som_ui_find(window, "AdwEntryRow", "Arguments: n, a count");
    enter(arguments, "n = 2");
    ck_assert_int_eq(model_of(window)->configuration->module_count, 6);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/inspector", the_tree_and_the_selection_go_together,
          the_menu_of_a_row_is_about_its_part, a_search_lists_what_holds_the_words,
          thousands_of_modules_have_rows_only_where_they_are_seen,
          a_slider_moves_the_posture_and_not_the_text,
          a_typed_value_is_taken_and_leaving_a_field_rounds_nothing,
          what_was_moved_is_kept_in_a_pose, poses_are_made_shown_renamed_started_in_and_removed,
          a_part_is_renamed_where_it_stands, the_angle_of_a_connection_is_chosen, the_base_is_set,
          the_configuration_is_renamed_and_another_one_chosen)
