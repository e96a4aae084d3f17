// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/placed_text.h"

#include "behaviors/compile.h"
#include "tests/exchange/lab_files.h"

static void fail_with(const SomTestPlaced *placed, SomStr text) {
    SomText shown = {0};
    som_diagnostics_print(placed->diags, 0, &shown);
    ck_abort_msg("%s\n%.*s", shown.data, SOM_STR_ARG(text));
}

static SomTestPlaced place(SomStr text, SomStr config, const SomImported *imported) {
    SomTestPlaced placed = {.diags = som_diagnostics_create()};
    placed.workspace = som_workspace_create(som_test_library_root(), placed.diags);
    for (int i = 0; imported != NULL && i < imported->files.count; i++) {
        if (som_str_ends_with(imported->files.data[i].path, SOM_STR(".m3l"))) { // no meshes
            som_workspace_open_text(placed.workspace, imported->files.data[i].path,
                                    imported->files.data[i].content);
        }
    }
    int file = som_workspace_open_text(placed.workspace, SOM_STR("imported.som"), text);
    if (file >= 0) {
        placed.configuration =
            som_configuration_compose(placed.workspace, file, config, placed.diags);
    }
    if (placed.configuration == NULL || som_diagnostics_error_count(placed.diags) > 0) {
        fail_with(&placed, text);
    }
    placed.mechanism = som_mechanism_create(placed.configuration);
    placed.posture = som_posture_start(placed.configuration);
    placed.links = som_alloc((size_t)placed.mechanism->link_count * sizeof *placed.links);
    som_mechanism_place(placed.mechanism, &placed.posture, placed.links);
    return placed;
}

SomTestPlaced som_test_place_config(SomStr text, SomStr config) {
    return place(text, config, NULL);
}

SomTestPlaced som_test_place_imported(const SomImported *result) {
    return place(som_text_str(&result->som), SOM_STR(""), result);
}

SomTestPlaced som_test_place_text(SomStr text) {
    return som_test_place_config(text, SOM_STR(""));
}

SomPose som_test_pose_of(const SomTestPlaced *placed, const char *path) {
    int module = som_configuration_find_module(placed->configuration, som_str(path));
    ck_assert_msg(module >= 0, "%s", path);
    return som_mechanism_module_pose(placed->mechanism, placed->links, module);
}

void som_test_free_placed(SomTestPlaced *placed) {
    som_free(placed->links);
    som_posture_free(&placed->posture);
    som_mechanism_destroy(placed->mechanism);
    som_configuration_destroy(placed->configuration);
    som_workspace_destroy(placed->workspace);
    som_diagnostics_destroy(placed->diags);
}

static SomPrediction play(SomTestPlaced *placed, const char *behavior, double tick,
                          const SomServoModel *servos) {
    SomCompileDef def = {.workspace = placed->workspace,
                         .configuration = placed->configuration,
                         .diags = placed->diags};
    SomActionGraph *graph = som_compile_call(&def, som_str(behavior));
    if (graph == NULL) {
        fail_with(placed, som_str(behavior));
    }
    SomPredictionDef play = {
        .graph = graph, .servos = servos, .initial = placed->posture.values, .tick = tick};
    SomPrediction prediction = {0};
    if (!som_prediction_play(&play, &prediction, placed->diags)) {
        fail_with(placed, som_str(behavior));
    }
    som_action_graph_destroy(graph);
    return prediction;
}

SomPrediction som_test_play(SomTestPlaced *placed, const char *behavior, double tick) {
    SomServoModel *servos = som_compile_servos(placed->configuration);
    SomPrediction prediction = play(placed, behavior, tick, servos);
    som_free(servos);
    return prediction;
}

SomPrediction som_test_play_exactly(SomTestPlaced *placed, const char *behavior, double tick) {
    return play(placed, behavior, tick, NULL);
}

double som_test_joint_at(const SomTestPlaced *placed, const SomPrediction *prediction, double time,
                         const char *joint) {
    SomAlias alias;
    int dof = som_configuration_find_dof(placed->configuration, som_str(joint), &alias);
    ck_assert_msg(dof >= 0, "%s", joint);
    double *values = som_alloc((size_t)prediction->dof_count * sizeof *values);
    som_prediction_at(prediction, time, values);
    double value = som_alias_from_joint(alias, values[dof]);
    som_free(values);
    return value;
}
