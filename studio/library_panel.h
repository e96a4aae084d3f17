// studio/library_panel.h - what there is to build with: module types and configurations, by order,
// with pictures, to be searched, dragged into the view, placed by keys or opened.
//
//     GtkWidget *panel = som_library_panel_new(library);
//     som_library_panel_attach(SOM_LIBRARY_PANEL(panel), project, placing);
//     g_signal_connect(panel, "chosen", G_CALLBACK(on_design), window);
//
// Folders are read and pictures drawn in a thread: rows come when they are known. The folder of the
// open file is offered, too. Enter or a double click places what is selected; the menu of a row
// (secondary button, Shift+F10) opens a copy of it, too.
//
// Signal "chosen" (string path or name, string config): a design is to be opened.
// Signal "picked" (SomLibraryItem): in a panel that is not attached to a view, instead of placing.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/library_item.h"
#include "studio/placing.h"

#define SOM_TYPE_LIBRARY_PANEL (som_library_panel_get_type())
G_DECLARE_FINAL_TYPE(SomLibraryPanel, som_library_panel, SOM, LIBRARY_PANEL, GtkBox)

GtkWidget *som_library_panel_new(SomStr library);

// From now on parts are placed in a view. Both are borrowed.
void som_library_panel_attach(SomLibraryPanel *panel, SomProject *project, SomPlacing *placing);

// NULL: nothing is selected.
SomLibraryItem *som_library_panel_selected(const SomLibraryPanel *panel);
bool som_library_panel_is_complete(const SomLibraryPanel *panel); // all folders are read
