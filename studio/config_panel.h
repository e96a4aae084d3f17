// studio/config_panel.h - what can be said of the configuration that is shown: its name, which one
// of the file it is and with what arguments, its size, how it starts and where it stands.
//
//     GtkWidget *panel = som_config_panel_new(project);
//     som_config_panel_refresh(SOM_CONFIG_PANEL(panel)); // after a change of the text

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_CONFIG_PANEL (som_config_panel_get_type())
G_DECLARE_FINAL_TYPE(SomConfigPanel, som_config_panel, SOM, CONFIG_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_config_panel_new(SomProject *project);
void som_config_panel_refresh(SomConfigPanel *panel);
