// SPDX-License-Identifier: Apache-2.0
// Bodies of Timor's modules: mass, shapes, connectors.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/named_file.h"
#include "exchange/timor_internal.h"
#include "language/name.h"

#include <math.h>

// ---- shapes

// The file of a mesh, looked for from the set's own folder; empty after a warning.
static SomStr find_mesh(SomTimorSet *set, const SomJson *parameters) {
    const SomJson *value =
        som_json_require(parameters, SOM_STR("file"), SOM_JSON_STRING, set->diags);
    if (value == NULL) {
        return (SomStr){"", 0};
    }
    SomStr found = som_asset_find_whole(set->importer, set->file->path, value->string);
    if (found.length == 0) {
        som_asset_report_missing(set->importer, SOM_TIMOR_MESH_NOT_FOUND, value->span, "",
                                 set->file->path, value->string);
    }
    return found;
}

static bool take_scale(SomTimorSet *set, const SomJson *parameters, SomVec3 *scale) {
    double n[3] = {1, 1, 1};
    const SomJson *value = som_json_get(parameters, SOM_STR("scale"));
    if (value != NULL && value->kind == SOM_JSON_NUMBER) {
        n[0] = n[1] = n[2] = value->number;
    } else if (value != NULL && !som_json_numbers_of(value, n, 3)) {
        n[0] = 0;
    }
    *scale = som_vec3(n[0], n[1], n[2]);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(n[i]) >= 1e-9 && fabs(n[i]) <= 1e9)) {
            som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, value->span,
                       "the scale of a mesh is a number or three, and not 0");
            return false;
        }
    }
    return true;
}

// The first of two names that the parameters have.
static bool need_length(SomTimorSet *set, const SomJson *parameters, const char *key,
                        const char *other, double *length) {
    bool has_other = som_json_get(parameters, som_str(key)) == NULL && other != NULL &&
                     som_json_get(parameters, som_str(other)) != NULL;
    return som_json_need_number(parameters, has_other ? other : key, SOM_TIMOR_MAX_LENGTH, length,
                                set->diags);
}

static void ignore_parameters(SomTimorSet *set, SomStr type, const SomJson *parameters) {
    static const char *const names[][6] = {{"box", "x", "y", "z", NULL},
                                           {"cylinder", "r", "radius", "z", "length", NULL},
                                           {"sphere", "r", "radius", NULL},
                                           {"mesh", "file", "scale", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (som_str_equal(type, som_str(names[i][0]))) {
            som_json_ignore_others(&set->ignored, parameters, names[i] + 1);
        }
    }
}

// False after an error. What cannot be had is left out with a warning: *is_there is false.
static bool read_shape(SomTimorSet *set, const SomJson *json, SomModelShape *shape,
                       bool *is_there) {
    static const char *const known[] = {"type", "parameters", "pose", NULL};
    const SomJson *type = som_json_require(json, SOM_STR("type"), SOM_JSON_STRING, set->diags);
    const SomJson *p = som_json_require(json, SOM_STR("parameters"), SOM_JSON_OBJECT, set->diags);
    *shape = (SomModelShape){.span = json->span, .scale = {1, 1, 1}};
    *is_there = true;
    if (type == NULL || p == NULL || !som_timor_take_pose(set, json, "pose", &shape->pose)) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    ignore_parameters(set, type->string, p);
    double x = 0, y = 0, z = 0;
    if (som_str_equal(type->string, SOM_STR("box"))) {
        return need_length(set, p, "x", NULL, &x) && need_length(set, p, "y", NULL, &y) &&
               need_length(set, p, "z", NULL, &z) &&
               som_shape_box(&shape->shape, som_vec3(x, y, z), json->span, set->diags);
    }
    if (som_str_equal(type->string, SOM_STR("cylinder"))) {
        return need_length(set, p, "r", "radius", &x) && need_length(set, p, "z", "length", &z) &&
               som_shape_cylinder(&shape->shape, x, z, json->span, set->diags);
    }
    if (som_str_equal(type->string, SOM_STR("sphere"))) {
        return need_length(set, p, "r", "radius", &x) &&
               som_shape_sphere(&shape->shape, x, json->span, set->diags);
    }
    if (som_str_equal(type->string, SOM_STR("mesh"))) {
        int before = som_diagnostics_error_count(set->diags);
        shape->mesh = find_mesh(set, p);
        *is_there = shape->mesh.length > 0;
        return som_diagnostics_error_count(set->diags) == before &&
               take_scale(set, p, &shape->scale);
    }
    som_report(set->diags, SOM_TIMOR_GEOMETRY, type->span,
               "'%.*s' is not box, cylinder, sphere or mesh",
               SOM_STR_ARG(som_str_slice(type->string, 0, 60)));
    return false;
}

static bool read_shapes(SomTimorSet *set, const SomJson *body, const char *key,
                        SomModelShapes *shapes) {
    const SomJson *list = som_json_get(body, som_str(key));
    bool fine = true;
    for (int i = 0; i < som_timor_count(list); i++) {
        SomModelShape shape;
        bool is_there;
        if (!read_shape(set, som_timor_item(list, i), &shape, &is_there)) {
            fine = false;
        } else if (is_there) {
            som_array_push(shapes, shape);
        }
    }
    return fine;
}

// ---- bodies

static char gender_of(SomStr name) {
    static const char *const names[] = {"m", "male", "f", "female", "h", "hermaphroditic"};
    for (int i = 0; i < 6; i++) {
        if (som_str_equal(name, som_str(names[i]))) {
            return names[i][0];
        }
    }
    return '\0';
}

static bool read_inertia(SomTimorSet *set, const SomJson *body, SomModelLink *link) {
    double mass = 0, center[3] = {0}, n[9] = {0};
    bool fine = som_json_take_number(body, "mass", 1e9, &mass, set->diags);
    if (som_json_get(body, SOM_STR("r_com")) != NULL) {
        fine = som_json_require_numbers(body, SOM_STR("r_com"), center, 3, set->diags) && fine;
    }
    if (som_json_get(body, SOM_STR("inertia")) != NULL) {
        fine = som_json_require_numbers(body, SOM_STR("inertia"), n, 9, set->diags) && fine;
    }
    for (int i = 0; fine && i < 12; i++) {
        if (!(fabs(i < 3 ? center[i] : n[i - 3]) <= 1e12) || mass < 0) {
            som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, body->span,
                       "no body has such a mass and inertia");
            return false;
        }
    }
    link->has_mass = mass > 0;
    link->inertia =
        (SomInertia){.mass = mass,
                     .center = som_vec3(center[0], center[1], center[2]),
                     .moments = {{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}}}};
    return fine;
}

// "[1, 80]" without blanks, so that equal sizes are equal texts.
static SomStr read_size(SomTimorSet *set, const SomJson *connector) {
    const SomJson *value = som_json_get(connector, SOM_STR("size"));
    SomText text = {0};
    for (int i = 0; i < som_timor_count(value) && i < 16; i++) {
        const SomJson *item = som_timor_item(value, i);
        som_text_add(&text, i > 0 ? SOM_STR(",") : SOM_STR(""));
        if (item->kind == SOM_JSON_NUMBER) {
            som_text_number(&text, item->number);
        } else {
            som_text_add(&text, som_str_slice(som_json_string_or(item, SOM_STR("?")), 0, 60));
        }
    }
    SomStr size = som_arena_copy(&set->importer->arena, som_text_str(&text));
    som_text_free(&text);
    return size;
}

static bool read_connector(SomTimorSet *set, const SomJson *json, SomTimorConnector *connector) {
    static const char *const known[] = {"ID", "pose", "gender", "type", "size", NULL};
    connector->id = som_timor_need_name(set, json, "ID");
    if (connector->id.length == 0 || !som_timor_take_pose(set, json, "pose", &connector->pose) ||
        !som_json_check_kind(json, "type", SOM_JSON_STRING, set->diags)) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    const SomJson *gender = som_json_get(json, SOM_STR("gender"));
    connector->gender = gender != NULL ? gender_of(som_json_string_or(gender, SOM_STR(""))) : 'h';
    if (connector->gender == '\0') {
        som_report(set->diags, SOM_TIMOR_GENDER, gender->span, "a gender is m, f or h");
        return false;
    }
    const SomJson *type = som_json_get(json, SOM_STR("type"));
    connector->type = som_arena_copy(&set->importer->arena,
                                     som_str_slice(som_json_string_or(type, SOM_STR("")), 0, 200));
    connector->size = read_size(set, json);
    return true;
}

static SomStr connector_properties(SomTimorSet *set, const SomTimorConnector *connector) {
    SomText text = {0};
    som_text_printf(&text, "gender=\"%c\", interface=", connector->gender);
    som_name_print_quoted(&text, connector->type);
    som_text_add(&text, SOM_STR(", size="));
    som_name_print_quoted(&text, connector->size);
    SomStr properties = som_arena_copy(&set->importer->arena, som_text_str(&text));
    som_text_free(&text);
    return properties;
}

// What has z outwards, with x outwards and its first mark along x.
static SomPose face_of(SomPose connector) {
    SomPose turn = {{{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}}}, {0, 0, 0}};
    return som_pose_compose(connector, turn);
}

bool som_timor_read_body(SomTimorSet *set, const SomJson *json, SomLinkModel *model) {
    static const char *const known[] = {"ID",         "mass",      "inertia", "r_com",
                                        "connectors", "collision", "visual",  NULL};
    static const double straight[1] = {0};
    SomModelLink link = {.name = som_timor_need_name(set, json, "ID"), .pose = som_pose_identity()};
    if (link.name.length == 0) {
        return false;
    }
    link.span = som_json_get(json, SOM_STR("ID"))->span;
    if (som_link_model_find_link(model, link.name) >= 0) {
        som_report(set->diags, SOM_IMPORT_NAME_TAKEN, link.span, "there are two bodies '%.*s'",
                   SOM_STR_ARG(link.name));
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    bool fine = read_inertia(set, json, &link);
    int index = som_link_model_add_link(model, &link);
    SomModelLink *added = &model->links.data[index];
    fine = read_shapes(set, json, "collision", &added->collisions) && fine;
    fine = read_shapes(set, json, "visual", &added->visuals) && fine;
    const SomJson *list = som_json_get(json, SOM_STR("connectors"));
    for (int i = 0; i < som_timor_count(list); i++) {
        SomTimorConnector read = {0};
        const SomJson *item = som_timor_item(list, i);
        if (!read_connector(set, item, &read)) {
            return false;
        }
        SomModelConnector connector = {.name = read.id,
                                       .span = item->span,
                                       .link = index,
                                       .pose = face_of(read.pose),
                                       .angles = straight,
                                       .angle_count = 1,
                                       .properties = connector_properties(set, &read)};
        for (int k = 0; k < model->connectors.count; k++) {
            if (som_str_equal(model->connectors.data[k].name, read.id)) {
                som_report(set->diags, SOM_IMPORT_NAME_TAKEN, item->span,
                           "there are two connectors '%.*s'", SOM_STR_ARG(read.id));
                return false;
            }
        }
        if (model->connectors.count == SOM_MAX_MODULE_CONNECTORS) {
            som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, item->span,
                       "a module has at most %d connectors", SOM_MAX_MODULE_CONNECTORS);
            return false;
        }
        som_array_push(&model->connectors, connector);
        som_array_push(&set->connectors, read);
    }
    return fine;
}
