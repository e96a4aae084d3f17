// SPDX-License-Identifier: Apache-2.0
// Module types with errors: every .m3l file of the library with single characters changed, as
// `check`, `pose`, `verify` and `export` use it. Nothing aborts, and what is not composed has been
// reported.

#include "base/file.h"
#include "exchange/export.h"
#include "language/name.h"
#include "tests/compose/texts.h"
#include "verify/verify.h"

#include <stdio.h>

// Module files of the library, and a design of it that uses them; NULL: none.
static const struct {
    const char *modules, *design;
} files[] = {{"athlete", NULL},
             {"atron", "atron_car"},
             {"ckbot", "ckbot_quadruped"},
             {"gdut", "gdut_robots"},
             {"molecube", "molecube_arm"},
             {"mtran", "mtran_quadruped"},
             {"rofi", NULL},
             {"roombots", NULL},
             {"smores", "module"},
             {"smores_ep", NULL},
             {"tower", NULL},
             {"triathlete", "triathlete_pair"}};

typedef struct Tally {
    int composed, refused;
} Tally;

static SomStr path_of(const char *modules, SomText *path) {
    som_text_clear(path);
    som_text_printf(path, "%s/modules/%s.m3l", test_library, modules);
    return som_text_str(path);
}

static void export_mjcf(SomWorkspace *workspace, const SomConfiguration *design,
                        const SomPosture *posture, SomDiagnostics *diags) {
    SomExport job = {.workspace = workspace, .design = design, .posture = posture, .diags = diags};
    som_export(som_export_find(SOM_STR("mjcf")), &job);
    som_export_free(&job);
}

static void use_configuration(SomWorkspace *workspace, const SomConfiguration *design,
                              SomDiagnostics *diags) {
    SomMechanism *mechanism = som_mechanism_create(design);
    SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
    SomPosture start = som_posture_start(design);
    som_mechanism_place(mechanism, &start, links);
    export_mjcf(workspace, design, &start, diags);
    som_verification_destroy(som_verify(&(SomVerifyDef){.mechanism = mechanism}));
    som_posture_free(&start);
    som_free(links);
    som_mechanism_destroy(mechanism);
}

static void compose(SomWorkspace *workspace, int file, SomStr choice, SomDiagnostics *diags,
                    Tally *tally) {
    SomConfiguration *design = NULL;
    som_workspace_check_and_compose(workspace, file, choice, &design);
    if (design != NULL) {
        use_configuration(workspace, design, diags);
        tally->composed++;
    } else {
        ck_assert_msg(som_diagnostics_error_count(diags) > 0, "%.*s", SOM_STR_ARG(choice));
        tally->refused++;
    }
    som_configuration_destroy(design);
}

// The file itself, with every type, and a design that uses it.
static void use_text(int which, SomStr text, Tally *tally) {
    SomText path = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    int file = som_workspace_open_text(workspace, path_of(files[which].modules, &path), text);
    ck_assert_int_ge(file, 0);
    int types = som_workspace_file(workspace, file)->m3l->type_count;
    for (int i = 0; i < types; i++) {
        const SomModuleType *type = &som_workspace_file(workspace, file)->m3l->types[i];
        som_text_clear(&path);
        som_name_print(&path, type->name);
        compose(workspace, file, som_text_str(&path), diags, tally);
    }
    if (files[which].design != NULL) {
        int design = som_workspace_open(workspace, som_str(files[which].design));
        compose(workspace, design, SOM_STR(""), diags, tally);
    }
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    som_text_free(&path);
}

static void read_modules(int which, SomText *text) {
    SomText path = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    path_of(files[which].modules, &path);
    ck_assert(som_file_load(path.data, 1 << 20, text, diags));
    som_diagnostics_destroy(diags);
    som_text_free(&path);
}

// One character is replaced, removed, doubled or swapped with the next.
static void mutate(SomStr text, SomTestRandom *random, SomText *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCR0123456789=:,()[].-_# \n\"/*";
    int at = som_test_int(random, 0, (int)text.length - 2), kind = som_test_int(random, 0, 4);
    char letter = letters[som_test_int(random, 0, (int)sizeof letters - 2)];
    som_text_clear(out);
    som_text_add(out, (SomStr){text.data, (size_t)at});
    if (kind <= 1) {
        som_text_add_char(out, letter, 1);
    } else if (kind == 2) {
        som_text_add_char(out, text.data[at], 2);
    } else if (kind == 3) {
        som_text_add_char(out, text.data[at + 1], 1);
        som_text_add_char(out, text.data[at], 1);
        at++;
    }
    som_text_add(out, (SomStr){text.data + at + 1, text.length - (size_t)at - 1});
}

START_TEST(a_wrong_character_in_a_module_file_is_reported_and_aborts_nothing) {
    int count = som_test_count(30, 2000);
    SomTestRandom random = {20};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        SomText text = {0}, mutated = {0};
        Tally tally = {0};
        read_modules((int)i, &text);
        for (int k = 0; k < count; k++) {
            mutate(som_text_str(&text), &random, &mutated);
            use_text((int)i, som_text_str(&mutated), &tally);
        }
        ck_assert_msg(tally.composed > 0 && tally.refused > 0, "%s: %d, %d", files[i].modules,
                      tally.composed, tally.refused);
        som_text_free(&mutated);
        som_text_free(&text);
    }
}
END_TEST

// ---- those that were seen

// Of a module alone, in a robot of the same file, as a part and as a config; the message is shown.
static void check_refused(const char *m3l, const char *words) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    int file = som_workspace_open_text(workspace, SOM_STR("a.m3l"), som_str(m3l));
    int som = som_workspace_open_text(
        workspace, SOM_STR("a.som"),
        SOM_STR("use \"a.m3l\"\nconfig One {\n    part m : A\n}\nconfig Two is A {}\n"));
    static const char *const choices[] = {"A", "R", "One", "Two"};
    for (int i = 0; i < 4; i++) {
        SomConfiguration *design = NULL;
        som_workspace_check_and_compose(workspace, i < 2 ? file : som, som_str(choices[i]),
                                        &design);
        ck_assert_msg(design == NULL, "%s", choices[i]);
    }
    SomText out = {0};
    som_diagnostics_print(diags, 10, &out);
    ck_assert_msg(strstr(out.data, words) != NULL, "%s", out.data);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_text_free(&out);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}

#define LINKS                                                                                      \
    "module A: root=a\n"                                                                           \
    "link a: shape=box((0, 0, 0), (1, 1, 1))\n"                                                    \
    "link b: shape=box((2, 0, 0), (1, 1, 1))\n"                                                    \
    "axis x: origin=(1, 0, 0), direction=(0, 1, 0)\n"                                              \
    "axis y: origin=(1, 0, 0), direction=(0, -1, 0)\n"
#define ROBOT "robot R: modules=(A m)\n"

START_TEST(links_that_are_not_joined_are_reported_and_nothing_is_composed) {
    check_refused(LINKS ROBOT, "link 'b' is not joined to link 'a'");
    check_refused(LINKS "joint j: type=revolute, pair=((c, x), (a, y))\n" ROBOT,
                  "no link is called 'c'");
    // 'b' for 'c' makes a loop of two links
    check_refused(LINKS "link c: shape=box((4, 0, 0), (1, 1, 1))\n"
                        "joint j: type=revolute, pair=((b, x), (a, y))\n"
                        "joint k: type=revolute, pair=((b, x), (a, y))\n" ROBOT,
                  "link 'c' is not joined to link 'a'");
}
END_TEST

SOM_SUITE("exchange/mutated_modules",
          a_wrong_character_in_a_module_file_is_reported_and_aborts_nothing,
          links_that_are_not_joined_are_reported_and_nothing_is_composed)
