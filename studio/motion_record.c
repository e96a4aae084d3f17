// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_record.h"

#include "behaviors/compile.h"

#include <math.h>

// Docks that close or open; later ones are not shown.
#define MOST_STATES 16

// ---- why it cannot be played

static void tell_error(SomMotionScene *scene) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(scene->composition->diags, &count);
    for (int i = 0; i < count && scene->words.length == 0; i++) {
        if (all[i].severity == SOM_ERROR && all[i].kind == SOM_DIAGNOSTIC_REPORT) {
            som_text_add(&scene->words, all[i].message);
        }
    }
}

static bool needs_arguments(const SomCompileDef *compile, int behavior, SomText *words) {
    int count;
    const SomParameter *all = som_compile_parameters(compile, behavior, &count);
    const char *before = "it needs a value for ";
    for (int i = 0; i < count; i++) {
        if (all[i].otherwise == 0) {
            som_text_printf(words, "%s%.*s (%.*s)", before, SOM_STR_ARG(all[i].name),
                            SOM_STR_ARG(all[i].type));
            before = ", ";
        }
    }
    if (words->length > 0) {
        som_text_add(words, SOM_STR("; give a default, or run it from another behavior"));
    }
    return words->length > 0;
}

// ---- the motion

// Long ones are cut, so that neither time nor memory is without bounds.
static double most_time(const SomMotionScene *scene) {
    double numbers = (double)SOM_MOTION_MOST_NUMBERS / (scene->mechanism->dof_count + 1);
    return fmin(SOM_MOTION_MOST_TIME, numbers * scene->options.dt);
}

static SomVerifyDef verify_def(const SomMotionScene *scene, const SomStop *stop) {
    return (SomVerifyDef){.mechanism = scene->mechanism,
                          .graph = scene->graph,
                          .options = &scene->options,
                          .wants_series = true,
                          .wants_efforts = true,
                          .most_time = most_time(scene),
                          .stop = stop};
}

// One for each change, so that any moment can be shown at once.
static void find_states(SomMotionScene *scene, const SomStop *stop) {
    const SomPrediction *p = &scene->prediction;
    const SomConfiguration *design = scene->composition->configuration;
    int count = p->docks.count < MOST_STATES ? p->docks.count : MOST_STATES;
    if (count == 0 || design->dock_count != scene->graph->symbol_count[SOM_SYMBOL_DOCK]) {
        return;
    }
    scene->states = som_alloc(sizeof(SomDockStates *) * (size_t)count);
    scene->state_times = som_alloc(sizeof(double) * (size_t)count);
    SomPosture posture = som_posture_zero(design);
    for (int k = 0; k < count && !som_stop_is_asked(stop); k++) {
        SomDockStates *states = som_dock_states_create(design);
        for (int i = 0; i <= k; i++) {
            const SomPredictionDock *change = &p->docks.data[i];
            som_prediction_at(p, change->time, posture.values);
            som_dock_states_place(states, &posture);
            som_dock_states_set(states, change->dock, change->is_closed);
        }
        scene->states[k] = states;
        scene->state_times[k] = p->docks.data[k].time;
        scene->state_count++;
    }
    som_posture_free(&posture);
}

static void play(SomMotionScene *scene, const SomStop *stop) {
    SomComposition *made = scene->composition;
    SomCompileDef compile = {
        .workspace = made->workspace, .configuration = made->configuration, .diags = made->diags};
    SomStr name = som_text_str(&scene->texts.behavior);
    int behavior = som_configuration_find_behavior(made->configuration, name);
    scene->options = som_verify_default_options();
    som_verify_read_settings(made->configuration, &scene->options, made->diags);
    if (behavior < 0) {
        som_text_add(&scene->words, SOM_STR("there is no such behavior"));
        return;
    }
    if (needs_arguments(&compile, behavior, &scene->words)) {
        return;
    }
    scene->graph = som_compile_behavior(&compile, behavior);
    if (scene->graph == NULL) {
        tell_error(scene);
        return;
    }
    SomVerifyDef def = verify_def(scene, stop);
    scene->reports = som_verify_predict(&def, &scene->prediction);
    find_states(scene, stop);
}

SomMotionScene *som_motion_scene_create(SomBehaviorTexts *texts, const SomStop *stop) {
    SomMotionScene *scene = som_alloc(sizeof *scene);
    scene->texts = *texts;
    *texts = (SomBehaviorTexts){0};
    atomic_init(&scene->holders, 1);
    SomComposition *made = som_behavior_texts_compose(&scene->texts);
    scene->composition = made;
    if (made->configuration == NULL) {
        tell_error(scene);
    } else if (!som_stop_is_asked(stop)) {
        scene->mechanism = som_mechanism_create(made->configuration);
        play(scene, stop);
    }
    if (scene->graph == NULL && scene->words.length == 0) {
        som_text_add(&scene->words, SOM_STR("the design is empty"));
    }
    return scene;
}

SomMotionScene *som_motion_scene_hold(SomMotionScene *scene) {
    atomic_fetch_add(&scene->holders, 1);
    return scene;
}

void som_motion_scene_release(SomMotionScene *scene) {
    if (scene == NULL || atomic_fetch_sub(&scene->holders, 1) > 1) {
        return;
    }
    for (int i = 0; i < scene->state_count; i++) {
        som_dock_states_destroy(scene->states[i]);
    }
    som_free(scene->states);
    som_free(scene->state_times);
    som_diagnostics_destroy(scene->reports);
    som_prediction_free(&scene->prediction);
    som_action_graph_destroy(scene->graph);
    som_mechanism_destroy(scene->mechanism);
    som_composition_release(scene->composition);
    som_behavior_texts_free(&scene->texts);
    som_text_free(&scene->words);
    som_free(scene);
}

SomVerification *som_motion_scene_verify(const SomMotionScene *scene, const SomStop *stop) {
    SomVerifyDef def = verify_def(scene, stop);
    def.prediction = &scene->prediction;
    def.reports = scene->reports;
    return som_verify(&def);
}

// ---- the record

SomMotionRecord *som_motion_record_create(SomMotionScene *scene, SomVerification *found,
                                          long number) {
    SomMotionRecord *record = som_alloc(sizeof *record);
    record->scene = som_motion_scene_hold(scene);
    record->found = found;
    record->number = number;
    if (scene->graph != NULL) {
        record->data = som_motion_data_create(
            &(SomMotionDataDef){.mechanism = scene->mechanism,
                                .graph = scene->graph,
                                .prediction = &scene->prediction,
                                .found = found,
                                .title = som_text_str(&scene->texts.behavior)});
    }
    atomic_init(&record->holders, 1);
    return record;
}

SomMotionRecord *som_motion_record_hold(SomMotionRecord *record) {
    atomic_fetch_add(&record->holders, 1);
    return record;
}

void som_motion_record_release(SomMotionRecord *record) {
    if (record == NULL || atomic_fetch_sub(&record->holders, 1) > 1) {
        return;
    }
    som_motion_data_destroy(record->data);
    som_verification_destroy((SomVerification *)record->found);
    som_motion_scene_release(record->scene);
    som_free(record);
}

bool som_motion_record_plays(const SomMotionRecord *record) {
    return record->data != NULL;
}

bool som_motion_record_is_cut(const SomMotionRecord *record) {
    return record->data != NULL && record->scene->prediction.status != SOM_PLAYER_COMPLETED;
}

double som_motion_record_duration(const SomMotionRecord *record) {
    return record->data != NULL ? record->data->model->data.duration : 0;
}

// ---- a moment of it

static const SomMechanism *mechanism_at(const SomMotionScene *scene, double time) {
    int state = scene->state_count - 1;
    while (state >= 0 && scene->state_times[state] > time) {
        state--;
    }
    return state < 0 ? scene->mechanism : som_dock_states_mechanism(scene->states[state]);
}

// How the robot as a whole is turned and set down.
static SomPose place_of(const SomVerification *found, double time) {
    int low = 0, high = found->sample_count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (found->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double length = found->times[high] - found->times[low];
    double way = length > 0 ? fmin(fmax((time - found->times[low]) / length, 0), 1) : 0;
    return som_pose_interpolate(found->places[low], found->places[high], way);
}

void som_motion_record_place(const SomMotionRecord *record, double time, SomPose *links) {
    const SomMotionScene *scene = record->scene;
    const SomMechanism *mechanism = mechanism_at(scene, time);
    SomPosture posture = som_posture_zero(scene->composition->configuration);
    som_prediction_at(&scene->prediction, time, posture.values);
    som_mechanism_place(mechanism, &posture, links);
    som_posture_free(&posture);
    bool is_known =
        record->found != NULL && record->found->places != NULL && record->found->sample_count > 0;
    SomPose place = is_known ? place_of(record->found, time) : som_pose_identity();
    if (!is_known) { // its lowest point is on the ground
        double low = som_mechanism_bounds(mechanism, links).low.z;
        place.position.z = isfinite(low) ? -low : 0;
    }
    for (int i = 0; i < mechanism->link_count; i++) {
        links[i] = som_pose_compose(place, links[i]);
    }
}
