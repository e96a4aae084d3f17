// SPDX-License-Identifier: Apache-2.0
#include "studio/model.h"

SomModel *som_model_create(SomComposition *composition) {
    SomModel *model = som_alloc(sizeof *model);
    *model = (SomModel){.composition = som_composition_hold(composition),
                        .diags = composition->diags,
                        .workspace = composition->workspace,
                        .file = composition->file,
                        .configuration = composition->configuration};
    if (model->configuration != NULL) {
        model->mechanism = som_mechanism_create(model->configuration);
        model->posture = som_posture_start(model->configuration);
        model->links = som_alloc(sizeof *model->links * (size_t)model->mechanism->link_count);
        som_mechanism_place(model->mechanism, &model->posture, model->links);
        som_link_meshes_load(&model->meshes, model->configuration, model->workspace, model->diags);
        model->options = som_verify_default_options();
        som_verify_read_settings(model->configuration, &model->options, model->diags);
    }
    return model;
}

void som_model_destroy(SomModel *model) {
    if (model == NULL) {
        return;
    }
    som_link_meshes_free(&model->meshes);
    som_free(model->links);
    som_posture_free(&model->posture);
    som_mechanism_destroy(model->mechanism);
    som_composition_release(model->composition);
    som_free(model);
}

void som_model_set_posture(SomModel *model, const double *values) {
    if (model->configuration == NULL) {
        return;
    }
    const double *from = values != NULL ? values : model->configuration->start;
    for (int i = 0; i < model->posture.count; i++) {
        model->posture.values[i] = from[i];
    }
    som_mechanism_place(model->mechanism, &model->posture, model->links);
}

void som_model_keep_posture(SomModel *model, const SomModel *from) {
    const SomConfiguration *now = model->configuration, *old = from->configuration;
    if (now == NULL || old == NULL) {
        return;
    }
    bool has_moved = false;
    for (int i = 0; i < old->dof_count; i++) {
        double value = from->posture.values[i];
        if (value == old->start[i]) {
            continue;
        }
        int dof = som_configuration_find_dof(now, old->dofs[i].path, NULL);
        if (dof >= 0 && now->start[dof] == old->start[i]) {
            model->posture.values[dof] = value;
            has_moved = true;
        }
    }
    if (has_moved) {
        som_mechanism_place(model->mechanism, &model->posture, model->links);
        if (som_mechanism_worst_gap(model->mechanism, model->links, NULL, NULL)) {
            som_model_set_posture(model, NULL);
        }
    }
}

int som_model_module_count(const SomModel *model) {
    return model->configuration != NULL ? model->configuration->module_count : 0;
}

int som_model_find_module(const SomModel *model, const SomModel *from, int module) {
    int count = som_model_module_count(model), old_count = som_model_module_count(from);
    if (module < 0 || module >= old_count || count == 0) {
        return -1;
    }
    SomStr path = from->configuration->modules[module].path;
    int found = som_configuration_find_module(model->configuration, path);
    return found < 0 && count == old_count ? module : found;
}
