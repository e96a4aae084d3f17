// SPDX-License-Identifier: Apache-2.0
#include "simulate/physics_run.h"

#include "behaviors/action_text.h"
#include "behaviors/compile.h"
#include "behaviors/static_rule.h"
#include "exchange/sdf.h"
#include "simulate/world.h"

// ---- the run

static bool is_allowed(SomPhysicsRun *run, SomDiagnostics *diags) {
    SomStaticDef def = {.graph = run->graph,
                        .servos = run->servos,
                        .initial = run->posture->values,
                        .design = run->design,
                        .tick = som_physics_run_step(run)};
    return som_static_allows(&def, run->is_forced, &run->ignored_errors, diags);
}

bool som_physics_run_begin(SomPhysicsRun *run, SomDiagnostics *diags) {
    run->servos = som_compile_servos(run->design);
    if (!is_allowed(run, diags)) {
        return false;
    }
    run->mechanism = som_mechanism_create(run->design);
    SomBodyDef bodies = som_world_bodies(run->engine);
    bodies.mechanism = run->mechanism;
    bodies.posture = run->posture;
    bodies.graph = run->graph;
    bodies.is_full = run->is_full;
    run->model = som_body_model_create(&bodies);
    som_body_model_report_untested(run->model, diags);
    if (run->engine == SOM_ENGINE_GAZEBO) {
        som_sdf_report_untested(run->model, diags);
    }
    som_world_write(run->engine, run->model, run->design->name, &run->world, diags);
    run->def.model = run->model;
    run->def.world = som_text_str(&run->world);
    run->def.graph = run->graph;
    run->def.servos = run->servos;
    run->simulation = som_simulation_create(run->engine, &run->def, diags);
    if (run->simulation == NULL) {
        return false;
    }
    run->result = som_simulation_result(run->simulation);
    return true;
}

void som_physics_run_free(SomPhysicsRun *run) {
    som_simulation_destroy(run->simulation);
    som_text_free(&run->world);
    som_body_model_destroy(run->model);
    som_free(run->servos);
    som_mechanism_destroy(run->mechanism);
}

double som_physics_run_duration(const SomPhysicsRun *run) {
    return run->def.duration > 0 ? run->def.duration : SOM_SIMULATION_DURATION;
}

double som_physics_run_step(const SomPhysicsRun *run) {
    return run->def.step > 0 ? run->def.step : SOM_SIMULATION_STEP;
}

// ---- in words

void som_physics_run_print_ignored(const SomPhysicsRun *run, SomText *out) {
    if (run->ignored_errors > 0) {
        som_text_printf(out, "%d error%s of the behavior %s ignored", run->ignored_errors,
                        run->ignored_errors == 1 ? "" : "s",
                        run->ignored_errors == 1 ? "was" : "were");
    }
}

static const char *const kinds[] = {
    [SOM_EVENT_ACTION_STARTED] = "action_started",
    [SOM_EVENT_ACTION_ENDED] = "action_ended",
    [SOM_EVENT_SELF_CONTACT] = "self_contact",
    [SOM_EVENT_FELL] = "fell",
    [SOM_EVENT_DOCK_CLOSED] = "dock_closed",
    [SOM_EVENT_DOCK_OPENED] = "dock_opened",
    [SOM_EVENT_DOCK_BROKE] = "dock_broke",
    [SOM_EVENT_LOOP_OPENED] = "loop_opened",
    [SOM_EVENT_DIVERGED] = "diverged",
};

const char *som_event_word(SomSimulationEventKind kind) {
    return kinds[kind];
}

bool som_event_is_of_dock(SomSimulationEventKind kind) {
    return kind >= SOM_EVENT_DOCK_CLOSED && kind <= SOM_EVENT_DOCK_BROKE;
}

bool som_event_is_told(const SomSimulationEvent *event) {
    return event->kind > SOM_EVENT_ACTION_ENDED ||
           (event->kind == SOM_EVENT_ACTION_ENDED && event->reason == SOM_END_TIMEOUT);
}

static void print_timeout(const SomPhysicsRun *run, int32_t node, SomText *out) {
    const char *path = som_graph_path(run->graph, node);
    som_text_add(out, SOM_STR("'"));
    som_action_print(run->design, run->graph, node, out);
    if (path[0] != '\0') {
        som_text_printf(out, "' of '%s", path);
    }
    som_text_add(out, SOM_STR("' ran into its time-out"));
}

SomStr som_physics_run_piece(const SomPhysicsRun *run, int piece) {
    const SomMechanism *m = run->mechanism;
    return run->design->modules[m->links[m->pieces[piece].root].module].path;
}

void som_event_print(const SomPhysicsRun *run, const SomSimulationEvent *event, SomText *out) {
    if (event->kind == SOM_EVENT_SELF_CONTACT) {
        som_text_printf(out, "'%.*s' and '%.*s' touch",
                        SOM_STR_ARG(run->mechanism->links[event->link_a].path),
                        SOM_STR_ARG(run->mechanism->links[event->link_b].path));
    } else if (event->kind == SOM_EVENT_ACTION_ENDED) {
        print_timeout(run, event->node, out);
    } else if (som_event_is_of_dock(event->kind)) {
        som_text_printf(out, "dock '%.*s' %s", SOM_STR_ARG(run->design->docks[event->dock].path),
                        event->kind == SOM_EVENT_DOCK_CLOSED   ? "closes"
                        : event->kind == SOM_EVENT_DOCK_OPENED ? "opens"
                                                               : "breaks");
    } else if (event->kind == SOM_EVENT_LOOP_OPENED) {
        som_text_printf(out, "the loop at '%.*s' comes apart",
                        SOM_STR_ARG(run->model->welds[event->weld].path));
    } else if (event->kind == SOM_EVENT_FELL && run->mechanism->piece_count > 1) {
        som_text_printf(out, "'%.*s' fell", SOM_STR_ARG(som_physics_run_piece(run, event->piece)));
    } else {
        som_text_add(out, event->kind == SOM_EVENT_FELL ? SOM_STR("it fell")
                                                        : SOM_STR("the physics diverged"));
    }
}
