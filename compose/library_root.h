// compose/library_root.h - where the library is: modules/ and configs/.
//
//     SomText root = {0};
//     som_library_find(&root);
//
// SOMITE_LIBRARY names it; else it is the one installed with the program, or that of the source
// tree the program was built from.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds nothing if there is none.
void som_library_find(SomText *root);

#ifdef __cplusplus
}
#endif
