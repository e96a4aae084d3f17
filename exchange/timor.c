// SPDX-License-Identifier: Apache-2.0
// Sets of modules of Timor → module types and the rule by which they mate.

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/timor_internal.h"

#include <math.h>

#define NO_LIMIT 1e8 // what is larger stands for infinity
#define MOST_WORDS 8 // of a member of a header

bool som_timor_modules_sniff(const SomJsonKeys *keys) {
    return som_json_has_key(keys, 1, "modules") && som_json_has_key(keys, 3, "header") &&
           som_json_has_key(keys, 3, "bodies");
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
            memcpy(text + i, "2e9", 3);
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

SomStr som_timor_need_name(SomTimorSet *set, const SomJson *object, const char *key) {
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

bool som_timor_take_pose(SomTimorSet *set, const SomJson *object, const char *key, SomPose *pose) {
    const SomJson *matrix = som_json_get(object, som_str(key));
    *pose = som_pose_identity();
    return matrix == NULL || matrix->kind == SOM_JSON_NULL ||
           som_json_take_pose(matrix, SOM_TIMOR_MAX_LENGTH, pose, set->diags);
}

// ---- joints

// What is too large, or not a number, is no limit.
static bool take_limit(SomTimorSet *set, const SomJson *limits, const char *key, double otherwise,
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

static bool read_limits(SomTimorSet *set, const SomJson *json, SomModelAxis *axis) {
    static const char *const known[] = {"positionLower", "positionUpper", "peakTorque", "velocity",
                                        NULL};
    const SomJson *limits = som_json_get(json, SOM_STR("limits"));
    if (!som_json_check_kind(json, "limits", SOM_JSON_OBJECT, set->diags)) {
        return false;
    }
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

static bool read_joint_type(SomTimorSet *set, const SomJson *json, SomModelJoint *joint) {
    const SomJson *type = som_json_require(json, SOM_STR("type"), SOM_JSON_STRING, set->diags);
    SomStr name = som_json_string_or(type, SOM_STR(""));
    joint->axis_count = som_str_equal(name, SOM_STR("fixed")) ? 0 : 1;
    joint->axes[0].type =
        som_str_equal(name, SOM_STR("prismatic")) ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE;
    bool is_known = joint->axis_count == 0 || som_str_equal(name, SOM_STR("prismatic")) ||
                    som_str_equal(name, SOM_STR("revolute")) ||
                    som_str_equal(name, SOM_STR("continuous"));
    bool is_passive = som_json_boolean_or(som_json_get(json, SOM_STR("passive")), false);
    if (!som_json_check_kind(json, "passive", SOM_JSON_BOOLEAN, set->diags)) {
        return false;
    }
    if (type != NULL && (!is_known || is_passive)) {
        som_report(set->diags, SOM_TIMOR_JOINT_TYPE, type->span,
                   "a joint is revolute, prismatic or fixed, and not passive");
    }
    return type != NULL && is_known && !is_passive;
}

static int need_link(SomTimorSet *set, const SomLinkModel *model, const SomJson *json,
                     const char *key) {
    SomStr name = som_timor_need_name(set, json, key);
    int link = name.length > 0 ? som_link_model_find_link(model, name) : -1;
    if (name.length > 0 && link < 0) {
        som_report(set->diags, SOM_IMPORT_NAME_UNKNOWN, som_json_get(json, som_str(key))->span,
                   "there is no body '%.*s'", SOM_STR_ARG(name));
    }
    return link;
}

// The pose of the joint in its parent, and of its child in the joint, go to `steps`.
static bool read_joint(SomTimorSet *set, const SomJson *json, SomLinkModel *model,
                       SomPose steps[2]) {
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
    SomModelJoint joint = {.name = som_timor_need_name(set, json, "ID"), .span = json->span};
    if (joint.name.length == 0 || !read_joint_type(set, json, &joint)) {
        return false;
    }
    som_json_ignore_others(&set->ignored, json, known);
    joint.parent = need_link(set, model, json, "parent");
    joint.child = need_link(set, model, json, "child");
    bool fine = joint.parent >= 0 && joint.child >= 0 && read_limits(set, json, &joint.axes[0]) &&
                som_timor_take_pose(set, json, "poseParent", &steps[0]) &&
                som_timor_take_pose(set, json, "poseChild", &steps[1]);
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
static bool settle_names(SomTimorSet *set, SomLinkModel *model) {
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

static bool read_parts(SomTimorSet *set, const SomJson *json, SomLinkModel *model) {
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
        fine = som_timor_read_body(set, som_timor_item(bodies, i), model) && fine;
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

// Numbers the rigid parts of a module that have connectors: bodies that fixed joints hold.
static void number_rigid_parts(const SomLinkModel *model, SomTimorConnector *connectors) {
    int links = model->links.count, count = 0;
    int *parts = som_alloc((size_t)links * sizeof *parts);
    int *numbers1 = som_alloc((size_t)links * sizeof *numbers1);
    som_classes_reset(parts, links);
    for (int i = 0; i < model->joints.count; i++) {
        if (model->joints.data[i].axis_count == 0) {
            som_classes_join(parts, model->joints.data[i].parent, model->joints.data[i].child);
        }
    }
    for (int i = 0; i < model->connectors.count; i++) {
        int *number1 = &numbers1[som_classes_find(parts, model->connectors.data[i].link)];
        *number1 = *number1 > 0 ? *number1 : ++count;
        connectors[i].rigid = *number1 - 1;
    }
    som_free(parts);
    som_free(numbers1);
}

static void keep_module(SomTimorSet *set, const SomLinkModel *model, SomStr id, SomStr type) {
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
    number_rigid_parts(model, module->connectors);
    module->next = set->importer->timor;
    set->importer->timor = module;
}

// Who made the module, and when: "author: A; date: 2023-01-31", where the header says it in words.
static void write_note(SomTimorSet *set, const SomJson *header, SomStr id, SomText *note) {
    static const char *const known[] = {"ID",    "name",        "date",    "author",
                                        "email", "affiliation", "version", NULL};
    SomStr name = som_json_string_or(som_json_get(header, SOM_STR("name")), id);
    som_text_printf(note, "%.*s, imported from %.*s.", SOM_STR_ARG(som_str_slice(name, 0, 200)),
                    SOM_STR_ARG(som_path_name(set->file->path)));
    som_json_ignore_others(&set->ignored, header, known);
    int count = 0;
    for (int i = 2; known[i] != NULL; i++) {
        const SomJson *value = som_json_get(header, som_str(known[i]));
        for (int k = 0; k < som_timor_count(value) && k < MOST_WORDS; k++) {
            SomStr words = som_json_string_or(som_timor_item(value, k), SOM_STR(""));
            if (words.length > 0) {
                som_text_add(note, k > 0         ? SOM_STR(", ")
                                   : count++ > 0 ? SOM_STR("; ")
                                                 : SOM_STR(" "));
                som_text_printf(note, "%s%s%.*s", k > 0 ? "" : known[i], k > 0 ? "" : ": ",
                                SOM_STR_ARG(som_str_slice(words, 0, 200)));
            }
        }
    }
}

static bool read_module(SomTimorSet *set, const SomJson *json) {
    static const char *const known[] = {"header", "bodies", "joints", NULL};
    const SomJson *header = som_json_require(json, SOM_STR("header"), SOM_JSON_OBJECT, set->diags);
    SomStr id = header != NULL ? som_timor_need_name(set, header, "ID") : (SomStr){"", 0};
    if (id.length == 0 || !som_json_check_kind(header, "name", SOM_JSON_STRING, set->diags)) {
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
    write_note(set, header, id, &note);
    SomLinkModel model = {
        .name = id, .note = som_text_str(&note), .span = header->span, .root = -1};
    set->connectors.count = 0;
    bool fine = read_parts(set, json, &model);
    SomStr type = fine ? som_importer_add_type(set->importer, &model) : (SomStr){"", 0};
    fine = type.length > 0;
    if (fine) {
        keep_module(set, &model, id, type);
    }
    som_link_model_free(&model);
    som_text_free(&note);
    return fine;
}

// How the last `count` modules mate: those that have connectors.
static void add_rule(SomTimorSet *set, int count) {
    SomStr *types = som_alloc((size_t)count * sizeof *types);
    const SomTimorModule *module = set->importer->timor;
    int first = count;
    for (int i = 0; i < count; i++, module = module->next) { // the last one comes first
        if (module->connector_count > 0) {
            types[--first] = module->type;
        }
    }
    SomText name = {0};
    som_text_printf(&name, "%.*s_connectors", SOM_STR_ARG(som_path_stem(set->file->path)));
    if (first < count) {
        som_importer_add_rule(
            set->importer, som_text_str(&name), types + first, count - first,
            SOM_STR("p_a.interface == p_b.interface and p_a.size == p_b.size and ((p_a.gender == "
                    "\"m\" and p_b.gender == \"f\") or (p_a.gender == \"f\" and p_b.gender == "
                    "\"m\") or (p_a.gender == \"h\" and p_b.gender == \"h\"))"));
    }
    som_text_free(&name);
    som_free(types);
}

static bool read_set(SomTimorSet *set, const SomJson *root) {
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
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        fine = read_module(set, &list->items[i]) && fine;
    }
    if (fine) {
        add_rule(set, list->count);
        som_importer_use(set->importer, som_importer_types_name(set->importer));
    }
    return fine;
}

bool som_import_timor_modules(SomImporter *importer, const SomImportFile *file) {
    SomTimorSet set = {.importer = importer, .file = file, .diags = importer->diags};
    SomArena arena = {0};
    const SomJson *root = som_timor_parse(&arena, file, importer->diags);
    bool fine = root != NULL && read_set(&set, root);
    som_json_report_ignored(&set.ignored, importer->diags);
    som_array_free(&set.connectors);
    som_arena_free(&arena);
    return fine;
}
