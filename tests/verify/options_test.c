// SPDX-License-Identifier: Apache-2.0
// Tests for verify/options.c: what a design says of how it is to be verified.

#include "base/file.h"
#include "tests/verify/verified.h"

#include <math.h>

static SomConfiguration *compose(TestDesign *design, const char *settings) {
    SomText text = {0};
    som_text_printf(&text,
                    "use \"smores.m3l\"\n"
                    "let short = 50ms\n"
                    "config A {\n"
                    "    part a, b : B\n"
                    "    connect a.B to b.T\n"
                    "    let k = 2\n"
                    "    %s\n"
                    "}\n"
                    "config B is SMORES { verify { friction = 0.1 } }\n",
                    settings);
    *design = test_design(text.data);
    som_text_free(&text);
    return som_configuration_compose(design->workspace, design->file, SOM_STR(""), design->diags);
}

START_TEST(values_of_the_design_replace_defaults_and_those_of_parts_do_not_count) {
    TestDesign design;
    SomConfiguration *c =
        compose(&design, "verify { tMax = k*short; margin = 5mm; slope = 10deg }");
    ck_assert_ptr_nonnull(c);
    SomVerifyOptions options = som_verify_default_options();
    ck_assert(som_verify_read_settings(c, &options, design.diags));
    ck_assert(fabs(options.t_max - 0.1) < 1e-15 && options.margin == 0.005);
    ck_assert(fabs(options.slope - 0.17453292519943295) < 1e-15);
    ck_assert(options.friction == 0.6 && options.dt == 0.01);
    ck_assert_str_eq(test_diagnostics(&design), "");
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

static void assert_refused(const char *settings, const char *codes) {
    TestDesign design;
    SomConfiguration *c = compose(&design, settings);
    SomVerifyOptions options = som_verify_default_options();
    ck_assert(c == NULL || !som_verify_read_settings(c, &options, design.diags));
    ck_assert_str_eq(test_codes(&design), codes);
    som_configuration_destroy(c);
    test_design_free(&design);
}

START_TEST(names_and_values_that_cannot_be_are_told_at_their_place) {
    assert_refused("verify { tmax = 0.1s }", "7:14 4091");
    assert_refused("verify { tMax = 0.1m; dt = -1s; dt = 1ms }", "7:21 4092, 7:32 4092, 7:37 2026");
    assert_refused("verify { friction = 1/0 }", "7:26 2035");
    assert_refused("verify { friction = true }", "7:25 2030");
    assert_refused("verify { friction = 1 }; verify { dt = 1s }", "7:30 2026");
    assert_refused("verify { friction }", "7:23 1031");
}
END_TEST

START_TEST(an_unknown_name_is_answered_with_the_nearest_one) {
    TestDesign design;
    SomConfiguration *c = compose(&design, "verify { clearanse = 1mm }");
    SomVerifyOptions options = som_verify_default_options();
    ck_assert(!som_verify_read_settings(c, &options, design.diags));
    ck_assert_ptr_nonnull(strstr(test_diagnostics(&design), "did you mean 'clearance'?"));
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(every_option_and_check_stands_in_the_page) {
    SomText path = {0}, page = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&path, "%s/../docs/verify.md", test_library);
    ck_assert(som_file_load(path.data, SOM_FILE_LIMIT, &page, diags));
    int count;
    const SomVerifyOptionInfo *infos = som_verify_option_infos(&count);
    for (int i = 0; i < count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "| `%s` | `--%s` |", infos[i].name.data, infos[i].option);
        ck_assert_msg(strstr(page.data, path.data) != NULL, "%s", path.data);
        ck_assert_msg(strstr(page.data, infos[i].help) != NULL, "%s", infos[i].help);
    }
    for (int i = 0; i < SOM_CHECKS; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "| `%s` |", som_check_info((SomCheck)i).word);
        ck_assert_msg(strstr(page.data, path.data) != NULL, "%s", path.data);
    }
    som_text_free(&path);
    som_text_free(&page);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("verify/options", values_of_the_design_replace_defaults_and_those_of_parts_do_not_count,
          names_and_values_that_cannot_be_are_told_at_their_place,
          an_unknown_name_is_answered_with_the_nearest_one,
          every_option_and_check_stands_in_the_page)
