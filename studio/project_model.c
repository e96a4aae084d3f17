// SPDX-License-Identifier: Apache-2.0
#include "studio/project_model.h"

#include "language/som_syntax.h"

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
        dof = dof < 0 && now->dof_count == old->dof_count ? i : dof; // it got another name
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

// ---- places of the text

// The part that a place of the text is in: "front_left" of front_left.head.L. Of an array, the
// first.
static int find_part(const SomConfiguration *configuration, SomStr place) {
    for (size_t end = place.length; end > 0; end--) {
        bool is_whole = end == place.length || place.data[end] == '.';
        int part = is_whole
                       ? som_configuration_find_part(configuration, som_str_slice(place, 0, end))
                       : -1;
        if (part >= 0) {
            return part;
        }
    }
    SomText first = {0};
    size_t name = 0;
    while (name < place.length && place.data[name] != '.' && place.data[name] != '[') {
        name++;
    }
    som_text_printf(&first, "%.*s[1]", (int)name, place.data);
    int part = som_configuration_find_part(configuration, som_text_str(&first));
    som_text_free(&first);
    return part;
}

int som_model_module_at(const SomModel *model, uint32_t offset) {
    int config = model->composition->config;
    if (model->configuration == NULL || model->file < 0 || config < 0) {
        return -1;
    }
    const SomDesignFile *file = som_workspace_file(model->workspace, model->file);
    const SomSyntax *tree = file->tree;
    if (tree == NULL || offset > file->text.length) {
        return -1;
    }
    SomNode node = som_syntax_node_at(tree, offset);
    SomNode item = 0;
    while (node != 0 && node != file->configs[config].node) {
        int kind = som_syntax_kind(tree, node);
        item = kind == SOM_SOM_ITEM || kind == SOM_SOM_PLACE ? node : item;
        node = som_syntax_parent(tree, node);
    }
    if (node == 0 || item == 0) {
        return -1;
    }
    if (som_syntax_kind(tree, item) == SOM_SOM_ITEM) {
        item = som_syntax_find_child(tree, item, SOM_SOM_NAME); // how many there are is no place
    }
    if (item == 0) {
        return -1;
    }
    int part = find_part(model->configuration, som_syntax_text(tree, item));
    return part > 0 ? model->configuration->parts[part].first_module : -1;
}

SomSpan som_model_part_span(const SomModel *model, int module) {
    if (module < 0 || module >= som_model_module_count(model) || model->file < 0) {
        return (SomSpan){0};
    }
    int part = model->configuration->modules[module].part;
    while (part > 0 && model->configuration->parts[part].depth > 1) {
        part = model->configuration->parts[part].parent;
    }
    SomSpan span = model->configuration->parts[part].span;
    bool is_own = span.source1 == som_workspace_file(model->workspace, model->file)->source1;
    return is_own ? span : (SomSpan){0};
}
