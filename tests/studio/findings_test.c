// Tests for studio/findings.c, studio/text_edit.c and places of studio/project_model.c: what is
// listed of a project, its fixes, what changed in a text, and which part a place of it is about.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/verify_codes.h"
#include "studio/findings.h"
#include "studio/text_edit.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>

static void nobody(void *context) {
    (void)context;
}

static SomProject *create(const char *text) {
    SomProject *project = som_project_create(som_str(test_library));
    som_project_set_wake(project, nobody, NULL);
    som_project_set_text(project, som_str(text));
    som_project_await(project);
    return project;
}

#define USE "use \"chain3.som\"\n"

START_TEST(nothing_wrong_is_no_finding) {
    SomProject *project = create(USE "config A {\n    part a : Chain3\n}\n");
    SomFindingRows rows = som_finding_rows(project);
    SomText words = {0};
    som_finding_rows_summarize(&rows, &words);
    ck_assert_str_eq(words.data, "No findings");
    ck_assert_int_eq(rows.all.count, 0);
    SomSeverity severity;
    som_text_clear(&words);
    ck_assert(som_finding_badge(project, &severity, &words));
    ck_assert(severity == SOM_NOTE && som_str_starts_with(som_text_str(&words), SOM_STR("stable")));
    som_text_free(&words);
    som_finding_rows_free(&rows);
    som_project_destroy(project);
}
END_TEST

START_TEST(a_fix_is_made_once_and_only_in_its_text) {
    SomProject *project = create(USE "config A {\n    part a, b : Chain3\n"
                                     "    connect a.hed.B to b.head.T\n}\n");
    SomFindingRows rows = som_finding_rows(project);
    ck_assert_int_eq(rows.errors, 1);
    const SomFindingRow *row = &rows.all.data[0];
    ck_assert(row->severity == SOM_ERROR && row->is_own && row->has_fix && !row->is_verdict);
    ck_assert_str_eq(row->detail.data, "line 4, change 'hed' to 'head'");
    SomText words = {0};
    SomSeverity severity;
    ck_assert(som_finding_badge(project, &severity, &words));
    ck_assert_str_eq(words.data, "1 error in the text");
    som_finding_rows_fix(&rows, 0, project);
    ck_assert_ptr_nonnull(strstr(som_project_text(project).data, "connect a.head.B to b.head.T"));
    SomText now = {0};
    som_text_add(&now, som_project_text(project));
    som_finding_rows_fix(&rows, 0, project); // the text is another one
    ck_assert(som_str_equal(som_project_text(project), som_text_str(&now)));
    ck_assert(som_project_undo(project) && som_project_is_stale(project));
    som_text_free(&now);
    som_text_free(&words);
    som_finding_rows_free(&rows);
    som_project_destroy(project);
}
END_TEST

START_TEST(findings_of_the_posture_name_their_module) {
    SomProject *project = create(USE "config A {\n    part a, b : Chain3\n"
                                     "    connect a.tail.B to b.head.T\n}\n");
    SomAlias alias;
    const SomConfiguration *design = som_project_model(project)->configuration;
    const char *bent[] = {"a.middle.bend", "a.tail.bend", "b.head.bend", "b.middle.bend"};
    for (int i = 0; i < 4; i++) {
        int dof = som_configuration_find_dof(design, som_str(bent[i]), &alias);
        som_project_move(project, dof, som_alias_to_joint(alias, 1.5));
    }
    som_project_await(project);
    SomFindingRows rows = som_finding_rows(project), again = som_finding_rows(project);
    ck_assert_int_gt(rows.errors, 0);
    ck_assert(som_finding_rows_equal(&rows, &again));
    bool has_collision = false;
    for (int i = 0; i < rows.all.count; i++) {
        const SomFindingRow *row = &rows.all.data[i];
        ck_assert(row->is_verdict);
        ck_assert(i == 0 || rows.all.data[i - 1].severity >= row->severity);
        has_collision |= row->code == SOM_SELF_COLLISION && row->module >= 0;
    }
    ck_assert(has_collision);
    som_finding_rows_free(&again);
    som_project_set_posture(project, NULL);
    som_project_await(project);
    again = som_finding_rows(project);
    ck_assert(!som_finding_rows_equal(&rows, &again));
    som_finding_rows_free(&again);
    som_finding_rows_free(&rows);
    som_project_destroy(project);
}
END_TEST

START_TEST(what_was_not_checked_of_a_motion_is_listed) {
    SomProject *project = create(USE "config A {\n    part a : Chain3\n}\n");
    SomVerification *found = som_verification_create();
    som_verification_not_checked(found, SOM_CHECK_LOAD, SOM_STR("samples"), 2, 5,
                                 SOM_STR("rolled"));
    som_verification_not_assessed(found, SOM_CHECK_LOAD, SOM_STR("connectors"), 2,
                                  SOM_STR("no source gives their strength"));
    SomFindingRows rows = som_finding_rows(project);
    som_finding_rows_add_motion(&rows, project, found);
    ck_assert_int_eq(rows.all.count, 1);
    ck_assert_str_eq(rows.all.data[0].words.data, "loads not checked: 2 of 5 samples (rolled)");
    SomText words = {0};
    som_finding_rows_summarize(&rows, &words);
    ck_assert_str_eq(words.data, "1 not checked");
    som_text_free(&words);
    som_finding_rows_free(&rows);
    som_verification_destroy(found);
    som_project_destroy(project);
}
END_TEST

START_TEST(only_so_many_are_listed) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("config A {\n"));
    for (int i = 0; i < 500; i++) {
        som_text_printf(&text, "    part p%d : Nosuch%d\n", i, i);
    }
    som_text_add(&text, SOM_STR("}\n"));
    SomProject *project = create(text.data);
    SomFindingRows rows = som_finding_rows(project);
    ck_assert_int_eq(rows.all.count, SOM_MAX_FINDING_ROWS);
    ck_assert_int_eq(rows.errors, 500);
    SomText words = {0};
    som_finding_rows_summarize(&rows, &words);
    ck_assert_str_eq(words.data, "500 errors; the first 300 are listed");
    som_text_free(&words);
    som_finding_rows_free(&rows);
    som_project_destroy(project);
    som_text_free(&text);
}
END_TEST

START_TEST(a_place_of_the_text_is_about_a_part) {
    const char *text = USE "config A {\n    part leg, arm : Chain3\n    part s[2] : Module\n"
                           "    connect leg.tail.B to arm.head.T\n"
                           "    connect arm.tail.B to s[1].T\n    connect s[1].B to s[2].T\n}\n"
                           "config B {\n    part arm : Chain3\n}\n";
    SomProject *project = create(text);
    const SomModel *model = som_project_model(project);
    ck_assert_ptr_nonnull(model->configuration);
    const struct {
        const char *at;
        const char *module; // NULL: none
    } places[] = {{"leg, arm", "leg.head"},    {"arm : Chain3\n    part s", "arm.head"},
                  {"s[2] : Module", "s[1]"},   {"tail.B to arm", "leg.tail"},
                  {"s[2].T\n}", "s[2]"},       {"use", NULL},
                  {"arm : Chain3\n}\n", NULL}, {"connect arm", NULL}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t offset = (uint32_t)(strstr(text, places[i].at) - text);
        int module = som_model_module_at(model, offset);
        SomStr path = module < 0 ? SOM_STR("") : model->configuration->modules[module].path;
        SomStr wanted = som_str(places[i].module != NULL ? places[i].module : "");
        ck_assert_msg(som_str_equal(path, wanted), "%s: %.*s", places[i].at, SOM_STR_ARG(path));
    }
    ck_assert_int_eq(som_model_module_at(model, 100000), -1);
    int arm = som_configuration_find_module(model->configuration, SOM_STR("arm.tail"));
    SomSpan span = som_model_part_span(model, arm);
    ck_assert_int_eq(strncmp(text + span.begin, "arm", 3), 0);
    ck_assert_uint_eq(som_model_part_span(model, -1).source1, 0);
    som_project_destroy(project);
}
END_TEST

static void check_change(const char *old, const char *now, size_t at, size_t removed,
                         size_t added) {
    SomTextChange change = som_text_change(som_str(old), som_str(now));
    ck_assert_msg(change.at == at && change.removed == removed && change.added == added,
                  "'%s' '%s': %zu %zu %zu", old, now, change.at, change.removed, change.added);
}

START_TEST(what_changed_is_found_between_characters) {
    check_change("", "", 0, 0, 0);
    check_change("abc", "abc", 3, 0, 0);
    check_change("ac", "abc", 1, 0, 1);
    check_change("abc", "ac", 1, 1, 0);
    check_change("aa", "aaa", 2, 0, 1);
    check_change("", "x", 0, 0, 1);
    check_change("ä", "ö", 0, 2, 2);             // they share their first byte
    check_change("\u00e4x", "\u0164x", 0, 2, 2); // and these their last
}
END_TEST

START_TEST(typing_is_one_step_until_it_goes_elsewhere) {
    SomTypedStep step = {0};
    ck_assert(!som_typed_step_take(&step, SOM_STR("a c"), SOM_STR("ab c")));
    ck_assert(som_typed_step_take(&step, SOM_STR("ab c"), SOM_STR("abb c")));
    ck_assert(som_typed_step_take(&step, SOM_STR("abb c"), SOM_STR("abbb c")));
    ck_assert(!som_typed_step_take(&step, SOM_STR("abbb c"), SOM_STR("abbb cd"))); // elsewhere
    ck_assert(!som_typed_step_take(&step, SOM_STR("abbb cd"), SOM_STR("abbb c"))); // taken away
    ck_assert(som_typed_step_take(&step, SOM_STR("abbb c"), SOM_STR("abbb ")));
    ck_assert(!som_typed_step_take(&step, SOM_STR("abbb "), SOM_STR("abbb \n"))); // a line
    ck_assert(!som_typed_step_take(&step, SOM_STR("abbb \n"), SOM_STR("abbb \nx")));
    ck_assert(som_typed_step_take(&step, SOM_STR("abbb \nx"), SOM_STR("abbb \nxy")));
    som_typed_step_end(&step);
    ck_assert(!som_typed_step_take(&step, SOM_STR("abbb \nxy"), SOM_STR("abbb \nxyz")));
}
END_TEST

START_TEST(what_two_did_elsewhere_is_merged) {
    SomText out = {0};
    ck_assert(
        som_text_merge(SOM_STR("one two"), SOM_STR("one! two"), SOM_STR("one two, three"), &out));
    ck_assert_str_eq(out.data, "one! two, three");
    som_text_clear(&out);
    ck_assert(som_text_merge(SOM_STR("one two"), SOM_STR("one twos"), SOM_STR("no one two"), &out));
    ck_assert_str_eq(out.data, "no one twos");
    som_text_clear(&out);
    ck_assert(!som_text_merge(SOM_STR("one two"), SOM_STR("one 2"), SOM_STR("one tw"), &out));
    ck_assert_uint_eq(out.length, 0);
    som_text_free(&out);
}
END_TEST

START_TEST(amended_text_is_undone_with_its_step) {
    SomProject *project = create("a");
    som_project_set_text(project, SOM_STR("ab"));
    som_project_amend_text(project, SOM_STR("abc"));
    som_project_amend_text(project, SOM_STR("abcd"));
    ck_assert(som_project_undo(project));
    ck_assert(som_str_equal(som_project_text(project), SOM_STR("a")));
    ck_assert(som_project_redo(project));
    ck_assert(som_str_equal(som_project_text(project), SOM_STR("abcd")));
    som_project_amend_text(project, SOM_STR("a")); // all of it is taken back
    ck_assert(!som_project_can_redo(project) && som_project_undo(project));
    ck_assert_uint_eq(som_project_text(project).length, 0);
    ck_assert(!som_project_can_undo(project));
    som_project_amend_text(project, SOM_STR("x")); // the first text stays
    ck_assert(som_project_undo(project) && som_project_text(project).length == 0);
    som_project_destroy(project);
}
END_TEST

SOM_SUITE("studio/findings", nothing_wrong_is_no_finding, a_fix_is_made_once_and_only_in_its_text,
          findings_of_the_posture_name_their_module, what_was_not_checked_of_a_motion_is_listed,
          only_so_many_are_listed, a_place_of_the_text_is_about_a_part,
          what_changed_is_found_between_characters, typing_is_one_step_until_it_goes_elsewhere,
          what_two_did_elsewhere_is_merged, amended_text_is_undone_with_its_step)
