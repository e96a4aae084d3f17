// SPDX-License-Identifier: Apache-2.0
// Names: which of a text mean a part, renaming them, and new ones.

#include "base/codes/compose_codes.h"
#include "compose/design_change.h"
#include "compose/design_internal.h"
#include "language/name.h"

// No name is longer.
#define LONGEST_NAME 200

// ---- which names mean a part

static bool is_same_source(SomPartSource a, SomPartSource b) {
    return a.kind == b.kind && a.file == b.file && a.index == b.index;
}

// Does this place name a pose: one that another takes over, or that an action moves to?
static bool names_pose(const SomSyntax *tree, SomNode place) {
    SomNode around = som_syntax_parent(tree, place);
    SomNode next = som_syntax_next_sibling(tree, place);
    switch (som_syntax_kind(tree, around)) {
    case SOM_SOM_ENTRY:
        return som_syntax_first_child(tree, around) == place &&
               (next == 0 || som_syntax_kind(tree, next) == SOM_SOM_FOR);
    case SOM_SOM_TO_POSE:
        return som_syntax_find_next(tree, place, SOM_SOM_PLACE) == 0;
    default:
        return false;
    }
}

// Does it name a behavior that is run?
static bool names_behavior(const SomSyntax *tree, SomNode place) {
    return som_syntax_kind(tree, som_syntax_parent(tree, place)) == SOM_SOM_RUN;
}

typedef struct Finder {
    SomOperation *op;
    SomPartSource config;
    SomPartSource start;                                          // the config that is looked at
    SomStr name;                                                  // of a part or let, or of
    bool (*names_member)(const SomSyntax *tree, SomNode place);   // what such a place ends with
    void (*found)(SomOperation *op, SomNode name, void *context); // NULL: only goes along
    void *context;
} Finder;

static SomNode follow(const Finder *f, SomNode place, SomPartSource *source);

// Is this the argument of a behavior for a parameter that stands for a part?
static bool is_part_argument(const Finder *f, SomNode argument, SomNode run) {
    const SomSyntax *tree = f->op->tree;
    Finder quiet = *f;
    quiet.found = NULL;
    SomPartSource source = f->start;
    SomNode name = follow(&quiet, som_syntax_find_child(tree, run, SOM_SOM_PLACE), &source);
    const SomConfigBehavior *behavior =
        name != 0 ? som_source_find_behavior(f->op->workspace, source,
                                             som_workspace_name(f->op->workspace, tree, name))
                  : NULL;
    SomNode label = som_syntax_find_child(tree, argument, SOM_SOM_NAME);
    int nth = 0;
    SomNode other =
        som_syntax_find_child(tree, som_syntax_parent(tree, argument), SOM_SOM_ARGUMENT);
    for (; other != argument; other = som_syntax_find_next(tree, other, SOM_SOM_ARGUMENT)) {
        nth++;
    }
    for (int i = 0; behavior != NULL && i < behavior->param_count; i++) {
        const SomParameter *p = &behavior->params[i];
        bool is_meant =
            label != 0 ? som_str_equal(p->name, som_workspace_name(f->op->workspace, tree, label))
                       : i == nth;
        if (is_meant) {
            return p->kind == SOM_PARAMETER_PART;
        }
    }
    return false;
}

// Does this place stand where its last name may be a part: `base body`, not `front.walk`?
static bool may_end_with_part(const Finder *f, SomNode place) {
    const SomSyntax *tree = f->op->tree;
    SomNode around = som_syntax_parent(tree, place);
    switch (som_syntax_kind(tree, around)) {
    case SOM_SOM_CONNECT:
    case SOM_SOM_DOCK:
    case SOM_SOM_BASE:
    case SOM_SOM_HOLD:
        return true;
    case SOM_SOM_LET: { // let front = leg[1]
        SomStr name = som_workspace_name(f->op->workspace, tree,
                                         som_syntax_find_child(tree, around, SOM_SOM_NAME));
        return som_source_find_let(f->op->workspace, f->start, name) != NULL;
    }
    case SOM_SOM_TO_POSE: // `front to pose leg`: the first of two
        return som_syntax_find_next(tree, place, SOM_SOM_PLACE) != 0;
    case SOM_SOM_ARGUMENT: { // contact(foot), wave(front)
        SomNode call = som_syntax_parent(tree, som_syntax_parent(tree, around));
        SomNode name = som_syntax_first_child(tree, call);
        return som_syntax_kind(tree, call) == SOM_SOM_RUN
                   ? is_part_argument(f, around, call)
                   : som_syntax_kind(tree, call) == SOM_SOM_CALL &&
                         som_str_equal(som_syntax_text(tree, name), SOM_STR("contact"));
    }
    default:
        return false;
    }
}

// The parameter of the behavior around a place that its first name stands for a joint or part by;
// NULL if it is none.
static const SomParameter *find_parameter(const Finder *f, SomNode place, SomStr name) {
    SomNode node = som_syntax_find_around(f->op->tree, place, SOM_SOM_BEHAVIOR);
    SomNode own = node != 0 ? som_syntax_find_child(f->op->tree, node, SOM_SOM_NAME) : 0;
    const SomConfigBehavior *behavior =
        own != 0 ? som_source_find_behavior(f->op->workspace, f->start,
                                            som_workspace_name(f->op->workspace, f->op->tree, own))
                 : NULL;
    for (int i = 0; behavior != NULL && i < behavior->param_count; i++) {
        const SomParameter *p = &behavior->params[i];
        if (p->kind != SOM_PARAMETER_VALUE && som_str_equal(p->name, name)) {
            return p;
        }
    }
    return NULL;
}

// Enters what a parameter or let of this name stands for; false if it is none. A joint is entered
// as its module, whose end the place is then.
static bool enter_named(const Finder *f, SomNode place, SomStr name, bool is_first,
                        SomPartSource *source) {
    const SomParameter *p = is_first ? find_parameter(f, place, name) : NULL;
    const SomLocal *let = som_source_find_let(f->op->workspace, *source, name);
    SomLetTarget target;
    if (p != NULL && p->kind == SOM_PARAMETER_PART) {
        *source = (SomPartSource){(SomDefinitionKind)p->part_kind, p->part_file, p->part_index};
    } else if (p == NULL && let != NULL &&
               som_source_follow_let(f->op->workspace, *source, let, &target)) {
        *source = target.source;
    }
    return p != NULL || let != NULL;
}

// Goes along a place from a source as far as parts go; what that ends in goes to *source. Returns
// the first name that is none of a part, 0 if all are.
static SomNode follow(const Finder *f, SomNode place, SomPartSource *source) {
    const SomSyntax *tree = f->op->tree;
    bool may_end = may_end_with_part(f, place);
    SomNode head = som_syntax_first_child(tree, place);
    for (SomNode node = head; node != 0;) {
        SomNode next = som_syntax_next_sibling(tree, node);
        if (next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX) {
            next = som_syntax_next_sibling(tree, next);
        }
        SomStr name = som_workspace_name(f->op->workspace, tree, node);
        SomPartSource part = *source;
        bool is_first = node == head && is_same_source(*source, f->start);
        bool is_named = enter_named(f, place, name, is_first, &part);
        bool is_parameter = is_named && is_first && find_parameter(f, place, name) != NULL;
        if (!is_named && ((next == 0 && !may_end) ||
                          !som_source_find_part(f->op->workspace, *source, name, &part))) {
            return node;
        }
        if (f->found != NULL && !is_parameter && is_same_source(*source, f->config) &&
            som_str_equal(name, f->name)) {
            f->found(f->op, node, f->context);
        }
        *source = part;
        node = next;
    }
    return 0;
}

static void look_at(const Finder *f, SomNode place, SomPartSource start) {
    const SomSyntax *tree = f->op->tree;
    SomNode around = som_syntax_parent(tree, place);
    SomNode first = som_syntax_find_child(tree, around, SOM_SOM_PLACE);
    Finder quiet = *f;
    quiet.found = NULL;
    if (som_syntax_kind(tree, around) == SOM_SOM_TO_POSE && first != place) {
        follow(&quiet, first, &start); // the pose is one of the part before it
    }
    if (f->names_member == NULL) {
        follow(f, place, &start);
        return;
    }
    SomNode name = f->names_member(tree, place) ? follow(&quiet, place, &start) : 0;
    if (name != 0 && som_syntax_next_sibling(tree, name) == 0 && is_same_source(start, f->config) &&
        som_str_equal(som_workspace_name(f->op->workspace, tree, name), f->name)) {
        f->found(f->op, name, f->context);
    }
}

static void find_all(Finder *finder) {
    SomOperation *op = finder->op;
    int file = op->design->composed->file;
    const SomDesignFile *f = som_workspace_file(op->workspace, file);
    for (int i = 0; i < f->config_count; i++) {
        SomNode node = f->configs[i].body;
        SomSpan span = som_syntax_span(op->tree, node);
        SomPartSource start = {SOM_DEFINES_CONFIG, file, i};
        finder->start = start;
        for (; node != 0 && som_syntax_span(op->tree, node).begin < span.end;
             node = som_syntax_next(op->tree, node)) {
            if (som_syntax_kind(op->tree, node) == SOM_SOM_PLACE) {
                look_at(finder, node, start);
            }
        }
    }
}

void som_operation_find_uses(SomOperation *op, SomPartSource config, SomStr part,
                             void (*found)(SomOperation *op, SomNode name, void *context),
                             void *context) {
    Finder finder = {.op = op, .config = config, .name = part, .found = found, .context = context};
    find_all(&finder);
}

// ---- new names

static bool is_taken(const SomOperation *op, SomStr name) {
    return op->config != 0 && som_source_find_item(op->workspace, op->source, name) != 0;
}

// By anything that is called by its name alone: a behavior that is called as a part is cannot be
// run.
static bool is_used(const SomOperation *op, SomStr name) {
    const int kinds[] = {SOM_SOM_BEHAVIOR, SOM_SOM_POSE, SOM_SOM_DOCK};
    bool is_used = is_taken(op, name);
    for (int i = 0; op->config != 0 && i < 3; i++) {
        is_used |= som_source_has(op->workspace, op->source, kinds[i], name);
    }
    return is_used;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// "leg" of "leg2" if there is a leg, "chain3" of "chain3_2".
static SomStr stem_of(const SomOperation *op, SomStr name) {
    size_t end = name.length;
    while (end > 0 && is_digit(name.data[end - 1])) {
        end--;
    }
    SomStr stem = som_str_slice(name, 0, end);
    if (end == name.length || end == 0) {
        return name;
    }
    if (stem.length > 1 && stem.data[stem.length - 1] == '_') {
        return som_str_slice(stem, 0, stem.length - 1);
    }
    return is_taken(op, stem) ? stem : name;
}

void som_operation_unique_name(const SomOperation *op, SomStr wanted, SomText *out) {
    som_text_clear(out);
    som_text_add(out, wanted);
    if (!is_used(op, wanted)) {
        return;
    }
    SomStr stem = stem_of(op, wanted);
    bool ends_in_digit = is_digit(stem.data[stem.length - 1]);
    for (int i = 2; is_used(op, som_text_str(out)); i++) {
        som_text_clear(out);
        som_text_printf(out, "%.*s%s%d", SOM_STR_ARG(stem), ends_in_digit ? "_" : "", i);
    }
}

void som_operation_name_of_reference(SomStr reference, SomText *out) {
    // of SMORES all letters become small, of Chain3 and TriATHLETE the first
    bool is_all_large = true;
    for (size_t i = 0; i < reference.length; i++) {
        is_all_large &= !(reference.data[i] >= 'a' && reference.data[i] <= 'z');
    }
    for (size_t i = 0; i < reference.length; i++) {
        char c = reference.data[i];
        bool is_large = c >= 'A' && c <= 'Z' && (i == 0 || is_all_large);
        som_text_add_char(out, is_large ? (char)(c - 'A' + 'a') : c, 1);
    }
}

bool som_operation_check_name(SomOperation *op, SomStr name) {
    SomText printed = {0}, read = {0};
    som_name_print(&printed, name);
    som_name_read(som_text_str(&printed), &read);
    bool is_fine =
        name.length > 0 && name.length <= LONGEST_NAME && som_str_equal(som_text_str(&read), name);
    som_text_free(&printed);
    som_text_free(&read);
    return is_fine ||
           som_operation_refuse(
               op, SOM_EDIT_NAME, (SomSpan){0},
               name.length == 0 ? "a name has at least one letter%.*s" : "'%.*s' cannot be a name",
               SOM_STR_ARG(name.length > LONGEST_NAME ? som_str_slice(name, 0, 20) : name));
}

// ---- renaming

static void rename_use(SomOperation *op, SomNode name, void *context) {
    som_edits_replace(op->edits, name, *(const SomStr *)context);
}

bool som_design_rename_part(SomDesign *design, SomStr config, SomStr part, SomStr name) {
    SomOperation op;
    SomItem item;
    if (som_operation_begin(&op, design, config) && som_operation_item(&op, part, &item) &&
        som_operation_check_name(&op, name)) {
        if (item.is_one) {
            som_operation_refuse(&op, SOM_EDIT_ELSEWHERE, som_syntax_span(op.tree, item.node),
                                 "'%.*s' is one of the array '%.*s' in line %d; rename the array",
                                 SOM_STR_ARG(part),
                                 SOM_STR_ARG(som_syntax_text(op.tree, item.node)),
                                 som_operation_line(&op, item.node));
        } else if (!som_str_equal(name, item.name) && is_taken(&op, name)) {
            SomNode other = som_source_find_item(op.workspace, op.source, name);
            som_operation_refuse(&op, SOM_EDIT_NAME, som_syntax_span(op.tree, other),
                                 "there is a part '%.*s' already", SOM_STR_ARG(name));
        } else if (!som_str_equal(name, item.name)) {
            SomText printed = {0};
            som_name_print(&printed, name);
            SomStr text = som_text_str(&printed);
            som_edits_replace(op.edits, som_syntax_find_child(op.tree, item.node, SOM_SOM_NAME),
                              text);
            som_operation_find_uses(&op, op.source, item.name, rename_use, &text);
            som_text_free(&printed);
        }
        som_design_set_new_name(design, name);
    }
    return som_operation_end(&op);
}

// Words that begin an action, or follow one.
static const char *const action_words[] = {
    "series", "Sc",     "parallel",   "Pc",    "any",    "repeat",  "choose", "wait",
    "hold",   "follow", "connect",    "to",    "by",     "spin",    "if",     "then",
    "else",   "for",    "disconnect", "until", "within", "timeout", "at",     "during"};

void som_behavior_name_print(SomText *out, SomStr name) {
    for (size_t i = 0; i < sizeof action_words / sizeof *action_words; i++) {
        if (som_str_equal(name, som_str(action_words[i]))) {
            som_name_print_quoted(out, name);
            return;
        }
    }
    som_name_print(out, name);
}

// What a config has by name, besides parts.
typedef struct Member {
    int kind; // of its statement
    const char *word;
    bool (*names_member)(const SomSyntax *tree, SomNode place);
    void (*print)(SomText *out, SomStr name);
} Member;

static const Member a_pose = {SOM_SOM_POSE, "pose", names_pose, som_name_print};
static const Member a_behavior = {SOM_SOM_BEHAVIOR, "behavior", names_behavior,
                                  som_behavior_name_print};

static void rename_everywhere(SomOperation *op, const Member *member, SomNode node, SomStr old,
                              SomStr name) {
    SomText printed = {0};
    member->print(&printed, name);
    SomStr text = som_text_str(&printed);
    som_edits_replace(op->edits, som_syntax_find_child(op->tree, node, SOM_SOM_NAME), text);
    Finder finder = {.op = op,
                     .config = op->source,
                     .name = old,
                     .names_member = member->names_member,
                     .found = rename_use,
                     .context = &text};
    find_all(&finder);
    SomNode start = som_syntax_find_child(op->tree, op->body, SOM_SOM_START);
    SomNode own = start != 0 ? som_syntax_find_child(op->tree, start, SOM_SOM_NAME) : 0;
    if (member == &a_pose && own != 0 &&
        som_str_equal(som_workspace_name(op->workspace, op->tree, own), old)) {
        som_edits_replace(op->edits, own, text);
    }
    som_text_free(&printed);
}

static bool rename_member(SomDesign *design, SomStr config, const Member *member, SomStr old,
                          SomStr name) {
    SomOperation op;
    if (som_operation_begin(&op, design, config) && som_operation_check_name(&op, name)) {
        SomNode node = som_operation_find_named(&op, member->kind, old),
                other = som_operation_find_named(&op, member->kind, name);
        if (node == 0) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the design has no %s '%.*s'", member->word, SOM_STR_ARG(old));
        } else if (other != 0 && other != node) {
            som_operation_refuse(&op, SOM_EDIT_NAME, som_syntax_span(op.tree, other),
                                 "there is a %s '%.*s' already", member->word, SOM_STR_ARG(name));
        } else if (is_taken(&op, name)) { // which would hide it
            som_operation_refuse(&op, SOM_EDIT_NAME, (SomSpan){0}, "there is a part '%.*s' already",
                                 SOM_STR_ARG(name));
        } else if (other == 0) {
            rename_everywhere(&op, member, node, old, name);
        }
        som_design_set_new_name(design, name);
    }
    return som_operation_end(&op);
}

bool som_design_rename_pose(SomDesign *design, SomStr config, SomStr pose, SomStr name) {
    return rename_member(design, config, &a_pose, pose, name);
}

bool som_design_rename_behavior(SomDesign *design, SomStr config, SomStr behavior, SomStr name) {
    return rename_member(design, config, &a_behavior, behavior, name);
}

// The choice with its new name, its arguments as they were.
void som_choice_rename(SomStr choice, SomStr name, SomText *out) {
    if (choice.length == 0) {
        return; // the first config is still the first
    }
    bool is_quoted = false;
    size_t at = 0;
    for (; at < choice.length && (is_quoted || choice.data[at] != '('); at++) {
        is_quoted ^= choice.data[at] == '"';
    }
    som_text_add(out, name);
    som_text_add(out, som_str_slice(choice, at, choice.length));
}

// A type of parameters that is not the name of a config or module type.
static bool is_type_word(SomStr word) {
    SomJointClass joint_class;
    return som_str_equal(word, SOM_STR("count")) || som_dimension_find(word) != NULL ||
           som_joint_class_find(word, &joint_class);
}

static void print_type(SomText *out, SomStr name) {
    if (is_type_word(name)) {
        som_name_print_quoted(out, name);
    } else {
        som_name_print(out, name);
    }
}

bool som_design_rename_config(SomDesign *design, SomStr config, SomStr name) {
    SomOperation op;
    if (!som_operation_begin(&op, design, config) || !som_operation_check_name(&op, name)) {
        return som_operation_end(&op);
    }
    const SomDesignFile *file = som_workspace_file(op.workspace, op.source.file);
    const SomConfigInfo *info = &file->configs[op.source.index];
    bool is_same = som_str_equal(info->name, name);
    int other = som_workspace_find_config(op.workspace, op.source.file, name);
    if (other >= 0 && !is_same) {
        som_operation_refuse(&op, SOM_EDIT_NAME, file->configs[other].span,
                             "there is a config '%.*s' already", SOM_STR_ARG(name));
    }
    SomText printed = {0}, type = {0};
    som_name_print(&printed, name);
    print_type(&type, name);
    som_edits_replace_span(op.edits, info->span.begin, info->span.end, som_text_str(&printed));
    for (SomNode node = SOM_ROOT; node != 0; node = som_syntax_next(op.tree, node)) {
        bool is_type = som_syntax_kind(op.tree, node) == SOM_SOM_TYPE &&
                       !is_type_word(som_syntax_text(op.tree, node));
        if (!is_type && som_syntax_kind(op.tree, node) != SOM_SOM_REFERENCE) {
            continue;
        }
        SomNode own = is_type ? node : som_syntax_find_child(op.tree, node, SOM_SOM_NAME);
        SomStr meant = som_workspace_name(op.workspace, op.tree, own);
        if (som_str_equal(meant, info->name)) {
            som_edits_replace(op.edits, own, som_text_str(is_type ? &type : &printed));
        } else if (som_str_equal(meant, name)) {
            som_operation_refuse(&op, SOM_EDIT_NAME, som_syntax_span(op.tree, own),
                                 "'%.*s' of another file is used here and would be hidden",
                                 SOM_STR_ARG(name));
        }
    }
    som_choice_rename(config, som_text_str(&printed), &op.new_choice);
    som_text_free(&printed);
    som_text_free(&type);
    return som_operation_end(&op);
}
