// SPDX-License-Identifier: Apache-2.0
// Assemblies of Timor → configs of the module types that their sets became.

#include "base/codes/base_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/timor.h"

#include <stdio.h>

typedef struct Assembly {
    SomImporter *importer;
    SomDiagnostics *diags;
    SomJsonIgnored ignored;
    const SomTimorModule **modules;
    SomStr *names;
    bool **taken; // connectors of each
    int count;
    SOM_ARRAY(SomTimorMating) matings;
} Assembly;

bool som_timor_assembly_sniff(const SomJsonKeys *keys) {
    return som_json_has_key(keys, 1, "moduleOrder");
}

static const SomTimorModule *find_module(const Assembly *a, SomStr id) {
    const SomTimorModule *module = a->importer->timor;
    while (module != NULL && !som_str_equal(module->id, id)) {
        module = module->next;
    }
    return module;
}

static bool read_order(Assembly *a, const SomJson *root, const SomImportFile *file) {
    const SomJson *list = som_json_require(root, SOM_STR("moduleOrder"), SOM_JSON_ARRAY, a->diags);
    if (list != NULL && a->importer->timor == NULL) {
        som_report(a->diags, SOM_TIMOR_NO_MODULES, (SomSpan){file->source1, 0, 0},
                   "there are no modules for this assembly: give its modules.json, too");
        return false;
    }
    if (list != NULL && (list->count == 0 || list->count > SOM_IMPORT_MAX_MODULES)) {
        som_report(a->diags, list->count == 0 ? SOM_IMPORT_EMPTY : SOM_IMPORT_TOO_MANY, list->span,
                   "an assembly has 1 to %d modules", SOM_IMPORT_MAX_MODULES);
        return false;
    }
    SomArena *arena = &a->importer->arena;
    a->count = list != NULL ? list->count : 0;
    a->modules = som_arena_new(arena, const SomTimorModule *, a->count + 1);
    a->names = som_arena_new(arena, SomStr, a->count + 1);
    a->taken = som_arena_new(arena, bool *, a->count + 1);
    bool fine = list != NULL;
    for (int i = 0; i < a->count; i++) {
        const SomJson *item = &list->items[i];
        SomText id = {0};
        if (item->kind == SOM_JSON_NUMBER) { // old files
            som_text_printf(&id, "%d", som_json_integer_or(item, -1));
        }
        SomStr name = som_json_string_or(item, som_text_str(&id));
        a->modules[i] = find_module(a, name);
        if (a->modules[i] == NULL) {
            som_report(a->diags, SOM_IMPORT_NAME_UNKNOWN, item->span, "there is no module '%.*s'",
                       SOM_STR_ARG(som_str_slice(name, 0, 200)));
            fine = false;
        } else {
            a->taken[i] = som_arena_new(arena, bool, a->modules[i]->connector_count + 1);
        }
        char text[16];
        int length = snprintf(text, sizeof text, "m%d", i);
        a->names[i] = som_arena_copy(arena, (SomStr){text, (size_t)length});
        som_text_free(&id);
    }
    return fine;
}

// A module by its number and one of its connectors by its ID.
static bool read_end(Assembly *a, const SomJson *number, const SomJson *id, int *module,
                     int *connector) {
    *module = som_json_integer_or(number, -1);
    if (*module < 0 || *module >= a->count) {
        som_report(a->diags, SOM_IMPORT_NAME_UNKNOWN, number->span,
                   "modules of this assembly are 0 to %d", a->count - 1);
        return false;
    }
    const SomTimorModule *m = a->modules[*module];
    SomStr name = som_json_string_or(id, SOM_STR(""));
    for (*connector = 0; *connector < m->connector_count; (*connector)++) {
        if (som_str_equal(m->connectors[*connector].id, name)) {
            return true;
        }
    }
    som_report(a->diags, SOM_TIMOR_CONNECTOR, id->span, "module '%.*s' has no connector '%.*s'",
               SOM_STR_ARG(m->id), SOM_STR_ARG(som_str_slice(name, 0, 200)));
    return false;
}

static void connect(Assembly *a, SomTimorMating mating) {
    a->taken[mating.a][mating.connector_a] = a->taken[mating.b][mating.connector_b] = true;
    som_array_push(&a->matings, mating);
}

static bool read_connection(Assembly *a, const SomJson *json) {
    int ma, ca, mb, cb;
    if (json->kind != SOM_JSON_ARRAY || json->count != 4) {
        som_report(a->diags, SOM_JSON_WRONG_MEMBER, json->span,
                   "a connection is a module, its connector, a module and its connector");
        return false;
    }
    if (!read_end(a, &json->items[0], &json->items[1], &ma, &ca) ||
        !read_end(a, &json->items[2], &json->items[3], &mb, &cb)) {
        return false;
    }
    if (ma == mb) {
        som_report(a->diags, SOM_IMPORT_SELF_CONNECTION, json->span,
                   "module %d is connected to itself", ma);
        return false;
    }
    if (a->taken[ma][ca] || a->taken[mb][cb]) {
        som_report(a->diags, SOM_IMPORT_FACE_TAKEN, json->span,
                   "one of these connectors is connected already");
        return false;
    }
    if (!som_timor_connects(&a->modules[ma]->connectors[ca], &a->modules[mb]->connectors[cb])) {
        som_report(a->diags, SOM_TIMOR_CANNOT_MATE, json->span, "'%.*s' and '%.*s' do not mate",
                   SOM_STR_ARG(a->modules[ma]->connectors[ca].id),
                   SOM_STR_ARG(a->modules[mb]->connectors[cb].id));
        return false;
    }
    connect(a, (SomTimorMating){ma, ca, mb, cb, json->span});
    return true;
}

// Without connections, each module goes on the one before it, if there is one way only.
static bool connect_chain(Assembly *a, const SomJson *order) {
    for (int i = 1; i < a->count; i++) {
        const SomTimorModule *before = a->modules[i - 1], *module = a->modules[i];
        int ways = 0, ca = 0, cb = 0;
        for (int k = 0; k < before->connector_count * module->connector_count; k++) {
            int one = k / module->connector_count, two = k % module->connector_count;
            if (!a->taken[i - 1][one] &&
                som_timor_connects(&before->connectors[one], &module->connectors[two])) {
                ways++;
                ca = one;
                cb = two;
            }
        }
        if (ways != 1) {
            som_report(a->diags, SOM_TIMOR_CHAIN, order->items[i].span,
                       "there are %d ways to connect '%.*s' to the module before it", ways,
                       SOM_STR_ARG(module->id));
            return false;
        }
        connect(a, (SomTimorMating){i - 1, ca, i, cb, order->items[i].span});
    }
    return true;
}

static bool read_connections(Assembly *a, const SomJson *root) {
    const SomJson *list = som_json_get(root, SOM_STR("moduleConnection"));
    if (list == NULL) {
        return connect_chain(a, som_json_get(root, SOM_STR("moduleOrder")));
    }
    bool fine =
        som_json_require(root, SOM_STR("moduleConnection"), SOM_JSON_ARRAY, a->diags) != NULL;
    for (int i = 0; fine && i < list->count; i++) {
        fine = read_connection(a, &list->items[i]);
    }
    return fine;
}

static bool check_connections(const Assembly *a, const SomJson *root) {
    return som_timor_check_matings(a->modules, a->count, a->matings.data, a->matings.count,
                                   som_json_get(root, SOM_STR("moduleOrder")), a->diags);
}

// The connector that stands on the ground: the one that is named, or the only free one of type
// base.
static bool find_base(Assembly *a, const SomJson *root, int *module, int *connector) {
    const SomJson *list = som_json_get(root, SOM_STR("baseConnection"));
    if (!som_json_check_kind(root, "baseConnection", SOM_JSON_ARRAY, a->diags)) {
        return false;
    }
    if (list != NULL && list->kind == SOM_JSON_ARRAY && list->count > 0) {
        const SomJson *first = &list->items[0];
        bool is_pair = first->kind == SOM_JSON_ARRAY && first->count >= 2;
        bool is_first =
            is_pair && (first->count == 2 || som_json_number_or(&first->items[2], 0) == 0);
        if (list->count > 1 || !is_first) {
            som_report(a->diags, SOM_TIMOR_BASE, list->span,
                       "there is one base: a module and its connector");
            return false;
        }
        return read_end(a, &first->items[0], &first->items[1], module, connector);
    }
    int count = 0;
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < a->modules[i]->connector_count; k++) {
            if (!a->taken[i][k] &&
                som_str_equal(a->modules[i]->connectors[k].type, SOM_STR("base"))) {
                *module = i;
                *connector = k;
                count++;
            }
        }
    }
    if (count != 1) {
        som_report(a->diags, SOM_TIMOR_BASE, root->span,
                   "%d free connectors are of type 'base'; name one in 'baseConnection'", count);
    }
    return count == 1;
}

static bool read_base_pose(Assembly *a, const SomJson *root, SomPose *pose) {
    const SomJson *list = som_json_get(root, SOM_STR("basePose"));
    *pose = som_pose_identity();
    if (list == NULL || list->kind == SOM_JSON_NULL) {
        return true;
    }
    const SomJson *matrix = list->kind == SOM_JSON_ARRAY && list->count == 1 ? list->items : list;
    return som_json_take_pose(matrix, SOM_TIMOR_MAX_LENGTH, pose, a->diags);
}

static void write_assembly(Assembly *a, const SomImportFile *file, int base, int connector,
                           SomPose pose) {
    SomText *out = &a->importer->configs, comment = {0};
    for (const SomTimorModule *m = a->importer->timor; m != NULL; m = m->next) {
        som_importer_reserve(a->importer, m->type);
    }
    SomStr name = som_importer_name(a->importer, som_path_stem(file->path));
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(file->path)));
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    for (int begin = 0, end; begin < a->count; begin = end) {
        for (end = begin + 1; end < a->count && a->modules[end] == a->modules[begin]; end++) {
        }
        som_write_parts(out, a->names + begin, end - begin, a->modules[begin]->type);
    }
    for (int i = 0; i < a->matings.count; i++) {
        const SomTimorMating *m = &a->matings.data[i];
        SomStr ca = a->modules[m->a]->connectors[m->connector_a].id;
        SomStr cb = a->modules[m->b]->connectors[m->connector_b].id;
        SomWrittenConnection written = {.a = {{a->names[m->a], ca}, 2},
                                        .b = {{a->names[m->b], cb}, 2}};
        som_write_connect(out, &written);
    }
    SomPose down = {{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {0, 0, 0}};
    pose = som_pose_compose(som_pose_compose(pose, down),
                            som_pose_invert(a->modules[base]->connectors[connector].pose));
    SomVec3 p = pose.position, turn = som_turn_of(pose.rotation);
    SomWrittenBase written = {
        .place = {{a->names[base]}, 1},
        .position = som_vec3(som_tidy_length(p.x), som_tidy_length(p.y), som_tidy_length(p.z)),
        .turn = som_vec3(som_tidy_angle(turn.x), som_tidy_angle(turn.y), som_tidy_angle(turn.z))};
    som_write_base(out, &written);
    som_write_end(out);
    som_importer_count(a->importer, name, a->count);
}

bool som_import_timor_assembly(SomImporter *importer, const SomImportFile *file) {
    static const char *const known[] = {"moduleSet",      "moduleOrder", "moduleConnection",
                                        "baseConnection", "basePose",    NULL};
    Assembly a = {.importer = importer, .diags = importer->diags};
    SomArena arena = {0};
    int base = 0, connector = 0;
    SomPose pose;
    const SomJson *root = som_timor_parse(&arena, file, importer->diags);
    bool fine = root != NULL && read_order(&a, root, file) && read_connections(&a, root) &&
                check_connections(&a, root) && find_base(&a, root, &base, &connector) &&
                read_base_pose(&a, root, &pose);
    if (fine) {
        som_json_ignore_others(&a.ignored, root, known);
        write_assembly(&a, file, base, connector, pose);
    }
    som_json_report_ignored(&a.ignored, importer->diags);
    som_array_free(&a.matings);
    som_arena_free(&arena);
    return fine;
}

void som_timor_finish(SomImporter *importer) {
    if (importer->result->config_count > 0) {
        return;
    }
    int count = 0;
    for (const SomTimorModule *m = importer->timor; m != NULL; m = m->next) {
        count++;
    }
    for (int i = count - 1; i >= 0; i--) { // in the order of the file
        const SomTimorModule *module = importer->timor;
        for (int k = 0; k < i; k++) {
            module = module->next;
        }
        SomStr name = som_importer_name(importer, module->type);
        som_write_begin_module(&importer->configs, (SomStr){"", 0}, name, module->type);
        som_write_end(&importer->configs);
        som_importer_count(importer, name, 1);
    }
}
