// Tests for studio/project.c: a design that is opened, edited, wrong for a while, undone and saved.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "studio/project.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <unistd.h>

#define PAIR                                                                                       \
    "use \"smores.m3l\"\n# two of them\nconfig Pair {\n    part a, b : SMORES\n"                   \
    "    connect a.B to b.T\n}\n"

static unsigned told;

static void listen_to(void *context, unsigned changes) {
    (void)context;
    told |= changes;
}

static SomProject *create(void) {
    SomProject *project = som_project_create(som_str(test_library));
    som_project_listen(project, listen_to, NULL);
    told = 0;
    return project;
}

START_TEST(a_new_project_is_an_empty_text) {
    SomProject *project = create();
    ck_assert_uint_eq(som_project_text(project).length, 0);
    ck_assert(som_str_equal(som_project_title(project), SOM_STR("Untitled")));
    ck_assert(som_project_is_saved(project) && !som_project_can_undo(project));
    ck_assert_ptr_null(som_project_model(project)->configuration);
    ck_assert_int_eq(som_diagnostics_error_count(som_project_diagnostics(project)), 0);
    som_project_destroy(project);
}
END_TEST

START_TEST(a_text_composes_and_stays_seen_while_it_is_wrong) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(PAIR));
    ck_assert_uint_eq(told, SOM_PROJECT_TEXT | SOM_PROJECT_POSTURE | SOM_PROJECT_FILE);
    const SomModel *model = som_project_model(project);
    ck_assert_int_eq(model->configuration->module_count, 2);
    ck_assert(!som_project_is_stale(project) && !som_project_is_saved(project));
    som_project_set_text(project, SOM_STR("use \"smores.m3l\"\nconfig Pair { part a : }\n"));
    ck_assert(som_project_is_stale(project));
    ck_assert_ptr_eq(som_project_model(project), model);
    ck_assert_int_gt(som_diagnostics_error_count(som_project_diagnostics(project)), 0);
    ck_assert(som_project_undo(project) && !som_project_is_stale(project));
    ck_assert(som_str_equal(som_project_text(project), SOM_STR(PAIR)));
    ck_assert(som_project_undo(project) && som_project_text(project).length == 0);
    ck_assert_ptr_null(som_project_model(project)->configuration);
    ck_assert(!som_project_undo(project) && som_project_redo(project));
    som_project_destroy(project);
}
END_TEST

START_TEST(a_design_of_the_library_is_opened_as_a_copy) {
    SomProject *project = create();
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_open(project, SOM_STR("walkbot"), diags));
    ck_assert_uint_eq(som_project_path(project).length, 0);
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 18);
    som_project_choose(project, SOM_STR("Walkbot17"));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 17);
    ck_assert(!som_project_open(project, SOM_STR("walkbt"), diags));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 17);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_diagnostics_destroy(diags);
    som_project_destroy(project);
}
END_TEST

START_TEST(what_is_saved_is_opened_again) {
    char folder[] = "/tmp/somite-project-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomText path = {0};
    som_text_printf(&path, "%s/pair.som", folder);
    SomProject *project = create();
    SomDiagnostics *diags = som_diagnostics_create();
    som_project_set_text(project, SOM_STR(PAIR));
    ck_assert(som_project_save(project, som_text_str(&path), diags));
    ck_assert(som_project_is_saved(project));
    ck_assert(som_str_equal(som_project_title(project), SOM_STR("pair.som")));
    som_project_set_text(project, SOM_STR(""));
    ck_assert(!som_project_is_saved(project));
    ck_assert(som_project_open(project, som_text_str(&path), diags));
    ck_assert(som_str_equal(som_project_text(project), SOM_STR(PAIR)));
    ck_assert(som_project_is_saved(project) && !som_project_can_undo(project));
    ck_assert(!som_project_save(project, SOM_STR("/nowhere/at/all.som"), diags));
    ck_assert(som_str_equal(som_project_path(project), som_text_str(&path)));
    unlink(path.data);
    rmdir(folder);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
    som_project_destroy(project);
}
END_TEST

START_TEST(joints_move_without_a_change_of_the_text) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(PAIR));
    const SomModel *model = som_project_model(project);
    SomAlias alias;
    int dof = som_configuration_find_dof(model->configuration, SOM_STR("a.bend"), &alias);
    int tail = model->mechanism->link_count - 1;
    SomPose before = model->links[tail];
    told = 0;
    som_project_move(project, dof, 0.5);
    ck_assert_uint_eq(told, SOM_PROJECT_POSTURE);
    ck_assert_double_gt(som_vec3_length(som_vec3_sub(model->links[tail].position, before.position)),
                        0.01);
    som_project_move(project, 1000, 0.5); // there is none
    ck_assert(som_str_equal(som_project_text(project), SOM_STR(PAIR)));
    som_project_destroy(project);
}
END_TEST

SOM_SUITE("studio/project", a_new_project_is_an_empty_text,
          a_text_composes_and_stays_seen_while_it_is_wrong,
          a_design_of_the_library_is_opened_as_a_copy, what_is_saved_is_opened_again,
          joints_move_without_a_change_of_the_text)
