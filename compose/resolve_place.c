// SPDX-License-Identifier: Apache-2.0
// Places: from names and indices to parts, modules, connectors, joints and poses.

#include "base/codes/compose_text_codes.h"
#include "base/name_list.h"
#include "compose/resolve_internal.h"

// Names of connectors or joints shown where one is missing.
#define SHOWN_NAMES 12

static SomPartSource source_of(const SomScope *scope, int part) {
    return scope->r->sources.data[part];
}

static bool is_damaged(const SomScope *scope, int part) {
    return som_source_is_damaged(scope->r->workspace, source_of(scope, part));
}

// ---- following

// The part in words: "'front'", or "this config" for the one whose text it is.
static void print_part(SomScope *scope, int part, SomText *out) {
    if (scope->instance != NULL && part == scope->instance->part) {
        som_text_printf(out, "'%.*s'", SOM_STR_ARG(scope->instance->info->name));
    } else {
        SomStr path = som_builder_part_path(scope->r->builder, part);
        SomStr own = som_builder_part_path(scope->r->builder, scope->instance->part);
        if (own.length > 0 && path.length > own.length) {
            path = som_str_slice(path, own.length + 1, path.length);
        }
        som_text_printf(out, "'%.*s'", SOM_STR_ARG(path));
    }
}

static void report_unknown_part(SomScope *scope, int part, SomStr name, SomSpan span) {
    som_resolver_fail(scope->r);
    if (is_damaged(scope, part) || som_scope_is_reported(scope, SOM_UNKNOWN_PART, span)) {
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = som_source_parts(scope->r->workspace, source_of(scope, part), names, SOM_MAX_HINTS);
    SomText text = {0};
    print_part(scope, part, &text);
    som_text_add(&text, SOM_STR(" has no part"));
    som_scope_report_unknown(scope, SOM_UNKNOWN_PART, span, text.data, name, names, count);
    som_text_free(&text);
}

// How many parts of the array there are.
static int array_length(const SomScope *scope, int part, SomStr name) {
    int length = 0;
    while (som_builder_find_part(scope->r->builder, part, name, length + 1) >= 0) {
        length++;
    }
    return length;
}

// Why a part of the given name and index was not found; `index` 0 is none, -1 one that is no
// number.
static void report_index(SomScope *scope, int part, SomStr name, SomNode name_node,
                         SomNode index_node, int index) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomPartSource source = source_of(scope, part);
    if (!som_scope_wants_hints(scope)) {
        report_unknown_part(scope, part, name, som_syntax_span(tree, name_node));
        return;
    }
    SomNode item = som_source_find_item(scope->r->workspace, source, name);
    bool is_array = false;
    if (item != 0) {
        const SomSyntax *other = scope->r->workspace->files.data[source.file]->file.tree;
        is_array = som_syntax_find_child(other, item, SOM_SOM_INDEX) != 0;
    } else if (source.kind != SOM_DEFINES_ROBOT ||
               som_builder_find_part(scope->r->builder, part, name, 0) < 0) {
        report_unknown_part(scope, part, name, som_syntax_span(tree, name_node));
        return;
    }
    if (is_array && index_node == 0) {
        som_scope_report(scope, SOM_WRONG_INDEX, som_syntax_span(tree, name_node),
                         "'%.*s' is an array of parts: %.*s[1] is the first of them",
                         SOM_STR_ARG(name), SOM_STR_ARG(name));
    } else if (!is_array && index_node != 0) {
        som_scope_report(scope, SOM_WRONG_INDEX, som_syntax_span(tree, index_node),
                         "'%.*s' is one part, not an array", SOM_STR_ARG(name));
    } else if (is_array && !scope->r->is_cut &&
               !som_scope_is_reported(scope, SOM_INDEX_OUT_OF_RANGE,
                                      som_syntax_span(tree, index_node))) {
        int length = array_length(scope, part, name);
        if (length > 0 || scope->r->failures == 0) { // else it could not be made
            som_scope_report(scope, SOM_INDEX_OUT_OF_RANGE, som_syntax_span(tree, index_node),
                             length > 0 ? "'%.*s' has no part %d, only 1 to %d"
                                        : "'%.*s' has no part %d, it has none at all",
                             SOM_STR_ARG(name), index, length);
        }
    }
    som_resolver_fail(scope->r);
}

bool som_resolve_follow(SomScope *scope, SomNode place, SomFollowed *followed) {
    const SomSyntax *tree = som_scope_tree(scope);
    *followed = (SomFollowed){.part = scope->instance->part};
    SomNode node = som_syntax_first_child(tree, place);
    while (node != 0) {
        if (som_syntax_kind(tree, node) != SOM_SOM_NAME) {
            som_scope_report(scope, SOM_WRONG_INDEX, som_syntax_span(tree, node),
                             "what is before this is no array of parts");
            return false;
        }
        SomStr name = som_scope_name(scope, node);
        SomNode next = som_syntax_next_sibling(tree, node);
        bool has_index = next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX;
        int index = 0;
        if (has_index && !som_scope_whole(scope, som_syntax_first_child(tree, next), -1000000000,
                                          1000000000, &index)) {
            return false;
        }
        const SomNamedPlace *let =
            has_index ? NULL : som_builder_find_place(scope->r->builder, followed->part, name);
        if (let != NULL && (let->member.length == 0 || next == 0)) {
            followed->part = let->target;
            followed->member = let->member.length > 0 ? node : 0;
            followed->name = let->member;
            node = next;
            continue;
        }
        bool is_module = som_builder_module_of(scope->r->builder, followed->part) >= 0;
        int part = is_module || (has_index && index < 1)
                       ? -1
                       : som_builder_find_part(scope->r->builder, followed->part, name, index);
        if (part >= 0) {
            followed->part = part;
            node = has_index ? som_syntax_next_sibling(tree, next) : next;
            continue;
        }
        bool is_part =
            next == 0 && !is_module && som_scope_wants_hints(scope) &&
            som_source_find_item(scope->r->workspace, source_of(scope, followed->part), name) != 0;
        if (next == 0 && !is_part) {
            followed->member = node;
            followed->name = name;
            return true;
        }
        if (is_module) {
            SomText text = {0};
            print_part(scope, followed->part, &text);
            som_scope_report(scope, SOM_UNKNOWN_PART, som_syntax_span(tree, node),
                             "%s is a module and has no parts", text.data);
            som_text_free(&text);
        } else {
            report_index(scope, followed->part, name, node, has_index ? next : 0, index);
        }
        return false;
    }
    return true;
}

// ---- modules and what they have

static void report_not_a_module(SomScope *scope, SomNode place, int part) {
    som_resolver_fail(scope->r);
    if (is_damaged(scope, part)) {
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = som_source_parts(scope->r->workspace, source_of(scope, part), names, SOM_MAX_HINTS);
    SomText text = {0};
    print_part(scope, part, &text);
    som_scope_report(scope, SOM_NOT_A_MODULE, som_syntax_span(som_scope_tree(scope), place),
                     count > 0 ? "%s is made of parts: go on to a module in '%.*s'"
                               : "%s is not a module%.*s",
                     text.data, SOM_STR_ARG(count > 0 ? names[0] : SOM_STR("")));
    som_text_free(&text);
}

static void print_names(SomText *out, const SomStr *names, int count) {
    SomNameList list = {.out = out, .max = SHOWN_NAMES};
    for (int i = 0; i < count; i++) {
        som_name_list_add(&list, "%.*s", SOM_STR_ARG(names[i]));
    }
    som_name_list_end(&list);
}

// A member of a module is wanted: one that is there was not found, or none was named.
static void report_member(SomScope *scope, SomNode place, const SomFollowed *followed, SomCode code,
                          const char *kind, const SomStr *names, int count) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode marked = followed->member != 0 ? followed->member : place;
    if (som_scope_is_reported(scope, code, som_syntax_span(tree, marked))) {
        return;
    }
    SomText text = {0}, list = {0};
    print_part(scope, followed->part, &text);
    som_resolver_fail(scope->r);
    if (followed->member == 0) {
        print_names(&list, names, count);
        som_scope_report(scope, code, som_syntax_span(tree, place),
                         "%s is a module; its %ss are %s", text.data, kind,
                         list.length > 0 ? list.data : "none");
    } else if (count > 0 && som_scope_wants_hints(scope) &&
               som_str_find_nearest(followed->name, names, count) < 0) {
        print_names(&list, names, count);
        som_scope_report(scope, code, som_syntax_span(tree, followed->member),
                         "%s has no %s '%.*s'; it has %s", text.data, kind,
                         SOM_STR_ARG(followed->name), list.data);
    } else if (!is_damaged(scope, followed->part)) {
        som_text_printf(&text, " has no %s", kind);
        som_scope_report_unknown(scope, code, som_syntax_span(tree, followed->member), text.data,
                                 followed->name, names, count);
    }
    som_text_free(&text);
    som_text_free(&list);
}

// Follows a place to a module; its member may be named or not.
static bool follow_to_module(SomScope *scope, SomNode place, SomFollowed *followed, int *module) {
    if (!som_resolve_follow(scope, place, followed)) {
        return false;
    }
    *module = som_builder_module_of(scope->r->builder, followed->part);
    if (*module < 0 && followed->member != 0) {
        report_unknown_part(scope, followed->part, followed->name,
                            som_syntax_span(som_scope_tree(scope), followed->member));
    } else if (*module < 0) {
        report_not_a_module(scope, place, followed->part);
    }
    return *module >= 0;
}

bool som_resolve_connector(SomScope *scope, SomNode place, bool is_optional, int *module,
                           int *connector) {
    SomFollowed followed;
    *connector = -1;
    if (!follow_to_module(scope, place, &followed, module)) {
        return false;
    }
    const SomModuleType *type = som_builder_module_type(scope->r->builder, *module);
    if (followed.member != 0) {
        *connector = som_module_type_find_connector(type, followed.name);
    }
    if (*connector >= 0 || (followed.member == 0 && is_optional)) {
        return true;
    }
    SomStr names[SOM_MAX_MODULE_CONNECTORS];
    for (int i = 0; i < type->connector_count; i++) {
        names[i] = type->connectors[i].name;
    }
    report_member(scope, place, &followed, SOM_UNKNOWN_CONNECTOR, "connector", names,
                  type->connector_count);
    return false;
}

bool som_resolve_joint(SomScope *scope, SomNode place, int *module, int *joint, SomAlias *alias) {
    SomFollowed followed;
    *joint = -1;
    if (!follow_to_module(scope, place, &followed, module)) {
        return false;
    }
    const SomModuleType *type = som_builder_module_type(scope->r->builder, *module);
    if (followed.member != 0) {
        *joint = som_module_type_find_joint(type, followed.name, alias);
    }
    SomStr names[2 * SOM_MAX_HINTS];
    int count = 0;
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *j = &type->joints[i];
        if (j->is_tree && j->type != SOM_JOINT_FIXED && count < SOM_MAX_HINTS) {
            names[count++] = j->name;
            if (i == *joint) {
                return true;
            }
        }
    }
    for (int i = 0; i < type->joint_count; i++) { // other names are hints, too
        const SomModuleJoint *j = &type->joints[i];
        for (int k = 0; k < j->alias_count && count < 2 * SOM_MAX_HINTS; k++) {
            names[count++] = j->aliases[k].name;
        }
    }
    report_member(scope, place, &followed, SOM_UNKNOWN_JOINT,
                  *joint >= 0 ? "moving joint" : "joint", names, *joint >= 0 ? 0 : count);
    return false;
}

bool som_resolve_module(SomScope *scope, SomNode place, int *module) {
    SomFollowed followed;
    if (!follow_to_module(scope, place, &followed, module)) {
        return false;
    }
    if (followed.member != 0) {
        SomText text = {0};
        print_part(scope, followed.part, &text);
        som_scope_report(scope, SOM_UNKNOWN_PART,
                         som_syntax_span(som_scope_tree(scope), followed.member),
                         "%s is a module and has no parts", text.data);
        som_text_free(&text);
        return false;
    }
    return true;
}

// ---- poses

bool som_resolve_pose(SomScope *scope, SomNode place, int *pose) {
    SomFollowed followed;
    if (!som_resolve_follow(scope, place, &followed)) {
        return false;
    }
    const SomSyntax *tree = som_scope_tree(scope);
    if (followed.member != 0) {
        *pose = som_builder_find_pose(scope->r->builder, followed.part, followed.name);
        if (*pose >= 0) {
            return true;
        }
    }
    SomNode marked = followed.member != 0 ? followed.member : place;
    if (som_scope_is_reported(scope, SOM_UNKNOWN_POSE, som_syntax_span(tree, marked))) {
        return false;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = som_source_names(scope->r->workspace, source_of(scope, followed.part), SOM_SOM_POSE,
                                 names, SOM_MAX_HINTS);
    SomText text = {0};
    print_part(scope, followed.part, &text);
    som_resolver_fail(scope->r);
    if (followed.member == 0) {
        som_scope_report(scope, SOM_UNKNOWN_POSE, som_syntax_span(tree, place),
                         "%s is a part: give a pose of it, or values of its joints", text.data);
    } else if (som_source_has(scope->r->workspace, source_of(scope, followed.part), SOM_SOM_POSE,
                              followed.name)) {
        som_scope_report(scope, SOM_UNKNOWN_POSE, som_syntax_span(tree, followed.member),
                         "the pose '%.*s' is defined below; move it up",
                         SOM_STR_ARG(followed.name));
    } else if (!is_damaged(scope, followed.part)) {
        som_text_add(&text, SOM_STR(" has no pose"));
        som_scope_report_unknown(scope, SOM_UNKNOWN_POSE, som_syntax_span(tree, followed.member),
                                 text.data, followed.name, names, count);
    }
    som_text_free(&text);
    return false;
}
