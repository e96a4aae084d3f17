// studio/view_menu.h - the button over a view with what it shows and from where.
//
//     gtk_overlay_add_overlay(overlay, som_view_menu_new(view));

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/view.h"

// For the upper right corner. The view must outlive it.
GtkWidget *som_view_menu_new(SomView *view);
