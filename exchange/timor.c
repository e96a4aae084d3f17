// SPDX-License-Identifier: Apache-2.0
// Sets of modules of Timor → module types and the rule by which they mate.

#include "exchange/timor.h"

#include "base/file.h"
#include "base/number.h"
#include "base/path.h"
#include "language/name.h"

#include <math.h>

#define NO_LIMIT 1e8 // what is larger stands for infinity

typedef struct Set {
    SomImporter *importer;
    const SomImportFile *file;
    SomDiagnostics *diags;
    SomJsonIgnored ignored;
    SOM_ARRAY(SomTimorConnector) connectors; // of the module being read, as the model has them
} Set;

bool som_timor_modules_sniff(SomStr text) {
    return som_json_sniff(text, 1, "modules") && som_json_sniff(text, 3, "header") &&
           som_json_sniff(text, 3, "bodies");
}

static char gender_of(SomStr name) {
    static const char *const names[] = {"m", "male", "f", "female", "h", "hermaphroditic"};
    for (int i = 0; i < 6; i++) {
        if (som_str_equal(name, som_str(names[i]))) {
            return names[i][0];
        }
    }
    return '\0';
}

bool som_timor_connects(const SomTimorConnector *a, const SomTimorConnector *b) {
    bool genders = a->gender == 'h' ? b->gender == 'h' : b->gender != 'h' && a->gender != b->gender;
    return genders && som_str_equal(a->type, b->type) && som_str_equal(a->size, b->size);
}

// Python writes Infinity, -Infinity and NaN, which JSON does not have.
const SomJson *som_timor_parse(SomArena *arena, const SomImportFile *file, SomDiagnostics *diags) {
    SomStr copy = som_arena_copy(arena, file->text);
    char *text = som_arena_new(arena, char, copy.length + 1);
    memcpy(text, copy.data, copy.length);
    bool in_string = false;
    for (size_t i = 0; i < copy.length; i++) {
        SomStr rest = som_str_slice(copy, i, copy.length);
        if (in_string && text[i] == '\\') {
            i++;
        } else if (text[i] == '"') {
            in_string = !in_string;
        } else if (!in_string && som_str_starts_with(rest, SOM_STR("Infinity"))) {
            memcpy(text + i, "1e300   ", 8);
        } else if (!in_string && som_str_starts_with(rest, SOM_STR("NaN"))) {
            memcpy(text + i, "1e9", 3);
        }
    }
    return som_json_parse(arena, (SomStr){text, copy.length}, file->source1, diags);
}

int som_timor_count(const SomJson *value) {
    return value == NULL || value->kind == SOM_JSON_NULL ? 0
           : value->kind == SOM_JSON_ARRAY               ? value->count
                                                         : 1;
}

const SomJson *som_timor_item(const SomJson *value, int index) {
    return value->kind == SOM_JSON_ARRAY ? &value->items[index] : value;
}

// ---- values

static SomStr need_name(Set *set, const SomJson *object, const char *key) {
    const SomJson *value = som_json_require(object, som_str(key), SOM_JSON_STRING, set->diags);
    if (value == NULL) {
        return (SomStr){"", 0};
    }
    bool fine = value->string.length > 0 && value->string.length <= 200;
    for (size_t i = 0; fine && i < value->string.length; i++) {
        fine = (unsigned char)value->string.data[i] >= 0x20 && value->string.data[i] != 0x7f;
    }
    if (!fine) {
        som_report(set->diags, SOM_IMPORT_BAD_NAME, value->span,
                   "'%s' is not one line of at most 200 bytes", key);
        return (SomStr){"", 0};
    }
    return som_arena_copy(&set->importer->arena, value->string);
}

// Identity where there is none.
static bool take_pose(Set *set, const SomJson *object, const char *key, SomPose *pose) {
    const SomJson *matrix = som_json_get(object, som_str(key));
    *pose = som_pose_identity();
    return matrix == NULL || matrix->kind == SOM_JSON_NULL ||
           som_json_take_pose(matrix, SOM_TIMOR_MAX_LENGTH, pose, set->diags);
}

// ---- shapes

// The file of a mesh in the set's own folder; empty after a warning.
static SomStr find_mesh(Set *set, const SomJson *parameters) {
    const SomJson *value =
        som_json_require(parameters, SOM_STR("file"), SOM_JSON_STRING, set->diags);
    SomStr name = som_json_string_or(value, SOM_STR("")), package = SOM_STR("package://");
    if (value == NULL) {
        return (SomStr){"", 0};
    }
    name = som_str_starts_with(name, package) ? som_str_slice(name, package.length, name.length)
                                              : name;
    SomText path = {0};
    som_path_join(&path, som_path_folder(set->file->path), name);
    bool is_inside =
        name.length > 0 && name.data[0] != '/' && memchr(name.data, 0, name.length) == NULL;
    for (size_t i = 0; i + 1 < name.length; i++) {
        is_inside = is_inside && !(name.data[i] == '.' && name.data[i + 1] == '.');
    }
    bool is_there = is_inside && !set->importer->is_in_memory && som_file_exists(path.data);
    SomStr found = {"", 0};
    if (is_there) {
        found = som_arena_copy(&set->importer->arena, som_text_str(&path));
    } else {
        som_report(set->diags, SOM_TIMOR_MESH_NOT_FOUND, value->span,
                   "there is no file '%.*s' in the folder of the modules",
                   SOM_STR_ARG(som_str_slice(name, 0, 200)));
    }
    som_text_free(&path);
    return found;
}

static bool take_scale(Set *set, const SomJson *parameters, SomVec3 *scale) {
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
static bool need_length(Set *set, const SomJson *parameters, const char *key, const char *other,
                        double *length) {
    bool has_other = som_json_get(parameters, som_str(key)) == NULL && other != NULL &&
                     som_json_get(parameters, som_str(other)) != NULL;
    return som_json_need_number(parameters, has_other ? other : key, SOM_TIMOR_MAX_LENGTH, length,
                                set->diags);
}

// False after an error. What cannot be had is left out with a warning: *is_there is false.
static bool read_shape(Set *set, const SomJson *json, SomModelShape *shape, bool *is_there) {
    static const char *const known[] = {"type", "parameters", "pose", NULL};
    const SomJson *type = som_json_require(json, SOM_STR("type"), SOM_JSON_STRING, set->diags);
    const SomJson *p = som_json_require(json, SOM_STR("parameters"), SOM_JSON_OBJECT, set->diags);
    *shape = (SomModelShape){.span = json->span, .scale = {1, 1, 1}};
    *is_there = true;
    if (type == NULL || p == NULL || !take_pose(set, json, "pose", &shape->pose)) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
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

static bool read_shapes(Set *set, const SomJson *body, const char *key, SomModelShapes *shapes) {
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

static bool read_inertia(Set *set, const SomJson *body, SomModelLink *link) {
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
static SomStr read_size(Set *set, const SomJson *connector) {
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

static bool read_connector(Set *set, const SomJson *json, SomTimorConnector *connector) {
    static const char *const known[] = {"ID", "pose", "gender", "type", "size", NULL};
    connector->id = need_name(set, json, "ID");
    if (connector->id.length == 0 || !take_pose(set, json, "pose", &connector->pose)) {
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

static SomStr connector_properties(Set *set, const SomTimorConnector *connector) {
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

static bool read_body(Set *set, const SomJson *json, SomLinkModel *model) {
    static const char *const known[] = {"ID",         "mass",      "inertia", "r_com",
                                        "connectors", "collision", "visual",  NULL};
    static const double straight[1] = {0};
    SomModelLink link = {.name = need_name(set, json, "ID"), .pose = som_pose_identity()};
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

// ---- joints

// What is too large, or not a number, is no limit.
static bool take_limit(Set *set, const SomJson *limits, const char *key, double otherwise,
                       double *value) {
    const SomJson *json = som_json_get(limits, som_str(key));
    *value = otherwise;
    if (json == NULL || json->kind == SOM_JSON_NULL) {
        return true;
    }
    bool fine = som_json_need_number(limits, key, (double)INFINITY, value, set->diags);
    *value = fine && fabs(*value) < NO_LIMIT ? *value : otherwise;
    return fine;
}

static bool read_limits(Set *set, const SomJson *json, SomModelAxis *axis) {
    static const char *const known[] = {"positionLower", "positionUpper", "peakTorque", "velocity",
                                        NULL};
    const SomJson *limits = som_json_get(json, SOM_STR("limits"));
    som_json_ignore_others(&set->ignored, limits, known);
    double infinity = (double)INFINITY;
    bool fine = take_limit(set, limits, "positionLower", -infinity, &axis->low) &&
                take_limit(set, limits, "positionUpper", infinity, &axis->high) &&
                take_limit(set, limits, "peakTorque", 0, &axis->effort) &&
                take_limit(set, limits, "velocity", 0, &axis->speed) &&
                take_limit(set, json, "frictionCoulomb", 0, &axis->friction) &&
                take_limit(set, json, "frictionViscous", 0, &axis->damping);
    if (fine && !(axis->low <= axis->high)) {
        som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, limits->span,
                   "the lower limit is above the upper one");
        return false;
    }
    axis->effort = fmax(axis->effort, 0);
    axis->speed = fmax(axis->speed, 0);
    axis->friction = fmax(axis->friction, 0);
    axis->damping = fmax(axis->damping, 0);
    return fine;
}

static bool read_joint_type(Set *set, const SomJson *json, SomModelJoint *joint) {
    const SomJson *type = som_json_require(json, SOM_STR("type"), SOM_JSON_STRING, set->diags);
    SomStr name = som_json_string_or(type, SOM_STR(""));
    joint->axis_count = som_str_equal(name, SOM_STR("fixed")) ? 0 : 1;
    joint->axes[0].type =
        som_str_equal(name, SOM_STR("prismatic")) ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE;
    bool is_known = joint->axis_count == 0 || som_str_equal(name, SOM_STR("prismatic")) ||
                    som_str_equal(name, SOM_STR("revolute")) ||
                    som_str_equal(name, SOM_STR("continuous"));
    bool is_passive = som_json_boolean_or(som_json_get(json, SOM_STR("passive")), false);
    if (type != NULL && (!is_known || is_passive)) {
        som_report(set->diags, SOM_TIMOR_JOINT_TYPE, type->span,
                   "a joint is revolute, prismatic or fixed, and not passive");
    }
    return type != NULL && is_known && !is_passive;
}

static int need_link(Set *set, const SomLinkModel *model, const SomJson *json, const char *key) {
    SomStr name = need_name(set, json, key);
    int link = name.length > 0 ? som_link_model_find_link(model, name) : -1;
    if (name.length > 0 && link < 0) {
        som_report(set->diags, SOM_IMPORT_NAME_UNKNOWN, som_json_get(json, som_str(key))->span,
                   "there is no body '%.*s'", SOM_STR_ARG(name));
    }
    return link;
}

// The pose of the joint in its parent, and of its child in the joint, go to `steps`.
static bool read_joint(Set *set, const SomJson *json, SomLinkModel *model, SomPose steps[2]) {
    static const char *const known[] = {"ID",
                                        "parent",
                                        "child",
                                        "type",
                                        "passive",
                                        "poseParent",
                                        "poseChild",
                                        "limits",
                                        "frictionCoulomb",
                                        "frictionViscous",
                                        NULL};
    SomModelJoint joint = {.name = need_name(set, json, "ID"), .span = json->span};
    if (joint.name.length == 0 || !read_joint_type(set, json, &joint)) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    joint.parent = need_link(set, model, json, "parent");
    joint.child = need_link(set, model, json, "child");
    bool fine = joint.parent >= 0 && joint.child >= 0 && read_limits(set, json, &joint.axes[0]) &&
                take_pose(set, json, "poseParent", &steps[0]) &&
                take_pose(set, json, "poseChild", &steps[1]);
    for (int i = 0; fine && i < model->joints.count; i++) {
        if (som_str_equal(model->joints.data[i].name, joint.name)) {
            som_report(set->diags, SOM_IMPORT_NAME_TAKEN, json->span, "there are two joints '%.*s'",
                       SOM_STR_ARG(joint.name));
            fine = false;
        }
    }
    if (fine && joint.parent == joint.child) {
        som_report(set->diags, SOM_IMPORT_SELF_CONNECTION, json->span,
                   "joint '%.*s' has one body only", SOM_STR_ARG(joint.name));
        fine = false;
    }
    if (fine) {
        som_link_model_add_joint(model, &joint);
    }
    return fine;
}

// Where the bodies are with all joints at zero; the first one is where the module is.
static void place_bodies(SomLinkModel *model, const SomPose *steps) {
    bool *placed = som_alloc((size_t)model->links.count + 1);
    for (int start = 0; start < model->links.count; start++) {
        bool is_root = true;
        for (int i = 0; i < model->joints.count; i++) {
            is_root = is_root && model->joints.data[i].child != start;
        }
        placed[start] = is_root;
    }
    for (int round = 0; round < model->links.count; round++) {
        bool changed = false;
        for (int i = 0; i < model->joints.count; i++) {
            SomModelJoint *joint = &model->joints.data[i];
            SomPose at = som_pose_compose(model->links.data[joint->parent].pose, steps[2 * i]);
            joint->origin = at.position;
            joint->axes[0].direction = som_pose_rotate(at, som_vec3(0, 0, 1));
            if (placed[joint->parent] && !placed[joint->child]) {
                model->links.data[joint->child].pose = som_pose_compose(at, steps[2 * i + 1]);
                placed[joint->child] = changed = true;
            }
        }
        if (!changed) {
            break;
        }
    }
    som_free(placed);
}

// ---- modules

static bool has_name(const SomLinkModel *model, SomStr name) {
    for (int i = 0; i < model->connectors.count; i++) {
        if (som_str_equal(model->connectors.data[i].name, name)) {
            return true;
        }
    }
    for (int i = 0; i < model->joints.count; i++) {
        if (som_str_equal(model->joints.data[i].name, name)) {
            return true;
        }
    }
    return false;
}

// Joints and connectors keep their names, so bodies that are called alike get others.
static bool settle_names(Set *set, SomLinkModel *model) {
    for (int i = 0; i < model->links.count; i++) {
        SomModelLink *link = &model->links.data[i];
        if (has_name(model, link->name)) {
            SomText name = {0};
            som_text_printf(&name, "%.*s_body", SOM_STR_ARG(link->name));
            link->name = som_arena_copy(&set->importer->arena, som_text_str(&name));
            som_text_free(&name);
        }
        if (has_name(model, link->name)) {
            som_report(set->diags, SOM_IMPORT_NAME_TAKEN, link->span,
                       "'%.*s' is the name of a joint or a connector", SOM_STR_ARG(link->name));
            return false;
        }
    }
    for (int i = 0; i < model->connectors.count; i++) {
        for (int k = 0; k < model->joints.count; k++) {
            if (som_str_equal(model->connectors.data[i].name, model->joints.data[k].name)) {
                som_report(set->diags, SOM_IMPORT_NAME_TAKEN, model->connectors.data[i].span,
                           "a joint and a connector are called '%.*s'",
                           SOM_STR_ARG(model->joints.data[k].name));
                return false;
            }
        }
    }
    return true;
}

static bool read_parts(Set *set, const SomJson *json, SomLinkModel *model) {
    const SomJson *bodies = som_json_get(json, SOM_STR("bodies"));
    const SomJson *joints = som_json_get(json, SOM_STR("joints"));
    int body_count = som_timor_count(bodies), joint_count = som_timor_count(joints);
    if (body_count == 0 || body_count > SOM_MODEL_MAX_LINKS || joint_count > SOM_MODEL_MAX_LINKS) {
        som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, model->span,
                   "a module has 1 to %d bodies, and as many joints", SOM_MODEL_MAX_LINKS);
        return false;
    }
    bool fine = true;
    for (int i = 0; i < body_count; i++) {
        fine = read_body(set, som_timor_item(bodies, i), model) && fine;
    }
    SomPose *steps = som_alloc((2 * (size_t)joint_count + 1) * sizeof *steps);
    for (int i = 0; fine && i < joint_count; i++) {
        fine = read_joint(set, som_timor_item(joints, i), model, &steps[2 * i]);
    }
    if (fine) {
        place_bodies(model, steps);
    }
    som_free(steps);
    return fine && settle_names(set, model);
}

static void keep_module(Set *set, const SomLinkModel *model, SomStr id, SomStr type) {
    SomArena *arena = &set->importer->arena;
    SomTimorModule *module = som_arena_new(arena, SomTimorModule, 1);
    module->id = id;
    module->type = type;
    module->connector_count = set->connectors.count;
    module->connectors = som_arena_new(arena, SomTimorConnector, set->connectors.count + 1);
    for (int i = 0; i < set->connectors.count; i++) {
        module->connectors[i] = set->connectors.data[i];
        const SomModelLink *link = &model->links.data[model->connectors.data[i].link];
        module->connectors[i].pose = som_pose_compose(link->pose, set->connectors.data[i].pose);
    }
    module->next = set->importer->timor;
    set->importer->timor = module;
}

static bool read_module(Set *set, const SomJson *json, SomStr *type) {
    static const char *const known[] = {"header", "bodies", "joints", NULL};
    const SomJson *header = som_json_require(json, SOM_STR("header"), SOM_JSON_OBJECT, set->diags);
    SomStr id = header != NULL ? need_name(set, header, "ID") : (SomStr){"", 0};
    if (id.length == 0) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    for (const SomTimorModule *m = set->importer->timor; m != NULL; m = m->next) {
        if (som_str_equal(m->id, id)) {
            som_report(set->diags, SOM_IMPORT_NAME_TAKEN, header->span,
                       "there are two modules '%.*s'", SOM_STR_ARG(id));
            return false;
        }
    }
    SomText note = {0};
    SomStr name = som_json_string_or(som_json_get(header, SOM_STR("name")), id);
    som_text_printf(&note, "%.*s, imported from %.*s.", SOM_STR_ARG(som_str_slice(name, 0, 200)),
                    SOM_STR_ARG(som_path_name(set->file->path)));
    SomLinkModel model = {
        .name = id, .note = som_text_str(&note), .span = header->span, .root = -1};
    set->connectors.count = 0;
    bool fine = read_parts(set, json, &model);
    *type = fine ? som_importer_add_type(set->importer, &model) : (SomStr){"", 0};
    fine = type->length > 0;
    if (fine) {
        keep_module(set, &model, id, *type);
    }
    som_link_model_free(&model);
    som_text_free(&note);
    return fine;
}

static bool read_set(Set *set, const SomJson *root) {
    static const char *const known[] = {"modules", NULL};
    const SomJson *list = som_json_require(root, SOM_STR("modules"), SOM_JSON_ARRAY, set->diags);
    if (list == NULL) {
        return false;
    }
    som_json_ignore_others(&set->ignored, root, known);
    if (list->count == 0 || list->count > 1000) {
        som_report(set->diags, SOM_IMPORT_OUT_OF_RANGE, list->span, "a set has 1 to 1000 modules");
        return false;
    }
    SomStr *types = som_alloc((size_t)list->count * sizeof *types);
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        fine = read_module(set, &list->items[i], &types[i]) && fine;
    }
    if (fine) {
        SomText name = {0};
        som_text_printf(&name, "%.*s_connectors", SOM_STR_ARG(som_path_stem(set->file->path)));
        som_importer_add_rule(
            set->importer, som_text_str(&name), types, list->count,
            SOM_STR("p_a.interface == p_b.interface and p_a.size == p_b.size and ((p_a.gender == "
                    "\"m\" and p_b.gender == \"f\") or (p_a.gender == \"f\" and p_b.gender == "
                    "\"m\") or (p_a.gender == \"h\" and p_b.gender == \"h\"))"));
        som_text_free(&name);
        som_importer_use(set->importer, som_importer_types_name(set->importer));
    }
    som_free(types);
    return fine;
}

bool som_import_timor_modules(SomImporter *importer, const SomImportFile *file) {
    Set set = {.importer = importer, .file = file, .diags = importer->diags};
    SomArena arena = {0};
    const SomJson *root = som_timor_parse(&arena, file, importer->diags);
    bool fine = root != NULL && read_set(&set, root);
    som_json_report_ignored(&set.ignored, importer->diags);
    som_array_free(&set.connectors);
    som_arena_free(&arena);
    return fine;
}
