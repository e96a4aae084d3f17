// Tests for studio/desk.c: which behavior and block is worked on, while the text changes.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/behavior_edit.h"
#include "studio/desk.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#define CHAIN                                                                                      \
    "use \"smores.m3l\"\n"                                                                         \
    "config Leg is SMORES {\n"                                                                     \
    "    behavior lift(a: angle = 10deg) = series(tilt to a, wait 1s)\n"                           \
    "}\n"
#define PAIR                                                                                       \
    CHAIN "config Pair {\n"                                                                        \
          "    part a, b : Leg\n"                                                                  \
          "    connect a.B to b.T\n"                                                               \
          "    behavior walk = series(a.lift, parallel(b.lift, wait 1s))\n"                        \
          "    behavior rest = hold\n"                                                             \
          "    behavior \"left-turn\" = series(a.tilt to 5deg)\n"                                  \
          "}\n"

typedef struct Fixture {
    SomProject *project;
    SomDesk *desk;
    unsigned told;
    int calls;
} Fixture;

static void on_change(void *context, unsigned changes) {
    Fixture *f = context;
    f->told |= changes;
    f->calls++;
}

static void begin(Fixture *f, const char *text) {
    *f = (Fixture){.project = som_project_create(som_str(test_library))};
    f->desk = som_desk_create(f->project);
    som_desk_listen(f->desk, on_change, f);
    som_project_begin(f->project, SOM_STR(""), SOM_STR(""), som_str(text));
    som_project_choose(f->project, SOM_STR("Pair"));
    f->told = 0;
}

static void end(Fixture *f) {
    som_desk_unlisten(f->desk, on_change, f);
    som_desk_destroy(f->desk);
    som_project_destroy(f->project);
}

static void check_behavior(const Fixture *f, const char *wanted) {
    ck_assert_msg(som_str_equal(som_desk_behavior(f->desk), som_str(wanted)),
                  "it is '%.*s' and not '%s'", SOM_STR_ARG(som_desk_behavior(f->desk)), wanted);
}

static int find(const Fixture *f, const char *behavior, const char *path) {
    return som_blocks_find(som_desk_blocks(f->desk), som_str(behavior), som_str(path));
}

// What was told since the last time.
static unsigned told(Fixture *f) {
    unsigned changes = f->told;
    f->told = 0;
    return changes;
}

START_TEST(nothing_is_on_an_empty_desk) {
    Fixture f;
    begin(&f, "");
    check_behavior(&f, "");
    ck_assert_int_eq(som_desk_own(f.desk), -1);
    ck_assert_int_eq(som_desk_blocks(f.desk)->block_count, 0);
    ck_assert_int_eq(som_desk_findings(f.desk)->mark_count, 0);
    ck_assert_int_eq(som_desk_palette(f.desk)->item_count, 0);
    som_desk_choose(f.desk, SOM_STR("walk"));
    som_desk_select(f.desk, 3);
    som_desk_mark(f.desk, (int[]){0, 7}, 2);
    ck_assert_uint_eq(told(&f), 0);
    int behavior;
    ck_assert_int_eq(som_desk_shown(f.desk, &behavior)->block_count, 0);
    ck_assert_int_eq(behavior, -1);
    end(&f);
}
END_TEST

START_TEST(the_first_behavior_is_chosen_by_itself) {
    Fixture f;
    begin(&f, PAIR);
    check_behavior(&f, "walk");
    ck_assert_int_eq(som_desk_own(f.desk), 0);
    ck_assert_int_gt(som_desk_palette(f.desk)->item_count, 10);
    ck_assert_int_eq(som_desk_selected(f.desk), -1);
    end(&f);
}
END_TEST

START_TEST(behaviors_are_chosen_by_path_or_name) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_choose(f.desk, SOM_STR("rest"));
    ck_assert_uint_eq(told(&f), SOM_DESK_BEHAVIOR);
    som_desk_choose(f.desk, SOM_STR("rest"));
    som_desk_choose(f.desk, SOM_STR("nowhere"));
    som_desk_choose(f.desk, SOM_STR(""));
    ck_assert_uint_eq(told(&f), 0);
    check_behavior(&f, "rest");
    som_desk_choose(f.desk, SOM_STR("left-turn"));
    check_behavior(&f, "\"left-turn\"");
    ck_assert_int_eq(som_desk_own(f.desk), 2);
    ck_assert_int_ge(som_configuration_find_behavior(som_project_model(f.project)->configuration,
                                                     som_desk_behavior(f.desk)),
                     0);
    som_desk_choose(f.desk, som_desk_behavior(f.desk)); // its own text
    check_behavior(&f, "\"left-turn\"");
    end(&f);
}
END_TEST

START_TEST(a_behavior_of_a_part_is_shown_with_its_own_blocks) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_select(f.desk, find(&f, "walk", "0"));
    som_desk_choose(f.desk, SOM_STR("b.lift"));
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCK | SOM_DESK_BEHAVIOR);
    ck_assert_int_eq(som_desk_own(f.desk), -1);
    ck_assert_int_eq(som_desk_selected(f.desk), -1);
    int behavior;
    const SomBlocks *shown = som_desk_shown(f.desk, &behavior);
    ck_assert_ptr_ne(shown, som_desk_blocks(f.desk));
    ck_assert_int_eq(shown->blocks[shown->behaviors.data[behavior].root].child_count, 2);
    // the part gets another name, and the text other places
    ck_assert(
        som_project_edited(f.project, som_design_rename_part(som_project_design(f.project),
                                                             som_project_choice(f.project),
                                                             SOM_STR("b"), SOM_STR("front"))));
    check_behavior(&f, "front.lift");
    som_desk_shown(f.desk, &behavior);
    ck_assert_int_eq(behavior, 0);
    ck_assert(som_project_undo(f.project));
    check_behavior(&f, "b.lift");
    end(&f);
}
END_TEST

START_TEST(a_new_name_is_followed_and_what_is_gone_gives_way) {
    Fixture f;
    begin(&f, PAIR);
    SomDesign *design = som_project_design(f.project);
    SomStr config = som_project_choice(f.project);
    som_desk_choose(f.desk, SOM_STR("rest"));
    told(&f);
    ck_assert(som_project_edited(
        f.project, som_design_rename_behavior(design, config, SOM_STR("rest"), SOM_STR("sleep"))));
    check_behavior(&f, "sleep");
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR);
    ck_assert(som_project_edited(f.project, som_behavior_remove(design, config, SOM_STR("sleep"))));
    check_behavior(&f, "\"left-turn\"");
    ck_assert(
        som_project_edited(f.project, som_behavior_remove(design, config, SOM_STR("left-turn"))));
    check_behavior(&f, "walk");
    ck_assert(som_project_edited(f.project, som_behavior_remove(design, config, SOM_STR("walk"))));
    check_behavior(&f, "");
    ck_assert(som_project_undo(f.project));
    check_behavior(&f, "walk");
    end(&f);
}
END_TEST

START_TEST(a_block_stays_selected_by_its_path) {
    Fixture f;
    begin(&f, PAIR);
    SomDesign *design = som_project_design(f.project);
    SomStr config = som_project_choice(f.project);
    int selected = find(&f, "walk", "1/1");
    som_desk_select(f.desk, selected);
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCK);
    SomBlockPlace first = {SOM_STR("walk"), SOM_STR("0")};
    ck_assert(som_project_edited(
        f.project, som_behavior_wrap(design, config, first, 1, SOM_BLOCK_PARALLEL, SOM_STR(""))));
    ck_assert_int_eq(som_desk_selected(f.desk), find(&f, "walk", "1/1"));
    ck_assert_int_ne(som_desk_selected(f.desk), selected);
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCKS | SOM_DESK_BLOCK);
    SomBlockPlace second = {SOM_STR("walk"), SOM_STR("1/1")};
    ck_assert(som_project_edited(f.project, som_behavior_remove_block(design, config, second)));
    ck_assert_int_eq(som_desk_selected(f.desk), find(&f, "walk", "1"));
    end(&f);
}
END_TEST

START_TEST(a_block_of_another_behavior_chooses_that) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_select(f.desk, find(&f, "rest", ""));
    check_behavior(&f, "rest");
    ck_assert_uint_eq(told(&f), SOM_DESK_BEHAVIOR | SOM_DESK_BLOCK);
    som_desk_select(f.desk, -1);
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCK);
    check_behavior(&f, "rest");
    end(&f);
}
END_TEST

START_TEST(marks_last_until_the_text_changes) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_mark(f.desk, (int[]){1, 2, 99, -1}, 4);
    int count;
    const int *marks = som_desk_marks(f.desk, &count);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(marks[1], 2);
    ck_assert_uint_eq(told(&f), SOM_DESK_MARKS);
    som_project_set_text(f.project, SOM_STR(PAIR "\n# more\n"));
    ck_assert_uint_eq(told(&f), SOM_DESK_BLOCKS | SOM_DESK_MARKS);
    som_desk_marks(f.desk, &count);
    ck_assert_int_eq(count, 0);
    som_desk_mark(f.desk, NULL, 0);
    ck_assert_uint_eq(told(&f), 0);
    end(&f);
}
END_TEST

START_TEST(while_the_text_is_wrong_the_last_good_blocks_stay) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_select(f.desk, find(&f, "walk", "1/0"));
    const SomBlocks *blocks = som_desk_blocks(f.desk);
    told(&f);
    som_project_set_text(f.project, SOM_STR(PAIR "config Pair {"));
    ck_assert(som_project_is_stale(f.project));
    ck_assert_ptr_eq(som_desk_blocks(f.desk), blocks);
    ck_assert_uint_eq(told(&f), 0);
    ck_assert(som_project_undo(f.project));
    ck_assert_int_eq(som_desk_selected(f.desk), find(&f, "walk", "1/0"));
    end(&f);
}
END_TEST

START_TEST(another_file_begins_anew) {
    Fixture f;
    begin(&f, PAIR);
    som_desk_choose(f.desk, SOM_STR("rest"));
    som_desk_select(f.desk, find(&f, "rest", ""));
    som_project_begin(f.project, SOM_STR(""), SOM_STR(""), SOM_STR(PAIR));
    check_behavior(&f, "lift"); // of the first config
    ck_assert_int_eq(som_desk_selected(f.desk), -1);
    end(&f);
}
END_TEST

START_TEST(findings_mark_both_blocks_of_a_conflict) {
    Fixture f;
    begin(&f, CHAIN "config Pair {\n    part a, b : Leg\n    connect a.B to b.T\n"
                    "    behavior walk = parallel(a.lift, a.tilt to 3deg)\n}\n");
    const SomBlockFindings *findings = som_desk_findings(f.desk);
    ck_assert_ptr_eq(findings, som_desk_findings(f.desk));
    int first, second;
    som_block_findings_of(findings, find(&f, "walk", "0"), &first);
    som_block_findings_of(findings, find(&f, "walk", "1"), &second);
    ck_assert_int_gt(first, 0);
    ck_assert_int_gt(second, 0);
    end(&f);
}
END_TEST

SOM_SUITE("studio/desk", nothing_is_on_an_empty_desk, the_first_behavior_is_chosen_by_itself,
          behaviors_are_chosen_by_path_or_name, a_behavior_of_a_part_is_shown_with_its_own_blocks,
          a_new_name_is_followed_and_what_is_gone_gives_way, a_block_stays_selected_by_its_path,
          a_block_of_another_behavior_chooses_that, marks_last_until_the_text_changes,
          while_the_text_is_wrong_the_last_good_blocks_stay, another_file_begins_anew,
          findings_mark_both_blocks_of_a_conflict)
