// SPDX-License-Identifier: Apache-2.0
// Any operations in any order on designs of the library: the text composes after each, and the way
// back and forth restores every byte.

#include "base/memory.h"
#include "tests/compose/designer.h"
#include "tests/compose/texts.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const files[] = {"walkbot",         "snake",   "chain6",  "chain3", "loop",
                                    "mtran_quadruped", "grasper", "backhoe", "ring",   "tank"};
#define FILES ((int)(sizeof files / sizeof *files))

static void choose_config(SomDesign *design, SomTestRandom *random, SomText *config) {
    if (som_test_int(random, 0, 1) == 0) {
        return; // the first
    }
    SomStr text = som_document_text(som_design_document(design));
    const char *at = strstr(text.data, "\nconfig ");
    const char *end = at != NULL ? at + 8 : NULL;
    while (end != NULL && *end != ' ' && *end != '(') {
        end++;
    }
    if (end != NULL) {
        som_text_add(config, (SomStr){at + 8, (size_t)(end - at - 8)});
    }
}

static void play(uint64_t seed, int steps, TestDesigner *total) {
    SomTestRandom random = {seed};
    char path[128];
    snprintf(path, sizeof path, "library/configs/%s.som",
             files[som_test_int(&random, 0, FILES - 1)]);
    SomText start = {0}, config = {0};
    SomStr source = som_test_source(path);
    bool is_other = som_test_int(&random, 0, 2) == 0; // with the line ends of other systems
    for (size_t i = 0; i < source.length; i++) {
        som_text_add_char(&start, '\r', is_other && source.data[i] == '\n' ? 1 : 0);
        som_text_add_char(&start, source.data[i], 1);
    }
    SomDesign *design =
        som_design_create(som_str(test_library), SOM_STR("robot.som"), som_text_str(&start));
    choose_config(design, &random, &config);
    TestDesigner designer = {.random = random};
    SOM_ARRAY(SomText) texts = {0};
    SomDocument *document = som_design_document(design);
    for (int i = 0; i <= steps; i++) {
        SomStr now = som_document_text(document);
        if (texts.count == 0 || !som_str_equal(now, som_text_str(&texts.data[texts.count - 1]))) {
            SomText copy = {0};
            som_text_add(&copy, now);
            som_array_push(&texts, copy);
        }
        if (i < steps) {
            test_designer_act(&designer, design, &config);
        }
    }
    test_designer_reopen(design, som_str(test_library), som_text_str(&config));
    for (int way = 0; way < 2; way++) {
        for (int i = 1; i < texts.count; i++) {
            ck_assert(way == 0 ? som_document_undo(document) : som_document_redo(document));
            const SomText *text = &texts.data[way == 0 ? texts.count - 1 - i : i];
            ck_assert(som_str_equal(som_document_text(document), som_text_str(text)));
        }
        ck_assert(!(way == 0 ? som_document_undo(document) : som_document_redo(document)));
    }
    total->done += designer.done;
    total->refused += designer.refused;
    for (int i = 0; i < 32; i++) {
        total->done_by[i] += designer.done_by[i];
    }
    for (int i = 0; i < texts.count; i++) {
        som_text_free(&texts.data[i]);
    }
    som_array_free(&texts);
    som_text_free(&designer.what);
    som_text_free(&start);
    som_text_free(&config);
    som_design_destroy(design);
}

START_TEST(any_operations_leave_a_design_and_a_way_back) {
    TestDesigner total = {0};
    int runs = som_test_count(10, 400);
    for (int i = 0; i < runs; i++) {
        play((uint64_t)i + 1, 25, &total);
    }
    // most kinds of operations succeed now and then
    ck_assert_int_gt(total.done * 6, total.refused);
    int kinds = 0;
    for (int i = 0; i < 32; i++) {
        kinds += total.done_by[i] > 0;
    }
    ck_assert_int_ge(kinds, 12);
    if (getenv("SOM_TEST_SHOW") != NULL) {
        fprintf(stderr, "%d done, %d refused:", total.done, total.refused);
        for (int i = 0; i < 32; i++) {
            fprintf(stderr, " %d", total.done_by[i]);
        }
        fprintf(stderr, "\n");
    }
}
END_TEST

SOM_SUITE("compose/design_monkey", any_operations_leave_a_design_and_a_way_back)
