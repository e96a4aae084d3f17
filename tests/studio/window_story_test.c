// The window as a person meets it: keys, panels, several windows.

// SPDX-License-Identifier: Apache-2.0

#include "studio/window_actions.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

static int window_count(void) {
    g_autoptr(GList) windows = gtk_window_list_toplevels();
    int count = 0;
    for (GList *each = windows; each != NULL; each = each->next) {
        count += gtk_widget_get_mapped(each->data);
    }
    return count;
}

static bool shows(SomWindow *window, const char *property) {
    gboolean is_shown;
    g_object_get(window, property, &is_shown, NULL);
    return is_shown;
}

START_TEST(panels_come_and_go_by_keys_and_buttons) {
    static const struct {
        const char *key, *property, *type;
    } panels[] = {{"F9", "shows-library", "SomLibraryPanel"},
                  {"<Shift>F9", "shows-side", "SomSourcePanel"},
                  {"<Control>F9", "shows-findings", "SomFindingsPanel"}};
    SomWindow *window = som_ui_window("walkbot");
    som_ui_key(window, "<Control>e"); // so that the text is the page beside the view
    for (size_t i = 0; i < G_N_ELEMENTS(panels); i++) {
        int width = gtk_widget_get_width(GTK_WIDGET(som_window_view(window)));
        int height = gtk_widget_get_height(GTK_WIDGET(som_window_view(window)));
        ck_assert(shows(window, panels[i].property));
        ck_assert_ptr_nonnull(som_ui_look_for(window, panels[i].type, NULL));
        som_ui_key(window, panels[i].key);
        SOM_UI_WAIT(!shows(window, panels[i].property));
        ck_assert_ptr_null(som_ui_look_for(window, panels[i].type, NULL));
        som_ui_settle(window);
        int grown = gtk_widget_get_width(GTK_WIDGET(som_window_view(window))) - width +
                    gtk_widget_get_height(GTK_WIDGET(som_window_view(window))) - height;
        ck_assert_int_gt(grown, 50); // its place is the view's
        som_ui_key(window, panels[i].key);
        SOM_UI_WAIT(som_ui_look_for(window, panels[i].type, NULL) != NULL);
    }
    som_ui_click(som_ui_find(window, "GtkToggleButton", "Library"));
    SOM_UI_WAIT(!shows(window, "shows-library"));
    som_ui_close(window);
}
END_TEST

START_TEST(a_narrow_window_shows_one_panel_beside_the_view) {
    SomWindow *window = som_ui_window("walkbot");
    gtk_window_set_default_size(GTK_WINDOW(window), 640, 480); // as far as all panels let it
    SOM_UI_WAIT(!(shows(window, "shows-library") && shows(window, "shows-side")));
    som_ui_settle(window);
    gtk_window_set_default_size(GTK_WINDOW(window), 641, 480);
    SOM_UI_WAIT(gtk_widget_get_width(GTK_WIDGET(window)) < 700);
    som_ui_settle(window);
    ck_assert_int_ge(gtk_widget_get_width(GTK_WIDGET(som_window_view(window))), 200);
    som_ui_key(window, "F9");
    som_ui_settle(window);
    som_ui_key(window, "<Shift>F9");
    som_ui_settle(window);
    ck_assert(!(shows(window, "shows-library") && shows(window, "shows-side")));
    som_ui_close(window);
}
END_TEST

// Keys that letters have must not do anything while letters are typed.
START_TEST(typing_into_an_entry_is_only_that) {
    SomWindow *window = som_ui_window("walkbot");
    SomProject *project = som_window_project(window);
    SomCamera before = *som_view_camera(som_window_view(window));
    g_autofree char *text = g_strdup(som_project_text(project).data);
    GtkWidget *entry = som_ui_find(window, "GtkSearchEntry", NULL);
    som_ui_click(entry);
    const char *typed = "0123456789 +- fox wolf";
    som_ui_type(entry, typed);
    som_ui_key(entry, "BackSpace");
    som_ui_key(entry, "Left");
    som_ui_key(entry, "Delete");
    ck_assert_str_eq(gtk_editable_get_text(GTK_EDITABLE(entry)), "0123456789 +- fox wo");
    ck_assert_double_eq(som_view_camera(som_window_view(window))->azimuth, before.azimuth);
    ck_assert_double_eq(som_view_camera(som_window_view(window))->distance, before.distance);
    ck_assert_str_eq(som_project_text(project).data, text);
    som_ui_close(window);
}
END_TEST

START_TEST(a_new_window_is_another_design) {
    SomWindow *window = som_ui_window("chain3");
    som_ui_key(window, "<Control>n");
    SOM_UI_WAIT(window_count() == 2);
    g_autoptr(GList) windows = gtk_window_list_toplevels();
    for (GList *each = windows; each != NULL; each = each->next) {
        if (SOM_IS_WINDOW(each->data) && each->data != window) {
            ck_assert_uint_eq(som_project_text(som_window_project(each->data)).length, 0);
            SOM_UI_WAIT(gtk_widget_get_mapped(each->data));
            som_ui_close(each->data);
        }
    }
    ck_assert_int_eq(window_count(), 1);
    som_ui_close(window);
}
END_TEST

// Keys of one class of windows: the later binding would take what the earlier one has.
START_TEST(every_key_does_one_thing) {
    const SomWindowActions *groups[] = {
        &som_file_actions, &som_transfer_actions, &som_history_actions, &som_edit_actions,
        &som_view_actions, &som_mode_actions,     &som_panel_actions,   &som_builder_actions};
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        for (int k = 0; k < groups[i]->count; k++) {
            const SomWindowAction *action = &groups[i]->actions[k];
            bool is_bound = action->run != NULL || action->property != NULL;
            g_auto(GStrv) keys = g_strsplit(is_bound && action->keys ? action->keys : "", " ", -1);
            for (int n = 0; keys[n] != NULL; n++) {
                guint key;
                GdkModifierType modifiers;
                ck_assert_msg(gtk_accelerator_parse(keys[n], &key, &modifiers), "%s", keys[n]);
                ck_assert_msg(
                    g_hash_table_insert(seen, gtk_accelerator_name(key, modifiers), (void *)action),
                    "%s of %s is taken", keys[n], action->name);
            }
        }
    }
}
END_TEST

SOM_SUITE("studio/window_story", every_key_does_one_thing, panels_come_and_go_by_keys_and_buttons,
          a_narrow_window_shows_one_panel_beside_the_view, typing_into_an_entry_is_only_that,
          a_new_window_is_another_design)
