// SPDX-License-Identifier: Apache-2.0
// Poses, the one a config starts in, where its base is, and how it is to be verified.

#include "base/codes/compose_text_codes.h"
#include "compose/posture.h"
#include "compose/resolve_internal.h"

typedef struct Entry {
    int pose;
    SomNode node;
    SomNode place;
    SomNode value; // 0 for the pose of a part
} Entry;

static void set_value(SomScope *scope, const Entry *entry) {
    int module, joint;
    SomAlias alias;
    if (!som_resolve_joint(scope, entry->place, &module, &joint, &alias)) {
        SomEvaluator evaluator = som_scope_evaluator(scope);
        som_value_evaluate(&evaluator, entry->value); // for what is wrong with it, too
        return;
    }
    const SomModuleType *type = som_builder_module_type(scope->r->builder, module);
    bool slides = type->joints[joint].type == SOM_JOINT_PRISMATIC;
    double value;
    if (som_scope_quantity(scope, entry->value, slides ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE,
                           &value)) {
        som_builder_set_value(scope->r->builder, entry->pose, module, joint,
                              som_alias_to_joint(alias, value),
                              som_syntax_span(som_scope_tree(scope), entry->node));
        for (int i = 0; i < type->joints[joint].alias_count; i++) {
            if (som_str_equal(type->joints[joint].aliases[i].name, alias.name)) {
                som_builder_set_value_alias(scope->r->builder, i);
            }
        }
    }
}

static void resolve_entry(SomScope *scope, void *context) {
    const Entry *entry = context;
    int other;
    scope->r->steps_left -= SOM_STEPS_OF_A_VALUE;
    if (entry->value != 0) {
        set_value(scope, entry);
    } else if (som_resolve_pose(scope, entry->place, &other)) {
        if (other == entry->pose) {
            som_scope_report(scope, SOM_UNKNOWN_POSE,
                             som_syntax_span(som_scope_tree(scope), entry->place),
                             "a pose cannot be part of itself");
            return;
        }
        som_builder_include_pose(scope->r->builder, entry->pose, other,
                                 som_syntax_span(som_scope_tree(scope), entry->place));
    }
}

void som_resolve_pose_statement(SomScope *scope, SomNode node) {
    SomResolver *r = scope->r;
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    SomNode entries = som_syntax_find_child(tree, node, SOM_SOM_ENTRIES);
    Entry entry = {.pose = som_builder_add_pose(r->builder, som_scope_name(scope, name),
                                                som_workspace_doc(r->workspace, tree, node),
                                                som_syntax_span(tree, name))};
    entry.node = som_syntax_find_child(tree, entries, SOM_SOM_ENTRY);
    for (; entry.node != 0; entry.node = som_syntax_find_next(tree, entry.node, SOM_SOM_ENTRY)) {
        entry.place = som_syntax_first_child(tree, entry.node);
        entry.value = som_syntax_next_sibling(tree, entry.place);
        if (entry.value != 0 && som_syntax_kind(tree, entry.value) == SOM_SOM_FOR) {
            entry.value = 0;
        }
        som_scope_repeat(scope, som_syntax_find_child(tree, entry.node, SOM_SOM_FOR), resolve_entry,
                         &entry);
    }
}

// True for the first statement of its kind in a config; the second is reported.
static bool is_first(SomScope *scope, SomNode node) {
    const SomSyntax *tree = som_scope_tree(scope);
    int kind = som_syntax_kind(tree, node);
    SomNode first = som_syntax_find_child(tree, som_syntax_parent(tree, node), kind);
    if (first != node &&
        som_scope_report(scope, SOM_SAID_TWICE, som_syntax_span(tree, node),
                         kind == SOM_SOM_START ? "a config starts in one pose"
                                               : "a config has one verify block")) {
        som_note(scope->r->diags, som_syntax_span(tree, first), "the first one is here");
    }
    return first == node;
}

void som_resolve_start(SomScope *scope, SomNode node) {
    const SomSyntax *tree = som_scope_tree(scope);
    if (!is_first(scope, node)) {
        return;
    }
    SomNode name_node = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    SomStr name = som_scope_name(scope, name_node);
    int pose = som_builder_find_pose(scope->r->builder, scope->instance->part, name);
    if (pose >= 0) {
        som_builder_set_start(scope->r->builder, pose);
        return;
    }
    SomStr names[SOM_MAX_HINTS];
    int count = 0;
    SomNode other = som_syntax_find_child(tree, scope->instance->info->body, SOM_SOM_POSE);
    for (; other != 0 && count < SOM_MAX_HINTS;
         other = som_syntax_find_next(tree, other, SOM_SOM_POSE)) {
        names[count++] = som_scope_name(scope, som_syntax_find_child(tree, other, SOM_SOM_NAME));
    }
    SomText text = {0};
    som_text_printf(&text, "'%.*s' has no pose", SOM_STR_ARG(scope->instance->info->name));
    som_scope_report_unknown(scope, SOM_UNKNOWN_POSE, som_syntax_span(tree, name_node), text.data,
                             name, names, count);
    som_text_free(&text);
}

static bool read_vector(SomScope *scope, SomNode clause, SomDimensionName dimension,
                        SomVec3 *vector) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode list = som_syntax_first_child(tree, clause);
    SomNode node = som_syntax_first_child(tree, list);
    double values[3];
    int count = 0;
    bool fine = true;
    for (; node != 0; node = som_syntax_next_sibling(tree, node)) {
        if (count < 3) {
            fine &= som_scope_quantity(scope, node, dimension, &values[count]);
        }
        count++;
    }
    if (count != 3) {
        som_scope_report(scope, SOM_WRONG_ARGUMENTS, som_syntax_span(tree, list),
                         "expected three values, found %d", count);
        return false;
    }
    *vector = som_vec3(values[0], values[1], values[2]);
    return fine;
}

static bool read_frame(SomScope *scope, SomNode clause, SomBaseDef *def) {
    const SomSyntax *tree = som_scope_tree(scope);
    const SomModuleType *type = som_builder_module_type(scope->r->builder, def->module);
    SomNode name_node = som_syntax_first_child(tree, clause);
    SomStr name = som_scope_name(scope, name_node);
    def->frame = som_module_type_find_frame(type, name);
    if (def->frame < 0) {
        SomStr names[SOM_MAX_HINTS];
        int count = 0;
        for (; count < type->frame_count && count < SOM_MAX_HINTS; count++) {
            names[count] = type->frames[count].name;
        }
        SomText text = {0};
        som_text_printf(&text, "'%.*s' has no frame", SOM_STR_ARG(type->name));
        som_scope_report_unknown(scope, SOM_UNKNOWN_FRAME, som_syntax_span(tree, name_node),
                                 text.data, name, names, count);
        som_text_free(&text);
    }
    return def->frame >= 0;
}

static void resolve_base(SomScope *scope, void *context) {
    SomNode node = *(const SomNode *)context;
    const SomSyntax *tree = som_scope_tree(scope);
    SomBaseDef def = {.frame = -1, .span = som_syntax_span(tree, node)};
    scope->r->steps_left -= SOM_STEPS_OF_A_VALUE;
    if (!som_resolve_module(scope, som_syntax_find_child(tree, node, SOM_SOM_PLACE), &def.module)) {
        return;
    }
    SomNode frame = som_syntax_find_child(tree, node, SOM_SOM_FRAME);
    SomNode at = som_syntax_find_child(tree, node, SOM_SOM_AT);
    SomNode turned = som_syntax_find_child(tree, node, SOM_SOM_TURNED);
    def.is_on_ground = som_syntax_find_child(tree, node, SOM_SOM_GROUND) != 0;
    def.is_fixed = som_syntax_find_child(tree, node, SOM_SOM_FIXED) != 0;
    bool fine = frame == 0 || read_frame(scope, frame, &def);
    fine &= at == 0 || read_vector(scope, at, SOM_DIMENSION_LENGTH, &def.position);
    fine &= turned == 0 || read_vector(scope, turned, SOM_DIMENSION_ANGLE, &def.turn);
    if (fine) {
        som_builder_set_base(scope->r->builder, &def);
    }
}

void som_resolve_base(SomScope *scope, SomNode node) {
    SomNode loop = som_syntax_find_child(som_scope_tree(scope), node, SOM_SOM_FOR);
    som_scope_repeat(scope, loop, resolve_base, &node);
}

// Which names there are, and of what dimension their values, is known to who verifies.
void som_resolve_verify(SomScope *scope, SomNode node) {
    const SomSyntax *tree = som_scope_tree(scope);
    if (!is_first(scope, node)) {
        return;
    }
    SomNode entries = som_syntax_find_child(tree, node, SOM_SOM_ENTRIES);
    SomNode entry = som_syntax_find_child(tree, entries, SOM_SOM_SETTING);
    for (; entry != 0; entry = som_syntax_find_next(tree, entry, SOM_SOM_SETTING)) {
        SomEvaluator evaluator = som_scope_evaluator(scope);
        SomNode name = som_syntax_first_child(tree, entry);
        SomNode expression = som_syntax_next_sibling(tree, name);
        SomValue value = som_value_evaluate(&evaluator, expression);
        SomSpan span = som_syntax_span(tree, expression);
        if (value.kind == SOM_VALUE_TRUTH) {
            som_scope_report(scope, SOM_WRONG_DIMENSION, span,
                             "expected a number or a quantity, found a condition");
        } else if (value.kind == SOM_VALUE_QUANTITY) {
            SomSetting setting = {som_scope_name(scope, name), value.number, value.dimension,
                                  som_syntax_span(tree, name), span};
            som_builder_add_setting(scope->r->builder, &setting);
        } else {
            som_resolver_fail(scope->r);
        }
    }
}
