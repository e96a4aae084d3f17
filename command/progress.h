// command/progress.h - how far long work has come, in one line for people who watch.
//
//     if (som_progress_is_watched()) {
//         som_progress_show(SOM_STR("3 of 12: Walkbot walk"));
//         ...
//         som_progress_clear();
//     }
//
// On standard error, and only if that is a terminal: files and pipes never see it. Every line
// replaces the one before.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

bool som_progress_is_watched(void);

// The line has been made safe to show (som_text_add_shown).
void som_progress_show(SomStr line);
void som_progress_clear(void);
