// SPDX-License-Identifier: Apache-2.0
// What files define, and what they see of each other.

#include "base/codes/compose_text_codes.h"
#include "compose/workspace_internal.h"
#include "language/name.h"

#include <stdlib.h>

// ---- names and comments

SomStr som_workspace_name(SomWorkspace *workspace, const SomSyntax *tree, SomNode node) {
    int token = node != 0 ? som_syntax_first_token(tree, node) : 0;
    if (node == 0 || token >= som_syntax_end_token(tree, node)) {
        return SOM_STR("");
    }
    SomStr text = som_syntax_token_text(tree, token);
    if (som_syntax_token_kind(tree, token) == SOM_TOKEN_WORD) {
        return text;
    }
    if (memchr(text.data, '\\', text.length) == NULL && text.length >= 2) {
        return som_str_slice(text, 1, text.length - 1);
    }
    SomText name = {0};
    som_name_read(text, &name);
    SomStr copy = som_arena_copy(&workspace->arena, som_text_str(&name));
    som_text_free(&name);
    return copy;
}

// The text of a comment token, without its sign and the blank behind it.
static SomStr comment_text(const SomSyntax *tree, int token) {
    SomStr text = som_syntax_token_text(tree, token);
    size_t begin = 0;
    while (begin < text.length && text.data[begin] == '#') {
        begin++;
    }
    if (begin < text.length && text.data[begin] == ' ') {
        begin++;
    }
    size_t end = text.length;
    while (end > begin && strchr(" \t\r", text.data[end - 1]) != NULL) {
        end--;
    }
    return som_str_slice(text, begin, end);
}

// The comments among some tokens, one line each.
static SomStr read_comments(SomWorkspace *workspace, const SomSyntax *tree, SomTokenRange range) {
    SomText doc = {0};
    for (int i = range.first; i < range.end; i++) {
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_COMMENT) {
            som_text_add_char(&doc, '\n', doc.length > 0 ? 1 : 0);
            som_text_add(&doc, comment_text(tree, i));
        }
    }
    SomStr copy = SOM_STR("");
    if (doc.length > 0) {
        copy = som_arena_copy(&workspace->arena, som_text_str(&doc));
    }
    som_text_free(&doc);
    return copy;
}

SomStr som_workspace_doc(SomWorkspace *workspace, const SomSyntax *tree, SomNode node) {
    return read_comments(workspace, tree, som_syntax_leading_comments(tree, node));
}

// The comment that a file begins with, up to the first empty line.
static SomStr read_file_doc(SomWorkspace *workspace, const SomSyntax *tree) {
    int newlines = 0, end = 0;
    for (; end < som_syntax_token_count(tree) && newlines < 2; end++) {
        SomTokenKind kind = som_syntax_token_kind(tree, end);
        if (!som_token_is_trivia(kind)) {
            break;
        }
        newlines = kind == SOM_TOKEN_NEWLINE   ? newlines + 1
                   : kind == SOM_TOKEN_COMMENT ? 0
                                               : newlines;
    }
    return read_comments(workspace, tree, (SomTokenRange){0, end});
}

// ---- definitions

static void define(SomFileDraft *draft, SomStr name, SomDefinitionKind kind, int index,
                   SomSpan span) {
    if (name.length > 0) {
        SomDefinition definition = {name, kind, index, span};
        som_array_push(&draft->definitions, definition);
    }
}

static int compare_definitions(const void *a, const void *b) {
    const SomDefinition *x = a, *y = b;
    int order = som_str_compare(x->name, y->name);
    if (order == 0) {
        order = (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
    }
    return order;
}

static void report_twice(SomWorkspace *workspace, SomStr name, SomSpan span, SomSpan first) {
    som_report(workspace->diags, SOM_DEFINED_TWICE, span, "'%.*s' is defined twice",
               SOM_STR_ARG(name));
    som_note(workspace->diags, first, "the first one is here");
}

// By name; of two with one name the first is kept.
static void sort_definitions(SomWorkspace *workspace, SomFileDraft *draft) {
    if (draft->definitions.count > 1) {
        qsort(draft->definitions.data, (size_t)draft->definitions.count, sizeof(SomDefinition),
              compare_definitions);
    }
    int kept = 0;
    for (int i = 0; i < draft->definitions.count; i++) {
        SomDefinition *definition = &draft->definitions.data[i];
        if (kept > 0 && som_str_equal(draft->definitions.data[kept - 1].name, definition->name)) {
            if (draft->file.tree != NULL) { // an M3L file has said so itself
                report_twice(workspace, definition->name, definition->span,
                             draft->definitions.data[kept - 1].span);
            }
            continue;
        }
        draft->definitions.data[kept++] = *definition;
    }
    draft->definitions.count = kept;
}

// ---- parameters, lets

// The parameters of a config or behavior node, into the arena.
static const SomParameter *read_parameters(SomWorkspace *workspace, int file, SomNode owner,
                                           int *count) {
    const SomSyntax *tree = workspace->files.data[file]->file.tree;
    SOM_ARRAY(SomParameter) params = {0};
    SomNode list = som_syntax_find_child(tree, owner, SOM_SOM_PARAMETERS);
    SomNode node = list != 0 ? som_syntax_find_child(tree, list, SOM_SOM_PARAMETER) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_PARAMETER)) {
        SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
        SomNode type = som_syntax_find_child(tree, node, SOM_SOM_TYPE);
        if (som_syntax_has_error(tree, node) || name == 0 || type == 0) {
            continue;
        }
        SomParameter parameter = {.name = som_workspace_name(workspace, tree, name),
                                  .doc = som_workspace_doc(workspace, tree, node),
                                  .otherwise = som_syntax_next_sibling(tree, type),
                                  .span = som_syntax_span(tree, name)};
        som_workspace_read_type(workspace, file, type, &parameter);
        som_array_push(&params, parameter);
    }
    SomParameter *copy = som_arena_new(&workspace->arena, SomParameter, params.count + 1);
    if (params.count > 0) {
        memcpy(copy, params.data, (size_t)params.count * sizeof *copy);
    }
    *count = params.count;
    som_array_free(&params);
    return copy;
}

static int compare_locals(const void *a, const void *b) {
    const SomLocal *x = a, *y = b;
    int order = som_str_compare(x->name, y->name);
    return order != 0 ? order : x->index - y->index;
}

// Parameters, then lets of a node; sorted by name, duplicates reported.
static void read_locals(SomWorkspace *workspace, const SomSyntax *tree, const SomParameter *params,
                        int param_count, SomNode row, SomLocals *locals) {
    SOM_ARRAY(SomLocal) all = {0};
    for (int i = 0; i < param_count; i++) {
        SomLocal local = {params[i].name, i, params[i].otherwise, params[i].span};
        som_array_push(&all, local);
    }
    SomNode node = row != 0 ? som_syntax_find_child(tree, row, SOM_SOM_LET) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_LET)) {
        SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
        if (som_syntax_has_error(tree, node) || name == 0) {
            continue;
        }
        SomLocal local = {som_workspace_name(workspace, tree, name), all.count,
                          som_syntax_next_sibling(tree, name), som_syntax_span(tree, name)};
        som_array_push(&all, local);
    }
    if (all.count > 1) {
        qsort(all.data, (size_t)all.count, sizeof(SomLocal), compare_locals);
    }
    for (int i = 1; i < all.count; i++) {
        if (som_str_equal(all.data[i].name, all.data[i - 1].name)) {
            report_twice(workspace, all.data[i].name, all.data[i].span, all.data[i - 1].span);
        }
    }
    locals->count = all.count;
    locals->data = som_arena_new(&workspace->arena, SomLocal, all.count + 1);
    if (all.count > 0) {
        memcpy(locals->data, all.data, (size_t)all.count * sizeof *all.data);
    }
    som_array_free(&all);
}

// The parts of a config. That a name stands for two is found when they are made.
static void read_items(SomWorkspace *workspace, const SomSyntax *tree, SomNode body,
                       SomLocals *items) {
    SOM_ARRAY(SomLocal) all = {0};
    SomNode statement = body != 0 ? som_syntax_find_child(tree, body, SOM_SOM_PART) : 0;
    for (; statement != 0; statement = som_syntax_find_next(tree, statement, SOM_SOM_PART)) {
        SomNode item = som_syntax_find_child(tree, statement, SOM_SOM_ITEM);
        for (; item != 0; item = som_syntax_find_next(tree, item, SOM_SOM_ITEM)) {
            SomNode name = som_syntax_find_child(tree, item, SOM_SOM_NAME);
            SomLocal local = {som_workspace_name(workspace, tree, name), all.count, item,
                              som_syntax_span(tree, item)};
            som_array_push(&all, local);
        }
    }
    if (all.count > 1) {
        qsort(all.data, (size_t)all.count, sizeof(SomLocal), compare_locals);
    }
    items->count = all.count;
    items->data = som_arena_new(&workspace->arena, SomLocal, all.count + 1);
    if (all.count > 0) {
        memcpy(items->data, all.data, (size_t)all.count * sizeof *all.data);
    }
    som_array_free(&all);
}

int som_locals_find(const SomLocals *locals, SomStr name) {
    int low = 0, high = locals->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (som_str_compare(locals->data[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < locals->count && som_str_equal(locals->data[low].name, name) ? low : -1;
}

// ---- configs

static SomStr inner_text(const SomSyntax *tree, SomNode list) {
    SomStr text = list != 0 ? som_syntax_text(tree, list) : SOM_STR("");
    return text.length >= 2 ? som_str_slice(text, 1, text.length - 1) : SOM_STR("");
}

static int compare_behaviors(const void *a, const void *b) {
    const SomConfigBehavior *x = *(const SomConfigBehavior *const *)a;
    const SomConfigBehavior *y = *(const SomConfigBehavior *const *)b;
    int order = som_str_compare(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y);
}

static void check_behaviors(SomWorkspace *workspace, const SomConfigBehavior *behaviors,
                            int count) {
    const SomConfigBehavior **sorted = som_alloc((size_t)(count + 1) * sizeof *sorted);
    for (int i = 0; i < count; i++) {
        sorted[i] = &behaviors[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_behaviors);
    for (int i = 1; i < count; i++) {
        if (som_str_equal(sorted[i]->name, sorted[i - 1]->name)) {
            report_twice(workspace, sorted[i]->name, sorted[i]->span, sorted[i - 1]->span);
        }
    }
    som_free(sorted);
}

static void read_behaviors(SomWorkspace *workspace, int file, SomConfigInfo *config) {
    const SomSyntax *tree = workspace->files.data[file]->file.tree;
    SOM_ARRAY(SomConfigBehavior) behaviors = {0};
    SomNode node =
        config->body != 0 ? som_syntax_find_child(tree, config->body, SOM_SOM_BEHAVIOR) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_BEHAVIOR)) {
        SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
        if (name == 0 || som_syntax_has_error(tree, name)) {
            continue;
        }
        SomConfigBehavior behavior = {
            .name = som_workspace_name(workspace, tree, name),
            .doc = som_workspace_doc(workspace, tree, node),
            .params_text = inner_text(tree, som_syntax_find_child(tree, node, SOM_SOM_PARAMETERS)),
            .node = node,
            .span = som_syntax_span(tree, name)};
        behavior.params = read_parameters(workspace, file, node, &behavior.param_count);
        som_array_push(&behaviors, behavior);
    }
    SomConfigBehavior *copy =
        som_arena_new(&workspace->arena, SomConfigBehavior, behaviors.count + 1);
    if (behaviors.count > 0) {
        memcpy(copy, behaviors.data, (size_t)behaviors.count * sizeof *copy);
    }
    check_behaviors(workspace, copy, behaviors.count);
    config->behaviors = copy;
    config->behavior_count = behaviors.count;
    som_array_free(&behaviors);
}

static void read_inputs(SomWorkspace *workspace, int file, SomConfigInfo *config) {
    const SomSyntax *tree = workspace->files.data[file]->file.tree;
    SOM_ARRAY(SomConfigInput) inputs = {0};
    SomNode node = config->body != 0 ? som_syntax_find_child(tree, config->body, SOM_SOM_INPUT) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_INPUT)) {
        SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
        SomNode type = som_syntax_find_child(tree, node, SOM_SOM_TYPE);
        if (som_syntax_has_error(tree, node) || name == 0 || type == 0) {
            continue;
        }
        SomConfigInput input = {.parameter = {.name = som_workspace_name(workspace, tree, name),
                                              .doc = som_workspace_doc(workspace, tree, node),
                                              .span = som_syntax_span(tree, name)},
                                .node = node,
                                .source = som_syntax_find_child(tree, node, SOM_SOM_SOURCE)};
        som_workspace_read_type(workspace, file, type, &input.parameter);
        som_array_push(&inputs, input);
    }
    SomConfigInput *copy = som_arena_new(&workspace->arena, SomConfigInput, inputs.count + 1);
    if (inputs.count > 0) {
        memcpy(copy, inputs.data, (size_t)inputs.count * sizeof *copy);
    }
    config->inputs = copy;
    config->input_count = inputs.count;
    som_array_free(&inputs);
}

static SomConfigInfo read_config(SomWorkspace *workspace, int file, SomNode node) {
    const SomSyntax *tree = workspace->files.data[file]->file.tree;
    SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    SomNode type = name != 0 ? som_syntax_find_next(tree, name, SOM_SOM_NAME) : 0;
    SomConfigInfo config = {.name = som_workspace_name(workspace, tree, name),
                            .doc = som_workspace_doc(workspace, tree, node),
                            .module_type = som_workspace_name(workspace, tree, type),
                            .node = node,
                            .body = som_syntax_find_child(tree, node, SOM_SOM_BODY),
                            .span = som_syntax_span(tree, name != 0 ? name : node),
                            .has_error = som_syntax_has_error(tree, node)};
    config.params = read_parameters(workspace, file, node, &config.param_count);
    read_behaviors(workspace, file, &config);
    read_inputs(workspace, file, &config);
    return config;
}

static int count_children(const SomSyntax *tree, int kind) {
    int count = 0;
    SomNode node = som_syntax_find_child(tree, SOM_ROOT, kind);
    for (; node != 0; node = som_syntax_find_next(tree, node, kind)) {
        count++;
    }
    return count;
}

// The names of a file, which its own parameters and lets may mean.
static void define_names(SomWorkspace *workspace, SomFileDraft *draft) {
    const SomSyntax *tree = draft->file.tree;
    SomNode node = som_syntax_find_child(tree, SOM_ROOT, SOM_SOM_CONFIG);
    for (int i = 0; node != 0; i++, node = som_syntax_find_next(tree, node, SOM_SOM_CONFIG)) {
        SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
        define(draft, som_workspace_name(workspace, tree, name), SOM_DEFINES_CONFIG, i,
               som_syntax_span(tree, name != 0 ? name : node));
    }
    SomLocals lets;
    read_locals(workspace, tree, NULL, 0, SOM_ROOT, &lets);
    for (int i = 0; i < lets.count; i++) {
        som_array_push(&draft->lets, lets.data[i]);
        if (i == 0 || !som_str_equal(lets.data[i].name, lets.data[i - 1].name)) {
            define(draft, lets.data[i].name, SOM_DEFINES_LET, i, lets.data[i].span);
        }
    }
    sort_definitions(workspace, draft);
}

static void define_som(SomWorkspace *workspace, SomFileDraft *draft, int file) {
    const SomSyntax *tree = draft->file.tree;
    int count = count_children(tree, SOM_SOM_CONFIG);
    SomConfigInfo *configs = som_arena_new(&workspace->arena, SomConfigInfo, count + 1);
    draft->locals = som_arena_new(&workspace->arena, SomLocals, count + 1);
    draft->places = som_arena_new(&workspace->arena, SomLocals, count + 1);
    draft->items = som_arena_new(&workspace->arena, SomLocals, count + 1);
    draft->file.doc = read_file_doc(workspace, tree);
    draft->file.configs = configs;
    define_names(workspace, draft);
    SomNode node = som_syntax_find_child(tree, SOM_ROOT, SOM_SOM_CONFIG);
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_CONFIG)) {
        int i = draft->file.config_count++;
        configs[i] = read_config(workspace, file, node);
        read_locals(workspace, tree, configs[i].params, configs[i].param_count, configs[i].body,
                    &draft->locals[i]);
        read_items(workspace, tree, configs[i].body, &draft->items[i]);
        som_workspace_split_places(workspace, file, i);
    }
}

static void define_m3l(SomFileDraft *draft) {
    const SomM3l *m3l = draft->file.m3l;
    for (int i = 0; i < m3l->type_count; i++) {
        define(draft, m3l->types[i].name, SOM_DEFINES_TYPE, i, m3l->types[i].span);
    }
    for (int i = 0; i < m3l->robot_count; i++) {
        define(draft, m3l->robots[i].name, SOM_DEFINES_ROBOT, i, m3l->robots[i].span);
    }
}

void som_workspace_define(SomWorkspace *workspace, int file) {
    SomFileDraft *draft = workspace->files.data[file];
    int errors = som_diagnostics_error_count(workspace->diags);
    if (draft->file.tree != NULL) {
        define_som(workspace, draft, file);
    } else {
        define_m3l(draft);
        sort_definitions(workspace, draft);
    }
    draft->file.has_error |= som_diagnostics_error_count(workspace->diags) > errors;
}

// ---- sight

// All files that are seen, breadth first.
static void look_around(SomWorkspace *workspace, int file) {
    SomFileDraft *draft = workspace->files.data[file];
    bool seen[SOM_MAX_FILES + 1] = {false};
    som_array_push(&draft->sight, ((SomSight){file, 0}));
    seen[file] = true;
    for (int i = 0; i < draft->sight.count; i++) {
        SomSight at = draft->sight.data[i];
        const SomDesignFile *other = &workspace->files.data[at.file]->file;
        for (int k = 0; k < other->use_count; k++) {
            if (!seen[other->uses[k]]) {
                seen[other->uses[k]] = true;
                som_array_push(&draft->sight, ((SomSight){other->uses[k], at.distance + 1}));
            }
        }
    }
}

static const SomDefinition *find_in(const SomFileDraft *draft, SomStr name, unsigned kinds) {
    int low = 0, high = draft->definitions.count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (som_str_compare(draft->definitions.data[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == draft->definitions.count) {
        return NULL;
    }
    const SomDefinition *definition = &draft->definitions.data[low];
    return som_str_equal(definition->name, name) && (definition->kind & kinds) != 0 ? definition
                                                                                    : NULL;
}

const SomDefinition *som_workspace_find(SomWorkspace *workspace, int file, SomStr name,
                                        unsigned kinds, int *where, const SomDefinition **rival) {
    SomFileDraft *draft = workspace->files.data[file];
    if (draft->sight.count == 0) {
        look_around(workspace, file);
    }
    const SomDefinition *found = NULL;
    int distance = 0;
    *rival = NULL;
    for (int i = 0; i < draft->sight.count; i++) {
        SomSight at = draft->sight.data[i];
        if (found != NULL && at.distance > distance) {
            break;
        }
        const SomDefinition *other = find_in(workspace->files.data[at.file], name, kinds);
        if (other != NULL && found != NULL) {
            *rival = other;
            break;
        }
        if (other != NULL) {
            found = other;
            distance = at.distance;
            *where = at.file;
        }
    }
    return found;
}

int som_workspace_names(SomWorkspace *workspace, int file, unsigned kinds, SomStr *names, int max) {
    SomFileDraft *draft = workspace->files.data[file];
    if (draft->sight.count == 0) {
        look_around(workspace, file);
    }
    int count = 0;
    for (int i = 0; i < draft->sight.count; i++) {
        const SomFileDraft *other = workspace->files.data[draft->sight.data[i].file];
        for (int k = 0; k < other->definitions.count && count < max; k++) {
            if ((other->definitions.data[k].kind & kinds) != 0) {
                names[count++] = other->definitions.data[k].name;
            }
        }
    }
    return count;
}

int som_workspace_find_config(const SomWorkspace *workspace, int file, SomStr name) {
    const SomDefinition *found = find_in(workspace->files.data[file], name, SOM_DEFINES_CONFIG);
    return found != NULL ? found->index : -1;
}
