// SPDX-License-Identifier: Apache-2.0
// Parts: adding, copying and replacing them, and the files they come from.

#include "base/codes/compose_codes.h"
#include "compose/design_internal.h"
#include "language/name.h"

// ---- what there is

bool som_operation_item(SomOperation *op, SomStr part, SomItem *item) {
    const SomConfiguration *c = op->configuration;
    *item = (SomItem){.part = som_configuration_find_part(c, part)};
    if (item->part > 0 && c->parts[item->part].parent != 0) {
        const SomPart *around = &c->parts[c->parts[item->part].parent];
        return som_operation_refuse(op, SOM_EDIT_ELSEWHERE, (SomSpan){0},
                                    "'%.*s' is made by '%.*s', which '%.*s' is one of; change that",
                                    SOM_STR_ARG(part), SOM_STR_ARG(around->config),
                                    SOM_STR_ARG(around->path));
    }
    SomText name = {0};
    if (item->part > 0) {
        SomSpan span = c->parts[item->part].span;
        item->node = som_syntax_find_around(op->tree, som_syntax_node_at(op->tree, span.begin),
                                            SOM_SOM_ITEM);
    } else {
        som_name_read(part, &name); // all of an array
        item->node = som_source_find_item(op->workspace, op->source, som_text_str(&name));
        som_text_free(&name);
    }
    if (item->node == 0) {
        return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                    "the design has no part '%.*s'", SOM_STR_ARG(part));
    }
    SomNode own = som_syntax_find_child(op->tree, item->node, SOM_SOM_NAME);
    item->statement = som_syntax_parent(op->tree, item->node);
    item->name = som_workspace_name(op->workspace, op->tree, own);
    item->is_array = som_syntax_find_child(op->tree, item->node, SOM_SOM_INDEX) != 0;
    item->is_one = item->is_array && item->part > 0;
    SomNode reference = som_syntax_find_child(op->tree, item->statement, SOM_SOM_REFERENCE);
    item->reference = som_syntax_text(op->tree, reference);
    return true;
}

// ---- what a part is made of

bool som_reference_is_clean(SomStr reference, SomText *name) {
    som_text_clear(name);
    if (reference.length == 0) {
        return false;
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse_choice(reference, 0, diags);
    SomNode node = som_syntax_first_child(tree, SOM_ROOT);
    SomNode own = node != 0 ? som_syntax_find_child(tree, node, SOM_SOM_NAME) : 0;
    bool is_clean = own != 0 && som_diagnostics_error_count(diags) == 0 &&
                    som_str_equal(som_syntax_text(tree, node), reference) &&
                    memchr(reference.data, '\n', reference.length) == NULL;
    if (is_clean) {
        som_name_read(som_syntax_text(tree, own), name);
    }
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    return is_clean;
}

static void add_use(SomOperation *op, SomStr name) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("use "));
    som_name_print_quoted(&text, name);
    SomNode last = 0;
    SomNode node = som_syntax_find_child(op->tree, SOM_ROOT, SOM_SOM_USE);
    for (; node != 0; node = som_syntax_find_next(op->tree, node, SOM_SOM_USE)) {
        last = node;
    }
    SomNode first = som_syntax_first_child(op->tree, SOM_ROOT);
    if (last != 0) {
        som_edits_insert_after(op->edits, last, som_text_str(&text));
    } else if (first != 0) {
        som_text_add_char(&text, '\n', 1);
        som_edits_insert_before(op->edits, first, som_text_str(&text));
    } else {
        som_edits_insert_into(op->edits, SOM_ROOT, som_text_str(&text));
    }
    som_text_free(&text);
}

// The file that defines what a reference means; empty if nothing, or two do.
static SomStr defining_file(const SomComposition *c, SomStr reference) {
    SomText name = {0};
    int where = 0;
    const SomDefinition *rival = NULL, *found = NULL;
    if (som_reference_is_clean(reference, &name)) {
        found = som_workspace_find(c->workspace, c->file, som_text_str(&name), SOM_DEFINES_PARTS,
                                   &where, &rival);
    }
    som_text_free(&name);
    return found != NULL && rival == NULL ? som_workspace_file(c->workspace, where)->path
                                          : SOM_STR("");
}

bool som_operation_use(SomOperation *op, SomStr reference, SomStr file, SomText *wanted_path) {
    SomText name = {0};
    bool is_clean = som_reference_is_clean(reference, &name);
    som_text_clear(&name);
    som_text_clear(wanted_path);
    const SomComposition *now = op->design->composed;
    if (!is_clean) {
        som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                             "'%.*s' is no config, robot or module type", SOM_STR_ARG(reference));
    } else if (file.length == 0) {
        if (defining_file(now, reference).length == 0) {
            som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "no file that is used defines '%.*s'", SOM_STR_ARG(reference));
        }
    } else if (!som_workspace_find_use(op->workspace, now->file, file, &name, wanted_path)) {
        som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                             "'%.*s' is neither beside this file nor in the library",
                             SOM_STR_ARG(file));
    } else if (!som_str_equal(defining_file(now, reference), som_text_str(wanted_path)) &&
               !som_str_equal(som_text_str(wanted_path),
                              som_workspace_file(op->workspace, now->file)->path)) {
        add_use(op, som_text_str(&name));
    }
    som_text_free(&name);
    return !op->is_refused;
}

bool som_operation_check_use(SomOperation *op, SomStr reference, SomStr wanted_path) {
    if (op->is_refused || wanted_path.length == 0 ||
        som_str_equal(defining_file(op->next, reference), wanted_path)) {
        return !op->is_refused;
    }
    return som_operation_refuse(op, SOM_EDIT_NAME, (SomSpan){0},
                                "'%.*s' would mean that of another file than '%.*s'",
                                SOM_STR_ARG(reference), SOM_STR_ARG(wanted_path));
}

// ---- adding

static void set_new_name(SomOperation *op, SomStr wanted, SomStr reference) {
    SomText name = {0};
    if (wanted.length > 0) {
        som_text_add(&name, wanted);
    } else {
        SomText whole = {0};
        som_reference_is_clean(reference, &whole);
        som_operation_name_of_reference(som_text_str(&whole), &name);
        som_text_free(&whole);
    }
    if (som_operation_check_name(op, som_text_str(&name))) {
        som_operation_unique_name(op, som_text_str(&name), &op->design->new_name);
    }
    som_text_free(&name);
}

static void print_part(const SomOperation *op, SomStr reference, SomText *out) {
    som_text_add(out, SOM_STR("part "));
    som_name_print(out, som_text_str(&op->design->new_name));
    som_text_add(out, SOM_STR(" : "));
    som_text_add(out, reference);
}

// The connector of the new part, and that of the design, as they are written. False after a
// refusal.
static bool print_ends(SomOperation *op, const SomPartAddition *addition, SomText *own,
                       SomText *to) {
    int module, connector;
    if (!som_place_is_clean(addition->own)) {
        return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                    "'%.*s' is no connector of the new part",
                                    SOM_STR_ARG(addition->own));
    }
    if (!som_operation_connector(op, addition->to, &module, &connector)) {
        return false;
    }
    som_name_print(own, som_text_str(&op->design->new_name));
    som_text_add(own, SOM_STR("."));
    som_text_add(own, addition->own);
    som_configuration_print_connector(op->configuration, module, connector, to);
    return true;
}

// Adds a part with its connection, and checks what came of it.
bool som_operation_add_part(SomOperation *op, const SomPartAddition *addition) {
    SomText path = {0}, text = {0}, own = {0}, to = {0};
    if (som_operation_use(op, addition->reference, addition->file, &path)) {
        set_new_name(op, addition->name, addition->reference);
    }
    if (!op->is_refused && print_ends(op, addition, &own, &to)) {
        print_part(op, addition->reference, &text);
        som_operation_add_statement(op, SOM_SOM_PART, som_text_str(&text));
        som_text_clear(&text);
        som_text_printf(&text, "connect %.*s to %.*s", SOM_STR_ARG(som_text_str(&own)),
                        SOM_STR_ARG(som_text_str(&to)));
        som_mating_wish_print(addition->mating, &text);
        som_operation_add_statement(op, SOM_SOM_CONNECT, som_text_str(&text));
        if (som_operation_try(op) &&
            som_operation_check_use(op, addition->reference, som_text_str(&path))) {
            som_operation_check_mating(op, som_text_str(&own), som_text_str(&to), addition->mating);
        }
    }
    som_text_free(&path);
    som_text_free(&text);
    som_text_free(&own);
    som_text_free(&to);
    return !op->is_refused;
}

bool som_design_add_part(SomDesign *design, SomStr config, const SomPartAddition *addition) {
    SomOperation op;
    if (som_operation_begin(&op, design, config)) {
        som_operation_add_part(&op, addition);
    }
    return som_operation_end(&op);
}

bool som_design_duplicate_part(SomDesign *design, SomStr config, SomStr part,
                               const SomPartAddition *addition) {
    SomOperation op;
    SomItem item;
    if (som_operation_begin(&op, design, config) && som_operation_item(&op, part, &item)) {
        SomText name = {0};
        SomPartAddition copy = *addition;
        copy.reference = item.reference;
        copy.file = SOM_STR("");
        copy.name = addition->name.length > 0 ? addition->name : item.name;
        if (item.is_array && !item.is_one) {
            som_operation_refuse(&op, SOM_EDIT_ELSEWHERE, som_syntax_span(op.tree, item.node),
                                 "'%.*s' is an array; name one of its parts", SOM_STR_ARG(part));
        } else if (som_operation_check_name(&op, copy.name)) {
            som_operation_unique_name(&op, copy.name, &name);
            som_operation_copy_entries(&op, &item, som_text_str(&name), SOM_STR(""));
            som_operation_add_part(&op, &copy);
        }
        som_text_free(&name);
    }
    return som_operation_end(&op);
}

bool som_design_add_config(SomDesign *design, SomStr name, SomStr reference, SomStr file) {
    SomOperation op;
    SomText path = {0}, text = {0};
    if (som_operation_begin_file(&op, design) && som_operation_check_name(&op, name)) {
        const SomDesignFile *f = som_workspace_file(op.workspace, design->composed->file);
        int other = som_workspace_find_config(op.workspace, design->composed->file, name);
        SomText whole = {0};
        if (other >= 0) {
            som_operation_refuse(&op, SOM_EDIT_NAME, f->configs[other].span,
                                 "there is a config '%.*s' already", SOM_STR_ARG(name));
        } else if (som_operation_use(&op, reference, file, &path)) {
            som_reference_is_clean(reference, &whole);
            set_new_name(&op, SOM_STR(""), reference);
            bool is_first = som_syntax_first_child(op.tree, SOM_ROOT) == 0 && path.length == 0;
            som_text_add(&text, is_first ? SOM_STR("config ") : SOM_STR("\nconfig "));
            som_name_print(&text, name);
            som_text_add(&text, SOM_STR(" {\n    "));
            print_part(&op, reference, &text);
            som_text_add(&text, SOM_STR("\n}"));
            som_edits_insert_into(op.edits, SOM_ROOT, som_text_str(&text));
            som_name_print(&op.new_choice, name);
            if (som_operation_try(&op)) {
                som_operation_check_use(&op, reference, som_text_str(&path));
            }
        }
        som_text_free(&whole);
    }
    som_text_free(&path);
    som_text_free(&text);
    return som_operation_end(&op);
}

// ---- replacing

static int count_items(const SomSyntax *tree, SomNode statement) {
    int count = 0;
    SomNode item = som_syntax_find_child(tree, statement, SOM_SOM_ITEM);
    for (; item != 0; item = som_syntax_find_next(tree, item, SOM_SOM_ITEM)) {
        count++;
    }
    return count;
}

// Comments among tokens that go stay, behind the statement, or above it if there is one already.
static void keep_comments(SomOperation *op, SomNode statement, int first, int end) {
    const SomSyntax *tree = op->tree;
    bool is_behind = som_syntax_trailing_comment(tree, statement) == SOM_NO_TOKEN;
    SomSpan span = som_syntax_span(tree, statement);
    uint32_t at = is_behind ? span.end : span.begin;
    for (int i = first; i < end; i++) {
        if (som_syntax_token_kind(tree, i) != SOM_TOKEN_COMMENT) {
            continue;
        }
        SomText text = {0};
        som_text_add(&text, is_behind ? SOM_STR(" ") : SOM_STR(""));
        som_text_add(&text, som_syntax_token_text(tree, i));
        if (!is_behind) {
            bool is_return = memchr(som_syntax_source(tree).data, '\r', span.begin) != NULL;
            som_text_add(&text, is_return ? SOM_STR("\r\n") : SOM_STR("\n"));
            som_text_add(&text, som_syntax_indentation(tree, span.begin));
        }
        som_edits_replace_span(op->edits, at, at, som_text_str(&text));
        som_text_free(&text);
    }
}

void som_operation_remove_items_behind(SomOperation *op, SomNode last_kept, SomNode last) {
    const SomSyntax *tree = op->tree;
    SomNode next = som_syntax_find_next(tree, last_kept, SOM_SOM_ITEM);
    keep_comments(op, som_syntax_parent(tree, last), som_syntax_end_token(tree, last_kept),
                  som_syntax_first_token(tree, next));
    som_edits_replace_span(op->edits, som_syntax_span(tree, last_kept).end,
                           som_syntax_span(tree, last).end, SOM_STR(""));
}

void som_operation_remove_item(SomOperation *op, SomNode item) {
    const SomSyntax *tree = op->tree;
    SomNode next = som_syntax_find_next(tree, item, SOM_SOM_ITEM);
    if (next != 0) {
        som_edits_replace_span(op->edits, som_syntax_span(tree, item).begin,
                               som_syntax_span(tree, next).begin, SOM_STR(""));
    } else {
        som_operation_remove_items_behind(op, som_syntax_previous_sibling(tree, item), item);
    }
}

static void replace_item(SomOperation *op, const SomItem *item, SomStr reference) {
    const SomSyntax *tree = op->tree;
    if (count_items(tree, item->statement) == 1) {
        som_edits_replace(
            op->edits, som_syntax_find_child(tree, item->statement, SOM_SOM_REFERENCE), reference);
        return;
    }
    SomText text = {0};
    som_text_printf(&text, "part %.*s : %.*s", SOM_STR_ARG(som_syntax_text(tree, item->node)),
                    SOM_STR_ARG(reference));
    // a comment behind its name goes along
    SomNode next = som_syntax_find_next(tree, item->node, SOM_SOM_ITEM);
    int end = next != 0 ? som_syntax_first_token(tree, next) : 0;
    for (int i = som_syntax_end_token(tree, item->node); i < end; i++) {
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_COMMENT) {
            som_text_printf(&text, " %.*s", SOM_STR_ARG(som_syntax_token_text(tree, i)));
        }
    }
    som_operation_remove_item(op, item->node);
    som_edits_insert_after(op->edits, item->statement, som_text_str(&text));
    som_text_free(&text);
}

bool som_design_replace_part(SomDesign *design, SomStr config, SomStr part, SomStr reference,
                             SomStr file) {
    SomOperation op;
    SomItem item;
    SomText path = {0};
    if (som_operation_begin(&op, design, config) && som_operation_item(&op, part, &item)) {
        if (item.is_one) {
            som_operation_refuse(&op, SOM_EDIT_ELSEWHERE, som_syntax_span(op.tree, item.node),
                                 "'%.*s' is one of the array '%.*s' in line %d; all of it is "
                                 "replaced, or nothing",
                                 SOM_STR_ARG(part),
                                 SOM_STR_ARG(som_syntax_text(op.tree, item.node)),
                                 som_operation_line(&op, item.node));
        } else if (som_operation_use(&op, reference, file, &path)) {
            replace_item(&op, &item, reference);
            if (som_operation_try(&op)) {
                som_operation_check_use(&op, reference, som_text_str(&path));
            }
        }
    }
    som_text_free(&path);
    return som_operation_end(&op);
}
