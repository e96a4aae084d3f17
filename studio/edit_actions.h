// studio/edit_actions.h - what is done with the part that is selected: actions of the window, and
// their menu in the view.
//
//     som_edit_menu_attach(window, view);  // secondary button, Menu key, Shift+F10
//
// The rows are som_edit_actions, listed in window_actions.c. What the design refuses is told by the
// window.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

GMenuModel *som_edit_menu(void); // of the caller
void som_edit_menu_attach(SomWindow *window, SomView *view);
