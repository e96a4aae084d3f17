// SPDX-License-Identifier: Apache-2.0
// somite pose FILE: where all modules and links are.

#include "base/number.h"
#include "command/design.h"
#include "compose/mechanism.h"

// Everything that is told of a design in one posture.
typedef struct Placed {
    const SomConfiguration *design;
    SomMechanism *mechanism;
    SomPose *links;
    SomVec3 com;
} Placed;

static void print_number(SomText *out, double value) {
    // a tenth of a micrometre is finer than anything that was measured
    double shown = round(value * 1e7) / 1e7;
    char text[SOM_NUMBER_TEXT];
    som_number_print(shown == 0 ? 0 : shown, text);
    som_text_printf(out, " %11s", text);
}

// A design that is one module has no path: its type's name will do.
static SomStr name_of(const SomModule *module) {
    return module->path.length > 0 ? module->path : module->type->name;
}

// Its centre of mass and its mass; of several pieces each has a heading.
static void print_piece(const Placed *placed, int piece, int width, SomText *out) {
    const SomMechanism *m = placed->mechanism;
    SomVec3 com = som_mechanism_piece_com(m, placed->links, piece);
    if (m->piece_count > 1) {
        int module = m->links[m->pieces[piece].root].module;
        som_text_add(out, SOM_STR("\npiece of "));
        som_text_add_shown(out, name_of(&placed->design->modules[module]));
    }
    som_text_printf(out, "\n%-*s", width, "centre");
    print_number(out, com.x);
    print_number(out, com.y);
    print_number(out, com.z);
    som_text_printf(out, "\n%-*s", width, "mass");
    print_number(out, m->pieces[piece].mass);
    som_text_add(out, SOM_STR(" kg\n"));
}

static void print(const Placed *placed, SomText *out) {
    const SomConfiguration *design = placed->design;
    int width = 6;
    for (int i = 0; i < design->module_count; i++) {
        int length = (int)name_of(&design->modules[i]).length;
        width = length > width ? length : width;
    }
    som_text_printf(out, "%-*s %11s %11s %11s %11s %11s %11s %11s\n", width, "module", "x", "y",
                    "z", "qx", "qy", "qz", "qw");
    for (int i = 0; i < design->module_count; i++) {
        SomPose pose = som_mechanism_module_pose(placed->mechanism, placed->links, i);
        SomQuat q = som_quat_from_rotation(pose.rotation);
        const double numbers[] = {
            pose.position.x, pose.position.y, pose.position.z, q.x, q.y, q.z, q.w};
        som_text_printf(out, "%-*.*s", width, SOM_STR_ARG(name_of(&design->modules[i])));
        for (int k = 0; k < 7; k++) {
            print_number(out, numbers[k]);
        }
        som_text_add_char(out, '\n', 1);
    }
    for (int i = 0; i < placed->mechanism->piece_count; i++) {
        print_piece(placed, i, width, out);
    }
}

static void write_center(SomJsonWriter *json, SomVec3 com, double mass) {
    som_json_key(json, SOM_STR("com"));
    som_json_numbers(json, (const double[]){com.x, com.y, com.z}, 3);
    som_json_member_number(json, "mass", mass);
}

static void write(SomCommand *command, const Placed *placed) {
    SomJsonWriter *json = &command->json;
    const SomConfiguration *design = placed->design;
    const SomMechanism *mechanism = placed->mechanism;
    som_json_key(json, SOM_STR("modules"));
    som_json_open_array(json);
    for (int i = 0; i < design->module_count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "path", design->modules[i].path);
        som_json_member_string(json, "type", design->modules[i].type->name);
        som_command_write_pose(command, som_mechanism_module_pose(mechanism, placed->links, i));
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_json_key(json, SOM_STR("links"));
    som_json_open_array(json);
    for (int i = 0; i < mechanism->link_count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "path", mechanism->links[i].path);
        som_json_member_string(json, "module", design->modules[mechanism->links[i].module].path);
        som_command_write_pose(command, placed->links[i]);
        som_json_close_object(json);
    }
    som_json_close_array(json);
    double mass = 0;
    SomVec3 sum = som_vec3(0, 0, 0);
    som_json_key(json, SOM_STR("pieces"));
    som_json_open_array(json);
    for (int i = 0; i < mechanism->piece_count; i++) {
        const SomMechanismPiece *piece = &mechanism->pieces[i];
        SomVec3 com = som_mechanism_piece_com(mechanism, placed->links, i);
        som_json_open_object(json);
        som_json_member_string(json, "base",
                               design->modules[mechanism->links[piece->root].module].path);
        som_json_member_boolean(json, "fixed", piece->is_fixed);
        write_center(json, com, piece->mass);
        som_json_close_object(json);
        sum = som_vec3_add(sum, som_vec3_scale(piece->mass, com));
        mass += piece->mass;
    }
    som_json_close_array(json);
    write_center(
        json, mechanism->piece_count > 1 && mass > 0 ? som_vec3_scale(1 / mass, sum) : placed->com,
        mass);
}

static void place(SomCommand *command, const SomConfiguration *design, const SomPosture *posture) {
    Placed placed = {.design = design, .mechanism = som_mechanism_create(design)};
    placed.links = som_alloc(sizeof *placed.links * (size_t)placed.mechanism->link_count);
    som_mechanism_place(placed.mechanism, posture, placed.links);
    placed.com = som_mechanism_com(placed.mechanism, placed.links);
    if (command->wants_json) {
        write(command, &placed);
    } else {
        print(&placed, &command->out);
    }
    som_free(placed.links);
    som_mechanism_destroy(placed.mechanism);
}

static void run_pose(SomCommand *command) {
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        place(command, design, &posture);
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {SOM_OPTION_CONFIG, SOM_OPTION_POSE, SOM_OPTION_SET, {0}};

const SomVerb som_verb_pose = {
    .name = "pose",
    .usage = "FILE [--config C] [--pose NAME] [--set DOF=V]… [--json]",
    .summary = "where the modules and links of a design are, its mass and centre of mass",
    .help = "Computes the forward kinematics of a design: position (m) and orientation\n"
            "(quaternion x y z w) of every module in the world, and with --json of every link.\n"
            "Joints are as the design starts, changed by --pose and then by each --set.\n\n"
            "  somite pose walkbot\n"
            "  somite pose chain3 --set head.tilt=45deg --set tail.tilt=-45deg --json\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_pose,
};
