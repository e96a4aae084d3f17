// SPDX-License-Identifier: Apache-2.0
#include "studio/widgets.h"

#include <math.h>

char *som_c_string(SomStr text) {
    return g_strndup(text.data, text.length);
}

void som_set_accessible_name(gpointer widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    if (GTK_IS_DROP_DOWN(widget) || GTK_IS_MENU_BUTTON(widget)) { // the button in it has the focus
        som_set_accessible_name(gtk_widget_get_first_child(widget), name);
    }
}

GtkWidget *som_icon_button(const char *icon, const char *words) {
    GtkWidget *button = gtk_button_new_from_icon_name(icon);
    gtk_widget_set_tooltip_text(button, words);
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class(button, "flat");
    som_set_accessible_name(button, words);
    return button;
}

void som_ignore_wheel(GtkWidget *widget) {
    g_autoptr(GListModel) controllers = gtk_widget_observe_controllers(widget);
    for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
        g_autoptr(GtkEventController) controller = g_list_model_get_item(controllers, i);
        if (GTK_IS_EVENT_CONTROLLER_SCROLL(controller)) {
            gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_NONE);
        }
    }
}

// ---- facts

GtkWidget *som_facts_new(void) {
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
    gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
    return grid;
}

void som_facts_set(GtkWidget *facts, int row, const char *title, const char *value) {
    GtkGrid *grid = GTK_GRID(facts);
    GtkWidget *name = gtk_grid_get_child_at(grid, 0, row);
    GtkWidget *label = gtk_grid_get_child_at(grid, 1, row);
    if (name == NULL) {
        name = gtk_label_new(NULL);
        gtk_widget_add_css_class(name, "dim-label");
        gtk_label_set_xalign(GTK_LABEL(name), 0);
        gtk_widget_set_valign(name, GTK_ALIGN_START);
        gtk_grid_attach(grid, name, 0, row, 1, 1);
        label = gtk_label_new(NULL);
        gtk_label_set_xalign(GTK_LABEL(label), 0);
        gtk_label_set_selectable(GTK_LABEL(label), TRUE);
        gtk_label_set_wrap(GTK_LABEL(label), TRUE);
        gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
        gtk_widget_set_hexpand(label, TRUE);
        gtk_widget_set_focusable(label, FALSE); // Tab goes on to what can be changed
        gtk_grid_attach(grid, label, 1, row, 1, 1);
    }
    gtk_label_set_text(GTK_LABEL(name), title);
    gtk_label_set_text(GTK_LABEL(label), value != NULL ? value : "");
    gtk_widget_set_visible(name, value != NULL);
    gtk_widget_set_visible(label, value != NULL);
}

// ---- choices

GtkWidget *som_choice_new(const char *words, bool is_long) {
    GtkStringList *texts = gtk_string_list_new(NULL);
    GtkExpression *expression =
        is_long ? gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string") : NULL;
    GtkWidget *choice = gtk_drop_down_new(G_LIST_MODEL(texts), expression);
    gtk_drop_down_set_enable_search(GTK_DROP_DOWN(choice), is_long);
    gtk_widget_set_valign(choice, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text(choice, words);
    som_set_accessible_name(choice, words);
    return choice;
}

static bool has_texts(GListModel *model, GPtrArray *texts) {
    bool is_same = g_list_model_get_n_items(model) == texts->len;
    for (guint i = 0; is_same && i < texts->len; i++) {
        is_same = strcmp(gtk_string_list_get_string(GTK_STRING_LIST(model), i),
                         g_ptr_array_index(texts, i)) == 0;
    }
    return is_same;
}

void som_choice_set(GtkDropDown *choice, GPtrArray *texts, guint chosen, gpointer owner) {
    GListModel *model = gtk_drop_down_get_model(choice);
    g_signal_handlers_block_matched(choice, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, owner);
    if (!has_texts(model, texts)) {
        g_ptr_array_add(texts, NULL);
        gtk_string_list_splice(GTK_STRING_LIST(model), 0, g_list_model_get_n_items(model),
                               (const char *const *)texts->pdata);
    }
    gtk_drop_down_set_selected(choice, chosen);
    g_signal_handlers_unblock_matched(choice, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, owner);
    g_ptr_array_unref(texts);
}

// ---- numbers

// The digits that are shown of a value are not a new one.
static int on_input(GtkSpinButton *spin, double *value, gpointer unused) {
    (void)unused;
    double now = gtk_adjustment_get_value(gtk_spin_button_get_adjustment(spin));
    double scale = 1;
    for (guint i = 0; i < gtk_spin_button_get_digits(spin); i++) {
        scale *= 10;
    }
    double typed = g_strtod(gtk_editable_get_text(GTK_EDITABLE(spin)), NULL);
    bool is_rounded = fabs(typed * scale - round(typed * scale)) < 1e-6; // no more digits are typed
    bool is_now = is_rounded && fabs(typed - now) * scale < 0.5 + 1e-6;
    *value = is_now ? now : *value;
    return is_now;
}

GtkWidget *som_number_new(GtkAdjustment *value, int digits) {
    GtkWidget *spin = gtk_spin_button_new(value, 1, (guint)digits);
    gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(spin), TRUE);
    gtk_editable_set_width_chars(GTK_EDITABLE(spin), 6);
    g_signal_connect(spin, "input", G_CALLBACK(on_input), NULL);
    som_ignore_wheel(spin);
    return spin;
}

// ---- rows

void som_close_by_escape(GtkWidget *dialog, GtkPropagationPhase phase) {
    GtkEventController *keys = gtk_shortcut_controller_new();
    gtk_event_controller_set_propagation_phase(keys, phase);
    gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                         gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                                                          gtk_named_action_new("window.close")));
    gtk_widget_add_controller(dialog, keys);
}

void som_pad(GtkWidget *box) {
    g_object_set(box, "margin-start", 12, "margin-end", 12, "margin-top", 6, "margin-bottom", 12,
                 "spacing", 12, NULL);
}

GtkWidget *som_group_new(const char *title) {
    GtkWidget *group = adw_preferences_group_new();
    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), title);
    return group;
}

GtkWidget *som_control_row(const char *title, GtkWidget *control) {
    GtkWidget *row = adw_action_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), control);
    adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), control);
    return row;
}

// ---- names

static const char name_key[] = "som-name"; // of a row: what it was

static void give_back(GtkWidget *row) {
    const char *name = g_object_get_data(G_OBJECT(row), name_key);
    if (strcmp(gtk_editable_get_text(GTK_EDITABLE(row)), name) != 0) {
        som_name_row_set(ADW_ENTRY_ROW(row), som_str(name));
    }
}

static gboolean on_escape(GtkWidget *row, GVariant *unused, gpointer data) {
    (void)unused;
    (void)data;
    give_back(row);
    return TRUE;
}

// A name that was taken is no longer written: keys are the design's again, Ctrl+Z first of all.
static void on_applied(GtkWidget *row, gpointer unused) {
    (void)unused;
    const char *name = g_object_get_data(G_OBJECT(row), name_key);
    if (strcmp(gtk_editable_get_text(GTK_EDITABLE(row)), name) == 0) {
        gtk_widget_activate_action(row, "design.go-to-view", NULL);
    }
}

AdwEntryRow *som_name_row_new(const char *title, GCallback applied, gpointer data) {
    GtkWidget *row = adw_entry_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    adw_entry_row_set_show_apply_button(ADW_ENTRY_ROW(row), TRUE);
    g_object_set_data_full(G_OBJECT(row), name_key, g_strdup(""), g_free);
    g_signal_connect(row, "apply", applied, data);
    g_signal_connect_after(row, "apply", G_CALLBACK(on_applied), NULL);
    GtkEventController *keys = gtk_shortcut_controller_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                         gtk_callback_action_new(on_escape, NULL, NULL)));
    gtk_widget_add_controller(row, keys);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect_swapped(focus, "leave", G_CALLBACK(give_back), row);
    gtk_widget_add_controller(row, focus);
    return ADW_ENTRY_ROW(row);
}

// The button to apply comes with any change of the text, so it is off while we make one.
void som_name_row_set(AdwEntryRow *row, SomStr name) {
    char *text = som_c_string(name);
    g_object_set_data_full(G_OBJECT(row), name_key, text, g_free);
    if (strcmp(gtk_editable_get_text(GTK_EDITABLE(row)), text) != 0) {
        adw_entry_row_set_show_apply_button(row, FALSE);
        gtk_editable_set_text(GTK_EDITABLE(row), text);
        adw_entry_row_set_show_apply_button(row, TRUE);
    }
}
