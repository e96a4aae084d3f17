// SPDX-License-Identifier: Apache-2.0
// Names that every simulator takes, each once, from the paths of the design.

#include "base/number.h"
#include "exchange/body_model_internal.h"
#include "exchange/legal_names.h"

void som_body_maker_add_names(SomBodyMaker *q) {
    SomBodyModel *model = q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyJoint *joints = (SomBodyJoint *)model->joints;
    SomBodyShape *shapes = (SomBodyShape *)model->shapes;
    SomLegalNames names =
        som_legal_names_begin(&model->arena, model->body_count + model->joint_count + 1);
    som_legal_names_take(&names, SOM_STR("world"));
    som_legal_names_take(&names, SOM_STR("ground"));
    model->name = som_legal_names_take_word(&names, q->m->configuration->name, "robot");
    // joints first: people call them by name
    for (int i = 0; i < model->joint_count; i++) {
        joints[i].name = som_legal_names_take_word(&names, joints[i].path, "joint");
    }
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].name = som_legal_names_take_word(&names, bodies[i].path, "body");
    }
    som_legal_names_end(&names);
    names = som_legal_names_begin(&model->arena, model->shape_count);
    som_legal_names_take(&names, SOM_STR("ground"));
    for (int i = 0; i < model->shape_count; i++) {
        shapes[i].name = som_legal_names_take(&names, bodies[shapes[i].body].name);
    }
    som_legal_names_end(&names);
}

// ---- the table

static void print_row(SomText *out, const char *kind, SomStr name, SomStr path) {
    bool is_plain = true;
    for (size_t i = 0; i < path.length; i++) {
        is_plain &= path.data[i] != ',' && path.data[i] != '"';
    }
    som_text_printf(out, "%s,%.*s,", kind, SOM_STR_ARG(name));
    som_text_add_char(out, '"', !is_plain);
    for (size_t i = 0; i < path.length; i++) {
        som_text_add_char(out, path.data[i], path.data[i] == '"' ? 2 : 1);
    }
    som_text_add_char(out, '"', !is_plain);
    som_text_add_char(out, '\n', 1);
}

void som_body_model_print_names(const SomBodyModel *model, SomText *out) {
    const SomMechanism *m = model->mechanism;
    som_text_add(out, SOM_STR("kind,name,path\n"));
    for (int i = 0; i < m->link_count; i++) {
        print_row(out, "body", model->bodies[model->body_of[i]].name, m->links[i].path);
    }
    for (int i = 0; i < m->dof_count; i++) {
        char value[SOM_NUMBER_TEXT];
        bool is_locked = model->joint_of[i] < 0;
        som_number_print(model->start[i], value);
        print_row(out, is_locked ? "locked" : "joint",
                  is_locked ? som_str(value) : model->joints[model->joint_of[i]].name,
                  m->configuration->dofs[i].path);
    }
    for (int i = 0; i < model->weld_count; i++) {
        print_row(out, "weld", model->welds[i].name, model->welds[i].path);
    }
}
