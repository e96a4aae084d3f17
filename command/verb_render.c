// SPDX-License-Identifier: Apache-2.0
// somite render FILE -o PNG

#include "base/number.h"
#include "command/motion.h"
#include "command/picture.h"
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

static bool read_edge(SomStr text, int *pixels) {
    double number;
    if (!som_number_parse(text, &number) || number != floor(number) || number < 1 ||
        number > SOM_IMAGE_MAX_SIDE) {
        return false;
    }
    *pixels = (int)number;
    return true;
}

static void read_size(SomCommand *command, SomPicture *picture) {
    const char *text = som_command_value(command, "size");
    SomStr words[2];
    if (text == NULL) {
        return;
    }
    if (!split(som_str(text), 'x', &words[0], &words[1]) || !read_edge(words[0], &picture->width) ||
        !read_edge(words[1], &picture->height)) {
        som_command_misused(command,
                            "--size: '%s' is not WIDTHxHEIGHT in whole pixels, each from 1 to %d",
                            text, SOM_IMAGE_MAX_SIDE);
    }
}

static void read_direction(SomCommand *command, SomPicture *picture) {
    const char *text = som_command_value(command, "from");
    SomStr words[2];
    double angles[2];
    if (text == NULL) {
        return;
    }
    if (!split(som_str(text), ',', &words[0], &words[1])) {
        som_command_misused(command, "--from: '%s' is not AZIMUTH,ELEVATION such as 30deg,20deg",
                            text);
    } else if (som_command_quantity(command, "--from", words[0], SOM_DIMENSION_ANGLE, &angles[0]) &&
               som_command_quantity(command, "--from", words[1], SOM_DIMENSION_ANGLE, &angles[1])) {
        som_camera_orbit(&picture->camera, angles[0] - picture->camera.azimuth,
                         angles[1] - picture->camera.elevation);
    }
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

// Of the way to a posture.
typedef SOM_ARRAY(double) Samples;

// A robot that docks change on the way is another one there: then the posture alone counts.
static void keep_samples(const SomPrediction *played, double time, const SomPosture *posture,
                         Samples *samples) {
    for (int i = 0; played->docks.count == 0 && i < played->times.count; i++) {
        for (int k = 0; played->times.data[i] < time && k < posture->count; k++) {
            som_array_push(samples, played->positions.data[i * posture->count + k]);
        }
    }
    for (int k = 0; samples->count > 0 && k < posture->count; k++) {
        som_array_push(samples, posture->values[k]);
    }
}

// Moves the posture on to where a behavior has brought it at a time. False after a report.
static bool play_to(SomCommand *command, const SomConfiguration *design, const char *behavior,
                    double time, SomPosture *posture, Samples *samples) {
    SomPlayed motion;
    // long enough that the last sample is not before the time
    SomPredictionDef def = {.tick = 0.01, .most_time = time + 0.01, .is_excerpt = true};
    bool moved = som_command_move(command, design, posture, behavior, def, &motion);
    if (moved) {
        som_prediction_at(&motion.prediction, time, posture->values);
        keep_samples(&motion.prediction, time, posture, samples);
    }
    som_played_free(&motion);
    return moved;
}

static void run_render(SomCommand *command) {
    SomPicture picture;
    double time = som_command_number(command, "at", 0);
    const char *behavior = som_command_value(command, "behavior");
    if (!read_picture(command, &picture)) {
        return;
    }
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        Samples samples = {0};
        if (behavior == NULL || play_to(command, design, behavior, time, &posture, &samples)) {
            picture.samples = samples.data;
            picture.sample_count = samples.count > 0 ? samples.count / posture.count : 0;
            som_command_draw(command, design, &posture, &picture,
                             som_command_value(command, "output"));
        }
        som_array_free(&samples);
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    {.name = "output",
     .value = "PNG",
     .help = "the file to write",
     .letter = 'o',
     .kind = SOM_TAKES_OUTPUT,
     .endings = ".png"},
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    SOM_OPTION_BEHAVIOR,
    {.name = "at",
     .value = "T",
     .help = "how long the behavior has been playing, without physics (default: 0s)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = 0,
     .high = 1e6,
     .needs = "behavior"},
    {.name = "size", .value = "WxH", .help = "in pixels (default: 1280x800)"},
    {.name = "from",
     .value = "AZ,EL",
     .help = "direction of the eye: angle about z from x, and above the ground"},
    {.name = "connectors", .help = "show the free connectors; a tick is where the roll is zero"},
    {.name = "axes", .help = "show the axes of the joints"},
    {.name = "joints", .help = "show a stick figure with the signs of the joints"},
    {.name = "com", .help = "show the centre of mass"},
    {.name = "support", .help = "show and print the support polygon and the stability margin"},
    {.name = "frames", .help = "show the frames of the modules"},
    {.name = "dark", .help = "before a dark background"},
    {0},
};

const SomVerb som_verb_render = {
    .name = "render",
    .usage = "FILE -o PNG [--config C] [--pose NAME] [--set DOF=V]… [--behavior B --at T] "
             "[--size WxH] [--from AZ,EL]",
    .summary = "a picture of a design",
    .help = "Draws a design to a PNG file; no display is needed. The camera frames the robot.\n\n"
            "  somite render walkbot -o walkbot.png\n"
            "  somite render car -o car.png --axes --com --from=-60deg,20deg\n"
            "  somite render ckbot_quadruped --joints --support -o signs.png\n"
            "  somite render walkbot --behavior walk --at 1.5s -o step.png\n"
            "  somite render loop --config 'LoopN(n=12)' -o ring.png --size 640x480\n",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run_render,
};
