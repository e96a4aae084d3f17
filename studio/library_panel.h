// studio/library_panel.h - the designs of the library, to be searched and chosen.
//
//     GtkWidget *panel = som_library_panel_new(library);
//     g_signal_connect(panel, "chosen", G_CALLBACK(on_design), window);
//
// Signal "chosen" (string name): a design by the name of its file, such as "walkbot".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <gtk/gtk.h>

#define SOM_TYPE_LIBRARY_PANEL (som_library_panel_get_type())
G_DECLARE_FINAL_TYPE(SomLibraryPanel, som_library_panel, SOM, LIBRARY_PANEL, GtkBox)

GtkWidget *som_library_panel_new(SomStr library);
