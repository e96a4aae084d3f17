// SPDX-License-Identifier: Apache-2.0
#include "command/physics_run.h"

#include "base/file.h"
#include "base/number.h"
#include "behaviors/compile.h"
#include "command/progress.h"
#include "report/comparison_page.h"
#include "simulate/world.h"

#include <math.h>
#include <time.h>

// ---- how far it is

#define STEPS_A_LOOK 20       // at the clock
#define SECONDS_A_LINE 0.25   // of the processor, from one line of progress to the next
#define SECONDS_IN_SILENCE 1. // runs that are over sooner need no progress

static double seconds_since(clock_t began) {
    return (double)(clock() - began) / CLOCKS_PER_SEC;
}

static void print_tenths(SomText *out, double value) {
    som_text_number(out, round(value * 10) / 10);
}

static void show_progress(const SomPhysicsRun *run, double seconds) {
    double time = som_simulation_time(run->simulation);
    SomText line = {0};
    print_tenths(&line, time);
    som_text_add(&line, SOM_STR(" s simulated, at most "));
    print_tenths(&line, run->def.duration > 0 ? run->def.duration : SOM_SIMULATION_DURATION);
    som_text_add(&line, SOM_STR(" s; "));
    print_tenths(&line, time / seconds);
    som_text_add(&line, SOM_STR(" times real time"));
    som_progress_show(som_text_str(&line));
    som_text_free(&line);
}

static void play(SomPhysicsRun *run) {
    bool is_watched = som_progress_is_watched();
    clock_t began = clock();
    double next = SECONDS_IN_SILENCE;
    for (int step = 1;; step++) {
        if (run->is_filmed) {
            som_film_look(&run->film, run->simulation, run->mechanism);
        }
        if (!som_simulation_step(run->simulation)) {
            break;
        }
        if (is_watched && step % STEPS_A_LOOK == 0) {
            step = 0;
            double seconds = seconds_since(began);
            if (seconds >= next) {
                show_progress(run, seconds);
                next = seconds + SECONDS_A_LINE;
            }
        }
    }
    run->seconds = seconds_since(began);
    if (is_watched && next > SECONDS_IN_SILENCE) {
        som_progress_clear();
    }
    if (run->is_filmed) {
        som_film_look_last(&run->film, run->simulation, run->mechanism);
    }
}

// ---- the run

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
    play(run);
    run->result = som_simulation_result(run->simulation);
    return true;
}

void som_physics_run_free(SomPhysicsRun *run) {
    som_comparison_destroy(run->comparison);
    som_verification_destroy(run->found);
    som_prediction_free(&run->prediction);
    som_film_free(&run->film);
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
                            .most_time =
                                run->def.duration > 0 ? run->def.duration : SOM_SIMULATION_DURATION,
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

bool som_physics_run_save_pictures(const SomPhysicsRun *run, const char *path) {
    SomDiagnostics *diags = run->command->diags;
    SomLinkMeshes meshes = {0};
    som_link_meshes_load(&meshes, run->design, som_command_workspace(run->command), diags);
    bool is_saved = som_film_save(&run->film, run->mechanism, &meshes, path, diags);
    som_link_meshes_free(&meshes);
    return is_saved;
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
