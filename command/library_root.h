// command/library_root.h - where the library is: modules/ and configs/.
//
//     SomText root = {0};
//     som_command_find_library(&root);
//
// SOMITE_LIBRARY names it; else it is the one installed with the program, or that of the source
// tree the program was built from.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

// Adds nothing if there is none.
void som_command_find_library(SomText *root);
