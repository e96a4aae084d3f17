// SPDX-License-Identifier: Apache-2.0
// A model as readers build it, what is wrong with it, and connectors that the user names.

#include "exchange/link_model.h"

#include "base/codes/exchange_codes.h"
#include "exchange/link_model_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int som_link_model_add_link(SomLinkModel *model, const SomModelLink *link) {
    som_array_push(&model->links, *link);
    return model->links.count - 1;
}

int som_link_model_add_joint(SomLinkModel *model, const SomModelJoint *joint) {
    assert(joint->axis_count <= SOM_MODEL_MAX_AXES);
    som_array_push(&model->joints, *joint);
    return model->joints.count - 1;
}

int som_link_model_find_link(const SomLinkModel *model, SomStr name) {
    for (int i = 0; i < model->links.count; i++) {
        if (som_str_equal(model->links.data[i].name, name)) {
            return i;
        }
    }
    return -1;
}

void som_link_model_free(SomLinkModel *model) {
    for (int i = 0; i < model->links.count; i++) {
        som_array_free(&model->links.data[i].visuals);
        som_array_free(&model->links.data[i].collisions);
    }
    som_array_free(&model->links);
    som_array_free(&model->joints);
    som_array_free(&model->frames);
    som_array_free(&model->connectors);
}

// ---- what is wrong

static bool is_near(SomPose pose) {
    SomVec3 p = pose.position;
    bool is_so = fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)) <= SOM_MODEL_MAX_LENGTH &&
                 isfinite(p.x + p.y + p.z);
    for (int i = 0; i < 9; i++) {
        is_so = is_so && isfinite(pose.rotation.m[i / 3][i % 3]);
    }
    return is_so;
}

static bool report_range(SomImporter *importer, SomSpan span, const char *what, SomStr name) {
    som_report(importer->diags, SOM_IMPORT_OUT_OF_RANGE, span, "%s '%.*s' has a number too large",
               what, SOM_STR_ARG(name));
    return false;
}

static bool check_numbers(SomImporter *importer, const SomLinkModel *model) {
    bool fine = true;
    for (int i = 0; i < model->links.count; i++) {
        const SomModelLink *link = &model->links.data[i];
        bool is_good = is_near(link->pose);
        for (int k = 0; k < link->visuals.count; k++) {
            is_good = is_good && is_near(link->visuals.data[k].pose);
        }
        for (int k = 0; k < link->collisions.count; k++) {
            is_good = is_good && is_near(link->collisions.data[k].pose);
        }
        is_good = is_good && is_near(som_pose_translation(link->inertia.center)) &&
                  fabs(link->inertia.mass) <= 1e9;
        fine = (is_good || report_range(importer, link->span, "link", link->name)) && fine;
    }
    for (int i = 0; i < model->joints.count; i++) {
        const SomModelJoint *joint = &model->joints.data[i];
        bool is_good = is_near(som_pose_translation(joint->origin));
        for (int k = 0; k < joint->axis_count; k++) {
            double length = som_vec3_length(joint->axes[k].direction);
            is_good = is_good && length <= SOM_MODEL_MAX_LENGTH;
            if (length <= 1e-9) {
                som_report(importer->diags, SOM_IMPORT_OUT_OF_RANGE, joint->span,
                           "the axis of joint '%.*s' has no length", SOM_STR_ARG(joint->name));
                fine = false;
            }
        }
        fine = (is_good || report_range(importer, joint->span, "joint", joint->name)) && fine;
    }
    return fine;
}

static void join(int *class_of, int count, int a, int b) {
    int from = class_of[b], to = class_of[a];
    for (int i = 0; i < count; i++) {
        class_of[i] = class_of[i] == from ? to : class_of[i];
    }
}

// All links hang together.
static bool check_pieces(SomImporter *importer, const SomLinkModel *model) {
    int class_of[SOM_MODEL_MAX_LINKS];
    int count = model->links.count;
    for (int i = 0; i < count; i++) {
        class_of[i] = i;
    }
    for (int i = 0; i < model->joints.count; i++) {
        join(class_of, count, model->joints.data[i].parent, model->joints.data[i].child);
    }
    for (int i = 1; i < count; i++) {
        if (class_of[i] != class_of[0]) {
            som_report(importer->diags, SOM_MODEL_IN_PIECES, model->links.data[i].span,
                       "no joint leads from link '%.*s' to link '%.*s'",
                       SOM_STR_ARG(model->links.data[0].name),
                       SOM_STR_ARG(model->links.data[i].name));
            return false;
        }
    }
    return true;
}

static bool check_size(SomImporter *importer, const SomLinkModel *model) {
    int between = 0; // links of joints with several axes
    for (int i = 0; i < model->joints.count; i++) {
        between += model->joints.data[i].axis_count > 1 ? model->joints.data[i].axis_count - 1 : 0;
    }
    if (model->links.count == 0) {
        som_report(importer->diags, SOM_MODEL_EMPTY, model->span, "there is no link in '%.*s'",
                   SOM_STR_ARG(model->name));
        return false;
    }
    if (model->links.count + between > SOM_MODEL_MAX_LINKS ||
        model->joints.count + between > SOM_MODEL_MAX_LINKS ||
        model->connectors.count > SOM_MAX_MODULE_CONNECTORS) {
        som_report(importer->diags, SOM_MODEL_TOO_MUCH, model->span,
                   "'%.*s' has %d links and %d joints; a module has at most %d",
                   SOM_STR_ARG(model->name), model->links.count, model->joints.count,
                   SOM_MODEL_MAX_LINKS);
        return false;
    }
    for (int i = 0; i < model->links.count; i++) {
        const SomModelLink *link = &model->links.data[i];
        if (link->collisions.count > SOM_MODEL_MAX_SHAPES) {
            som_report(importer->diags, SOM_MODEL_TOO_MUCH, link->span,
                       "link '%.*s' has %d shapes; a link has at most %d", SOM_STR_ARG(link->name),
                       link->collisions.count, SOM_MODEL_MAX_SHAPES);
            return false;
        }
    }
    return true;
}

bool som_link_model_check(SomImporter *importer, const SomLinkModel *model) {
    return check_size(importer, model) && check_numbers(importer, model) &&
           check_pieces(importer, model);
}

// ---- connectors by name

static bool find_place(const SomLinkModel *model, SomStr name, SomModelConnector *connector) {
    for (int i = 0; i < model->frames.count; i++) {
        if (som_str_equal(model->frames.data[i].name, name)) {
            connector->link = model->frames.data[i].link;
            connector->pose = model->frames.data[i].pose;
            return true;
        }
    }
    connector->link = som_link_model_find_link(model, name);
    connector->pose = som_pose_identity();
    return connector->link >= 0;
}

// Turns a frame so that its axis "x", "-y", … becomes x.
static bool turn_out(SomStr axis, SomPose *pose) {
    static const struct {
        const char *name;
        SomMat3 turn; // columns: the new x, y, z
    } turns[] = {
        {"x", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},  {"-x", {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}},
        {"y", {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}}, {"-y", {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}},
        {"z", {{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}}}}, {"-z", {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        if (som_str_equal(axis, som_str(turns[i].name))) {
            pose->rotation = som_mat3_multiply(pose->rotation, turns[i].turn);
            return true;
        }
    }
    return false;
}

static void report_no_place(SomImporter *importer, const SomLinkModel *model, SomStr name) {
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < model->frames.count; i++) {
        som_array_push(&names, model->frames.data[i].name);
    }
    for (int i = 0; i < model->links.count; i++) {
        som_array_push(&names, model->links.data[i].name);
    }
    int nearest = som_str_find_nearest(name, names.data, names.count);
    som_report(importer->diags, SOM_MODEL_NO_CONNECTOR, (SomSpan){0},
               "--connector: '%.*s' has no link or frame '%.*s'%s%.*s%s", SOM_STR_ARG(model->name),
               SOM_STR_ARG(name), nearest >= 0 ? "; did you mean '" : "",
               SOM_STR_ARG(nearest >= 0 ? names.data[nearest] : SOM_STR("")),
               nearest >= 0 ? "'?" : "");
    som_array_free(&names);
}

bool som_link_model_name_connectors(SomImporter *importer, SomLinkModel *model) {
    bool fine = true;
    for (int i = 0; i < importer->options->connector_count; i++) {
        SomStr given = importer->options->connectors[i], axis = SOM_STR("z"), name = given;
        SomModelConnector connector = {.span = model->span};
        const char *colon = memchr(given.data, ':', given.length);
        if (colon != NULL && !find_place(model, given, &connector)) {
            size_t at = (size_t)(colon - given.data);
            name = som_str_slice(given, 0, at);
            axis = som_str_slice(given, at + 1, given.length);
        }
        connector.name = name;
        if (!find_place(model, name, &connector)) {
            report_no_place(importer, model, name);
            fine = false;
        } else if (!turn_out(axis, &connector.pose)) {
            som_report(importer->diags, SOM_MODEL_NO_CONNECTOR, (SomSpan){0},
                       "--connector: '%.*s' is no axis: x, y, z, -x, -y or -z", SOM_STR_ARG(axis));
            fine = false;
        } else {
            som_array_push(&model->connectors, connector);
        }
    }
    return fine;
}
