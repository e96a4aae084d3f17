// SPDX-License-Identifier: Apache-2.0
// somite export FILE --to FORMAT [--behavior B] [-o OUT]

#include "base/file.h"
#include "command/motion.h"
#include "command/option_checks.h"
#include "exchange/export.h"
#include "render/link_meshes.h"
#include "verify/never_touch.h"

#include <stdio.h>

static void list_files(SomCommand *command, const SomExport *job) {
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

// What has no file is printed.
static void print_text(SomCommand *command, const SomExport *job) {
    if (job->text.length > 0 && command->wants_json) {
        som_json_member_string(&command->json, "text", som_text_str(&job->text));
    } else {
        som_text_add(&command->out, som_text_str(&job->text));
    }
}

// ---- the verb

// NULL after a complaint.
static const SomExportFormat *find_format(SomCommand *command) {
    const char *wanted = som_command_value(command, "to");
    const SomExportFormat *found = wanted != NULL ? som_export_find(som_str(wanted)) : NULL;
    SomText names = {0};
    int count;
    const SomExportFormat *formats = som_export_formats(&count);
    for (int i = 0; i < count; i++) {
        som_text_printf(&names, "%s%s",
                        i == 0           ? ""
                        : i == count - 1 ? " or "
                                         : ", ",
                        formats[i].name);
    }
    if (wanted == NULL) {
        som_command_misused(command, "to what? --to %s", names.data);
    } else if (found == NULL) {
        som_command_misused(command, "there is no format '%s': --to %s", wanted, names.data);
    }
    som_text_free(&names);
    return found;
}

// "1.9" is 9; 0 after a complaint.
static int read_version(SomCommand *command) {
    const char *text = som_command_value(command, "sdf-version");
    for (int version = SOM_SDF_OLDEST; text != NULL && version <= SOM_SDF_NEWEST; version++) {
        char name[16];
        snprintf(name, sizeof name, "1.%d", version);
        if (strcmp(name, text) == 0) {
            return version;
        }
    }
    if (text != NULL) {
        som_command_misused(command, "--sdf-version is 1.%d to 1.%d", SOM_SDF_OLDEST,
                            SOM_SDF_NEWEST);
    }
    return text != NULL ? 0 : SOM_SDF_USUAL;
}

static SomStr value(SomCommand *command, const char *option) {
    const char *text = som_command_value(command, option);
    return text != NULL ? som_str(text) : (SomStr){0};
}

static void export_design(SomCommand *command, const SomExportFormat *format,
                          const SomConfiguration *design, const SomPosture *posture) {
    SomLinkMeshes meshes = {0};
    int version = read_version(command);
    if (version == 0) {
        return;
    }
    if (format->has_looks) {
        som_link_meshes_load(&meshes, design, som_command_workspace(command), command->diags);
    }
    SomExport job = {.workspace = som_command_workspace(command),
                     .design = design,
                     .posture = posture,
                     .behavior = value(command, "behavior"),
                     .out = value(command, "output"),
                     .may_replace = som_command_has(command, "overwrite"),
                     .is_forced = som_command_has(command, "force"),
                     .is_full = som_command_has(command, "full"),
                     .trace = value(command, "trace"),
                     .tick = som_command_number(command, "dt", SOM_EXPORT_TICK),
                     .sdf_version = version,
                     .looks = som_link_meshes_look,
                     .looks_context = &meshes,
                     .has_plugins = som_command_has(command, "plugins"),
                     .has_relative_meshes = som_command_has(command, "relative-meshes"),
                     .never_touch = som_never_touch,
                     .diags = command->diags};
    som_export(format, &job);
    som_command_note_overwrite(command);
    if (command->wants_json) {
        som_json_member_integer(&command->json, "ignored_errors", job.ignored_errors);
    }
    bool was_tried = job.behavior.length == 0 || job.graph != NULL;
    if (was_tried) {
        print_text(command, &job);
        list_files(command, &job);
    }
    som_export_free(&job);
    som_link_meshes_free(&meshes);
}

// What would be passed over in silence is said.
static bool fits_options(SomCommand *command, const SomExportFormat *format) {
    static const struct {
        const char *option, *format, *other; // formats
    } own[] = {{"sdf-version", "sdf", ""},
               {"trace", "sdf", ""},
               {"dt", "c", ""},
               {"plugins", "sdf", "urdf"},
               {"relative-meshes", "urdf", ""}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (som_command_has(command, own[i].option) && strcmp(format->name, own[i].format) != 0 &&
            strcmp(format->name, own[i].other) != 0) {
            som_command_misused(command, "--%s is for --to %s%s%s", own[i].option, own[i].format,
                                own[i].other[0] != '\0' ? " or " : "", own[i].other);
            return false;
        }
    }
    if (som_command_has(command, "full") && !format->has_bodies) {
        som_command_misused(command, "--full is for formats of robots, not for --to %s",
                            format->name);
        return false;
    }
    bool has_posture = som_command_has(command, "pose") || som_command_has(command, "set");
    if (has_posture && format->ending != NULL && strcmp(format->name, "svg") != 0) {
        som_command_misused(command,
                            "--pose and --set have no meaning for --to %s, which has no "
                            "posture",
                            format->name);
        return false;
    }
    return true;
}

// Before the work, which may be long.
static bool can_write(SomCommand *command, const SomExportFormat *format) {
    const char *out = som_command_value(command, "output");
    if (out == NULL) {
        return true;
    }
    if (out[0] == '\0') {
        som_command_misused(command, "option '--output' needs a value: OUT");
        return false;
    }
    if (format->ending == NULL) {
        return som_file_can_make_folder(out, command->diags);
    }
    if (!som_command_check_ending(command, "output", som_str(out), som_str(format->ending))) {
        return false;
    }
    if (som_command_reads(command, out)) {
        som_command_misused(command, "--output: '%s' is read; write another file", out);
        return false;
    }
    return som_file_can_save(out, command->diags) && som_command_may_write(command, out);
}

static void run_export(SomCommand *command) {
    const SomExportFormat *format = find_format(command);
    const char *behavior = som_command_value(command, "behavior");
    if (format == NULL || !fits_options(command, format)) {
        return;
    }
    if (format->needs_behavior && behavior == NULL) {
        som_command_misused(command, "which behavior? --behavior NAME, or 'NAME(arguments)'");
        return;
    }
    if (format->needs_output && som_command_value(command, "output") == NULL) {
        som_command_misused(command, "say where to: -o OUT");
        return;
    }
    if (!can_write(command, format)) {
        return;
    }
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        export_design(command, format, design, &posture);
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    {.name = "to",
     .value = "FORMAT",
     .help = "what to write: svg, graph, bt, mjcf, sdf, c or urdf",
     .letter = 't'},
    {.name = "output",
     .value = "OUT",
     .help = "the file or folder to write; without it, text is printed",
     .letter = 'o'},
    SOM_OPTION_OVERWRITE,
    SOM_OPTION_BEHAVIOR,
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    {.name = "force", .help = "write a behavior that has errors", .needs = "behavior"},
    {.name = "full", .help = "mjcf, sdf, urdf: every link and joint, nothing merged or locked"},
    {.name = "sdf-version", .value = "V", .help = "sdf: 1.6 to 1.11 (default: 1.9)"},
    {.name = "trace",
     .value = "CSV",
     .help = "sdf: let the plugin write joints and poses over time to this file",
     .needs = "behavior"},
    {.name = "dt",
     .value = "T",
     .help = "c: length of a tick (default: 10ms)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = 1e-5,
     .high = 1e6},
    {.name = "plugins", .help = "sdf, urdf: include plugins of imported modules"},
    {.name = "relative-meshes", .help = "urdf: paths of meshes from the file, not package://"},
    {0}};

const SomVerb som_verb_export = {
    .name = "export",
    .usage = "FILE --to FORMAT [-o OUT] [--overwrite] [--behavior B] [--force] [--config C] "
             "[--pose NAME] "
             "[--set DOF=V]… [--json]",
    .summary = "write a design or behavior for other programs",
    .help =
        "Writes files for other programs. docs/export.md says what each format holds.\n\n"
        "  svg     a picture of a behavior, with the times of its actions\n"
        "  graph   a behavior, compiled, as the text that players read\n"
        "  bt      a behavior as a tree for BehaviorTree.CPP, which Groot opens\n"
        "  mjcf    the robot on the ground, for MuJoCo: a folder with model.xml, and names.csv,\n"
        "          which says what each name is in the design\n"
        "  sdf     for Gazebo: a folder with model.sdf, world.sdf, which has ground and light and\n"
        "          plays the behavior, meshes and names.csv\n"
        "  c       for a microcontroller: a folder with the behavior as tables, the player and a\n"
        "          small loop, which compiles by itself; docs/c-export.md\n"
        "  urdf    for ROS, MoveIt and others: a package with URDF, SRDF, meshes and names.csv\n\n"
        "Files that exist are not replaced unless --overwrite is given.\n\n"
        "For simulators, links that are fixed to each other are one body, and joints that the\n"
        "behavior never moves are locked; --full keeps all.\n\n"
        "  somite export walkbot --to svg --behavior walk -o walk.svg\n"
        "  somite export walkbot --to graph --behavior walk -o walk.graph\n"
        "  somite export walkbot --to mjcf --behavior walk -o walkbot_mjcf\n"
        "  somite export walkbot --to sdf --behavior walk -o walkbot_sdf\n"
        "  somite export walkbot --to c --behavior walk -o walkbot_c\n"
        "  somite export walkbot --to urdf -o walkbot_description\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_export,
};
