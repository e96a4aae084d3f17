// SPDX-License-Identifier: Apache-2.0
// A SomLabModel → a configuration of `.som`.

#include "base/path.h"
#include "exchange/lab_model.h"

static SomWrittenPlace place_of(const SomLabModule *module, const char *member) {
    SomWrittenPlace place = {0};
    if (module->group.length > 0) {
        place.names[place.count++] = module->group;
    }
    place.names[place.count++] = module->name;
    if (member != NULL) {
        place.names[place.count++] = som_str(member);
    }
    return place;
}

bool som_lab_has_joints(const SomLabModel *model) {
    for (int i = 0; i < 4 * model->modules.count; i++) {
        if (som_tidy_angle(model->modules.data[i / 4].joints[i % 4]) != 0) {
            return true;
        }
    }
    return false;
}

void som_lab_copy_joints(const SomLabModule *module, double joints[4]) {
    for (int i = 0; i < 4; i++) {
        joints[i] = som_tidy_angle(module->joints[i]);
    }
}

static void write_pose(const SomLabModel *model, SomText *out) {
    if (!som_lab_has_joints(model)) {
        return;
    }
    som_write_pose_begin(out, SOM_LAB_POSE);
    for (int i = 0; i < 4 * model->modules.count; i++) {
        const SomLabModule *module = &model->modules.data[i / 4];
        const char *joint = model->is_vsparc ? som_vsparc_joints[i % 4] : som_lab_joints[i % 4];
        double sign = model->is_vsparc ? som_vsparc_signs[i % 4] : 1;
        double value = som_tidy_angle(module->joints[i % 4]);
        if (value != 0) {
            SomWrittenPlace place = place_of(module, joint);
            som_write_value(out, &place, sign * value);
        }
    }
    som_write_pose_end(out, SOM_LAB_POSE, true);
}

void som_lab_write_connection(SomText *out, const SomLabConnection *connection, SomWrittenPlace a,
                              SomWrittenPlace b) {
    SomWrittenConnection written = {.a = a,
                                    .b = b,
                                    .roll = connection->roll,
                                    .gap = connection->gap,
                                    .is_forced = connection->is_forced};
    som_write_connect(out, &written);
}

static void write_base(SomText *out, SomWrittenPlace place, SomStr frame, SomPose pose) {
    SomVec3 p = pose.position, turn = som_turn_of(pose.rotation);
    SomWrittenBase base = {
        .place = place,
        .frame = frame,
        .position = som_vec3(som_tidy_length(p.x), som_tidy_length(p.y), som_tidy_length(p.z)),
        .turn = som_vec3(som_tidy_angle(turn.x), som_tidy_angle(turn.y), som_tidy_angle(turn.z))};
    som_write_base(out, &base);
}

void som_lab_write_base(SomText *out, SomWrittenPlace place, SomPose pose) {
    write_base(out, place, SOM_STR("lab"), pose);
}

// The names of a group's modules, those of an empty group being the modules of none.
static void write_group(const SomLabModel *model, SomStr group, SomText *out) {
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < model->modules.count; i++) {
        if (som_str_equal(model->modules.data[i].group, group)) {
            som_array_push(&names, model->modules.data[i].name);
        }
    }
    som_write_parts(out, names.data, names.count, SOM_STR("SMORES"));
    som_array_free(&names);
}

// Connections inside a group, seen from it; with no group, all that are not inside one.
static void write_connections(const SomLabModel *model, SomStr group, SomText *out) {
    for (int i = 0; i < model->connections.count; i++) {
        const SomLabConnection *c = &model->connections.data[i];
        SomLabModule a = model->modules.data[c->a], b = model->modules.data[c->b];
        bool is_inside = a.group.length > 0 && som_str_equal(a.group, b.group);
        if (is_inside ? !som_str_equal(a.group, group) : group.length > 0) {
            continue;
        }
        if (is_inside) {
            a.group = b.group = (SomStr){"", 0};
        }
        som_lab_write_connection(out, c, place_of(&a, som_lab_faces[c->face_a]),
                                 place_of(&b, som_lab_faces[c->face_b]));
    }
}

typedef struct Group {
    SomStr name;
    SomStr config;
} Group;

static void add_robot(SomImporter *importer, const SomLabModel *model, SomStr name, SomStr path) {
    SomImportRobot *robot = som_importer_add_robot(importer, name, path);
    for (int i = 0; i < model->modules.count; i++) {
        const SomLabModule *module = &model->modules.data[i];
        SomImportModule added = {.place = place_of(module, NULL)};
        som_lab_copy_joints(module, added.joints);
        for (int k = 0; k < added.place.count; k++) { // the model does not live as long
            added.place.names[k] = som_arena_copy(&importer->arena, added.place.names[k]);
        }
        som_array_push(&robot->modules, added);
    }
}

static void write_bases(const SomLabModel *model, SomText *out) {
    int *roots = som_alloc(sizeof *roots * ((size_t)model->modules.count + 1));
    int count = som_lab_piece_roots(model, model->is_vsparc ? model->base : 0, roots);
    for (int i = 0; i < count; i++) {
        const SomLabModule *root = &model->modules.data[roots[i]];
        if (model->is_vsparc && i == 0) {
            write_base(out, place_of(root, NULL), SOM_STR("vsparc"), model->base_pose);
        } else {
            som_lab_write_base(out, place_of(root, NULL), root->pose);
        }
    }
    som_free(roots);
}

void som_lab_write(SomImporter *importer, const SomLabModel *model, SomStr name, SomStr path) {
    SomText *out = &importer->configs;
    SOM_ARRAY(Group) groups = {0};
    for (int i = 0; i < model->by_name.count; i++) { // sorted, so that groups are together
        SomStr group = model->modules.data[model->by_name.data[i]].group;
        bool is_known =
            group.length == 0 ||
            (groups.count > 0 && som_str_equal(groups.data[groups.count - 1].name, group));
        if (!is_known) {
            Group added = {group, som_importer_name(importer, group)};
            som_array_push(&groups, added);
        }
    }
    SomText comment = {0};
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(path)));
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    write_group(model, (SomStr){"", 0}, out);
    for (int i = 0; i < groups.count; i++) {
        som_write_parts(out, &groups.data[i].name, 1, groups.data[i].config);
    }
    write_connections(model, (SomStr){"", 0}, out);
    write_pose(model, out);
    write_bases(model, out);
    add_robot(importer, model, name, path);
    som_write_end(out);
    for (int i = 0; i < groups.count; i++) {
        som_write_begin(out, (SomStr){"", 0}, groups.data[i].config);
        write_group(model, groups.data[i].name, out);
        write_connections(model, groups.data[i].name, out);
        som_write_end(out);
    }
    som_array_free(&groups);
}
