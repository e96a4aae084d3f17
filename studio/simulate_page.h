// studio/simulate_page.h - a run over time: buttons to play it, which engine's is shown, and a
// timeline of its actions, of what happened, and of prediction against simulation.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

#define SOM_TYPE_SIMULATE_PAGE (som_simulate_page_get_type())
G_DECLARE_FINAL_TYPE(SomSimulatePage, som_simulate_page, SOM, SIMULATE_PAGE, GtkBox)

GtkWidget *som_simulate_page_new(SomWindow *window);
