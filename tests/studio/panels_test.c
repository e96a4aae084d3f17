// Tests for studio/badge.c, studio/findings_panel.c and studio/source_panel.c in a window: what is
// said of a design, where a click on it leads, and the text that follows what is selected.

// SPDX-License-Identifier: Apache-2.0

#include "studio/badge.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#define PAIR                                                                                       \
    "use \"smores.m3l\"\nconfig Pair {\n    part a, b : SMORES\n    connect a.B to b.T\n}\n"

#define RING                                                                                       \
    "use \"smores.m3l\"\nconfig Ring {\n    part s[6] : SMORES\n"                                  \
    "    connect s[i].B to s[i+1].T for i in 1..5\n"                                               \
    "    pose coil { s[i].bend = 80deg for i in 1..6 }\n    start coil\n}\n"

static SomWindow *open_text(const char *text) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), som_str(text));
    som_ui_key(window, "<Control>e"); // to the text
    SOM_UI_WAIT(som_ui_look_for(window, "GtkSourceView", NULL) != NULL);
    return window;
}

static const char *said_by_badge(SomWindow *window) {
    GtkWidget *badge = som_ui_look_for(window, "SomBadge", NULL);
    return badge != NULL ? som_badge_words(SOM_BADGE(badge)) : "";
}

static GtkTextBuffer *buffer_of(SomWindow *window) {
    return gtk_text_view_get_buffer(GTK_TEXT_VIEW(som_ui_find(window, "GtkSourceView", NULL)));
}

static char *selected_text(SomWindow *window) {
    GtkTextIter begin, end;
    gtk_text_buffer_get_selection_bounds(buffer_of(window), &begin, &end);
    return gtk_text_buffer_get_text(buffer_of(window), &begin, &end, TRUE);
}

START_TEST(the_badge_says_how_the_design_is_doing) {
    SomWindow *window = open_text(PAIR);
    SomProject *project = som_window_project(window);
    SOM_UI_WAIT(g_str_has_prefix(said_by_badge(window), "stable, margin "));
    ck_assert_ptr_nonnull(strstr(said_by_badge(window), "no collision"));
    som_project_set_text(project, SOM_STR("config A {"));
    SOM_UI_WAIT(strstr(said_by_badge(window), "in the text") != NULL);
    som_project_set_text(project, SOM_STR(RING));
    SOM_UI_WAIT(strstr(said_by_badge(window), "collisions") != NULL);
    som_project_set_text(project, SOM_STR(""));
    SOM_UI_WAIT(som_ui_look_for(window, "SomBadge", NULL) == NULL);
    som_ui_close(window);
}
END_TEST

START_TEST(a_click_on_a_finding_leads_to_its_place_or_module) {
    SomWindow *window = open_text(RING);
    SomProject *project = som_window_project(window);
    SomFindingsPanel *panel = SOM_FINDINGS_PANEL(som_ui_find(window, "SomFindingsPanel", NULL));
    SOM_UI_WAIT(som_findings_panel_count(panel) > 0 && som_project_verdict(project)->is_current);
    som_ui_settle(window);
    som_ui_click(som_ui_find(panel, "row", NULL));
    SOM_UI_WAIT(som_project_selected(project) >= 0);

    som_project_set_text(project,
                         SOM_STR("use \"smores.m3l\"\nconfig A {\n    part a : SMRES\n}\n"));
    SOM_UI_WAIT(som_ui_says(panel, "SMRES"));
    som_ui_settle(window);
    som_ui_click(som_ui_find(panel, "row", NULL));
    GtkTextIter iter;
    SOM_UI_WAIT((gtk_text_buffer_get_iter_at_mark(buffer_of(window), &iter,
                                                  gtk_text_buffer_get_insert(buffer_of(window))),
                 gtk_text_iter_get_line(&iter) == 2));
    SomSourcePanel *source = SOM_SOURCE_PANEL(som_ui_find(window, "SomSourcePanel", NULL));
    uint32_t wrong = (uint32_t)(strstr(som_project_text(project).data, "SMRES") -
                                som_project_text(project).data);
    g_autofree char *words = som_source_panel_words_at(source, wrong);
    ck_assert(words != NULL && strstr(words, "SMRES") != NULL);
    g_autofree char *none = som_source_panel_words_at(source, 0);
    ck_assert_ptr_null(none);

    som_ui_click(som_ui_find(panel, "GtkButton", "Fix"));
    SOM_UI_WAIT(strstr(som_project_text(project).data, "a : SMORES") != NULL);
    SOM_UI_WAIT(!som_ui_says(panel, "SMRES"));
    som_ui_close(window);
}
END_TEST

START_TEST(text_and_view_select_the_same_part) {
    SomWindow *window = open_text(PAIR);
    SomProject *project = som_window_project(window);
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    gtk_widget_grab_focus(view);
    som_project_select(project, 1);
    g_autofree char *part = selected_text(window);
    ck_assert_str_eq(part, "b");
    som_project_select(project, -1);
    som_ui_click(som_ui_find(window, "GtkSourceView", NULL));
    som_ui_key(window, "<Control>Home");
    for (int i = 0; i < 3; i++) {
        som_ui_key(window, "Down");
    }
    for (int i = 0; i < 13; i++) { // into a.B of the connection
        som_ui_key(window, "Right");
    }
    SOM_UI_WAIT(som_str_equal(som_project_selected_part(project), SOM_STR("a")));
    som_ui_close(window);
}
END_TEST

START_TEST(what_is_typed_and_what_is_built_at_once_are_both_kept) {
    SomWindow *window = open_text(PAIR);
    SomProject *project = som_window_project(window);
    som_ui_click(som_ui_find(window, "GtkSourceView", NULL));
    som_ui_key(window, "<Control>Home");
    GtkTextIter start;
    gtk_text_buffer_get_start_iter(buffer_of(window), &start);
    gtk_text_buffer_insert(buffer_of(window), &start, "# mine\n", -1); // and no pause yet
    SomPartAddition part = {.reference = SOM_STR("SMORES"),
                            .name = SOM_STR("c"),
                            .own = SOM_STR("T"),
                            .to = SOM_STR("b.B")};
    ck_assert(som_project_edited(
        project, som_design_add_part(som_project_design(project), SOM_STR(""), &part)));
    SOM_UI_WAIT(som_str_starts_with(som_project_text(project), SOM_STR("# mine\nuse")));
    ck_assert_int_eq(som_model_module_count(som_project_model(project)), 3);
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(buffer_of(window), &begin, &end);
    g_autofree char *shown = gtk_text_buffer_get_text(buffer_of(window), &begin, &end, TRUE);
    ck_assert(som_str_equal(som_str(shown), som_project_text(project)));
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/panels", the_badge_says_how_the_design_is_doing,
          a_click_on_a_finding_leads_to_its_place_or_module, text_and_view_select_the_same_part,
          what_is_typed_and_what_is_built_at_once_are_both_kept)
