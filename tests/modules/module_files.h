// tests/modules/module_files.h - files of the source tree, read for tests of modules and rooms
// above.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/m3l.h"

// A text of the source tree, by its path from the root. Stays until the program ends.
SomStr som_test_source(const char *path);

// Names of the files of a folder of the source tree that end so; returns their number.
int som_test_list(const char *folder, const char *ending, SomArena *arena, const SomStr **names);

// Reads M3L text and fails the test, printing them, if it gives any diagnostics.
SomM3l *som_test_m3l(const char *title, SomStr text);
SomM3l *som_test_library(const char *name); // "smores"

// All files of library/modules, ended by NULL, without ending.
extern const char *const som_test_module_files[];
