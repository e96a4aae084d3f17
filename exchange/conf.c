// SPDX-License-Identifier: Apache-2.0
// `.conf` → SomLabModel → `.som`.

#include "exchange/conf.h"

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/quaternion.h"

#include <math.h>

#define MAX_COORDINATE 1e5 // metres; quaternions and angles are smaller
#define MAX_JOINT 1e6      // rad

// x y z roll pitch yaw, or x y z and the quaternion w x y z.
static void read_pose(SomConfReader *reader, int node, SomLabModule *module) {
    double n[7] = {0};
    int child = som_xml_child(reader->xml, node, SOM_STR("position"));
    module->pose_numbers = som_conf_numbers(reader, node, "position", 6, 7, MAX_COORDINATE, n);
    module->pose_span = child >= 0 ? reader->xml->nodes[child].text_span : module->span;
    module->pose = som_pose_translation(som_vec3(n[0], n[1], n[2]));
    if (module->pose_numbers == 6) {
        module->pose.rotation = som_turn_rotation(som_vec3(n[3], n[4], n[5]));
        module->angles = som_vec3(n[3], n[4], n[5]);
    } else if (module->pose_numbers == 7) {
        SomQuat q = {.x = n[4], .y = n[5], .z = n[6], .w = n[3]};
        bool fine =
            som_importer_quaternion(reader->importer, q, module->pose_span, &module->pose.rotation);
        reader->failed = reader->failed || !fine;
    }
}

// A quaternion w x y z that lost one number, mostly a 0, has three numbers of length 1. These would
// be read as angles: 1 0 0, which is no rotation at all, as a roll of 57 degrees.
static void check_angles(SomConfReader *reader, const SomLabModel *model) {
    bool has_quaternions = som_lab_has_quaternions(model);
    for (int i = 0; i < model->modules.count; i++) {
        const SomLabModule *module = &model->modules.data[i];
        SomVec3 a = module->angles;
        bool is_identity = fabs(a.x) == 1 && a.y == 0 && a.z == 0;
        if (module->pose_numbers == 6 && (has_quaternions || is_identity) &&
            fabs(som_vec3_length(a) - 1) <= 1e-4) {
            som_report(reader->diags, SOM_IMPORT_NOT_A_QUATERNION, module->pose_span,
                       "six numbers end with roll, pitch and yaw, but the last three have length "
                       "1: one of four numbers of a quaternion is missing");
            reader->failed = true;
        }
    }
}

// Models other than SMORE.sdf are known, but not in the library.
static void check_model(SomConfReader *reader, int node, SomStr *other) {
    int child = som_xml_child(reader->xml, node, SOM_STR("path"));
    SomStr path = child >= 0 ? reader->xml->nodes[child].text : (SomStr){"", 0};
    SomStr stem = som_path_stem(path);
    if (path.length > 0 && !som_str_equal(stem, SOM_STR("SMORE")) &&
        !som_str_equal(stem, SOM_STR("SMORES")) && !som_str_equal(path, *other)) {
        som_report(reader->diags, SOM_IMPORT_OTHER_MODEL, reader->xml->nodes[child].text_span,
                   "there is no model '%.*s' in the library, SMORES takes its place",
                   SOM_STR_ARG(path));
        *other = path; // once
    }
}

static void read_module(SomConfReader *reader, int node, SomLabModel *model, SomStr *other) {
    static const char *const known[] = {"name", "position", "joints", "path", NULL};
    SomLabModule module = {0};
    SomStr whole = som_conf_name(reader, node, "name", &module.span);
    whole = som_arena_copy(&reader->importer->arena, whole);
    som_lab_split(whole, &module.group, &module.name);
    read_pose(reader, node, &module);
    int joints = som_xml_child(reader->xml, node, SOM_STR("joints"));
    if (joints >= 0) { // else all are zero
        som_conf_numbers(reader, node, "joints", 4, 4, MAX_JOINT, module.joints);
        module.joints_span = reader->xml->nodes[joints].text_span;
    }
    check_model(reader, node, other);
    som_conf_ignore_others(reader, node, known);
    som_array_push(&model->modules, module);
}

static int find_module(SomConfReader *reader, int node, const char *name,
                       const SomLabModel *model) {
    SomSpan span = {0};
    SomStr whole = som_conf_name(reader, node, name, &span), group, own;
    if (whole.length == 0) {
        return -1;
    }
    som_lab_split(whole, &group, &own);
    int module = som_lab_find(model, group, own);
    if (module < 0) {
        int nearest = som_lab_find_nearest(model, own);
        som_report(reader->diags, SOM_IMPORT_NAME_UNKNOWN, span, "there is no module '%.*s'",
                   SOM_STR_ARG(whole));
        if (nearest >= 0) {
            SomStr shown = som_lab_shown(&model->modules.data[nearest], &reader->importer->arena);
            som_note(reader->diags, model->modules.data[nearest].span, "there is '%.*s'",
                     SOM_STR_ARG(shown));
        }
        reader->failed = true;
    }
    return module;
}

static void read_connection(SomConfReader *reader, int node, SomLabModel *model) {
    static const char *const known[] = {"module1",  "module2", "node1", "node2",
                                        "distance", "angle",   NULL};
    SomLabConnection c = {.span = reader->xml->nodes[node].span};
    c.a = find_module(reader, node, "module1", model);
    c.b = find_module(reader, node, "module2", model);
    c.face_a = som_conf_face(reader, node, "node1");
    c.face_b = som_conf_face(reader, node, "node2");
    som_conf_offsets(reader, node, &c);
    som_conf_ignore_others(reader, node, known);
    if (c.a >= 0 && c.a == c.b) {
        som_report(reader->diags, SOM_IMPORT_SELF_CONNECTION, c.span,
                   "'%.*s' is connected to itself",
                   SOM_STR_ARG(som_lab_shown(&model->modules.data[c.a], &reader->importer->arena)));
        reader->failed = true;
    } else if (c.a >= 0 && c.b >= 0 && c.face_a >= 0 && c.face_b >= 0) {
        som_array_push(&model->connections, c);
    }
}

// Two roots, or what is in one.
static int find_list(const SomXml *xml, const char *name) {
    int root = som_xml_child(xml, SOM_XML_TOP, som_str(name));
    int whole = som_xml_child(xml, SOM_XML_TOP, SOM_STR("configuration"));
    return root >= 0 || whole < 0 ? root : som_xml_child(xml, whole, som_str(name));
}

static void read_modules(SomConfReader *reader, const SomImportFile *file, SomLabModel *model) {
    int list = find_list(reader->xml, "modules");
    SomStr other = {"", 0};
    for (int node = list >= 0 ? som_xml_child(reader->xml, list, SOM_STR("module")) : -1; node >= 0;
         node = som_xml_next(reader->xml, node, SOM_STR("module"))) {
        if (model->modules.count == SOM_IMPORT_MAX_MODULES) {
            som_report(reader->diags, SOM_IMPORT_TOO_MANY, reader->xml->nodes[node].span,
                       "there are more than %d modules", SOM_IMPORT_MAX_MODULES);
            reader->failed = true;
            return;
        }
        read_module(reader, node, model, &other);
    }
    check_angles(reader, model);
    if (model->modules.count == 0) {
        SomSpan span = {file->source1, 0, 0};
        som_report(reader->diags, SOM_IMPORT_EMPTY,
                   list >= 0 ? reader->xml->nodes[list].span : span, "there are no modules");
        reader->failed = true;
    }
}

bool som_conf_read(SomImporter *importer, const SomImportFile *file, SomLabModel *model) {
    static const char *const lists[] = {"modules", "connections", NULL};
    static const char *const modules[] = {"module", NULL};
    static const char *const connections[] = {"connection", NULL};
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    if (xml == NULL) {
        return false;
    }
    SomConfReader reader = {importer, xml, importer->diags, false};
    int whole = som_xml_child(xml, SOM_XML_TOP, SOM_STR("configuration"));
    if (whole >= 0) {
        som_conf_ignore_others(&reader, whole, lists);
    }
    read_modules(&reader, file, model);
    int list = find_list(xml, "modules");
    if (list >= 0) {
        som_conf_ignore_others(&reader, list, modules);
    }
    // without all names, every connection would be wrong
    bool has_names = !reader.failed && som_lab_index(model, &importer->arena, importer->diags);
    list = find_list(xml, "connections");
    if (has_names && list >= 0) {
        som_conf_ignore_others(&reader, list, connections);
        for (int node = som_xml_child(xml, list, SOM_STR("connection")); node >= 0;
             node = som_xml_next(xml, node, SOM_STR("connection"))) {
            read_connection(&reader, node, model);
        }
    }
    som_xml_destroy(xml);
    if (has_names && !reader.failed) {
        som_lab_dissolve_groups(model, &importer->arena, importer->diags);
    }
    return has_names && !reader.failed;
}

bool som_import_conf(SomImporter *importer, const SomImportFile *file) {
    SomLabModel model = {0};
    SomLabType type;
    bool fine = som_conf_read(importer, file, &model) && som_lab_type(importer, &type) &&
                som_lab_check_faces(&model, &importer->arena, importer->diags);
    fine = fine && som_lab_derive(&model, &type, &importer->arena, importer->diags);
    if (fine) {
        som_lab_note_pieces(&model, &type, &importer->arena, importer->diags);
        som_lab_check_limits(&model, &type, &importer->arena, importer->diags);
        som_importer_use(importer, SOM_STR("smores.m3l"));
        SomStr name = som_importer_name(importer, som_path_stem(file->path));
        som_importer_count(importer, name, model.modules.count);
        som_lab_write(importer, &model, name, file->path);
    }
    som_lab_free(&model);
    return fine;
}
