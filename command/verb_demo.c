// SPDX-License-Identifier: Apache-2.0
// somite demo: the main job, as far as the house is built.

#include "command/command.h"
#include "command/inertia_text.h"
#include "command/text_picture.h"
#include "space/trigonometry.h"

// A module of four faces in the size of SMORES, made of a body and three discs, in metres.
static SomShape make_module(SomDiagnostics *diags) {
    SomSpan none = {0};
    SomMat3 along_x = som_rotation_y(SOM_PI / 2);
    SomMat3 along_y = som_rotation_x(SOM_PI / 2);
    SomShapePart parts[4] = {
        {.pose = som_pose_identity()},
        {.pose = {along_x, {0.046, 0, 0}}},
        {.pose = {along_x, {-0.046, 0, 0}}},
        {.pose = {along_y, {0, -0.0475, 0}}},
    };
    bool made = som_shape_box(&parts[0].shape, som_vec3(0.072, 0.088, 0.06), none, diags) &&
                som_shape_cylinder(&parts[1].shape, 0.0453, 0.006, none, diags) &&
                som_shape_cylinder(&parts[2].shape, 0.0453, 0.006, none, diags) &&
                som_shape_cylinder(&parts[3].shape, 0.042, 0.0032, none, diags);
    return made ? som_shape_compound(parts, 4) : parts[0].shape;
}

static void run_demo(SomCommand *command) {
    SomText *out = &command->out;
    SomShape module = make_module(command->diags);
    SomInertia inertia = som_shape_inertia(&module, 1); // its mass is the volume
    double volume = inertia.mass;
    inertia = som_inertia_with_mass(inertia, 0.557);
    som_text_printf(out, "somite %s\n\nA first module, a body and three discs:\n", SOM_VERSION);
    som_text_inertia(out, som_shape_bounds(&module, som_pose_identity()), volume, inertia);
    som_text_add_char(out, '\n', 1);
    som_text_picture_shape(&module, 72, out);
    som_shape_free(&module);
    som_text_add(out, SOM_STR("\nTry: somite measure box 0.1 0.2 0.3; somite help\n"));
}

const SomVerb som_verb_demo = {
    .name = "demo",
    .usage = "",
    .summary = "a first look: what Somite does, on a small example",
    .help = "Shows what Somite does on a small example.\n",
    .run = run_demo,
};
