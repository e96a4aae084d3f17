// SPDX-License-Identifier: Apache-2.0
// A program built without physics engines says so.

#include "base/codes/simulate_codes.h"
#include "simulate/engine.h"
#include "tests/suite.h"

START_TEST(whoever_asks_for_an_engine_is_told_what_to_install) {
    for (SomEngineKind kind = 0; kind < SOM_ENGINE_KINDS; kind++) {
        SomDiagnostics *diags = som_diagnostics_create();
        ck_assert(!som_engine_is_built(kind));
        ck_assert(!som_engine_loads(kind));
        ck_assert_ptr_null(som_engine_create(kind, &(SomEngineDef){0}, diags));
        ck_assert(som_diagnostics_has(diags, SOM_ENGINE_MISSING));
        som_diagnostics_destroy(diags);
    }
    som_engine_destroy(NULL);
}
END_TEST

SOM_SUITE("simulate/without_engines", whoever_asks_for_an_engine_is_told_what_to_install)
