// SPDX-License-Identifier: Apache-2.0
// somite demo: the main job, as far as the house is built.

#include "base/file.h"
#include "base/number.h"
#include "base/path.h"
#include "command/picture.h"

#define DEFAULT_FOLDER "somite-demo"

static void tell(const SomConfiguration *design, SomText *out) {
    som_text_printf(out, "%.*s, from the library: order %d, %d modules, %d DoF, %d connections, ",
                    SOM_STR_ARG(design->name), design->order, design->module_count,
                    design->dof_count, design->connection_count);
    som_text_rounded(out, design->metrics.mass, 4);
    som_text_add(out, SOM_STR(" kg\n"));
    for (int i = 1; i < design->part_count; i++) {
        const SomPart *part = &design->parts[i];
        if (part->depth == 1) {
            som_text_printf(out, "  %-12.*s %.*s\n", SOM_STR_ARG(part->name),
                            SOM_STR_ARG(part->config));
        }
    }
}

static void draw(SomCommand *command, const SomConfiguration *design, const char *folder) {
    if (!som_file_make_folder(folder, command->diags)) {
        return;
    }
    SomText path = {0};
    som_path_join(&path, som_str(folder), SOM_STR("walkbot.png"));
    SomPicture picture = som_picture_default();
    picture.flags |= SOM_ROBOT_CENTER_OF_MASS;
    SomPosture posture = som_posture_start(design);
    if (som_command_draw(command, design, &posture, &picture, path.data)) {
        som_text_printf(&command->out, "\nIts picture: %s\n", path.data);
    }
    som_posture_free(&posture);
    som_text_free(&path);
}

static void run_demo(SomCommand *command) {
    const char *folder = som_command_value(command, "output");
    SomConfiguration *walkbot = som_command_compose(command, "walkbot");
    if (walkbot != NULL) {
        som_text_printf(&command->out, "somite %s\n\n", SOM_VERSION);
        tell(walkbot, &command->out);
        draw(command, walkbot, folder != NULL ? folder : DEFAULT_FOLDER);
        som_text_add(&command->out,
                     SOM_STR("\nTry: somite show walkbot; somite solve loop --target "
                             "m[3].tilt=60deg; somite library; somite help\n"));
    }
    som_configuration_destroy(walkbot);
}

static const SomOption options[] = {
    {"output", "FOLDER", "where to write its files; " DEFAULT_FOLDER " unless told", 'o'},
    {0},
};

const SomVerb som_verb_demo = {
    .name = "demo",
    .usage = "[-o FOLDER]",
    .summary = "a first look: what Somite does, on a small example",
    .help = "Composes the Walkbot of the library, tells what it is made of and draws it.\n",
    .options = options,
    .run = run_demo,
};
