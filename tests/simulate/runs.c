// SPDX-License-Identifier: Apache-2.0
#include "tests/simulate/runs.h"

#include "behaviors/compile.h"
#include "exchange/sdf.h"
#include "simulate/world.h"

#include <string.h>

static void change_world(SomText *world, TestChange change) {
    SomText changed = {0};
    const char *found = strstr(world->data, change.from);
    ck_assert_msg(found != NULL, "the world has no %s", change.from);
    size_t at = (size_t)(found - world->data), length = strlen(change.from);
    som_text_add(&changed, (SomStr){world->data, at});
    som_text_add(&changed, som_str(change.to));
    som_text_add(&changed, (SomStr){found + length, world->length - at - length});
    som_text_free(world);
    *world = changed;
}

static TestRun begin(SomEngineKind engine, TestDesign text, const char *choice, const char *call,
                     SomSimulationDef def, TestChange change, bool is_exported) {
    TestRun r = {.text = text};
    r.design = test_compose(&r.text, choice);
    r.mechanism = som_mechanism_create(r.design);
    r.servos = som_compile_servos(r.design);
    SomCompileDef compile = {
        .workspace = r.text.workspace, .configuration = r.design, .diags = r.text.diags};
    if (call != NULL) {
        r.graph = som_compile_call(&compile, som_str(call));
        ck_assert_msg(r.graph != NULL, "%s", test_diagnostics(&r.text));
    }
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = r.mechanism;
    bodies.graph = r.graph;
    r.model = som_body_model_create(&bodies);
    if (is_exported && engine == SOM_ENGINE_GAZEBO) {
        som_sdf_write_world(&(SomSdfDef){.model = r.model, .graph = r.graph}, &r.world);
    } else { // of MuJoCo they are the same
        som_world_write(engine, r.model, SOM_STR("run"), &r.world, r.text.diags);
    }
    if (change.from != NULL) {
        change_world(&r.world, change);
    }
    def.model = r.model;
    def.world = som_text_str(&r.world);
    def.graph = r.graph;
    def.servos = r.servos;
    r.simulation = som_simulation_create(engine, &def, r.text.diags);
    ck_assert_msg(r.simulation != NULL, "%s", test_diagnostics(&r.text));
    r.result = som_simulation_result(r.simulation);
    return r;
}

TestRun test_run_begin(SomEngineKind engine, const char *text, const char *choice, const char *call,
                       SomSimulationDef def, TestChange change) {
    return begin(engine, test_design(text), choice, call, def, change, false);
}

TestRun test_run_file(SomEngineKind engine, const char *file, const char *call, double duration,
                      bool is_exported) {
    SomText path = {0};
    TestDesign text = {.diags = som_diagnostics_create()};
    som_text_printf(&path, "%s/../tests/simulate/%s", test_library, file);
    text.workspace = som_workspace_create(som_str(test_library), text.diags);
    text.file = som_workspace_open(text.workspace, som_text_str(&path));
    som_text_free(&path);
    TestRun r = begin(engine, text, "", call, (SomSimulationDef){.duration = duration},
                      (TestChange){0}, is_exported);
    while (som_simulation_step(r.simulation)) {
    }
    return r;
}

TestRun test_run(SomEngineKind engine, const char *text, const char *choice, const char *call,
                 double duration) {
    TestRun r = test_run_begin(engine, text, choice, call, (SomSimulationDef){.duration = duration},
                               (TestChange){0});
    while (som_simulation_step(r.simulation)) {
    }
    return r;
}

void test_run_free(TestRun *r) {
    som_simulation_destroy(r->simulation);
    som_text_free(&r->world);
    som_body_model_destroy(r->model);
    som_free(r->servos);
    som_action_graph_destroy(r->graph);
    som_mechanism_destroy(r->mechanism);
    som_configuration_destroy(r->design);
    test_design_free(&r->text);
}

const char *test_run_outcome(const TestRun *r) {
    return som_outcome_word(r->result->outcome);
}

const SomSimulationEvent *test_run_event(const TestRun *r, SomSimulationEventKind kind) {
    for (int i = 0; i < r->result->events.count; i++) {
        if (r->result->events.data[i].kind == kind) {
            return &r->result->events.data[i];
        }
    }
    return NULL;
}
