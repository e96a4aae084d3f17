// SPDX-License-Identifier: Apache-2.0
// Names that every simulator takes, each once, from the paths of the design.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/body_model_internal.h"
#include "exchange/legal_names.h"

// "NAME_shell", and likewise the joints that fix them.
static void name_shells(SomBodyMaker *q, SomLegalNames *names) {
    SomBodyModel *model = q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyJoint *joints = (SomBodyJoint *)model->joints;
    SomText text = {0};
    for (int i = 0; i < model->body_count; i++) {
        if (bodies[i].host >= 0) {
            SomStr host = bodies[bodies[i].host].name;
            som_text_printf(&text, "%.*s_shell", SOM_STR_ARG(host));
            bodies[i].name = som_legal_names_take(names, som_text_str(&text));
            som_text_clear(&text);
            som_text_printf(&text, "%.*s_fixed", SOM_STR_ARG(bodies[i].name));
            joints[bodies[i].joint].name = som_legal_names_take(names, som_text_str(&text));
            som_text_clear(&text);
        }
    }
    som_text_free(&text);
}

// Without mass and shapes, as the links of a file that stand for the world.
static bool is_empty(const SomBodyModel *model, int body) {
    bool is = model->bodies[body].shape_count == 0;
    for (int i = 0; i < model->mechanism->link_count && is; i++) {
        const SomModuleLink *link = model->mechanism->links[i].link;
        is = model->body_of[i] != body || !(link->inertia.mass > 0);
    }
    return is;
}

void som_body_maker_add_names(SomBodyMaker *q) {
    SomBodyModel *model = q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyJoint *joints = (SomBodyJoint *)model->joints;
    SomBodyShape *shapes = (SomBodyShape *)model->shapes;
    SomLegalNames names =
        som_legal_names_begin(&model->arena, model->body_count + model->joint_count + 1);
    SomStr world = som_legal_names_take(&names, SOM_STR("world"));
    bool is_world = q->def->keeps_root && bodies[0].is_fixed && is_empty(model, 0);
    bodies[0].name = is_world ? world : bodies[0].name;
    som_legal_names_take(&names, SOM_STR("ground"));
    model->name = som_legal_names_take_word(&names, q->m->configuration->name, "robot");
    // joints first: people call them by name
    for (int i = 0; i < model->joint_count; i++) {
        if (bodies[joints[i].child].host < 0) {
            joints[i].name = som_legal_names_take_word(&names, joints[i].path, "joint");
        }
    }
    for (int i = is_world ? 1 : 0; i < model->body_count; i++) {
        if (bodies[i].host < 0) {
            bodies[i].name = som_legal_names_take_word(&names, bodies[i].path, "body");
        }
    }
    for (int i = 0; i < model->body_count; i++) {
        if (bodies[i].is_fixed) {
            SomText text = {0};
            som_text_printf(&text, "%.*s_world", SOM_STR_ARG(bodies[i].name));
            bodies[i].bolt = som_legal_names_take(&names, som_text_str(&text));
            som_text_free(&text);
        }
    }
    name_shells(q, &names);
    som_legal_names_end(&names);
    names = som_legal_names_begin(&model->arena, model->shape_count);
    som_legal_names_take(&names, SOM_STR("ground"));
    for (int i = 0; i < model->shape_count; i++) {
        const SomBody *body = &bodies[shapes[i].body];
        shapes[i].name =
            som_legal_names_take(&names, bodies[body->host < 0 ? shapes[i].body : body->host].name);
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

// Links whose shapes are in a shell of their body.
static void print_shells(const SomBodyModel *model, SomText *out) {
    bool *is_printed = som_alloc((size_t)model->mechanism->link_count + 1);
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (model->bodies[shape->body].host >= 0 && !is_printed[shape->link]) {
            print_row(out, "shell", model->bodies[shape->body].name,
                      model->mechanism->links[shape->link].path);
            is_printed[shape->link] = true;
        }
    }
    som_free(is_printed);
}

void som_body_model_print_names(const SomBodyModel *model, SomText *out) {
    const SomMechanism *m = model->mechanism;
    som_text_add(out, SOM_STR("kind,name,path\n"));
    for (int i = 0; i < m->link_count; i++) {
        print_row(out, "body", model->bodies[model->body_of[i]].name, m->links[i].path);
    }
    print_shells(model, out);
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

void som_body_model_report_untested(const SomBodyModel *model, SomDiagnostics *diags) {
    if (model->untested_count > 0) {
        const SomMechanismLink *links = model->mechanism->links;
        SomText more = {0};
        if (model->untested_count > 1) {
            som_text_printf(&more, " (and %d more)", model->untested_count - 1);
        }
        som_report(diags, SOM_EXPORT_TOUCHING_UNTESTED, (SomSpan){0},
                   "physics does not test '%.*s' against '%.*s', which touch where joints are at "
                   "zero%.*s",
                   SOM_STR_ARG(links[model->untested[0].a].path),
                   SOM_STR_ARG(links[model->untested[0].b].path), SOM_STR_ARG(som_text_str(&more)));
        som_text_free(&more);
    }
}
