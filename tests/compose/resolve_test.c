// SPDX-License-Identifier: Apache-2.0

#include "base/codes/compose_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/file.h"
#include "base/memory.h"
#include "language/som_format.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"
#include "tests/language/som_random.h"

#include <math.h>
#include <time.h>

static const char *const snake = "use \"smores.m3l\"\n"
                                 "config Snake(n: count = 6) {\n"
                                 "    part s[n] : Chain3\n"
                                 "    connect s[i].tail.B to s[i+1].head.T for i in 1..n-1\n"
                                 "    pose bent { s[i].stand for i in 1..n if odd(i); "
                                 "s[i].middle.bend = mod(i, 9)*1deg for i in 1..n }\n"
                                 "    start bent\n"
                                 "    base s[1].middle on ground turned (0deg, 90deg, 0deg)\n"
                                 "}\n"
                                 "config Module is SMORES {\n"
                                 "    # Drives.\n"
                                 "    behavior drive(w: angularSpeed) = left spin w\n"
                                 "}\n"
                                 "config Chain3 {\n"
                                 "    part head, middle, tail : Module\n"
                                 "    connect head.B to middle.T at 90deg\n"
                                 "    connect middle.B to tail.T\n"
                                 "    pose stand { head.tilt = 45deg; tail.tilt = -45deg }\n"
                                 "    behavior gait = hold\n"
                                 "}\n";

START_TEST(configs_unfold_into_parts_modules_and_connections) {
    TestDesign design = test_design(snake);
    SomConfiguration *c = test_compose(&design, "Snake(n = 3)");
    ck_assert_int_eq(c->order, 2);
    ck_assert_int_eq(c->module_count, 9);
    ck_assert_int_eq(c->connection_count, 8);
    ck_assert_int_eq(c->part_count, 1 + 3 + 9);
    int tail = som_configuration_find_module(c, SOM_STR("s[2].tail"));
    ck_assert_int_eq(tail, 5);
    ck_assert(som_str_equal(c->modules[tail].type->name, SOM_STR("SMORES")));
    int part = som_configuration_find_part(c, SOM_STR("s[2].tail"));
    ck_assert(som_str_equal(c->parts[part].config, SOM_STR("Module")));
    ck_assert_double_eq_tol(c->connections[0].roll, SOM_PI / 2, 1e-12);
    ck_assert_int_eq(c->base.module, 1);
    ck_assert(c->base.is_on_ground);
    int behavior = som_configuration_find_behavior(c, SOM_STR("s[1].head.drive"));
    ck_assert_int_ge(behavior, 0);
    ck_assert(som_str_equal(c->behaviors[behavior].doc, SOM_STR("Drives.")));
    ck_assert(som_str_equal(c->behaviors[behavior].params, SOM_STR("w: angularSpeed")));
    ck_assert_int_eq(c->behavior_count, 9 + 3);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(poses_take_aliases_and_poses_of_parts) {
    TestDesign design = test_design(snake);
    SomConfiguration *c = test_compose(&design, "");
    SomAlias alias;
    int tilt = som_configuration_find_dof(c, SOM_STR("s[3].head.tilt"), &alias);
    ck_assert_double_eq_tol(alias.sign * (c->start[tilt] - alias.zero), SOM_PI / 4, 1e-12);
    tilt = som_configuration_find_dof(c, SOM_STR("s[2].head.tilt"), &alias);
    ck_assert_double_eq(c->start[tilt], 0); // even ones do not stand
    int bend = som_configuration_find_dof(c, SOM_STR("s[6].middle.bend"), NULL);
    ck_assert_double_eq_tol(c->start[bend], 6 * SOM_PI / 180, 1e-12);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

// What an included pose does not say stays as it was said before it.
START_TEST(an_included_pose_changes_only_what_it_says) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A {\n"
                                    "    part a, b : SMORES\n"
                                    "    connect a.B to b.T\n"
                                    "    pose other { b.bend = 2deg }\n"
                                    "    pose p { a.bend = 1deg; b.bend = 3deg; other }\n"
                                    "    start p\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    int a = som_configuration_find_dof(c, SOM_STR("a.bend"), NULL);
    int b = som_configuration_find_dof(c, SOM_STR("b.bend"), NULL);
    ck_assert_double_eq_tol(c->start[a], SOM_PI / 180, 1e-12);
    ck_assert_double_eq_tol(c->start[b], 2 * SOM_PI / 180, 1e-12);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(a_base_of_a_part_is_not_that_of_the_whole) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A { part b : B }\n"
                                    "config B {\n"
                                    "    part m[2] : SMORES\n"
                                    "    connect m[1].B to m[2].T\n"
                                    "    base m[2] at (1m, 0m, 0m)\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    ck_assert_int_eq(c->base.module, 0);
    ck_assert_double_eq(c->base.placement.position.x, 0);
    som_configuration_destroy(c);
    c = test_compose(&design, "B");
    ck_assert_int_eq(c->base.module, 1);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(the_name_of_a_for_ends_with_it) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A {\n"
                                    "    part m[3] : SMORES\n"
                                    "    connect m[i].B to m[i+1].T for i in 1..2\n"
                                    "    connect m[1].L to m[i].L\n"
                                    "    pose p { m[k].bend = 0deg for k in 1..3; "
                                    "m[k].front = 0deg }\n"
                                    "}\n");
    ck_assert(!som_workspace_check(design.workspace, design.file));
    ck_assert_str_eq(test_codes(&design), "5:25 2032, 6:48 2032");
    test_design_free(&design);
}
END_TEST

START_TEST(the_first_config_is_the_default_and_choices_take_arguments) {
    TestDesign design = test_design(snake);
    static const struct {
        const char *choice;
        int modules;
    } choices[] = {{"", 18},      {"Snake", 18}, {"Snake(2)", 6}, {"Snake(n=1+1)", 6},
                   {"Chain3", 3}, {"Module", 1}, {"SMORES", 1},   {" Snake ( n = 1 ) ", 3}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        SomConfiguration *c = test_compose(&design, choices[i].choice);
        ck_assert_int_eq(c->module_count, choices[i].modules);
        som_configuration_destroy(c);
    }
    test_design_free(&design);
}
END_TEST

START_TEST(wrong_choices_are_reported) {
    static const char *const choices[] = {"Snak",   "Snake(m=2)", "Snake(n=2m)",
                                          "Snake(", "3",          "Snake(n=0)"};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        TestDesign design = test_design(snake);
        SomConfiguration *c = som_configuration_compose(design.workspace, design.file,
                                                        som_str(choices[i]), design.diags);
        ck_assert_ptr_null(c);
        ck_assert_int_ge(som_diagnostics_error_count(design.diags), 1);
        test_design_free(&design);
    }
}
END_TEST

START_TEST(robots_and_types_of_m3l_files_are_parts) {
    TestDesign design = test_design("use \"mtran.m3l\"\nconfig A { part q : quadruped }\n");
    SomConfiguration *c = test_compose(&design, "");
    ck_assert_int_eq(c->order, 2);
    ck_assert_int_eq(c->module_count, 9);
    som_configuration_destroy(c);
    c = test_compose(&design, "quadruped");
    ck_assert_int_eq(c->order, 1);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(recursion_that_ends_is_allowed) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config Tree(n: count = 3) {\n"
                                    "    part m : SMORES\n"
                                    "    part left[if n > 1 then 1 else 0] : Tree(n = n - 1)\n"
                                    "    part right[if n > 1 then 1 else 0] : Tree(n = n - 1)\n"
                                    "    connect m.L to left[i].m.B for i in 1..min(n - 1, 1)\n"
                                    "    connect m.R to right[i].m.B for i in 1..min(n - 1, 1)\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    ck_assert_int_eq(c->module_count, 7);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(a_statement_that_stands_for_many_is_reported_once) {
    TestDesign design =
        test_design("use \"smores.m3l\"\n"
                    "config A { part b[50] : B }\n"
                    "config B { part m[50] : SMORES; connect m[i].X to m[i+1].T for "
                    "i in 1..49; pose p { m[1].tilt = 3m } }\n");
    ck_assert(!som_workspace_check(design.workspace, design.file));
    ck_assert_str_eq(test_codes(&design), "3:46 2018, 3:97 2030");
    test_design_free(&design);
}
END_TEST

START_TEST(a_file_without_configs_cannot_be_composed) {
    TestDesign design = test_design("let a = 1\n");
    ck_assert(som_workspace_check(design.workspace, design.file));
    ck_assert_ptr_null(
        som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags));
    ck_assert(som_diagnostics_has(design.diags, SOM_NO_CONFIG));
    test_design_free(&design);
}
END_TEST

START_TEST(a_config_that_needs_arguments_says_so) {
    TestDesign design = test_design("use \"smores.m3l\"\nconfig A(n: count) { part m : SMORES }\n");
    ck_assert(som_workspace_check(design.workspace, design.file));
    ck_assert_ptr_null(
        som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags));
    ck_assert_str_eq(test_codes(&design), "2:10 2034");
    test_design_free(&design);
}
END_TEST

// Designs that would take for ever, or all memory, end soon in a diagnostic.
START_TEST(work_without_end_is_refused) {
    static const struct {
        const char *text;
        SomCode code;
    } cases[] = {
        {"config A { part m[1000000000] : SMORES }\n", SOM_DESIGN_TOO_LARGE},
        {"config A { part m[2] : SMORES; connect m[1].B to m[2].T for i in 1..1000000000 if i < 1 "
         "}\n",
         SOM_TOO_MUCH_WORK},
        {"config A { part m[1000] : B }\nconfig B { part m[1000] : C }\n"
         "config C { part m[1000] : SMORES }\n",
         SOM_DESIGN_TOO_LARGE},
        {"config A(n: count = 0) { part a, b : A(n = n + 1) }\n", SOM_ENDLESS_RECURSION},
        {"config A { part m : SMORES; pose p { m.tilt = 0deg*i for i in 1..1000000000 } }\n",
         SOM_TOO_MUCH_WORK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, "use \"smores.m3l\"\n%s", cases[i].text);
        TestDesign design = test_design(text.data);
        SomConfiguration *c =
            som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags);
        ck_assert_ptr_null(c);
        ck_assert_msg(som_diagnostics_has(design.diags, cases[i].code), "%s", cases[i].text);
        test_design_free(&design);
        som_text_free(&text);
    }
}
END_TEST

// Many lets, each of which needs the next one, or all the one before twice.
START_TEST(lets_nest_only_so_deep_and_are_computed_once) {
    SomText text = {0};
    for (int i = 0; i < 5000; i++) {
        som_text_printf(&text, "let a%d = a%d + 1\n", i, i + 1);
    }
    som_text_add(&text, SOM_STR("let a5000 = 0\n"));
    TestDesign design = test_design(text.data);
    ck_assert(!som_workspace_check(design.workspace, design.file));
    test_design_free(&design);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("let a0 = 0\n"));
    for (int i = 1; i < 150; i++) {
        som_text_printf(&text, "let a%d = a%d + a%d\n", i, i - 1, i - 1);
    }
    design = test_design(text.data);
    ck_assert(som_workspace_check(design.workspace, design.file));
    test_design_free(&design);
    som_text_free(&text);
}
END_TEST

START_TEST(docks_are_connected_while_they_are_closed) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A {\n"
                                    "    part m[3] : SMORES\n"
                                    "    dock m[i].B to m[i+1].T closed for i in 1..2\n"
                                    "    dock ring: m[3].B to m[1].T open\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    ck_assert_int_eq(c->connection_count, 2);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

// Errors of files that are used are theirs; what they may have defined is not missed.
START_TEST(names_of_damaged_files_are_not_reported) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    som_workspace_open_text(workspace, SOM_STR("b.som"),
                            SOM_STR("use \"smores.m3l\"\nconfig B {\n part x : \n}\n"));
    som_workspace_open_text(workspace, SOM_STR("c.m3l"), SOM_STR("module C: link\n"));
    int file = som_workspace_open_text(
        workspace, SOM_STR("a.som"),
        SOM_STR("use \"b.som\"\nuse \"c.m3l\"\nuse \"none.som\"\nconfig A {\n"
                " part b : B; part c : C; part d : D\n connect b.x.B to c.T\n let v = w\n}\n"));
    int errors = som_diagnostics_error_count(diags);
    ck_assert(!som_workspace_check(workspace, file));
    ck_assert_int_eq(som_diagnostics_error_count(diags), errors);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(random_programs_get_an_answer) {
    SomTestRandom random = {23};
    int silent = 0;
    for (int round = 0; round < som_test_count(60, 5000); round++) {
        SomText text = {0};
        som_text_add(&text, SOM_STR("config a { part s[2] : m }\nconfig m { part h : n }\n"));
        som_random_file(&random, &text);
        TestDesign design = test_design(text.data);
        bool fine = som_workspace_check(design.workspace, design.file);
        silent += fine != (som_diagnostics_error_count(design.diags) == 0);
        test_design_free(&design);
        som_text_free(&text);
    }
    ck_assert_int_eq(silent, 0);
}
END_TEST

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(composing_takes_linear_time) {
    double times[2];
    for (int i = 0; i < 2; i++) {
        TestDesign design = test_design(snake);
        double begin = seconds();
        SomConfiguration *c = test_compose(&design, i == 0 ? "Snake(n = 167)" : "Snake(n = 667)");
        times[i] = seconds() - begin;
        som_configuration_destroy(c);
        test_design_free(&design);
    }
    ck_assert_msg(times[1] < 40 * times[0] + 0.05, "%g s for 501 modules, %g s for 2001", times[0],
                  times[1]);
}
END_TEST

START_TEST(the_library_is_composed_and_formatted) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    const SomStr *names;
    int count = som_file_list(test_library_configs, SOM_STR(".som"), &arena, &names, diags);
    ck_assert_int_gt(count, 0);
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    for (int i = 0; i < count; i++) {
        SomStr stem = som_str_slice(names[i], 0, names[i].length - 4);
        int file = som_workspace_open(workspace, stem);
        som_workspace_check(workspace, file);
        SomText out = {0};
        const SomDesignFile *f = som_workspace_file(workspace, file);
        ck_assert(som_som_format(f->tree, &out));
        ck_assert_msg(som_str_equal(som_text_str(&out), f->text), "%.*s is not in canonical form",
                      SOM_STR_ARG(names[i]));
        som_text_free(&out);
    }
    SomText shown = {0};
    som_text_add(&shown, SOM_STR(""));
    if (som_diagnostics_error_count(diags) > 0) {
        som_diagnostics_print(diags, 0, &shown);
    }
    ck_assert_str_eq(shown.data, "");
    som_text_free(&shown);
    som_arena_free(&arena);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

// What stands between ```somite and ``` in a page.
START_TEST(examples_of_the_page_are_in_canonical_form) {
    SomStr page = som_test_source("docs/language.md");
    int count = 0;
    for (const char *at = page.data; (at = strstr(at, "\n```somite")) != NULL; count++) {
        const char *begin = strchr(at + 1, '\n') + 1;
        const char *end = strstr(begin, "\n```") + 1;
        SomStr text = {begin, (size_t)(end - begin)};
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *tree = som_som_parse(text, &som_dialect_somite, 0, diags);
        SomText out = {0};
        som_text_add(&out, SOM_STR(""));
        ck_assert(som_som_format(tree, &out));
        ck_assert_msg(som_str_equal(som_text_str(&out), text), "the page should say:\n%s",
                      out.data);
        som_text_free(&out);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
        at = end;
    }
    ck_assert_int_ge(count, 6);
}
END_TEST

SOM_SUITE("compose/resolve", configs_unfold_into_parts_modules_and_connections,
          poses_take_aliases_and_poses_of_parts, an_included_pose_changes_only_what_it_says,
          a_base_of_a_part_is_not_that_of_the_whole, the_name_of_a_for_ends_with_it,
          the_first_config_is_the_default_and_choices_take_arguments, wrong_choices_are_reported,
          robots_and_types_of_m3l_files_are_parts, recursion_that_ends_is_allowed,
          a_statement_that_stands_for_many_is_reported_once,
          a_file_without_configs_cannot_be_composed, a_config_that_needs_arguments_says_so,
          work_without_end_is_refused, lets_nest_only_so_deep_and_are_computed_once,
          docks_are_connected_while_they_are_closed, names_of_damaged_files_are_not_reported,
          random_programs_get_an_answer, composing_takes_linear_time,
          the_library_is_composed_and_formatted, examples_of_the_page_are_in_canonical_form)
