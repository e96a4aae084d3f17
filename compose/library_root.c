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

bool som_library_is_name(SomStr word) {
    return word.length > 0 && !som_str_equal(word, SOM_STR("-")) &&
           memchr(word.data, '/', word.length) == NULL;
}

static bool find_in_folder(SomStr folder, SomStr ending, SomStr word, SomText *path) {
    SomArena arena = {0};
    SomDiagnostics *quiet = som_diagnostics_create();
    SomText terminated = {0};
    som_text_add(&terminated, folder);
    const SomStr *files;
    int count = som_file_list(terminated.data, ending, &arena, &files, quiet);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        found = som_str_equal_any_case(som_path_stem(files[i]), word) ||
                som_str_equal_any_case(files[i], word);
        if (found) {
            som_path_join(path, folder, files[i]);
        }
    }
    som_text_free(&terminated);
    som_diagnostics_destroy(quiet);
    som_arena_free(&arena);
    return found;
}

bool som_library_find_file(SomStr root, SomStr word, SomText *path) {
    static const char *const folders[][2] = {{"configs", ".som"}, {"modules", ".m3l"}};
    bool found = false;
    for (int i = 0; i < 2 && !found && root.length > 0 && som_library_is_name(word); i++) {
        SomText folder = {0};
        som_path_join(&folder, root, som_str(folders[i][0]));
        found = find_in_folder(som_text_str(&folder), som_str(folders[i][1]), word, path);
        som_text_free(&folder);
    }
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
