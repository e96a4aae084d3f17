// SPDX-License-Identifier: Apache-2.0
// All behaviors of a configuration, looked at without playing them.

#include "base/codes/behaviors_codes.h"
#include "behaviors/compile.h"
#include "behaviors/static_checks.h"
#include "language/name.h"

void som_compile_collect_runs(const SomCompileDef *def, SomTextNames *runs) {
    const SomConfiguration *c = def->configuration;
    for (int i = 0; i < c->behavior_count; i++) {
        if (c->behaviors[i].part == 0) {
            const SomSyntax *tree = som_workspace_file(def->workspace, c->behaviors[i].file)->tree;
            som_text_names_collect(runs, tree, som_syntax_parent(tree, c->behaviors[i].node),
                                   SOM_SOM_RUN);
            return; // all of them are in one text
        }
    }
}

static bool is_about_ends(SomCode code) {
    return code == SOM_ACTION_NEVER_ENDS || code == SOM_ACTION_MAY_NOT_END;
}

// Reports what was found and is new, each with its notes and fixes.
static void pass_on(const SomDiagnostics *found, const SomCompileDef *def, bool is_run) {
    int count;
    bool is_new = false;
    const SomDiagnostic *all = som_diagnostics_get(found, &count);
    for (int i = 0; i < count; i++) {
        const SomDiagnostic *d = &all[i];
        if (d->kind == SOM_DIAGNOSTIC_REPORT) {
            is_new =
                !(is_run && is_about_ends(d->code)) && // what ends it may be in the other behavior
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
    SomStr name = def->configuration->behaviors[behavior].name;
    SomTextNames own = {0};
    if (def->runs == NULL) {
        som_compile_collect_runs(def, &own);
    }
    bool is_run = som_text_names_has(def->runs != NULL ? def->runs : &own, name);
    // what another behavior runs may start anywhere
    bool is_member = def->members != NULL && som_text_names_has(def->members, name);
    som_static_check(
        &(SomStaticDef){.graph = graph,
                        .servos = servos,
                        .initial = is_run || is_member ? NULL : def->configuration->start,
                        .design = def->configuration},
        found);
    pass_on(found, def, is_run);
    som_text_names_free(&own);
    som_diagnostics_destroy(found);
}

static void check(const SomCompileDef *def, int behavior, const SomServoModel *servos) {
    SomActionGraph *graph = som_compile_behavior(def, behavior);
    if (graph != NULL) {
        som_compile_check_graph(def, behavior, graph, servos);
    }
    som_action_graph_destroy(graph);
}

// Parameters whose name is not at the start of any place in the behavior.
static void check_parameters(const SomCompileDef *def, const SomBehaviorName *behavior,
                             const SomParameter *params, int count) {
    const SomSyntax *tree = som_workspace_file(def->workspace, behavior->file)->tree;
    SomTextNames places = {0};
    if (count > 0) {
        som_text_names_collect(&places, tree, behavior->node, SOM_SOM_PLACE);
    }
    for (int i = 0; i < count; i++) {
        if (som_name_is_word(params[i].name) && !som_text_names_has(&places, params[i].name) &&
            (def->reported == NULL ||
             som_reported_places_add(def->reported, SOM_UNUSED_PARAMETER, params[i].span))) {
            som_report(def->diags, SOM_UNUSED_PARAMETER, params[i].span,
                       "'%.*s' makes no use of its parameter '%.*s'", SOM_STR_ARG(behavior->name),
                       SOM_STR_ARG(params[i].name));
        }
    }
    som_text_names_free(&places);
}

void som_compile_check(const SomCompileDef *compile) {
    SomTextNames runs = {0};
    SomCompileDef own = *compile, *def = &own;
    own.runs = &runs;
    som_compile_collect_runs(compile, &runs);
    const SomConfiguration *configuration = def->configuration;
    SomServoModel *servos = som_compile_servos(configuration);
    som_compile_check_inputs(def);
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
        if (def->steps_left != NULL && *def->steps_left <= 0) {
            break; // which was reported
        }
    }
    som_free(servos);
    som_text_names_free(&runs);
}
