// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/static_rule.c: one rule for everything that runs or writes a behavior.

#include "base/codes/behaviors_codes.h"
#include "behaviors/compile.h"
#include "behaviors/static_rule.h"
#include "tests/compose/texts.h"

static const char *const module = "use \"smores.m3l\"\n"
                                  "config E {\n"
                                  "    part a : SMORES\n"
                                  "}\n";

typedef struct Asked {
    bool is_allowed;
    int ignored, errors, warnings;
    bool has_forced;
} Asked;

static Asked ask(const char *call, bool is_forced) {
    TestDesign design = test_design(module);
    SomConfiguration *configuration = test_compose(&design, "E");
    SomCompileDef def = {
        .workspace = design.workspace, .configuration = configuration, .diags = design.diags};
    SomActionGraph *graph = som_compile_call(&def, som_str(call));
    ck_assert_msg(graph != NULL, "%s: %s", call, test_diagnostics(&design));
    SomServoModel *servos = som_compile_servos(configuration);
    SomStaticDef rule = {
        .graph = graph, .servos = servos, .initial = configuration->start, .design = configuration};
    Asked asked = {.ignored = -1};
    asked.is_allowed = som_static_allows(&rule, is_forced, &asked.ignored, design.diags);
    asked.errors = som_diagnostics_error_count(design.diags);
    asked.warnings = som_diagnostics_warning_count(design.diags);
    asked.has_forced = som_diagnostics_has(design.diags, SOM_BEHAVIOR_FORCED);
    som_free(servos);
    som_action_graph_destroy(graph);
    som_configuration_destroy(configuration);
    test_design_free(&design);
    return asked;
}

START_TEST(a_sound_behavior_is_allowed_and_nothing_is_ignored) {
    static const char *const calls[] = {"a.tilt to 20deg", "repeat 4: a.tilt by 20deg",
                                        "repeat 1000000000: a.left by 20deg"};
    for (int i = 0; i < 6; i++) {
        Asked asked = ask(calls[i / 2], i % 2 == 1);
        ck_assert(asked.is_allowed && !asked.has_forced);
        ck_assert_int_eq(asked.ignored + asked.errors + asked.warnings, 0);
    }
}
END_TEST

START_TEST(errors_are_refused_and_forced_ones_are_warnings) {
    static const char *const calls[] = {"parallel(a.tilt to 20deg, a.tilt to 40deg)",
                                        "a.left spin 11rad/s during 1s",
                                        "a.tilt to 100deg",
                                        "series(a.tilt to 80deg, a.tilt by 20deg)",
                                        "repeat 5: a.bend by -20deg",
                                        "repeat 1000000000: a.bend by 1deg",
                                        "repeat forever: a.bend by 1deg"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        Asked asked = ask(calls[i], false);
        ck_assert_msg(!asked.is_allowed && !asked.has_forced, "%s", calls[i]);
        ck_assert_int_eq(asked.ignored, 0);
        ck_assert_int_ge(asked.errors, 1);
        Asked forced = ask(calls[i], true);
        ck_assert_msg(forced.is_allowed && forced.has_forced, "%s", calls[i]);
        ck_assert_int_eq(forced.errors, 0);
        ck_assert_int_eq(forced.ignored, asked.errors);
        ck_assert_int_eq(forced.warnings, asked.warnings + asked.errors);
    }
}
END_TEST

START_TEST(warnings_do_not_refuse) {
    Asked asked = ask("wait until a.tilt > 100deg", false);
    ck_assert(asked.is_allowed);
    ck_assert_int_eq(asked.warnings, 1);
    Asked forced = ask("wait until a.tilt > 100deg", true);
    ck_assert(forced.is_allowed && !forced.has_forced);
    ck_assert_int_eq(forced.warnings, 1);
}
END_TEST

SOM_SUITE("behaviors/static_rule", a_sound_behavior_is_allowed_and_nothing_is_ignored,
          errors_are_refused_and_forced_ones_are_warnings, warnings_do_not_refuse)
