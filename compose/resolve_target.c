// SPDX-License-Identifier: Apache-2.0
// What a reference means: the config or module type it names, and the arguments for it.

#include "base/codes/compose_text_codes.h"
#include "compose/library_names.h"
#include "compose/resolve_internal.h"
#include "language/name.h"

// ---- names that are not known

static const char *words_of(unsigned kinds) {
    return kinds == SOM_DEFINES_TYPE ? "there is no module type"
                                     : "there is no config or module type";
}

// Where a first `use` goes: before the first statement and the comment right above it.
static uint32_t start_of(SomStr text, uint32_t statement) {
    uint32_t start = statement;
    for (;;) {
        uint32_t line = start > 0 ? start - 1 : 0; // the end of the line before
        while (line > 0 && text.data[line - 1] != '\n') {
            line--;
        }
        if (start == 0 || text.data[start - 1] != '\n' || text.data[line] != '#') {
            return start;
        }
        start = line;
    }
}

static void fix_use(SomScope *scope, SomStr file) {
    const SomDesignFile *f = &scope->r->workspace->files.data[scope->file]->file;
    SomNode last = 0, node = som_syntax_find_child(f->tree, SOM_ROOT, SOM_SOM_USE);
    for (; node != 0; node = som_syntax_find_next(f->tree, node, SOM_SOM_USE)) {
        last = node;
    }
    SomNode first = som_syntax_first_child(f->tree, SOM_ROOT);
    uint32_t at = last != 0    ? som_syntax_span(f->tree, last).end
                  : first != 0 ? start_of(f->text, som_syntax_span(f->tree, first).begin)
                               : 0;
    SomText text = {0};
    som_text_add(&text, last != 0 ? SOM_STR("\nuse ") : SOM_STR("use "));
    som_name_print_quoted(&text, file);
    som_text_add(&text, last != 0 ? SOM_STR("") : SOM_STR("\n\n"));
    som_fix(scope->r->diags, (SomSpan){f->source1, at, at}, som_text_str(&text));
    som_text_free(&text);
}

// Names in the library that are no words of everyday.
#define CERTAIN_LENGTH 3

// A name that a file of the library defines, which is not used. False if there is none.
static bool report_unused(SomScope *scope, SomSpan span, SomStr name, unsigned kinds) {
    SomWorkspace *workspace = scope->r->workspace;
    const SomLibraryName *known =
        som_scope_wants_hints(scope)
            ? som_library_names_find(workspace, name, kinds == SOM_DEFINES_TYPE)
            : NULL;
    SomText use = {0}, path = {0};
    bool is_found =
        known != NULL && som_workspace_find_use(workspace, scope->file, known->path, &use, &path);
    bool is_exact = is_found && som_str_equal(known->name, name);
    if (is_exact) {
        bool is_new = som_scope_report(scope, SOM_UNKNOWN_CONFIG, span,
                                       "%s '%.*s'; '%.*s' defines it: add use \"%.*s\"",
                                       words_of(kinds), SOM_STR_ARG(name), SOM_STR_ARG(known->file),
                                       SOM_STR_ARG(som_text_str(&use)));
        if (is_new && scope->tree == NULL && name.length >= CERTAIN_LENGTH) {
            fix_use(scope, som_text_str(&use));
        }
    } else if (is_found) {
        som_scope_report(scope, SOM_UNKNOWN_CONFIG, span, "%s '%.*s'; '%.*s' defines '%.*s'",
                         words_of(kinds), SOM_STR_ARG(name), SOM_STR_ARG(known->file),
                         SOM_STR_ARG(known->name));
    }
    som_text_free(&use);
    som_text_free(&path);
    return is_found;
}

static void report_unknown(SomScope *scope, SomNode name_node, SomStr name, unsigned kinds) {
    SomResolver *r = scope->r;
    som_resolver_fail(r);
    if (r->workspace->files.data[scope->file]->file.is_incomplete) {
        return; // it may be in what could not be read
    }
    SomSpan span = som_syntax_span(som_scope_tree(scope), name_node);
    SomStr names[SOM_MAX_HINTS];
    int count = som_workspace_names(r->workspace, scope->file, kinds, names, SOM_MAX_HINTS);
    if (!report_unused(scope, span, name, kinds)) {
        som_scope_report_unknown(scope, SOM_UNKNOWN_CONFIG, span, words_of(kinds), name, names,
                                 count);
    }
}

const SomDefinition *som_resolve_definition(SomScope *scope, SomNode name_node, unsigned kinds,
                                            int *file) {
    SomResolver *r = scope->r;
    SomStr name = som_scope_name(scope, name_node);
    const SomDefinition *rival;
    const SomDefinition *found =
        som_workspace_find(r->workspace, scope->file, name, kinds, file, &rival);
    if (found == NULL) {
        report_unknown(scope, name_node, name, kinds);
    } else if (rival != NULL) {
        if (som_scope_report(scope, SOM_AMBIGUOUS_NAME,
                             som_syntax_span(som_scope_tree(scope), name_node),
                             "'%.*s' is defined in two files that are used", SOM_STR_ARG(name))) {
            som_note(r->diags, found->span, "here");
            som_note(r->diags, rival->span, "and here");
        }
        return NULL;
    }
    return found;
}

static int find_parameter(const SomConfigInfo *info, SomStr name) {
    for (int i = 0; i < info->param_count; i++) {
        if (som_str_equal(info->params[i].name, name)) {
            return i;
        }
    }
    return -1;
}

// The parameter that an argument is for, by name or, for the n-th, by place; -1 after a report.
static int match_argument(SomScope *scope, const SomConfigInfo *info, SomNode argument, int nth) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode name_node = som_syntax_find_child(tree, argument, SOM_SOM_NAME);
    if (name_node == 0) {
        if (nth < info->param_count) {
            return nth;
        }
        som_scope_report(scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, argument),
                         info->param_count > 0 ? "'%.*s' has no more parameters than %d"
                                               : "'%.*s' has no parameters",
                         SOM_STR_ARG(info->name), info->param_count);
        return -1;
    }
    SomStr name = som_scope_name(scope, name_node);
    int parameter = find_parameter(info, name);
    if (parameter < 0 && !info->has_error) {
        SomStr names[SOM_MAX_HINTS];
        int count = info->param_count < SOM_MAX_HINTS ? info->param_count : SOM_MAX_HINTS;
        for (int i = 0; i < count; i++) {
            names[i] = info->params[i].name;
        }
        SomText text = {0};
        som_text_printf(&text, "'%.*s' has no parameter", SOM_STR_ARG(info->name));
        som_scope_report_unknown(scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, name_node),
                                 text.data, name, names, count);
        som_text_free(&text);
    }
    return parameter;
}

static void read_arguments(SomScope *scope, const SomConfigInfo *info, SomNode list,
                           SomLetValue *values) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode argument = list != 0 ? som_syntax_find_child(tree, list, SOM_SOM_ARGUMENT) : 0;
    for (int nth = 0; argument != 0; nth++) {
        int parameter = match_argument(scope, info, argument, nth);
        if (parameter >= 0 && values[parameter].state == SOM_LET_KNOWN) {
            SomStr name = info->params[parameter].name;
            som_scope_report(scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, argument),
                             "'%.*s' is given twice", SOM_STR_ARG(name));
        } else if (parameter >= 0) {
            SomNode expression = som_syntax_first_child(tree, argument);
            if (som_syntax_kind(tree, expression) == SOM_SOM_NAME) {
                expression = som_syntax_next_sibling(tree, expression);
            }
            values[parameter].value =
                som_scope_parameter(scope, &info->params[parameter], expression);
            values[parameter].state = SOM_LET_KNOWN;
        }
        argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT);
    }
}

static bool check_missing(SomScope *scope, const SomConfigInfo *info, SomNode reference,
                          const SomLetValue *values) {
    for (int i = 0; i < info->param_count; i++) {
        if (values[i].state != SOM_LET_KNOWN && info->params[i].otherwise == 0) {
            if (som_scope_report(scope, SOM_WRONG_ARGUMENTS,
                                 som_syntax_span(som_scope_tree(scope), reference),
                                 "'%.*s' needs a value for its parameter '%.*s'",
                                 SOM_STR_ARG(info->name), SOM_STR_ARG(info->params[i].name))) {
                som_note(scope->r->diags, info->params[i].span, "which has no default");
            }
            return false;
        }
    }
    return true;
}

bool som_resolve_target(SomScope *scope, SomNode reference, SomTarget *target) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode name = som_syntax_find_child(tree, reference, SOM_SOM_NAME);
    SomNode list = som_syntax_find_child(tree, reference, SOM_SOM_ARGUMENTS);
    *target = (SomTarget){0};
    if (name == 0 || som_syntax_has_error(tree, reference)) {
        som_resolver_fail(scope->r);
        return false;
    }
    int file;
    const SomDefinition *found = som_resolve_definition(scope, name, SOM_DEFINES_PARTS, &file);
    if (found == NULL) {
        return false;
    }
    target->source = (SomPartSource){found->kind, file, found->index};
    if (found->kind != SOM_DEFINES_CONFIG) {
        bool has_arguments = list != 0 && som_syntax_find_child(tree, list, SOM_SOM_ARGUMENT) != 0;
        if (has_arguments) {
            som_scope_report(scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, list),
                             "'%.*s' has no parameters", SOM_STR_ARG(found->name));
        }
        return !has_arguments;
    }
    SomFileDraft *draft = scope->r->workspace->files.data[file];
    const SomConfigInfo *info = &draft->file.configs[found->index];
    int count = draft->locals[found->index].count;
    target->arguments = som_alloc((size_t)(count + 1) * sizeof *target->arguments);
    read_arguments(scope, info, list, target->arguments);
    return check_missing(scope, info, reference, target->arguments);
}

SomStr som_resolve_source_name(const SomResolver *r, SomPartSource source) {
    const SomDesignFile *file = &r->workspace->files.data[source.file]->file;
    switch (source.kind) {
    case SOM_DEFINES_ROBOT:
        return file->m3l->robots[source.index].name;
    case SOM_DEFINES_TYPE:
        return file->m3l->types[source.index].name;
    default:
        return file->configs[source.index].name;
    }
}
