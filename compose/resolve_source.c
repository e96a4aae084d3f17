// SPDX-License-Identifier: Apache-2.0
// What the text of a config, a robot or a module type says about its parts and poses.

#include "compose/resolve_internal.h"

static const SomDesignFile *file_of(const SomWorkspace *workspace, SomPartSource source) {
    return &workspace->files.data[source.file]->file;
}

// The body of a config; 0 if it is none, or has none.
static SomNode body_of(const SomWorkspace *workspace, SomPartSource source) {
    return source.kind == SOM_DEFINES_CONFIG
               ? file_of(workspace, source)->configs[source.index].body
               : 0;
}

// The parts of a config; none if it is something else.
static const SomLocals *items_of(const SomWorkspace *workspace, SomPartSource source) {
    static const SomLocals none = {0};
    return source.kind == SOM_DEFINES_CONFIG
               ? &workspace->files.data[source.file]->items[source.index]
               : &none;
}

SomNode som_source_find_item(SomWorkspace *workspace, SomPartSource source, SomStr name) {
    const SomLocals *items = items_of(workspace, source);
    int at = som_locals_find(items, name);
    return at >= 0 ? items->data[at].node : 0;
}

int som_source_parts(SomWorkspace *workspace, SomPartSource source, SomStr *names, int max) {
    const SomDesignFile *file = file_of(workspace, source);
    int count = 0;
    if (source.kind == SOM_DEFINES_ROBOT) {
        const SomRobot *robot = &file->m3l->robots[source.index];
        for (; count < robot->module_count && count < max; count++) {
            names[count] = robot->modules[count].name;
        }
        return count;
    }
    const SomLocals *items = items_of(workspace, source);
    for (; count < items->count && count < max; count++) {
        names[count] = items->data[count].name;
    }
    return count;
}

// The name that a statement gives itself; false if it has none.
static bool own_name(SomWorkspace *workspace, const SomSyntax *tree, SomNode node, SomStr *name) {
    SomNode own = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    if (own != 0) {
        *name = som_workspace_name(workspace, tree, own);
    }
    return own != 0;
}

int som_source_names(SomWorkspace *workspace, SomPartSource source, int kind, SomStr *names,
                     int max) {
    const SomSyntax *tree = file_of(workspace, source)->tree;
    SomNode body = body_of(workspace, source);
    SomNode node = body != 0 ? som_syntax_find_child(tree, body, kind) : 0;
    int count = 0;
    for (; node != 0 && count < max; node = som_syntax_find_next(tree, node, kind)) {
        count += own_name(workspace, tree, node, &names[count]);
    }
    return count;
}

static int64_t scope_of(int config, int kind) {
    return ((int64_t)config << 32) + kind;
}

// Names of all statements of all configs of a file; of behaviors with their index.
static void index_members(SomWorkspace *workspace, SomFileDraft *draft) {
    const SomSyntax *tree = draft->file.tree;
    for (int i = 0; i < draft->file.config_count; i++) {
        const SomConfigInfo *config = &draft->file.configs[i];
        for (int k = 0; k < config->behavior_count; k++) {
            som_name_map_add(&draft->members, scope_of(i, SOM_SOM_BEHAVIOR),
                             config->behaviors[k].name, k);
        }
        SomNode node = config->body != 0 ? som_syntax_first_child(tree, config->body) : 0;
        for (; node != 0; node = som_syntax_next_sibling(tree, node)) {
            SomStr own;
            if (own_name(workspace, tree, node, &own)) {
                som_name_map_add(&draft->members, scope_of(i, som_syntax_kind(tree, node)), own,
                                 config->behavior_count);
            }
        }
    }
    draft->is_indexed = true;
}

static int find_member(SomWorkspace *workspace, SomPartSource source, int kind, SomStr name) {
    SomFileDraft *draft = workspace->files.data[source.file];
    if (source.kind != SOM_DEFINES_CONFIG) {
        return -1;
    }
    if (!draft->is_indexed) {
        index_members(workspace, draft);
    }
    return som_name_map_find(&draft->members, scope_of(source.index, kind), name);
}

bool som_source_has(SomWorkspace *workspace, SomPartSource source, int kind, SomStr name) {
    return find_member(workspace, source, kind, name) >= 0;
}

const SomConfigBehavior *som_source_find_behavior(SomWorkspace *workspace, SomPartSource source,
                                                  SomStr name) {
    int at = find_member(workspace, source, SOM_SOM_BEHAVIOR, name);
    const SomConfigInfo *config =
        at >= 0 ? &file_of(workspace, source)->configs[source.index] : NULL;
    return config != NULL && at < config->behavior_count ? &config->behaviors[at] : NULL;
}

static bool find_in_robot(const SomWorkspace *workspace, SomPartSource source, SomStr name,
                          SomPartSource *part) {
    const SomM3l *m3l = file_of(workspace, source)->m3l;
    const SomRobot *robot = &m3l->robots[source.index];
    for (int i = 0; i < robot->module_count; i++) {
        if (som_str_equal(robot->modules[i].name, name)) {
            *part = (SomPartSource){SOM_DEFINES_TYPE, source.file,
                                    (int)(robot->modules[i].type - m3l->types)};
            return true;
        }
    }
    return false;
}

bool som_source_find_part(SomWorkspace *workspace, SomPartSource source, SomStr name,
                          SomPartSource *part) {
    if (source.kind == SOM_DEFINES_ROBOT) {
        return find_in_robot(workspace, source, name, part);
    }
    const SomSyntax *tree = file_of(workspace, source)->tree;
    SomNode item = som_source_find_item(workspace, source, name);
    SomNode reference =
        item != 0 ? som_syntax_find_child(tree, som_syntax_parent(tree, item), SOM_SOM_REFERENCE)
                  : 0;
    SomNode config = reference != 0 ? som_syntax_find_child(tree, reference, SOM_SOM_NAME) : 0;
    if (config == 0) {
        return false;
    }
    const SomDefinition *rival;
    const SomDefinition *found =
        som_workspace_find(workspace, source.file, som_workspace_name(workspace, tree, config),
                           SOM_DEFINES_PARTS, &part->file, &rival);
    if (found != NULL) {
        part->kind = found->kind;
        part->index = found->index;
    }
    return found != NULL;
}

const SomLocal *som_source_find_let(SomWorkspace *workspace, SomPartSource source, SomStr name) {
    if (source.kind != SOM_DEFINES_CONFIG) {
        return NULL;
    }
    const SomLocals *places = &workspace->files.data[source.file]->places[source.index];
    int at = som_locals_find(places, name);
    return at >= 0 ? &places->data[at] : NULL;
}

// Lets that begin with other lets, each with the next, beyond which nothing is followed.
#define MAX_LETS 64

static bool follow_let(SomWorkspace *workspace, SomPartSource source, const SomLocal *let,
                       int depth, SomLetTarget *target) {
    const SomSyntax *tree = file_of(workspace, source)->tree;
    *target = (SomLetTarget){.source = source};
    SomNode node = depth < MAX_LETS ? som_syntax_first_child(tree, let->node) : 0;
    bool fine = node != 0;
    while (fine && node != 0) {
        SomNode next = som_syntax_next_sibling(tree, node);
        if (next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX) {
            next = som_syntax_next_sibling(tree, next);
        }
        SomStr name = som_workspace_name(workspace, tree, node);
        SomPartSource part;
        const SomLocal *other = som_source_find_let(workspace, target->source, name);
        if (other != NULL) {
            fine = follow_let(workspace, target->source, other, depth + 1, target) &&
                   (target->joint.length == 0 || next == 0);
        } else if (som_source_find_part(workspace, target->source, name, &part)) {
            target->source = part;
        } else {
            target->joint = name;
            fine = next == 0;
        }
        node = next;
    }
    return fine;
}

bool som_source_follow_let(SomWorkspace *workspace, SomPartSource source, const SomLocal *let,
                           SomLetTarget *target) {
    return follow_let(workspace, source, let, 0, target);
}

const SomModuleType *som_source_type(SomWorkspace *workspace, SomPartSource source) {
    const SomDesignFile *file = file_of(workspace, source);
    if (source.kind == SOM_DEFINES_TYPE) {
        return &file->m3l->types[source.index];
    }
    if (source.kind != SOM_DEFINES_CONFIG || file->configs[source.index].module_type.length == 0) {
        return NULL;
    }
    int where;
    const SomDefinition *rival;
    const SomDefinition *found =
        som_workspace_find(workspace, source.file, file->configs[source.index].module_type,
                           SOM_DEFINES_TYPE, &where, &rival);
    return found != NULL ? &workspace->files.data[where]->file.m3l->types[found->index] : NULL;
}

bool som_source_is_damaged(SomWorkspace *workspace, SomPartSource source) {
    const SomDesignFile *file = file_of(workspace, source);
    if (source.kind != SOM_DEFINES_CONFIG) {
        return file->has_error;
    }
    const SomConfigInfo *config = &file->configs[source.index];
    if (config->has_error || config->module_type.length == 0) {
        return config->has_error;
    }
    const SomModuleType *type = som_source_type(workspace, source);
    return type == NULL || type->has_errors;
}
