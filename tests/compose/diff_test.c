// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/diff.h"
#include "compose/metrics.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"

#include <math.h>

// A body and arms, each arm a chain of two.
static SomConfiguration *make(const SomM3l *smores, const char *const *arms, double roll,
                              double bend) {
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Robot")});
    int body = test_add_module(b, "body", 0, smores, "SMORES");
    static const char *const sides[] = {"L", "R", "B"};
    for (int i = 0; arms[i] != NULL; i++) {
        som_builder_begin_part(b,
                               &(SomPartDef){.name = som_str(arms[i]), .config = SOM_STR("Arm")});
        int upper = test_add_module(b, "upper", 0, smores, "SMORES");
        int lower = test_add_module(b, "lower", 0, smores, "SMORES");
        test_connect(b, upper, "B", lower, "T", 0);
        som_builder_end_part(b);
        test_connect(b, body, sides[i], upper, "T", i == 0 ? roll : 0);
    }
    int pose = som_builder_add_pose(b, SOM_STR("rest"), SOM_STR(""), (SomSpan){0});
    som_builder_set_value(b, pose, body, 3, bend, (SomSpan){0});
    som_builder_set_start(b, pose);
    return test_finish(b);
}

static void print_diff(const SomDiff *diff, SomText *text) {
    for (int i = 0; i < diff->change_count; i++) {
        const SomChange *c = &diff->changes[i];
        som_text_printf(text, "%s %s %.*s: %.*s -> %.*s\n", som_change_kind_word(c->kind),
                        som_change_subject_word(c->subject), SOM_STR_ARG(c->name),
                        SOM_STR_ARG(c->before), SOM_STR_ARG(c->after));
    }
}

static void check_diff(const SomConfiguration *a, const SomConfiguration *b, const char *expected,
                       bool is_same) {
    SomDiff *diff = som_diff_create(a, b);
    SomText text = {0};
    print_diff(diff, &text);
    ck_assert_str_eq(som_text_str(&text).data, expected);
    ck_assert_int_eq(diff->is_same_structure, is_same);
    som_text_free(&text);
    som_diff_destroy(diff);
}

START_TEST(changes_are_told_as_parts_and_connections) {
    SomM3l *smores = som_test_library("smores");
    static const char *const two[] = {"left", "right", NULL};
    static const char *const three[] = {"left", "right", "tail", NULL};
    static const char *const renamed[] = {"links", "right", NULL};
    SomConfiguration *a = make(smores, two, 0, 0);
    SomConfiguration *b = make(smores, three, 90, SOM_PI / 6);
    SomConfiguration *c = make(smores, renamed, 0, 0);
    check_diff(a, a, "", true);
    check_diff(a, b,
               "added part tail:  -> Arm\n"
               "changed connection body.L to left.upper.T: 0deg -> 90deg\n"
               "added connection tail.upper.B to tail.lower.T:  -> 0deg\n"
               "added connection body.B to tail.upper.T:  -> 0deg\n"
               "changed pose rest:  -> 1 value\n"
               "changed start body.bend: 0deg -> 30deg\n",
               false);
    check_diff(a, c,
               "removed part left: Arm -> \n"
               "added part links:  -> Arm\n"
               "removed connection left.upper.B to left.lower.T: 0deg -> \n"
               "removed connection body.L to left.upper.T: 0deg -> \n"
               "added connection links.upper.B to links.lower.T:  -> 0deg\n"
               "added connection body.L to links.upper.T:  -> 0deg\n",
               true);
    som_configuration_destroy(a);
    som_configuration_destroy(b);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(the_base_and_the_way_round_are_compared) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *designs[2];
    for (int i = 0; i < 2; i++) {
        SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Pair")});
        int x = test_add_module(b, "x", 0, smores, "SMORES");
        int y = test_add_module(b, "y", 0, smores, "SMORES");
        i == 0 ? test_connect(b, x, "B", y, "T", 0) : test_connect(b, y, "T", x, "B", 0);
        if (i == 1) {
            som_builder_set_base(b, &(SomBaseDef){.module = y, .frame = 0, .position = {1, 0, 0}});
        }
        designs[i] = test_finish(b);
    }
    check_diff(designs[0], designs[1],
               "changed base base: x at (0mm, 0mm, 0mm) -> y frame lab at (1000mm, 0mm, 0mm)\n",
               true);
    som_configuration_destroy(designs[0]);
    som_configuration_destroy(designs[1]);
    som_m3l_destroy(smores);
}
END_TEST

// ---- metrics

START_TEST(a_library_is_measured_by_what_its_parts_are_used_for) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("SMORES")});
    som_builder_set_module(b, &smores->types[0], smores, (SomSpan){0});
    som_builder_add_behavior(b, &(SomBehaviorDef){.name = SOM_STR("drive")});
    SomConfiguration *module = test_finish(b);
    b = som_builder_create(&(SomPartDef){.config = SOM_STR("Chain3")});
    for (int i = 0; i < 3; i++) {
        test_add_module(b, "m", i + 1, smores, "SMORES");
        if (i > 0) {
            test_connect(b, i - 1, "B", i, "T", 0);
        }
    }
    SomConfiguration *chain = test_finish(b);
    b = test_begin_snake(smores, 6); // two of Chain3
    int extra = test_add_module(b, "extra", 0, smores, "SMORES");
    test_connect(b, 0, "L", extra, "T", 0);
    SomConfiguration *snake = test_finish(b);
    const SomConfiguration *library[] = {module, chain, snake};
    SomArena arena = {0};
    SomLibraryMetrics metrics = som_library_measure(library, 3, &arena);
    ck_assert_int_eq(metrics.order_count, 3);
    ck_assert_int_eq(metrics.configs[0].uses, 3 + 7);
    ck_assert_int_eq(metrics.configs[0].users, 2);
    ck_assert_int_eq(metrics.configs[1].uses, 2);
    ck_assert_int_eq(metrics.configs[1].users, 1);
    ck_assert_int_eq(metrics.configs[2].users, 0);
    ck_assert_int_eq(metrics.orders[0].behaviors, 1);
    ck_assert_double_eq(metrics.orders[0].coverage, 1);
    ck_assert_double_eq_tol(metrics.orders[1].coverage, 6.0 / 7, 1e-12);
    ck_assert_int_eq(metrics.orders[1].used, 1);
    ck_assert_int_eq(metrics.orders[2].above, 0);
    ck_assert_int_eq(snake->metrics.largest_branches, 2);
    som_arena_free(&arena);
    som_configuration_destroy(module);
    som_configuration_destroy(chain);
    som_configuration_destroy(snake);
    som_m3l_destroy(smores);
}
END_TEST

SOM_SUITE("compose/diff", changes_are_told_as_parts_and_connections,
          the_base_and_the_way_round_are_compared,
          a_library_is_measured_by_what_its_parts_are_used_for)
