// SPDX-License-Identifier: Apache-2.0
// All behaviors of a configuration, looked at without playing them.

#include "behaviors/compile.h"
#include "behaviors/static_checks.h"
#include "language/name.h"

// Is the behavior run by another one of its config? What ends it may stand there.
static bool is_run(const SomCompileDef *def, const SomBehaviorName *behavior) {
    const SomSyntax *tree = som_workspace_file(def->workspace, behavior->file)->tree;
    SomNode body = som_syntax_parent(tree, behavior->node);
    int end = som_syntax_end_token(tree, body);
    for (SomNode n = body; n != 0 && som_syntax_first_token(tree, n) < end;
         n = som_syntax_next(tree, n)) {
        if (som_syntax_kind(tree, n) == SOM_SOM_RUN &&
            som_str_equal(som_syntax_text(tree, som_syntax_first_child(tree, n)), behavior->name)) {
            return true;
        }
    }
    return false;
}

static bool is_about_ends(SomCode code) {
    return code == SOM_ACTION_NEVER_ENDS || code == SOM_ACTION_MAY_NOT_END;
}

// Reports what was found and is new, each with its notes and fixes.
static void pass_on(const SomDiagnostics *found, const SomCompileDef *def, bool may_go_on) {
    int count;
    bool is_new = false;
    const SomDiagnostic *all = som_diagnostics_get(found, &count);
    for (int i = 0; i < count; i++) {
        const SomDiagnostic *d = &all[i];
        if (d->kind == SOM_DIAGNOSTIC_REPORT) {
            is_new =
                !(may_go_on && is_about_ends(d->code)) &&
                (def->reported == NULL || som_reported_places_add(def->reported, d->code, d->span));
        }
        if (!is_new) {
            continue;
        }
        if (d->kind == SOM_DIAGNOSTIC_REPORT) {
            som_report(def->diags, d->code, d->span, "%.*s", SOM_STR_ARG(d->message));
        } else if (d->kind == SOM_DIAGNOSTIC_NOTE) {
            som_note(def->diags, d->span, "%.*s", SOM_STR_ARG(d->message));
        } else {
            som_fix(def->diags, d->span, d->message);
        }
    }
}

// Knows of as many sources as the places of the graph are in; nothing is printed from it.
static SomDiagnostics *create_found(const SomActionGraph *graph) {
    SomDiagnostics *found = som_diagnostics_create();
    uint32_t last = som_graph_last_source(graph);
    for (uint32_t i = 0; i < last; i++) {
        som_diagnostics_add_source(found, SOM_STR(""), SOM_STR(""));
    }
    return found;
}

void som_compile_check_graph(const SomCompileDef *def, int behavior, const SomActionGraph *graph,
                             const SomServoModel *servos) {
    SomDiagnostics *found = create_found(graph);
    som_static_check(
        &(SomStaticDef){.graph = graph, .servos = servos, .design = def->configuration}, found);
    pass_on(found, def, is_run(def, &def->configuration->behaviors[behavior]));
    som_diagnostics_destroy(found);
}

static void check(const SomCompileDef *def, int behavior, const SomServoModel *servos) {
    SomActionGraph *graph = som_compile_behavior(def, behavior);
    if (graph != NULL) {
        som_compile_check_graph(def, behavior, graph, servos);
    }
    som_action_graph_destroy(graph);
}

// Does the name stand anywhere in the behavior, at the start of a place?
static bool is_named(const SomSyntax *tree, SomNode behavior, SomStr name) {
    int end = som_syntax_end_token(tree, behavior);
    for (SomNode n = behavior; n != 0 && som_syntax_first_token(tree, n) < end;
         n = som_syntax_next(tree, n)) {
        if (som_syntax_kind(tree, n) == SOM_SOM_PLACE &&
            som_str_equal(som_syntax_text(tree, som_syntax_first_child(tree, n)), name)) {
            return true;
        }
    }
    return false;
}

static void check_parameters(const SomCompileDef *def, const SomBehaviorName *behavior,
                             const SomParameter *params, int count) {
    const SomSyntax *tree = som_workspace_file(def->workspace, behavior->file)->tree;
    for (int i = 0; i < count; i++) {
        if (som_name_is_word(params[i].name) && !is_named(tree, behavior->node, params[i].name) &&
            (def->reported == NULL ||
             som_reported_places_add(def->reported, SOM_UNUSED_PARAMETER, params[i].span))) {
            som_report(def->diags, SOM_UNUSED_PARAMETER, params[i].span,
                       "'%.*s' makes no use of its parameter '%.*s'", SOM_STR_ARG(behavior->name),
                       SOM_STR_ARG(params[i].name));
        }
    }
}

void som_compile_check(const SomCompileDef *def) {
    const SomConfiguration *configuration = def->configuration;
    SomServoModel *servos = som_compile_servos(configuration);
    for (int i = 0; i < configuration->behavior_count; i++) {
        int count;
        const SomParameter *params = som_compile_parameters(def, i, &count);
        bool is_complete = configuration->behaviors[i].part == 0;
        for (int k = 0; k < count; k++) {
            is_complete &= params[k].otherwise != 0;
        }
        if (configuration->behaviors[i].part == 0) {
            check_parameters(def, &configuration->behaviors[i], params, count);
        }
        if (is_complete) {
            check(def, i, servos);
        }
    }
    som_free(servos);
}
