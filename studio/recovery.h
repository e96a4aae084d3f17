// studio/recovery.h - what studios that were killed have left, offered to be restored.
//
//     GtkWidget *group = som_recovery_group(window); // rows, each with Restore and Discard
//     som_window_offer_recovered(window);            // the same in a window of its own

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

// NULL if there is nothing.
GtkWidget *som_recovery_group(SomWindow *window);
