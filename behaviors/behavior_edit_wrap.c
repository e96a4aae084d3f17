// SPDX-License-Identifier: Apache-2.0
// Blocks put round others, taken away from round others, and of another kind.

#include "base/codes/behaviors_codes.h"
#include "behaviors/behavior_edit_internal.h"

static const char *list_word(SomBlockKind kind) {
    return som_block_is_list(kind) ? som_block_kind_word(kind) : NULL;
}

// ---- wrapping

// The last of the blocks; -1 after a refusal.
static int last_of(SomBlockWork *work, int first, int count) {
    const SomBlocks *blocks = work->blocks;
    int last = first;
    for (int i = 1; i < count; i++) {
        int next = blocks->blocks[last].end, parent = blocks->blocks[first].parent;
        if (!som_block_is_in_row(blocks, first) || next >= blocks->blocks[parent].end) {
            som_block_work_refuse(work, SOM_BLOCK_NOT_FOUND, first,
                                  "there are no %d blocks here, one behind the other", count);
            return -1;
        }
        last = next;
    }
    return last;
}

static void wrap(SomBlockWork *work, int first, int last, SomBlockKind kind, SomStr times) {
    const SomBlock *a = &work->blocks->blocks[first], *b = &work->blocks->blocks[last];
    SomText head = {0};
    bool repeats = kind == SOM_BLOCK_REPEAT;
    bool is_listed = !repeats || first != last || a->kind == SOM_BLOCK_EACH;
    if (repeats) {
        som_text_printf(&head, "repeat %.*s: ", SOM_STR_ARG(times));
    }
    if (is_listed) {
        som_text_printf(&head, "%s(", repeats ? "series" : list_word(kind));
    }
    som_edits_replace_span(work->edits, a->span.begin, a->span.begin, som_text_str(&head));
    som_edits_replace_span(work->edits, b->span.end, b->span.end,
                           is_listed ? SOM_STR(")") : SOM_STR(""));
    som_text_free(&head);
}

// Is it what was meant? "3: a, repeat 2" is more than a number.
static void check_wrapped(SomBlockWork *work, SomBlockPlace place, SomBlockKind kind,
                          int block_count) {
    int block = som_block_work_find(work, place);
    int more = kind == SOM_BLOCK_REPEAT ? 2 : 1;
    if (block >= 0 && (work->blocks->blocks[block].kind != kind ||
                       work->blocks->block_count > block_count + more)) {
        som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, -1,
                              "a repetition is said as a number, 'until' and a condition, or "
                              "'forever'");
    }
}

bool som_behavior_wrap(SomDesign *design, SomStr config, SomBlockPlace place, int count,
                       SomBlockKind kind, SomStr times) {
    SomBlockWork work;
    SomText made = {0};
    int first =
        som_block_work_begin(&work, design, config) ? som_block_work_find(&work, place) : -1;
    int last = first >= 0 ? last_of(&work, first, count) : -1;
    bool can = list_word(kind) != NULL || kind == SOM_BLOCK_REPEAT;
    if (last >= 0 && (!can || work.blocks->blocks[first].kind == SOM_BLOCK_BRANCH)) {
        som_block_work_refuse(&work, SOM_BLOCK_CANNOT, first,
                              can ? "a branch stands only in its choose: wrap what is in it"
                                  : "blocks are put into a series, parallel, any or repeat");
    } else if (last >= 0) {
        int block_count = work.blocks->block_count;
        SomStr wanted = som_block_text_trim(times);
        wrap(&work, first, last, kind, wanted.length > 0 ? wanted : SOM_STR("2"));
        if (som_block_work_apply(&work)) {
            check_wrapped(&work, place, kind, block_count);
        }
        som_text_add(&made, place.path);
    }
    return som_block_work_end_made(&work, &made);
}

// ---- unwrapping

// What stands between the brackets of a list, without a comma behind the last member.
static void print_inside(const SomBlockWork *work, int block, SomText *out) {
    const SomSyntax *tree = work->tree;
    const SomBlock *b = &work->blocks->blocks[block];
    int opener = som_syntax_find_token(tree, b->node, SOM_TOKEN_LEFT_PAREN);
    int closer = som_syntax_partner(tree, opener);
    int comma = SOM_NO_TOKEN, last = opener;
    for (int i = opener + 1; i < closer; i++) {
        SomTokenKind kind = som_syntax_token_kind(tree, i);
        if (!som_token_is_trivia(kind)) {
            comma = kind == SOM_TOKEN_COMMA ? i : SOM_NO_TOKEN;
        }
        last = kind != SOM_TOKEN_BLANK && kind != SOM_TOKEN_NEWLINE ? i : last;
    }
    SomText inside = {0};
    for (int i = opener + 1; i <= last; i++) {
        som_text_add(&inside, i != comma ? som_syntax_token_text(tree, i) : SOM_STR(""));
    }
    SomStr own = som_syntax_indentation(tree, b->span.begin);
    SomStr inner = b->child_count > 0
                       ? som_syntax_indentation(tree, work->blocks->blocks[block + 1].span.begin)
                       : own;
    som_block_text_reindent(out, som_block_text_trim(som_text_str(&inside)), inner, own);
    if (som_syntax_token_kind(tree, last) == SOM_TOKEN_COMMENT) {
        som_text_add(out, work->newline); // what comes next is not in it
        som_text_add(out, own);
    }
    som_text_free(&inside);
}

static bool has_comment(const SomSyntax *tree, SomNode node, SomNode but) {
    for (int i = som_syntax_first_token(tree, node); i < som_syntax_end_token(tree, node); i++) {
        if (i == som_syntax_first_token(tree, but)) {
            i = som_syntax_end_token(tree, but);
        }
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_COMMENT) {
            return true;
        }
    }
    return false;
}

// The only child takes the place of the block.
static void unwrap_one(SomBlockWork *work, int block) {
    const SomBlock *b = &work->blocks->blocks[block], *child = &work->blocks->blocks[block + 1];
    SomText flat = {0};
    SomStr text = som_syntax_text(work->tree, child->whole);
    bool is_flat = som_block_is_in_brackets(work->blocks, block) ||
                   (som_block_text_flatten(text, &flat) && (text = som_text_str(&flat), true));
    if (!is_flat || has_comment(work->tree, b->whole, child->whole)) {
        som_block_work_refuse(work, SOM_BLOCK_CANNOT, block,
                              "its comments would have no place; move them first");
    } else {
        som_edits_replace(work->edits, b->whole, text);
    }
    som_text_free(&flat);
}

static void unwrap(SomBlockWork *work, int block) {
    const SomBlock *b = &work->blocks->blocks[block];
    bool is_list = som_block_is_list(b->kind);
    bool is_in_list = som_block_is_in_row(work->blocks, block) &&
                      som_block_is_list(work->blocks->blocks[b->parent].kind);
    const char *word = som_block_kind_word(b->kind);
    if (!is_list && b->kind != SOM_BLOCK_REPEAT && b->kind != SOM_BLOCK_EACH) {
        som_block_work_refuse(work, SOM_BLOCK_CANNOT, block,
                              "of %s blocks nothing can be taken away", word);
    } else if (b->whole != b->node) {
        som_block_work_refuse(work, SOM_BLOCK_CANNOT, block,
                              "the %s has conditions or a time-out, which would be lost; take "
                              "them away first",
                              word);
    } else if (is_list && is_in_list && b->child_count > 0) {
        SomText inside = {0};
        print_inside(work, block, &inside);
        som_edits_replace(work->edits, b->whole, som_text_str(&inside));
        som_text_free(&inside);
    } else if (is_list && is_in_list) {
        som_edits_remove(work->edits, b->whole);
    } else if (b->child_count == 1) {
        unwrap_one(work, block);
    } else {
        som_block_work_refuse(work, SOM_BLOCK_CANNOT, block,
                              "the %s holds %d actions, and one stands here", word, b->child_count);
    }
}

bool som_behavior_unwrap(SomDesign *design, SomStr config, SomBlockPlace place) {
    SomBlockWork work;
    SomText made = {0};
    if (som_block_work_begin(&work, design, config)) {
        int block = som_block_work_find(&work, place);
        if (block >= 0) {
            som_text_add(&made, place.path);
            unwrap(&work, block);
            som_block_work_apply(&work);
        }
    }
    return som_block_work_end_made(&work, &made);
}

// ---- kinds

bool som_behavior_set_kind(SomDesign *design, SomStr config, SomBlockPlace place,
                           SomBlockKind kind) {
    SomBlockWork work;
    int block =
        som_block_work_begin(&work, design, config) ? som_block_work_find(&work, place) : -1;
    if (block >= 0) {
        const SomBlock *b = &work.blocks->blocks[block];
        int token = som_syntax_first_token(work.tree, b->node);
        if (!som_block_is_list(b->kind) || !som_block_is_list(kind)) {
            som_block_work_refuse(&work, SOM_BLOCK_CANNOT, block,
                                  "only series, parallel and any become each other");
        } else if (kind != b->kind) {
            // who writes Sc writes Pc
            bool is_short = som_syntax_token_text(work.tree, token).length == 2;
            const char *word = is_short && kind == SOM_BLOCK_SERIES     ? "Sc"
                               : is_short && kind == SOM_BLOCK_PARALLEL ? "Pc"
                                                                        : list_word(kind);
            SomSpan span = som_syntax_token_span(work.tree, token);
            som_edits_replace_span(work.edits, span.begin, span.end, som_str(word));
            som_block_work_apply(&work);
        }
    }
    return som_block_work_end(&work);
}
