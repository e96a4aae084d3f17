// SPDX-License-Identifier: Apache-2.0
// A design being edited: its document, the text composed, and how an operation is made or refused.

#include "compose/design_edit.h"

#include "base/codes/compose_codes.h"
#include "compose/design_change.h"
#include "compose/design_internal.h"
#include "language/name.h"

static SomStr no_text(void) {
    return SOM_STR("");
}

// ---- a text composed

static SomComposition *compose_text(const SomDesign *design, SomStr text, SomStr choice) {
    return som_composition_create(som_text_str(&design->library), som_text_str(&design->path), text,
                                  choice);
}

static void forget_refusal(SomDesign *design) {
    som_diagnostics_destroy(design->refusal);
    design->refusal = som_diagnostics_create();
    design->refusal_source1 = 0;
}

// Composes the text if it has changed since, or if another choice is asked for.
static void refresh(SomDesign *design, SomStr choice) {
    SomStr text = som_document_text(design->document);
    bool is_same = som_composition_has_text(design->composed, text);
    if (is_same && som_str_equal(design->composed->choice, choice)) {
        return;
    }
    if (!is_same) {
        forget_refusal(design); // its places are in the old text
    }
    SomComposition *next = compose_text(design, text, choice); // the choice may be the old one's
    som_composition_release(design->composed);
    design->composed = next;
}

SomDesign *som_design_create(SomStr library_root, SomStr path, SomStr text) {
    SomDesign *design = som_alloc(sizeof *design);
    som_text_add(&design->path, path);
    som_text_add(&design->library, library_root);
    design->document = som_document_create(path, text, &som_grammar_som);
    design->refusal = som_diagnostics_create();
    design->composed = compose_text(design, text, no_text());
    return design;
}

void som_design_destroy(SomDesign *design) {
    if (design == NULL) {
        return;
    }
    som_diagnostics_destroy(design->refusal);
    som_composition_release(design->composed);
    som_document_destroy(design->document);
    som_text_free(&design->path);
    som_text_free(&design->library);
    som_text_free(&design->new_name);
    som_free(design);
}

SomDocument *som_design_document(SomDesign *design) {
    return design->document;
}

void som_design_set_path(SomDesign *design, SomStr path) {
    som_text_clear(&design->path);
    som_text_add(&design->path, path);
    SomComposition *next =
        compose_text(design, som_document_text(design->document), design->composed->choice);
    som_composition_release(design->composed);
    design->composed = next;
}

SomComposition *som_design_composition(SomDesign *design, SomStr config) {
    refresh(design, config);
    return design->composed;
}

const SomConfiguration *som_design_compose(SomDesign *design, SomStr config) {
    refresh(design, config);
    return design->composed->configuration;
}

SomDiagnostics *som_design_diagnostics(SomDesign *design) {
    refresh(design, design->composed->choice);
    return design->composed->diags;
}

const SomDiagnostics *som_design_refusal(const SomDesign *design) {
    return design->refusal;
}

SomStr som_design_new_name(const SomDesign *design) {
    return som_text_str(&design->new_name);
}

// ---- refusing

static SomSpan span_of_refusal(SomOperation *op, SomSpan span) {
    SomDesign *design = op->design;
    const SomDesignFile *file = som_workspace_file(op->workspace, design->composed->file);
    if (span.source1 != file->source1 || span.source1 == 0) {
        return (SomSpan){0};
    }
    if (design->refusal_source1 == 0) {
        design->refusal_source1 =
            som_diagnostics_add_source(design->refusal, file->path, file->text);
    }
    return (SomSpan){design->refusal_source1, span.begin, span.end};
}

bool som_operation_refuse(SomOperation *op, SomCode code, SomSpan span, const char *format, ...) {
    if (op->is_refused) {
        return false;
    }
    op->is_refused = true;
    va_list args;
    va_start(args, format);
    som_report_list(op->design->refusal, code, span_of_refusal(op, span), format, args);
    va_end(args);
    return false;
}

__attribute__((format(printf, 3, 0))) static void note(SomOperation *op, SomSpan span,
                                                       const char *format, va_list args) {
    SomText text = {0};
    som_text_vprintf(&text, format, args);
    som_note(op->design->refusal, span_of_refusal(op, span), "%.*s",
             SOM_STR_ARG(som_text_str(&text)));
    som_text_free(&text);
}

void som_operation_note(SomOperation *op, SomSpan span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    note(op, span, format, args);
    va_end(args);
}

int som_operation_line(const SomOperation *op, SomNode node) {
    SomSpan span = som_syntax_span(op->tree, node);
    return som_diagnostics_place(op->design->composed->diags, span.source1, span.begin).line;
}

// The first error of a text; empty if there is none.
static SomStr first_error(SomDiagnostics *diags, SomSpan *span) {
    som_diagnostics_sort(diags);
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT && entries[i].severity == SOM_ERROR) {
            *span = entries[i].span;
            return entries[i].message;
        }
    }
    *span = (SomSpan){0};
    return no_text();
}

// ---- operations

static bool begin(SomOperation *op, SomDesign *design, SomStr choice) {
    refresh(design, choice);
    forget_refusal(design);
    *op = (SomOperation){.design = design,
                         .choice = design->composed->choice,
                         .workspace = design->composed->workspace};
    SomSpan span;
    if (design->composed->file < 0) {
        SomStr message = first_error(design->composed->diags, &span);
        op->is_refused = true;
        som_report(design->refusal, SOM_EDIT_TEXT_WRONG, (SomSpan){0},
                   "the file is no design: %.*s", SOM_STR_ARG(message));
        return false;
    }
    op->tree = som_workspace_file(op->workspace, design->composed->file)->tree;
    if (op->tree == NULL) {
        op->is_refused = true;
        som_report(design->refusal, SOM_EDIT_TEXT_WRONG, (SomSpan){0},
                   "this is no .som file, so it has no parts to move about");
        return false;
    }
    op->edits = som_edits_create(op->tree);
    if (!design->composed->is_sound) {
        SomStr message = first_error(design->composed->diags, &span);
        return som_operation_refuse(op, SOM_EDIT_TEXT_WRONG, span, "first correct the text: %.*s",
                                    SOM_STR_ARG(message));
    }
    return true;
}

bool som_operation_begin_file(SomOperation *op, SomDesign *design) {
    return begin(op, design, design->composed->choice);
}

// The name of a choice: "Snake(n = 3)" is Snake. Empty if it is none.
static void name_of_choice(SomStr choice, SomText *name) {
    if (!som_reference_is_clean(choice, name)) {
        som_text_clear(name);
    }
}

static bool find_config(SomOperation *op, SomStr choice) {
    int file = op->design->composed->file;
    const SomDesignFile *f = som_workspace_file(op->workspace, file);
    int config = choice.length == 0 && f->config_count > 0 ? 0 : -1;
    if (choice.length > 0) {
        SomText name = {0};
        name_of_choice(choice, &name);
        config = som_workspace_find_config(op->workspace, file, som_text_str(&name));
        som_text_free(&name);
    }
    if (config < 0) {
        return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                    choice.length > 0 ? "this file has no config '%.*s'"
                                                      : "this file has no config%.*s",
                                    SOM_STR_ARG(choice));
    }
    op->source = (SomPartSource){SOM_DEFINES_CONFIG, file, config};
    op->config = f->configs[config].node;
    op->body = f->configs[config].body;
    return true;
}

bool som_operation_begin(SomOperation *op, SomDesign *design, SomStr config) {
    if (!begin(op, design, config) || !find_config(op, op->choice)) {
        return false;
    }
    op->configuration = design->composed->configuration;
    if (op->configuration == NULL) {
        SomSpan span;
        SomStr message = first_error(design->composed->diags, &span);
        return som_operation_refuse(op, SOM_EDIT_TEXT_WRONG, (SomSpan){0},
                                    "'%.*s' cannot be composed: %.*s", SOM_STR_ARG(op->choice),
                                    SOM_STR_ARG(message));
    }
    return true;
}

static bool refuse_broken(SomOperation *op) {
    SomSpan span;
    SomStr message = first_error(op->next->diags, &span);
    return som_operation_refuse(op, SOM_EDIT_BREAKS, (SomSpan){0}, "this cannot be done: %.*s",
                                SOM_STR_ARG(message));
}

bool som_operation_try(SomOperation *op) {
    if (op->is_refused) {
        return false;
    }
    SomText text = {0};
    if (!som_edits_apply(op->edits, &text)) {
        som_text_free(&text);
        return som_operation_refuse(op, SOM_EDIT_BREAKS, (SomSpan){0},
                                    "this cannot be done here: what is to be changed overlaps");
    }
    bool is_other = op->new_choice.length > 0;
    som_composition_release(op->next);
    op->next = compose_text(op->design, som_text_str(&text),
                            is_other ? som_text_str(&op->new_choice) : op->choice);
    som_text_free(&text);
    bool has_config = op->configuration != NULL || is_other;
    if (!op->next->is_sound || (has_config && op->next->configuration == NULL)) {
        return refuse_broken(op);
    }
    return true;
}

bool som_operation_end(SomOperation *op) {
    bool is_done = !op->is_refused && (op->next != NULL || som_operation_try(op));
    if (is_done) {
        SomStr text = som_workspace_file(op->next->workspace, op->next->file)->text;
        som_document_set_text(op->design->document, text);
        som_composition_release(op->design->composed);
        op->design->composed = op->next;
        op->next = NULL;
    }
    som_composition_release(op->next);
    som_edits_destroy(op->edits);
    som_text_free(&op->new_choice);
    op->edits = NULL;
    return is_done;
}

// ---- changes of rooms above

SomComposition *som_design_change_begin(SomDesign *design, SomStr config) {
    SomOperation op;
    bool can = som_operation_begin(&op, design, config);
    op.is_refused = true; // the text is the caller's affair
    som_operation_end(&op);
    return can ? design->composed : NULL;
}

SomComposition *som_design_change_try(SomDesign *design, SomStr config, SomStr text) {
    SomOperation op = {.design = design, .workspace = design->composed->workspace};
    op.next = compose_text(design, text, config);
    if (!op.next->is_sound || op.next->configuration == NULL) {
        refuse_broken(&op);
        som_composition_release(op.next);
        op.next = NULL;
    }
    return op.next;
}

bool som_design_change_make(SomDesign *design, SomComposition *next) {
    if (next == NULL) {
        return false;
    }
    som_document_set_text(design->document, som_workspace_file(next->workspace, next->file)->text);
    som_composition_release(design->composed);
    design->composed = next;
    return true;
}

bool som_design_refuse(SomDesign *design, SomCode code, SomSpan span, const char *format, ...) {
    if (som_diagnostics_error_count(design->refusal) > 0) {
        return false;
    }
    SomOperation op = {.design = design, .workspace = design->composed->workspace};
    va_list args;
    va_start(args, format);
    som_report_list(design->refusal, code, span_of_refusal(&op, span), format, args);
    va_end(args);
    return false;
}

void som_design_refuse_note(SomDesign *design, SomSpan span, const char *format, ...) {
    SomOperation op = {.design = design, .workspace = design->composed->workspace};
    va_list args;
    va_start(args, format);
    note(&op, span, format, args);
    va_end(args);
}

bool som_design_check_name(SomDesign *design, SomStr name) {
    SomOperation op = {.design = design, .workspace = design->composed->workspace};
    return som_operation_check_name(&op, name);
}

void som_design_set_new_name(SomDesign *design, SomStr name) {
    som_text_clear(&design->new_name);
    som_text_add(&design->new_name, name);
}

// ---- statements

SomNode som_operation_statement(const SomOperation *op, SomSpan span) {
    if (span.source1 != som_syntax_source1(op->tree) || op->body == 0) {
        return 0;
    }
    SomNode node = som_syntax_node_at(op->tree, span.begin);
    while (node != 0 && som_syntax_parent(op->tree, node) != op->body) {
        node = som_syntax_parent(op->tree, node);
    }
    return node;
}

// The order in which statements of a config stand; 0 for those that stand anywhere.
static int rank(int kind) {
    switch (kind) {
    case SOM_SOM_PART:
        return 1;
    case SOM_SOM_CONNECT:
    case SOM_SOM_DOCK:
        return 2;
    case SOM_SOM_POSE:
        return 3;
    case SOM_SOM_START:
        return 4;
    case SOM_SOM_BASE:
        return 5;
    default:
        return 0;
    }
}

void som_operation_add_statement(SomOperation *op, int kind, SomStr text) {
    const SomSyntax *tree = op->tree;
    SomNode after = 0;
    int best = 0;
    SomNode first = som_syntax_first_child(tree, op->body);
    for (SomNode node = first; node != 0; node = som_syntax_next_sibling(tree, node)) {
        int r = rank(som_syntax_kind(tree, node));
        if (r > 0 && r <= rank(kind) && r >= best) {
            best = r;
            after = node;
        }
    }
    if (after != 0) {
        som_edits_insert_after(op->edits, after, text);
    } else if (first != 0) {
        som_edits_insert_before(op->edits, first, text);
    } else {
        som_edits_insert_into(op->edits, op->body, text);
    }
}

// ---- places

bool som_place_is_clean(SomStr place) {
    if (place.length == 0) {
        return false;
    }
    SomText text = {0};
    som_text_add(&text, SOM_STR("hold "));
    som_text_add(&text, place);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse_action(som_text_str(&text), 0, diags);
    SomNode hold = som_syntax_first_child(tree, SOM_ROOT);
    SomNode node = hold != 0 ? som_syntax_first_child(tree, hold) : 0;
    bool is_clean = som_diagnostics_error_count(diags) == 0 && node != 0 &&
                    som_syntax_kind(tree, hold) == SOM_SOM_HOLD &&
                    som_syntax_kind(tree, node) == SOM_SOM_PLACE &&
                    som_str_equal(som_syntax_text(tree, node), place);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    return is_clean;
}

// Where the last name of a place begins; 0 if it has only one.
static size_t last_name(SomStr place) {
    size_t at = 0;
    bool is_quoted = false;
    for (size_t i = 0; i < place.length; i++) {
        if (place.data[i] == '\\' && is_quoted) {
            i++;
        } else if (place.data[i] == '"') {
            is_quoted = !is_quoted;
        } else if (place.data[i] == '.' && !is_quoted) {
            at = i + 1;
        }
    }
    return at;
}

bool som_configuration_find_connector(const SomConfiguration *configuration, SomStr place,
                                      int *module, int *connector) {
    size_t at = last_name(place);
    SomText name = {0};
    *connector = -1;
    *module =
        som_configuration_find_module(configuration, som_str_slice(place, 0, at > 0 ? at - 1 : 0));
    if (*module >= 0 && at < place.length) {
        som_name_read(som_str_slice(place, at, place.length), &name);
        *connector = som_module_type_find_connector(configuration->modules[*module].type,
                                                    som_text_str(&name));
    }
    som_text_free(&name);
    return *connector >= 0;
}

bool som_operation_connector(SomOperation *op, SomStr place, int *module, int *connector) {
    if (som_configuration_find_connector(op->configuration, place, module, connector)) {
        return true;
    }
    return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                "'%.*s' is no connector of this design", SOM_STR_ARG(place));
}
