// SPDX-License-Identifier: Apache-2.0

#include "compose/library_root.h"

#include "base/file.h"
#include "base/path.h"

#include <stdlib.h>

// Seen from the program: installed, in the tree it was built from (build/release/command or
// build/command).
static const struct Place {
    int up; // folders
    const char *down;
} places[] = {{1, "share/somite/library"}, {3, "library"}, {2, "library"}};

static bool try_place(SomStr folder, struct Place place, SomText *root) {
    SomText probe = {0};
    for (int i = 0; i < place.up; i++) {
        folder = som_path_folder(folder);
    }
    som_path_join(&probe, folder, som_str(place.down));
    size_t length = probe.length;
    som_text_add(&probe, SOM_STR("/modules/smores.m3l"));
    bool found = som_file_exists(probe.data);
    if (found) {
        som_text_add(root, som_str_slice(som_text_str(&probe), 0, length));
    }
    som_text_free(&probe);
    return found;
}

void som_library_find(SomText *root) {
    const char *given = getenv("SOMITE_LIBRARY");
    if (given != NULL && given[0] != '\0') {
        som_text_add(root, som_str(given));
        return;
    }
    SomText folder = {0};
    bool found = !som_file_program_folder(&folder);
    for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
        found = try_place(som_text_str(&folder), places[i], root);
    }
    som_text_free(&folder);
}
