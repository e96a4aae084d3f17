// Fuzz target: any operations of a designer on any text of a design.
//
// The text ends at the first zero byte; the bytes behind it choose the operations. Facts: one that
// is refused says why, once, and changes nothing; after one that is made the text composes; the way
// back restores every text; the text opened again is the same design. A text with errors is not
// edited.

// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/designer.h"

#include <stdlib.h>

#define MOST_OPERATIONS 12
#define LONGEST_TEXT 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool fact) {
    if (!fact) {
        abort();
    }
}

// In a text that is wrong everything is refused.
static void try_all(SomDesign *design, SomStr text) {
    SomStr none = SOM_STR(""), a = SOM_STR("a"), b = SOM_STR("b");
    demand(!som_design_rename_part(design, none, a, b));
    demand(!som_design_remove_part(design, none, a, true));
    demand(!som_design_connect(design, none, a, b, (SomMatingWish){0}));
    demand(!som_design_set_value(design, none, a, b, 1));
    demand(!som_design_add_config(design, b, SOM_STR("SMORES"), SOM_STR("smores.m3l")));
    demand(som_diagnostics_error_count(som_design_refusal(design)) == 1);
    demand(som_str_equal(som_document_text(som_design_document(design)), text));
}

static void go_back(SomDesign *design, SomStr text) {
    SomDocument *document = som_design_document(design);
    SomText last = {0};
    som_text_add(&last, som_document_text(document));
    while (som_document_undo(document)) {
    }
    demand(som_str_equal(som_document_text(document), text));
    while (som_document_redo(document)) {
    }
    demand(som_str_equal(som_document_text(document), som_text_str(&last)));
    som_text_free(&last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size;
    if (length > LONGEST_TEXT) {
        return 0;
    }
    SomStr text = {(const char *)data, length}, library = SOM_STR(SOM_SOURCE "/library");
    SomDesign *design = som_design_create(library, SOM_STR("robot.som"), text);
    SomText config = {0};
    if (som_diagnostics_error_count(som_design_diagnostics(design)) > 0) {
        try_all(design, text);
    } else if (som_design_compose(design, SOM_STR("")) != NULL) {
        TestDesigner designer = {.bytes = zero != NULL ? zero + 1 : NULL,
                                 .left = zero != NULL ? size - length - 1 : 0};
        for (int i = 0; i < MOST_OPERATIONS && designer.left > 0; i++) {
            test_designer_act(&designer, design, &config);
        }
        test_designer_reopen(design, library, SOM_STR(""));
        go_back(design, text);
        som_text_free(&designer.what);
    }
    som_text_free(&config);
    som_design_destroy(design);
    return 0;
}
