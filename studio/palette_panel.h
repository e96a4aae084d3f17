// studio/palette_panel.h - what can be put into a behavior: a list with a search, to be dragged
// from.
//
//     GtkWidget *palette = som_palette_panel_new(desk);
//     gtk_paned_set_end_child(paned, palette);
//
// A row is dragged into the blocks, or put at the selected block by Enter or a double click. Ctrl+
// Enter shows the blocks of a behavior. It follows the desk by itself.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/palette_item.h"

#include <gtk/gtk.h>

#define SOM_TYPE_PALETTE_PANEL (som_palette_panel_get_type())
G_DECLARE_FINAL_TYPE(SomPalettePanel, som_palette_panel, SOM, PALETTE_PANEL, GtkBox)

GtkWidget *som_palette_panel_new(SomDesk *desk); // which must outlive it
