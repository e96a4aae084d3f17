// SPDX-License-Identifier: Apache-2.0
// Worlds of RoFI as JSON → `.som`, a config for each robot in them.

#include "exchange/rofi.h"

#include "base/codes/base_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "space/trigonometry.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_DEGREES 1e6
#define MAX_STEPS 1e6  // of the lattice
#define MAX_REPORTS 10 // of a kind

// Where a space joint puts a module of the assembly.
typedef struct Place {
    int module;
    SomPose pose;
    SomSpan span;
} Place;

typedef struct Id {
    int id, index;
} Id;

typedef struct Pad {
    int width, height;
    SomStr name; // of its config
} Pad;

typedef struct World {
    SomImporter *importer;
    SomDiagnostics *diags;
    SomRofiTypes types;
    SomJsonIgnored ignored;
    SomModuleAssembly assembly;
    SOM_ARRAY(SomRofiModule) modules;
    SOM_ARRAY(Id) ids; // sorted
    SOM_ARRAY(Place) places;
    SOM_ARRAY(Pad) pads;
    int most; // modules
} World;

bool som_rofi_sniff(const SomJsonKeys *keys) {
    for (int depth = 1; depth <= 2; depth++) { // a world, or a list of worlds
        if (som_json_has_key(keys, depth, "moduleJoints") ||
            som_json_has_key(keys, depth, "spaceJoints")) {
            return true;
        }
    }
    bool is_voxels =
        som_json_has_key(keys, 1, "bodies") && som_json_has_key(keys, 3, "shoe_rotated");
    return is_voxels ||
           (som_json_has_key(keys, 1, "modules") && !som_json_has_key(keys, 3, "header"));
}

static void free_world(World *world) {
    som_array_free(&world->ignored.keys);
    som_module_assembly_free(&world->assembly);
    som_array_free(&world->modules);
    som_array_free(&world->ids);
    som_array_free(&world->places);
    som_array_free(&world->pads);
}

// ---- values

// A whole number from `low` to `high`.
static bool take_integer(World *world, const SomJson *value, const char *what, int low, int high,
                         int *number) {
    *number = som_json_integer_or(value, low);
    if (value->kind == SOM_JSON_NUMBER && *number == value->number && *number >= low &&
        *number <= high) {
        return true;
    }
    if (low == INT_MIN) {
        som_report(world->diags, SOM_JSON_WRONG_MEMBER, value->span, "%s is a whole number", what);
    } else {
        som_report(world->diags, SOM_IMPORT_OUT_OF_RANGE, value->span,
                   "%s is a number from %d to %d", what, low, high);
    }
    return false;
}

static bool need_integer(World *world, const SomJson *object, const char *key, int low, int high,
                         int *number) {
    const SomJson *value = som_json_require(object, som_str(key), SOM_JSON_NUMBER, world->diags);
    return value != NULL && take_integer(world, value, key, low, high, number);
}

// "identity", or four rows. Lengths come in steps.
static bool need_matrix(World *world, const SomJson *object, const char *key, SomPose *pose) {
    const SomJson *value = som_json_get(object, som_str(key));
    *pose = som_pose_identity();
    if (value == NULL) {
        som_json_require(object, som_str(key), SOM_JSON_ARRAY, world->diags);
        return false;
    }
    if (som_str_equal(som_json_string_or(value, SOM_STR("")), SOM_STR("identity"))) {
        return true;
    }
    bool fine = som_json_take_pose(value, MAX_STEPS, pose, world->diags);
    pose->position = som_vec3_scale(SOM_ROFI_STEP, pose->position);
    return fine;
}

// ---- modules

static SomStr part_name(World *world, int id) {
    char text[16];
    int length = snprintf(text, sizeof text, "m%d", id);
    return som_arena_copy(&world->importer->arena, (SomStr){text, (size_t)length});
}

static bool read_universal(World *world, const SomJson *json, SomRofiModule *module) {
    static const char *const known[] = {"id", "type", "alpha", "beta", "gamma", NULL};
    double degrees[3] = {0};
    bool fine = true;
    for (int i = 0; i < 3; i++) {
        fine = som_json_need_number(json, known[2 + i], MAX_DEGREES, &degrees[i], world->diags) &&
               fine;
    }
    som_json_ignore_others(&world->ignored, json, known);
    if (fine) {
        som_rofi_add_universal(&world->assembly, &world->types, module,
                               part_name(world, module->id), degrees, &world->importer->arena);
    }
    return fine;
}

// The config of pads of a size.
static SomStr pad_config(World *world, int width, int height) {
    for (int i = 0; i < world->pads.count; i++) {
        if (world->pads.data[i].width == width && world->pads.data[i].height == height) {
            return world->pads.data[i].name;
        }
    }
    char text[40];
    int length = snprintf(text, sizeof text, "Pad_%dx%d", width, height);
    Pad pad = {width, height, som_importer_name(world->importer, (SomStr){text, (size_t)length})};
    som_array_push(&world->pads, pad);
    return pad.name;
}

static bool read_pad(World *world, const SomJson *json, SomRofiModule *module) {
    static const char *const known[] = {"id", "type", "width", "height", NULL};
    int most = SOM_IMPORT_MAX_MODULES;
    bool fine = need_integer(world, json, "width", 1, most, &module->width);
    fine = need_integer(world, json, "height", 1, most, &module->height) && fine;
    som_json_ignore_others(&world->ignored, json, known);
    if (!fine) {
        return false;
    }
    if (world->assembly.modules.count + (int64_t)module->width * module->height > world->most) {
        som_report(world->diags, SOM_IMPORT_TOO_MANY, json->span,
                   "there are more than %d modules, each connector of a pad being one", most);
        return false;
    }
    som_rofi_add_pad(&world->assembly, &world->types, module, part_name(world, module->id),
                     pad_config(world, module->width, module->height), &world->importer->arena);
    return true;
}

static bool read_cube(World *world, const SomJson *json, SomRofiModule *module) {
    static const char *const known[] = {"id", "type", NULL};
    som_json_ignore_others(&world->ignored, json, known);
    som_rofi_add_cube(&world->assembly, &world->types, module, part_name(world, module->id));
    return true;
}

static bool read_module(World *world, const SomJson *json) {
    SomRofiModule module = {.span = json->span};
    if (!need_integer(world, json, "id", INT_MIN, INT_MAX, &module.id)) {
        return false;
    }
    module.span = som_json_get(json, SOM_STR("id"))->span;
    const SomJson *type = som_json_get(json, SOM_STR("type"));
    SomStr name = som_json_string_or(type, SOM_STR(""));
    bool fine = false;
    if (som_str_equal(name, SOM_STR("universal"))) {
        fine = read_universal(world, json, &module);
    } else if (som_str_equal(name, SOM_STR("pad"))) {
        module.kind = SOM_ROFI_PAD;
        fine = read_pad(world, json, &module);
    } else if (som_str_equal(name, SOM_STR("cube"))) {
        module.kind = SOM_ROFI_CUBE;
        fine = read_cube(world, json, &module);
    } else {
        som_report(world->diags, SOM_ROFI_MODULE_TYPE, type != NULL ? type->span : module.span,
                   "module %d is not of type universal, pad or cube", module.id);
    }
    Id id = {module.id, world->modules.count};
    if (fine) {
        som_array_push(&world->modules, module);
        som_array_push(&world->ids, id);
    }
    return fine;
}

static int compare_ids(const void *left, const void *right) {
    const Id *a = left, *b = right;
    int order = (a->id > b->id) - (a->id < b->id);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static bool check_ids(World *world) {
    bool fine = true;
    if (world->ids.count > 0) {
        qsort(world->ids.data, (size_t)world->ids.count, sizeof(Id), compare_ids);
    }
    for (int i = 1; i < world->ids.count; i++) {
        const Id *id = &world->ids.data[i];
        if (id->id == id[-1].id) {
            som_report(world->diags, SOM_IMPORT_NAME_TAKEN, world->modules.data[id->index].span,
                       "there are two modules %d", id->id);
            som_note(world->diags, world->modules.data[id[-1].index].span, "the other one");
            fine = false;
        }
    }
    return fine;
}

static bool read_modules(World *world, const SomJson *root) {
    const SomJson *list = som_json_require(root, SOM_STR("modules"), SOM_JSON_ARRAY, world->diags);
    if (list == NULL) {
        return false;
    }
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        if (world->assembly.modules.count >= world->most) {
            som_report(world->diags, SOM_IMPORT_TOO_MANY, list->items[i].span,
                       "there are more than %d modules", SOM_IMPORT_MAX_MODULES);
            return false;
        }
        fine = read_module(world, &list->items[i]) && fine;
    }
    if (list->count == 0) {
        som_report(world->diags, SOM_IMPORT_EMPTY, list->span, "there are no modules");
        return false;
    }
    return check_ids(world) && fine;
}

static const SomRofiModule *find_module(const World *world, int id) {
    Id wanted = {id, INT_MIN};
    int low = 0, high = world->ids.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool is_before = compare_ids(&world->ids.data[middle], &wanted) < 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    bool is_found = low < world->ids.count && world->ids.data[low].id == id;
    return is_found ? &world->modules.data[world->ids.data[low].index] : NULL;
}

// ---- joints

// "A-X" is a component of a universal module; others have numbers.
static bool read_component(World *world, const SomRofiModule *module, const SomJson *value,
                           bool is_connector, int *component) {
    static const char *const names[6] = {"A-X", "A+X", "A-Z", "B-X", "B+X", "B-Z"};
    if (value->kind == SOM_JSON_STRING && module->kind == SOM_ROFI_UNIVERSAL) {
        for (*component = 0; *component < 6; (*component)++) {
            if (som_str_equal(value->string, som_str(names[*component]))) {
                return true;
            }
        }
        som_report(world->diags, SOM_ROFI_CONNECTOR, value->span,
                   "a universal module has no connector '%.*s'",
                   SOM_STR_ARG(som_str_slice(value->string, 0, 60)));
        return false;
    }
    int count = is_connector ? som_rofi_connector_count(module) : som_rofi_component_count(module);
    *component = som_json_integer_or(value, -1);
    if (*component < 0 || *component >= count) {
        som_report(world->diags, SOM_ROFI_CONNECTOR, value->span, "module %d has %s 0 to %d",
                   module->id, is_connector ? "connectors" : "components", count - 1);
        return false;
    }
    return true;
}

// {"id": 1, "connector": "A-X"}, or with "component". NULL after a report.
static const SomRofiModule *read_end(World *world, const SomJson *json, const char *key,
                                     bool is_connector, int *component) {
    static const char *const known[] = {"id", "connector", "component", NULL};
    const SomJson *end = som_json_require(json, som_str(key), SOM_JSON_OBJECT, world->diags);
    int id;
    if (end == NULL || !need_integer(world, end, "id", INT_MIN, INT_MAX, &id)) {
        return NULL;
    }
    som_json_ignore_others(&world->ignored, end, known);
    const SomRofiModule *module = find_module(world, id);
    if (module == NULL) {
        som_report(world->diags, SOM_IMPORT_NAME_UNKNOWN, som_json_get(end, SOM_STR("id"))->span,
                   "there is no module %d", id);
        return NULL;
    }
    const SomJson *connector = som_json_get(end, SOM_STR("connector"));
    const SomJson *other = som_json_get(end, SOM_STR("component"));
    if ((connector == NULL) == (other == NULL)) {
        som_report(world->diags, SOM_ROFI_CONNECTOR, end->span,
                   "one of 'connector' and 'component' stands here");
        return NULL;
    }
    bool fine = read_component(world, module, connector != NULL ? connector : other, is_connector,
                               component);
    return fine ? module : NULL;
}

// North, East, South and West are 0, 90, 180 and 270 degrees.
static bool read_orientation(World *world, const SomJson *json, double *roll) {
    static const char *const names[4] = {"North", "East", "South", "West"};
    const SomJson *value =
        som_json_require(json, SOM_STR("orientation"), SOM_JSON_STRING, world->diags);
    if (value == NULL) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        SomStr name = som_str(names[i]);
        if (som_str_equal(value->string, name) ||
            som_str_equal(value->string, som_str_slice(name, 0, 1))) {
            *roll = som_tidy_angle(i * (SOM_PI / 2));
            return true;
        }
    }
    som_report(world->diags, SOM_ROFI_ORIENTATION, value->span,
               "'%.*s' is not North, East, South or West",
               SOM_STR_ARG(som_str_slice(value->string, 0, 60)));
    return false;
}

static bool read_module_joint(World *world, const SomJson *json) {
    static const char *const known[] = {"from", "to", "orientation", NULL};
    int from_component, to_component;
    const SomRofiModule *from = read_end(world, json, "from", true, &from_component);
    const SomRofiModule *to = read_end(world, json, "to", true, &to_component);
    SomModuleAssemblyConnection c = {.span = json->span};
    if (!read_orientation(world, json, &c.roll) || from == NULL || to == NULL) {
        return false;
    }
    som_json_ignore_others(&world->ignored, json, known);
    c.a = som_rofi_component_module(from, from_component);
    c.b = som_rofi_component_module(to, to_component);
    c.connector_a = som_rofi_connector(&world->types, from, from_component);
    c.connector_b = som_rofi_connector(&world->types, to, to_component);
    som_array_push(&world->assembly.connections, c);
    return true;
}

// A joint that turns is taken where it is.
static bool read_turning(World *world, const SomJson *joint, SomPose *pose) {
    static const char *const known[] = {"type",      "positions",  "axis", "limits",
                                        "preMatrix", "postMatrix", NULL};
    SomPose before, after;
    double axis[4], angle = 0;
    const SomJson *list = som_json_require(joint, SOM_STR("axis"), SOM_JSON_ARRAY, world->diags);
    bool fine = need_matrix(world, joint, "preMatrix", &before);
    fine = need_matrix(world, joint, "postMatrix", &after) && fine;
    fine = som_json_require_numbers(joint, SOM_STR("positions"), &angle, 1, world->diags) && fine;
    if (list == NULL || !fine) {
        return false;
    }
    som_json_ignore_others(&world->ignored, joint, known);
    // three numbers, or four as RoFI prints them
    bool has_axis = som_json_numbers_of(list, axis, 3) || som_json_numbers_of(list, axis, 4);
    SomVec3 a = has_axis ? som_vec3(axis[0], axis[1], axis[2]) : som_vec3(0, 0, 0);
    if (!(fabs(som_vec3_length(a) - 1) < 1e-3) || !(fabs(angle) <= MAX_DEGREES)) {
        som_report(world->diags, SOM_IMPORT_OUT_OF_RANGE, list->span,
                   "the axis has the length 1, and its position is an angle in radians");
        return false;
    }
    a = som_vec3_scale(1 / som_vec3_length(a), a);
    SomPose turn = {som_rotation_exp(som_vec3_scale(angle, a)), {0, 0, 0}};
    *pose = som_pose_compose(som_pose_compose(before, turn), after);
    som_report(world->diags, SOM_ROFI_FIXED, joint->span,
               "the robot does not turn about this joint: it is fixed where it is");
    return true;
}

static bool read_joint(World *world, const SomJson *json, SomPose *pose) {
    static const char *const known[] = {"type", "positions", "sourceToDestination", NULL};
    const SomJson *joint = som_json_require(json, SOM_STR("joint"), SOM_JSON_OBJECT, world->diags);
    const SomJson *type = som_json_require(joint, SOM_STR("type"), SOM_JSON_STRING, world->diags);
    if (type == NULL) {
        return false;
    }
    if (som_str_equal(type->string, SOM_STR("rigid"))) {
        som_json_ignore_others(&world->ignored, joint, known);
        return need_matrix(world, joint, "sourceToDestination", pose);
    }
    if (som_str_equal(type->string, SOM_STR("rotational")) ||
        som_str_equal(type->string, SOM_STR("modRotational"))) {
        return read_turning(world, joint, pose);
    }
    som_report(world->diags, SOM_ROFI_JOINT_TYPE, type->span,
               "a joint of the space is 'rigid' or 'rotational'");
    return false;
}

static bool read_space_joint(World *world, const SomJson *json) {
    static const char *const known[] = {"point", "joint", "to", NULL};
    int component;
    double point[3] = {0};
    SomPose joint;
    const SomRofiModule *module = read_end(world, json, "to", false, &component);
    bool fine = som_json_require_numbers(json, SOM_STR("point"), point, 3, world->diags);
    fine = read_joint(world, json, &joint) && fine && module != NULL;
    for (int i = 0; fine && i < 3; i++) {
        if (!(fabs(point[i]) <= MAX_STEPS)) {
            som_report(world->diags, SOM_IMPORT_OUT_OF_RANGE,
                       som_json_get(json, SOM_STR("point"))->span, "no robot is that far away");
            fine = false;
        }
    }
    if (!fine) {
        return false;
    }
    som_json_ignore_others(&world->ignored, json, known);
    SomPose pose =
        som_pose_translation(som_vec3_scale(SOM_ROFI_STEP, som_vec3(point[0], point[1], point[2])));
    SomPose own = som_rofi_component(&world->assembly, &world->types, module, component);
    pose = som_pose_compose(som_pose_compose(pose, joint), som_pose_invert(own));
    Place place = {som_rofi_component_module(module, component), pose, json->span};
    som_array_push(&world->places, place);
    return true;
}

// A list that may be missing.
static bool read_list(World *world, const SomJson *root, const char *key,
                      bool (*read)(World *world, const SomJson *json)) {
    if (som_json_get(root, som_str(key)) == NULL) {
        return true;
    }
    const SomJson *list = som_json_require(root, som_str(key), SOM_JSON_ARRAY, world->diags);
    bool fine = list != NULL;
    for (int i = 0; list != NULL && i < list->count; i++) {
        fine = read(world, &list->items[i]) && fine;
    }
    return fine;
}

// ---- robots

// The first space joint of a robot says where it is; others have to agree.
static void place_robots(World *world, const int *pieces, int *bases1, SomPose *poses,
                         bool *placed) {
    for (int i = 0; i < world->places.count; i++) {
        const Place *place = &world->places.data[i];
        int *base1 = &bases1[pieces[place->module]];
        if (*base1 == 0) {
            *base1 = place->module + 1;
            poses[place->module] = place->pose;
            placed[place->module] = true;
        }
    }
    int unplaced = 0;
    for (int i = 0; i < world->assembly.modules.count; i++) {
        if (pieces[i] == i && bases1[i] == 0) {
            poses[i] = som_pose_identity();
            placed[i] = true;
            if (unplaced++ < MAX_REPORTS) {
                som_report(world->diags, SOM_ROFI_NOT_PLACED, world->assembly.modules.data[i].span,
                           "nothing says where the robot with '%.*s' is: it was put on the ground",
                           SOM_STR_ARG(world->assembly.modules.data[i].part));
            }
        }
    }
    som_note_more(world->diags, unplaced - MAX_REPORTS);
    som_module_assembly_place(&world->assembly, poses, placed);
    int differing = 0;
    for (int i = 0; i < world->places.count; i++) {
        const Place *place = &world->places.data[i];
        SomText by = {0};
        if (som_module_assembly_differ(place->pose, poses[place->module], &by) &&
            differing++ < MAX_REPORTS) {
            som_report(world->diags, SOM_ROFI_PLACES_DIFFER, place->span,
                       "this is %s from where the joints before it put the robot", by.data);
        }
        som_text_free(&by);
    }
    som_note_more(world->diags, differing - MAX_REPORTS);
}

static void write_robots(World *world, const SomImportFile *file, const int *pieces,
                         const int *bases1, const SomPose *poses) {
    int count = 0, number = 0;
    for (int i = 0; i < world->assembly.modules.count; i++) {
        count += pieces[i] == i;
    }
    for (int i = 0; i < world->assembly.modules.count; i++) {
        if (pieces[i] != i) {
            continue;
        }
        SomText comment = {0};
        som_text_printf(&comment, "Imported from %.*s", SOM_STR_ARG(som_path_name(file->path)));
        if (count > 1) {
            som_text_printf(&comment, ", robot %d of %d", ++number, count);
        }
        som_text_add(&comment, SOM_STR("."));
        int base = bases1[i] > 0 ? bases1[i] - 1 : i;
        SomModuleAssemblyText text = {
            .name = som_importer_name(world->importer, som_path_stem(file->path)),
            .comment = som_text_str(&comment),
            .pieces = pieces,
            .piece = i,
            .base = base,
            .is_on_ground = bases1[i] == 0,
            .pose = poses[base]};
        som_module_assembly_write(world->importer, &world->assembly, &text);
        som_text_free(&comment);
    }
    for (int i = 0; i < world->pads.count; i++) {
        const Pad *pad = &world->pads.data[i];
        som_rofi_write_pad(&world->importer->configs, pad->name, pad->width, pad->height,
                           &world->importer->arena);
    }
}

static void import_world(World *world, const SomImportFile *file) {
    SomArena *arena = &world->importer->arena;
    size_t count = (size_t)world->assembly.modules.count;
    int *pieces = som_alloc(count * sizeof *pieces);
    int *bases1 = som_alloc(count * sizeof *bases1);
    SomPose *poses = som_alloc(count * sizeof *poses);
    bool *placed = som_alloc(count);
    som_module_assembly_find_pieces(&world->assembly, pieces);
    place_robots(world, pieces, bases1, poses, placed);
    som_module_assembly_check_fit(&world->assembly, poses, arena, world->diags);
    som_module_assembly_check_limits(&world->assembly, arena, world->diags);
    som_json_report_ignored(&world->ignored, world->diags);
    som_importer_use(world->importer, SOM_STR("rofi.m3l"));
    write_robots(world, file, pieces, bases1, poses);
    som_free(pieces);
    som_free(bases1);
    som_free(poses);
    som_free(placed);
}

static bool read_world(World *world, const SomJson *root) {
    static const char *const known[] = {"modules", "moduleJoints", "spaceJoints", NULL};
    if (som_json_get(root, SOM_STR("modules")) == NULL &&
        som_json_get(root, SOM_STR("bodies")) != NULL) {
        som_report(world->diags, SOM_ROFI_VOXELS, root->span,
                   "this is a voxel world of RoFI, which has no connections");
        return false;
    }
    som_json_ignore_others(&world->ignored, root, known);
    return read_modules(world, root) && read_list(world, root, "moduleJoints", read_module_joint) &&
           read_list(world, root, "spaceJoints", read_space_joint) &&
           som_module_assembly_check_connectors(&world->assembly, &world->importer->arena,
                                                world->diags);
}

// One of `modules` at most together; *modules is what is left of them.
static bool read_root(SomImporter *importer, const SomImportFile *file, const SomRofiTypes *types,
                      const SomJson *root, int *modules) {
    World world = {
        .importer = importer, .diags = importer->diags, .types = *types, .most = *modules};
    bool fine = read_world(&world, root);
    if (fine) {
        import_world(&world, file);
    }
    *modules -= world.assembly.modules.count;
    free_world(&world);
    return fine;
}

bool som_import_rofi(SomImporter *importer, const SomImportFile *file) {
    SomRofiTypes types;
    SomArena arena = {0};
    const SomJson *root = som_json_parse(&arena, file->text, file->source1, importer->diags);
    bool fine = root != NULL && som_rofi_types(importer, &types);
    int modules = SOM_IMPORT_MAX_MODULES;
    if (fine && root->kind == SOM_JSON_ARRAY) {
        for (int i = 0; i < root->count && fine; i++) {
            fine = read_root(importer, file, &types, &root->items[i], &modules);
        }
        if (root->count == 0) {
            som_report(importer->diags, SOM_IMPORT_EMPTY, root->span, "there are no modules");
            fine = false;
        }
    } else if (fine) {
        fine = read_root(importer, file, &types, root, &modules);
    }
    som_arena_free(&arena);
    return fine;
}
