// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/tree_import.h"

#include "tests/exchange/lab_files.h"

const char som_test_small_design[] = "use \"smores.m3l\"\n"
                                     "config Small {\n"
                                     "    part a, b : SMORES\n"
                                     "    connect a.B to b.T\n"
                                     "    dock grip: a.L to b.L open\n"
                                     "    behavior key(p: angle = 5deg) = a.bend to p during 1s\n"
                                     "    behavior Sleep = key\n"
                                     "}\n";

SomText som_test_import_tree(SomStr path, SomStr design, SomStr config, SomStr tree, SomCode *code,
                             SomText *words) {
    const SomStr paths[] = {path, SOM_STR("tree.xml")};
    const SomStr contents[] = {design, tree};
    SomImportOptions options = {.library = som_test_library_root(), .config = config};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    SomText text = {0};
    bool fine = som_import_texts(paths, contents, 2, &options, &texts, &result, diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    *code = count > 0 ? all[0].code : 0;
    if (words != NULL) {
        som_diagnostics_print(diags, 0, words);
    }
    if (fine) {
        som_text_add(&text, som_text_str(&result.som));
        som_imported_free(&result);
    }
    ck_assert_int_eq(fine, som_diagnostics_error_count(diags) == 0);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return text;
}
