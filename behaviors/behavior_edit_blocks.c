// SPDX-License-Identifier: Apache-2.0
// Blocks put in, taken out, moved about and put round each other.

#include "base/codes/behaviors_codes.h"
#include "behaviors/behavior_edit_internal.h"

#include <assert.h>

// ---- texts of actions

// A tree with one list or choose that holds the text; NULL if that is not what it is.
static SomSyntax *parse_member(SomStr text, const char *list, SomText *whole) {
    som_text_printf(whole, "%s(", list);
    som_text_add(whole, text);
    som_text_add(whole, SOM_STR(")"));
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR(""), som_text_str(whole));
    SomSyntax *tree = som_som_parse_action(som_text_str(whole), source1, diags);
    SomNode node = som_syntax_first_child(tree, SOM_ROOT);
    SomNode member = node != 0 ? som_syntax_first_child(tree, node) : 0;
    bool is_one = som_diagnostics_error_count(diags) == 0 && member != 0 &&
                  som_syntax_next_sibling(tree, member) == 0 &&
                  som_str_equal(som_syntax_text(tree, node), som_text_str(whole)) &&
                  som_str_equal(som_syntax_text(tree, member), text);
    som_diagnostics_destroy(diags);
    if (!is_one) {
        som_syntax_destroy(tree);
        tree = NULL;
    }
    return tree;
}

static bool is_member(SomStr text, const char *list) {
    SomText whole = {0};
    SomSyntax *tree = parse_member(text, list, &whole);
    som_syntax_destroy(tree);
    som_text_free(&whole);
    return tree != NULL;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

SomStr som_block_text_trim(SomStr text) {
    size_t begin = 0, end = text.length;
    while (begin < end && is_blank(text.data[begin])) {
        begin++;
    }
    while (end > begin && is_blank(text.data[end - 1])) {
        end--;
    }
    return som_str_slice(text, begin, end);
}

bool som_block_work_check_action(SomBlockWork *work, SomStr *action) {
    *action = som_block_text_trim(*action);
    return is_member(*action, "series") || is_member(*action, "choose") ||
           som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, -1, "'%.*s' is not one action",
                                 SOM_STR_ARG(*action));
}

bool som_block_text_flatten(SomStr text, SomText *out) {
    SomText whole = {0};
    SomSyntax *tree = parse_member(text, "series", &whole);
    bool is_fine = tree != NULL;
    int depth = 0;
    bool was_blank = false;
    for (int i = 2; is_fine && i + 1 < som_syntax_token_count(tree); i++) {
        SomTokenKind kind = som_syntax_token_kind(tree, i);
        depth += som_token_is_opener(kind) ? 1 : som_token_is_closer(kind) ? -1 : 0;
        bool is_flat = depth == 0 && som_token_is_trivia(kind);
        is_fine = !(is_flat && kind == SOM_TOKEN_COMMENT);
        if (!is_flat || !was_blank) {
            som_text_add(out, is_flat ? SOM_STR(" ") : som_syntax_token_text(tree, i));
        }
        was_blank = is_flat;
    }
    som_syntax_destroy(tree);
    som_text_free(&whole);
    return is_fine;
}

void som_block_text_reindent(SomText *out, SomStr text, SomStr from, SomStr to) {
    size_t at = 0;
    while (at < text.length) {
        const char *newline = memchr(text.data + at, '\n', text.length - at);
        size_t end = newline != NULL ? (size_t)(newline - text.data) + 1 : text.length;
        SomStr line = som_str_slice(text, at, end);
        if (at > 0 && from.length > 0 && som_str_starts_with(line, from)) {
            som_text_add(out, to);
            line = som_str_slice(line, from.length, line.length);
        }
        som_text_add(out, line);
        at = end;
    }
}

// The text of a block as if it stood at the beginning of a line.
static void print_block(const SomBlockWork *work, int block, SomText *out) {
    const SomBlock *b = &work->blocks->blocks[block];
    som_block_text_reindent(out, som_syntax_text(work->tree, b->whole),
                            som_syntax_indentation(work->tree, b->span.begin), SOM_STR(""));
}

// ---- where blocks stand

bool som_block_is_in_row(const SomBlocks *blocks, int block) {
    int parent = blocks->blocks[block].parent;
    return parent >= 0 && (som_block_is_list(blocks->blocks[parent].kind) ||
                           blocks->blocks[parent].kind == SOM_BLOCK_CHOOSE);
}

bool som_block_is_in_brackets(const SomBlocks *blocks, int block) {
    for (; block >= 0; block = blocks->blocks[block].parent) {
        if (som_block_is_in_row(blocks, block)) {
            return true;
        }
    }
    return false;
}

static int index_of(const SomBlocks *blocks, int block) {
    int index = 0;
    for (int child = blocks->blocks[block].parent + 1; child != block;
         child = blocks->blocks[child].end) {
        index++;
    }
    return index;
}

static void print_child_path(const SomBlocks *blocks, int block, int index, SomText *out) {
    if (out == NULL) {
        return;
    }
    size_t before = out->length;
    som_blocks_print_path(blocks, block, out);
    som_text_printf(out, out->length > before ? "/%d" : "%d", index);
}

// ---- putting in

static bool is_first_on_line(SomStr text, uint32_t at) {
    while (at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '\t')) {
        at--;
    }
    return at == 0 || text.data[at - 1] == '\n';
}

// Comments before an action begin a line: else they would seem to be about what is before them.
static void add_on_own_line(const SomBlockWork *work, SomNode neighbour, SomStr action,
                            SomText *out) {
    uint32_t at = neighbour != 0 ? som_syntax_span(work->tree, neighbour).begin : 0;
    bool is_comment = action.length > 0 && action.data[0] == '#';
    if (!is_comment || neighbour == 0 || is_first_on_line(som_text_str(&work->text), at)) {
        som_text_add(out, action);
        return;
    }
    SomStr indentation = som_syntax_indentation(work->tree, at);
    som_text_add(out, work->newline);
    for (size_t i = 0; i < action.length; i++) {
        if (i == 0 || action.data[i - 1] == '\n') {
            som_text_add(out, indentation);
            som_text_add(out, SOM_STR("    "));
        }
        som_text_add_char(out, action.data[i], 1);
    }
}

static bool insert_into_row(SomBlockWork *work, int row, int index, SomStr action, SomText *made) {
    const SomBlocks *blocks = work->blocks;
    const SomBlock *b = &blocks->blocks[row];
    int count = b->child_count;
    int at = index < 0 || index > count ? count : index;
    int near = count > 0 ? som_blocks_child(blocks, row, at < count ? at : count - 1) : -1;
    SomNode neighbour = near >= 0 ? blocks->blocks[near].whole : 0;
    SomText text = {0};
    add_on_own_line(work, neighbour, action, &text);
    print_child_path(blocks, row, at, made);
    if (near < 0) {
        som_edits_insert_into(work->edits, b->node, som_text_str(&text));
    } else if (at < count) {
        som_edits_insert_before(work->edits, neighbour, som_text_str(&text));
    } else {
        som_edits_insert_after(work->edits, neighbour, som_text_str(&text));
    }
    som_text_free(&text);
    return som_block_work_apply(work);
}

// A series takes the place of a block: of it and the action.
static bool insert_beside(SomBlockWork *work, int block, bool is_before, SomStr action,
                          SomText *made) {
    const SomBlock *b = &work->blocks->blocks[block];
    print_child_path(work->blocks, block, is_before ? 0 : 1, made);
    SomText head = {0}, tail = {0};
    som_text_add(&head, SOM_STR("series("));
    if (is_before) {
        add_on_own_line(work, b->whole, action, &head);
        som_text_add(&head, SOM_STR(", "));
    } else {
        som_text_add(&tail, SOM_STR(", "));
        add_on_own_line(work, b->whole, action, &tail);
    }
    som_text_add(&tail, SOM_STR(")"));
    som_edits_replace_span(work->edits, b->span.begin, b->span.begin, som_text_str(&head));
    som_edits_replace_span(work->edits, b->span.end, b->span.end, som_text_str(&tail));
    som_text_free(&head);
    som_text_free(&tail);
    return som_block_work_apply(work);
}

// A comment before a branch or action is no part of it.
static SomStr behind_comments(SomStr text) {
    while (text.length > 0 && text.data[0] == '#') {
        const char *newline = memchr(text.data, '\n', text.length);
        size_t end = newline != NULL ? (size_t)(newline - text.data) + 1 : text.length;
        text = som_block_text_trim(som_str_slice(text, end, text.length));
    }
    return text;
}

static bool insert_branch(SomBlockWork *work, int choose, int index, SomStr action, SomText *made) {
    SomStr solid = behind_comments(action);
    if (is_member(solid, "choose")) {
        return insert_into_row(work, choose, index, action, made);
    }
    const SomBlocks *blocks = work->blocks;
    for (int b = choose + 1; b < blocks->blocks[choose].end; b = blocks->blocks[b].end) {
        int condition = som_blocks_field(blocks, b, SOM_FIELD_CONDITION, 0);
        if (condition >= 0 && som_str_equal(blocks->fields.data[condition].text, SOM_STR("else"))) {
            return som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, choose,
                                         "a branch begins with a condition: put it into one "
                                         "of the branches, or write CONDITION: action");
        }
    }
    SomText branch = {0};
    som_text_add(&branch, som_str_slice(action, 0, (size_t)(solid.data - action.data)));
    som_text_add(&branch, SOM_STR("else: "));
    som_text_add(&branch, solid);
    bool is_fine = insert_into_row(work, choose, SOM_LAST, som_text_str(&branch), made);
    som_text_free(&branch);
    return is_fine;
}

bool som_block_work_insert(SomBlockWork *work, SomBlockPlace into, int index, SomStr action,
                           SomText *made) {
    int block = som_block_work_find(work, into);
    if (block < 0) {
        return false;
    }
    const SomBlocks *blocks = work->blocks;
    SomBlockKind kind = blocks->blocks[block].kind;
    if (kind == SOM_BLOCK_CHOOSE) {
        return insert_branch(work, block, index, action, made);
    }
    if (!is_member(behind_comments(action), "series")) {
        return som_block_work_refuse(work, SOM_BLOCK_NOT_ACTION, block,
                                     "'%.*s' is a branch, which stands only in a choose",
                                     SOM_STR_ARG(behind_comments(action)));
    }
    if (kind == SOM_BLOCK_IF) {
        block = som_blocks_child(blocks, block, index == 0 ? 0 : 1);
        index = SOM_LAST;
    } else if (kind == SOM_BLOCK_REPEAT || kind == SOM_BLOCK_BRANCH || kind == SOM_BLOCK_EACH) {
        block = som_blocks_child(blocks, block, 0);
    }
    assert(block >= 0); // a text without errors has all its actions
    return som_block_is_list(blocks->blocks[block].kind)
               ? insert_into_row(work, block, index, action, made)
               : insert_beside(work, block, index == 0, action, made);
}

bool som_block_work_end_made(SomBlockWork *work, SomText *made) {
    SomDesign *design = work->design;
    bool done = som_block_work_end(work);
    if (done) {
        som_design_set_new_name(design, som_text_str(made));
    }
    som_text_free(made);
    return done;
}

bool som_behavior_insert(SomDesign *design, SomStr config, SomBlockPlace into, int index,
                         SomStr action) {
    SomBlockWork work;
    SomText made = {0};
    if (som_block_work_begin(&work, design, config) &&
        som_block_work_check_action(&work, &action)) {
        som_block_work_insert(&work, into, index, action, &made);
    }
    return som_block_work_end_made(&work, &made);
}

// ---- taking out

static void take_out(SomBlockWork *work, int block) {
    if (som_block_is_in_row(work->blocks, block)) {
        som_edits_remove(work->edits, work->blocks->blocks[block].whole);
    } else {
        som_edits_replace(work->edits, work->blocks->blocks[block].whole, SOM_STR("series()"));
    }
}

bool som_behavior_remove_block(SomDesign *design, SomStr config, SomBlockPlace place) {
    SomBlockWork work;
    if (som_block_work_begin(&work, design, config)) {
        int block = som_block_work_find(&work, place);
        if (block >= 0) {
            take_out(&work, block);
            som_block_work_apply(&work);
        }
    }
    return som_block_work_end(&work);
}

bool som_behavior_replace(SomDesign *design, SomStr config, SomBlockPlace place, SomStr action) {
    SomBlockWork work;
    SomText made = {0}, text = {0};
    if (som_block_work_begin(&work, design, config) &&
        som_block_work_check_action(&work, &action)) {
        int block = som_block_work_find(&work, place);
        if (block >= 0) {
            bool is_flat = !som_block_is_in_brackets(work.blocks, block) &&
                           som_block_text_flatten(action, &text);
            som_edits_replace(work.edits, work.blocks->blocks[block].whole,
                              is_flat ? som_text_str(&text) : action);
            som_text_add(&made, place.path);
            som_block_work_apply(&work);
        }
    }
    som_text_free(&text);
    return som_block_work_end_made(&work, &made);
}

// ---- moving

typedef struct Steps {
    SOM_ARRAY(int) at;
} Steps;

static void read_steps(const SomBlocks *blocks, int block, Steps *steps) {
    for (; blocks->blocks[block].parent >= 0; block = blocks->blocks[block].parent) {
        int index = index_of(blocks, block);
        som_array_push(&steps->at, index);
    }
    for (int i = 0; i < steps->at.count / 2; i++) {
        int other = steps->at.count - 1 - i, swap = steps->at.data[i];
        steps->at.data[i] = steps->at.data[other];
        steps->at.data[other] = swap;
    }
}

static void print_steps(const Steps *steps, SomText *out) {
    for (int i = 0; i < steps->at.count; i++) {
        som_text_printf(out, i > 0 ? "/%d" : "%d", steps->at.data[i]);
    }
}

// Where the target is when the block has gone from its row; `index` is that in the target.
static void print_path_without(const SomBlocks *blocks, int block, int target, int *index,
                               SomText *out) {
    Steps from = {0}, to = {0};
    read_steps(blocks, block, &from);
    read_steps(blocks, target, &to);
    int last = from.at.count - 1;
    bool is_near = som_block_is_in_row(blocks, block) &&
                   blocks->blocks[block].behavior == blocks->blocks[target].behavior &&
                   to.at.count >= last;
    for (int i = 0; is_near && i < last; i++) {
        is_near = from.at.data[i] == to.at.data[i];
    }
    if (is_near && to.at.count == last && *index > from.at.data[last]) {
        (*index)--;
    } else if (is_near && to.at.count > last && to.at.data[last] > from.at.data[last]) {
        to.at.data[last]--;
    }
    print_steps(&to, out);
    som_array_free(&from.at);
    som_array_free(&to.at);
}

// Comments of the tree before, but for those in the span, that are no more: they went with it.
static void print_lost_comments(const SomBlockWork *work, const SomSyntax *before, SomSpan span,
                                SomText *out) {
    const SomSyntax *after = work->tree;
    int next = 0, count = som_syntax_token_count(after);
    for (int i = 0; i < som_syntax_token_count(before); i++) {
        uint32_t begin = som_syntax_token_span(before, i).begin;
        if (som_syntax_token_kind(before, i) != SOM_TOKEN_COMMENT ||
            (begin >= span.begin && begin < span.end)) {
            continue;
        }
        while (next < count && som_syntax_token_kind(after, next) != SOM_TOKEN_COMMENT) {
            next++;
        }
        SomStr comment = som_syntax_token_text(before, i);
        if (next < count && som_str_equal(som_syntax_token_text(after, next), comment)) {
            next++;
        } else {
            som_text_add(out, comment);
            som_text_add(out, work->newline);
        }
    }
}

// Takes the block out; its text, with the comments that went with it, is added to `out`.
static bool lift_out(SomBlockWork *work, int block, SomText *out) {
    SomText text = {0}, old = {0};
    print_block(work, block, &text);
    SomSpan span = work->blocks->blocks[block].span;
    som_text_add(&old, som_text_str(&work->text));
    take_out(work, block);
    bool is_fine = som_block_work_apply(work);
    if (is_fine) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *before = som_som_parse(som_text_str(&old), &som_dialect_somite, 0, diags);
        print_lost_comments(work, before, span, out);
        som_text_add(out, som_text_str(&text));
        som_syntax_destroy(before);
        som_diagnostics_destroy(diags);
    }
    som_text_free(&text);
    som_text_free(&old);
    return is_fine;
}

static bool stays(const SomBlocks *blocks, int block, int target, int index) {
    int own = index_of(blocks, block), count = blocks->blocks[target].child_count;
    bool is_last = index < 0 || index > count;
    return blocks->blocks[block].parent == target && som_block_is_in_row(blocks, block) &&
           (is_last ? own == count - 1 : index == own || index == own + 1);
}

static void move(SomBlockWork *work, int block, int target, SomStr behavior, int index,
                 SomText *made) {
    const SomBlocks *blocks = work->blocks;
    if (target >= block && target < blocks->blocks[block].end) {
        som_block_work_refuse(work, SOM_BLOCK_IN_ITSELF, block,
                              "a block cannot be moved into itself");
        return;
    }
    if (stays(blocks, block, target, index)) {
        som_blocks_print_path(blocks, block, made);
        return;
    }
    SomText path = {0}, text = {0};
    print_path_without(blocks, block, target, &index, &path);
    if (lift_out(work, block, &text)) {
        som_block_work_insert(work, (SomBlockPlace){behavior, som_text_str(&path)}, index,
                              som_text_str(&text), made);
    }
    som_text_free(&path);
    som_text_free(&text);
}

bool som_behavior_move(SomDesign *design, SomStr config, SomBlockPlace place, SomBlockPlace into,
                       int index) {
    SomBlockWork work;
    SomText made = {0};
    if (som_block_work_begin(&work, design, config)) {
        int block = som_block_work_find(&work, place);
        int target = block >= 0 ? som_block_work_find(&work, into) : -1;
        if (target >= 0) {
            move(&work, block, target, into.behavior, index, &made);
        }
    }
    return som_block_work_end_made(&work, &made);
}

bool som_behavior_duplicate(SomDesign *design, SomStr config, SomBlockPlace place) {
    SomBlockWork work;
    SomText made = {0}, text = {0};
    int block =
        som_block_work_begin(&work, design, config) ? som_block_work_find(&work, place) : -1;
    if (block >= 0) {
        print_block(&work, block, &text);
        if (som_block_is_in_row(work.blocks, block)) {
            int parent = work.blocks->blocks[block].parent;
            insert_into_row(&work, parent, index_of(work.blocks, block) + 1, som_text_str(&text),
                            &made);
        } else {
            insert_beside(&work, block, false, som_text_str(&text), &made);
        }
    }
    som_text_free(&text);
    return som_block_work_end_made(&work, &made);
}
