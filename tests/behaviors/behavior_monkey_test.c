// SPDX-License-Identifier: Apache-2.0
// Any operations in any order on behaviors of the library, and on one that is laid out oddly: the
// text composes and compiles after each, and the way back and forth restores every byte.

#include "base/memory.h"
#include "tests/behaviors/author.h"
#include "tests/compose/texts.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const files[] = {"walkbot", "snake", "chain6", "chain3", "ring",   "grasper",
                                    "backhoe", "tank",  "car",    "loop",   "module", "odd"};
#define FILES ((int)(sizeof files / sizeof *files))

static const char odd[] = "use \"smores.m3l\" # modules\n"
                          "config Odd(n: count = 2) {\n"
                          "  part m[n] : M; part last : M\n"
                          "  connect m[i].B to m[i+1].T for i in 1..n-1\n"
                          "  connect m[n].B to last.T\n"
                          "  dock d: last.B to m[1].T open\n"
                          "  pose low { last.tilt = 1deg }\n"
                          "  behavior a = series( # begins\n"
                          "      # of one\n"
                          "    m[1].tilt to 3deg   within 1deg # near\n"
                          "       timeout 2s, wait 1s ,\n"
                          "\n"
                          "    parallel(for i in 1..n: m[i].go( 2deg ), # all\n"
                          "             # both\n"
                          "      any(wait 1s, last.tilt to 3deg,) until height > 1cm,\n"
                          "    ), # behind\n"
                          "    choose(height > 2cm: to pose low, # branch\n"
                          "      else: hold last.tilt)\n"
                          "    # end\n"
                          "  ) ; behavior b(x: angle, k: count = n) = repeat k: last.go(x)\n"
                          "\tbehavior c =   if odd(n) then a else Sc( a,b(3deg) ) timeout 9s # so\n"
                          "  behavior \"d e\" = repeat 2 from 1 : series(a, connect d, c)\n"
                          "}\n"
                          "config M is SMORES {\n"
                          "    behavior go(a: angle) = tilt to a\n"
                          "}\n"
                          "config Two {\n"
                          "    part o : Odd\n"
                          "    behavior all = series(o.a, o.c)\n"
                          "}\n";

static void play(uint64_t seed, int steps, TestDesigner *total) {
    SomTestRandom random = {seed};
    const char *file = files[som_test_int(&random, 0, FILES - 1)];
    char path[128];
    snprintf(path, sizeof path, "library/configs/%s.som", file);
    SomText start = {0};
    bool is_odd = strcmp(file, "odd") == 0 || som_test_int(&random, 0, 3) == 0;
    SomStr source = is_odd ? SOM_STR(odd) : som_test_source(path);
    bool is_other = som_test_int(&random, 0, 2) == 0; // with the line ends of other systems
    for (size_t i = 0; i < source.length; i++) {
        som_text_add_char(&start, '\r', is_other && source.data[i] == '\n' ? 1 : 0);
        som_text_add_char(&start, source.data[i], 1);
    }
    SomDesign *design =
        som_design_create(som_str(test_library), SOM_STR("robot.som"), som_text_str(&start));
    SomDocument *document = som_design_document(design);
    TestDesigner author = {.random = random};
    SOM_ARRAY(SomText) texts = {0};
    for (int i = 0; i <= steps; i++) {
        SomStr now = som_document_text(document);
        if (texts.count == 0 || !som_str_equal(now, som_text_str(&texts.data[texts.count - 1]))) {
            SomText copy = {0};
            som_text_add(&copy, now);
            som_array_push(&texts, copy);
        }
        if (i < steps) {
            test_author_act(&author, design, SOM_STR(""));
        }
    }
    for (int way = 0; way < 2; way++) {
        for (int i = 1; i < texts.count; i++) {
            ck_assert(way == 0 ? som_document_undo(document) : som_document_redo(document));
            const SomText *text = &texts.data[way == 0 ? texts.count - 1 - i : i];
            ck_assert(som_str_equal(som_document_text(document), som_text_str(text)));
        }
        ck_assert(!(way == 0 ? som_document_undo(document) : som_document_redo(document)));
    }
    total->done += author.done;
    total->refused += author.refused;
    for (int i = 0; i < 32; i++) {
        total->done_by[i] += author.done_by[i];
    }
    for (int i = 0; i < texts.count; i++) {
        som_text_free(&texts.data[i]);
    }
    som_array_free(&texts);
    som_text_free(&author.what);
    som_text_free(&start);
    som_design_destroy(design);
}

START_TEST(any_operations_leave_behaviors_and_a_way_back) {
    TestDesigner total = {0};
    int runs = som_test_count(10, 300);
    for (int i = 0; i < runs; i++) {
        play((uint64_t)i + 1, 30, &total);
    }
    if (getenv("SOM_TEST_SHOW") != NULL) {
        fprintf(stderr, "%d done, %d refused:", total.done, total.refused);
        for (int i = 0; i < 32; i++) {
            fprintf(stderr, " %d", total.done_by[i]);
        }
        fprintf(stderr, "\n");
    }
    // most kinds of operations succeed now and then
    ck_assert_int_gt(total.done * 3, total.refused);
    int kinds = 0;
    for (int i = 0; i < 32; i++) {
        kinds += total.done_by[i] > 0;
    }
    ck_assert_int_ge(kinds, 16);
}
END_TEST

SOM_SUITE("behaviors/behavior_monkey", any_operations_leave_behaviors_and_a_way_back)
