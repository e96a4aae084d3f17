// studio/builder_panel.h - the behaviors of the configuration, and below them what can be put into
// one: the left panel of the mode for behaviors.
//
//     GtkWidget *panel = som_builder_panel_new(desk);
//     g_signal_connect_swapped(panel, "chosen", G_CALLBACK(go_to_blocks), window);
//
// It follows the desk by itself. Choosing a behavior chooses it on the desk; "chosen" tells that
// the user means to work on it: Enter, or a double click.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"

#include <gtk/gtk.h>

#define SOM_TYPE_BUILDER_PANEL (som_builder_panel_get_type())
G_DECLARE_FINAL_TYPE(SomBuilderPanel, som_builder_panel, SOM, BUILDER_PANEL, GtkBox)

GtkWidget *som_builder_panel_new(SomDesk *desk); // which must outlive it
