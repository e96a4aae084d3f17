// SPDX-License-Identifier: Apache-2.0

#include "tests/behaviors/author.h"

#include "base/memory.h"
#include "behaviors/behavior_edit.h"
#include "behaviors/behavior_findings.h"
#include "behaviors/behavior_palette.h"
#include "behaviors/compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BLOCKS 300
#define FINDINGS_EVERY 8

static void stop(const TestDesigner *t, SomDesign *design, const char *what) {
    SomText text = {0};
    som_diagnostics_print(som_design_refusal(design), 0, &text);
    som_diagnostics_print(som_design_diagnostics(design), 0, &text);
    som_text_add(&text, SOM_STR(""));
    fprintf(stderr, "%s after %.*s\n%s\n%s\n", what, SOM_STR_ARG(som_text_str(&t->what)), text.data,
            som_document_text(som_design_document(design)).data);
    abort();
}

// ---- choosing what an operation is about

typedef struct Scene {
    TestDesigner *t;
    SomDesign *design;
    SomStr config;
    SomComposition *composition; // held
    SomBlocks *blocks;
    SomText path, other, text;
    bool makes_block; // the new name is the path of one, in
    SomStr behavior;
    bool moves_block;        // with these words in `text`
    bool may_lose, may_copy; // comments
} Scene;

static const char *const odd_actions[] = {"",
                                          "hold",
                                          "wait 1s",
                                          "series()",
                                          "a, b",
                                          "wait 1s)",
                                          "for i in 1..2: wait i*1s",
                                          "x to 3",
                                          "height > 1m: hold",
                                          "repeat 2: wait 1s",
                                          "parallel(\n  wait 1s, # c\n  hold\n)",
                                          "\"hold\"",
                                          "wait 1s # x"};

static const char *const odd_texts[] = {
    "1",    "3deg",    "2s", "-5deg",   "reached", "time > 1s", "",  "1s timeout 2s",
    "2, 3", "forever", "i",  "20deg/s", "# c",     "\n1s",      "by"};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static SomBlockPlace any_block(Scene *s, SomText *path) {
    som_text_clear(path);
    som_text_add(path, SOM_STR(""));
    int count = s->blocks->block_count;
    if (count == 0 || test_designer_choose(s->t, 40) == 39) {
        som_text_add(path, SOM_STR("7"));
        return (SomBlockPlace){SOM_STR("none"), som_text_str(path)};
    }
    int block = test_designer_choose(s->t, count < 250 ? count : 250);
    som_blocks_print_path(s->blocks, block, path);
    s->behavior = s->blocks->behaviors.data[s->blocks->blocks[block].behavior].name;
    som_text_printf(&s->t->what, " [%.*s %.*s]", SOM_STR_ARG(s->behavior),
                    SOM_STR_ARG(som_text_str(path)));
    return (SomBlockPlace){s->behavior, som_text_str(path)};
}

static int any_index(Scene *s) {
    return test_designer_choose(s->t, 6) - 1;
}

static SomStr any_action(Scene *s) {
    if (test_designer_choose(s->t, 4) == 3) {
        return som_str(odd_actions[test_designer_choose(s->t, COUNT(odd_actions))]);
    }
    SomPalette *palette = som_palette_create(s->composition);
    int most = palette->item_count < 256 ? palette->item_count : 256;
    som_text_clear(&s->text);
    som_text_add(&s->text, palette->items[test_designer_choose(s->t, most)].text);
    som_palette_destroy(palette);
    return som_text_str(&s->text);
}

static SomStr any_name(Scene *s) {
    static const char *const names[] = {"walk", "a b", "hold", "series", "go", "", "x", "\n"};
    return som_str(names[test_designer_choose(s->t, COUNT(names))]);
}

static SomStr any_behavior(Scene *s) {
    int count = s->blocks->behaviors.count;
    return count > 0 ? s->blocks->behaviors.data[test_designer_choose(s->t, count)].name
                     : SOM_STR("none");
}

// ---- operations

static bool insert(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("insert"));
    SomBlockPlace into = any_block(s, &s->path);
    SomStr action = any_action(s);
    som_text_printf(&s->t->what, " '%.*s'", SOM_STR_ARG(action));
    s->makes_block = true;
    s->may_copy = true; // an action with a comment
    return som_behavior_insert(s->design, s->config, into, any_index(s), action);
}

static bool move(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("move"));
    SomBlockPlace block = any_block(s, &s->path), into = any_block(s, &s->other);
    int moved = som_blocks_find(s->blocks, block.behavior, block.path);
    som_text_clear(&s->text);
    if (moved >= 0) {
        som_blocks_print(s->blocks, moved, &s->text);
    }
    s->makes_block = s->moves_block = true;
    s->behavior = into.behavior;
    return som_behavior_move(s->design, s->config, block, into, any_index(s));
}

static bool take_out(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("take out"));
    s->may_lose = true;
    return som_behavior_remove_block(s->design, s->config, any_block(s, &s->path));
}

static bool replace(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("replace"));
    s->may_lose = s->may_copy = true;
    SomBlockPlace block = any_block(s, &s->path);
    return som_behavior_replace(s->design, s->config, block, any_action(s));
}

static bool duplicate(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("duplicate"));
    s->may_copy = s->makes_block = true;
    return som_behavior_duplicate(s->design, s->config, any_block(s, &s->path));
}

static bool wrap(Scene *s) {
    static const char *const times[] = {"", "3", "forever", "until time > 1s", "0", "2: x"};
    som_text_add(&s->t->what, SOM_STR("wrap"));
    SomBlockPlace block = any_block(s, &s->path);
    int count = 1 + test_designer_choose(s->t, 3);
    static const SomBlockKind kinds[] = {SOM_BLOCK_SERIES, SOM_BLOCK_PARALLEL, SOM_BLOCK_ANY,
                                         SOM_BLOCK_REPEAT, SOM_BLOCK_REPEAT,   SOM_BLOCK_WAIT};
    SomBlockKind kind = kinds[test_designer_choose(s->t, COUNT(kinds))];
    s->makes_block = true;
    return som_behavior_wrap(s->design, s->config, block, count, kind,
                             som_str(times[test_designer_choose(s->t, COUNT(times))]));
}

static bool unwrap(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("unwrap"));
    return som_behavior_unwrap(s->design, s->config, any_block(s, &s->path));
}

static bool set_kind(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("set kind"));
    SomBlockPlace block = any_block(s, &s->path);
    return som_behavior_set_kind(s->design, s->config, block,
                                 (SomBlockKind)test_designer_choose(s->t, SOM_BLOCK_CHOOSE + 1));
}

// One that the block has, or any.
static SomFieldKind any_field(Scene *s, SomBlockPlace place, int *nth) {
    int block = som_blocks_find(s->blocks, place.behavior, place.path);
    const SomBlock *b = block >= 0 ? &s->blocks->blocks[block] : NULL;
    *nth = 0;
    if (b != NULL && b->field_count > 0 && test_designer_choose(s->t, 3) > 0) {
        const SomBlockField *field =
            &s->blocks->fields.data[b->first_field + test_designer_choose(s->t, b->field_count)];
        *nth = field->nth;
        return field->kind;
    }
    return (SomFieldKind)test_designer_choose(s->t, SOM_FIELD_KINDS);
}

static const SomBlockField *find_field(Scene *s, SomBlockPlace place, SomFieldKind kind, int nth) {
    int block = som_blocks_find(s->blocks, place.behavior, place.path);
    int field = block >= 0 ? som_blocks_field(s->blocks, block, kind, nth) : -1;
    return field >= 0 ? &s->blocks->fields.data[field] : NULL;
}

static bool set_field(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("set"));
    SomBlockPlace block = any_block(s, &s->path);
    int nth;
    SomFieldKind kind = any_field(s, block, &nth);
    SomStr text = som_str(odd_texts[test_designer_choose(s->t, COUNT(odd_texts))]);
    const SomBlockField *field = find_field(s, block, kind, nth);
    if (field != NULL && field->is_literal && test_designer_choose(s->t, 3) > 0) {
        som_text_clear(&s->text);
        som_text_printf(&s->text, "%d%.*s", 1 + test_designer_choose(s->t, 9),
                        SOM_STR_ARG(field->unit));
        text = som_text_str(&s->text);
    }
    som_text_printf(&s->t->what, " %s to '%.*s'", som_field_kind_word(kind), SOM_STR_ARG(text));
    s->may_lose = true; // in a formula
    return som_behavior_set_field(s->design, s->config, block, kind, nth, text);
}

static bool set_quantity(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("set number"));
    SomBlockPlace block = any_block(s, &s->path);
    int nth;
    SomFieldKind kind = any_field(s, block, &nth);
    const SomBlockField *field = find_field(s, block, kind, nth);
    SomDimension dimension = field != NULL && field->is_literal
                                 ? field->quantity.dimension
                                 : som_dimension((SomDimensionName)test_designer_choose(s->t, 4));
    int which = test_designer_choose(s->t, 200);
    s->may_lose = true;
    return som_behavior_set_quantity(
        s->design, s->config, block, kind, nth,
        (SomQuantity){which == 199 ? (double)NAN : (which - 50) / 70.0, dimension});
}

static bool clear_field(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("clear"));
    SomBlockPlace block = any_block(s, &s->path);
    int nth;
    SomFieldKind kind = any_field(s, block, &nth);
    s->may_lose = true;
    return som_behavior_clear_field(s->design, s->config, block, kind, nth);
}

static bool add(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("add"));
    SomStr name = any_name(s);
    s->may_copy = true;
    return som_behavior_add(s->design, s->config, name, any_action(s));
}

static bool remove_behavior(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("remove"));
    s->may_lose = true;
    return som_behavior_remove(s->design, s->config, any_behavior(s));
}

static bool rename_behavior(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("rename"));
    SomStr behavior = any_behavior(s);
    return som_design_rename_behavior(s->design, s->config, behavior, any_name(s));
}

static bool record(Scene *s) {
    som_text_add(&s->t->what, SOM_STR("record"));
    const SomConfiguration *c = s->composition->configuration;
    SomBlockPlace into = any_block(s, &s->path);
    SomJointValue values[3];
    int count = c->dof_count > 0 ? test_designer_choose(s->t, 4) : 0;
    for (int i = 0; i < count; i++) {
        int most = c->dof_count < 250 ? c->dof_count : 250;
        values[i] = (SomJointValue){c->dofs[test_designer_choose(s->t, most)].path,
                                    test_designer_choose(s->t, 100) / 100.0};
    }
    s->makes_block = true;
    return som_behavior_record(s->design, s->config, into, any_index(s),
                               test_designer_choose(s->t, 2) == 0 ? SOM_STR("") : SOM_STR("low"),
                               values, count);
}

static bool (*const operations[])(Scene *) = {
    insert,   insert,          insert,          move,      move,         move,
    take_out, replace,         duplicate,       wrap,      wrap,         unwrap,
    set_kind, set_field,       set_field,       set_field, set_quantity, clear_field,
    add,      remove_behavior, rename_behavior, record};

// ---- what must hold

// Names of the behaviors with defaults that do not compile, each with a newline.
static void find_broken(SomComposition *c, SomText *out) {
    const SomConfiguration *configuration = c->configuration;
    SomCompileDef def = {
        .workspace = c->workspace, .configuration = configuration, .diags = c->diags};
    for (int i = 0; i < configuration->behavior_count; i++) {
        int count;
        const SomParameter *params = som_compile_parameters(&def, i, &count);
        bool is_complete = configuration->behaviors[i].part == 0;
        for (int k = 0; k < count; k++) {
            is_complete &= params[k].otherwise != 0;
        }
        SomActionGraph *graph = is_complete ? som_compile_behavior(&def, i) : NULL;
        if (is_complete && graph == NULL) {
            som_text_printf(out, "\n%.*s\n", SOM_STR_ARG(configuration->behaviors[i].name));
        }
        som_action_graph_destroy(graph);
    }
    som_text_add(out, SOM_STR(""));
}

static void check_blocks(Scene *s, const SomBlocks *blocks) {
    for (int i = 0; i < blocks->block_count; i++) {
        const SomBlock *b = &blocks->blocks[i];
        int count = 0;
        for (int child = i + 1; child < b->end; child = blocks->blocks[child].end) {
            const SomBlock *c = &blocks->blocks[child];
            if (c->parent != i || c->span.begin < b->span.begin || c->span.end > b->span.end) {
                stop(s->t, s->design, "a child outside of its block");
            }
            count++;
        }
        if (count != b->child_count || b->kind == SOM_BLOCK_ERROR) {
            stop(s->t, s->design, "wrong blocks");
        }
    }
}

static SomComposition *compose_fresh(Scene *s, SomStr text) {
    SomStr library = som_workspace_library(s->composition->workspace);
    return som_composition_create(library, SOM_STR("robot.som"), text, s->config);
}

static void check_made(Scene *s, SomStr before, bool is_rename) {
    SomStr text = som_document_text(som_design_document(s->design));
    SomComposition *now = compose_fresh(s, text);
    if (!now->is_sound || now->configuration == NULL) {
        stop(s->t, s->design, "the text does not compose");
    }
    SomComposition *old = compose_fresh(s, before);
    SomText broken_now = {0}, broken_before = {0};
    find_broken(now, &broken_now);
    if (broken_now.length > 0) {
        find_broken(old, &broken_before);
        for (const char *at = broken_now.data; at != NULL && *at != '\0' && !is_rename;) {
            const char *end = strchr(at + 1, '\n') + 1;
            SomText name = {0};
            som_text_add(&name, (SomStr){at, (size_t)(end - at)});
            som_text_add(&broken_before, SOM_STR(""));
            if (strstr(broken_before.data, name.data) == NULL) {
                stop(s->t, s->design, "a behavior does not compile any more");
            }
            som_text_free(&name);
            at = end;
        }
    }
    SomBlocks *blocks = som_blocks_of(now);
    check_blocks(s, blocks);
    int made = som_blocks_find(blocks, s->behavior, som_design_new_name(s->design));
    SomText words = {0};
    if (made >= 0) {
        som_blocks_print(blocks, made, &words);
    }
    bool is_other =
        s->moves_block && !som_str_ends_with(som_text_str(&words), som_text_str(&s->text)) &&
        !som_str_equal(som_text_str(&words), SOM_STR("else")); // an action becomes a branch
    if (s->makes_block && (made < 0 || is_other)) {
        stop(s->t, s->design, "the block is not where it is said to be");
    }
    som_text_free(&words);
    if (test_designer_choose(s->t, FINDINGS_EVERY) == 0) {
        som_block_findings_destroy(som_block_findings_create(now, blocks));
    }
    som_blocks_destroy(blocks);
    som_text_free(&broken_now);
    som_text_free(&broken_before);
    som_composition_release(now);
    som_composition_release(old);
}

static void check(Scene *s, const SomText *before, bool done, bool is_rename) {
    SomStr text = som_document_text(som_design_document(s->design));
    int errors = som_diagnostics_error_count(som_design_refusal(s->design));
    if (errors != (done ? 0 : 1)) {
        stop(s->t, s->design, "a wrong number of reasons");
    }
    bool is_same = som_str_equal(text, som_text_str(before));
    if (!done && !is_same) {
        stop(s->t, s->design, "the text was changed by a refused operation");
    }
    if (done && !is_same) {
        check_made(s, som_text_str(before), is_rename);
    }
    int was = test_count_comments(som_text_str(before)), is = test_count_comments(text);
    if ((is > was && !s->may_copy) || (is < was && !s->may_lose)) {
        stop(s->t, s->design, is > was ? "a comment more" : "a comment is lost");
    }
}

void test_author_act(TestDesigner *t, SomDesign *design, SomStr config) {
    Scene s = {.t = t,
               .design = design,
               .config = config,
               .composition = som_composition_hold(som_design_composition(design, config))};
    som_text_clear(&t->what);
    if (s.composition->configuration == NULL) {
        stop(t, design, "nothing to work on");
    }
    s.blocks = som_blocks_of(s.composition);
    SomText before = {0};
    som_text_add(&before, som_document_text(som_design_document(design)));
    int which = test_designer_choose(t, COUNT(operations));
    bool is_full = s.blocks->block_count > MOST_BLOCKS && which < 11;
    bool done = is_full ? take_out(&s) : operations[which](&s);
    check(&s, &before, done, operations[which] == rename_behavior);
    t->done += done;
    t->refused += !done;
    t->done_by[which] += done;
    som_text_free(&before);
    som_text_free(&s.path);
    som_text_free(&s.other);
    som_text_free(&s.text);
    som_blocks_destroy(s.blocks);
    som_composition_release(s.composition);
}
