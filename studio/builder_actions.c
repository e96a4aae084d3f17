// SPDX-License-Identifier: Apache-2.0
#include "studio/builder_actions.h"

#include "studio/ask.h"
#include "studio/block_panel.h"
#include "studio/builder_ask.h"
#include "studio/builder_edit.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

// ---- what there is

static bool has_design(SomWindow *window) {
    return som_project_model(window->project)->configuration != NULL &&
           !som_window_shows_start(window);
}

static bool has_own(SomWindow *window) {
    return has_design(window) && som_desk_own(window->desk) >= 0;
}

void som_window_show_blocks(SomWindow *window) {
    som_window_set_mode(window, SOM_MODE_BEHAVIORS);
    g_object_set(window, "shows-side", TRUE, NULL);
    gtk_stack_set_visible_child_name(window->sides, "blocks");
}

static void go_to_blocks(SomWindow *window) {
    som_window_show_blocks(window);
    AdwBin *place = ADW_BIN(gtk_stack_get_child_by_name(window->sides, "blocks"));
    som_block_panel_focus(SOM_BLOCK_PANEL(adw_bin_get_child(place)));
}

// ---- blocks and text

// The selected block is selected in the text, too.
static void on_desk(void *context, unsigned changes) {
    SomWindow *window = context;
    int block = som_desk_selected(window->desk);
    if ((changes & SOM_DESK_BLOCK) != 0 && block >= 0 &&
        som_window_mode(window) == SOM_MODE_BEHAVIORS) {
        SomSpan span = som_desk_blocks(window->desk)->blocks[block].span;
        som_source_panel_select(window->source, span.begin, span.end);
    }
    if ((changes & SOM_DESK_BEHAVIOR) != 0) {
        som_actions_refresh(window);
    }
}

static void on_caret(SomSourcePanel *source, guint offset, SomWindow *window) {
    (void)source;
    int block = som_blocks_at(som_desk_blocks(window->desk), offset);
    if (som_window_mode(window) == SOM_MODE_BEHAVIORS && block >= 0) {
        som_desk_select(window->desk, block);
    }
}

void som_window_join_builder(SomWindow *window, GtkWidget *panel) {
    g_signal_connect_swapped(panel, "chosen", G_CALLBACK(go_to_blocks), window);
    g_signal_connect_object(window->source, "caret", G_CALLBACK(on_caret), window, 0);
    som_desk_listen(window->desk, on_desk, window);
}

// ---- behaviors

static void add_named(SomWindow *window, const char *name) {
    if (som_builder_add(window->desk, som_str(name))) {
        go_to_blocks(window);
    }
}

static void add_behavior(SomWindow *window) {
    som_ask_name(window, &(SomNameQuestion){.heading = "New behavior",
                                            .verb = "_Add",
                                            .name = "behavior",
                                            .run = add_named});
}

static void rename_to(SomWindow *window, const char *name) {
    som_builder_rename(window->desk, som_str(name));
}

static void rename_behavior(SomWindow *window) {
    const SomBlocks *blocks = som_desk_blocks(window->desk);
    SomStr own = blocks->behaviors.data[som_desk_own(window->desk)].name;
    g_autofree char *name = som_c_string(own);
    g_autofree char *heading = g_strdup_printf("Rename “%s”", name);
    som_ask_name(window,
                 &(SomNameQuestion){.heading = heading,
                                    .body = "Every place of the file that names it is changed.",
                                    .verb = "_Rename",
                                    .name = name,
                                    .run = rename_to});
}

static void remove_behavior(SomWindow *window) {
    som_builder_remove(window->desk);
}

// ---- recording

static const char recorded_key[] = "som-recorded"; // of a window: the posture recorded last

typedef struct Recorded {
    const SomDesign *design; // of the file that it was recorded in
    int count;
    double values[];
} Recorded;

static const double *last_recorded(SomWindow *window) {
    const Recorded *last = g_object_get_data(G_OBJECT(window), recorded_key);
    const SomModel *model = som_project_model(window->project);
    bool is_same = last != NULL && last->design == som_project_design(window->project) &&
                   last->count == model->posture.count;
    return is_same ? last->values : NULL;
}

static void remember_recorded(SomWindow *window) {
    const SomPosture *posture = &som_project_model(window->project)->posture;
    size_t size = (size_t)posture->count * sizeof *posture->values;
    Recorded *now = g_malloc0(sizeof *now + size);
    now->design = som_project_design(window->project);
    now->count = posture->count;
    memcpy(now->values, posture->values, size);
    g_object_set_data_full(G_OBJECT(window), recorded_key, now, g_free);
}

static void record_as(SomWindow *window, const char *pose) {
    SomProject *project = window->project;
    unsigned before = som_project_revision(project);
    bool was_made = som_builder_record(window->desk, som_str(pose), last_recorded(window));
    if (was_made) {
        remember_recorded(window);
    } else if (som_project_revision(project) == before) {
        const SomDiagnostics *why = som_design_refusal(som_project_design(project));
        if (som_diagnostics_error_count(why) == 0) {
            som_window_tell(window, "No joint has moved since the last recording");
        }
    }
}

static void record(SomWindow *window) {
    record_as(window, "");
}

static void record_pose(SomWindow *window) {
    som_ask_name(window,
                 &(SomNameQuestion){.heading = "Record as a pose",
                                    .body = "The joints that moved become a pose of the design, "
                                            "and the behavior goes to it.",
                                    .verb = "_Record",
                                    .name = "pose",
                                    .run = record_as});
}

static const SomWindowAction actions[] = {
    {.name = "design.go-to-blocks",
     .words = "Go to the blocks",
     .keys = "<Control>b",
     .run = go_to_blocks,
     .is_possible = has_design},
    {.name = "design.add-behavior",
     .words = "New behavior…",
     .keys = "<Control><Shift>b",
     .run = add_behavior,
     .is_possible = has_design},
    {.name = "design.rename-behavior",
     .words = "Rename the behavior…",
     .keys = "<Alt>F2",
     .run = rename_behavior,
     .is_possible = has_own},
    {.name = "design.remove-behavior",
     .words = "Remove the behavior",
     .keys = "<Control><Shift>Delete",
     .run = remove_behavior,
     .is_possible = has_own},
    {.name = "design.record",
     .words = "Record the posture",
     .keys = "<Control><Shift>r",
     .run = record,
     .is_possible = has_own},
    {.name = "design.record-pose",
     .words = "Record as a pose…",
     .keys = "<Control><Alt>r",
     .run = record_pose,
     .is_possible = has_own},
};
const SomWindowActions som_builder_actions = {"Behaviors", actions, G_N_ELEMENTS(actions)};
