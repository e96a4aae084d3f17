// studio/catalog.h - what files of designs and of module types offer to build with.
//
//     SomCatalog catalog = {0};
//     som_catalog_read(&catalog, library, folder, NULL);
//     for (int i = 0; i < catalog.entries.count; i++) { ... catalog.entries.data[i].name ... }
//     som_catalog_free(&catalog);
//
// Reads and composes every file of a folder, so it takes a moment: for another thread. What does
// not compose is left out. Entries stand in the order of their order (0 is a module, others are one
// above their parts), then of their files.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"

#include <stdatomic.h>

typedef struct SomCatalogParameter {
    SomStr name;
    SomStr type;      // as written: count, angle
    SomStr otherwise; // its default, as written; empty if it must be given
    bool is_count;
} SomCatalogParameter;

typedef struct SomCatalogEntry {
    SomStr name; // Chain3, SMORES
    SomStr file; // that defines it
    SomStr doc;
    bool is_type; // of modules
    int order;
    int modules, dofs; // with the defaults of its parameters
    const SomCatalogParameter *params;
    int param_count;
} SomCatalogEntry;

// Zero is empty. Owns what its entries name.
typedef struct SomCatalog {
    SOM_ARRAY(SomCatalogEntry) entries;
    SomArena arena;
} SomCatalog;

// Adds what the .som and .m3l files in a folder define. A folder that is not there has none. Ends
// before the next file when another thread says so; NULL: none does.
void som_catalog_read(SomCatalog *catalog, SomStr library, SomStr folder,
                      const atomic_bool *is_stopped);
void som_catalog_free(SomCatalog *catalog); // leaves it empty
