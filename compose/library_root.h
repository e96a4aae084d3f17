// compose/library_root.h - where the library is, modules/ and configs/, and its files by name.
//
//     SomText root = {0};
//     som_library_find(&root);
//
//     bool has_file = som_library_find_file(som_text_str(&root), SOM_STR("mtran.m3l"), &path);
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

// Whether a word can be the name of a file of the library, with its ending or without: not a path,
// and not "-".
bool som_library_is_name(SomStr word);

// Adds the path of the file of the library that a word names, in any case of letters: "walkbot",
// "mtran.m3l". False if there is none. An empty root has no files.
bool som_library_find_file(SomStr root, SomStr word, SomText *path);

#ifdef __cplusplus
}
#endif
