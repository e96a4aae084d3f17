// studio/base_panel.h - where a configuration stands: module, frame, on the ground or at a
// position, and how it is turned.
//
//     GtkWidget *base = som_base_panel_new(project);
//     som_base_panel_refresh(SOM_BASE_PANEL(base)); // after a change of the text
//
// Each change is one step of undo.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_BASE_PANEL (som_base_panel_get_type())
G_DECLARE_FINAL_TYPE(SomBasePanel, som_base_panel, SOM, BASE_PANEL, GtkBox)

GtkWidget *som_base_panel_new(SomProject *project);
void som_base_panel_refresh(SomBasePanel *panel);
