// SPDX-License-Identifier: Apache-2.0
// Configs unfold into parts, parts into configs, down to modules.

#include "base/codes/compose_text_codes.h"
#include "compose/resolve_internal.h"

// Configs shown of a chain that has no end.
#define SHOWN_CHAIN 4

// ---- statements of a config

typedef struct Mating {
    SomNode statement;
    SomNode places[2];
    SomNode at, as, gap, forced;
    bool is_dock, is_open, is_array;
    SomStr name; // of the dock; may be empty
} Mating;

// One of its kind, reported if there are two.
static SomNode find_single(SomScope *scope, SomNode node, int kind) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode first = som_syntax_find_child(tree, node, kind);
    SomNode second = first != 0 ? som_syntax_find_next(tree, first, kind) : 0;
    if (second != 0) {
        som_scope_report(scope, SOM_SAID_TWICE, som_syntax_span(tree, second),
                         "this is said twice");
    }
    return first;
}

// Of a range each has its number: grip[2].
static void add_dock(SomScope *scope, const Mating *m, const SomConnectDef *def) {
    int index = m->is_array && m->name.length > 0 ? (int)scope->loop_value : 0;
    if (m->is_array && m->name.length > 0 && index < 1) {
        som_scope_report(scope, SOM_INDEX_OUT_OF_RANGE, def->span,
                         "docks are counted from 1, '%.*s' cannot have number %d",
                         SOM_STR_ARG(m->name), index);
        return;
    }
    som_builder_add_dock(
        scope->r->builder,
        &(SomDockDef){.name = m->name, .index = index, .is_closed = !m->is_open, .connect = *def});
}

static void connect_once(SomScope *scope, void *context) {
    const Mating *m = context;
    const SomSyntax *tree = som_scope_tree(scope);
    SomConnectDef def = {.span = som_syntax_span(tree, m->statement),
                         .span_a = som_syntax_span(tree, m->places[0]),
                         .span_b = som_syntax_span(tree, m->places[1]),
                         .is_forced = m->forced != 0};
    bool has_index = m->as != 0;
    bool fine =
        som_resolve_connector(scope, m->places[0], has_index, &def.module_a, &def.connector_a);
    fine &= som_resolve_connector(scope, m->places[1], has_index, &def.module_b, &def.connector_b);
    if (m->at != 0) {
        SomNode value = som_syntax_first_child(tree, m->at);
        def.has_roll = true;
        def.choice_span = som_syntax_span(tree, value);
        fine &= som_scope_quantity(scope, value, SOM_DIMENSION_ANGLE, &def.roll);
    }
    if (m->as != 0) {
        SomNode value = som_syntax_first_child(tree, m->as);
        def.choice_span = som_syntax_span(tree, value);
        fine &= som_scope_whole(scope, value, 1, SOM_MAX_MATINGS, &def.index);
    }
    if (m->gap != 0) {
        SomNode value = som_syntax_first_child(tree, m->gap);
        def.gap_span = som_syntax_span(tree, value);
        fine &= som_scope_quantity(scope, value, SOM_DIMENSION_LENGTH, &def.gap);
    }
    scope->r->steps_left -= SOM_STEPS_OF_A_VALUE;
    if (fine && m->is_dock) {
        add_dock(scope, m, &def);
    } else if (fine) {
        som_builder_connect(scope->r->builder, &def);
    }
}

static bool is_open_dock(const SomSyntax *tree, SomNode node) {
    bool is_open = false;
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        is_open |=
            it.node == 0 && som_str_equal(som_syntax_token_text(tree, it.token), SOM_STR("open"));
    }
    return is_open;
}

static void resolve_connect(SomScope *scope, SomNode node) {
    const SomSyntax *tree = som_scope_tree(scope);
    Mating m = {.statement = node,
                .at = find_single(scope, node, SOM_SOM_AT),
                .as = find_single(scope, node, SOM_SOM_AS),
                .gap = find_single(scope, node, SOM_SOM_GAP),
                .forced = som_syntax_find_child(tree, node, SOM_SOM_FORCED),
                .is_dock = som_syntax_kind(tree, node) == SOM_SOM_DOCK,
                .is_array = som_syntax_find_child(tree, node, SOM_SOM_FOR) != 0};
    SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    if (m.is_dock) {
        m.is_open = is_open_dock(tree, node);
        m.name = name != 0 ? som_scope_name(scope, name) : SOM_STR("");
    }
    m.places[0] = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    m.places[1] = som_syntax_find_next(tree, m.places[0], SOM_SOM_PLACE);
    if (m.at != 0 && m.as != 0) {
        som_scope_report(scope, SOM_SAID_TWICE, som_syntax_span(tree, m.as),
                         "'at' and 'as' both choose how the two are mated");
        return;
    }
    som_scope_repeat(scope, som_syntax_find_child(tree, node, SOM_SOM_FOR), connect_once, &m);
}

static void resolve_statement(SomScope *scope, SomNode node, int kind) {
    switch (kind) {
    case SOM_SOM_CONNECT:
    case SOM_SOM_DOCK:
        resolve_connect(scope, node);
        break;
    case SOM_SOM_POSE:
        som_resolve_pose_statement(scope, node);
        break;
    case SOM_SOM_VERIFY:
        som_resolve_verify(scope, node);
        break;
    case SOM_SOM_BASE:
        som_resolve_base(scope, node);
        break;
    default:
        break; // parts and lets are done, behaviors are in the config's info
    }
}

// ---- parts

// Is there no room for one part more? Then the rest is left out.
static bool is_full(SomResolver *r) {
    bool is_over = !r->is_endless && som_builder_is_full(r->builder);
    bool is_spent = r->is_endless || r->steps_left <= 0;
    r->is_too_large |= is_over;
    r->is_cut |= is_over || is_spent;
    return is_over || is_spent;
}

// What it takes to find that a comment was kept before.
static int64_t steps_of_text(SomStr text) {
    return (int64_t)(text.length / 64);
}

static void add_part(SomScope *scope, SomNode item, SomStr name, int index,
                     const SomTarget *target) {
    SomResolver *r = scope->r;
    const SomDesignFile *file = &r->workspace->files.data[target->source.file]->file;
    SomSpan span = som_syntax_span(som_scope_tree(scope), item);
    SomPartDef def = {.name = name,
                      .index = index,
                      .config = som_resolve_source_name(r, target->source),
                      .doc = target->source.kind == SOM_DEFINES_CONFIG
                                 ? file->configs[target->source.index].doc
                                 : SOM_STR(""),
                      .span = span};
    r->steps_left -= SOM_STEPS_OF_A_PART + steps_of_text(def.doc);
    som_builder_begin_part(r->builder, &def);
    som_array_push(&r->sources, target->source);
    som_resolve_fill(r, scope->instance, target, span);
    som_builder_end_part(r->builder);
}

static void resolve_item(SomScope *scope, SomNode item, const SomTarget *target) {
    SomResolver *r = scope->r;
    const SomSyntax *tree = som_scope_tree(scope);
    SomStr name = som_scope_name(scope, som_syntax_find_child(tree, item, SOM_SOM_NAME));
    SomNode index = som_syntax_find_child(tree, item, SOM_SOM_INDEX);
    if (index == 0) {
        if (!is_full(r)) {
            add_part(scope, item, name, 0, target);
        }
        return;
    }
    int count;
    if (!som_scope_whole(scope, som_syntax_first_child(tree, index), 0, 1000000000, &count)) {
        return;
    }
    for (int i = 1; i <= count && !is_full(r); i++) {
        add_part(scope, item, name, i, target);
    }
}

static void resolve_part(SomScope *scope, SomNode node) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomTarget target;
    if (som_resolve_target(scope, som_syntax_find_child(tree, node, SOM_SOM_REFERENCE), &target)) {
        SomNode item = som_syntax_find_child(tree, node, SOM_SOM_ITEM);
        for (; item != 0; item = som_syntax_find_next(tree, item, SOM_SOM_ITEM)) {
            resolve_item(scope, item, &target);
        }
    }
    som_free(target.arguments);
}

// ---- filling parts

static void fill_type(SomResolver *r, SomPartSource source, SomSpan span) {
    const SomM3l *m3l = r->workspace->files.data[source.file]->file.m3l;
    const SomModuleType *type = &m3l->types[source.index];
    if (type->has_errors) {
        som_resolver_fail(r); // its file says what is wrong with it
        return;
    }
    som_builder_set_module(r->builder, type, m3l, span);
}

static void fill_robot(SomResolver *r, SomPartSource source) {
    const SomM3l *m3l = r->workspace->files.data[source.file]->file.m3l;
    const SomRobot *robot = &m3l->robots[source.index];
    int *modules = som_alloc((size_t)(robot->module_count + 1) * sizeof *modules);
    for (int i = 0; i < robot->module_count; i++) {
        if (is_full(r)) {
            som_free(modules);
            return;
        }
        const SomRobotModule *module = &robot->modules[i];
        SomPartDef def = {.name = module->name, .config = module->type->name, .span = module->span};
        r->steps_left -= SOM_STEPS_OF_A_PART;
        som_builder_begin_part(r->builder, &def);
        som_array_push(&r->sources, ((SomPartSource){SOM_DEFINES_TYPE, source.file,
                                                     (int)(module->type - m3l->types)}));
        modules[i] = -1;
        if (module->type->has_errors) {
            som_resolver_fail(r);
        } else {
            modules[i] = som_builder_set_module(r->builder, module->type, m3l, module->span);
        }
        som_builder_end_part(r->builder);
    }
    for (int i = 0; i < robot->connection_count; i++) {
        const SomRobotConnection *c = &robot->connections[i];
        if (modules[c->a] < 0 || modules[c->b] < 0) {
            continue;
        }
        som_builder_connect(r->builder, &(SomConnectDef){.module_a = modules[c->a],
                                                         .connector_a = c->connector_a,
                                                         .module_b = modules[c->b],
                                                         .connector_b = c->connector_b,
                                                         .index = c->index,
                                                         .span = c->span});
    }
    if (robot->has_frame && modules[robot->frame_module] >= 0) {
        som_builder_set_base(r->builder, &(SomBaseDef){.module = modules[robot->frame_module],
                                                       .frame = -1,
                                                       .span = robot->span});
    }
    som_free(modules);
}

// Is the same config with the same values among those it is a part of?
static const SomInstance *find_same(const SomInstance *instance) {
    for (const SomInstance *other = instance->around; other != NULL; other = other->around) {
        if (other->file != instance->file || other->config != instance->config) {
            continue;
        }
        bool is_same = true;
        for (int i = 0; i < instance->info->param_count; i++) {
            is_same &= som_value_equal(other->values[i].value, instance->values[i].value);
        }
        if (is_same) {
            return other;
        }
    }
    return NULL;
}

// "A has a part of B, which has a part of A".
static void report_endless(SomResolver *r, const SomInstance *instance, const SomInstance *same) {
    SOM_ARRAY(const SomInstance *) chain = {0};
    for (const SomInstance *at = instance; at != NULL; at = at->around) {
        som_array_push(&chain, at);
        if (at == same) {
            break;
        }
    }
    SomText text = {0};
    for (int i = chain.count - 1; i >= 0; i--) {
        int from_start = chain.count - 1 - i;
        if (from_start < SHOWN_CHAIN || i == 0) {
            som_text_printf(&text, "%s%.*s",
                            from_start == 0   ? ""
                            : from_start == 1 ? " has a part "
                                              : ", which has a part ",
                            SOM_STR_ARG(chain.data[i]->info->name));
        } else if (from_start == SHOWN_CHAIN) {
            som_text_add(&text, SOM_STR(", …"));
        }
    }
    SomScope scope = {.r = r, .file = instance->around->file, .instance = instance->around};
    som_scope_report(&scope, SOM_ENDLESS_RECURSION, instance->span, "%s, and so on without end",
                     text.data);
    som_text_free(&text);
    som_array_free(&chain);
}

// The outermost instance of the same config, if parts lie as deep as they may.
static const SomInstance *find_outermost(const SomInstance *instance) {
    const SomInstance *found = NULL;
    for (const SomInstance *other = instance->around; other != NULL; other = other->around) {
        if (other->file == instance->file && other->config == instance->config) {
            found = other;
        }
    }
    return found;
}

static bool is_endless(SomResolver *r, const SomInstance *instance) {
    const SomInstance *same = find_same(instance);
    int depth = 0;
    for (const SomInstance *at = instance; at != NULL; at = at->around) {
        depth++;
    }
    if (same == NULL && depth + 2 >= SOM_MAX_PART_DEPTH) {
        same = find_outermost(instance);
    }
    if (same != NULL) {
        report_endless(r, instance, same);
        r->is_endless = true; // there could be as many more of them as there is memory
    }
    return same != NULL;
}

static void fill_module_config(SomScope *scope) {
    SomResolver *r = scope->r;
    const SomConfigInfo *info = scope->instance->info;
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode name = som_syntax_find_child(tree, info->node, SOM_SOM_NAME);
    SomNode type = som_syntax_find_next(tree, name, SOM_SOM_NAME);
    int file;
    const SomDefinition *found = som_resolve_definition(scope, type, SOM_DEFINES_TYPE, &file);
    if (found != NULL) {
        fill_type(r, (SomPartSource){found->kind, file, found->index}, scope->instance->span);
    }
    SomNode node = info->body != 0 ? som_syntax_first_child(tree, info->body) : 0;
    for (; node != 0; node = som_syntax_next_sibling(tree, node)) {
        int kind = som_syntax_kind(tree, node);
        if (kind == SOM_SOM_PART || kind == SOM_SOM_CONNECT || kind == SOM_SOM_DOCK) {
            SomSpan span = som_syntax_span(tree, node);
            som_scope_report(scope, SOM_MODULE_HAS_PARTS, span,
                             "'%.*s' is a module itself and has no parts or connections",
                             SOM_STR_ARG(info->name));
        }
    }
}

static void fill_parts(SomScope *scope) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode body = scope->instance->info->body;
    SomNode node = body != 0 ? som_syntax_find_child(tree, body, SOM_SOM_PART) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_PART)) {
        if (som_syntax_has_error(tree, node)) {
            som_resolver_fail(scope->r);
        } else {
            resolve_part(scope, node);
        }
    }
}

// After the last base, or the last statement of all.
static void set_base_spot(SomScope *scope) {
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode spot = 0, node = som_syntax_first_child(tree, scope->instance->info->body);
    bool has_base = false;
    for (; node != 0; node = som_syntax_next_sibling(tree, node)) {
        bool is_base = som_syntax_kind(tree, node) == SOM_SOM_BASE;
        spot = is_base || !has_base ? node : spot;
        has_base = has_base || is_base;
    }
    if (spot != 0) {
        SomSpan span = som_syntax_span(tree, spot);
        som_builder_set_base_spot(scope->r->builder, (SomSpan){span.source1, span.end, span.end});
    }
}

static void fill_statements(SomScope *scope) {
    const SomSyntax *tree = som_scope_tree(scope);
    const SomConfigInfo *info = scope->instance->info;
    bool is_module = som_builder_module_of(scope->r->builder, scope->instance->part) >= 0;
    SomNode node = info->body != 0 ? som_syntax_first_child(tree, info->body) : 0;
    if (scope->instance->part == 0 && node != 0) {
        set_base_spot(scope);
    }
    for (; node != 0 && scope->r->steps_left > 0; node = som_syntax_next_sibling(tree, node)) {
        int kind = som_syntax_kind(tree, node);
        scope->r->steps_left--;
        if (som_syntax_has_error(tree, node)) {
            som_resolver_fail(scope->r);
        } else if (!is_module || (kind != SOM_SOM_CONNECT && kind != SOM_SOM_DOCK)) {
            resolve_statement(scope, node, kind);
        }
    }
    node = info->body != 0 ? som_syntax_find_child(tree, info->body, SOM_SOM_START) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_START)) {
        if (!som_syntax_has_error(tree, node)) {
            som_resolve_start(scope, node); // in any of the poses
        }
    }
    for (int i = 0; i < info->input_count && scope->r->steps_left > 0; i++) {
        const SomParameter *parameter = &info->inputs[i].parameter;
        scope->r->steps_left -= SOM_STEPS_OF_A_VALUE;
        som_builder_add_input(scope->r->builder, &(SomInputName){.name = parameter->name,
                                                                 .file = scope->file,
                                                                 .config = scope->instance->config,
                                                                 .index = i,
                                                                 .span = parameter->span});
    }
    for (int i = 0; i < info->behavior_count && scope->r->steps_left > 0; i++) {
        const SomConfigBehavior *behavior = &info->behaviors[i];
        scope->r->steps_left -= SOM_STEPS_OF_A_PART + steps_of_text(behavior->doc);
        som_builder_add_behavior(scope->r->builder,
                                 &(SomBehaviorDef){.name = behavior->name,
                                                   .doc = behavior->doc,
                                                   .params = behavior->params_text,
                                                   .node = behavior->node,
                                                   .file = scope->file,
                                                   .span = behavior->span});
    }
}

// What its behaviors may name.
static void keep_values(SomResolver *r, const SomInstance *instance) {
    bool is_wanted = instance->info->behavior_count > 0 || instance->info->input_count > 0;
    for (int i = 0; is_wanted && i < instance->locals->count; i++) {
        const SomLocal *local = &instance->locals->data[i];
        SomValue value = instance->values[local->index].value;
        r->steps_left -= SOM_STEPS_OF_A_VALUE;
        som_builder_add_constant(r->builder,
                                 &(SomConstant){.name = local->name,
                                                .is_truth = value.kind == SOM_VALUE_TRUTH,
                                                .number = value.number,
                                                .dimension = value.dimension});
    }
}

static void fill_config(SomResolver *r, SomInstance *around, const SomTarget *target,
                        SomSpan span) {
    SomFileDraft *draft = r->workspace->files.data[target->source.file];
    const SomLocals *locals = &draft->locals[target->source.index];
    SomInstance instance = {.file = target->source.file,
                            .config = target->source.index,
                            .info = &draft->file.configs[target->source.index],
                            .locals = locals,
                            .part = som_builder_open_part(r->builder),
                            .around = around,
                            .span = span};
    size_t size = (size_t)(locals->count + 1) * sizeof *instance.values;
    instance.values = som_alloc(size);
    memcpy(instance.values, target->arguments, size);
    SomScope scope = {.r = r, .file = instance.file, .instance = &instance};
    if (instance.info->has_error) {
        som_resolver_fail(r); // something of it may be missing
    }
    som_instance_evaluate(r, &instance);
    keep_values(r, &instance);
    if (!is_endless(r, &instance)) {
        bool is_module = instance.info->module_type.length > 0;
        if (is_module) {
            fill_module_config(&scope);
        } else {
            fill_parts(&scope);
        }
        bool is_filled = !is_module || som_builder_module_of(r->builder, instance.part) >= 0;
        if (is_filled && !r->is_endless) {
            som_resolve_places(&scope);
            fill_statements(&scope);
        }
    }
    som_free(instance.values);
}

void som_resolve_fill(SomResolver *r, SomInstance *around, const SomTarget *target, SomSpan span) {
    switch (target->source.kind) {
    case SOM_DEFINES_TYPE:
        fill_type(r, target->source, span);
        break;
    case SOM_DEFINES_ROBOT:
        fill_robot(r, target->source);
        break;
    default:
        fill_config(r, around, target, span);
    }
}
