// SPDX-License-Identifier: Apache-2.0
// somite export FILE --to FORMAT [--behavior B] [-o OUT]

#include "base/file.h"
#include "command/export.h"
#include "command/motion.h"
#include "exchange/graph_svg.h"
#include "player/graph_text.h"

// ---- formats

static void write_graph(SomExportJob *job) {
    size_t length = som_graph_text_write(job->graph, NULL, 0);
    char *buffer = som_alloc(length + 1);
    som_graph_text_write(job->graph, buffer, length + 1);
    som_export_text(job, (SomStr){buffer, length});
    som_free(buffer);
}

// Times are those of the prediction, of at most a minute.
static void write_svg(SomExportJob *job) {
    SomPlayed motion;
    SomText svg = {0};
    SomPredictionDef def = {.most_time = 60, .is_excerpt = true, .sample_time = 60};
    const char *behavior = som_command_value(job->command, "behavior");
    if (som_command_move(job->command, job->design, job->posture, behavior, def, &motion)) {
        som_graph_svg(&(SomGraphSvgDef){.graph = motion.graph,
                                        .design = job->design,
                                        .prediction = &motion.prediction,
                                        .title = som_str(behavior)},
                      &svg);
        som_export_text(job, som_text_str(&svg));
    }
    som_text_free(&svg);
    som_played_free(&motion);
}

static const SomExportFormat formats[] = {
    {"svg", "picture of a behavior, with the times of its actions", true, false, write_svg},
    {"graph", "compiled behavior, as text that a player reads", true, false, write_graph},
    {"mjcf", "robot and ground for MuJoCo", false, false, som_export_mjcf},
    {"sdf", "robot, and a world with it, for Gazebo", false, true, som_export_sdf},
};
#define FORMAT_COUNT ((int)(sizeof formats / sizeof *formats))

// ---- files

bool som_export_save(SomExportJob *job, const char *path, SomStr content) {
    if (!som_file_save(path, content, job->command->diags)) {
        return false;
    }
    som_array_push(&job->files, som_arena_copy(&job->command->arena, som_str(path)));
    return true;
}

bool som_export_text(SomExportJob *job, SomStr text) {
    SomCommand *command = job->command;
    if (job->out != NULL) {
        return som_export_save(job, job->out, text);
    }
    if (command->wants_json) {
        som_json_key(&command->json, SOM_STR("text"));
        som_json_string(&command->json, text);
    } else {
        som_text_add(&command->out, text);
    }
    return true;
}

static void list_files(const SomExportJob *job) {
    SomCommand *command = job->command;
    if (command->wants_json) {
        som_json_key(&command->json, SOM_STR("files"));
        som_json_open_array(&command->json);
        for (int i = 0; i < job->files.count; i++) {
            som_json_string(&command->json, job->files.data[i]);
        }
        som_json_close_array(&command->json);
        return;
    }
    for (int i = 0; i < job->files.count; i++) {
        som_text_printf(&command->out, "%s\n", job->files.data[i].data);
    }
}

// ---- the verb

// NULL after a complaint.
static const SomExportFormat *find_format(SomCommand *command) {
    const char *wanted = som_command_value(command, "to");
    SomText names = {0};
    const SomExportFormat *found = NULL;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        som_text_printf(&names, "%s%s",
                        i == 0                  ? ""
                        : i == FORMAT_COUNT - 1 ? " or "
                                                : ", ",
                        formats[i].name);
        if (wanted != NULL && strcmp(formats[i].name, wanted) == 0) {
            found = &formats[i];
        }
    }
    if (wanted == NULL) {
        som_command_misused(command, "to what? --to %s", names.data);
    } else if (found == NULL) {
        som_command_misused(command, "there is no format '%s': --to %s", wanted, names.data);
    }
    som_text_free(&names);
    return found;
}

static void export_design(SomExportJob *job, const SomExportFormat *format, const char *behavior) {
    SomCompileDef compile = {.workspace = som_command_workspace(job->command),
                             .configuration = job->design,
                             .diags = job->command->diags};
    SomActionGraph *graph = NULL;
    if (behavior != NULL) {
        graph = som_compile_call(&compile, som_str(behavior));
    }
    if (behavior == NULL || graph != NULL) {
        job->graph = graph;
        format->write(job);
        list_files(job);
    }
    som_action_graph_destroy(graph);
}

// What would be passed over in silence is said.
static bool fits_options(SomCommand *command, const SomExportFormat *format, bool has_behavior) {
    static const char *const of_sdf[] = {"sdf-version", "trace"};
    for (int i = 0; i < 2; i++) {
        if (som_command_value(command, of_sdf[i]) != NULL && strcmp(format->name, "sdf") != 0) {
            som_command_misused(command, "--%s is for --to sdf", of_sdf[i]);
            return false;
        }
    }
    if (som_command_value(command, "trace") != NULL && !has_behavior) {
        som_command_misused(command, "--trace needs a --behavior, which the plugin plays");
        return false;
    }
    return true;
}

static void run_export(SomCommand *command) {
    const SomExportFormat *format = find_format(command);
    const char *behavior = som_command_value(command, "behavior");
    if (format == NULL || !fits_options(command, format, behavior != NULL)) {
        return;
    }
    if (format->needs_behavior && behavior == NULL) {
        som_command_misused(command, "which behavior? --behavior NAME, or 'NAME(arguments)'");
        return;
    }
    SomExportJob job = {.command = command, .out = som_command_value(command, "output")};
    if (format->needs_output && job.out == NULL) {
        som_command_misused(command, "say where to: -o OUT");
        return;
    }
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        job.design = design;
        job.posture = &posture;
        export_design(&job, format, behavior);
        som_posture_free(&posture);
    }
    som_array_free(&job.files);
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    {"to", "FORMAT", "what to write: svg, graph, mjcf or sdf", 't'},
    {"output", "OUT", "the file or folder to write; without it, text is printed", 'o'},
    SOM_OPTION_BEHAVIOR,
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    {"full", NULL, "mjcf, sdf: every link and joint, nothing merged or locked", 0},
    {"sdf-version", "V", "sdf: 1.6 to 1.11; 1.9 unless given", 0},
    {"trace", "CSV", "sdf: let the plugin write joints and poses over time to this file", 0},
    {0}};

const SomVerb som_verb_export = {
    .name = "export",
    .usage = "FILE --to FORMAT [-o OUT] [--behavior B] [--config C] [--pose NAME] "
             "[--set DOF=V]… [--json]",
    .summary = "write a design or behavior for other programs",
    .help =
        "Writes files for other programs. docs/export.md says what each format holds.\n\n"
        "  svg     a picture of a behavior, with the times of its actions\n"
        "  graph   a behavior, compiled, as the text that players read\n"
        "  mjcf    the robot on the ground, for MuJoCo: a folder with model.xml, and names.csv,\n"
        "          which says what each name is in the design\n"
        "  sdf     for Gazebo: a folder with model.sdf, world.sdf, which has ground and light and\n"
        "          plays the behavior, meshes and names.csv\n\n"
        "For simulators, links that are fixed to each other are one body, and joints that the\n"
        "behavior never moves are locked; --full keeps all.\n\n"
        "  somite export walkbot --to svg --behavior walk -o walk.svg\n"
        "  somite export walkbot --to graph --behavior walk -o walk.graph\n"
        "  somite export walkbot --to mjcf --behavior walk -o walkbot_mjcf\n"
        "  somite export walkbot --to sdf --behavior walk -o walkbot_sdf\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_export,
};
