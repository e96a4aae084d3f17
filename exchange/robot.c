// SPDX-License-Identifier: Apache-2.0
// Robots of M3L files → `.som`, with the numbers of their connections.

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "exchange/import_internal.h"
#include "exchange/som_text.h"

// Is it a file of the library, or a copy of one?
static bool is_in_library(SomImporter *importer, const SomImportFile *file) {
    SomText path = {0}, text = {0};
    som_path_join(&path, importer->options->library, SOM_STR("modules"));
    som_text_add(&path, SOM_STR("/"));
    som_text_add(&path, som_path_name(file->path));
    bool same = som_file_exists(path.data) &&
                som_file_load(path.data, SOM_FILE_LIMIT, &text, importer->diags) &&
                som_str_equal(som_text_str(&text), file->text);
    som_text_free(&path);
    som_text_free(&text);
    return same;
}

// The file as the text will name it: from the folder it is saved in, or from the library.
static SomStr use_path(SomImporter *importer, const SomImportFile *file) {
    SomStr out = importer->options->out.length > 0 ? importer->options->out : file->path;
    SomStr folder = som_path_folder(out), own = som_path_folder(file->path);
    SomStr name = som_path_name(file->path);
    if (som_str_equal(folder, own) || is_in_library(importer, file)) {
        return name;
    }
    bool is_below = som_str_equal(folder, SOM_STR("."))
                        ? own.length > 0 && own.data[0] != '/' && own.data[0] != '.'
                        : som_str_starts_with(own, folder) && own.data[folder.length] == '/';
    if (is_below) {
        size_t begin = som_str_equal(folder, SOM_STR(".")) ? 0 : folder.length + 1;
        return som_str_slice(file->path, begin, file->path.length);
    }
    som_report(importer->diags, SOM_ROBOT_FILE_ELSEWHERE, (SomSpan){0},
               "'%.*s' will look for '%.*s' in its own folder", SOM_STR_ARG(out),
               SOM_STR_ARG(name));
    return name;
}

static void write_connection(const SomRobot *robot, const SomRobotConnection *c, SomText *out) {
    // the rule's a stands first, as its numbers count
    int a = c->is_reversed ? c->b : c->a, b = c->is_reversed ? c->a : c->b;
    int ca = c->is_reversed ? c->connector_b : c->connector_a;
    int cb = c->is_reversed ? c->connector_a : c->connector_b;
    const SomRobotModule *ma = &robot->modules[a], *mb = &robot->modules[b];
    SomWrittenConnection written = {.a = {{ma->name, ma->type->connectors[ca].name}, 2},
                                    .b = {{mb->name, mb->type->connectors[cb].name}, 2},
                                    .index = c->index};
    som_write_connect(out, &written);
}

// The robot's north, up and east become y, z and x of the world.
static void write_base(const SomRobot *robot, SomText *out) {
    int module = robot->has_frame ? robot->frame_module : 0;
    SomWrittenBase base = {.place = {{robot->modules[module].name}, 1}, .is_on_ground = true};
    if (robot->has_frame) {
        SomMat3 axes = robot->frame.rotation; // columns north, up, east
        SomMat3 world = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
        SomVec3 turn = som_turn_of(som_mat3_multiply(world, som_mat3_transpose(axes)));
        base.turn =
            som_vec3(som_tidy_angle(turn.x), som_tidy_angle(turn.y), som_tidy_angle(turn.z));
    }
    som_write_base(out, &base);
}

static void write_robot(SomImporter *importer, const SomRobot *robot, SomStr name) {
    SomText *out = &importer->configs, comment = {0};
    som_text_printf(&comment, "The robot '%.*s' of its M3L file.", SOM_STR_ARG(robot->name));
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    for (int begin = 0, end; begin < robot->module_count; begin = end) {
        SOM_ARRAY(SomStr) names = {0};
        const SomModuleType *type = robot->modules[begin].type;
        for (end = begin; end < robot->module_count && robot->modules[end].type == type; end++) {
            som_array_push(&names, robot->modules[end].name);
        }
        som_write_parts(out, names.data, names.count, type->name);
        som_array_free(&names);
    }
    for (int i = 0; i < robot->connection_count; i++) {
        write_connection(robot, &robot->connections[i], out);
    }
    write_base(robot, out);
    som_write_end(out);
    som_importer_count(importer, name, robot->module_count);
}

// Reports the modules that nothing connects to the first one.
static bool is_one_piece(SomImporter *importer, const SomRobot *robot) {
    int *parents = som_alloc((size_t)robot->module_count * sizeof *parents);
    som_classes_reset(parents, robot->module_count);
    for (int i = 0; i < robot->connection_count; i++) {
        som_classes_join(parents, robot->connections[i].a, robot->connections[i].b);
    }
    int loose = 0, first = 0;
    for (int i = 1; i < robot->module_count; i++) {
        if (som_classes_find(parents, i) != som_classes_find(parents, 0) && loose++ == 0) {
            first = i;
        }
    }
    som_free(parents);
    if (loose > 0) {
        som_report(importer->diags, SOM_IMPORT_IN_PIECES, robot->modules[first].span,
                   "robot '%.*s' is in pieces: nothing connects '%.*s' to '%.*s'",
                   SOM_STR_ARG(robot->name), SOM_STR_ARG(robot->modules[first].name),
                   SOM_STR_ARG(robot->modules[0].name));
    }
    return loose == 0;
}

bool som_import_robots(SomImporter *importer, const SomImportFile *file) {
    int before = som_diagnostics_error_count(importer->diags);
    SomM3l *m3l = som_m3l_read(file->text, file->source1, importer->diags);
    bool fine = som_diagnostics_error_count(importer->diags) == before;
    int count = 0;
    for (int i = 0; i < m3l->type_count; i++) {
        som_importer_reserve(importer, m3l->types[i].name);
    }
    for (int i = 0; i < m3l->robot_count; i++) {
        count += m3l->robots[i].module_count > 0;
    }
    if (fine && count == 0) {
        som_report(importer->diags, SOM_ROBOT_NONE, (SomSpan){file->source1, 0, 0},
                   "there is no robot in this file");
        fine = false;
    }
    for (int i = 0; i < m3l->robot_count; i++) {
        const SomRobot *robot = &m3l->robots[i];
        fine = fine && (robot->module_count == 0 || is_one_piece(importer, robot));
        if (fine && robot->module_count > 0) {
            write_robot(importer, robot, som_importer_name(importer, robot->name));
        }
    }
    if (fine) {
        SomImportFile used = {use_path(importer, file), file->text, file->source1};
        som_importer_use(importer, used.path);
        som_array_push(&importer->used, used);
    }
    som_m3l_destroy(m3l);
    return fine;
}
