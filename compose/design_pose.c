// SPDX-License-Identifier: Apache-2.0
// Poses, the one a design starts in, and its base.

#include "base/codes/compose_codes.h"
#include "base/number.h"
#include "compose/design_change.h"
#include "compose/design_internal.h"
#include "compose/posture.h"
#include "language/name.h"
#include "space/trigonometry.h"

#include <math.h>
#include <string.h>

// Values nearer than this are the same, in radians or metres.
#define SAME_VALUE 1e-9

// ---- places of entries

// A place without blanks whose indices are numbers; false if it has others.
static bool print_plain(const SomSyntax *tree, SomNode place, SomText *out) {
    SomNode node = som_syntax_first_child(tree, place);
    for (bool is_first = true; node != 0; node = som_syntax_next_sibling(tree, node)) {
        if (som_syntax_kind(tree, node) == SOM_SOM_INDEX) {
            SomNode number = som_syntax_first_child(tree, node);
            if (number == 0 || som_syntax_kind(tree, number) != SOM_SOM_QUANTITY) {
                return false;
            }
            som_text_printf(out, "[%.*s]", SOM_STR_ARG(som_syntax_text(tree, number)));
        } else {
            som_text_add(out, is_first ? SOM_STR("") : SOM_STR("."));
            som_text_add(out, som_syntax_text(tree, node));
        }
        is_first = false;
    }
    return true;
}

typedef struct Entry {
    SomNode node;
    SomNode place;
    SomNode value; // 0: takes over another pose
    SomNode loop;
    int dof; // -1: it is about others, or several
    SomAlias alias;
} Entry;

static Entry read_entry(const SomOperation *op, SomNode node) {
    Entry entry = {.node = node,
                   .place = som_syntax_first_child(op->tree, node),
                   .loop = som_syntax_find_child(op->tree, node, SOM_SOM_FOR),
                   .dof = -1};
    SomNode value = som_syntax_next_sibling(op->tree, entry.place);
    entry.value = value != entry.loop ? value : 0;
    SomText path = {0};
    if (entry.value != 0 && entry.loop == 0 && print_plain(op->tree, entry.place, &path)) {
        entry.dof =
            som_configuration_find_dof(op->configuration, som_text_str(&path), &entry.alias);
    }
    som_text_free(&path);
    return entry;
}

SomNode som_operation_find_named(const SomOperation *op, int kind, SomStr name) {
    SomNode node = som_syntax_find_child(op->tree, op->body, kind);
    for (; node != 0; node = som_syntax_find_next(op->tree, node, kind)) {
        SomNode own = som_syntax_find_child(op->tree, node, SOM_SOM_NAME);
        if (som_str_equal(som_workspace_name(op->workspace, op->tree, own), name)) {
            break;
        }
    }
    return node;
}

SomNode som_operation_find_pose(const SomOperation *op, SomStr name) {
    return som_operation_find_named(op, SOM_SOM_POSE, name);
}

// For each DoF the entry of its own that says its value in the end; 0 if there is none, or one
// behind it, a loop say, may say something else. To be freed.
static SomNode *find_entries(const SomOperation *op, SomNode entries) {
    size_t size = sizeof(SomNode) * (size_t)op->configuration->dof_count;
    SomNode *found = som_alloc(size);
    SomNode node = som_syntax_find_child(op->tree, entries, SOM_SOM_ENTRY);
    for (; node != 0; node = som_syntax_find_next(op->tree, node, SOM_SOM_ENTRY)) {
        int dof = read_entry(op, node).dof;
        if (dof >= 0) {
            found[dof] = node;
        } else {
            memset(found, 0, size);
        }
    }
    return found;
}

// ---- values

// To a billionth of a degree, or of a metre: what a slider gives is no number that people write.
static void print_tidy(double value, bool slides, SomText *out) {
    double unit = slides ? 1e-3 : SOM_PI / 180, step = slides ? 1e6 : 1e9;
    som_text_number(out, round(value / unit * step) / step + 0.0);
    som_text_add(out, slides ? SOM_STR("mm") : SOM_STR("deg"));
}

void som_dof_print_value(const SomConfiguration *configuration, int dof, double value,
                         SomText *out) {
    const SomModuleJoint *joint = som_configuration_joint(configuration, dof);
    print_tidy(value, joint->type == SOM_JOINT_PRISMATIC, out);
}

static void print_value(const SomOperation *op, int dof, double value, SomText *out) {
    som_dof_print_value(op->configuration, dof, value, out);
}

static bool find_dof(SomOperation *op, SomStr joint, int *dof, SomAlias *alias) {
    *alias = (SomAlias){.sign = 1};
    *dof = som_place_is_clean(joint) ? som_configuration_find_dof(op->configuration, joint, alias)
                                     : -1;
    return *dof >= 0 ||
           som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                "'%.*s' is no joint of this design that moves", SOM_STR_ARG(joint));
}

// A value that a pose is to have.
typedef struct Wanted {
    SomStr joint;
    double value; // in the convention of that name
    int dof;
    SomAlias alias;
} Wanted;

static bool read_wanted(SomOperation *op, const SomJointValue *value, Wanted *wanted) {
    *wanted = (Wanted){.joint = value->joint, .value = value->value};
    return find_dof(op, value->joint, &wanted->dof, &wanted->alias) &&
           (fabs(value->value) <= 1e6 ||
            som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the value of '%.*s' is not finite, or too large",
                                 SOM_STR_ARG(value->joint)));
}

static void print_entry(const SomOperation *op, const Wanted *wanted, SomText *out) {
    som_text_printf(out, "%.*s = ", SOM_STR_ARG(wanted->joint));
    print_value(op, wanted->dof, wanted->value, out);
}

// Says the values in a pose that is there: each in its own entry, in the convention of its name,
// else in a new one behind all others.
static void set_in_pose(SomOperation *op, SomNode pose, const Wanted *wanted, int count) {
    SomNode entries = som_syntax_find_child(op->tree, pose, SOM_SOM_ENTRIES);
    SomNode *found = find_entries(op, entries);
    SomText text = {0};
    for (int i = 0; i < count; i++) {
        const Wanted *w = &wanted[i];
        som_text_clear(&text);
        if (found[w->dof] == 0) {
            print_entry(op, w, &text);
            som_edits_insert_into(op->edits, entries, som_text_str(&text));
            continue;
        }
        Entry entry = read_entry(op, found[w->dof]);
        double own = w->value;
        if (entry.alias.sign != w->alias.sign || entry.alias.zero != w->alias.zero) {
            own = som_alias_from_joint(entry.alias, som_alias_to_joint(w->alias, w->value));
        }
        print_value(op, w->dof, own, &text);
        som_edits_replace(op->edits, entry.value, som_text_str(&text));
    }
    som_text_free(&text);
    som_free(found);
}

static void add_pose(SomOperation *op, SomStr pose, const Wanted *wanted, int count) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("pose "));
    som_name_print(&text, pose);
    som_text_add(&text, count > 0 ? SOM_STR(" {\n") : SOM_STR(" { "));
    for (int i = 0; i < count; i++) {
        som_text_add(&text, SOM_STR("    "));
        print_entry(op, &wanted[i], &text);
        som_text_add(&text, SOM_STR("\n"));
    }
    som_text_add(&text, SOM_STR("}"));
    som_operation_add_statement(op, SOM_SOM_POSE, som_text_str(&text));
    som_text_free(&text);
}

static void check_values(SomOperation *op, SomStr pose, const Wanted *wanted, int count) {
    SomText path = {0};
    som_name_print(&path, pose);
    const SomConfiguration *c = op->next->configuration;
    int found = som_configuration_find_pose(c, som_text_str(&path));
    for (int i = 0; i < count; i++) {
        double value = found >= 0 ? c->poses[found].values[wanted[i].dof] : (double)NAN;
        double asked = som_alias_to_joint(wanted[i].alias, wanted[i].value);
        if (!(fabs(value - asked) <= SAME_VALUE * (1 + fabs(asked)))) {
            som_operation_refuse(op, SOM_EDIT_ELSEWHERE, (SomSpan){0},
                                 "the pose '%.*s' would not have this value", SOM_STR_ARG(pose));
        }
    }
    som_text_free(&path);
}

// Tries the operation in which the pose has the values.
static void try_values(SomOperation *op, SomDesign *design, SomStr config, SomStr pose,
                       const SomJointValue *values, int count) {
    Wanted *wanted = som_alloc(sizeof *wanted * (size_t)(count > 0 ? count : 1));
    bool is_fine = som_operation_begin(op, design, config) && som_operation_check_name(op, pose);
    for (int i = 0; is_fine && i < count; i++) {
        is_fine = read_wanted(op, &values[i], &wanted[i]);
    }
    if (is_fine) {
        SomNode node = som_operation_find_pose(op, pose);
        if (node != 0) {
            set_in_pose(op, node, wanted, count);
        } else {
            add_pose(op, pose, wanted, count);
        }
        if (som_operation_try(op)) {
            check_values(op, pose, wanted, count);
        }
    }
    som_free(wanted);
}

bool som_design_set_values(SomDesign *design, SomStr config, SomStr pose,
                           const SomJointValue *values, int count) {
    SomOperation op;
    try_values(&op, design, config, pose, values, count);
    return som_operation_end(&op);
}

bool som_design_print_posed(SomDesign *design, SomStr config, SomStr pose,
                            const SomJointValue *values, int count, SomText *out) {
    SomOperation op;
    try_values(&op, design, config, pose, values, count);
    bool is_fine = !op.is_refused;
    if (is_fine) {
        som_text_add(out, som_workspace_file(op.next->workspace, op.next->file)->text);
    }
    op.is_refused = true; // it is not made here
    som_operation_end(&op);
    return is_fine;
}

int som_design_find_joint(SomDesign *design, SomStr config, const SomJointValue *value) {
    SomOperation op;
    Wanted wanted = {.dof = -1};
    bool is_fine = som_operation_begin(&op, design, config) && read_wanted(&op, value, &wanted);
    op.is_refused = true;
    som_operation_end(&op);
    return is_fine ? wanted.dof : -1;
}

bool som_design_set_value(SomDesign *design, SomStr config, SomStr pose, SomStr joint,
                          double value) {
    return som_design_set_values(design, config, pose, &(SomJointValue){joint, value}, 1);
}

// Why a value that no entry of its own says cannot be taken away.
static void refuse_clearing(SomOperation *op, SomNode pose, SomStr joint) {
    SomNode entries = som_syntax_find_child(op->tree, pose, SOM_SOM_ENTRIES);
    SomNode node = som_syntax_find_child(op->tree, entries, SOM_SOM_ENTRY);
    for (; node != 0; node = som_syntax_find_next(op->tree, node, SOM_SOM_ENTRY)) {
        Entry entry = read_entry(op, node);
        if (entry.dof >= 0) {
            continue;
        }
        som_operation_refuse(op, SOM_EDIT_ELSEWHERE, som_syntax_span(op->tree, node),
                             entry.loop != 0    ? "'%.*s' comes from the loop in line %d"
                             : entry.value != 0 ? "'%.*s' is said with a computed index in line %d"
                                                : "'%.*s' is taken over in line %d",
                             SOM_STR_ARG(joint), som_operation_line(op, node));
        return;
    }
    som_operation_refuse(op, SOM_EDIT_NOT_FOUND, som_syntax_span(op->tree, pose),
                         "this pose says nothing of '%.*s'", SOM_STR_ARG(joint));
}

bool som_design_clear_value(SomDesign *design, SomStr config, SomStr pose, SomStr joint) {
    SomOperation op;
    int dof;
    SomAlias alias;
    if (som_operation_begin(&op, design, config) && find_dof(&op, joint, &dof, &alias)) {
        SomNode node = som_operation_find_pose(&op, pose);
        if (node == 0) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the design has no pose '%.*s'", SOM_STR_ARG(pose));
            return som_operation_end(&op);
        }
        SomNode entries = som_syntax_find_child(op.tree, node, SOM_SOM_ENTRIES);
        bool is_any = false;
        SomNode entry = som_syntax_find_child(op.tree, entries, SOM_SOM_ENTRY);
        for (; entry != 0; entry = som_syntax_find_next(op.tree, entry, SOM_SOM_ENTRY)) {
            if (read_entry(&op, entry).dof == dof) {
                som_edits_remove(op.edits, entry);
                is_any = true;
            }
        }
        if (!is_any) {
            refuse_clearing(&op, node, joint);
        }
    }
    return som_operation_end(&op);
}

bool som_design_remove_pose(SomDesign *design, SomStr config, SomStr pose) {
    SomOperation op;
    if (som_operation_begin(&op, design, config)) {
        SomNode node = som_operation_find_pose(&op, pose);
        if (node != 0) {
            som_edits_remove(op.edits, node);
        } else {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the design has no pose '%.*s'", SOM_STR_ARG(pose));
        }
    }
    return som_operation_end(&op);
}

bool som_design_set_start(SomDesign *design, SomStr config, SomStr pose) {
    SomOperation op;
    if (som_operation_begin(&op, design, config)) {
        SomNode node = som_syntax_find_child(op.tree, op.body, SOM_SOM_START);
        SomText text = {0};
        som_text_add(&text, SOM_STR("start "));
        som_name_print(&text, pose);
        if (pose.length > 0 && som_operation_find_pose(&op, pose) == 0) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the design has no pose '%.*s'", SOM_STR_ARG(pose));
        } else if (node != 0 && pose.length == 0) {
            som_edits_remove(op.edits, node);
        } else if (node != 0) {
            som_edits_replace(op.edits, node, som_text_str(&text));
        } else if (pose.length > 0) {
            som_operation_add_statement(&op, SOM_SOM_START, som_text_str(&text));
        }
        som_text_free(&text);
    }
    return som_operation_end(&op);
}

// ---- copying

// Does the place begin with this part: its name, and its index if it is one of an array?
static bool begins_with(const SomOperation *op, SomNode place, const SomItem *item,
                        uint32_t *behind) {
    const SomSyntax *tree = op->tree;
    SomNode name = som_syntax_first_child(tree, place);
    SomNode next = som_syntax_next_sibling(tree, name);
    bool has_index = next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX;
    if (!som_str_equal(som_workspace_name(op->workspace, tree, name), item->name) || next == 0 ||
        has_index != item->is_array) {
        return false;
    }
    *behind = som_syntax_span(tree, has_index ? next : name).end;
    if (!has_index) {
        return true;
    }
    SomText written = {0};
    som_name_print(&written, item->name);
    SomNode number = som_syntax_first_child(tree, next);
    bool is_plain = number != 0 && som_syntax_kind(tree, number) == SOM_SOM_QUANTITY;
    if (is_plain) {
        som_text_printf(&written, "[%.*s]", SOM_STR_ARG(som_syntax_text(tree, number)));
    }
    bool is_same = is_plain &&
                   som_str_equal(som_text_str(&written), op->configuration->parts[item->part].name);
    som_text_free(&written);
    return is_same;
}

void som_operation_add_value(SomOperation *op, SomStr pose, SomStr part, SomStr rest, int dof,
                             double value) {
    SomNode entries =
        som_syntax_find_child(op->tree, som_operation_find_pose(op, pose), SOM_SOM_ENTRIES);
    SomText text = {0};
    som_name_print(&text, part);
    som_text_printf(&text, "%.*s = ", SOM_STR_ARG(rest));
    print_value(op, dof, value, &text);
    som_edits_insert_into(op->edits, entries, som_text_str(&text));
    som_text_free(&text);
}

void som_operation_copy_entries(SomOperation *op, const SomItem *from, SomStr to, SomStr only) {
    SomStr source = som_syntax_source(op->tree);
    SomNode pose = som_syntax_find_child(op->tree, op->body, SOM_SOM_POSE);
    for (; pose != 0; pose = som_syntax_find_next(op->tree, pose, SOM_SOM_POSE)) {
        if (only.length > 0 && pose != som_operation_find_pose(op, only)) {
            continue;
        }
        SomNode entries = som_syntax_find_child(op->tree, pose, SOM_SOM_ENTRIES);
        SomNode node = som_syntax_find_child(op->tree, entries, SOM_SOM_ENTRY);
        for (; node != 0; node = som_syntax_find_next(op->tree, node, SOM_SOM_ENTRY)) {
            Entry entry = read_entry(op, node);
            uint32_t behind;
            if (entry.loop == 0 && begins_with(op, entry.place, from, &behind)) {
                SomText text = {0};
                som_name_print(&text, to);
                som_text_add(&text,
                             som_str_slice(source, behind, som_syntax_span(op->tree, node).end));
                som_edits_insert_after(op->edits, node, som_text_str(&text));
                som_text_free(&text);
            }
        }
    }
}

// ---- the base

static void print_vector(SomText *out, SomVec3 v, bool is_length) {
    const double values[] = {v.x, v.y, v.z};
    som_text_add(out, SOM_STR("("));
    for (int i = 0; i < 3; i++) {
        som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        print_tidy(values[i], is_length, out);
    }
    som_text_add(out, SOM_STR(")"));
}

static bool is_zero(SomVec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool is_small(SomVec3 v) {
    return fabs(v.x) <= 1e6 && fabs(v.y) <= 1e6 && fabs(v.z) <= 1e6; // not of NAN
}

static void print_base(const SomBaseSetting *base, SomText *out) {
    SomVec3 position = base->position;
    position.z = base->is_on_ground ? 0 : position.z;
    som_text_add(out, SOM_STR("base "));
    som_text_add(out, base->module);
    if (base->frame.length > 0) {
        som_text_add(out, SOM_STR(" frame "));
        som_name_print(out, base->frame);
    }
    if (!is_zero(position)) {
        som_text_add(out, SOM_STR(" at "));
        print_vector(out, position, true);
    }
    som_text_add(out, base->is_on_ground ? SOM_STR(" on ground") : SOM_STR(""));
    if (!is_zero(base->turn)) {
        som_text_add(out, SOM_STR(" turned "));
        print_vector(out, base->turn, false);
    }
    som_text_add(out, base->is_fixed ? SOM_STR(" fixed") : SOM_STR(""));
}

SomNode som_operation_base(SomOperation *op, int piece) {
    SomSpan span = op->configuration->bases[piece].span;
    SomNode node = som_syntax_find_child(op->tree, op->body, SOM_SOM_BASE);
    for (; node != 0; node = som_syntax_find_next(op->tree, node, SOM_SOM_BASE)) {
        if (span.source1 != 0 && som_syntax_span(op->tree, node).begin == span.begin) {
            return node;
        }
    }
    return 0;
}

// Instead of the statement of the piece, if it has one.
static void write_base(SomOperation *op, int piece, const SomBaseSetting *base) {
    SomNode node = som_operation_base(op, piece);
    SomNode loop = node != 0 ? som_syntax_find_child(op->tree, node, SOM_SOM_FOR) : 0;
    SomText text = {0};
    print_base(base, &text);
    if (loop != 0) {
        som_operation_refuse(op, SOM_EDIT_ELSEWHERE, som_syntax_span(op->tree, node),
                             "the base comes from the loop in line %d",
                             som_operation_line(op, loop));
    } else if (base->module.length == 0 && node != 0) {
        som_edits_remove(op->edits, node);
    } else if (base->module.length > 0 && node != 0) {
        som_edits_replace(op->edits, node, som_text_str(&text));
    } else if (base->module.length > 0) {
        som_operation_add_statement(op, SOM_SOM_BASE, som_text_str(&text));
    }
    som_text_free(&text);
}

bool som_design_set_base(SomDesign *design, SomStr config, const SomBaseSetting *base) {
    SomOperation op;
    if (som_operation_begin(&op, design, config)) {
        bool is_cleared = base->module.length == 0;
        SomStr place = is_cleared ? base->piece : base->module;
        int module = place.length > 0 ? som_configuration_find_module(op.configuration, place) : 0;
        if (module < 0 || (!is_cleared && !som_place_is_clean(base->module))) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "'%.*s' is no module of this design", SOM_STR_ARG(place));
        } else if (base->frame.length > 0 &&
                   som_module_type_find_frame(op.configuration->modules[module].type, base->frame) <
                       0) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "'%.*s' has no frame '%.*s'", SOM_STR_ARG(base->module),
                                 SOM_STR_ARG(base->frame));
        } else if (!is_small(base->position) || !is_small(base->turn)) {
            som_operation_refuse(&op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                 "the position or turn of the base is not finite, or too large");
        } else {
            write_base(&op, som_configuration_piece_of(op.configuration, module), base);
        }
    }
    return som_operation_end(&op);
}
