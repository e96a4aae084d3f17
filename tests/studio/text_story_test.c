// A designer works in the text beside the view: a mistake is underlined while the view stays, its
// repair is followed, and comments outlive what is done in other panels.

// SPDX-License-Identifier: Apache-2.0

#include "tests/studio/ui.h"
#include "tests/studio/ui_stall.h"
#include "tests/suite.h"

#define PAIR                                                                                       \
    "use \"smores.m3l\"\n# two of them\nconfig Pair {\n    part a, b : SMORES # both\n"            \
    "    connect a.B to b.T\n}\n"

static SomWindow *open_pair(void) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), SOM_STR(PAIR));
    som_ui_key(window, "<Control>e"); // to the text
    SOM_UI_WAIT(som_ui_look_for(window, "GtkSourceView", NULL) != NULL);
    som_ui_click(som_ui_find(window, "GtkSourceView", NULL));
    return window;
}

// The first characters that are underlined as wrong; -1: none.
static int wrong_at(SomWindow *window) {
    GtkTextView *view = GTK_TEXT_VIEW(som_ui_find(window, "GtkSourceView", NULL));
    GtkTextIter iter;
    gtk_text_buffer_get_start_iter(gtk_text_view_get_buffer(view), &iter);
    do {
        g_autoptr(GSList) tags = gtk_text_iter_get_tags(&iter);
        for (GSList *each = tags; each != NULL; each = each->next) {
            PangoUnderline underline;
            g_object_get(each->data, "underline", &underline, NULL);
            if (underline == PANGO_UNDERLINE_ERROR) {
                return gtk_text_iter_get_offset(&iter);
            }
        }
    } while (gtk_text_iter_forward_char(&iter));
    return -1;
}

static int modules(SomWindow *window) {
    const SomModel *model = som_project_model(som_window_project(window));
    return model->configuration != NULL ? model->configuration->module_count : 0;
}

static void press(SomWindow *window, const char *key, int times) {
    for (int i = 0; i < times; i++) {
        som_ui_key(window, key);
    }
}

START_TEST(a_mistake_is_underlined_and_the_view_stays) {
    SomWindow *window = open_pair();
    SomProject *project = som_window_project(window);
    press(window, "<Control>Home", 1);
    press(window, "Down", 3);
    press(window, "Home", 1);
    som_ui_type(window, "part c :");
    SOM_UI_WAIT(som_project_is_stale(project) && wrong_at(window) >= 0);
    ck_assert_int_eq(modules(window), 2);
    ck_assert(som_ui_says(window, "before the errors"));
    int lines = (int)(strstr(PAIR, "    part") - PAIR);
    ck_assert_int_ge(wrong_at(window), lines);
    som_ui_type(window, " SMORES; connect b.B to c.T;");
    SOM_UI_WAIT(modules(window) == 3 && wrong_at(window) < 0);
    ck_assert(!som_ui_says(window, "before the errors"));
    som_ui_close(window);
}
END_TEST

START_TEST(a_text_that_never_composed_says_so) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), SOM_STR("config Pair {"));
    SOM_UI_WAIT(som_ui_says(window, "nothing to show"));
    ck_assert(!som_ui_says(window, "Drag a design of the library into the view"));
    som_ui_close(window);
}
END_TEST

START_TEST(typing_is_undone_and_done_again_by_keys) {
    SomWindow *window = open_pair();
    SomProject *project = som_window_project(window);
    press(window, "<Control>End", 1);
    som_ui_type(window, "# the end");
    SOM_UI_WAIT(strstr(som_project_text(project).data, "# the end") != NULL);
    press(window, "<Control>z", 1);
    while (strcmp(som_project_text(project).data, PAIR) != 0 && som_project_can_undo(project)) {
        press(window, "<Control>z", 1);
    }
    ck_assert_str_eq(som_project_text(project).data, PAIR);
    press(window, "<Control><Shift>z", 9);
    ck_assert_ptr_nonnull(strstr(som_project_text(project).data, "# the end"));
    som_ui_close(window);
}
END_TEST

START_TEST(comments_outlive_what_is_done_elsewhere) {
    SomWindow *window = open_pair();
    SomProject *project = som_window_project(window);
    SomDesign *design = som_project_design(project);
    ck_assert(som_project_edited(
        project, som_design_rename_part(design, SOM_STR(""), SOM_STR("b"), SOM_STR("tail"))));
    ck_assert(som_project_edited(
        project, som_design_add_part(design, SOM_STR(""),
                                     &(SomPartAddition){.reference = SOM_STR("SMORES"),
                                                        .name = SOM_STR("third"),
                                                        .own = SOM_STR("T"),
                                                        .to = SOM_STR("tail.B")})));
    GtkTextView *view = GTK_TEXT_VIEW(som_ui_find(window, "GtkSourceView", NULL));
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(gtk_text_view_get_buffer(view), &begin, &end);
    g_autofree char *shown = gtk_text_iter_get_text(&begin, &end);
    ck_assert_str_eq(shown, som_project_text(project).data);
    ck_assert(strstr(shown, "# two of them\n") && strstr(shown, "# both\n") &&
              strstr(shown, "third"));
    ck_assert_int_eq(modules(window), 3);
    som_ui_close(window);
}
END_TEST

// What was typed a moment ago counts, although the typing did not pause.
START_TEST(what_is_typed_is_saved_at_once) {
    char folder[] = "/tmp/somite-text-story-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g_autofree char *path = g_build_filename(folder, "pair.som", NULL);
    SomWindow *window = open_pair();
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_save(som_window_project(window), som_str(path), diags));
    som_diagnostics_destroy(diags);
    press(window, "<Control>End", 1);
    som_ui_type(window, "# x");
    som_ui_key(window, "<Control>s");
    g_autofree char *saved = NULL;
    ck_assert(g_file_get_contents(path, &saved, NULL, NULL));
    ck_assert_str_eq(saved, PAIR "# x");
    ck_assert(som_project_is_saved(som_window_project(window)));
    som_ui_close(window);
    unlink(path);
    rmdir(folder);
}
END_TEST

// A key that was possible before the last letters were typed may not be any more.
START_TEST(what_is_typed_counts_before_a_key_does) {
    static const char *const names[] = {"design.rename-config", "design.move", "design.turn",
                                        "design.connect", "design.mirror"};
    SomWindow *window = open_pair();
    SomProject *project = som_window_project(window);
    GtkTextView *view = GTK_TEXT_VIEW(som_ui_find(window, "GtkSourceView", NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        som_project_set_text(project, SOM_STR(PAIR));
        som_project_select(project, 1);
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(view), "# nothing", -1);
        gtk_widget_activate_action(GTK_WIDGET(window), names[i], NULL); // before the pause is over
        ck_assert_str_eq(som_project_text(project).data, "# nothing");
        ck_assert_int_eq(modules(window), 0);
        ck_assert_ptr_eq(som_ui_top(), window);
    }
    som_ui_close(window);
}
END_TEST

#define ROW                                                                                        \
    "use \"smores.m3l\"\nconfig Row {\n    part m[1000] : SMORES\n"                                \
    "    connect m[i].B to m[i+1].T for i in 1..999\n}\n"

// A verdict about a thousand modules takes some times longer than may be waited for.
START_TEST(typing_does_not_wait_for_verdicts) {
    SomWindow *window = som_ui_window(NULL);
    SomProject *project = som_window_project(window);
    gtk_widget_set_visible(GTK_WIDGET(som_window_view(window)), FALSE); // pictures take their time
    som_project_set_text(project, SOM_STR(ROW));
    som_ui_key(window, "<Control>e");
    som_ui_key(window, "<Control>End");
    SOM_UI_WAIT(som_project_verdict(project)->is_current);
    SomStall *stall = som_stall_watch(window);
    for (size_t length = strlen(ROW) + 4; length <= strlen(ROW) + 12; length += 4) {
        som_ui_type(window, "# a\n");
        SOM_UI_WAIT(som_project_text(project).length == length);
    }
    SOM_UI_WAIT(som_project_verdict(project)->is_current);
    double longest = som_stall_end(stall);
    ck_assert_msg(longest <= SOM_STALL_MOST, "%g s", longest);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/text_story", a_mistake_is_underlined_and_the_view_stays,
          a_text_that_never_composed_says_so, typing_is_undone_and_done_again_by_keys,
          comments_outlive_what_is_done_elsewhere, what_is_typed_is_saved_at_once,
          what_is_typed_counts_before_a_key_does, typing_does_not_wait_for_verdicts)
