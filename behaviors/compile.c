// SPDX-License-Identifier: Apache-2.0
#include "behaviors/compile.h"

#include "base/codes/behaviors_codes.h"
#include "behaviors/compile_internal.h"
#include "language/name.h"

#include <math.h>

static void create(const SomCompileDef *def, SomCompiler *c) {
    *c = (SomCompiler){.workspace = def->workspace,
                       .configuration = def->configuration,
                       .diags = def->diags,
                       .reported = def->reported != NULL ? def->reported : &c->own_reported,
                       .settings = def->inputs,
                       .builder = som_graph_builder_create(),
                       .steps_left =
                           def->steps_left != NULL ? *def->steps_left : SOM_COMPILE_MOST_STEPS,
                       .shared_steps = def->steps_left};
    // every graph has all symbols, however short its behavior
    c->steps_left -= (def->configuration->dof_count + def->configuration->dock_count) / 8;
    for (int i = 0; i < def->configuration->dof_count; i++) {
        som_graph_builder_add_symbol(c->builder, SOM_SYMBOL_DOF, def->configuration->dofs[i].path);
    }
    for (int i = 0; i < def->configuration->dock_count; i++) {
        som_graph_builder_add_symbol(c->builder, SOM_SYMBOL_DOCK,
                                     def->configuration->docks[i].path);
    }
}

// The user's own file is the one of the behaviors of the whole.
static void set_own(SomCompiler *c, int behavior) {
    const SomConfiguration *configuration = c->configuration;
    for (int i = 0; behavior < 0 && i < configuration->behavior_count; i++) {
        behavior = configuration->behaviors[i].part == 0 ? i : behavior;
    }
    if (behavior >= 0) {
        int file = configuration->behaviors[behavior].file;
        c->own_source1 = som_workspace_file(c->workspace, file)->source1;
        som_graph_builder_set_own(c->builder, c->own_source1);
    }
}

static SomActionGraph *finish(SomCompiler *c, SomSpan whole) {
    if (c->steps_left <= 0 && !c->is_too_large) { // ranges and values may have stopped quietly
        som_compiler_report(c, SOM_BEHAVIOR_TOO_LARGE, whole,
                            "the behavior takes too much work to unfold");
    }
    SomActionGraph *graph = NULL;
    int errors = som_diagnostics_error_count(c->diags);
    if (!c->has_failed) {
        graph = som_graph_builder_finish(c->builder, c->diags);
    }
    if (som_diagnostics_error_count(c->diags) > errors) {
        som_action_graph_destroy(graph);
        graph = NULL;
    }
    if (c->shared_steps != NULL) {
        *c->shared_steps = c->steps_left;
    }
    som_graph_builder_destroy(c->builder);
    som_reported_places_free(&c->own_reported);
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        som_array_free(&c->symbols[kind]);
    }
    som_arena_free(&c->arena);
    return graph;
}

// A name in quotes may be given without them: b3-g0.
static int find_odd_name(const SomConfiguration *configuration, SomStr text) {
    for (int i = 0; i < configuration->behavior_count; i++) {
        const SomBehaviorName *name = &configuration->behaviors[i];
        if (name->part == 0 && som_str_equal(name->name, text) && !som_name_is_word(text)) {
            return i;
        }
    }
    return -1;
}

SomActionGraph *som_compile_call(const SomCompileDef *def, SomStr text) {
    int odd = find_odd_name(def->configuration, text);
    if (odd >= 0) {
        return som_compile_behavior(def, odd);
    }
    uint32_t source1 = som_diagnostics_add_source(def->diags, SOM_STR("--behavior"), text);
    SomSyntax *tree = som_som_parse_action(text, source1, def->diags);
    SomActionGraph *graph = NULL;
    if (!som_syntax_has_error(tree, SOM_ROOT)) {
        SomCompiler c;
        create(def, &c);
        set_own(&c, -1);
        SomUnfolding call = {.file = -1, .tree = tree, .behavior = -1};
        c.unfolding = &call;
        som_compiler_action(&c, som_syntax_first_child(tree, SOM_ROOT));
        som_array_free(&call.bindings);
        graph = finish(&c, som_syntax_span(tree, SOM_ROOT));
    }
    som_syntax_destroy(tree);
    return graph;
}

SomActionGraph *som_compile_behavior(const SomCompileDef *def, int behavior) {
    SomCompiler c;
    create(def, &c);
    set_own(&c, behavior);
    int file = def->configuration->behaviors[behavior].file;
    SomUnfolding call = {
        .file = -1, .tree = som_workspace_file(def->workspace, file)->tree, .behavior = -1};
    c.unfolding = &call;
    som_compiler_unfold(&c, behavior, 0, 0);
    return finish(&c, def->configuration->behaviors[behavior].span);
}

void som_compile_check_inputs(const SomCompileDef *def) {
    SomCompiler c;
    create(def, &c);
    SomUnfolding none = {.file = -1, .behavior = -1};
    c.unfolding = &none;
    som_compiler_check_inputs(&c);
    c.has_failed = true; // there is no graph
    som_action_graph_destroy(finish(&c, (SomSpan){0}));
}

// The last config of the file that does not begin after the node; configs are in the order of the
// text, and so are their behaviors.
static const SomConfigInfo *find_config(const SomDesignFile *file, SomNode node) {
    int low = 0, high = file->config_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (file->configs[middle].node <= node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? &file->configs[low - 1] : NULL;
}

const SomParameter *som_compile_parameters(const SomCompileDef *def, int behavior, int *count) {
    const SomBehaviorName *name = &def->configuration->behaviors[behavior];
    const SomDesignFile *file = som_workspace_file(def->workspace, name->file);
    const SomConfigInfo *config = find_config(file, name->node);
    int low = 0, high = config != NULL ? config->behavior_count : 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const SomConfigBehavior *candidate = &config->behaviors[middle];
        if (candidate->node == name->node) {
            *count = candidate->param_count;
            return candidate->params;
        }
        low = candidate->node < name->node ? middle + 1 : low;
        high = candidate->node < name->node ? high : middle;
    }
    *count = 0;
    return NULL;
}

SomServoModel *som_compile_servos(const SomConfiguration *configuration) {
    SomServoModel *servos = som_alloc((size_t)(configuration->dof_count + 1) * sizeof *servos);
    for (int i = 0; i < configuration->dof_count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(configuration, i);
        servos[i].most_speed = joint->speed;
        servos[i].most_acceleration = joint->acceleration;
        if (isfinite(joint->low) || isfinite(joint->high)) {
            servos[i].low = joint->low;
            servos[i].high = joint->high;
        }
    }
    return servos;
}
