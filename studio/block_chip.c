// SPDX-License-Identifier: Apache-2.0
#include "studio/block_chip.h"

#include "studio/builder_edit.h"
#include "studio/timeline_paint.h"
#include "studio/widgets.h"

#define MOST_WIDTH 240   // pixels of a text; more of it is seen when it is edited, and as a tooltip
#define MOST_ANSWERS 300 // pixels of a list; of a longer one the rest is scrolled to
#define PAD 5
#define GAP 4 // behind the caption
#define RADIUS 5

struct _SomBlockChip {
    GtkWidget parent_instance;
    SomDesk *desk;
    int block, nth;
    SomBlockKind of;
    SomFieldKind kind;
    char *caption, *text; // caption may be NULL
    char *adds;           // before what is typed; NULL: it is written already
    char **answers;       // of SomFieldShown; NULL: none
    bool is_read_only;
    bool is_ending;                 // the entry goes away by ourselves
    guint leaving;                  // source that looks whether it was left; 0: none
    PangoLayout *words, *value;     // caption and text
    int caption_width, value_width; // pixels
    int height;
    GtkWidget *entry;   // NULL: it is not edited
    GtkWidget *choices; // popover; NULL: none was asked for
};

G_DEFINE_FINAL_TYPE(SomBlockChip, som_block_chip, GTK_TYPE_WIDGET)

bool som_block_chip_is_edited(const SomBlockChip *field) {
    return field->entry != NULL;
}

bool som_block_chip_is(const SomBlockChip *field, SomFieldKind kind, int nth) {
    return field->kind == kind && field->nth == nth;
}

// ---- what may be chosen

static const char *const moves[] = {"to", "by", "spin", "follow", NULL};
static const char *const docks[] = {"connect", "disconnect", NULL};

static const char *const *answers_of(const SomBlockChip *field) {
    return field->answers != NULL          ? (const char *const *)field->answers
           : field->kind != SOM_FIELD_MODE ? NULL
           : field->of == SOM_BLOCK_MOVE   ? moves
           : field->of == SOM_BLOCK_DOCK   ? docks
                                           : NULL;
}

static bool can_be_removed(const SomBlockChip *field) {
    return field->kind >= SOM_FIELD_UNTIL || field->kind == SOM_FIELD_ARGUMENT ||
           field->kind == SOM_FIELD_FROM || field->kind == SOM_FIELD_ONLY;
}

// ---- editing

static void end_edit(SomBlockChip *field) {
    if (field->entry != NULL) {
        field->is_ending = true;
        gtk_widget_unparent(g_steal_pointer(&field->entry));
        field->is_ending = false;
        gtk_widget_queue_resize(GTK_WIDGET(field));
    }
}

static char *first_report(const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    return count > 0 ? som_c_string(all[0].message) : g_strdup("This can't stand here");
}

// True if the field says it now.
static bool apply(SomBlockChip *field, const char *text) {
    g_autofree char *wanted = g_strstrip(g_strdup(text));
    if (strcmp(wanted, field->text) == 0) {
        return true;
    }
    g_autofree char *written = g_strconcat(field->adds != NULL ? field->adds : "", wanted, NULL);
    g_object_ref(field); // the row may be made anew
    bool was_made =
        som_builder_set_field(field->desk, field->block, field->kind, field->nth, som_str(written));
    if (!was_made && field->entry != NULL) {
        SomProject *project = som_desk_project(field->desk);
        g_autofree char *why = first_report(som_design_refusal(som_project_design(project)));
        gtk_widget_add_css_class(field->entry, "error");
        gtk_widget_set_tooltip_text(field->entry, why);
        gtk_accessible_update_state(GTK_ACCESSIBLE(field->entry), GTK_ACCESSIBLE_STATE_INVALID,
                                    GTK_ACCESSIBLE_INVALID_TRUE, -1);
    }
    g_object_unref(field);
    return was_made;
}

static bool finish(SomBlockChip *field) {
    g_autofree char *text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(field->entry)));
    if (!apply(field, text)) {
        return false;
    }
    end_edit(field);
    if (gtk_widget_get_mapped(GTK_WIDGET(field))) {
        gtk_widget_grab_focus(GTK_WIDGET(field));
    }
    return true;
}

static void on_activate(GtkEntry *entry, SomBlockChip *field) {
    (void)entry;
    finish(field);
}

static void on_typed(GtkEditable *entry, SomBlockChip *field) {
    (void)field;
    gtk_widget_remove_css_class(GTK_WIDGET(entry), "error");
    gtk_widget_set_tooltip_text(GTK_WIDGET(entry), NULL);
}

static gboolean on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                       SomBlockChip *field) {
    (void)keys, (void)code, (void)state;
    bool is_back = key == GDK_KEY_ISO_Left_Tab;
    if (key == GDK_KEY_Escape) {
        end_edit(field);
        gtk_widget_grab_focus(GTK_WIDGET(field));
        return TRUE;
    }
    if ((key == GDK_KEY_Tab || is_back) && finish(field)) {
        GtkWidget *row = gtk_widget_get_parent(GTK_WIDGET(field));
        if (row != NULL) {
            gtk_widget_child_focus(row, is_back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
        }
        return TRUE;
    }
    return key == GDK_KEY_Tab || is_back;
}

// When the focus has found its place: an entry must not go away while it is being left.
static gboolean on_left(gpointer data) {
    SomBlockChip *field = data;
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(field));
    field->leaving = 0;
    GtkWidget *focus = root != NULL ? gtk_root_get_focus(root) : NULL;
    bool is_here = focus != NULL && field->entry != NULL &&
                   (focus == field->entry || gtk_widget_is_ancestor(focus, field->entry));
    // a window that is left for another one keeps what is typed
    if (!is_here && (root == NULL || gtk_window_is_active(GTK_WINDOW(root)))) {
        end_edit(field);
    }
    return G_SOURCE_REMOVE;
}

static void on_leave(GtkEventControllerFocus *focus, SomBlockChip *field) {
    (void)focus;
    if (!field->is_ending && field->leaving == 0) {
        field->leaving = g_idle_add_full(GDK_PRIORITY_REDRAW, on_left, field, NULL);
    }
}

static void make_entry(SomBlockChip *field) {
    field->entry = gtk_entry_new();
    gtk_editable_set_text(GTK_EDITABLE(field->entry), field->text);
    glong length = g_utf8_strlen(field->text, -1);
    gtk_editable_set_width_chars(GTK_EDITABLE(field->entry), (int)CLAMP(length + 2, 6, 28));
    som_set_accessible_name(field->entry, gtk_widget_get_tooltip_text(GTK_WIDGET(field)));
    g_signal_connect(field->entry, "activate", G_CALLBACK(on_activate), field);
    g_signal_connect(field->entry, "changed", G_CALLBACK(on_typed), field);
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), field);
    gtk_widget_add_controller(field->entry, keys);
    GtkEventController *focus = gtk_event_controller_focus_new();
    g_signal_connect(focus, "leave", G_CALLBACK(on_leave), field);
    gtk_widget_add_controller(field->entry, focus);
    gtk_widget_set_parent(field->entry, GTK_WIDGET(field));
}

static void on_answer(GtkButton *button, SomBlockChip *field) {
    g_autofree char *text = g_strdup(gtk_button_get_label(button));
    gtk_popover_popdown(GTK_POPOVER(field->choices));
    apply(field, text);
}

static void begin_entry(SomBlockChip *field) {
    make_entry(field);
    gtk_widget_grab_focus(field->entry);
}

static void on_other(GtkButton *button, SomBlockChip *field) {
    (void)button;
    gtk_popover_popdown(GTK_POPOVER(field->choices));
    begin_entry(field);
}

static void add_answer(GtkBox *box, const char *label, GCallback clicked, SomBlockChip *field) {
    GtkWidget *button = gtk_button_new_with_label(label);
    gtk_widget_add_css_class(button, "flat");
    g_signal_connect(button, "clicked", clicked, field);
    gtk_box_append(box, button);
}

static void show_answers(SomBlockChip *field, const char *const *answers) {
    if (field->choices == NULL) {
        GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
        for (int i = 0; answers[i] != NULL; i++) {
            add_answer(GTK_BOX(box), answers[i], G_CALLBACK(on_answer), field);
        }
        if (field->answers != NULL) { // a let, a parameter, or an index that is computed
            add_answer(GTK_BOX(box), "Other…", G_CALLBACK(on_other), field);
        }
        GtkWidget *scrolled = gtk_scrolled_window_new();
        gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                       GTK_POLICY_AUTOMATIC);
        gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
        gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scrolled), MOST_ANSWERS);
        gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
        field->choices = gtk_popover_new();
        gtk_popover_set_child(GTK_POPOVER(field->choices), scrolled);
        gtk_popover_set_position(GTK_POPOVER(field->choices), GTK_POS_BOTTOM);
        gtk_widget_set_parent(field->choices, GTK_WIDGET(field));
    }
    gtk_popover_popup(GTK_POPOVER(field->choices));
}

void som_block_chip_edit(SomBlockChip *field) {
    const char *const *answers = answers_of(field);
    if (field->is_read_only || field->kind == SOM_FIELD_LATCH || field->entry != NULL) {
        return;
    }
    if (answers != NULL) {
        show_answers(field, answers);
        return;
    }
    begin_entry(field);
}

static gboolean on_edit_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused, (void)data;
    if (SOM_BLOCK_CHIP(widget)->entry != NULL) {
        return FALSE;
    }
    som_block_chip_edit(SOM_BLOCK_CHIP(widget));
    return TRUE;
}

static gboolean on_delete_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused, (void)data;
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    if (field->entry != NULL || field->is_read_only || !can_be_removed(field)) {
        return FALSE;
    }
    if (field->adds == NULL) {
        som_builder_clear_field(field->desk, field->block, field->kind, field->nth);
    }
    return TRUE;
}

static void on_released(GtkGestureClick *click, int presses, double x, double y,
                        SomBlockChip *field) {
    (void)presses;
    if (field->entry == NULL && gtk_widget_contains(GTK_WIDGET(field), x, y)) {
        gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
        som_desk_select(field->desk,
                        field->is_read_only ? som_desk_selected(field->desk) : field->block);
        gtk_widget_grab_focus(GTK_WIDGET(field));
        som_block_chip_edit(field);
    }
}

// ---- what it shows

static void measure_words(SomBlockChip *field) {
    int height = 0;
    field->caption_width = 0;
    if (field->caption != NULL) {
        pango_layout_set_text(field->words, field->caption, -1);
        pango_layout_get_pixel_size(field->words, &field->caption_width, &height);
    }
    pango_layout_set_width(field->value, -1);
    pango_layout_set_text(field->value, field->text, -1);
    pango_layout_get_pixel_size(field->value, &field->value_width, &field->height);
    if (field->value_width > MOST_WIDTH) {
        pango_layout_set_width(field->value, MOST_WIDTH * PANGO_SCALE);
        field->value_width = MOST_WIDTH;
    }
    field->height = MAX(field->height, height);
}

static bool has_answers(const SomBlockChip *field, const SomFieldShown *shown) {
    return field->answers == NULL || shown->answers == NULL
               ? field->answers == NULL && shown->answers == NULL
               : g_strv_equal((const char *const *)field->answers, shown->answers);
}

void som_block_chip_set(SomBlockChip *field, const SomFieldShown *shown) {
    bool is_same = g_strcmp0(field->text, shown->text) == 0 &&
                   g_strcmp0(field->caption, shown->caption) == 0 &&
                   g_strcmp0(field->adds, shown->adds) == 0 && field->kind == shown->kind;
    if (!is_same || shown->is_read_only) {
        end_edit(field);
    }
    bool is_offered = field->of == shown->of && has_answers(field, shown);
    if (field->choices != NULL && !is_offered) {
        gtk_widget_unparent(g_steal_pointer(&field->choices));
    }
    if (!is_offered) {
        g_strfreev(field->answers);
        field->answers = g_strdupv((char **)shown->answers);
    }
    field->block = shown->block;
    field->of = shown->of;
    field->kind = shown->kind;
    field->nth = shown->nth;
    field->is_read_only = shown->is_read_only;
    if (!is_same) {
        g_free(field->caption);
        g_free(field->text);
        g_free(field->adds);
        field->caption = g_strdup(shown->caption);
        field->text = g_strdup(shown->text);
        field->adds = g_strdup(shown->adds);
        measure_words(field);
        gtk_widget_queue_resize(GTK_WIDGET(field));
    }
    gtk_widget_set_tooltip_text(GTK_WIDGET(field), shown->words);
    som_set_accessible_name(field, shown->words);
}

void som_block_chip_move(SomBlockChip *field, int block) {
    field->block = block;
}

static int space_of_caption(const SomBlockChip *field) {
    return field->caption != NULL ? field->caption_width + GAP : 0;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline) {
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    (void)for_size;
    *minimum_baseline = *natural_baseline = -1;
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = *natural = space_of_caption(field) + field->value_width + 2 * PAD;
    } else {
        *minimum = *natural = field->height + 6;
    }
    if (field->entry != NULL) {
        int least, wanted;
        gtk_widget_measure(field->entry, orientation, -1, &least, &wanted, NULL, NULL);
        int space = orientation == GTK_ORIENTATION_HORIZONTAL ? space_of_caption(field) : 0;
        *minimum = least + space;
        *natural = MAX(wanted, least) + space;
    }
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    (void)baseline;
    if (field->entry != NULL) {
        int space = space_of_caption(field);
        gtk_widget_size_allocate(field->entry,
                                 &(GtkAllocation){space, 0, MAX(width - space, 1), height}, -1);
    }
    if (field->choices != NULL) {
        gtk_popover_present(GTK_POPOVER(field->choices));
    }
}

static void append_layout(GtkSnapshot *snapshot, PangoLayout *layout, double x, double y,
                          GdkRGBA color) {
    gtk_snapshot_save(snapshot);
    gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)x, (float)y));
    gtk_snapshot_append_layout(snapshot, layout, &color);
    gtk_snapshot_restore(snapshot);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    SomPaint paint = som_paint_begin(widget, snapshot);
    double width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
    double y = (height - field->height) / 2, space = space_of_caption(field);
    if (field->caption != NULL) {
        append_layout(snapshot, field->words, 0, y, paint.soft);
    }
    if (field->entry != NULL) {
        gtk_widget_snapshot_child(widget, field->entry, snapshot);
        return;
    }
    bool is_hot = (gtk_widget_get_state_flags(widget) & GTK_STATE_FLAG_PRELIGHT) != 0;
    bool is_faint = field->adds != NULL;
    if (!field->is_read_only) {
        double strength = is_hot ? 0.16 : is_faint ? 0.03 : 0.08;
        som_paint_rounded(&paint, som_paint_fade(paint.ink, strength), space, 0, width - space,
                          height, RADIUS);
    }
    append_layout(snapshot, field->value, space + PAD, y, is_faint ? paint.soft : paint.ink);
    if (gtk_widget_has_visible_focus(widget)) {
        GskRoundedRect round;
        gsk_rounded_rect_init_from_rect(
            &round, &GRAPHENE_RECT_INIT((float)space, 0, (float)(width - space), (float)height),
            RADIUS);
        gtk_snapshot_append_border(
            snapshot, &round, (float[]){2, 2, 2, 2},
            (GdkRGBA[]){paint.accent, paint.accent, paint.accent, paint.accent});
    }
}

static void css_changed(GtkWidget *widget, GtkCssStyleChange *change) {
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    GTK_WIDGET_CLASS(som_block_chip_parent_class)->css_changed(widget, change);
    if (field->text != NULL) {
        pango_layout_context_changed(field->words);
        pango_layout_context_changed(field->value);
        measure_words(field);
    }
    gtk_widget_queue_resize(widget);
}

static void state_flags_changed(GtkWidget *widget, GtkStateFlags before) {
    GTK_WIDGET_CLASS(som_block_chip_parent_class)->state_flags_changed(widget, before);
    gtk_widget_queue_draw(widget);
}

static gboolean grab_focus(GtkWidget *widget) {
    SomBlockChip *field = SOM_BLOCK_CHIP(widget);
    if (field->entry != NULL) {
        return gtk_widget_grab_focus(field->entry);
    }
    return GTK_WIDGET_CLASS(som_block_chip_parent_class)->grab_focus(widget);
}

// ---- life

static void dispose(GObject *object) {
    SomBlockChip *field = SOM_BLOCK_CHIP(object);
    g_clear_handle_id(&field->leaving, g_source_remove);
    end_edit(field);
    if (field->choices != NULL) {
        gtk_widget_unparent(g_steal_pointer(&field->choices));
    }
    g_clear_object(&field->words);
    g_clear_object(&field->value);
    G_OBJECT_CLASS(som_block_chip_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_free(SOM_BLOCK_CHIP(object)->caption);
    g_free(SOM_BLOCK_CHIP(object)->text);
    g_free(SOM_BLOCK_CHIP(object)->adds);
    g_strfreev(SOM_BLOCK_CHIP(object)->answers);
    G_OBJECT_CLASS(som_block_chip_parent_class)->finalize(object);
}

static void som_block_chip_class_init(SomBlockChipClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    widget->measure = measure;
    widget->size_allocate = size_allocate;
    widget->snapshot = snapshot;
    widget->css_changed = css_changed;
    widget->state_flags_changed = state_flags_changed;
    widget->grab_focus = grab_focus;
    static const guint edit_keys[] = {GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_F2}; // Space plays
    for (size_t i = 0; i < G_N_ELEMENTS(edit_keys); i++) {
        gtk_widget_class_add_binding(widget, edit_keys[i], 0, on_edit_key, NULL);
    }
    gtk_widget_class_add_binding(widget, GDK_KEY_Delete, 0, on_delete_key, NULL);
    gtk_widget_class_set_css_name(widget, "somfield");
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_BUTTON);
}

static void som_block_chip_init(SomBlockChip *field) {
    gtk_widget_set_focusable(GTK_WIDGET(field), TRUE);
    gtk_widget_set_valign(GTK_WIDGET(field), GTK_ALIGN_CENTER);
    field->words = gtk_widget_create_pango_layout(GTK_WIDGET(field), "");
    field->value = gtk_widget_create_pango_layout(GTK_WIDGET(field), "");
    pango_layout_set_ellipsize(field->value, PANGO_ELLIPSIZE_END);
    pango_layout_set_single_paragraph_mode(field->value, TRUE);
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_released), field);
    gtk_widget_add_controller(GTK_WIDGET(field), GTK_EVENT_CONTROLLER(click));
}

GtkWidget *som_block_chip_new(SomDesk *desk) {
    SomBlockChip *field = g_object_new(SOM_TYPE_BLOCK_CHIP, NULL);
    field->desk = desk;
    return GTK_WIDGET(field);
}
