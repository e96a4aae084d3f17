// Tests for studio/builder_edit.c and studio/block_outline.c: what is done with the selected block,
// and which rows change with it.

// SPDX-License-Identifier: Apache-2.0

#include "studio/block_outline.h"
#include "studio/builder_edit.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#define HEAD                                                                                       \
    "use \"smores.m3l\"\n"                                                                         \
    "config Leg is SMORES {\n"                                                                     \
    "    behavior lift(a: angle = 10deg) = series(tilt to a, wait 1s)\n"                           \
    "}\n"                                                                                          \
    "config Pair {\n"                                                                              \
    "    part a, b : Leg\n"                                                                        \
    "    connect a.B to b.T\n"
#define WALK "    behavior walk = series(a.lift, parallel(b.lift, a.lift(5deg)), wait 1s)\n"

typedef struct Fixture {
    SomProject *project;
    SomDesk *desk;
} Fixture;

static Fixture begin(const char *text) {
    Fixture f = {.project = som_project_create(som_str(test_library))};
    f.desk = som_desk_create(f.project);
    som_project_begin(f.project, SOM_STR(""), SOM_STR(""), som_str(text));
    som_project_choose(f.project, SOM_STR("Pair"));
    return f;
}

static void end(Fixture *f) {
    som_desk_destroy(f->desk);
    som_project_destroy(f->project);
}

static int find(const Fixture *f, const char *path) {
    return som_blocks_find(som_desk_blocks(f->desk), SOM_STR("walk"), som_str(path));
}

static void select_block(Fixture *f, const char *path) {
    ck_assert_int_ge(find(f, path), 0);
    som_desk_select(f->desk, find(f, path));
}

static void check_selected(const Fixture *f, const char *path) {
    ck_assert_int_eq(som_desk_selected(f->desk), find(f, path));
}

static void check_says(const Fixture *f, const char *text) {
    ck_assert_msg(strstr(som_project_text(f->project).data, text) != NULL, "no '%s' in:\n%s", text,
                  som_project_text(f->project).data);
}

START_TEST(what_is_made_or_moved_is_selected) {
    Fixture f = begin(HEAD WALK "}\n");
    select_block(&f, "0");
    ck_assert(som_builder_insert(f.desk, SOM_STR("wait 2s"))); // behind what holds nothing
    check_says(&f, "series(a.lift, wait 2s, parallel(");
    check_selected(&f, "1");
    select_block(&f, "2");
    ck_assert(som_builder_insert(f.desk, SOM_STR("wait 3s"))); // into a list
    check_says(&f, "parallel(b.lift, a.lift(5deg), wait 3s)");
    check_selected(&f, "2/2");
    ck_assert(som_builder_step(f.desk, 1)); // out of it
    check_says(&f, "parallel(b.lift, a.lift(5deg)), wait 3s, wait 1s)");
    check_selected(&f, "3");
    ck_assert(som_builder_step(f.desk, -1)); // over the parallel
    check_selected(&f, "2");
    ck_assert(som_builder_step(f.desk, 1) && som_builder_step(f.desk, 1));
    check_selected(&f, "4");
    ck_assert(!som_builder_step(f.desk, 1)); // there is nothing behind the whole
    ck_assert(som_builder_duplicate(f.desk));
    check_says(&f, "wait 1s, wait 3s, wait 3s)");
    check_selected(&f, "5");
    ck_assert(som_builder_delete(f.desk) && som_builder_delete(f.desk));
    check_selected(&f, "3"); // what was before the last
    select_block(&f, "0");
    ck_assert(som_builder_wrap(f.desk, 2, SOM_BLOCK_PARALLEL));
    check_says(&f, "series(parallel(a.lift, wait 2s), parallel(");
    check_selected(&f, "0");
    ck_assert(som_builder_set_kind(f.desk, SOM_BLOCK_ANY));
    check_says(&f, "any(a.lift, wait 2s)");
    ck_assert(som_builder_unwrap(f.desk));
    select_block(&f, "0");
    ck_assert(som_builder_delete(f.desk));
    check_selected(&f, "0"); // what was behind it
    while (som_project_undo(f.project)) {
    }
    ck_assert_str_eq(som_project_text(f.project).data, HEAD WALK "}\n");
    end(&f);
}
END_TEST

START_TEST(blocks_go_where_they_are_dropped) {
    Fixture f = begin(HEAD WALK "}\n");
    const SomBlocks *blocks = som_desk_blocks(f.desk);
    int whole = find(&f, ""), list = find(&f, "1");
    SomBuilderTarget beside = som_builder_target(blocks, find(&f, "0"), SOM_BUILDER_AFTER);
    ck_assert(beside.into == whole && beside.index == 1);
    ck_assert(!som_builder_can_move(blocks, find(&f, "0"), beside)); // it is there
    ck_assert(!som_builder_can_move(blocks, list, beside));
    ck_assert(!som_builder_can_move(blocks, list, (SomBuilderTarget){list, 0})); // into itself
    ck_assert(!som_builder_can_move(blocks, list, (SomBuilderTarget){find(&f, "1/0"), 0}));
    ck_assert(!som_builder_can_move(blocks, list, (SomBuilderTarget){-1, 0}));
    ck_assert(som_builder_drop(f.desk, find(&f, "2"),
                               som_builder_target(blocks, list, SOM_BUILDER_FIRST)));
    check_says(&f, "series(a.lift, parallel(wait 1s, b.lift, a.lift(5deg)))");
    check_selected(&f, "1/0");
    ck_assert(som_builder_drop(
        f.desk, find(&f, "1/0"),
        som_builder_target(som_desk_blocks(f.desk), find(&f, ""), SOM_BUILDER_BEFORE)));
    check_says(&f, "series(wait 1s, a.lift, parallel(b.lift, a.lift(5deg)))");
    ck_assert(!som_builder_drop(f.desk, 1000, beside));
    end(&f);
}
END_TEST

START_TEST(clauses_come_and_go) {
    Fixture f = begin(HEAD WALK "}\n");
    const SomBlocks *blocks = som_desk_blocks(f.desk);
    ck_assert(som_builder_takes_clause(blocks, find(&f, "0"), SOM_FIELD_TIMEOUT));
    ck_assert(!som_builder_takes_clause(blocks, find(&f, "0"), SOM_FIELD_WITHIN));
    ck_assert(!som_builder_takes_clause(blocks, find(&f, "0"), SOM_FIELD_PLACE));
    ck_assert(som_builder_add_clause(f.desk, find(&f, "0"), SOM_FIELD_TIMEOUT));
    check_says(&f, "a.lift timeout 5s,");
    ck_assert(!som_builder_takes_clause(som_desk_blocks(f.desk), find(&f, "0"), SOM_FIELD_TIMEOUT));
    ck_assert(!som_builder_set_field(f.desk, find(&f, "0"), SOM_FIELD_TIMEOUT, 0, SOM_STR("5deg")));
    ck_assert(som_builder_set_field(f.desk, find(&f, "0"), SOM_FIELD_TIMEOUT, 0, SOM_STR("2s")));
    ck_assert(som_builder_clear_field(f.desk, find(&f, "0"), SOM_FIELD_TIMEOUT, 0));
    check_says(&f, WALK);
    end(&f);
}
END_TEST

START_TEST(behaviors_are_added_named_and_removed) {
    Fixture f = begin(HEAD WALK "}\n");
    ck_assert(som_builder_add(f.desk, SOM_STR("walk"))); // which is taken
    check_says(&f, "behavior walk2 = series()");
    ck_assert_str_eq(som_desk_behavior(f.desk).data, "walk2");
    ck_assert(som_builder_rename(f.desk, SOM_STR("run")));
    ck_assert_str_eq(som_desk_behavior(f.desk).data, "run");
    ck_assert(som_builder_remove(f.desk));
    som_desk_choose(f.desk, SOM_STR("b.lift"));
    ck_assert(!som_builder_insert(f.desk, SOM_STR("wait 1s"))); // it is the part's
    ck_assert(!som_builder_remove(f.desk) && !som_builder_duplicate(f.desk));
    ck_assert(som_builder_add_call(f.desk));
    check_says(&f, "behavior lift = series(b.lift)");
    end(&f);
}
END_TEST

START_TEST(what_moved_is_recorded) {
    Fixture f = begin(HEAD WALK "}\n");
    ck_assert(!som_builder_record(f.desk, SOM_STR(""), NULL)); // nothing has
    som_project_move(f.project, 1, 0.5);
    double last[16] = {0};
    const SomModel *model = som_project_model(f.project);
    ck_assert_int_le(model->posture.count, 16);
    memcpy(last, model->posture.values, (size_t)model->posture.count * sizeof *last);
    select_block(&f, "0");
    ck_assert(som_builder_record(f.desk, SOM_STR(""), NULL));
    check_selected(&f, "1");
    ck_assert(!som_builder_record(f.desk, SOM_STR(""), last));
    som_project_move(f.project, 0, 0.25);
    ck_assert(som_builder_record(f.desk, SOM_STR("lean"), last));
    check_says(&f, "to pose lean");
    end(&f);
}
END_TEST

// ---- rows

typedef SOM_ARRAY(SomOutlineRow) Shadow;

// Does to a copy of the rows what a list does that is told of the change.
static void follow(Shadow *shadow, const SomBlockOutline *outline, SomOutlineChange change) {
    ck_assert_int_eq(shadow->count - change.removed + change.added, outline->rows.count);
    Shadow now = {0};
    for (int i = 0; i < outline->rows.count; i++) {
        bool is_new = i >= change.at && i < change.at + change.added;
        int old = i < change.at ? i : i - change.added + change.removed;
        som_array_push(&now, is_new ? outline->rows.data[i] : shadow->data[old]);
    }
    som_array_free(shadow);
    *shadow = now;
    for (int i = 0; i < shadow->count; i++) {
        ck_assert(shadow->data[i].look == outline->rows.data[i].look);
        ck_assert(shadow->data[i].is_folded == outline->rows.data[i].is_folded);
    }
}

static void edit_somehow(Fixture *f, SomTestRandom *random) {
    static const char *const actions[] = {
        "a.lift",           "wait 1s",           "series()",
        "parallel(b.lift)", "repeat 2: wait 1s", "choose(else: wait 1s)"};
    const SomBlocks *blocks = som_desk_blocks(f->desk);
    int count = blocks->block_count;
    som_desk_select(f->desk, count > 0 ? som_test_int(random, 0, count - 1) : -1);
    SomBuilderTarget target =
        som_builder_target(blocks, count > 0 ? som_test_int(random, 0, count - 1) : -1,
                           (SomBuilderSide)som_test_int(random, 0, 3));
    switch (som_test_int(random, 0, 9)) {
    case 0:
    case 1:
    case 2:
        som_builder_insert_at(f->desk, target, som_str(actions[som_test_int(random, 0, 5)]));
        break;
    case 3:
        som_builder_drop(f->desk, som_desk_selected(f->desk), target);
        break;
    case 4:
        som_builder_step(f->desk, som_test_int(random, 0, 1) == 0 ? -1 : 1);
        break;
    case 5:
        som_builder_delete(f->desk);
        break;
    case 6:
        som_builder_wrap(f->desk, som_test_int(random, 1, 2),
                         som_test_int(random, 0, 1) == 0 ? SOM_BLOCK_REPEAT : SOM_BLOCK_ANY);
        break;
    case 7:
        som_builder_unwrap(f->desk);
        break;
    case 8:
        som_builder_duplicate(f->desk);
        break;
    default:
        som_project_undo(f->project);
        break;
    }
}

START_TEST(rows_follow_whatever_is_done) {
    SomTestRandom random = {11};
    Fixture f = begin(HEAD WALK "    behavior rest = hold\n}\n");
    SomBlockOutline outline = {0};
    Shadow shadow = {0};
    for (int i = 0; i < som_test_count(120, 2000); i++) {
        edit_somehow(&f, &random);
        const SomBlocks *blocks = som_desk_blocks(f.desk);
        int walk = som_blocks_find_behavior(blocks, SOM_STR("walk"));
        follow(&shadow, &outline, som_outline_set(&outline, blocks, walk, i == 0));
        if (outline.rows.count > 0) {
            int row = som_test_int(&random, 0, outline.rows.count - 1);
            follow(&shadow, &outline, som_outline_fold(&outline, row, (i & 1) == 0));
        }
        int first = outline.first, count = outline.all.count;
        for (int b = first; b < first + count; b++) {
            int row = som_outline_find(&outline, b);
            ck_assert(outline.rows.data[row].block <= b);
            ck_assert(b < blocks->blocks[outline.rows.data[row].block].end);
        }
        if (count > 0) {
            int block = first + som_test_int(&random, 0, count - 1);
            follow(&shadow, &outline, som_outline_reveal(&outline, block));
            ck_assert_int_eq(outline.rows.data[som_outline_find(&outline, block)].block, block);
        }
    }
    som_array_free(&shadow);
    som_outline_free(&outline);
    end(&f);
}
END_TEST

// What is folded stays so while blocks come and go before it.
START_TEST(folds_are_kept) {
    Fixture f = begin(HEAD WALK "}\n");
    SomBlockOutline outline = {0};
    som_outline_set(&outline, som_desk_blocks(f.desk), 0, true);
    ck_assert_int_eq(outline.rows.count, 6);
    som_outline_fold(&outline, 2, true);
    ck_assert_int_eq(outline.rows.count, 4);
    select_block(&f, "0");
    som_builder_insert(f.desk, SOM_STR("wait 9s"));
    SomOutlineChange change = som_outline_set(&outline, som_desk_blocks(f.desk), 0, false);
    ck_assert(change.at == 2 && change.removed == 0 && change.added == 1);
    ck_assert(outline.rows.count == 5 && outline.rows.data[3].is_folded);
    som_builder_step(f.desk, 1); // the folded block comes before it
    som_outline_set(&outline, som_desk_blocks(f.desk), 0, false);
    ck_assert(outline.rows.count == 5 && outline.rows.data[2].is_folded);
    ck_assert_int_eq(som_outline_closes(&outline, som_desk_blocks(f.desk), 4), 2);
    ck_assert_int_eq(som_outline_closes(&outline, som_desk_blocks(f.desk), 2), 1);
    ck_assert_int_eq(som_outline_closes(&outline, som_desk_blocks(f.desk), 0), 0);
    change = som_outline_set(&outline, som_desk_blocks(f.desk), -1, true);
    ck_assert(change.removed == 5 && outline.rows.count == 0);
    ck_assert_int_eq(som_outline_find(&outline, 0), -1);
    som_outline_free(&outline);
    end(&f);
}
END_TEST

// A row draws its piece of all boxes that it lies in.
START_TEST(rows_change_with_what_is_round_them) {
    Fixture f = begin(HEAD WALK "}\n");
    SomBlockOutline outline = {0};
    som_outline_set(&outline, som_desk_blocks(f.desk), 0, true);
    select_block(&f, "");
    ck_assert(som_builder_set_kind(f.desk, SOM_BLOCK_PARALLEL));
    SomOutlineChange change = som_outline_set(&outline, som_desk_blocks(f.desk), 0, false);
    ck_assert(change.at == 0 && change.removed == 6 && change.added == 6);
    select_block(&f, "1/1");
    ck_assert(som_builder_insert(f.desk, SOM_STR("wait 7s"))); // what was the last ends nothing now
    change = som_outline_set(&outline, som_desk_blocks(f.desk), 0, false);
    ck_assert(change.at == 4 && change.removed == 1 && change.added == 2);
    som_outline_free(&outline);
    end(&f);
}
END_TEST

SOM_SUITE("studio/builder_edit", what_is_made_or_moved_is_selected,
          blocks_go_where_they_are_dropped, clauses_come_and_go,
          behaviors_are_added_named_and_removed, what_moved_is_recorded,
          rows_follow_whatever_is_done, folds_are_kept, rows_change_with_what_is_round_them)
