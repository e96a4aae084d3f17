// exchange/c_files.h - the files that every folder of `somite export --to c` gets: the player's
// sources and the templates of exchange/controller/, kept in the program.
//
// Tables of a behavior and the player that reads them must be of one version, and an installed
// program has no source tree: so tools/embed_files.py writes them into c_files.c at build time.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

typedef struct SomCFile {
    const char *name; // in the folder: "som_player.c", "main.c"
    SomStr content;
    bool is_template; // words in it stand between at signs: @name@
} SomCFile;

extern const SomCFile som_c_files[];
extern const int som_c_file_count;
