// Fuzz target: any operations on the behaviors of any text of a design.
//
// The text ends at the first zero byte; the bytes behind it choose the operations. Facts: whatever
// the text, its behaviors are read as blocks and what is wrong with them is found; an operation
// that is refused says why, once, and changes nothing; after one that is made the text composes and
// what compiled before compiles; the way back restores every text.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/behavior_edit.h"
#include "behaviors/behavior_findings.h"
#include "tests/behaviors/author.h"

#include <stdlib.h>

#define MOST_OPERATIONS 8
#define LONGEST_TEXT 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool fact) {
    if (!fact) {
        abort();
    }
}

// A text that is wrong is read, and not edited.
static void try_all(SomDesign *design, SomStr text) {
    SomStr none = SOM_STR(""), a = SOM_STR("a");
    SomBlockPlace place = {a, none};
    demand(!som_behavior_insert(design, none, place, 0, SOM_STR("hold")));
    demand(!som_behavior_move(design, none, place, place, 0));
    demand(!som_behavior_set_field(design, none, place, SOM_FIELD_VALUE, 0, a));
    demand(!som_behavior_add(design, none, a, none));
    demand(som_diagnostics_error_count(som_design_refusal(design)) == 1);
    demand(som_str_equal(som_document_text(som_design_document(design)), text));
}

static void read(SomDesign *design) {
    SomComposition *composition = som_design_composition(design, SOM_STR(""));
    SomBlocks *blocks = som_blocks_of(composition);
    SomText words = {0};
    for (int i = 0; blocks != NULL && i < blocks->block_count; i++) {
        som_blocks_print(blocks, i, &words);
        demand(blocks->blocks[i].parent < i && blocks->blocks[i].end > i);
    }
    for (int i = 0; blocks != NULL && i < blocks->fields.count; i++) {
        som_blocks_field_wish(blocks, composition, i);
    }
    if (blocks != NULL) {
        som_block_findings_destroy(som_block_findings_create(composition, blocks));
    }
    som_blocks_destroy(blocks);
    som_text_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size;
    if (length > LONGEST_TEXT) {
        return 0;
    }
    SomStr text = {(const char *)data, length}, library = SOM_STR(SOM_SOURCE "/library");
    SomDesign *design = som_design_create(library, SOM_STR("robot.som"), text);
    SomDocument *document = som_design_document(design);
    read(design);
    if (som_diagnostics_error_count(som_design_diagnostics(design)) > 0) {
        try_all(design, text);
    } else if (som_design_compose(design, SOM_STR("")) != NULL) {
        TestDesigner author = {.bytes = zero != NULL ? zero + 1 : NULL,
                               .left = zero != NULL ? size - length - 1 : 0};
        for (int i = 0; i < MOST_OPERATIONS && author.left > 0; i++) {
            test_author_act(&author, design, SOM_STR(""));
        }
        while (som_document_undo(document)) {
        }
        demand(som_str_equal(som_document_text(document), text));
        som_text_free(&author.what);
    }
    som_design_destroy(design);
    return 0;
}
