// Fuzz target: any bytes are an answer, as a behavior tree for a design. What was refused said why
// and left nothing; what was accepted left canonical text.

// SPDX-License-Identifier: Apache-2.0

#include "exchange/import.h"
#include "language/som_format.h"
#include "language/som_syntax.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char design[] = "use \"smores.m3l\"\n"
                             "\n"
                             "config D {\n"
                             "    part a, b : SMORES\n"
                             "    connect a.B to b.T\n"
                             "    dock grip: a.L to b.L open\n"
                             "    behavior key = a.tilt to 5deg\n"
                             "}\n";

static bool is_canonical(SomStr text) {
    SomText formatted = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(text, &som_dialect_somite, 0, diags);
    bool fine = som_som_format(tree, &formatted) && som_str_equal(text, som_text_str(&formatted));
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&formatted);
    return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const SomStr paths[] = {SOM_STR("d.som"), SOM_STR("fuzz.xml")};
    const SomStr contents[] = {som_str(design), {size > 0 ? (const char *)data : "", size}};
    SomImportOptions options = {.library = SOM_STR(SOM_SOURCE "/library")};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    SomText shown = {0};
    bool fine = som_import_texts(paths, contents, 2, &options, &texts, &result, diags);
    if (fine != (som_diagnostics_error_count(diags) == 0) ||
        (fine && !is_canonical(som_text_str(&result.som))) || (!fine && result.som.length > 0)) {
        abort();
    }
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 20, &shown);
    som_text_free(&shown);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return 0;
}
