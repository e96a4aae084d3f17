// SPDX-License-Identifier: Apache-2.0
// What is done with the selected block, by keys and in the menu of its row.
#include "studio/block_panel.h"
#include "studio/builder_edit.h"
#include "studio/window_actions.h"

#include <assert.h>

// Keys of the panel, told with those of the window, which leave them to it.
static const SomWindowAction rows[] = {
    {.name = "block.edit", .words = "Edit the value", .keys = "Return F2"},
    {.name = "block.step-back", .words = "Move up", .keys = "<Alt>Up"},
    {.name = "block.step-on", .words = "Move down", .keys = "<Alt>Down"},
    {.name = "block.duplicate", .words = "Duplicate", .keys = "<Control>d"},
    {.name = "block.delete", .words = "Delete", .keys = "Delete"},
    {.name = "block.wrap-series", .words = "Wrap in series", .keys = "<Alt>s"},
    {.name = "block.wrap-parallel", .words = "Wrap in parallel", .keys = "<Alt>p"},
    {.name = "block.wrap-any", .words = "Wrap in any", .keys = "<Alt>a"},
    {.name = "block.wrap-repeat", .words = "Wrap in repeat", .keys = "<Alt>r"},
    {.name = "block.unwrap", .words = "Unwrap", .keys = "<Alt>u"},
    {.name = "block.make-series", .words = "Make it series", .keys = "<Alt><Shift>s"},
    {.name = "block.make-parallel", .words = "Make it parallel", .keys = "<Alt><Shift>p"},
    {.name = "block.make-any", .words = "Make it any", .keys = "<Alt><Shift>a"},
    {.name = "block.choose-more",
     .words = "Choose blocks beside it",
     .keys = "<Shift>Down <Shift>Up"},
    {.name = "block.fold", .words = "Fold and unfold", .keys = "Left Right"},
    {.name = "block.search", .words = "Search blocks", .keys = "<Control>f"},
    {.name = "block.next", .words = "Next match", .keys = "F3"},
    {.name = "block.last", .words = "Last match", .keys = "<Shift>F3"},
};
const SomWindowActions som_block_actions = {"Blocks", rows, G_N_ELEMENTS(rows)};

// ---- what they do

typedef void (*Run)(SomBlockPanel *panel);

static void edit(SomBlockPanel *panel) {
    som_block_list_edit(som_block_panel_list(panel));
}

static void step_back(SomBlockPanel *panel) {
    som_builder_step(som_block_panel_desk(panel), -1);
}

static void step_on(SomBlockPanel *panel) {
    som_builder_step(som_block_panel_desk(panel), 1);
}

static void duplicate(SomBlockPanel *panel) {
    som_builder_duplicate(som_block_panel_desk(panel));
}

static void delete (SomBlockPanel *panel) {
    som_builder_delete(som_block_panel_desk(panel));
}

static void wrap(SomBlockPanel *panel, SomBlockKind kind) {
    int count = som_block_list_chosen(som_block_panel_list(panel));
    som_builder_wrap(som_block_panel_desk(panel), count, kind);
}

static void choose_more(SomBlockPanel *panel) {
    som_block_list_extend(som_block_panel_list(panel), 1);
}

static void wrap_series(SomBlockPanel *panel) {
    wrap(panel, SOM_BLOCK_SERIES);
}

static void wrap_parallel(SomBlockPanel *panel) {
    wrap(panel, SOM_BLOCK_PARALLEL);
}

static void wrap_any(SomBlockPanel *panel) {
    wrap(panel, SOM_BLOCK_ANY);
}

static void wrap_repeat(SomBlockPanel *panel) {
    wrap(panel, SOM_BLOCK_REPEAT);
}

static void unwrap(SomBlockPanel *panel) {
    som_builder_unwrap(som_block_panel_desk(panel));
}

static void make_series(SomBlockPanel *panel) {
    som_builder_set_kind(som_block_panel_desk(panel), SOM_BLOCK_SERIES);
}

static void make_parallel(SomBlockPanel *panel) {
    som_builder_set_kind(som_block_panel_desk(panel), SOM_BLOCK_PARALLEL);
}

static void make_any(SomBlockPanel *panel) {
    som_builder_set_kind(som_block_panel_desk(panel), SOM_BLOCK_ANY);
}

static void fold(SomBlockPanel *panel) {
    SomBlockList *list = som_block_panel_list(panel);
    som_block_list_fold(list, !som_block_list_is_folded(list));
}

static void next(SomBlockPanel *panel) {
    som_block_panel_find(panel, 1);
}

static void last(SomBlockPanel *panel) {
    som_block_panel_find(panel, -1);
}

static const Run runs[] = {edit,        step_back,   step_on,       duplicate,
                           delete,      wrap_series, wrap_parallel, wrap_any,
                           wrap_repeat, unwrap,      make_series,   make_parallel,
                           make_any,    choose_more, fold,          som_block_panel_search,
                           next,        last};
static_assert(G_N_ELEMENTS(runs) == G_N_ELEMENTS(rows), "a row each");

static bool needs_block(const char *name) {
    return strcmp(name, "block.search") != 0 && strcmp(name, "block.next") != 0 &&
           strcmp(name, "block.last") != 0;
}

static void on_action(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)unused;
    SomBlockPanel *panel = SOM_BLOCK_PANEL(widget);
    SomDesk *desk = som_block_panel_desk(panel);
    if (needs_block(name) && (som_desk_selected(desk) < 0 || som_desk_own(desk) < 0)) {
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            runs[i](panel);
        }
    }
}

// ---- clauses

static void on_clause(GtkWidget *widget, const char *name, GVariant *clause) {
    SomDesk *desk = som_block_panel_desk(SOM_BLOCK_PANEL(widget));
    int block = som_desk_selected(desk);
    SomFieldKind kind = (SomFieldKind)g_variant_get_int32(clause);
    if (block < 0 || kind >= SOM_FIELD_KINDS) {
        return;
    }
    if (strcmp(name, "block.clear-clause") == 0) {
        som_builder_clear_field(desk, block, kind, 0);
    } else if (som_builder_add_clause(desk, block, kind)) {
        SomBlockRow *row = som_block_list_row(som_block_panel_list(SOM_BLOCK_PANEL(widget)),
                                              som_desk_selected(desk));
        SomBlockChip *field = row != NULL ? som_block_row_field(row, kind, 0) : NULL;
        if (field != NULL) {
            som_block_chip_edit(field); // the value is only a beginning
        }
    }
}

void som_block_actions_install(GtkWidgetClass *klass) {
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        gtk_widget_class_install_action(klass, rows[i].name, NULL, on_action);
        g_auto(GStrv) keys = g_strsplit(rows[i].keys, " ", -1);
        for (int k = 0; runs[i] != fold && runs[i] != choose_more && keys[k] != NULL;
             k++) { // the list knows of arrows
            guint key;
            GdkModifierType modifiers;
            if (gtk_accelerator_parse(keys[k], &key, &modifiers) && key != GDK_KEY_Return) {
                gtk_widget_class_add_binding_action(klass, key, modifiers, rows[i].name, NULL);
            }
        }
    }
    gtk_widget_class_install_action(klass, "block.add-clause", "i", on_clause);
    gtk_widget_class_install_action(klass, "block.clear-clause", "i", on_clause);
}

// ---- the menu

static void add_section(GMenu *menu, const char *const *names) {
    g_autoptr(GMenu) section = som_action_menu(names);
    g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
}

static void add_submenu(GMenu *menu, const char *title, GMenu *items) {
    if (g_menu_model_get_n_items(G_MENU_MODEL(items)) > 0) {
        g_menu_append_submenu(menu, title, G_MENU_MODEL(items));
    }
}

static void add_clauses(GMenu *menu, const SomBlocks *blocks, int block) {
    g_autoptr(GMenu) added = g_menu_new();
    g_autoptr(GMenu) cleared = g_menu_new();
    for (int kind = 0; kind < SOM_FIELD_KINDS; kind++) {
        const char *word = som_field_kind_word((SomFieldKind)kind);
        g_autofree char *add = g_strdup_printf("block.add-clause(%d)", kind);
        g_autofree char *clear = g_strdup_printf("block.clear-clause(%d)", kind);
        if (som_builder_takes_clause(blocks, block, (SomFieldKind)kind)) {
            g_menu_append(added, word, add);
        } else if (kind >= SOM_FIELD_UNTIL &&
                   som_blocks_field(blocks, block, (SomFieldKind)kind, 0) >= 0) {
            g_menu_append(cleared, word, clear);
        }
    }
    g_autoptr(GMenu) section = g_menu_new();
    add_submenu(section, "Add", added);
    add_submenu(section, "Remove", cleared);
    g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
}

GMenuModel *som_block_menu(SomBlockPanel *panel) {
    static const char *const of_block[] = {"block.edit", "block.duplicate", "block.delete", NULL};
    static const char *const of_wraps[] = {"block.wrap-series", "block.wrap-parallel",
                                           "block.wrap-any", "block.wrap-repeat", NULL};
    static const char *const of_kinds[] = {"block.make-series", "block.make-parallel",
                                           "block.make-any", NULL};
    static const char *const of_places[] = {"block.step-back", "block.step-on", NULL};
    static const char *const of_recording[] = {"design.record", "design.record-pose", NULL};
    SomDesk *desk = som_block_panel_desk(panel);
    const SomBlocks *blocks = som_desk_blocks(desk);
    int block = som_desk_selected(desk);
    GMenu *menu = g_menu_new();
    if (block >= 0 && som_desk_own(desk) >= 0) {
        add_section(menu, of_block);
        add_clauses(menu, blocks, block);
        add_section(menu, of_wraps);
        if (som_block_is_list(blocks->blocks[block].kind)) {
            add_section(menu, of_kinds);
        }
        if (blocks->blocks[block].child_count > 0) {
            add_section(menu, (const char *const[]){"block.unwrap", "block.fold", NULL});
        }
        add_section(menu, of_places);
    }
    add_section(menu, of_recording);
    return G_MENU_MODEL(menu);
}
