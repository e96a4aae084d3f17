// studio/builder_actions.h - what is done with behaviors from anywhere in a window: a new one,
// another name, the posture that is shown recorded into it.
//
// The rows of the group are in studio/window_actions.h's table.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

// Shows the blocks, in the mode for behaviors.
void som_window_show_blocks(SomWindow *window);
