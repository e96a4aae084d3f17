// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/texts.h"

const char *const test_library = SOM_SOURCE "/library";
const char *const test_library_configs = SOM_SOURCE "/library/configs";

TestDesign test_design(const char *text) {
    TestDesign design = {.diags = som_diagnostics_create()};
    design.workspace = som_workspace_create(som_str(test_library), design.diags);
    design.file = som_workspace_open_text(design.workspace, SOM_STR("a.som"), som_str(text));
    ck_assert_int_ge(design.file, 0);
    return design;
}

void test_design_free(TestDesign *design) {
    som_workspace_destroy(design->workspace);
    som_diagnostics_destroy(design->diags);
    som_text_free(&design->text);
}

const char *test_diagnostics(TestDesign *design) {
    som_text_clear(&design->text);
    som_text_add(&design->text, SOM_STR(""));
    som_diagnostics_sort(design->diags);
    som_diagnostics_print(design->diags, 0, &design->text);
    return design->text.data;
}

const char *test_codes(TestDesign *design) {
    som_text_clear(&design->text);
    som_text_add(&design->text, SOM_STR(""));
    som_diagnostics_sort(design->diags);
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(design->diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT) {
            som_text_add(&design->text, design->text.length > 0 ? SOM_STR(", ") : SOM_STR(""));
            if (entries[i].span.source1 != 0) {
                SomPlace place = som_diagnostics_place(design->diags, entries[i].span.source1,
                                                       entries[i].span.begin);
                som_text_printf(&design->text, "%d:%d ", place.line, place.column);
            }
            som_text_printf(&design->text, "%d", (int)entries[i].code);
        }
    }
    return design->text.data;
}

SomConfiguration *test_compose(TestDesign *design, const char *choice) {
    SomConfiguration *configuration =
        som_configuration_compose(design->workspace, design->file, som_str(choice), design->diags);
    ck_assert_str_eq(test_diagnostics(design), "");
    ck_assert_ptr_nonnull(configuration);
    return configuration;
}
