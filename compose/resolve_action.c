// SPDX-License-Identifier: Apache-2.0
// Names in behaviors: joints that are moved, poses and behaviors that are called. Only names are
// looked at, indices and values have no meaning before a behavior is compiled.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "compose/parameter_words.h"
#include "compose/resolve_internal.h"

typedef struct Reader {
    SomScope scope;
    SomPartSource source;              // the config
    const SomConfigBehavior *behavior; // whose parameters are names
} Reader;

// A place by names alone: what the last part is, and the name behind it.
typedef struct Target {
    SomPartSource source;
    SomNode member; // 0 if the place ends with a part
    SomStr name;
    const SomParameter *parameter; // that stands for a joint, which the place is; else NULL
    SomText path;                  // of the part, for messages
    bool is_dock;                  // the name may have an index
} Target;

static void print_owner(const Reader *q, const Target *target, SomText *out) {
    SomStr own = som_resolve_source_name(q->scope.r, q->source);
    SomStr path = target->path.length > 0 ? som_text_str(&target->path) : own;
    som_text_printf(out, "'%.*s'", SOM_STR_ARG(path));
}

static void report_unknown(Reader *q, const Target *target, SomNode node, SomStr name, SomCode code,
                           const char *kind, const SomStr *names, int count) {
    if (som_source_is_damaged(q->scope.r->workspace, target->source)) {
        som_resolver_fail(q->scope.r);
        return;
    }
    SomText text = {0};
    print_owner(q, target, &text);
    som_text_printf(&text, " has no %s", kind);
    som_scope_report_unknown(&q->scope, code, som_syntax_span(som_scope_tree(&q->scope), node),
                             text.data, name, names, count);
    som_text_free(&text);
}

static void report_unknown_part(Reader *q, const Target *target, SomNode node, SomStr name) {
    SomStr names[SOM_MAX_HINTS];
    int count = som_source_parts(q->scope.r->workspace, target->source, names, SOM_MAX_HINTS);
    report_unknown(q, target, node, name, SOM_UNKNOWN_PART, "part", names, count);
}

// Is an index given where it is wanted, and only there?
static bool check_index(Reader *q, const Target *target, SomNode name_node, SomStr name,
                        SomNode index) {
    SomWorkspace *workspace = q->scope.r->workspace;
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomNode item = som_source_find_item(workspace, target->source, name);
    const SomSyntax *other = workspace->files.data[target->source.file]->file.tree;
    bool is_array = item != 0 && som_syntax_find_child(other, item, SOM_SOM_INDEX) != 0;
    if (is_array && index == 0) {
        som_scope_report(&q->scope, SOM_WRONG_INDEX, som_syntax_span(tree, name_node),
                         "'%.*s' is an array of parts: %.*s[1] is the first of them",
                         SOM_STR_ARG(name), SOM_STR_ARG(name));
    } else if (!is_array && index != 0) {
        som_scope_report(&q->scope, SOM_WRONG_INDEX, som_syntax_span(tree, index),
                         "'%.*s' is one part, not an array", SOM_STR_ARG(name));
    }
    return is_array == (index != 0);
}

static void add_to_path(Target *target, SomStr name, SomStr index) {
    som_text_add(&target->path, target->path.length > 0 ? SOM_STR(".") : SOM_STR(""));
    som_text_add(&target->path, name);
    som_text_add(&target->path, index);
}

// The parameter of the behavior that a place begins with; NULL if it begins with something else.
static const SomParameter *find_place_parameter(const Reader *q, SomStr name) {
    for (int i = 0; q->behavior != NULL && i < q->behavior->param_count; i++) {
        const SomParameter *p = &q->behavior->params[i];
        if (p->kind != SOM_PARAMETER_VALUE && som_str_equal(p->name, name)) {
            return p;
        }
    }
    return NULL;
}

static bool report_behind_joint(Reader *q, SomNode node, SomStr name) {
    som_scope_report(&q->scope, SOM_UNKNOWN_PART, som_syntax_span(som_scope_tree(&q->scope), node),
                     "'%.*s' is a joint and has no parts", SOM_STR_ARG(name));
    return false;
}

// Enters what a parameter stands for: a part of its type, or a joint that a call gives.
static bool enter_parameter(Reader *q, const SomParameter *p, SomNode node, SomNode next,
                            Target *target) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    if (next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX) {
        som_scope_report(&q->scope, SOM_WRONG_INDEX, som_syntax_span(tree, next),
                         "'%.*s' is one %s, not an array", SOM_STR_ARG(p->name),
                         p->kind == SOM_PARAMETER_JOINT ? "joint" : "part");
        return false;
    }
    if (p->kind == SOM_PARAMETER_JOINT) {
        target->member = node;
        target->name = p->name;
        target->parameter = p;
        return next == 0 || report_behind_joint(q, next, p->name);
    }
    target->source = (SomPartSource){(SomDefinitionKind)p->part_kind, p->part_file, p->part_index};
    add_to_path(target, p->name, SOM_STR(""));
    return true;
}

// Enters the part or joint that a let of the target's config names.
static bool enter_let(Reader *q, const SomLocal *let, SomNode node, SomNode next, Target *target) {
    SomLetTarget meant;
    if (!som_source_follow_let(q->scope.r->workspace, target->source, let, &meant)) {
        som_resolver_fail(q->scope.r); // composing reports it
        return false;
    }
    bool is_joint = meant.joint.length > 0;
    target->source = meant.source;
    target->member = is_joint ? node : 0;
    target->name = meant.joint;
    add_to_path(target, let->name, SOM_STR(""));
    return !is_joint || next == 0 || report_behind_joint(q, next, let->name);
}

// Follows a place as far as parts go. False after a report.
static bool follow(Reader *q, SomNode place, Target *target) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomWorkspace *workspace = q->scope.r->workspace;
    SomNode node = som_syntax_first_child(tree, place);
    const SomParameter *parameter = node != 0 && target->path.length == 0
                                        ? find_place_parameter(q, som_scope_name(&q->scope, node))
                                        : NULL;
    if (parameter != NULL) {
        SomNode next = som_syntax_next_sibling(tree, node);
        if (!enter_parameter(q, parameter, node, next, target)) {
            return false;
        }
        node = next;
    }
    while (node != 0) {
        SomNode next = som_syntax_next_sibling(tree, node);
        SomNode index = next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX ? next : 0;
        SomStr name = som_scope_name(&q->scope, node);
        if (som_syntax_kind(tree, node) != SOM_SOM_NAME) {
            som_scope_report(&q->scope, SOM_WRONG_INDEX, som_syntax_span(tree, node),
                             "what is before this is no array of parts");
            return false;
        }
        const SomLocal *let =
            index == 0 ? som_source_find_let(workspace, target->source, name) : NULL;
        if (let != NULL) {
            if (!enter_let(q, let, node, next, target)) {
                return false;
            }
            node = next;
            continue;
        }
        SomPartSource part;
        if (!som_source_find_part(workspace, target->source, name, &part)) {
            if (som_source_find_item(workspace, target->source, name) != 0) {
                som_resolver_fail(q->scope.r); // what it is made of was reported
                return false;
            }
            target->member = node;
            target->name = name;
            bool is_last =
                next == 0 || (target->is_dock && som_syntax_next_sibling(tree, next) == 0);
            if (!is_last) {
                report_unknown_part(q, target, node, name);
            }
            return is_last;
        }
        if (!check_index(q, target, node, name, index)) {
            return false;
        }
        target->source = part;
        add_to_path(target, som_syntax_text(tree, node),
                    index != 0 ? som_syntax_text(tree, index) : SOM_STR(""));
        node = index != 0 ? som_syntax_next_sibling(tree, index) : next;
    }
    return true;
}

// ---- members

static void check_joint(Reader *q, SomNode place, const Target *target) {
    if (target->parameter != NULL) {
        return; // every call says which joint
    }
    const SomModuleType *type = som_source_type(q->scope.r->workspace, target->source);
    SomSpan span = som_syntax_span(som_scope_tree(&q->scope), place);
    if (type == NULL && target->member != 0) {
        report_unknown_part(q, target, target->member, target->name);
        return;
    }
    if (type == NULL || target->member == 0) {
        SomText text = {0};
        print_owner(q, target, &text);
        som_scope_report(&q->scope, type == NULL ? SOM_NOT_A_MODULE : SOM_UNKNOWN_JOINT, span,
                         type == NULL ? "%s is made of parts: go on to a joint of one of them"
                                      : "%s is a module: go on to one of its joints",
                         text.data);
        som_text_free(&text);
        return;
    }
    if (som_module_type_find_joint(type, target->name, NULL) >= 0) {
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = 0;
    for (int i = 0; i < type->joint_count; i++) {
        for (int k = -1; k < type->joints[i].alias_count && count < SOM_MAX_HINTS; k++) {
            names[count++] = k < 0 ? type->joints[i].name : type->joints[i].aliases[k].name;
        }
    }
    report_unknown(q, target, target->member, target->name, SOM_UNKNOWN_JOINT, "joint", names,
                   count);
}

// A pose or behavior is wanted, and the place ends with a part.
static void report_part(Reader *q, SomNode place, const Target *target, SomCode code,
                        const char *kind) {
    SomText text = {0};
    print_owner(q, target, &text);
    som_scope_report(&q->scope, code, som_syntax_span(som_scope_tree(&q->scope), place),
                     "%s is a part: go on to one of its %ss", text.data, kind);
    som_text_free(&text);
}

static void check_pose(Reader *q, SomNode place, const Target *target) {
    SomWorkspace *workspace = q->scope.r->workspace;
    if (target->member == 0) {
        report_part(q, place, target, SOM_UNKNOWN_POSE, "pose");
        return;
    }
    if (som_source_has(workspace, target->source, SOM_SOM_POSE, target->name)) {
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = som_source_names(workspace, target->source, SOM_SOM_POSE, names, SOM_MAX_HINTS);
    report_unknown(q, target, target->member, target->name, SOM_UNKNOWN_POSE, "pose", names, count);
}

static void check_dock(Reader *q, SomNode place, const Target *target) {
    SomWorkspace *workspace = q->scope.r->workspace;
    if (target->member == 0) {
        report_part(q, place, target, SOM_UNKNOWN_DOCK, "dock");
    } else if (!som_source_has(workspace, target->source, SOM_SOM_DOCK, target->name)) {
        SomStr names[SOM_MAX_HINTS];
        int count = som_source_names(workspace, target->source, SOM_SOM_DOCK, names, SOM_MAX_HINTS);
        report_unknown(q, target, target->member, target->name, SOM_UNKNOWN_DOCK, "dock", names,
                       count);
    }
}

// ---- arguments

static int find_behavior_parameter(const SomConfigBehavior *behavior, SomStr name) {
    for (int i = 0; i < behavior->param_count; i++) {
        if (som_str_equal(behavior->params[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static void note_declaration(Reader *q, const SomParameter *parameter) {
    som_note(q->scope.r->diags, parameter->span, "'%.*s' is declared here",
             SOM_STR_ARG(parameter->name));
}

// `found` is what the argument is: "is a wheel".
static void report_wrong_place(Reader *q, SomNode expression, const SomConfigBehavior *behavior,
                               const SomParameter *parameter, const char *found) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomText text = {0};
    som_words_wrong_place(&text, behavior->name, parameter, som_syntax_text(tree, expression),
                          found);
    if (som_scope_report(&q->scope, SOM_WRONG_PLACE, som_syntax_span(tree, expression), "%s",
                         text.data)) {
        note_declaration(q, parameter);
    }
    som_text_free(&text);
}

static void check_joint_argument(Reader *q, SomNode expression, const SomConfigBehavior *behavior,
                                 const SomParameter *parameter, const Target *target) {
    const SomModuleType *type = som_source_type(q->scope.r->workspace, target->source);
    if (target->parameter != NULL) {
        SomJointClass given = target->parameter->joint_class;
        if (given != parameter->joint_class && given != SOM_JOINT_CLASS_ANY &&
            parameter->joint_class != SOM_JOINT_CLASS_ANY) {
            SomText found = {0};
            som_text_printf(&found, "is a %s", som_joint_class_word(given));
            report_wrong_place(q, expression, behavior, parameter, found.data);
            som_text_free(&found);
        }
        return;
    }
    if (target->member == 0) {
        SomText found = {0};
        som_words_part_not_joint(&found, type, parameter->joint_class,
                                 som_syntax_text(som_scope_tree(&q->scope), expression));
        report_wrong_place(q, expression, behavior, parameter, found.data);
        som_text_free(&found);
        return;
    }
    int joint = type != NULL ? som_module_type_find_joint(type, target->name, NULL) : -1;
    if (joint < 0) {
        check_joint(q, expression, target);
    } else if (!som_joint_class_fits(parameter->joint_class, &type->joints[joint])) {
        SomText found = {0};
        som_text_printf(&found, "is a %s",
                        som_joint_class_word(som_joint_class_of(&type->joints[joint])));
        report_wrong_place(q, expression, behavior, parameter, found.data);
        som_text_free(&found);
    }
}

// A part of the type, or a module of it: a config that is a module itself is also that module.
static bool is_of_type(Reader *q, SomPartSource source, const SomParameter *p) {
    SomWorkspace *workspace = q->scope.r->workspace;
    SomPartSource wanted = {(SomDefinitionKind)p->part_kind, p->part_file, p->part_index};
    bool is_same =
        source.kind == wanted.kind && source.file == wanted.file && source.index == wanted.index;
    return is_same || (wanted.kind == SOM_DEFINES_TYPE &&
                       som_source_type(workspace, source) == som_source_type(workspace, wanted));
}

static void check_part_argument(Reader *q, SomNode expression, const SomConfigBehavior *behavior,
                                const SomParameter *parameter, const Target *target) {
    SomText found = {0};
    if (target->member != 0 && target->parameter == NULL &&
        som_source_type(q->scope.r->workspace, target->source) == NULL) {
        report_unknown_part(q, target, target->member, target->name);
    } else if (target->member != 0) {
        som_text_add(&found, SOM_STR("is not a part"));
    } else if (!is_of_type(q, target->source, parameter)) {
        SomStr type = som_resolve_source_name(q->scope.r, target->source);
        som_text_printf(&found, "is a '%.*s'", SOM_STR_ARG(type));
    }
    if (found.length > 0) {
        report_wrong_place(q, expression, behavior, parameter, found.data);
    }
    som_text_free(&found);
}

// What is given for a joint or part must be one; values are computed when the behavior is unfolded.
static void check_argument(Reader *q, SomNode argument, const SomConfigBehavior *behavior,
                           const SomParameter *parameter) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomNode expression = som_syntax_first_child(tree, argument);
    if (expression != 0 && som_syntax_kind(tree, expression) == SOM_SOM_NAME) {
        expression = som_syntax_next_sibling(tree, expression);
    }
    if (parameter->kind == SOM_PARAMETER_VALUE || !parameter->is_known || expression == 0) {
        return;
    }
    Target target = {.source = q->source};
    if (som_syntax_kind(tree, expression) != SOM_SOM_PLACE) {
        report_wrong_place(q, expression, behavior, parameter, "is a value");
    } else if (follow(q, expression, &target)) {
        if (parameter->kind == SOM_PARAMETER_JOINT) {
            check_joint_argument(q, expression, behavior, parameter, &target);
        } else {
            check_part_argument(q, expression, behavior, parameter, &target);
        }
    }
    som_text_free(&target.path);
}

static void report_missing(Reader *q, SomNode run, const SomConfigBehavior *behavior,
                           const SomParameter *parameter) {
    if (som_scope_report(&q->scope, SOM_WRONG_ARGUMENTS,
                         som_syntax_span(som_scope_tree(&q->scope), run),
                         "'%.*s' needs a %s for its parameter '%.*s'", SOM_STR_ARG(behavior->name),
                         som_words_parameter_kind(parameter), SOM_STR_ARG(parameter->name))) {
        note_declaration(q, parameter);
    }
}

// Are the arguments of a call those that the behavior has parameters for?
static void check_arguments(Reader *q, SomNode run, const SomConfigBehavior *behavior) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomNode list = som_syntax_find_child(tree, run, SOM_SOM_ARGUMENTS);
    SomNode argument = list != 0 ? som_syntax_find_child(tree, list, SOM_SOM_ARGUMENT) : 0;
    bool *given = som_alloc((size_t)(behavior->param_count + 1) * sizeof *given);
    for (int nth = 0; argument != 0; nth++) {
        SomNode name = som_syntax_find_child(tree, argument, SOM_SOM_NAME);
        int parameter = name == 0
                            ? (nth < behavior->param_count ? nth : -1)
                            : find_behavior_parameter(behavior, som_scope_name(&q->scope, name));
        if (parameter < 0 || given[parameter]) {
            som_scope_report(&q->scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, argument),
                             parameter >= 0 ? "'%.*s' is given this argument twice"
                             : name != 0    ? "'%.*s' has no parameter of this name"
                                            : "'%.*s' has fewer parameters",
                             SOM_STR_ARG(behavior->name));
            som_free(given);
            return;
        }
        given[parameter] = true;
        check_argument(q, argument, behavior, &behavior->params[parameter]);
        argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT);
    }
    for (int i = 0; i < behavior->param_count; i++) {
        if (!given[i] && behavior->params[i].otherwise == 0) {
            report_missing(q, run, behavior, &behavior->params[i]);
            break;
        }
    }
    som_free(given);
}

static void check_run(Reader *q, SomNode run, SomNode place, const Target *target) {
    SomWorkspace *workspace = q->scope.r->workspace;
    const SomDesignFile *file = &workspace->files.data[target->source.file]->file;
    const SomConfigInfo *info =
        target->source.kind == SOM_DEFINES_CONFIG ? &file->configs[target->source.index] : NULL;
    if (target->member == 0) {
        report_part(q, place, target, SOM_UNKNOWN_BEHAVIOR, "behavior");
        return;
    }
    const SomConfigBehavior *behavior =
        som_source_find_behavior(workspace, target->source, target->name);
    if (behavior != NULL) {
        check_arguments(q, run, behavior);
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = 0;
    for (; info != NULL && count < info->behavior_count && count < SOM_MAX_HINTS; count++) {
        names[count] = info->behaviors[count].name;
    }
    report_unknown(q, target, target->member, target->name, SOM_UNKNOWN_BEHAVIOR, "behavior", names,
                   count);
}

// ---- actions

// PART to pose P, or to pose P.
static void check_to_pose(Reader *q, SomNode node, Target *target) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    SomNode first = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    SomNode second = som_syntax_find_next(tree, first, SOM_SOM_PLACE);
    if (second != 0) {
        if (!follow(q, first, target)) {
            return;
        }
        if (target->member != 0) {
            report_unknown_part(q, target, target->member, target->name);
            return;
        }
    }
    if (follow(q, second != 0 ? second : first, target)) {
        check_pose(q, second != 0 ? second : first, target);
    }
}

static void check_action(Reader *q, SomNode node, int kind) {
    const SomSyntax *tree = som_scope_tree(&q->scope);
    Target target = {.source = q->source};
    SomNode place = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    if (kind == SOM_SOM_DOCKING) {
        target.is_dock = true;
        if (som_syntax_find_next(tree, place, SOM_SOM_PLACE) == 0 && follow(q, place, &target)) {
            check_dock(q, place, &target);
        }
    } else if (kind == SOM_SOM_TO_POSE) {
        check_to_pose(q, node, &target);
    } else if (kind == SOM_SOM_MOVE && follow(q, place, &target)) {
        check_joint(q, place, &target);
    } else if (kind == SOM_SOM_RUN && follow(q, place, &target)) {
        check_run(q, node, place, &target);
    }
    som_text_free(&target.path);
}

// The first node in preorder behind all that is in `node`; 0 at the end.
static SomNode behind(const SomSyntax *tree, SomNode node) {
    SomNode next = 0;
    for (; node != 0 && next == 0; node = som_syntax_parent(tree, node)) {
        next = som_syntax_next_sibling(tree, node);
    }
    return next;
}

// Behaviors are in the order of the text.
static const SomConfigBehavior *find_own_behavior(const SomConfigInfo *info, SomNode node) {
    int low = 0, high = info->behavior_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (info->behaviors[middle].node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < info->behavior_count && info->behaviors[low].node == node ? &info->behaviors[low]
                                                                           : NULL;
}

void som_resolve_behaviors(SomResolver *r, int file, int config) {
    const SomDesignFile *f = &r->workspace->files.data[file]->file;
    const SomConfigInfo *info = &f->configs[config];
    Reader reader = {.scope = {.r = r, .file = file}, .source = {SOM_DEFINES_CONFIG, file, config}};
    if (info->body == 0 || f->is_incomplete) {
        return;
    }
    SomNode node = som_syntax_find_child(f->tree, info->body, SOM_SOM_BEHAVIOR);
    for (; node != 0; node = som_syntax_find_next(f->tree, node, SOM_SOM_BEHAVIOR)) {
        reader.behavior = find_own_behavior(info, node);
        SomNode end = behind(f->tree, node);
        for (SomNode at = node; at != 0 && at != end; at = som_syntax_next(f->tree, at)) {
            int kind = som_syntax_kind(f->tree, at);
            bool is_named = kind == SOM_SOM_MOVE || kind == SOM_SOM_RUN ||
                            kind == SOM_SOM_TO_POSE || kind == SOM_SOM_DOCKING;
            if (is_named && !som_syntax_has_error(f->tree, node)) {
                check_action(&reader, at, kind);
            }
        }
    }
}
