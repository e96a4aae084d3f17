// SPDX-License-Identifier: Apache-2.0
// Names that stand for joints and parts: types of parameters, and lets that are no values.

#include "base/codes/compose_text_codes.h"
#include "compose/joint_class.h"
#include "compose/resolve_internal.h"
#include "compose/workspace_internal.h"

// ---- types of parameters

// Names of types worth a hint.
#define MAX_TYPES 512

static int list_types(SomWorkspace *workspace, int file, bool is_of_behavior, SomStr *names) {
    int count, total = 0;
    const SomDimensionInfo *all = som_dimensions(&count);
    for (; total < count; total++) {
        names[total] = all[total].name;
    }
    names[total++] = SOM_STR("count");
    if (is_of_behavior) {
        for (int i = 0; i < SOM_JOINT_CLASS_COUNT; i++) {
            names[total++] = som_str(som_joint_class_word((SomJointClass)i));
        }
        total += som_workspace_names(workspace, file, SOM_DEFINES_PARTS, names + total,
                                     MAX_TYPES - total);
    }
    return total;
}

static void report_type(SomWorkspace *workspace, int file, SomNode node, bool is_of_behavior,
                        const SomParameter *parameter) {
    SomJointClass joint_class;
    SomSpan span = som_syntax_span(workspace->files.data[file]->file.tree, node);
    if (!is_of_behavior && som_joint_class_find(parameter->type, &joint_class)) {
        som_report(workspace->diags, SOM_UNKNOWN_TYPE, span,
                   "only parameters of behaviors stand for joints and parts; those of a config are "
                   "values");
        return;
    }
    SomStr names[MAX_TYPES];
    int count = list_types(workspace, file, is_of_behavior, names);
    int nearest = som_str_find_nearest(parameter->type, names, count);
    som_report(workspace->diags, SOM_UNKNOWN_TYPE, span,
               is_of_behavior
                   ? "'%.*s' is not a type of parameters; count, number, angle, time, joint and "
                     "the names of configs and module types are some"
                   : "'%.*s' is not a type of parameters; count, number, angle, length and time "
                     "are some",
               SOM_STR_ARG(parameter->type));
    if (nearest >= 0) {
        som_fix(workspace->diags, span, names[nearest]);
    }
}

// What a part is: a config, a robot or a module type that the file sees.
static bool find_part_type(SomWorkspace *workspace, int file, SomNode node,
                           SomParameter *parameter) {
    const SomSyntax *tree = workspace->files.data[file]->file.tree;
    const SomDefinition *rival;
    parameter->type = som_workspace_name(workspace, tree, node);
    const SomDefinition *found = som_workspace_find(
        workspace, file, parameter->type, SOM_DEFINES_PARTS, &parameter->part_file, &rival);
    if (found != NULL) {
        parameter->kind = SOM_PARAMETER_PART;
        parameter->part_kind = (int)found->kind;
        parameter->part_index = found->index;
    }
    return found != NULL;
}

void som_workspace_read_type(SomWorkspace *workspace, int file, SomNode node,
                             SomParameter *parameter) {
    const SomFileDraft *draft = workspace->files.data[file];
    const SomSyntax *tree = draft->file.tree;
    SomNode owner = som_syntax_parent(tree, som_syntax_parent(tree, som_syntax_parent(tree, node)));
    bool is_of_behavior = som_syntax_kind(tree, owner) == SOM_SOM_BEHAVIOR;
    bool is_of_input = som_syntax_kind(tree, som_syntax_parent(tree, node)) == SOM_SOM_INPUT;
    parameter->type = som_syntax_text(tree, node);
    const SomDimensionInfo *info = som_dimension_find(parameter->type);
    parameter->is_count = som_str_equal(parameter->type, SOM_STR("count"));
    parameter->is_condition = is_of_input && som_str_equal(parameter->type, SOM_STR("condition"));
    parameter->is_known = parameter->is_count || parameter->is_condition || info != NULL;
    if (info != NULL) {
        parameter->dimension = info->dimension;
    }
    if (is_of_behavior && som_joint_class_find(parameter->type, &parameter->joint_class)) {
        parameter->kind = SOM_PARAMETER_JOINT;
        parameter->is_known = true;
    } else if (is_of_behavior && !parameter->is_known) {
        parameter->is_known = find_part_type(workspace, file, node, parameter);
    }
    // a name that may be in what could not be read is not reported again
    if (!parameter->is_known && parameter->type.length > 0 &&
        !(is_of_behavior && draft->file.is_incomplete)) {
        report_type(workspace, file, node, is_of_behavior, parameter);
    }
}

// ---- lets that name joints and parts

// Lets that are another name of a let, each of the next, beyond which they count as values.
#define MAX_RENAMED 32

typedef struct Reader {
    SomWorkspace *workspace;
    const SomFileDraft *draft;
    const SomConfigInfo *config;
    const SomLocals *locals; // parameters and all lets
    const SomLocals *items;
    const SomModuleType *type; // of a config that is a module; else NULL
} Reader;

// A place of more than one name has no value, so it must be a joint or part. A single name is that
// of a part or a joint, unless it is the name of a value.
static bool names_place(const Reader *q, SomNode expression, int depth) {
    const SomSyntax *tree = q->draft->file.tree;
    if (expression == 0 || som_syntax_kind(tree, expression) != SOM_SOM_PLACE ||
        depth > MAX_RENAMED) {
        return false;
    }
    SomNode head = som_syntax_first_child(tree, expression);
    if (head == 0 || som_syntax_next_sibling(tree, head) != 0) {
        return head != 0;
    }
    SomStr name = som_workspace_name(q->workspace, tree, head);
    int at = som_locals_find(q->locals, name);
    if (at >= 0) {
        const SomLocal *local = &q->locals->data[at];
        return local->index >= q->config->param_count && names_place(q, local->node, depth + 1);
    }
    return som_locals_find(q->items, name) >= 0 ||
           (q->type != NULL && som_module_type_find_joint(q->type, name, NULL) >= 0);
}

// Moves what is marked from the locals, whose indices are then those of what is left.
static void split(SomWorkspace *workspace, SomLocals *locals, const bool *is_place,
                  SomLocals *places) {
    int *index = som_alloc((size_t)(locals->count + 1) * sizeof *index); // new one, by old one
    int kept = 0, taken = 0;
    for (int i = 0; i < locals->count; i++) {
        index[locals->data[i].index] = is_place[i] ? -1 : 0;
    }
    for (int i = 0; i < locals->count; i++) {
        index[i] = index[i] < 0 ? -1 : kept++;
    }
    places->data = som_arena_new(&workspace->arena, SomLocal, locals->count - kept + 1);
    kept = 0;
    for (int i = 0; i < locals->count; i++) {
        SomLocal local = locals->data[i];
        if (is_place[i]) {
            local.index = taken;
            places->data[taken++] = local;
        } else {
            local.index = index[local.index];
            locals->data[kept++] = local;
        }
    }
    locals->count = kept;
    places->count = taken;
    som_free(index);
}

void som_workspace_split_places(SomWorkspace *workspace, int file, int config) {
    SomFileDraft *draft = workspace->files.data[file];
    SomLocals *locals = &draft->locals[config];
    Reader reader = {
        .workspace = workspace,
        .draft = draft,
        .config = &draft->file.configs[config],
        .locals = locals,
        .items = &draft->items[config],
        .type = som_source_type(workspace, (SomPartSource){SOM_DEFINES_CONFIG, file, config})};
    bool *is_place = som_alloc((size_t)(locals->count + 1) * sizeof *is_place);
    int count = 0;
    for (int i = 0; i < locals->count; i++) {
        const SomLocal *local = &locals->data[i];
        is_place[i] =
            local->index >= reader.config->param_count && names_place(&reader, local->node, 0);
        count += is_place[i];
        int item = is_place[i] ? som_locals_find(reader.items, local->name) : -1;
        if (item >= 0) {
            som_report(workspace->diags, SOM_DEFINED_TWICE, local->span, "'%.*s' is defined twice",
                       SOM_STR_ARG(local->name));
            som_note(workspace->diags, reader.items->data[item].span, "the other one is this part");
        }
    }
    if (count > 0) {
        split(workspace, locals, is_place, &draft->places[config]);
    }
    som_free(is_place);
}
