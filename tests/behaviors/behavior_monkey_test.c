// SPDX-License-Identifier: Apache-2.0
// Any operations in any order on behaviors of the library, and on one that is laid out oddly: the
// text composes and compiles after each, and the way back and forth restores every byte.

#include "tests/behaviors/author.h"
#include "tests/compose/texts.h"

#include <stdio.h>

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

static void act(TestDesigner *author, SomDesign *design, SomText *config) {
    test_author_act(author, design, som_text_str(config));
}

static void play(TestDesigner *author, uint64_t seed, int steps) {
    author->random = (SomTestRandom){seed};
    const char *file = files[som_test_int(&author->random, 0, FILES - 1)];
    char path[128];
    snprintf(path, sizeof path, "library/configs/%s.som", file);
    bool is_odd = strcmp(file, "odd") == 0 || som_test_int(&author->random, 0, 3) == 0;
    SomText first = {0}; // config of the file
    SomDesign *design = test_designer_begin(author, is_odd ? SOM_STR(odd) : som_test_source(path));
    test_designer_play(author, design, &first, steps, act);
    som_design_destroy(design);
}

START_TEST(any_operations_leave_behaviors_and_a_way_back) {
    TestDesigner author = {0};
    int runs = som_test_count(10, 300);
    for (int i = 0; i < runs; i++) {
        play(&author, (uint64_t)i + 1, 30);
    }
    // most kinds of operations succeed now and then
    ck_assert_int_gt(author.done * 3, author.refused);
    ck_assert_int_ge(test_designer_kinds(&author), 16);
    som_text_free(&author.what);
}
END_TEST

SOM_SUITE("behaviors/behavior_monkey", any_operations_leave_behaviors_and_a_way_back)
