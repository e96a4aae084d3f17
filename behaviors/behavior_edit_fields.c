// SPDX-License-Identifier: Apache-2.0
// Fields of blocks: set, added, taken away; and postures recorded.

#include "base/codes/behaviors_codes.h"
#include "base/number.h"
#include "behaviors/behavior_edit_internal.h"

#include <math.h>

// ---- where a new clause stands

// In the order in which clauses are usually written.
static int rank(SomFieldKind kind) {
    static const SomFieldKind order[] = {SOM_FIELD_SPEED,  SOM_FIELD_DURING,  SOM_FIELD_UNTIL,
                                         SOM_FIELD_WITHIN, SOM_FIELD_TIMEOUT, SOM_FIELD_LATCH};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        if (order[i] == kind) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_clause(SomFieldKind kind) {
    return rank(kind) > 0;
}

// The node of the clause round a field.
static SomNode clause_of(const SomBlocks *blocks, const SomBlockField *field) {
    return field->kind == SOM_FIELD_LATCH ? field->node
                                          : som_syntax_parent(blocks->tree, field->node);
}

static void add_clause(SomBlockWork *work, int block, SomFieldKind kind, SomStr text) {
    const SomBlocks *blocks = work->blocks;
    const SomBlock *b = &blocks->blocks[block];
    SomNode before = 0, behind = 0; // clauses
    for (int i = b->first_field; i < b->first_field + b->field_count; i++) {
        const SomBlockField *f = &blocks->fields.data[i];
        if (is_clause(f->kind) && rank(f->kind) < rank(kind)) {
            before = clause_of(blocks, f);
        } else if (is_clause(f->kind) && behind == 0) {
            behind = clause_of(blocks, f);
        }
    }
    SomText clause = {0};
    const char *word = som_field_kind_word(kind);
    som_text_printf(&clause, kind == SOM_FIELD_LATCH ? "%s" : "%s ", word);
    som_text_add(&clause, kind == SOM_FIELD_LATCH ? SOM_STR("") : text);
    SomText added = {0};
    bool is_first = before == 0 && behind != 0;
    som_text_printf(&added, is_first ? "%s " : " %s", clause.data);
    uint32_t at = before != 0   ? som_syntax_span(work->tree, before).end
                  : behind != 0 ? som_syntax_span(work->tree, behind).begin
                                : b->span.end;
    som_edits_replace_span(work->edits, at, at, som_text_str(&added));
    som_text_free(&clause);
    som_text_free(&added);
}

// A clause behind a repetition or an if would be read as one of what is in it.
static void add_clause_round(SomBlockWork *work, int block, SomFieldKind kind, SomStr text) {
    SomSpan span = work->blocks->blocks[block].span;
    SomText tail = {0};
    som_text_printf(&tail, ") %s %.*s", som_field_kind_word(kind), SOM_STR_ARG(text));
    som_edits_replace_span(work->edits, span.begin, span.begin, SOM_STR("series("));
    som_edits_replace_span(work->edits, span.end, span.end, som_text_str(&tail));
    som_text_free(&tail);
}

// ---- heads of repetitions and loops

// The number of a repetition, or its `until C`.
static SomSpan head_of_repeat(const SomBlockWork *work, int block) {
    const SomBlocks *blocks = work->blocks;
    int field = som_blocks_field(blocks, block, SOM_FIELD_TIMES, 0);
    if (field >= 0) {
        return blocks->fields.data[field].span;
    }
    field = som_blocks_field(blocks, block, SOM_FIELD_UNTIL, 0);
    int word = som_syntax_first_token(work->tree, blocks->blocks[block].node) + 1;
    while (som_token_is_trivia(som_syntax_token_kind(work->tree, word))) {
        word++;
    }
    SomSpan span = som_syntax_token_span(work->tree, word);
    span.end = field >= 0 ? blocks->fields.data[field].span.end : span.end;
    return span;
}

static void set_head_of_repeat(SomBlockWork *work, int block, SomFieldKind kind, SomStr text) {
    SomSpan span = head_of_repeat(work, block);
    SomText head = {0};
    som_text_printf(&head, kind == SOM_FIELD_UNTIL ? "until %.*s" : "%.*s", SOM_STR_ARG(text));
    som_edits_replace_span(work->edits, span.begin, span.end, som_text_str(&head));
    som_text_free(&head);
}

static void add_behind(SomBlockWork *work, uint32_t at, const char *word, SomStr text) {
    SomText added = {0};
    som_text_printf(&added, " %s %.*s", word, SOM_STR_ARG(text));
    som_edits_replace_span(work->edits, at, at, som_text_str(&added));
    som_text_free(&added);
}

// ---- arguments

static void add_argument(SomBlockWork *work, int block, SomStr text) {
    const SomBlock *b = &work->blocks->blocks[block];
    SomNode list = som_syntax_find_child(work->tree, b->node, SOM_SOM_ARGUMENTS);
    if (list != 0) {
        som_edits_insert_into(work->edits, list, text);
        return;
    }
    SomText added = {0};
    som_text_printf(&added, "(%.*s)", SOM_STR_ARG(text));
    uint32_t at = som_syntax_span(work->tree, b->node).end;
    som_edits_replace_span(work->edits, at, at, som_text_str(&added));
    som_text_free(&added);
}

static void clear_argument(SomBlockWork *work, int block, const SomBlockField *field) {
    SomNode argument = som_syntax_parent(work->tree, field->node);
    SomNode list = som_syntax_parent(work->tree, argument);
    if (som_blocks_field(work->blocks, block, SOM_FIELD_ARGUMENT, 1) >= 0) {
        som_edits_remove(work->edits, argument);
    } else {
        som_edits_replace(work->edits, list, SOM_STR(""));
    }
}

// ---- setting

static bool refuse_field(SomBlockWork *work, int block, SomFieldKind kind) {
    return som_block_work_refuse(work, SOM_BLOCK_NOT_FOUND, block, "a %s block has no '%s' here",
                                 som_block_kind_word(work->blocks->blocks[block].kind),
                                 som_field_kind_word(kind));
}

// A field that is not there.
static bool add_field(SomBlockWork *work, int block, SomFieldKind kind, int nth, SomStr text) {
    const SomBlocks *blocks = work->blocks;
    const SomBlock *b = &blocks->blocks[block];
    bool is_repeat = b->kind == SOM_BLOCK_REPEAT;
    int last = som_blocks_field(blocks, block, SOM_FIELD_LAST, 0);
    if (is_repeat && (kind == SOM_FIELD_TIMES || kind == SOM_FIELD_UNTIL)) {
        set_head_of_repeat(work, block, kind, text);
    } else if (is_repeat && kind == SOM_FIELD_FROM) {
        add_behind(work, head_of_repeat(work, block).end, "from", text);
    } else if (b->kind == SOM_BLOCK_EACH && kind == SOM_FIELD_ONLY && last >= 0) {
        add_behind(work, blocks->fields.data[last].span.end, "if", text);
    } else if (b->kind == SOM_BLOCK_CALL && kind == SOM_FIELD_ARGUMENT &&
               (nth == 0 || som_blocks_field(blocks, block, kind, nth - 1) >= 0)) {
        add_argument(work, block, text);
    } else if (b->kind == SOM_BLOCK_HOLD && kind == SOM_FIELD_PLACE) {
        uint32_t at = som_syntax_span(work->tree, b->node).end;
        SomText added = {0};
        som_text_printf(&added, " %.*s", SOM_STR_ARG(text));
        som_edits_replace_span(work->edits, at, at, som_text_str(&added));
        som_text_free(&added);
    } else if (is_clause(kind) && nth == 0 && som_block_takes(b->kind, kind)) {
        if (is_repeat || b->kind == SOM_BLOCK_IF) {
            add_clause_round(work, block, kind, text);
        } else {
            add_clause(work, block, kind, text);
        }
    } else {
        return refuse_field(work, block, kind);
    }
    return true;
}

// After the step: is the field there, with this text and nothing else? A value that brings along a
// clause or an action is none.
static void check_set(SomBlockWork *work, SomBlockPlace place, SomFieldKind kind, int nth,
                      SomStr text, int block_count, bool is_round) {
    int block = som_block_work_find(work, place);
    int field = block >= 0 ? som_blocks_field(work->blocks, block, kind, nth) : -1;
    SomStr found = field >= 0 ? work->blocks->fields.data[field].text : SOM_STR("");
    bool is_said =
        kind == SOM_FIELD_ARGUMENT ? som_str_ends_with(text, found) : som_str_equal(text, found);
    if (field < 0 || !is_said || work->blocks->block_count != block_count + (is_round ? 1 : 0)) {
        som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, -1, "'%.*s' cannot stand here",
                              SOM_STR_ARG(text));
    }
}

static void set_field(SomBlockWork *work, SomBlockPlace place, SomFieldKind kind, int nth,
                      SomStr wanted) {
    int block = som_block_work_find(work, place);
    if (block < 0) {
        return;
    }
    SomStr trimmed = som_block_text_trim(wanted);
    SomStr text = kind == SOM_FIELD_LATCH ? SOM_STR("hold") : trimmed;
    int field = som_blocks_field(work->blocks, block, kind, nth);
    int count = work->blocks->block_count;
    int fields = work->blocks->blocks[block].field_count;
    SomBlockKind owner = work->blocks->blocks[block].kind;
    bool is_round = field < 0 && (owner == SOM_BLOCK_REPEAT || owner == SOM_BLOCK_IF) &&
                    is_clause(kind) && !(owner == SOM_BLOCK_REPEAT && kind == SOM_FIELD_UNTIL);
    bool is_head =
        owner == SOM_BLOCK_REPEAT && (kind == SOM_FIELD_TIMES || kind == SOM_FIELD_UNTIL);
    if (field >= 0) {
        SomSpan span = work->blocks->fields.data[field].span;
        som_edits_replace_span(work->edits, span.begin, span.end, text);
    } else if (!add_field(work, block, kind, nth, text)) {
        return;
    }
    if (!som_block_work_apply(work)) {
        return;
    }
    check_set(work, place, kind, nth, text, count, is_round);
    int now = som_blocks_find(work->blocks, place.behavior, place.path);
    int more = now >= 0 ? work->blocks->blocks[now].field_count - fields : 0;
    if (!is_round && more != (field >= 0 || is_head ? 0 : 1)) {
        som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, -1, "'%.*s' cannot stand here",
                              SOM_STR_ARG(text));
    }
}

bool som_behavior_set_field(SomDesign *design, SomStr config, SomBlockPlace block,
                            SomFieldKind kind, int nth, SomStr text) {
    SomBlockWork work;
    if (som_block_work_begin(&work, design, config)) {
        set_field(&work, block, kind, nth, text);
    }
    return som_block_work_end(&work);
}

// To a billionth of the unit: what a slider gives is no number that people write.
static void print_tidy(SomQuantity quantity, const SomUnit *unit, SomText *out) {
    som_text_number(out, round(som_unit_from_si(unit, quantity.value) * 1e9) / 1e9 + 0.0);
    som_text_add(out, unit->text);
}

bool som_behavior_set_quantity(SomDesign *design, SomStr config, SomBlockPlace place,
                               SomFieldKind kind, int nth, SomQuantity quantity) {
    SomBlockWork work;
    SomText text = {0};
    if (som_block_work_begin(&work, design, config)) {
        int block = som_blocks_find(work.blocks, place.behavior, place.path);
        int field = block >= 0 ? som_blocks_field(work.blocks, block, kind, nth) : -1;
        const SomBlockField *f = field >= 0 ? &work.blocks->fields.data[field] : NULL;
        const SomDimensionInfo *info = som_dimension_info(quantity.dimension);
        bool is_same = f != NULL && f->is_literal &&
                       som_dimension_equal(f->quantity.dimension, quantity.dimension);
        const SomUnit *unit = som_unit_find(is_same        ? f->unit
                                            : info != NULL ? info->unit
                                                           : SOM_STR(""));
        if (!(fabs(quantity.value) <= 1e9)) {
            som_block_work_refuse(&work, SOM_BLOCK_NOT_ACTION, block,
                                  "the value is not finite, or too large");
        } else if (unit != NULL) {
            print_tidy(quantity, unit, &text);
        } else {
            som_quantity_print(quantity, NULL, &text);
        }
        set_field(&work, place, kind, nth, som_text_str(&text));
    }
    som_text_free(&text);
    return som_block_work_end(&work);
}

// ---- taking away

// A node with the blanks before it.
static void remove_with_blanks(SomBlockWork *work, uint32_t from, uint32_t end) {
    SomStr text = som_text_str(&work->text);
    uint32_t begin = from;
    while (begin > 0 && memchr(" \t\r\n", text.data[begin - 1], 4) != NULL) {
        begin--;
    }
    int before = som_syntax_token_at(work->tree, begin > 0 ? begin - 1 : 0);
    bool is_comment = som_syntax_token_kind(work->tree, before) == SOM_TOKEN_COMMENT;
    som_edits_replace_span(work->edits, is_comment ? from : begin, end, SOM_STR(""));
}

static void clear_field(SomBlockWork *work, int block, const SomBlockField *field) {
    const SomSyntax *tree = work->tree;
    SomBlockKind kind = work->blocks->blocks[block].kind;
    if (field->kind == SOM_FIELD_ARGUMENT) {
        clear_argument(work, block, field);
    } else if (field->kind == SOM_FIELD_ONLY) {
        SomNode range = som_syntax_previous_sibling(tree, field->node);
        remove_with_blanks(work, som_syntax_span(tree, range).end, field->span.end);
    } else if (field->kind == SOM_FIELD_PLACE && kind == SOM_BLOCK_HOLD) {
        remove_with_blanks(work, field->span.begin, field->span.end);
    } else if (field->kind == SOM_FIELD_FROM ||
               (is_clause(field->kind) && kind != SOM_BLOCK_REPEAT)) {
        SomSpan span = som_syntax_span(tree, clause_of(work->blocks, field));
        remove_with_blanks(work, span.begin, span.end);
    } else {
        som_block_work_refuse(work, SOM_BLOCK_CANNOT, block, "a %s block needs its '%s'",
                              som_block_kind_word(kind), som_field_kind_word(field->kind));
    }
}

bool som_behavior_clear_field(SomDesign *design, SomStr config, SomBlockPlace place,
                              SomFieldKind kind, int nth) {
    SomBlockWork work;
    int block =
        som_block_work_begin(&work, design, config) ? som_block_work_find(&work, place) : -1;
    if (block >= 0) {
        int field = som_blocks_field(work.blocks, block, kind, nth);
        if (field < 0) {
            refuse_field(&work, block, kind);
        } else {
            clear_field(&work, block, &work.blocks->fields.data[field]);
            som_block_work_apply(&work);
        }
    }
    return som_block_work_end(&work);
}

// ---- recording

// Moves of the joints, in parallel if there are several.
static bool print_moves(SomBlockWork *work, const SomJointValue *values, int count, SomText *out) {
    som_text_add(out, count > 1 ? SOM_STR("parallel(") : SOM_STR(""));
    for (int i = 0; i < count; i++) {
        int dof = som_design_find_joint(work->design, som_text_str(&work->choice), &values[i]);
        if (dof < 0) {
            work->is_refused = true;
            return false;
        }
        som_text_printf(out, "%s%.*s to ", i > 0 ? ", " : "", SOM_STR_ARG(values[i].joint));
        som_dof_print_value(work->now->configuration, dof, values[i].value, out);
    }
    som_text_add(out, count > 1 ? SOM_STR(")") : SOM_STR(""));
    return true;
}

static bool record_pose(SomBlockWork *work, SomStr pose, const SomJointValue *values, int count,
                        SomText *out) {
    SomText posed = {0};
    bool is_fine = som_design_print_posed(work->design, som_text_str(&work->choice), pose, values,
                                          count, &posed);
    work->is_refused |= !is_fine;
    is_fine = is_fine && som_block_work_set_text(work, som_text_str(&posed));
    som_text_add(out, SOM_STR("to pose "));
    som_behavior_name_print(out, pose);
    som_text_free(&posed);
    return is_fine;
}

bool som_behavior_record(SomDesign *design, SomStr config, SomBlockPlace into, int index,
                         SomStr pose, const SomJointValue *values, int count) {
    SomBlockWork work;
    SomText made = {0}, action = {0};
    if (som_block_work_begin(&work, design, config) && som_block_work_find(&work, into) >= 0) {
        bool is_fine = count > 0 || som_block_work_refuse(&work, SOM_BLOCK_NOT_ACTION, -1,
                                                          "no joint is to be moved");
        if (is_fine && (pose.length > 0 ? record_pose(&work, pose, values, count, &action)
                                        : print_moves(&work, values, count, &action))) {
            som_block_work_insert(&work, into, index, som_text_str(&action), &made);
        }
    }
    som_text_free(&action);
    return som_block_work_end_made(&work, &made);
}
