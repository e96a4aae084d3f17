// studio/window_actions.h - what a window can be told to do: one row each, for keys, menus, help
// and tests.
//
//     static void turn_over(SomWindow *window) { ... }
//     static const SomWindowAction actions[] = {
//         {.name = "design.turn-over", .words = "Turn over", .keys = "<Control>t", .run =
//         turn_over},
//     };
//     const SomWindowActions som_turn_actions = {"Turning", actions, G_N_ELEMENTS(actions)};
//
// The groups are listed in window_actions.c, which makes of each row a class action of the window,
// its keys, an item of the window of shortcuts and, where a menu or button names it, their words.
// Keys are class bindings: what has the focus gets them first, so an entry keeps its own Ctrl+Z. A
// row that neither runs nor switches anything only tells of keys that a panel handles itself.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

typedef struct SomWindowAction {
    const char *name;  // "design.save"
    const char *words; // for people: "Save as…"
    const char *keys;  // as gtk_accelerator_parse reads them, with blanks between; NULL: none
    void (*run)(SomWindow *window);
    bool (*is_possible)(SomWindow *window); // NULL: always; asked after each change of the project
    const char *property;                   // of the window, switched on and off; instead of `run`
} SomWindowAction;

typedef struct SomWindowActions {
    const char *title; // in the window of shortcuts
    const SomWindowAction *actions;
    int count;
} SomWindowActions;

// Made once for the class of windows.
void som_actions_install(GtkWidgetClass *klass);

// Switches off what is not possible now.
void som_actions_refresh(SomWindow *window);

const SomWindowAction *som_action_find(const char *name); // NULL: there is none

// A button for an action, or a switch where it has a property; its tooltip names its first key.
GtkWidget *som_action_button(const char *icon, const char *name);

// Items of a menu for the actions in a list that NULL ends.
GMenu *som_action_menu(const char *const *names);

// The window with all keys, shown over `window`.
void som_actions_show_shortcuts(SomWindow *window);

extern const SomWindowActions som_block_actions;    // block_actions.c
extern const SomWindowActions som_builder_actions;  // builder_actions.c
extern const SomWindowActions som_edit_actions;     // edit_actions.c
extern const SomWindowActions som_file_actions;     // window_files.c
extern const SomWindowActions som_history_actions;  // window.c
extern const SomWindowActions som_mode_actions;     // window_modes.c
extern const SomWindowActions som_motion_actions;   // motion_actions.c
extern const SomWindowActions som_panel_actions;    // window_panels.c
extern const SomWindowActions som_simulate_actions; // simulate_files.c
extern const SomWindowActions som_tour_actions;     // tour.c
extern const SomWindowActions som_transfer_actions; // transfer_dialogs.c
extern const SomWindowActions som_view_actions;
