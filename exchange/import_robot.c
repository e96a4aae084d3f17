// SPDX-License-Identifier: Apache-2.0
// The configurations of an import, and the behaviors that other files give them.

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/import_internal.h"

SomImportRobot *som_importer_add_robot(SomImporter *importer, SomStr config, SomStr path) {
    SomImportRobot robot = {.config = config, .given = -1, .end = importer->configs.length};
    for (int i = 0; i < importer->path_count; i++) {
        if (som_str_equal(importer->paths[i], path)) {
            robot.given = i;
        }
    }
    som_array_push(&importer->robots, robot);
    return &importer->robots.data[importer->robots.count - 1];
}

// Does the text begin with the name? In a name of its own, a colon may be written as a point.
static bool begins_with(SomStr text, SomStr name) {
    bool is_same = text.length >= name.length;
    for (size_t i = 0; is_same && i < name.length; i++) {
        is_same = text.data[i] == name.data[i] || (name.data[i] == ':' && text.data[i] == '.');
    }
    return is_same;
}

// "Component_1:Module_2" is the place Component_1.Module_2.
static bool is_place(const SomWrittenPlace *place, SomStr module) {
    for (int i = 0; i < place->count; i++) {
        SomStr name = place->names[i];
        bool is_last = i == place->count - 1;
        if (!begins_with(module, name)) {
            return false;
        }
        SomStr rest = som_str_slice(module, name.length, module.length);
        if (is_last) {
            return rest.length == 0;
        }
        if (rest.length == 0 || (rest.data[0] != ':' && rest.data[0] != '.')) {
            return false;
        }
        module = som_str_slice(rest, 1, rest.length);
    }
    return false;
}

int som_import_robot_find(const SomImportRobot *robot, SomStr module) {
    for (int i = 0; i < robot->modules.count; i++) {
        if (is_place(&robot->modules.data[i].place, module)) {
            return i;
        }
    }
    return -1;
}

static int count_found(const SomImportRobot *robot, const SomStr *modules, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += som_import_robot_find(robot, modules[i]) >= 0;
    }
    return found;
}

SomImportRobot *som_importer_robot_for(SomImporter *importer, const SomImportFile *file,
                                       const SomStr *modules, int count) {
    int given = importer->path_count;
    for (int i = 0; i < importer->path_count; i++) {
        given = som_str_equal(importer->paths[i], file->path) ? i : given;
    }
    SomImportRobot *best = NULL;
    int most = -1, nearest = -2;
    for (int i = 0; i < importer->robots.count; i++) {
        SomImportRobot *robot = &importer->robots.data[i];
        int found = count_found(robot, modules, count);
        int near = robot->given < given ? robot->given : -2; // those after it come last
        if (found > most || (found == most && near > nearest)) {
            best = robot;
            most = found;
            nearest = near;
        }
    }
    return best;
}

void som_import_robot_report(SomImporter *importer, const SomImportRobot *robot, SomStr module,
                             SomSpan span) {
    som_report(importer->diags, SOM_IMPORT_NAME_UNKNOWN, span, "'%.*s' has no module '%.*s'",
               SOM_STR_ARG(robot->config), SOM_STR_ARG(som_str_slice(module, 0, 200)));
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < robot->modules.count; i++) {
        const SomWrittenPlace *place = &robot->modules.data[i].place;
        som_array_push(&names, place->names[place->count - 1]);
    }
    int nearest = som_str_find_nearest(module, names.data, names.count);
    if (nearest >= 0) {
        som_note(importer->diags, (SomSpan){0}, "it has '%.*s'", SOM_STR_ARG(names.data[nearest]));
    }
    som_array_free(&names);
}

// ---- behaviors

static bool is_name_taken(const SomImportRobot *robot, SomStr name) {
    for (int i = 0; i < robot->names.count; i++) {
        if (som_str_equal(robot->names.data[i], name)) {
            return true;
        }
    }
    for (int i = 0; i < robot->modules.count; i++) {
        if (som_str_equal(robot->modules.data[i].place.names[0], name)) {
            return true;
        }
    }
    return som_str_equal(name, SOM_STR("initial")); // the pose
}

SomText *som_import_robot_behavior(SomImporter *importer, SomImportRobot *robot, SomStr wanted,
                                   SomStr comment, SomStr *name) {
    return som_import_robot_behavior_with(importer, robot, wanted, SOM_STR(""), comment, name);
}

SomText *som_import_robot_behavior_with(SomImporter *importer, SomImportRobot *robot, SomStr wanted,
                                        SomStr parameters, SomStr comment, SomStr *name) {
    SomText text = {0};
    som_text_add(&text, wanted.length > 0 ? wanted : SOM_STR("gait"));
    size_t length = text.length;
    for (int number = 2; is_name_taken(robot, som_text_str(&text)); number++) {
        text.length = length;
        som_text_printf(&text, "_%d", number);
    }
    *name = som_arena_copy(&importer->arena, som_text_str(&text));
    som_text_free(&text);
    som_array_push(&robot->names, *name);
    SomText *out = &robot->behaviors;
    som_text_add(out, SOM_STR("\n"));
    som_write_comment(out, comment);
    som_text_add(out, SOM_STR("    behavior "));
    som_write_name(out, *name);
    if (parameters.length > 0) {
        som_text_printf(out, "(%.*s)", SOM_STR_ARG(parameters));
    }
    som_text_add(out, SOM_STR(" = "));
    return out;
}
