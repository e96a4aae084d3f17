// SPDX-License-Identifier: Apache-2.0

#include "base/codes/base_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/file.h"
#include "compose/workspace.h"
#include "tests/compose/texts.h"

START_TEST(a_file_lists_its_configs_with_parameters_and_comments) {
    TestDesign design = test_design("# What this is.\n"
                                    "# More of it.\n"
                                    "\n"
                                    "use \"smores.m3l\"\n"
                                    "\n"
                                    "# A chain.\n"
                                    "#\n"
                                    "#   indented\n"
                                    "config Chain(n: count = 2, \"left angle\": angle) {\n"
                                    "    # Goes.\n"
                                    "    behavior go(w: angularSpeed, t: time = 2s) = hold\n"
                                    "    behavior stop = hold\n"
                                    "}\n"
                                    "config Module is SMORES {}\n");
    ck_assert_str_eq(test_diagnostics(&design), "");
    const SomDesignFile *file = som_workspace_file(design.workspace, design.file);
    ck_assert(som_str_equal(file->doc, SOM_STR("What this is.\nMore of it.")));
    ck_assert_int_eq(file->config_count, 2);
    const SomConfigInfo *chain = &file->configs[0];
    ck_assert(som_str_equal(chain->name, SOM_STR("Chain")));
    ck_assert(som_str_equal(chain->doc, SOM_STR("A chain.\n\n  indented")));
    ck_assert_int_eq(chain->param_count, 2);
    ck_assert(chain->params[0].is_count && chain->params[0].otherwise != 0);
    ck_assert(som_str_equal(chain->params[1].name, SOM_STR("left angle")));
    ck_assert(!chain->params[1].is_count && chain->params[1].otherwise == 0);
    ck_assert_int_eq(chain->behavior_count, 2);
    ck_assert(som_str_equal(chain->behaviors[0].doc, SOM_STR("Goes.")));
    ck_assert(
        som_str_equal(chain->behaviors[0].params_text, SOM_STR("w: angularSpeed, t: time = 2s")));
    ck_assert_int_eq(chain->behaviors[0].param_count, 2);
    ck_assert(som_str_equal(file->configs[1].module_type, SOM_STR("SMORES")));
    ck_assert_int_eq(som_workspace_find_config(design.workspace, design.file, SOM_STR("Module")),
                     1);
    ck_assert_int_eq(file->use_count, 1);
    test_design_free(&design);
}
END_TEST

START_TEST(names_of_the_library_are_found_in_any_case) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    int smores = som_workspace_open(workspace, SOM_STR("SMORES"));
    ck_assert_int_ge(smores, 0);
    ck_assert_ptr_nonnull(som_workspace_file(workspace, smores)->m3l);
    ck_assert_int_eq(som_workspace_open(workspace, SOM_STR("smores")), smores);
    ck_assert_int_eq(som_workspace_open(workspace, SOM_STR("smores.m3l")), smores);
    ck_assert_int_ge(som_workspace_open(workspace, SOM_STR("Walkbot.som")), 0);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert_int_eq(som_workspace_open(workspace, SOM_STR("smors")), -1);
    ck_assert(som_diagnostics_has(diags, SOM_LIBRARY_NAME_UNKNOWN));
    // a path is never a name of the library
    ck_assert_int_eq(som_workspace_open(workspace, SOM_STR("./smores.m3l")), -1);
    ck_assert(som_diagnostics_has(diags, SOM_FILE_NOT_FOUND));
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(texts_that_are_not_saved_use_each_other) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(""), diags);
    int far = som_workspace_open_text(workspace, SOM_STR("x/far.som"), SOM_STR("let a = 1m\n"));
    int near = som_workspace_open_text(workspace, SOM_STR("./x//near.som"),
                                       SOM_STR("use \"./far.som\"\nlet b = a + 2m\n"));
    const SomDesignFile *file = som_workspace_file(workspace, near);
    ck_assert_int_eq(file->use_count, 1);
    ck_assert_int_eq(file->uses[0], far);
    ck_assert(som_workspace_check(workspace, near));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

// f1 uses f2, which uses f3, and so on.
START_TEST(files_without_end_are_refused) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(""), diags);
    int last = 0;
    for (int i = SOM_MAX_FILES + 5; i > 0; i--) {
        SomText path = {0}, text = {0};
        som_text_printf(&path, "f%d.som", i);
        som_text_printf(&text, "use \"f%d.som\"\n", i + 1);
        last = som_workspace_open_text(workspace, som_text_str(&path),
                                       i == SOM_MAX_FILES + 5 ? SOM_STR("") : som_text_str(&text));
        som_text_free(&path);
        som_text_free(&text);
    }
    ck_assert_int_eq(last, -1);
    ck_assert_int_eq(som_workspace_file_count(workspace), SOM_MAX_FILES);
    ck_assert(som_diagnostics_has(diags, SOM_TOO_MANY_FILES));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(nearer_definitions_hide_farther_ones) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    som_workspace_open_text(
        workspace, SOM_STR("far.som"),
        SOM_STR("use \"smores.m3l\"\nlet a = 90deg\nconfig M is SMORES { pose p { tilt = a } }\n"));
    som_workspace_open_text(workspace, SOM_STR("middle.som"),
                            SOM_STR("use \"far.som\"\nlet a = 10deg\n"));
    int file = som_workspace_open_text(
        workspace, SOM_STR("near.som"),
        SOM_STR("use \"middle.som\"\nconfig C { part m : M; pose p { m.tilt = a } }\n"));
    SomConfiguration *c = som_configuration_compose(workspace, file, SOM_STR(""), diags);
    ck_assert_ptr_nonnull(c);
    SomAlias alias;
    int dof = som_configuration_find_dof(c, SOM_STR("m.tilt"), &alias);
    // a config keeps the names of its own file
    int far = som_configuration_find_pose(c, SOM_STR("m.p"));
    int near = som_configuration_find_pose(c, SOM_STR("p"));
    ck_assert(far >= 0 && near >= 0 && dof >= 0);
    ck_assert_double_eq_tol(c->poses[near].values[dof] * 9, c->poses[far].values[dof], 1e-12);
    som_configuration_destroy(c);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("compose/workspace", a_file_lists_its_configs_with_parameters_and_comments,
          names_of_the_library_are_found_in_any_case, texts_that_are_not_saved_use_each_other,
          files_without_end_are_refused, nearer_definitions_hide_farther_ones)
