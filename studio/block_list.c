// SPDX-License-Identifier: Apache-2.0
#include "studio/block_list.h"

#include "studio/block_list_internal.h"
#include "studio/widgets.h"

#define MOST_TRIES 20      // frames until a row to be focused is given up
#define FINDINGS_PAUSE 120 // milliseconds after an edit until findings are looked for

G_DEFINE_FINAL_TYPE(SomBlockItem, som_block_item, G_TYPE_OBJECT)

static void som_block_item_class_init(SomBlockItemClass *klass) {
    (void)klass;
}

static void som_block_item_init(SomBlockItem *item) {
    (void)item;
}

G_DEFINE_FINAL_TYPE(SomBlockList, som_block_list, GTK_TYPE_WIDGET)

int som_block_list_count(const SomBlockList *list) {
    return list->outline.rows.count;
}

bool som_block_list_has_findings(const SomBlockList *list) {
    return list->has_findings;
}

// ---- rows

static const char item_key[] = "som-item"; // of a row

SomBlockItem *som_block_list_item_of(SomBlockRow *row) {
    return g_object_get_data(G_OBJECT(row), item_key);
}

SomBlockRow *som_block_list_row(SomBlockList *list, int block) {
    for (guint i = 0; i < list->bound->len; i++) {
        SomBlockRow *row = g_ptr_array_index(list->bound, i);
        if (som_block_list_item_of(row)->block == block) {
            return row;
        }
    }
    return NULL;
}

static void apply_change(SomBlockList *list, SomOutlineChange change);

static void on_fold(SomBlockRow *row, SomBlockList *list) {
    int position = som_block_list_item_of(row)->row;
    bool is_folded = list->outline.rows.data[position].is_folded;
    apply_change(list, som_outline_fold(&list->outline, position, !is_folded));
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *item, SomBlockList *list) {
    (void)factory;
    GtkWidget *row = som_block_row_new(list->desk);
    g_signal_connect(row, "fold", G_CALLBACK(on_fold), list);
    gtk_list_item_set_child(item, row);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, SomBlockList *list) {
    (void)factory;
    GtkWidget *row = gtk_list_item_get_child(item);
    g_object_set_data(G_OBJECT(row), item_key, gtk_list_item_get_item(item));
    g_ptr_array_add(list->bound, row);
    som_block_list_fill_soon(list, SOM_BLOCK_ROW(row));
}

static void on_unbind(GtkListItemFactory *factory, GtkListItem *item, SomBlockList *list) {
    (void)factory;
    GtkWidget *row = gtk_list_item_get_child(item);
    g_ptr_array_remove_fast(list->bound, row);
    som_block_list_forget(list, SOM_BLOCK_ROW(row));
    g_object_set_data(G_OBJECT(row), item_key, NULL);
    if (list->drop == SOM_BLOCK_ROW(row)) {
        list->drop = NULL;
    }
    som_block_row_set_drop(SOM_BLOCK_ROW(row), SOM_DROP_NONE, 0);
}

// ---- what is selected

static int position_of_selected(SomBlockList *list) {
    int block = list->is_read_only ? -1 : som_desk_selected(list->desk);
    return block >= 0 ? som_outline_find(&list->outline, block) : -1;
}

static SomBlockRow *selected_row(SomBlockList *list) {
    int position = position_of_selected(list);
    return position >= 0 ? som_block_list_row(list, list->outline.rows.data[position].block) : NULL;
}

// The focus goes to the row as soon as there is one.
static void take_focus(SomBlockList *list) {
    SomBlockRow *row = selected_row(list);
    GtkWidget *item = row != NULL ? gtk_widget_get_parent(GTK_WIDGET(row)) : NULL;
    if (item != NULL && gtk_widget_get_mapped(item)) {
        GtkWidget *focus = gtk_root_get_focus(gtk_widget_get_root(item));
        list->is_focus_wanted = false;
        if (focus == NULL || !gtk_widget_is_ancestor(focus, item)) { // a field of it keeps it
            gtk_widget_grab_focus(item);
        }
    }
}

static gboolean on_seek(GtkWidget *widget, GdkFrameClock *clock, gpointer unused) {
    SomBlockList *list = SOM_BLOCK_LIST(widget);
    (void)clock, (void)unused;
    if (list->scroll_to >= 0 && list->scroll_to < list->outline.rows.count) {
        gtk_widget_activate_action(GTK_WIDGET(list->view), "list.scroll-to-item", "u",
                                   (guint)list->scroll_to);
    }
    list->scroll_to = -1;
    if (list->is_focus_wanted) {
        take_focus(list);
    }
    list->is_focus_wanted = list->is_focus_wanted && list->tries++ < MOST_TRIES;
    list->seeking = list->is_focus_wanted ? list->seeking : 0;
    return list->is_focus_wanted ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

// When the rows have their places.
static void scroll_to(SomBlockList *list, int row) {
    list->scroll_to = row;
    list->tries = 0;
    if (list->seeking == 0) {
        list->seeking = gtk_widget_add_tick_callback(GTK_WIDGET(list), on_seek, NULL, NULL);
    }
}

static bool has_focus(SomBlockList *list) {
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(list));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus(root) : NULL;
    return focus != NULL && gtk_widget_is_ancestor(focus, GTK_WIDGET(list->view));
}

static void select_position(SomBlockList *list, int position) {
    guint wanted = position >= 0 ? (guint)position : GTK_INVALID_LIST_POSITION;
    list->is_setting = true;
    if (gtk_single_selection_get_selected(list->selection) != wanted) {
        gtk_single_selection_set_selected(list->selection, wanted);
    }
    list->is_setting = false;
}

static void show_selected(SomBlockList *list) {
    int block = list->is_read_only ? -1 : som_desk_selected(list->desk);
    if (block >= 0 && som_outline_find(&list->outline, block) >= 0) {
        apply_change(list, som_outline_reveal(&list->outline, block));
    }
    int position = position_of_selected(list);
    bool was_focused = has_focus(list);
    select_position(list, position);
    if (position >= 0) {
        list->is_focus_wanted = list->is_focus_wanted || was_focused;
        scroll_to(list, position);
    }
    som_block_list_mark_all(list);
}

static void on_selected(GtkSingleSelection *selection, GParamSpec *property, SomBlockList *list) {
    (void)property;
    guint position = gtk_single_selection_get_selected(selection);
    if (list->is_setting || list->desk == NULL || list->is_read_only ||
        position == GTK_INVALID_LIST_POSITION) {
        return;
    }
    list->is_setting = true; // the user has it where it is
    som_desk_select(list->desk, list->outline.rows.data[position].block);
    list->is_setting = false;
    som_block_list_mark_all(list);
}

// ---- what follows a change

static void number_items(SomBlockList *list) {
    for (int i = 0; i < list->outline.rows.count; i++) {
        g_autoptr(SomBlockItem) item = g_list_model_get_item(G_LIST_MODEL(list->items), (guint)i);
        item->row = i;
        item->block = list->outline.rows.data[i].block;
    }
}

// What the others run may have got other parameters: they are filled again when there is time.
static void refresh_rows(SomBlockList *list, SomOutlineChange change) {
    for (guint i = 0; i < list->bound->len; i++) {
        SomBlockRow *row = g_ptr_array_index(list->bound, i);
        const SomBlockItem *item = som_block_list_item_of(row);
        bool is_changed = item->row >= change.at && item->row < change.at + change.added;
        som_block_row_move(row, item->block);
        if (is_changed && change.added == change.removed) {
            som_block_list_fill(list, row);
        } else if (som_block_row_is_full(row)) {
            som_block_list_fill_later(list, row);
        }
    }
}

// Rows that only changed what they say stay; others are made for what is new.
static void apply_change(SomBlockList *list, SomOutlineChange change) {
    bool was_focused = has_focus(list);
    list->is_setting = true;
    if (change.removed != change.added) {
        g_autoptr(GPtrArray) added = g_ptr_array_new_with_free_func(g_object_unref);
        for (int i = 0; i < change.added; i++) {
            SomBlockItem *item = g_object_new(SOM_TYPE_BLOCK_ITEM, NULL);
            item->row = change.at + i;
            item->block = list->outline.rows.data[item->row].block;
            g_ptr_array_add(added, item);
        }
        // those behind get their numbers before anything of them is drawn
        int old_count = (int)g_list_model_get_n_items(G_LIST_MODEL(list->items));
        for (int i = change.at + change.removed; i < old_count; i++) {
            g_autoptr(SomBlockItem) item =
                g_list_model_get_item(G_LIST_MODEL(list->items), (guint)i);
            item->row = i - change.removed + change.added;
            item->block = list->outline.rows.data[item->row].block;
        }
        g_list_store_splice(list->items, (guint)change.at, (guint)change.removed, added->pdata,
                            added->len);
    }
    number_items(list);
    refresh_rows(list, change);
    list->is_setting = false;
    select_position(list, position_of_selected(list));
    if (was_focused && !has_focus(list)) {
        list->is_focus_wanted = true;
        scroll_to(list, position_of_selected(list));
    }
}

static gboolean on_findings(gpointer data) {
    SomBlockList *list = data;
    list->findings = 0;
    som_desk_findings(list->desk);
    list->has_findings = true;
    som_block_list_mark_all(list);
    return G_SOURCE_REMOVE;
}

static void refresh(SomBlockList *list, bool is_other) {
    int behavior;
    const SomBlocks *blocks = som_desk_shown(list->desk, &behavior);
    list->blocks = blocks;
    list->extra = 0;
    list->is_read_only = blocks != som_desk_blocks(list->desk);
    list->has_findings = false;
    apply_change(list, som_outline_set(&list->outline, blocks, behavior, is_other));
    g_clear_handle_id(&list->findings, g_source_remove);
    list->findings = g_timeout_add(FINDINGS_PAUSE, on_findings, list);
}

// The first rows come a frame after the list, so that neither is felt.
static void start(SomBlockList *list) {
    if (list->starting != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(list), list->starting);
        list->starting = 0;
        refresh(list, true);
        show_selected(list);
    }
}

static gboolean on_start(GtkWidget *widget, GdkFrameClock *clock, gpointer unused) {
    SomBlockList *list = SOM_BLOCK_LIST(widget);
    (void)clock, (void)unused;
    list->starting = 0;
    refresh(list, true);
    show_selected(list);
    return G_SOURCE_REMOVE;
}

static void on_desk(void *context, unsigned changes) {
    SomBlockList *list = context;
    int behavior;
    start(list);
    if (som_desk_shown(list->desk, &behavior) != list->blocks) {
        changes |= SOM_DESK_BLOCKS; // who was told before has made the next change
    }
    if ((changes & (SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR)) != 0) {
        refresh(list, (changes & SOM_DESK_BEHAVIOR) != 0);
    }
    if ((changes & SOM_DESK_BLOCK) != 0) {
        list->extra = 0;
    }
    if ((changes & SOM_DESK_BLOCK) != 0 && !list->is_setting) {
        show_selected(list);
    }
    if ((changes & SOM_DESK_MARKS) != 0) {
        int count;
        const int *marks = som_desk_marks(list->desk, &count);
        for (int i = 0; i < count; i++) {
            if (som_outline_find(&list->outline, marks[i]) >= 0) {
                apply_change(list, som_outline_reveal(&list->outline, marks[i]));
                scroll_to(list, som_outline_find(&list->outline, marks[i]));
                break;
            }
        }
        som_block_list_mark_all(list);
    }
}

// ---- what the user does

bool som_block_list_is_folded(SomBlockList *list) {
    int position = position_of_selected(list);
    return position >= 0 && list->outline.rows.data[position].is_folded;
}

void som_block_list_fold(SomBlockList *list, bool is_folded) {
    int position = position_of_selected(list);
    if (position >= 0) {
        apply_change(list, som_outline_fold(&list->outline, position, is_folded));
    }
}

int som_block_list_chosen(const SomBlockList *list) {
    return list->extra + 1;
}

int som_block_list_chosen_end(SomBlockList *list) {
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    int block = som_desk_selected(list->desk);
    int end = block >= 0 ? blocks->blocks[block].end : -1;
    for (int i = 0; i < list->extra && end >= 0; i++) {
        end = blocks->blocks[end].end;
    }
    return end;
}

void som_block_list_extend(SomBlockList *list, int way) {
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    int block = list->is_read_only ? -1 : som_desk_selected(list->desk);
    int parent = block >= 0 ? blocks->blocks[block].parent : -1, extra = list->extra;
    if (parent < 0) {
        return;
    }
    if (way > 0 && som_block_list_chosen_end(list) < blocks->blocks[parent].end) {
        list->extra++;
    } else if (way < 0 && extra > 0) {
        list->extra--;
    } else if (way < 0 && block > parent + 1) { // the one before it becomes the first
        int before = parent + 1;
        while (blocks->blocks[before].end < block) {
            before = blocks->blocks[before].end;
        }
        som_desk_select(list->desk, before);
        list->extra = extra + 1;
    }
    som_block_list_mark_all(list);
}

void som_block_list_focus(SomBlockList *list) {
    start(list);
    if (position_of_selected(list) < 0) {
        gtk_widget_grab_focus(GTK_WIDGET(list->view));
        return;
    }
    list->is_focus_wanted = true;
    take_focus(list);
    if (list->is_focus_wanted) {
        scroll_to(list, position_of_selected(list));
    }
}

void som_block_list_edit(SomBlockList *list) {
    SomBlockRow *row = selected_row(list);
    SomBlockChip *field = row != NULL ? som_block_row_main_field(row) : NULL;
    if (field != NULL) {
        som_block_chip_edit(field);
    }
}

static void on_activated(GtkListView *view, guint position, SomBlockList *list) {
    (void)view, (void)position;
    som_block_list_edit(list);
}

static bool says(const SomBlocks *blocks, int block, const char *wanted, SomText *words) {
    som_text_clear(words);
    som_blocks_print(blocks, block, words);
    g_autofree char *lower = g_utf8_strdown(som_text_str(words).data, -1);
    return strstr(lower, wanted) != NULL;
}

bool som_block_list_find(SomBlockList *list, const char *wanted, int way) {
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    int count = list->outline.all.count, first = list->outline.first;
    g_autofree char *lower = g_utf8_strdown(wanted, -1);
    if (list->is_read_only || count == 0 || wanted[0] == '\0') {
        return false;
    }
    SomText words = {0};
    int begin = som_desk_selected(list->desk) >= 0 ? som_desk_selected(list->desk) - first : -1;
    int found = -1;
    for (int i = 1; i <= count && found < 0; i++) {
        int at = (begin + way * i + 2 * count) % count;
        at = begin < 0 && way < 0 ? count - i : at;
        found = says(blocks, first + at, lower, &words) ? first + at : -1;
    }
    som_text_free(&words);
    if (found >= 0) {
        som_desk_select(list->desk, found);
    }
    return found >= 0;
}

// Right unfolds, Left folds or goes to what the block is in: where arrows go in trees.
static gboolean on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                       SomBlockList *list) {
    (void)keys, (void)code;
    GtkWidget *focus = gtk_root_get_focus(gtk_widget_get_root(GTK_WIDGET(list)));
    int position = position_of_selected(list);
    GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask();
    if (position < 0 || GTK_IS_TEXT(focus)) {
        return FALSE;
    }
    if ((key == GDK_KEY_Up || key == GDK_KEY_Down) && modifiers == GDK_SHIFT_MASK) {
        som_block_list_extend(list, key == GDK_KEY_Down ? 1 : -1);
        return TRUE;
    }
    if ((key != GDK_KEY_Right && key != GDK_KEY_Left) || modifiers != 0) {
        return FALSE;
    }
    const SomBlock *block =
        &som_desk_blocks(list->desk)->blocks[list->outline.rows.data[position].block];
    bool is_folded = list->outline.rows.data[position].is_folded;
    if (key == GDK_KEY_Right) {
        som_block_list_fold(list, false);
    } else if (block->child_count > 0 && !is_folded) {
        som_block_list_fold(list, true);
    } else if (block->parent >= 0) {
        som_desk_select(list->desk, block->parent);
    }
    return TRUE;
}

// ---- life

static void dispose(GObject *object) {
    SomBlockList *list = SOM_BLOCK_LIST(object);
    g_clear_handle_id(&list->findings, g_source_remove);
    if (list->starting != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(list), list->starting);
        list->starting = 0;
    }
    if (list->seeking != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(list), list->seeking);
        list->seeking = 0;
    }
    som_block_list_end_filling(list);
    if (list->desk != NULL) {
        som_desk_unlisten(list->desk, on_desk, list);
    }
    if (list->scrolled != NULL) {
        g_signal_handlers_disconnect_by_data(list->selection, list);
        gtk_widget_unparent(g_steal_pointer(&list->scrolled));
    }
    g_clear_object(&list->items);
    list->desk = NULL;
    G_OBJECT_CLASS(som_block_list_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    SomBlockList *list = SOM_BLOCK_LIST(object);
    som_outline_free(&list->outline);
    g_ptr_array_unref(list->bound);
    g_hash_table_unref(list->pending);
    G_OBJECT_CLASS(som_block_list_parent_class)->finalize(object);
}

static void som_block_list_class_init(SomBlockListClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    gtk_widget_class_set_layout_manager_type(widget, GTK_TYPE_BIN_LAYOUT);
}

static void som_block_list_init(SomBlockList *list) {
    list->bound = g_ptr_array_new();
    list->pending = g_hash_table_new(NULL, NULL);
    list->scroll_to = -1;
    list->items = g_list_store_new(SOM_TYPE_BLOCK_ITEM);
    list->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(list->items)));
    gtk_single_selection_set_autoselect(list->selection, FALSE);
    gtk_single_selection_set_can_unselect(list->selection, TRUE);
    g_signal_connect(list->selection, "notify::selected", G_CALLBACK(on_selected), list);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), list);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), list);
    g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), list);
    list->view = GTK_LIST_VIEW(gtk_list_view_new(GTK_SELECTION_MODEL(list->selection), factory));
    g_signal_connect(list->view, "activate", G_CALLBACK(on_activated), list);
    som_set_accessible_name(list->view, "Blocks");
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), list);
    gtk_widget_add_controller(GTK_WIDGET(list->view), keys);
    list->scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(list->scrolled), GTK_WIDGET(list->view));
    gtk_widget_set_parent(list->scrolled, GTK_WIDGET(list));
    som_block_list_add_drop(list);
}

GtkWidget *som_block_list_new(SomDesk *desk) {
    SomBlockList *list = g_object_new(SOM_TYPE_BLOCK_LIST, NULL);
    list->desk = desk;
    som_desk_listen(desk, on_desk, list);
    list->starting = gtk_widget_add_tick_callback(GTK_WIDGET(list), on_start, NULL, NULL);
    return GTK_WIDGET(list);
}
