// studio/simulate_panel.h - the panel that starts runs under physics: what, how, how far it is, and
// what has become of it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

#define SOM_TYPE_SIMULATE_PANEL (som_simulate_panel_get_type())
G_DECLARE_FINAL_TYPE(SomSimulatePanel, som_simulate_panel, SOM, SIMULATE_PANEL, GtkBox)

GtkWidget *som_simulate_panel_new(SomWindow *window);
