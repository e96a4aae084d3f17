// SPDX-License-Identifier: Apache-2.0
// Gazebo's physics and all that it links take longer to load than most verbs take to run. They are
// a module, opened when the engine is asked for and never closed: its libraries keep threads and
// tables of their own.

#include "base/codes/simulate_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "simulate/engine_internal.h"

#include <dlfcn.h>
#include <stdio.h>

#define MODULE "somite-gazebo.so"

typedef SomEngine *(*Create)(const SomEngineDef *def, SomDiagnostics *diags);

// Seen from the folder above the program's: where it is installed, and where it is built.
static const char *const places[] = {SOM_MODULE_DIR "/" MODULE, "simulate/" MODULE};

static bool find_module(SomText *path) {
    SomText folder = {0};
    bool found = false;
    if (som_file_program_folder(&folder)) {
        SomStr above = som_path_folder(som_text_str(&folder));
        for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
            som_text_clear(path);
            som_path_join(path, above, som_str(places[i]));
            found = som_file_exists(path->data);
        }
    }
    som_text_free(&folder);
    return found;
}

static Create load(const char *path, SomDiagnostics *diags) {
    // global, for what gazebo.cc has instead of a function of the libraries below it
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    Create create = NULL;
    if (module != NULL) {
        *(void **)&create = dlsym(module, "som_engine_create_gazebo");
    }
    if (create == NULL) {
        const char *why = dlerror();
        som_report(diags, SOM_ENGINE_MISSING, (SomSpan){0},
                   "the engine 'gazebo' does not load: %s; install libignition-physics-dev and "
                   "libsdformat-dev",
                   why != NULL ? why : "its module is empty");
    }
    return create;
}

static Create find_and_load(SomDiagnostics *diags) {
    SomText path = {0};
    Create create = NULL;
    if (find_module(&path)) {
        create = load(path.data, diags);
    } else {
        som_report(diags, SOM_ENGINE_MISSING, (SomSpan){0},
                   "this program has no engine 'gazebo': no '%s' in the folder where it is "
                   "installed; install libignition-physics-dev and libsdformat-dev and build again",
                   places[0]);
    }
    som_text_free(&path);
    return create;
}

SomEngine *som_gazebo_module_create(const SomEngineDef *def, SomDiagnostics *diags) {
    Create create = find_and_load(diags);
    return create != NULL ? create(def, diags) : NULL;
}

bool som_gazebo_module_loads(void) {
    SomDiagnostics *unread = som_diagnostics_create();
    bool loads = find_and_load(unread) != NULL;
    som_diagnostics_destroy(unread);
    return loads;
}
