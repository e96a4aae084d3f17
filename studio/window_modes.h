// studio/window_modes.h - what one does in a window: each mode has its own panels round the view.
//
//     som_window_set_mode(window, SOM_MODE_BEHAVIORS);
//     if (som_window_mode(window) == SOM_MODE_BEHAVIORS) { ... the timeline is below the view ... }
//
// A mode is a row of the table in window_modes.c: the constructors of its panel at the left, of its
// page beside the text and of its page beside the findings. They are called when the mode is shown
// for the first time; panels listen by themselves from then on. A mode without panels is not there.
// Which page is shown, and how large, is kept for each mode.
//
// The mode is the property "mode" of the window, which can be read and listened to. "notify::mode"
// comes when the panels of the new mode are there. What a panel showed in the view, links and what
// glows, is taken back before it: panels only show their own while their mode is the one shown.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

typedef enum SomMode {
    SOM_MODE_CONFIGURATION,
    SOM_MODE_BEHAVIORS,
    SOM_MODE_SIMULATE,
} SomMode;
#define SOM_MODES (SOM_MODE_SIMULATE + 1)

bool som_mode_exists(SomMode mode);
SomMode som_window_mode(const SomWindow *window);
void som_window_set_mode(SomWindow *window, SomMode mode); // of those that exist
