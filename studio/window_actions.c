// SPDX-License-Identifier: Apache-2.0
// The actions of a window, as they are on keys, buttons, menus and in the window of shortcuts.
#include "studio/window_actions.h"

#include "studio/widgets.h"

static const SomWindowActions *const groups[] = {
    &som_file_actions, &som_transfer_actions, &som_history_actions,  &som_edit_actions,
    &som_view_actions, &som_mode_actions,     &som_simulate_actions, &som_panel_actions,
    &som_tour_actions, &som_builder_actions,  &som_block_actions,    &som_motion_actions};

static const SomWindowAction *find(const char *name, size_t length) {
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        for (int k = 0; k < groups[i]->count; k++) {
            const SomWindowAction *action = &groups[i]->actions[k];
            if (strlen(action->name) == length && strncmp(action->name, name, length) == 0) {
                return action;
            }
        }
    }
    return NULL;
}

const SomWindowAction *som_action_find(const char *name) {
    return find(name, strlen(name));
}

// ---- the class

// What was typed counts before anything is done with the project, and may have made it impossible.
static void on_action(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)unused;
    SomWindow *window = SOM_WINDOW(widget);
    const SomWindowAction *action = som_action_find(name);
    som_window_flush(window);
    if (action->is_possible == NULL || action->is_possible(window)) {
        action->run(window);
    }
}

static void bind_keys(GtkWidgetClass *klass, const SomWindowAction *action) {
    g_auto(GStrv) keys = g_strsplit(action->keys != NULL ? action->keys : "", " ", -1);
    for (int i = 0; keys[i] != NULL; i++) {
        guint key;
        GdkModifierType modifiers;
        if (gtk_accelerator_parse(keys[i], &key, &modifiers)) {
            gtk_widget_class_add_binding_action(klass, key, modifiers, action->name, NULL);
        }
    }
}

void som_actions_install(GtkWidgetClass *klass) {
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        for (int k = 0; k < groups[i]->count; k++) {
            const SomWindowAction *action = &groups[i]->actions[k];
            if (action->property != NULL) {
                gtk_widget_class_install_property_action(klass, action->name, action->property);
            } else if (action->run != NULL) {
                gtk_widget_class_install_action(klass, action->name, NULL, on_action);
            } else {
                continue;
            }
            bind_keys(klass, action);
        }
    }
}

void som_actions_refresh(SomWindow *window) {
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        for (int k = 0; k < groups[i]->count; k++) {
            const SomWindowAction *action = &groups[i]->actions[k];
            if (action->is_possible != NULL) {
                gtk_widget_action_set_enabled(GTK_WIDGET(window), action->name,
                                              action->is_possible(window));
            }
        }
    }
}

// ---- buttons and menus

static char *first_key(const SomWindowAction *action) {
    return action->keys != NULL ? g_strndup(action->keys, strcspn(action->keys, " ")) : NULL;
}

// "Save (Ctrl+S)"
static char *words_with_key(const SomWindowAction *action) {
    g_autofree char *key = first_key(action);
    guint code;
    GdkModifierType modifiers;
    if (key == NULL || !gtk_accelerator_parse(key, &code, &modifiers)) {
        return g_strdup(action->words);
    }
    g_autofree char *label = gtk_accelerator_get_label(code, modifiers);
    return g_strdup_printf("%s (%s)", action->words, label);
}

GtkWidget *som_action_button(const char *icon, const char *name) {
    const SomWindowAction *action = som_action_find(name);
    GtkWidget *button = action->property != NULL ? gtk_toggle_button_new() : gtk_button_new();
    gtk_button_set_icon_name(GTK_BUTTON(button), icon);
    g_autofree char *tooltip = words_with_key(action);
    gtk_widget_set_tooltip_text(button, tooltip);
    som_set_accessible_name(button, action->words);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), name);
    return button;
}

GMenu *som_action_menu(const char *const *names) {
    GMenu *menu = g_menu_new();
    for (int i = 0; names[i] != NULL; i++) {
        const SomWindowAction *action = som_action_find(names[i]);
        g_autoptr(GMenuItem) item = g_menu_item_new(action->words, action->name);
        g_autofree char *key = first_key(action);
        if (key != NULL) {
            g_menu_item_set_attribute(item, "accel", "s", key);
        }
        g_menu_append_item(menu, item);
    }
    return menu;
}

// ---- the window of shortcuts

// GtkShortcutsSection and its kin take children only from a builder.
static void add_group(GString *ui, const SomWindowActions *group) {
    g_autofree char *title = g_markup_escape_text(group->title, -1);
    g_string_append_printf(ui,
                           "<child><object class='GtkShortcutsGroup'>"
                           "<property name='title'>%s</property>",
                           title);
    for (int i = 0; i < group->count; i++) {
        if (group->actions[i].keys != NULL) {
            g_autofree char *item = g_markup_printf_escaped(
                "<child><object class='GtkShortcutsShortcut'>"
                "<property name='title'>%s</property><property name='accelerator'>%s</property>"
                "</object></child>",
                group->actions[i].words, group->actions[i].keys);
            g_string_append(ui, item);
        }
    }
    g_string_append(ui, "</object></child>");
}

// Each section is a page: GTK 4.8 shows the pages of a longer one in any order.
static void begin_section(GString *ui, const SomWindowActions *group) {
    static const struct {
        const SomWindowActions *first; // of its groups
        const char *title;
    } sections[] = {{&som_file_actions, "Designs and parts"},
                    {&som_view_actions, "View and window"},
                    {&som_builder_actions, "Behaviors"}};
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        if (sections[i].first == group) {
            g_string_append_printf(ui,
                                   "%s<child><object class='GtkShortcutsSection'>"
                                   "<property name='section-name'>%zu</property>"
                                   "<property name='title'>%s</property>"
                                   "<property name='visible'>1</property>"
                                   "<property name='max-height'>18</property>",
                                   i > 0 ? "</object></child>" : "", i, sections[i].title);
        }
    }
}

void som_actions_show_shortcuts(SomWindow *window) {
    g_autoptr(GString) ui =
        g_string_new("<interface><object class='GtkShortcutsWindow' id='shortcuts'>"
                     "<property name='modal'>1</property>");
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        begin_section(ui, groups[i]);
        add_group(ui, groups[i]);
    }
    g_string_append(ui, "</object></child></object></interface>");
    g_autoptr(GtkBuilder) builder = gtk_builder_new_from_string(ui->str, (gssize)ui->len);
    GtkWindow *shortcuts = GTK_WINDOW(gtk_builder_get_object(builder, "shortcuts"));
    gtk_window_set_transient_for(shortcuts, GTK_WINDOW(window));
    gtk_window_present(shortcuts);
}
