// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/library.h"

#include "base/file.h"

static bool needs_arguments(const SomConfigInfo *config) {
    for (int i = 0; i < config->param_count; i++) {
        if (config->params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

SomTestLibrary som_test_library_open(void) {
    SomTestLibrary library = {.diags = som_diagnostics_create()};
    library.workspace = som_workspace_create(som_str(test_library), library.diags);
    SomArena arena = {0};
    const SomStr *names;
    int count = som_file_list(test_library_configs, SOM_STR(".som"), &arena, &names, library.diags);
    for (int i = 0; i < count; i++) {
        SomStr stem = som_str_slice(names[i], 0, names[i].length - 4);
        int file = som_workspace_open(library.workspace, stem);
        ck_assert_int_ge(file, 0);
        const SomDesignFile *f = som_workspace_file(library.workspace, file);
        for (int k = 0; k < f->config_count; k++) {
            if (!needs_arguments(&f->configs[k])) {
                SomConfiguration *c = som_configuration_compose(library.workspace, file,
                                                                f->configs[k].name, library.diags);
                ck_assert_msg(c != NULL, "%.*s", SOM_STR_ARG(f->configs[k].name));
                som_array_push(&library.designs, c);
                som_array_push(&library.files, file);
            }
        }
    }
    ck_assert_int_gt(library.designs.count, 10);
    som_arena_free(&arena);
    return library;
}

void som_test_library_close(SomTestLibrary *library) {
    for (int i = 0; i < library->designs.count; i++) {
        som_configuration_destroy(library->designs.data[i]);
    }
    som_array_free(&library->designs);
    som_array_free(&library->files);
    som_workspace_destroy(library->workspace);
    som_diagnostics_destroy(library->diags);
}
