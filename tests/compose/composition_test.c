// Tests for compose/composition.c: a text composed once, held by several, and choices that follow
// their config.

// SPDX-License-Identifier: Apache-2.0

#include "compose/composition.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#define FIRST "use \"smores.m3l\"\nconfig One {\n    part a : SMORES\n}\n"
#define ROW                                                                                        \
    "(n: count = 2) {\n    part s[n] : SMORES\n    connect s[i].B to s[i+1].T for i in "           \
    "1..n-1\n}\n"

static SomComposition *compose(const char *text, const char *choice) {
    return som_composition_create(som_str(test_library), SOM_STR("a.som"), som_str(text),
                                  som_str(choice));
}

START_TEST(every_way_to_choose_is_composed) {
    const struct {
        const char *choice;
        int config, modules; // 0: it does not compose
    } cases[] = {{"", 0, 1},        {"One", 0, 1},  {"Row", 1, 2},       {"Row(n = 5)", 1, 5},
                 {"SMORES", -1, 1}, {"Nix", -1, 0}, {"Row(m = 1)", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomComposition *made = compose(FIRST "config Row" ROW, cases[i].choice);
        ck_assert(made->is_sound);
        ck_assert_int_eq(made->config, cases[i].config);
        int modules = made->configuration != NULL ? made->configuration->module_count : 0;
        ck_assert_int_eq(modules, cases[i].modules);
        ck_assert((som_diagnostics_error_count(made->diags) > 0) == (modules == 0));
        som_composition_release(made);
    }
}
END_TEST

START_TEST(what_is_wrong_is_reported_once_and_all_of_it) {
    SomComposition *made = compose(FIRST "config Two {\n    part a : Nix\n}\n", "Two");
    ck_assert(!made->is_sound && made->configuration == NULL);
    ck_assert_int_eq(som_diagnostics_error_count(made->diags), 1);
    som_composition_release(made);
    made = compose(FIRST "config Two {\n    part a : Nix\n}\n", "");
    ck_assert(!made->is_sound);
    ck_assert_int_eq(made->configuration->module_count, 1);
    som_composition_release(made);
    made = compose("config One { behavior turn(a: angel) = hold }\n", ""); // told as it is read
    ck_assert(!made->is_sound);
    som_composition_release(made);
    made = compose("", "");
    ck_assert(made->is_sound && made->configuration == NULL);
    ck_assert_int_eq(som_diagnostics_error_count(made->diags), 0);
    som_composition_release(made);
}
END_TEST

START_TEST(the_last_holder_destroys_it) {
    SomComposition *made = compose(FIRST, "");
    SomComposition *mine = som_composition_hold(made);
    som_composition_release(made);
    ck_assert_int_eq(mine->configuration->module_count, 1);
    ck_assert(som_composition_has_text(mine, SOM_STR(FIRST)));
    ck_assert(!som_composition_has_text(mine, SOM_STR("")));
    som_composition_release(mine);
    som_composition_release(NULL);
}
END_TEST

START_TEST(a_choice_follows_a_new_name) {
    SomComposition *before = compose(FIRST "config Row" ROW, "Row(n = 3)");
    SomComposition *now = compose(FIRST "config \"my row\"" ROW, "Row(n = 3)");
    SomText choice = {0};
    ck_assert(som_composition_follow_choice(now, before, &choice));
    ck_assert_str_eq(choice.data, "\"my row\"(n = 3)");
    som_composition_release(now);
    now = compose(FIRST, "Row(n = 3)"); // it is gone
    ck_assert(!som_composition_follow_choice(now, before, &choice));
    som_composition_release(now);
    som_composition_release(before);
    som_text_free(&choice);
}
END_TEST

SOM_SUITE("compose/composition", every_way_to_choose_is_composed,
          what_is_wrong_is_reported_once_and_all_of_it, the_last_holder_destroys_it,
          a_choice_follows_a_new_name)
