// studio/source_panel.h - the text of a project in an editor; both edit the same document.
//
//     GtkWidget *source = som_source_panel_new(project);
//     som_source_panel_refresh(SOM_SOURCE_PANEL(source)); // the text was changed elsewhere
//     som_source_panel_go_to(SOM_SOURCE_PANEL(source), offset);
//
// What is typed becomes a step of the project's undo when the typing pauses; places with errors and
// warnings are underlined.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_SOURCE_PANEL (som_source_panel_get_type())
G_DECLARE_FINAL_TYPE(SomSourcePanel, som_source_panel, SOM, SOURCE_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_source_panel_new(SomProject *project);

// After a change of the project.
void som_source_panel_refresh(SomSourcePanel *panel);

// What was typed goes into the project now: before it is saved, or edited elsewhere.
void som_source_panel_flush(SomSourcePanel *panel);

// Puts the cursor at a byte of the text and shows it.
void som_source_panel_go_to(SomSourcePanel *panel, uint32_t offset);
