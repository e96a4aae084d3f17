// studio/part_panel.h - what can be said of a part: its name, what it is, how it is connected.
//
//     GtkWidget *panel = som_part_panel_new(project);
//     g_signal_connect(panel, "renamed", G_CALLBACK(on_renamed), inspector);
//     som_part_panel_show(SOM_PART_PANEL(panel), part); // another part, or another text
//
// Signal "renamed" (string place): the part that is shown is called so now.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_PART_PANEL (som_part_panel_get_type())
G_DECLARE_FINAL_TYPE(SomPartPanel, som_part_panel, SOM, PART_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_part_panel_new(SomProject *project);

void som_part_panel_show(SomPartPanel *panel, int part);
