// SPDX-License-Identifier: Apache-2.0
// Blocks are dragged, and what may become one is dropped between them.
#include "studio/block_list_internal.h"
#include "studio/builder_edit.h"
#include "studio/palette_item.h"

#include <adwaita.h>

// ---- dragging

static GdkContentProvider *on_prepare(GtkDragSource *source, double x, double y,
                                      SomBlockList *list) {
    (void)x, (void)y;
    GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(source));
    SomBlockItem *item = som_block_list_item_of(SOM_BLOCK_ROW(widget));
    if (item == NULL || list->is_read_only || som_block_row_depth(SOM_BLOCK_ROW(widget)) == 0) {
        return NULL;
    }
    som_desk_select(list->desk, item->block);
    return gdk_content_provider_new_typed(SOM_TYPE_BLOCK_ITEM, item);
}

static void on_begin(GtkDragSource *source, GdkDrag *drag, SomBlockList *list) {
    (void)drag, (void)list;
    GtkWidget *row = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(source));
    g_autoptr(GdkPaintable) live = gtk_widget_paintable_new(row);
    g_autoptr(GdkPaintable) picture = gdk_paintable_get_current_image(live);
    gtk_drag_source_set_icon(source, picture, 12, 12);
}

void som_block_list_add_drag(SomBlockList *list, SomBlockRow *row) {
    GtkDragSource *source = gtk_drag_source_new();
    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
    g_signal_connect(source, "prepare", G_CALLBACK(on_prepare), list);
    g_signal_connect(source, "drag-begin", G_CALLBACK(on_begin), list);
    gtk_widget_add_controller(GTK_WIDGET(row), GTK_EVENT_CONTROLLER(source));
}

// ---- where something would go

typedef struct Place {
    SomBlockRow *row; // that shows it
    SomDropMark mark;
    int depth;
    SomBuilderTarget target;
} Place;

static SomBlockRow *row_at(SomBlockList *list, double x, double y) {
    GtkWidget *widget = gtk_widget_pick(GTK_WIDGET(list->view), x, y, GTK_PICK_DEFAULT);
    for (; widget != NULL && widget != GTK_WIDGET(list->view);
         widget = gtk_widget_get_parent(widget)) {
        GtkWidget *child = gtk_widget_get_first_child(widget);
        if (SOM_IS_BLOCK_ROW(widget) || SOM_IS_BLOCK_ROW(child)) {
            return SOM_BLOCK_ROW(SOM_IS_BLOCK_ROW(widget) ? widget : child);
        }
    }
    return NULL;
}

static SomBlockRow *last_row(SomBlockList *list) {
    int count = list->outline.rows.count;
    return count > 0 ? som_block_list_row(list, list->outline.rows.data[count - 1].block) : NULL;
}

// Behind a row, or behind one of those that end with it: the pointer says which.
static Place behind(SomBlockList *list, SomBlockRow *row, double x) {
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    int block = som_block_row_block(row), depth = som_block_row_depth(row);
    int least = MAX(depth - som_block_row_closes(row) + 1, 1);
    while (depth > least && x < som_block_row_indent(depth)) {
        depth--;
        block = blocks->blocks[block].parent;
    }
    return (Place){row, SOM_DROP_AFTER, depth,
                   som_builder_target(blocks, block, SOM_BUILDER_AFTER)};
}

static Place place_at(SomBlockList *list, double x, double y) {
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    SomBlockRow *row = row_at(list, x, y);
    Place nowhere = {.target = {-1, 0}};
    if (row == NULL) {
        row = last_row(list);
        bool is_single = list->outline.rows.count == 1;
        return row == NULL
                   ? nowhere
                   : (Place){row, is_single ? SOM_DROP_INTO : SOM_DROP_AFTER, 1,
                             som_builder_target(blocks, list->outline.first, SOM_BUILDER_LAST)};
    }
    double own_x, own_y, height = gtk_widget_get_height(GTK_WIDGET(row));
    gtk_widget_translate_coordinates(GTK_WIDGET(list->view), GTK_WIDGET(row), x, y, &own_x, &own_y);
    int block = som_block_row_block(row), depth = som_block_row_depth(row);
    bool is_upper = own_y < height * (som_block_row_has_body(row) ? 0.3 : 0.5);
    if (is_upper && depth > 0) {
        return (Place){row, SOM_DROP_BEFORE, depth,
                       som_builder_target(blocks, block, SOM_BUILDER_BEFORE)};
    }
    if (!som_block_row_has_body(row)) {
        return depth > 0
                   ? behind(list, row, own_x)
                   : (Place){row, is_upper ? SOM_DROP_BEFORE : SOM_DROP_AFTER, 0,
                             som_builder_target(blocks, block,
                                                is_upper ? SOM_BUILDER_BEFORE : SOM_BUILDER_AFTER)};
    }
    bool is_closed = som_block_row_closes(row) > 0; // nothing of it is below
    if (is_closed && depth > 0 && own_y > height * 0.7) {
        return behind(list, row, own_x);
    }
    return (Place){
        row, SOM_DROP_INTO, depth,
        som_builder_target(blocks, block, is_closed ? SOM_BUILDER_LAST : SOM_BUILDER_FIRST)};
}

static void show_drop(SomBlockList *list, const Place *place) {
    if (list->drop != NULL && (place == NULL || list->drop != place->row)) {
        som_block_row_set_drop(list->drop, SOM_DROP_NONE, 0);
    }
    list->drop = place != NULL ? place->row : NULL;
    if (list->drop != NULL) {
        som_block_row_set_drop(list->drop, place->mark, place->depth);
    }
}

// ---- dropping

static bool can_drop(SomBlockList *list, const GValue *value, const Place *place) {
    if (list->is_read_only || place->target.into < 0 || value == NULL) {
        return false;
    }
    if (G_VALUE_HOLDS(value, SOM_TYPE_BLOCK_ITEM)) {
        SomBlockItem *item = g_value_get_object(value);
        return som_builder_can_move(som_desk_blocks(list->desk), item->block, place->target);
    }
    return G_VALUE_HOLDS(value, SOM_TYPE_PALETTE_ENTRY);
}

static GdkDragAction on_motion(GtkDropTarget *target, double x, double y, SomBlockList *list) {
    Place place = place_at(list, x, y);
    const GValue *value = gtk_drop_target_get_value(target);
    if (!can_drop(list, value, &place)) {
        show_drop(list, NULL);
        return 0;
    }
    show_drop(list, &place);
    return G_VALUE_HOLDS(value, SOM_TYPE_BLOCK_ITEM) ? GDK_ACTION_MOVE : GDK_ACTION_COPY;
}

static void on_leave(GtkDropTarget *target, SomBlockList *list) {
    (void)target;
    show_drop(list, NULL);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y,
                        SomBlockList *list) {
    (void)target;
    Place place = place_at(list, x, y);
    show_drop(list, NULL);
    if (!can_drop(list, value, &place)) {
        return FALSE;
    }
    if (G_VALUE_HOLDS(value, SOM_TYPE_BLOCK_ITEM)) {
        SomBlockItem *item = g_value_get_object(value);
        som_builder_drop(list->desk, item->block, place.target);
    } else {
        SomPaletteEntry *entry = g_value_get_object(value);
        som_builder_insert_at(list->desk, place.target, som_str(som_palette_entry_text(entry)));
    }
    som_block_list_focus(list);
    return TRUE;
}

void som_block_list_add_drop(SomBlockList *list) {
    GtkDropTarget *target = gtk_drop_target_new(G_TYPE_INVALID, GDK_ACTION_COPY | GDK_ACTION_MOVE);
    gtk_drop_target_set_gtypes(target, (GType[]){SOM_TYPE_BLOCK_ITEM, SOM_TYPE_PALETTE_ENTRY}, 2);
    gtk_drop_target_set_preload(target, TRUE);
    g_signal_connect(target, "enter", G_CALLBACK(on_motion), list);
    g_signal_connect(target, "motion", G_CALLBACK(on_motion), list);
    g_signal_connect(target, "leave", G_CALLBACK(on_leave), list);
    g_signal_connect(target, "drop", G_CALLBACK(on_drop), list);
    gtk_widget_add_controller(GTK_WIDGET(list->view), GTK_EVENT_CONTROLLER(target));
}
