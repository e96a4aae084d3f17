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

typedef struct Ear {
    SomProject *project;
    unsigned heard;
    int times;
    bool leaves; // when it is told
} Ear;

static void hear(void *context, unsigned changes) {
    Ear *ear = context;
    ear->heard |= changes;
    ear->times++;
    if (ear->leaves) {
        som_project_unlisten(ear->project, hear, ear);
    }
}

START_TEST(several_listen_and_leave_while_they_are_told) {
    SomProject *project = create();
    Ear first = {.project = project, .leaves = true}, second = {.project = project};
    som_project_listen(project, hear, &first);
    som_project_listen(project, hear, &second);
    som_project_set_text(project, SOM_STR(PAIR));
    som_project_set_text(project, SOM_STR(""));
    ck_assert_int_eq(first.times, 1);
    ck_assert_int_eq(second.times, 2);
    som_project_unlisten(project, hear, &second);
    som_project_unlisten(project, hear, &second); // it does not listen any more
    som_project_set_text(project, SOM_STR(PAIR));
    ck_assert_int_eq(second.times, 2);
    ck_assert_uint_ne(told, 0);
    som_project_destroy(project);
}
END_TEST

static int module_at(SomProject *project, const char *path) {
    return som_configuration_find_module(som_project_model(project)->configuration, som_str(path));
}

START_TEST(an_operation_is_composed_once_and_a_refusal_is_told) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(PAIR));
    SomDesign *design = som_project_design(project);
    SomPartAddition third = {.reference = SOM_STR("SMORES"),
                             .name = SOM_STR("c"),
                             .own = SOM_STR("T"),
                             .to = SOM_STR("b.B")};
    bool was_made = som_design_add_part(design, som_project_choice(project), &third);
    SomComposition *made = som_design_composition(design, som_project_choice(project));
    ck_assert(som_project_edited(project, was_made));
    ck_assert_ptr_eq(som_project_model(project)->composition, made);
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 3);
    told = 0;
    ck_assert(!som_project_edited(
        project, som_design_add_part(design, som_project_choice(project), &third)));
    ck_assert_uint_eq(told, SOM_PROJECT_REFUSAL);
    ck_assert_int_eq(som_diagnostics_error_count(som_design_refusal(design)), 1);
    ck_assert_ptr_eq(som_project_model(project)->composition, made);
    ck_assert(som_project_undo(project));
    ck_assert(som_str_equal(som_project_text(project), SOM_STR(PAIR)));
    som_project_destroy(project);
}
END_TEST

START_TEST(what_is_selected_stays_so_by_its_place) {
    SomProject *project = create();
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_open(project, SOM_STR("walkbot"), diags));
    ck_assert_int_eq(som_project_selected(project), -1);
    ck_assert_uint_eq(som_project_selected_part(project).length, 0);
    told = 0;
    som_project_select(project, module_at(project, "rear_left.tail"));
    ck_assert_uint_eq(told, SOM_PROJECT_SELECTION);
    ck_assert(som_str_equal(som_project_selected_part(project), SOM_STR("rear_left")));
    SomDesign *design = som_project_design(project);
    som_project_edited(project, som_design_rename_part(design, som_project_choice(project),
                                                       SOM_STR("rear_left"), SOM_STR("hind_left")));
    ck_assert(som_str_equal(som_project_selected_part(project), SOM_STR("hind_left")));
    ck_assert_int_eq(som_project_selected(project), module_at(project, "hind_left.tail"));
    som_project_choose(project, SOM_STR("Walkbot17"));
    som_project_select(project, 10000); // there is none
    ck_assert_int_eq(som_project_selected(project), -1);
    som_diagnostics_destroy(diags);
    som_project_destroy(project);
}
END_TEST

START_TEST(the_selection_goes_with_its_part) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(PAIR));
    som_project_select(project, module_at(project, "b"));
    som_project_set_text(project, SOM_STR("config Pair { part a : }\n"));
    ck_assert(som_project_is_stale(project)); // what is shown is as before
    ck_assert(som_str_equal(som_project_selected_part(project), SOM_STR("b")));
    som_project_undo(project);
    told = 0;
    som_project_edited(project, som_design_remove_part(som_project_design(project), SOM_STR(""),
                                                       SOM_STR("b"), true));
    ck_assert_uint_eq(told & SOM_PROJECT_SELECTION, SOM_PROJECT_SELECTION);
    ck_assert_int_eq(som_project_selected(project), -1);
    som_project_destroy(project);
}
END_TEST

#define TWO "use \"smores.m3l\"\nconfig One {\n    part a : SMORES\n}\n"
#define TAIL                                                                                       \
    "(n: count) {\n    part s[n] : SMORES\n    connect s[i].B to s[i+1].T for i in 1..n-1\n}\n"

START_TEST(the_choice_follows_its_config) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(TWO "config Snake" TAIL));
    som_project_choose(project, SOM_STR("Snake(n = 3)"));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 3);
    som_project_edited(project,
                       som_design_rename_config(som_project_design(project),
                                                som_project_choice(project), SOM_STR("Worm")));
    ck_assert(som_str_equal(som_project_choice(project), SOM_STR("Worm(n = 3)")));
    som_project_undo(project);
    ck_assert(som_str_equal(som_project_choice(project), SOM_STR("Snake(n = 3)")));
    som_project_set_text(project, SOM_STR(TWO "config \"a-b\"" TAIL));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 3);
    ck_assert(!som_project_is_stale(project));
    som_project_set_text(project, SOM_STR(TWO));
    ck_assert_uint_eq(som_project_choice(project).length, 0);
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 1);
    som_project_destroy(project);
}
END_TEST

START_TEST(moved_joints_stay_moved_while_parts_come) {
    SomProject *project = create();
    som_project_set_text(project, SOM_STR(PAIR));
    SomDesign *design = som_project_design(project);
    SomAlias alias;
    const SomModel *model = som_project_model(project);
    int dof = som_configuration_find_dof(model->configuration, SOM_STR("b.bend"), &alias);
    som_project_move(project, dof, 0.5);
    som_project_edited(project, som_design_rename_config(design, SOM_STR(""), SOM_STR("Two")));
    model = som_project_model(project);
    ck_assert_double_eq(model->posture.values[dof], 0.5);
    som_project_edited(project, som_design_set_value(design, SOM_STR(""), SOM_STR("bent"),
                                                     SOM_STR("b.bend"), 0.25));
    som_project_edited(project, som_design_set_start(design, SOM_STR(""), SOM_STR("bent")));
    model = som_project_model(project);
    ck_assert_double_eq_tol(som_alias_from_joint(alias, model->posture.values[dof]), 0.25, 1e-9);
    som_project_move(project, dof, 0.75);
    som_project_set_posture(project, NULL);
    ck_assert_double_eq(model->posture.values[dof], model->configuration->start[dof]);
    som_project_destroy(project);
}
END_TEST

START_TEST(a_text_that_was_kept_is_begun_with) {
    SomProject *project = create();
    som_project_begin(project, SOM_STR("/tmp/pair.som"), SOM_STR("# old\n"), SOM_STR(PAIR));
    ck_assert(!som_project_is_saved(project) && !som_project_can_undo(project));
    ck_assert(som_str_equal(som_project_title(project), SOM_STR("pair.som")));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 2);
    som_project_begin(project, som_project_path(project), som_project_text(project),
                      som_project_text(project)); // its own texts
    ck_assert(som_project_is_saved(project));
    som_project_destroy(project);
}
END_TEST

SOM_SUITE("studio/project", a_new_project_is_an_empty_text,
          a_text_composes_and_stays_seen_while_it_is_wrong,
          a_design_of_the_library_is_opened_as_a_copy, what_is_saved_is_opened_again,
          joints_move_without_a_change_of_the_text, several_listen_and_leave_while_they_are_told,
          an_operation_is_composed_once_and_a_refusal_is_told,
          what_is_selected_stays_so_by_its_place, the_selection_goes_with_its_part,
          the_choice_follows_its_config, moved_joints_stay_moved_while_parts_come,
          a_text_that_was_kept_is_begun_with)
