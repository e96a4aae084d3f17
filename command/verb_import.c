// SPDX-License-Identifier: Apache-2.0
// somite import FILE… [-o OUT.som]

#include "base/file.h"
#include "base/path.h"
#include "command/design.h"
#include "compose/library_root.h"
#include "exchange/import.h"

static void write_document(SomCommand *command, const SomImported *result, const char *out) {
    SomJsonWriter *json = &command->json;
    som_json_key(json, SOM_STR("config"));
    som_json_string(json, som_text_str(&result->config));
    som_json_key(json, SOM_STR("configs"));
    som_json_integer(json, result->config_count);
    som_json_key(json, SOM_STR("modules"));
    som_json_integer(json, result->module_count);
    som_json_key(json, out != NULL ? SOM_STR("file") : SOM_STR("text"));
    som_json_string(json, out != NULL ? som_str(out) : som_text_str(&result->som));
    som_json_key(json, SOM_STR("files"));
    som_json_open_array(json);
    for (int i = 0; i < result->files.count; i++) {
        som_json_string(json, result->files.data[i].path);
    }
    som_json_close_array(json);
}

static bool is_type(const char *out) {
    return som_str_ends_with(som_str(out), SOM_STR(".m3l"));
}

// Module types and meshes, then the text; with OUT.m3l the types alone.
static bool save(SomCommand *command, const SomImported *result, const char *out) {
    if (is_type(out) && result->files.count == 0) {
        som_command_misused(command, "the file has no module types; write a design: -o OUT.som");
        return false;
    }
    bool is_saved =
        som_imported_save(result, out, som_command_has(command, "overwrite"), command->diags);
    som_command_note_overwrite(command);
    return is_saved;
}

static void print(SomCommand *command, const SomImported *result) {
    som_text_add(&command->out, som_text_str(&result->som));
    for (int i = 0; i < result->files.count; i++) {
        const SomImportedFile *file = &result->files.data[i];
        bool is_text = som_str_ends_with(file->path, SOM_STR(".m3l"));
        som_text_printf(&command->out, "\n# ---- %.*s%s\n\n", SOM_STR_ARG(file->path),
                        is_text ? "" : ": written with -o");
        som_text_add(&command->out, is_text ? file->content : SOM_STR(""));
    }
}

// What was imported goes to its file, or is printed.
static void deliver(SomCommand *command, const SomImported *result, const char *out) {
    if (out != NULL && !save(command, result, out)) {
        return;
    }
    if (command->wants_json) {
        write_document(command, result, out);
    } else if (out != NULL && is_type(out)) {
        som_text_printf(&command->out, "%s: module types of %s\n", out, result->config.data);
    } else if (out != NULL) {
        som_text_printf(&command->out, "%s: config %s, %d module%s\n", out, result->config.data,
                        result->module_count, result->module_count == 1 ? "" : "s");
    } else {
        print(command, result);
    }
}

// Whether what is written replaces nothing that is read, and what is searched is there. Behaviors
// may be added to a design in place.
static bool is_sound(SomCommand *command, const char *out) {
    if (out != NULL && is_type(out) && som_command_reads(command, out)) {
        som_command_misused(command, "'%s' is read; write another file", out);
        return false;
    }
    int at = 0;
    for (const char *folder; (folder = som_command_next_value(command, "search", &at)) != NULL;) {
        if (!som_file_is_folder(folder)) {
            som_command_misused(command, "--search: there is no folder '%s'", folder);
            return false;
        }
    }
    return out == NULL || som_command_may_write(command, out);
}

// Arguments are of xacro, which may be in any XML.
static void check_words(SomCommand *command, const SomStr *paths, int count, int arguments) {
    bool has_xacro = arguments == 0;
    for (int i = 0; i < count; i++) {
        SomStr ending = som_path_extension(paths[i]);
        has_xacro = has_xacro || som_str_equal(ending, SOM_STR(".xacro")) ||
                    som_str_equal(ending, SOM_STR(".urdf")) ||
                    som_str_equal(ending, SOM_STR(".xml")) || som_str_equal(paths[i], SOM_STR("-"));
        if (som_str_starts_with(paths[i], SOM_STR(":="))) {
            som_command_misused(command, "'%.*s' has no name before ':='", SOM_STR_ARG(paths[i]));
        }
    }
    if (count == 0) {
        som_command_misused(command, "a file is missing");
    } else if (!has_xacro) {
        som_command_misused(command, "NAME:=VALUE is for xacro, and no file is");
    }
}

// Whether one of the words ends so; the endings have blanks between them.
static bool has_word(const SomStr *paths, int count, const char *endings) {
    for (int i = 0; i < count; i++) {
        SomStr ending = som_path_extension(paths[i]);
        SomStr rest = som_str(endings), word;
        while (som_str_next_word(&rest, &word)) {
            if (som_str_equal(word, ending)) {
                return true;
            }
        }
    }
    return false;
}

// Options for one kind of file, without such a file.
static void check_kinds(SomCommand *command, const SomStr *paths, int count) {
    bool has_input = has_word(paths, count, ".xml .json") ||
                     (count > 0 && som_str_equal(paths[0], SOM_STR("-")));
    if (som_command_has(command, "config") && !has_word(paths, count, ".som")) {
        som_command_misused(command,
                            "--config is for behavior trees of a .som file, and no file is "
                            "one");
    }
    if (som_command_has(command, "connector") && !has_input &&
        !has_word(paths, count, ".urdf .xacro .sdf .world .hrdf")) {
        som_command_misused(command,
                            "--connector is for models of links and joints, and no file is "
                            "one");
    }
}

static void run_import(SomCommand *command) {
    const char *out = som_command_value(command, "output");
    if (!is_sound(command, out)) {
        return;
    }
    SOM_ARRAY(SomStr) paths = {0}, searches = {0}, connectors = {0}, arguments = {0};
    for (int i = 0; i < command->words.count; i++) {
        SomStr word = som_str(command->words.data[i]), name, value;
        if (som_import_argument_split(word, &name, &value)) {
            som_array_push(&arguments, word);
        } else {
            SomText path = {0};
            som_command_find_file(word, &path);
            som_array_push(&paths, som_arena_copy(&command->arena, som_text_str(&path)));
            som_text_free(&path);
        }
    }
    check_words(command, paths.data, paths.count, arguments.count);
    check_kinds(command, paths.data, paths.count);
    int at = 0;
    for (const char *folder; (folder = som_command_next_value(command, "search", &at)) != NULL;) {
        som_array_push(&searches, som_str(folder));
    }
    at = 0;
    for (const char *name; (name = som_command_next_value(command, "connector", &at)) != NULL;) {
        som_array_push(&connectors, som_str(name));
    }
    SomText library = {0};
    som_library_find(&library);
    const char *config = som_command_value(command, "config");
    SomImportOptions options = {.library = som_text_str(&library),
                                .searches = searches.data,
                                .search_count = searches.count,
                                .config = som_str(config != NULL ? config : ""),
                                .out = som_str(out != NULL ? out : ""),
                                .connectors = connectors.data,
                                .connector_count = connectors.count,
                                .more_folders = "--search DIR also reads files below DIR",
                                .arguments = arguments.data,
                                .argument_count = arguments.count};
    SomImported result;
    if (command->usage_errors == 0 &&
        som_import(paths.data, paths.count, &options, &command->arena, &result, command->diags)) {
        deliver(command, &result, out);
        som_imported_free(&result);
    }
    som_text_free(&library);
    som_array_free(&paths);
    som_array_free(&searches);
    som_array_free(&connectors);
    som_array_free(&arguments);
}

static const SomOption options[] = {
    {.name = "output",
     .value = "OUT.som",
     .help = "the file to write; without it the text is printed",
     .letter = 'o',
     .kind = SOM_TAKES_OUTPUT,
     .endings = ".som .m3l",
     .may_be_read = true},
    {.name = "search",
     .value = "DIR",
     .help = "also look for components, gaits and meshes here; may be repeated",
     .is_repeated = true},
    {.name = "connector",
     .value = "NAME",
     .help = "of a model: this link or frame is a connector, z out; or NAME:-x",
     .is_repeated = true},
    {.name = "config",
     .value = "C",
     .help = "which configuration of a .som file behavior trees are for"},
    SOM_OPTION_OVERWRITE,
    {0},
};

const SomVerb som_verb_import = {
    .name = "import",
    .usage = "FILE… [NAME:=VALUE]… [-o OUT.som] [--overwrite] [--search DIR]… [--connector NAME]… "
             "[--config C] "
             "[--json]",
    .summary = "other formats to .som: URDF, SDF, robots and motions of other labs",
    .help =
        "Makes .som text of files of other programs. Poses and joints stay as they are in the\n"
        "file; what has no counterpart is told. Several files become one text. docs/import.md\n"
        "lists all formats and says what becomes of each:\n\n"
        "  models        URDF and xacro, SDF: a module type in an .m3l file beside OUT.som, with\n"
        "                its meshes; with -o OUT.m3l the module type alone. --connector names "
        "links\n"
        "                or frames at which it is mated with others. NAME:=VALUE gives a value to "
        "an\n"
        "                argument of xacro, $(arg NAME).\n"
        "  robots        configurations (.conf) and structures (.struct) of the SMORES lab, "
        "VSPARC,\n"
        "                CKBot, RoFI, HEBI, Timor, chains of modules, robots of .m3l files\n"
        "  motions       gaits (.gait), control files (.control), behaviors of VSPARC, tables of\n"
        "                joints (.csv), behavior trees: behaviors of the robot they are given "
        "with\n\n"
        "Files that exist are not replaced unless --overwrite is given; an .m3l file beside "
        "OUT.som\n"
        "that was not written by an import is never replaced.\n\n"
        "Files that others name (components, gaits, meshes) are looked for in the file's folder,\n"
        "in its package and in folders given with --search.\n\n"
        "  somite import walkbot.conf walkbot.gait -o walkbot.som\n"
        "  somite import walkbot.struct walkbot.control --search components -o walkbot.som\n"
        "  somite import \"I-T'0-T'0-A0-t0-i0-g0\" -o arm.som\n"
        "  somite import arm.urdf -o arm.som\n"
        "  somite import arm.xacro prefix:=left_ tool:=true -o arm.som\n"
        "  somite import gripper.urdf --connector base_link:-z -o gripper.m3l\n",
    .min_words = 1,
    .max_words = -1,
    .has_json = true,
    .options = options,
    .run = run_import,
};
