// From an empty document to the Walkbot, with the pointer: a body and four legs from the library, a
// look at what the badge says, names, a file; all the way back, and forth again. And what is told
// when two of the legs are the wrong way round.

// SPDX-License-Identifier: Apache-2.0

#include "compose/identity.h"
#include "studio/badge.h"
#include "tests/compose/texts.h"
#include "tests/studio/story.h"

typedef struct Leg {
    const char *name;
    const char *module, *connector; // of the body
    const char *own;
    double angle;
} Leg;

static const Leg legs[] = {
    {"front_left", "body.front.middle", "L", "head.L", 270},
    {"front_right", "body.front.middle", "R", "head.R", 90},
    {"rear_left", "body.rear.middle", "L", "head.L", 270},
    {"rear_right", "body.rear.middle", "R", "head.R", 90},
};
#define LEGS ((int)G_N_ELEMENTS(legs))

// In the inspector, where the part has a row in the tree and its name is an entry.
static void rename_part(SomWindow *window, const char *from, const char *kind, const char *to) {
    g_autofree char *words = g_strdup_printf("%s, %s", from, kind);
    GtkWidget *tree = som_ui_find(window, "SomPartTree", NULL);
    SOM_UI_WAIT(som_ui_look_for(tree, "GtkTreeExpander", words) != NULL);
    // the tree scrolls to what was added; who misses the row meanwhile clicks again
    for (int i = 0; som_ui_look_for(window, "AdwEntryRow", from) == NULL; i++) {
        ck_assert_msg(i < 10, "%s cannot be selected", from);
        som_ui_settle(window);
        GtkWidget *row = som_ui_find(tree, "GtkTreeExpander", words);
        som_ui_click_at(row, gtk_widget_get_width(row) * 0.8, gtk_widget_get_height(row) / 2.0, 1);
        som_ui_settle(window);
    }
    GtkWidget *entry = som_ui_find(window, "AdwEntryRow", from);
    som_ui_click_at(entry, 20, gtk_widget_get_height(entry) / 2.0, 1);
    som_ui_key(entry, "<Control>a");
    som_ui_type(entry, to);
    som_ui_key(entry, "Return");
    SOM_UI_WAIT(strstr(som_story_text(window), to) != NULL);
}

static void add_body(SomWindow *window) {
    som_story_carry(window, "Chain6", NULL, NULL);
    som_ui_release(som_window_view(window), 1);
    SOM_UI_WAIT(som_story_modules(window) == 6);
    rename_part(window, "chain6", "Chain6 of 6 modules", "body");
}

static void add_leg(SomWindow *window, const Leg *leg) {
    int before = som_story_modules(window);
    som_story_carry(window, "Chain3", leg->module, leg->connector);
    som_story_turn_to(window, leg->own, leg->angle);
    som_ui_release(som_window_view(window), 1);
    SOM_UI_WAIT(som_story_modules(window) == before + 3);
    rename_part(window, "chain3", "Chain3 of 3 modules", leg->name);
}

static SomWindow *build(void) {
    SomWindow *window = som_ui_window(NULL);
    add_body(window);
    for (int i = 0; i < LEGS; i++) {
        add_leg(window, &legs[i]);
    }
    return window;
}

// Whether a file and a design of the library are the same robot.
static bool is_same_robot(const char *path, const char *name) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomProject *a = som_project_create(som_str(test_library));
    SomProject *b = som_project_create(som_str(test_library));
    ck_assert(som_project_open(a, som_str(path), diags) &&
              som_project_open(b, som_str(name), diags));
    bool is_same = som_configuration_same_structure(som_project_model(a)->configuration,
                                                    som_project_model(b)->configuration);
    som_project_destroy(a);
    som_project_destroy(b);
    som_diagnostics_destroy(diags);
    return is_same;
}

START_TEST(the_walkbot_is_built_with_the_pointer) {
    SomWindow *window = build();
    const SomPostureVerdict *verdict = som_story_verdict(window);
    ck_assert(verdict->is_known && verdict->is_balanced && verdict->margin > 0.01);
    ck_assert_int_eq(verdict->collision_count, 0);
    ck_assert(som_ui_says(window, verdict->summary.data));
    ck_assert(som_ui_says(window, "stable, margin"));
    som_view_fit(som_window_view(window));
    som_ui_settle(window);
    som_ui_compare(som_window_view(window), "walkbot_built", SOM_UI_LOOSE);

    char *path = som_story_file("mine.som");
    som_ui_key(window, "<Control>s");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), path);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)));
    ck_assert(is_same_robot(path, "walkbot"));

    g_autofree char *built = g_strdup(som_story_text(window));
    ck_assert_int_ge(som_story_undo_all(window), 1 + LEGS);
    ck_assert_str_eq(som_story_text(window), "");
    som_story_redo_all(window);
    ck_assert_str_eq(som_story_text(window), built);
    som_ui_close(window);
    som_story_remove(path);
}
END_TEST

// Chooses another angle of a leg's connection, by keys in the list of angles.
static void turn_leg(SomWindow *window, const char *leg, const char *words, const char *key) {
    g_autofree char *row_words = g_strdup_printf("%s, Chain3 of 3 modules", leg);
    GtkWidget *row =
        som_ui_find(som_ui_find(window, "SomPartTree", NULL), "GtkTreeExpander", row_words);
    som_ui_click_at(row, gtk_widget_get_width(row) * 0.8, gtk_widget_get_height(row) / 2.0, 1);
    SOM_UI_WAIT(som_ui_look_for(window, "GtkDropDown", words) != NULL);
    GtkWidget *angle = som_ui_find(window, "GtkDropDown", words);
    g_autofree char *before = g_strdup(som_story_text(window));
    som_ui_click(angle);
    som_ui_key(angle, key);
    som_ui_key(angle, key);
    som_ui_key(angle, "Return");
    SOM_UI_WAIT(strcmp(som_story_text(window), before) != 0);
}

#define LEFT "Angle of front_left.head.L to body.front.middle.L"
#define RIGHT "Angle of front_right.head.R to body.front.middle.R"

START_TEST(two_legs_the_wrong_way_round_are_told_and_repaired) {
    SomWindow *window = som_ui_window(SOM_SOURCE "/library/configs/walkbot.som");
    g_autofree char *right = g_strdup(som_story_text(window));
    SomFindingsPanel *findings = SOM_FINDINGS_PANEL(som_ui_find(window, "SomFindingsPanel", NULL));
    ck_assert(som_story_verdict(window)->is_balanced);
    int before = som_findings_panel_count(findings);
    turn_leg(window, "front_left", LEFT, "Up"); // from 270 to 90 degrees: it points upwards
    turn_leg(window, "front_right", RIGHT, "Down");
    const SomPostureVerdict *verdict = som_story_verdict(window);
    ck_assert(!verdict->is_balanced && verdict->severity != SOM_NOTE);
    SOM_UI_WAIT(som_ui_says(som_ui_find(window, "SomBadge", NULL), "tips over"));
    ck_assert_int_gt(som_findings_panel_count(findings), before);
    ck_assert(!som_ui_says(window, "stable, margin"));

    turn_leg(window, "front_right", RIGHT, "Up"); // back, by another choice
    som_ui_key(som_window_view(window), "<Control>z");
    som_ui_key(som_window_view(window), "<Control>z"); // and all of it undone
    som_ui_key(som_window_view(window), "<Control>z");
    ck_assert_str_eq(som_story_text(window), right);
    ck_assert(som_story_verdict(window)->is_balanced);
    SOM_UI_WAIT(som_ui_says(som_ui_find(window, "SomBadge", NULL), "stable, margin"));
    SOM_UI_WAIT(som_findings_panel_count(findings) == before);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/walkbot_story", the_walkbot_is_built_with_the_pointer,
          two_legs_the_wrong_way_round_are_told_and_repaired)
