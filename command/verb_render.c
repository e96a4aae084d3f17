// SPDX-License-Identifier: Apache-2.0
// somite render FILE -o PNG

#include "command/motion.h"
#include "command/picture.h"
#include "language/unit.h"
#include "render/image.h"

// Two values with a mark between them, "1280x800"; false if there are no two.
static bool split(SomStr text, char mark, SomStr *first, SomStr *second) {
    const char *at = memchr(text.data, mark, text.length);
    if (at == NULL) {
        return false;
    }
    *first = som_str_slice(text, 0, (size_t)(at - text.data));
    *second = som_str_slice(text, first->length + 1, text.length);
    return true;
}

static void read_size(SomCommand *command, SomPicture *picture) {
    const char *text = som_command_value(command, "size");
    SomStr words[2];
    double edges[2];
    if (text == NULL) {
        return;
    }
    if (!split(som_str(text), 'x', &words[0], &words[1]) ||
        !som_command_quantity(command, words[0], SOM_DIMENSION_NUMBER, &edges[0]) ||
        !som_command_quantity(command, words[1], SOM_DIMENSION_NUMBER, &edges[1]) ||
        !(edges[0] >= 1 && edges[1] >= 1 && edges[0] <= SOM_IMAGE_MAX_SIDE &&
          edges[1] <= SOM_IMAGE_MAX_SIDE)) {
        som_command_misused(command, "--size is WIDTHxHEIGHT in pixels, each at most %d",
                            SOM_IMAGE_MAX_SIDE);
        return;
    }
    picture->width = (int)edges[0];
    picture->height = (int)edges[1];
}

static double angle(double number) {
    return som_unit_to_si(som_unit_find(SOM_STR("deg")), number);
}

static void read_direction(SomCommand *command, SomPicture *picture) {
    const char *text = som_command_value(command, "from");
    SomStr words[2];
    double angles[2];
    if (text == NULL) {
        return;
    }
    if (!split(som_str(text), ',', &words[0], &words[1]) ||
        !som_command_quantity(command, words[0], SOM_DIMENSION_NUMBER, &angles[0]) ||
        !som_command_quantity(command, words[1], SOM_DIMENSION_NUMBER, &angles[1])) {
        som_command_misused(command, "--from is AZIMUTH,ELEVATION in degrees");
        return;
    }
    som_camera_orbit(&picture->camera, angle(angles[0]) - picture->camera.azimuth,
                     angle(angles[1]) - picture->camera.elevation);
}

static bool read_picture(SomCommand *command, SomPicture *picture) {
    static const struct {
        const char *option;
        unsigned flag;
    } switches[] = {
        {"connectors", SOM_ROBOT_CONNECTORS}, {"axes", SOM_ROBOT_AXES},
        {"com", SOM_ROBOT_CENTER_OF_MASS},    {"frames", SOM_ROBOT_FRAMES},
        {"joints", SOM_ROBOT_SIGNS},
    };
    *picture = som_picture_default();
    read_size(command, picture);
    read_direction(command, picture);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        picture->flags |= som_command_has(command, switches[i].option) ? switches[i].flag : 0;
    }
    picture->has_support = som_command_has(command, "support");
    picture->is_dark = som_command_has(command, "dark");
    if (som_command_value(command, "output") == NULL) {
        som_command_misused(command, "say where to: somite render %s -o picture.png",
                            command->words.data[0]);
    }
    return command->usage_errors == 0;
}

// Moves the posture on to where a behavior has brought it at a time. False after a report.
static bool play_to(SomCommand *command, const SomConfiguration *design, const char *behavior,
                    double time, SomPosture *posture) {
    SomPlayed motion;
    // long enough that the last sample is not before the time
    SomPredictionDef def = {.tick = 0.01, .most_time = time + 0.01, .is_excerpt = true};
    bool moved = som_command_move(command, design, posture, behavior, def, &motion);
    if (moved) {
        som_prediction_at(&motion.prediction, time, posture->values);
    }
    som_played_free(&motion);
    return moved;
}

static void run_render(SomCommand *command) {
    SomPicture picture;
    double time;
    const char *behavior = som_command_value(command, "behavior");
    if (!read_picture(command, &picture) || !som_command_time(command, "at", 0, 0, &time)) {
        return;
    }
    if (behavior == NULL && som_command_has(command, "at")) {
        som_command_misused(command, "--at is a time of a behavior: --behavior NAME");
        return;
    }
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        if (behavior == NULL || play_to(command, design, behavior, time, &posture)) {
            som_command_draw(command, design, &posture, &picture,
                             som_command_value(command, "output"));
        }
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    {"output", "PNG", "the file to write", 'o'},
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    SOM_OPTION_BEHAVIOR,
    {"at", "T", "how long the behavior has been playing, without physics; 0s unless told", 0},
    {"size", "WxH", "in pixels; 1280x800 unless told", 0},
    {"from", "AZ,EL", "direction of the eye in degrees: about z from x, above the ground", 0},
    {"connectors", NULL, "show the free connectors; a tick is where the roll is zero", 0},
    {"axes", NULL, "show the axes of the joints", 0},
    {"joints", NULL, "show a stick figure with the signs of the joints", 0},
    {"com", NULL, "show the centre of mass", 0},
    {"support", NULL, "show what it stands on, and the margin; tells both", 0},
    {"frames", NULL, "show the frames of the modules", 0},
    {"dark", NULL, "before a dark background", 0},
    {0},
};

const SomVerb som_verb_render = {
    .name = "render",
    .usage = "FILE -o PNG [--config C] [--pose NAME] [--set DOF=V]… [--behavior B --at T] "
             "[--size WxH] [--from AZ,EL]",
    .summary = "a picture of a design",
    .help = "Draws a design to a PNG file; no display is needed. The camera frames the robot.\n\n"
            "  somite render walkbot -o walkbot.png\n"
            "  somite render car -o car.png --axes --com --from=-60,20\n"
            "  somite render ckbot_quadruped --joints --support -o signs.png\n"
            "  somite render walkbot --behavior walk --at 1.5s -o step.png\n"
            "  somite render loop --config 'LoopN(n=12)' -o ring.png --size 640x480\n",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run_render,
};
