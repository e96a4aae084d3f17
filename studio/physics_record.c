// SPDX-License-Identifier: Apache-2.0
#include "studio/physics_record.h"

#include "behaviors/compile.h"
#include "behaviors/static_rule.h"

#define STANDING "wait 5s"

// ---- the scene

// A behavior with errors is refused once, before any engine is loaded.
static void check_graph(SomPhysicsScene *scene) {
    SomComposition *made = scene->composition;
    SomServoModel *servos = som_compile_servos(made->configuration);
    SomStaticDef def = {.graph = scene->graph,
                        .servos = servos,
                        .initial = scene->posture.values,
                        .design = made->configuration};
    if (!som_static_allows(&def, false, NULL, made->diags)) {
        som_action_graph_destroy(scene->graph);
        scene->graph = NULL;
    }
    som_free(servos);
}

static void prepare(SomPhysicsScene *scene) {
    SomComposition *made = scene->composition;
    SomStr behavior = som_text_str(&scene->texts.behavior);
    SomCompileDef compile = {
        .workspace = made->workspace, .configuration = made->configuration, .diags = made->diags};
    scene->posture = som_posture_start(made->configuration);
    scene->graph = som_compile_call(&compile, behavior.length > 0 ? behavior : SOM_STR(STANDING));
    if (scene->graph != NULL) {
        check_graph(scene);
    }
    som_link_meshes_load(&scene->meshes, made->configuration, made->workspace, made->diags);
}

SomPhysicsScene *som_physics_scene_create(SomBehaviorTexts *texts, SomText *words) {
    SomPhysicsScene *scene = som_alloc(sizeof *scene);
    scene->texts = *texts;
    *texts = (SomBehaviorTexts){0};
    atomic_init(&scene->holders, 1);
    SomComposition *made = som_behavior_texts_compose(&scene->texts);
    scene->composition = made;
    if (made->configuration != NULL) {
        prepare(scene);
    } else if (som_diagnostics_error_count(made->diags) == 0) {
        som_text_add(words, SOM_STR("The design is empty.\n"));
    }
    if (scene->graph == NULL) {
        som_diagnostics_sort(made->diags);
        som_diagnostics_print(made->diags, 0, words);
    }
    return scene;
}

SomPhysicsScene *som_physics_scene_hold(SomPhysicsScene *scene) {
    atomic_fetch_add(&scene->holders, 1);
    return scene;
}

void som_physics_scene_release(SomPhysicsScene *scene) {
    if (scene == NULL || atomic_fetch_sub(&scene->holders, 1) > 1) {
        return;
    }
    som_link_meshes_free(&scene->meshes);
    som_action_graph_destroy(scene->graph);
    som_posture_free(&scene->posture);
    som_composition_release(scene->composition);
    som_behavior_texts_free(&scene->texts);
    som_free(scene);
}

// ---- the record

SomPhysicsRecord *som_physics_record_create(SomPhysicsScene *scene, SomEngineKind engine) {
    SomPhysicsRecord *record = som_alloc(sizeof *record);
    record->scene = som_physics_scene_hold(scene);
    record->engine = engine;
    record->run = (SomPhysicsRun){.design = scene->composition->configuration,
                                  .posture = &scene->posture,
                                  .graph = scene->graph,
                                  .engine = engine};
    atomic_init(&record->holders, 1);
    return record;
}

SomPhysicsRecord *som_physics_record_hold(SomPhysicsRecord *record) {
    atomic_fetch_add(&record->holders, 1);
    return record;
}

void som_physics_record_release(SomPhysicsRecord *record) {
    if (record == NULL || atomic_fetch_sub(&record->holders, 1) > 1) {
        return;
    }
    som_physics_report_free(&record->report);
    som_film_free(&record->film);
    som_physics_run_free(&record->run);
    som_text_free(&record->words);
    som_physics_scene_release(record->scene);
    som_free(record);
}

double som_physics_record_duration(const SomPhysicsRecord *record) {
    return record->has_run ? record->run.result->time : 0;
}

// The last sample that is not after the time.
static int sample_before(const SomSimulationResult *result, double time) {
    int low = 0, high = result->times.count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (result->times.data[middle] <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

bool som_physics_record_place(const SomPhysicsRecord *record, double time, SomPose *links) {
    if (!record->has_run || record->run.result->times.count == 0) {
        return false;
    }
    const SomSimulationResult *result = record->run.result;
    int count = record->run.mechanism->link_count, sample = sample_before(result, time);
    som_simulation_place_sample(record->run.simulation, sample, links);
    const double *at = result->times.data + sample;
    if (sample + 1 == result->times.count || time <= at[0] || at[1] <= at[0]) {
        return true;
    }
    SomPose *next = som_alloc(sizeof *next * (size_t)count);
    som_simulation_place_sample(record->run.simulation, sample + 1, next);
    for (int i = 0; i < count; i++) {
        links[i] = som_pose_interpolate(links[i], next[i], (time - at[0]) / (at[1] - at[0]));
    }
    som_free(next);
    return true;
}
