// SPDX-License-Identifier: Apache-2.0
// Any operations in any order on designs of the library: the text composes after each, and the way
// back and forth restores every byte.

#include "tests/compose/designer.h"
#include "tests/compose/texts.h"

#include <stdio.h>

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

static void play(TestDesigner *designer, uint64_t seed, int steps) {
    designer->random = (SomTestRandom){seed};
    char path[128];
    snprintf(path, sizeof path, "library/configs/%s.som",
             files[som_test_int(&designer->random, 0, FILES - 1)]);
    SomText config = {0};
    SomDesign *design = test_designer_begin(designer, som_test_source(path));
    choose_config(design, &designer->random, &config);
    test_designer_play(designer, design, &config, steps, test_designer_act);
    test_designer_reopen(design, som_str(test_library), som_text_str(&config));
    som_text_free(&config);
    som_design_destroy(design);
}

START_TEST(any_operations_leave_a_design_and_a_way_back) {
    TestDesigner designer = {0};
    int runs = som_test_count(10, 400);
    for (int i = 0; i < runs; i++) {
        play(&designer, (uint64_t)i + 1, 25);
    }
    // most kinds of operations succeed now and then
    ck_assert_int_gt(designer.done * 6, designer.refused);
    ck_assert_int_ge(test_designer_kinds(&designer), 12);
    som_text_free(&designer.what);
}
END_TEST

SOM_SUITE("compose/design_monkey", any_operations_leave_a_design_and_a_way_back)
