// compose/composition.h - a text, composed, with all that was read for it; shared by who reads it.
//
//     SomComposition *made = som_composition_create(library, path, text, SOM_STR("Snake(n = 3)"));
//     if (made->configuration == NULL) { som_diagnostics_print(made->diags, 0, &words); }
//     SomComposition *mine = som_composition_hold(made); // for another thread, say
//     som_composition_release(made);
//     som_composition_release(mine); // the last one destroys it
//
// Every config of the file is composed, so that all that is wrong with it is known, each of them
// once. The configuration is never changed; other threads may read it. The workspace and the
// diagnostics are for one thread at a time.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomComposition {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    int file;      // of the workspace; -1: the text is no design
    bool is_sound; // nothing is wrong with any config of the file
    SomStr choice;
    int config;                            // of the file, that the choice names; -1: none of them
    const SomConfiguration *configuration; // NULL: after errors, or there is no config
    struct SomCompositionShare *share;     // private
} SomComposition;

// The path says which files are beside the text. A choice is one as on the command line.
SomComposition *som_composition_create(SomStr library_root, SomStr path, SomStr text,
                                       SomStr choice);
SomComposition *som_composition_hold(SomComposition *composition);
void som_composition_release(SomComposition *composition); // NULL is allowed

bool som_composition_has_text(const SomComposition *composition, SomStr text);

// The choice that means the config which stands where that of the old composition stood, if its
// name is gone: "Snake(n = 3)" of a config that is now called Worm is "Worm(n = 3)". False if there
// is none.
bool som_composition_follow_choice(const SomComposition *now, const SomComposition *before,
                                   SomText *choice);

#ifdef __cplusplus
}
#endif
