// SPDX-License-Identifier: Apache-2.0
#include "command/physics_run.h"

#include "base/file.h"
#include "behaviors/compile.h"
#include "report/comparison_page.h"
#include "simulate/world.h"

#include <time.h>

bool som_physics_run(SomPhysicsRun *run) {
    SomDiagnostics *diags = run->command->diags;
    run->mechanism = som_mechanism_create(run->design);
    run->servos = som_compile_servos(run->design);
    run->model =
        som_body_model_create(&(SomBodyDef){.mechanism = run->mechanism,
                                            .posture = run->posture,
                                            .graph = run->graph,
                                            .is_full = run->is_full,
                                            .is_centered = run->engine == SOM_ENGINE_MUJOCO});
    som_world_write(run->engine, run->model, run->design->name, &run->world, diags);
    run->def.model = run->model;
    run->def.world = som_text_str(&run->world);
    run->def.graph = run->graph;
    run->def.servos = run->servos;
    run->simulation = som_simulation_create(run->engine, &run->def, diags);
    if (run->simulation == NULL) {
        return false;
    }
    clock_t began = clock();
    while (som_simulation_step(run->simulation)) {
    }
    run->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    run->result = som_simulation_result(run->simulation);
    return true;
}

void som_physics_run_free(SomPhysicsRun *run) {
    som_comparison_destroy(run->comparison);
    som_verification_destroy(run->found);
    som_prediction_free(&run->prediction);
    som_simulation_destroy(run->simulation);
    som_text_free(&run->world);
    som_body_model_destroy(run->model);
    som_free(run->servos);
    som_mechanism_destroy(run->mechanism);
}

void som_physics_run_compare(SomPhysicsRun *run) {
    SomDiagnostics *diags = run->command->diags;
    // with the tick of the run, so that what differs is physics
    SomPredictionDef def = {.graph = run->graph,
                            .servos = run->servos,
                            .initial = run->posture->values,
                            .design = run->design,
                            .tick = run->def.step > 0 ? run->def.step : 0.001,
                            .sample_time = 0.01,
                            .most_time = run->def.duration > 0 ? run->def.duration : 60,
                            .is_excerpt = true};
    SomVerifyOptions options = som_verify_default_options();
    som_prediction_play(&def, &run->prediction, diags);
    som_verify_read_settings(run->design, &options, diags);
    run->found = som_verify(&(SomVerifyDef){.mechanism = run->mechanism,
                                            .start = run->posture->values,
                                            .graph = run->graph,
                                            .options = &options,
                                            .skips_loads = true});
    run->comparison = som_comparison_create(&(SomComparisonDef){.mechanism = run->mechanism,
                                                                .graph = run->graph,
                                                                .prediction = &run->prediction,
                                                                .simulated = run->result,
                                                                .found = run->found,
                                                                .engine = run->engine});
}

bool som_physics_run_save_page(const SomPhysicsRun *run, SomStr behavior, const char *path) {
    SomDiagnostics *diags = run->command->diags;
    SomLinkMeshes meshes = {0};
    SomText html = {0};
    som_link_meshes_load(&meshes, run->design, som_command_workspace(run->command), diags);
    som_comparison_page_print(&(SomComparisonPage){.comparison = run->comparison,
                                                   .simulation = run->simulation,
                                                   .design = run->design->name,
                                                   .behavior = behavior,
                                                   .meshes = &meshes},
                              &html);
    bool is_saved = som_file_save(path, som_text_str(&html), diags);
    som_link_meshes_free(&meshes);
    som_text_free(&html);
    return is_saved;
}
