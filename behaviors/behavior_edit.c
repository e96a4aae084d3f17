// SPDX-License-Identifier: Apache-2.0
// Behaviors being edited: how an operation is made or refused, and whole behaviors.

#include "behaviors/behavior_edit.h"

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_codes.h"
#include "behaviors/behavior_edit_internal.h"
#include "behaviors/behavior_samples.h"
#include "language/name.h"
#include "language/som_format.h"

#include <stdarg.h>

// ---- texts

// All line ends become "\n", or "\r\n".
static void add_with_line_ends(SomText *out, SomStr text, bool has_returns) {
    for (size_t i = 0; i < text.length; i++) {
        bool is_return = text.data[i] == '\r' && i + 1 < text.length && text.data[i + 1] == '\n';
        if (text.data[i] == '\n' && has_returns) {
            som_text_add(out, SOM_STR("\r\n"));
        } else if (!is_return) {
            som_text_add_char(out, text.data[i], 1);
        }
    }
}

static bool has_returns(SomStr text) {
    const char *newline = text.length > 0 ? memchr(text.data, '\n', text.length) : NULL;
    return newline != NULL && newline > text.data && newline[-1] == '\r';
}

#define BEFORE "config A {\n    "
#define BEHIND "\n}\n"

// The canonical form of a statement, with "\n" for line ends. False if it has errors.
static bool format_statement(SomStr statement, SomText *out) {
    SomText file = {0}, formatted = {0};
    som_text_add(&file, SOM_STR(BEFORE));
    som_text_add(&file, statement);
    som_text_add(&file, SOM_STR(BEHIND));
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(som_text_str(&file), &som_dialect_somite, 0, diags);
    bool is_fine = som_som_format(tree, &formatted) &&
                   som_str_starts_with(som_text_str(&formatted), SOM_STR(BEFORE)) &&
                   som_str_ends_with(som_text_str(&formatted), SOM_STR(BEHIND));
    if (is_fine) {
        som_text_add(out, som_str_slice(som_text_str(&formatted), sizeof BEFORE - 1,
                                        formatted.length - (sizeof BEHIND - 1)));
    }
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&file);
    som_text_free(&formatted);
    return is_fine;
}

// Does the statement stand alone on its lines, as far in as the canonical form has it?
static bool is_indented(SomStr text, uint32_t begin) {
    return begin >= 5 && som_str_equal(som_str_slice(text, begin - 5, begin), SOM_STR("\n    "));
}

static bool is_canonical(const SomBlockWork *work, int behavior) {
    SomSpan span = work->blocks->behaviors.data[behavior].span;
    SomText written = {0}, formatted = {0};
    add_with_line_ends(&written, som_str_slice(som_text_str(&work->text), span.begin, span.end),
                       false);
    bool is_same = is_indented(som_text_str(&work->text), span.begin) &&
                   format_statement(som_text_str(&written), &formatted) &&
                   som_str_equal(som_text_str(&written), som_text_str(&formatted));
    som_text_free(&written);
    som_text_free(&formatted);
    return is_same;
}

static bool is_kept_tidy(const SomBlockWork *work, SomStr behavior) {
    bool is_kept = false;
    for (int i = 0; i < work->tidy.count; i++) {
        is_kept |= som_str_equal(som_text_str(&work->tidy.data[i]), behavior);
    }
    return is_kept;
}

static void keep_tidy(SomBlockWork *work, SomStr behavior) {
    SomText name = {0};
    som_text_add(&name, behavior);
    som_array_push(&work->tidy, name);
}

// ---- steps

static void forget_step(SomBlockWork *work) {
    som_edits_destroy(work->edits);
    som_blocks_destroy(work->blocks);
    som_syntax_destroy(work->own_tree);
    som_diagnostics_destroy(work->diags);
    work->edits = NULL;
    work->blocks = NULL;
    work->tree = NULL;
    work->own_tree = NULL;
    work->diags = NULL;
}

static void parse(SomBlockWork *work) {
    SomStr text = som_text_str(&work->text);
    work->diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(work->diags, SOM_STR(""), text);
    work->own_tree = som_som_parse(text, &som_dialect_somite, source1, work->diags);
    work->tree = work->own_tree;
}

static void read_tree(SomBlockWork *work) {
    work->blocks = som_blocks_create(work->tree, som_text_str(&work->config));
    work->edits = som_edits_create(work->tree);
}

bool som_block_work_begin(SomBlockWork *work, SomDesign *design, SomStr config) {
    *work = (SomBlockWork){.design = design};
    som_text_add(&work->choice, config);
    som_text_add(&work->choice, SOM_STR("")); // terminated
    work->now = som_design_change_begin(design, som_text_str(&work->choice));
    if (work->now == NULL) {
        work->is_refused = true;
        return false;
    }
    const SomDesignFile *file = som_workspace_file(work->now->workspace, work->now->file);
    som_name_print_quoted(&work->config, file->configs[work->now->config].name);
    som_text_add(&work->text, file->text);
    work->newline = has_returns(file->text) ? SOM_STR("\r\n") : SOM_STR("\n");
    work->tree = file->tree;
    read_tree(work);
    return true;
}

bool som_block_work_refuse(SomBlockWork *work, SomCode code, int block, const char *format, ...) {
    if (work->is_refused) {
        return false;
    }
    work->is_refused = true;
    SomSpan span = {0};
    if (block >= 0 && work->steps == 0) {
        span = work->blocks->blocks[block].span;
    }
    SomText message = {0};
    va_list args;
    va_start(args, format);
    som_text_vprintf(&message, format, args);
    va_end(args);
    som_design_refuse(work->design, code, span, "%.*s", SOM_STR_ARG(som_text_str(&message)));
    som_text_free(&message);
    return false;
}

bool som_block_work_set_text(SomBlockWork *work, SomStr text) {
    SomText copy = {0};
    som_text_add(&copy, text);
    forget_step(work);
    som_text_free(&work->text);
    work->text = copy;
    work->steps++;
    parse(work);
    read_tree(work);
    if (som_diagnostics_error_count(work->diags) > 0) {
        int count;
        const SomDiagnostic *entries = som_diagnostics_get(work->diags, &count);
        return som_block_work_refuse(work, SOM_BLOCK_BREAKS, -1, "this cannot be done: %.*s",
                                     SOM_STR_ARG(entries[0].message));
    }
    return true;
}

bool som_block_work_apply(SomBlockWork *work) {
    if (work->is_refused) {
        return false;
    }
    SomText text = {0};
    bool is_fine = som_edits_apply(work->edits, &text)
                       ? som_block_work_set_text(work, som_text_str(&text))
                       : som_block_work_refuse(work, SOM_BLOCK_BREAKS, -1,
                                               "this cannot be done: the changes overlap");
    som_text_free(&text);
    return is_fine;
}

// Behaviors that were in canonical form are so again: the text to be made, which is not read here.
static void print_tidied(SomBlockWork *work, SomText *out) {
    SomStr text = som_text_str(&work->text);
    for (int i = 0; i < work->tidy.count; i++) {
        int behavior = som_blocks_find_behavior(work->blocks, som_text_str(&work->tidy.data[i]));
        SomSpan span = behavior >= 0 ? work->blocks->behaviors.data[behavior].span : (SomSpan){0};
        SomText written = {0}, formatted = {0}, wanted = {0};
        add_with_line_ends(&written, som_str_slice(text, span.begin, span.end), false);
        if (is_indented(text, span.begin) && format_statement(som_text_str(&written), &formatted)) {
            add_with_line_ends(&wanted, som_text_str(&formatted), work->newline.length > 1);
            som_edits_replace_span(work->edits, span.begin, span.end, som_text_str(&wanted));
        }
        som_text_free(&written);
        som_text_free(&formatted);
        som_text_free(&wanted);
    }
    som_edits_apply(work->edits, out); // of different statements
}

// The composition of the last text, if it is one that may be made.
static SomComposition *try_text(SomBlockWork *work) {
    SomText text = {0}, why = {0};
    print_tidied(work, &text);
    SomComposition *next =
        som_design_change_try(work->design, som_text_str(&work->choice), som_text_str(&text));
    if (next != NULL && !som_behaviors_still_compile(work->now, next, &why)) {
        som_block_work_refuse(work, SOM_BLOCK_BREAKS, -1, "this cannot be done: %.*s",
                              SOM_STR_ARG(som_text_str(&why)));
        som_composition_release(next);
        next = NULL;
    }
    som_text_free(&text);
    som_text_free(&why);
    return next;
}

bool som_block_work_end(SomBlockWork *work) {
    bool is_done = !work->is_refused;
    if (is_done && work->steps > 0) {
        is_done = som_design_change_make(work->design, try_text(work));
    }
    forget_step(work);
    som_text_free(&work->text);
    som_text_free(&work->choice);
    som_text_free(&work->config);
    for (int i = 0; i < work->tidy.count; i++) {
        som_text_free(&work->tidy.data[i]);
    }
    som_array_free(&work->tidy);
    return is_done;
}

int som_block_work_find(SomBlockWork *work, SomBlockPlace place) {
    if (work->is_refused) {
        return -1;
    }
    int behavior = som_blocks_find_behavior(work->blocks, place.behavior);
    int block = som_blocks_find(work->blocks, place.behavior, place.path);
    if (behavior < 0) {
        som_block_work_refuse(work, SOM_EDIT_NOT_FOUND, -1, "the config has no behavior '%.*s'",
                              SOM_STR_ARG(place.behavior));
    } else if (block < 0) {
        som_block_work_refuse(work, SOM_BLOCK_NOT_FOUND, -1, "'%.*s' has no block '%.*s'",
                              SOM_STR_ARG(place.behavior), SOM_STR_ARG(place.path));
    } else if (work->steps == 0 && !is_kept_tidy(work, place.behavior) &&
               is_canonical(work, behavior)) {
        keep_tidy(work, place.behavior);
    }
    return block;
}

// ---- whole behaviors

// Is there a part, pose, dock or behavior of this name?
static bool is_taken(const SomBlockWork *work, SomStr name) {
    const SomSyntax *tree = work->tree;
    SomNode node = som_syntax_first_child(tree, work->blocks->body);
    uint32_t end = som_syntax_span(tree, work->blocks->body).end;
    SomText read = {0};
    bool is_taken = false;
    for (; node != 0 && som_syntax_span(tree, node).begin < end && !is_taken;
         node = som_syntax_next(tree, node)) {
        int kind = som_syntax_kind(tree, node);
        SomNode own = kind == SOM_SOM_ITEM || kind == SOM_SOM_POSE || kind == SOM_SOM_DOCK ||
                              kind == SOM_SOM_BEHAVIOR
                          ? som_syntax_find_child(tree, node, SOM_SOM_NAME)
                          : 0;
        if (own != 0) {
            som_text_clear(&read);
            som_name_read(som_syntax_text(tree, own), &read);
            is_taken = som_str_equal(som_text_str(&read), name);
        }
    }
    som_text_free(&read);
    return is_taken;
}

static void choose_name(const SomBlockWork *work, SomStr wanted, SomText *name) {
    bool ends_in_digit = wanted.length > 0 && wanted.data[wanted.length - 1] >= '0' &&
                         wanted.data[wanted.length - 1] <= '9';
    som_text_add(name, wanted);
    for (int i = 2; is_taken(work, som_text_str(name)); i++) {
        som_text_clear(name);
        som_text_printf(name, "%.*s%s%d", SOM_STR_ARG(wanted), ends_in_digit ? "_" : "", i);
    }
}

// The first behavior of a config stands apart from what is before it.
static bool set_apart(SomBlockWork *work, SomStr name) {
    int behavior = som_blocks_find_behavior(work->blocks, name);
    SomStr text = som_text_str(&work->text);
    uint32_t at = behavior >= 0 ? work->blocks->behaviors.data[behavior].span.begin : 0;
    while (at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '\t')) {
        at--;
    }
    if (at > 0 && text.data[at - 1] == '\n') {
        som_edits_replace_span(work->edits, at, at, work->newline);
    }
    return som_block_work_apply(work);
}

static bool add_behavior(SomBlockWork *work, SomStr name, SomStr action) {
    SomText statement = {0};
    som_text_add(&statement, SOM_STR("behavior "));
    som_behavior_name_print(&statement, name);
    som_text_printf(&statement, " = %.*s", SOM_STR_ARG(action));
    int count = work->blocks->behaviors.count;
    bool is_alone = som_syntax_first_child(work->tree, work->blocks->body) == 0;
    if (count > 0) {
        som_edits_insert_after(work->edits, work->blocks->behaviors.data[count - 1].node,
                               som_text_str(&statement));
    } else {
        som_edits_insert_into(work->edits, work->blocks->body, som_text_str(&statement));
    }
    som_text_free(&statement);
    keep_tidy(work, name);
    return som_block_work_apply(work) && (count > 0 || is_alone || set_apart(work, name));
}

bool som_behavior_add(SomDesign *design, SomStr config, SomStr name, SomStr action) {
    SomBlockWork work;
    SomText free_name = {0}, flat = {0};
    SomStr text = action.length > 0 ? action : SOM_STR("series()");
    if (som_block_work_begin(&work, design, config)) {
        if (!som_design_check_name(design, name)) {
            work.is_refused = true;
        } else if (som_block_work_check_action(&work, &text)) {
            choose_name(&work, name, &free_name);
            som_block_text_flatten(text, &flat);
            add_behavior(&work, som_text_str(&free_name), som_text_str(&flat));
        }
    }
    bool done = som_block_work_end(&work);
    if (done) {
        som_design_set_new_name(design, som_text_str(&free_name));
    }
    som_text_free(&free_name);
    som_text_free(&flat);
    return done;
}

// A block that runs the behavior, from another one; -1 if there is none.
static int find_run(const SomBlocks *blocks, int behavior) {
    for (int i = 0; i < blocks->block_count; i++) {
        int place = blocks->blocks[i].kind == SOM_BLOCK_CALL
                        ? som_blocks_field(blocks, i, SOM_FIELD_PLACE, 0)
                        : -1;
        if (place < 0 || blocks->blocks[i].behavior == behavior) {
            continue;
        }
        SomText name = {0};
        som_name_read(blocks->fields.data[place].text, &name);
        bool is_same = som_str_equal(som_text_str(&name), blocks->behaviors.data[behavior].name);
        som_text_free(&name);
        if (is_same) {
            return i;
        }
    }
    return -1;
}

bool som_behavior_remove(SomDesign *design, SomStr config, SomStr name) {
    SomBlockWork work;
    if (som_block_work_begin(&work, design, config)) {
        int behavior = som_blocks_find_behavior(work.blocks, name);
        int run = behavior >= 0 ? find_run(work.blocks, behavior) : -1;
        if (behavior < 0) {
            som_block_work_refuse(&work, SOM_EDIT_NOT_FOUND, -1,
                                  "the config has no behavior '%.*s'", SOM_STR_ARG(name));
        } else if (run >= 0) {
            SomStr user = work.blocks->behaviors.data[work.blocks->blocks[run].behavior].name;
            som_block_work_refuse(&work, SOM_EDIT_STILL_USED, run,
                                  "'%.*s' runs '%.*s'; take it out there first", SOM_STR_ARG(user),
                                  SOM_STR_ARG(name));
        } else {
            som_edits_remove(work.edits, work.blocks->behaviors.data[behavior].node);
            som_block_work_apply(&work);
        }
    }
    return som_block_work_end(&work);
}
