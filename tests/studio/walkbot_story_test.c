// From an empty document to the Walkbot, with the pointer: a body and four legs from the library, a
// look at what the badge says, names, a file; all the way back, and forth again. And what is told
// when two of the legs are the wrong way round.

// SPDX-License-Identifier: Apache-2.0

#include "compose/identity.h"
#include "tests/compose/texts.h"
#include "tests/studio/story.h"

typedef struct Leg {
    const char *name;
    const char *module, *connector; // of the body
    const char *own;
    double angle;
} Leg;

static const Leg legs[] = {
    {"front_left", "chain6.front.middle", "L", "head.L", 270},
    {"front_right", "chain6.front.middle", "R", "head.R", 90},
    {"rear_left", "chain6.rear.middle", "L", "head.L", 270},
    {"rear_right", "chain6.rear.middle", "R", "head.R", 90},
};
#define LEGS ((int)G_N_ELEMENTS(legs))

static void add_body(SomWindow *window) {
    som_story_carry(window, "Chain6", NULL, NULL);
    som_ui_release(som_window_view(window), 1);
    SOM_UI_WAIT(som_story_modules(window) == 6);
    som_ui_settle(window);
}

static void add_leg(SomWindow *window, const Leg *leg) {
    int before = som_story_modules(window);
    som_story_carry(window, "Chain3", leg->module, leg->connector);
    som_story_turn_to(window, leg->own, leg->angle);
    som_ui_release(som_window_view(window), 1);
    SOM_UI_WAIT(som_story_modules(window) == before + 3);
    som_ui_settle(window);
}

static SomWindow *build(const Leg *with) {
    SomWindow *window = som_ui_window(NULL);
    add_body(window);
    for (int i = 0; i < LEGS; i++) {
        add_leg(window, &with[i]);
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
    SomWindow *window = build(legs);
    const SomVerdict *verdict = som_story_verdict(window);
    ck_assert(verdict->is_known && verdict->is_balanced && verdict->margin > 0.01);
    ck_assert_int_eq(verdict->collision_count, 0);
    ck_assert(som_ui_says(window, verdict->summary.data));
    ck_assert(som_ui_says(window, "stable, margin"));
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

SOM_SUITE("studio/walkbot_story", the_walkbot_is_built_with_the_pointer)
