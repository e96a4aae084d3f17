// studio/block_panel.h - the blocks of a behavior with all that is done with them: a bar, a search,
// the list, and a menu on its rows.
//
//     GtkWidget *panel = som_block_panel_new(desk);
//     som_block_panel_focus(SOM_BLOCK_PANEL(panel));
//
// What is done with the selected block are actions of the panel ("block.duplicate"), with keys that
// count while the focus is in it; they are told with those of the window (som_block_actions). A
// behavior of a part is shown and not edited.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/block_list.h"

#define SOM_TYPE_BLOCK_PANEL (som_block_panel_get_type())
G_DECLARE_FINAL_TYPE(SomBlockPanel, som_block_panel, SOM, BLOCK_PANEL, GtkBox)

GtkWidget *som_block_panel_new(SomDesk *desk); // which must outlive it

void som_block_panel_focus(SomBlockPanel *panel); // on the selected block
SomBlockList *som_block_panel_list(SomBlockPanel *panel);
SomDesk *som_block_panel_desk(SomBlockPanel *panel);
void som_block_panel_search(SomBlockPanel *panel);        // opens it
void som_block_panel_find(SomBlockPanel *panel, int way); // what is searched for

// ---- block_actions.c

void som_block_actions_install(GtkWidgetClass *klass);
// What can be done with the selected block. Owned.
GMenuModel *som_block_menu(SomBlockPanel *panel);
