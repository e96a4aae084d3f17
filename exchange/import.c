// SPDX-License-Identifier: Apache-2.0
// Which reader a file gets, and what all of them share.

#include "exchange/import.h"

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "exchange/bt_internal.h"
#include "exchange/import_internal.h"
#include "exchange/json_input.h"
#include "exchange/quaternion.h"
#include "exchange/som_text.h"
#include "exchange/xml.h"
#include "language/som_format.h"
#include "language/som_syntax.h"

#include <assert.h>

// One row a format.
typedef struct Format {
    const char *name;
    const char *ending;
    const char *other_ending;
    const char *roots[4];                        // elements that XML of this format begins with
    bool (*sniff)(SomStr text);                  // NULL: known by its ending only, or …
    bool (*sniff_json)(const SomJsonKeys *keys); // … JSON, where several formats have one ending
    bool (*read)(SomImporter *importer, const SomImportFile *file);
    int stage; // those of a stage are read before those of the next
} Format;

// Made of other files, which may be given beside it; a robot; what moves one.
enum { COMPOSED, ROBOT, COMPOSED_MOTION, MOTION, STAGES };

static const Format formats[] = {
    {"SMORES structure", ".struct", NULL, {"Structure"}, NULL, NULL, som_import_struct, COMPOSED},
    {"SMORES configuration",
     ".conf",
     NULL,
     {"configuration", "modules", "connections"},
     NULL,
     NULL,
     som_import_conf,
     ROBOT},
    {"VSPARC configuration",
     ".xml",
     NULL,
     {"RobotStateObject"},
     NULL,
     NULL,
     som_import_vsparc,
     ROBOT},
    {"CKBot robot", ".ckbot", NULL, {NULL}, som_ckbot_sniff, NULL, som_import_ckbot, ROBOT},
    {"HEBI robot", ".hrdf", NULL, {"robot"}, som_hrdf_sniff, NULL, som_import_hrdf, ROBOT},
    {"SDF models", ".sdf", ".world", {"sdf"}, NULL, NULL, som_import_sdf, ROBOT},
    {"chain of modules", ".chain", ".txt", {NULL}, som_chain_sniff, NULL, som_import_chain, ROBOT},
    {"URDF", ".urdf", ".xacro", {"robot"}, NULL, NULL, som_import_urdf, ROBOT},
    {"M3L robots", ".m3l", NULL, {NULL}, NULL, NULL, som_import_robots, ROBOT},
    {"Timor modules",
     ".json",
     NULL,
     {NULL},
     NULL,
     som_timor_modules_sniff,
     som_import_timor_modules,
     COMPOSED},
    {"Timor assembly",
     ".json",
     NULL,
     {NULL},
     NULL,
     som_timor_assembly_sniff,
     som_import_timor_assembly,
     ROBOT},
    {"RoFI world", ".json", NULL, {NULL}, NULL, som_rofi_sniff, som_import_rofi, ROBOT},
    {"Somite design", ".som", NULL, {NULL}, NULL, NULL, som_import_design, COMPOSED_MOTION},
    {"SMORES control",
     ".control",
     NULL,
     {"Control"},
     NULL,
     NULL,
     som_import_control,
     COMPOSED_MOTION},
    {"SMORES gait", ".gait", NULL, {NULL}, som_gait_sniff, NULL, som_import_gait, MOTION},
    {"VSPARC behavior", ".xml", NULL, {"Behavior"}, NULL, NULL, som_import_vsparc_behavior, MOTION},
    {"table of joints", ".csv", NULL, {NULL}, NULL, NULL, som_import_table, MOTION},
    {"behavior tree", ".xml", NULL, {"root"}, NULL, NULL, som_import_bt, MOTION},
};
#define FORMAT_COUNT ((int)(sizeof formats / sizeof *formats))

// ---- what readers share

const SomM3l *som_importer_library(SomImporter *importer, SomStr name) {
    for (int i = 0; i < importer->library.count; i++) {
        if (som_str_equal(importer->library.data[i].name, name)) {
            return importer->library.data[i].m3l;
        }
    }
    SomText path = {0}, text = {0};
    som_path_join(&path, importer->options->library, SOM_STR("modules"));
    som_text_add(&path, SOM_STR("/"));
    som_text_add(&path, name);
    SomImportLibraryFile file = {name, NULL};
    if (!som_file_exists(path.data)) {
        som_report(importer->diags, SOM_IMPORT_NO_LIBRARY, (SomSpan){0},
                   "there is no library of modules with '%.*s': '%s' is missing", SOM_STR_ARG(name),
                   path.data);
    } else if (som_file_load(path.data, SOM_FILE_LIMIT, &text, importer->diags)) {
        SomStr kept = som_arena_copy(importer->texts, som_text_str(&text));
        uint32_t source1 = som_diagnostics_add_source(importer->diags, som_text_str(&path), kept);
        file.m3l = som_m3l_read(kept, source1, importer->diags);
    }
    som_array_push(&importer->library, file);
    som_text_free(&path);
    som_text_free(&text);
    return file.m3l;
}

void som_importer_use(SomImporter *importer, SomStr path) {
    for (int i = 0; i < importer->uses.count; i++) {
        if (som_str_equal(importer->uses.data[i], path)) {
            return;
        }
    }
    som_array_push(&importer->uses, som_arena_copy(&importer->arena, path));
}

static bool is_taken(const SomImporter *importer, SomStr name) {
    for (int i = 0; i < importer->names.count; i++) {
        if (som_str_equal(importer->names.data[i], name)) {
            return true;
        }
    }
    return false;
}

void som_importer_reserve(SomImporter *importer, SomStr name) {
    if (!is_taken(importer, name)) {
        som_array_push(&importer->names, som_arena_copy(&importer->arena, name));
    }
}

SomStr som_importer_name(SomImporter *importer, SomStr wanted) {
    SomText name = {0};
    bool has_none = wanted.length == 0 || som_str_equal(wanted, SOM_STR("<stdin>"));
    som_text_add(&name, has_none ? SOM_STR("imported") : wanted);
    size_t length = name.length;
    for (int number = 2; is_taken(importer, som_text_str(&name)); number++) {
        name.length = length;
        som_text_printf(&name, "_%d", number);
    }
    SomStr kept = som_arena_copy(&importer->arena, som_text_str(&name));
    som_array_push(&importer->names, kept);
    som_text_free(&name);
    return kept;
}

void som_importer_count(SomImporter *importer, SomStr name, int modules) {
    if (importer->result->config_count++ == 0) {
        som_text_add(&importer->result->config, name);
        importer->result->module_count = modules;
    }
}

// Registers a text that stays.
static bool keep(SomImporter *importer, SomStr path, SomText *text, SomImportFile *file) {
    SomStr shown = som_str_equal(path, SOM_STR("-")) ? SOM_STR("<stdin>") : path;
    bool is_xml = som_xml_sniff(som_text_str(text)).length > 0 || text->length < 2 ||
                  memchr(text->data, 0, 2) != NULL || (unsigned char)text->data[0] >= 0xef;
    if (is_xml && !som_xml_decode(shown, text, importer->diags)) {
        return false;
    }
    file->path = som_arena_copy(&importer->arena, shown);
    file->text = som_arena_copy(importer->texts, som_text_str(text));
    file->source1 = som_diagnostics_add_source(importer->diags, shown, file->text);
    return som_source_check(file->text, file->source1, importer->diags);
}

bool som_importer_load(SomImporter *importer, SomStr path, SomImportFile *file) {
    SomStr terminated = som_arena_copy(&importer->arena, path);
    SomText text = {0};
    bool is_loaded = false;
    for (int i = 0; i < importer->path_count && importer->contents != NULL && !is_loaded; i++) {
        is_loaded = som_str_equal(importer->paths[i], path);
        som_text_add(&text, is_loaded ? importer->contents[i] : SOM_STR(""));
    }
    bool fine =
        (is_loaded || som_file_load(terminated.data, SOM_FILE_LIMIT, &text, importer->diags)) &&
        keep(importer, path, &text, file);
    som_text_free(&text);
    return fine;
}

// ---- formats

void som_import_patterns(SomText *out) {
    for (int i = 0; i < FORMAT_COUNT; i++) {
        bool is_known = false; // of a format before it
        for (int k = 0; k < i; k++) {
            is_known = is_known || strcmp(formats[i].ending, formats[k].ending) == 0;
        }
        if (is_known) {
            continue;
        }
        som_text_printf(out, "%s*%s", i > 0 ? " " : "", formats[i].ending);
        if (formats[i].other_ending != NULL) {
            som_text_printf(out, " *%s", formats[i].other_ending);
        }
    }
}

static bool has_ending(SomStr path, const char *ending) {
    SomStr own = som_path_extension(path);
    if (ending == NULL || own.length != strlen(ending)) {
        return false;
    }
    for (size_t i = 0; i < own.length; i++) {
        char c = own.data[i] >= 'A' && own.data[i] <= 'Z' ? (char)(own.data[i] + 32) : own.data[i];
        if (c != ending[i]) {
            return false;
        }
    }
    return true;
}

// What is in a file counts more than what it is called.
static const Format *find_format(SomStr path, SomStr text) {
    SomStr root = som_xml_sniff(text);
    for (int i = 0; i < FORMAT_COUNT; i++) {
        for (int k = 0; k < 4 && formats[i].roots[k] != NULL; k++) {
            bool is_meant = formats[i].sniff == NULL || has_ending(path, formats[i].ending) ||
                            formats[i].sniff(text); // others may begin with the same element
            if (som_str_equal(root, som_str(formats[i].roots[k])) && is_meant) {
                return &formats[i];
            }
        }
    }
    SomJsonKeys keys;
    som_json_sniff(text, &keys);
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i].sniff_json != NULL && formats[i].sniff_json(&keys)) {
            return &formats[i];
        }
    }
    for (int i = 0; i < FORMAT_COUNT; i++) {
        bool is_xml = formats[i].roots[0] != NULL; // which may begin with a document type
        if (has_ending(path, formats[i].ending) && root.length <= (is_xml ? 1 : 0) &&
            formats[i].sniff_json == NULL) {
            return &formats[i];
        }
    }
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i].sniff != NULL && formats[i].sniff(text)) {
            return &formats[i];
        }
    }
    return NULL;
}

const char *som_import_format(int index) {
    return index >= 0 && index < FORMAT_COUNT ? formats[index].name : NULL;
}

int som_import_find_format(SomStr path, SomStr text) {
    const Format *format = find_format(path, text);
    return format != NULL ? (int)(format - formats) : -1;
}

static void report_unknown(SomImporter *importer, const SomImportFile *file) {
    SomStr root = som_xml_sniff(file->text);
    SomSpan span = {file->source1, 0, 0};
    if (root.length > 1) {
        som_report(importer->diags, SOM_IMPORT_FORMAT_UNKNOWN, span,
                   "XML that begins with '%.*s' cannot be imported",
                   SOM_STR_ARG(som_str_slice(root, 0, 60)));
    } else if (som_json_begins(file->text)) {
        som_report(importer->diags, SOM_IMPORT_FORMAT_UNKNOWN, span,
                   "JSON with these members cannot be imported");
    } else {
        som_report(importer->diags, SOM_IMPORT_FORMAT_UNKNOWN, span,
                   "nothing that can be imported begins like this");
    }
    SomText list = {0};
    for (int i = 0; i < FORMAT_COUNT; i++) {
        som_text_printf(&list, "%s%s (%s", i > 0 ? ", " : "", formats[i].name, formats[i].ending);
        if (formats[i].other_ending != NULL) {
            som_text_printf(&list, ", %s", formats[i].other_ending);
        }
        som_text_add(&list, SOM_STR(")"));
    }
    som_note(importer->diags, (SomSpan){0}, "what can be: %s", list.data);
    som_text_free(&list);
}

static bool is_done(const SomImporter *importer, SomStr path) {
    for (int i = 0; i < importer->done.count; i++) {
        if (som_str_equal(importer->done.data[i], path)) {
            return true;
        }
    }
    return false;
}

// ---- the whole

static SomImporter create(const SomImportOptions *options, SomArena *texts, SomImported *result,
                          SomDiagnostics *diags) {
    *result = (SomImported){0};
    return (SomImporter){.options = options, .texts = texts, .diags = diags, .result = result};
}

void som_importer_free(SomImporter *importer) {
    for (int i = 0; i < importer->library.count; i++) {
        som_m3l_destroy(importer->library.data[i].m3l);
    }
    som_array_free(&importer->library);
    som_array_free(&importer->uses);
    som_array_free(&importer->names);
    som_array_free(&importer->done);
    som_array_free(&importer->plugins);
    som_array_free(&importer->packages);
    som_array_free(&importer->folders);
    for (int i = 0; i < importer->robots.count; i++) {
        SomImportRobot *robot = &importer->robots.data[i];
        som_array_free(&robot->modules);
        som_array_free(&robot->parts);
        som_array_free(&robot->names);
        som_array_free(&robot->gaits);
        som_array_free(&robot->gait_names);
        som_text_free(&robot->behaviors);
    }
    som_array_free(&importer->robots);
    som_array_free(&importer->trees);
    som_text_free(&importer->configs);
    som_text_free(&importer->types);
    som_array_free(&importer->type_names);
    som_array_free(&importer->used);
    som_array_free(&importer->scaled);
    som_arena_free(&importer->arena);
}

void som_importer_print(const SomImporter *importer, SomText *out) {
    SomText text = {0};
    for (int i = 0; i < importer->uses.count; i++) {
        som_write_use(&text, importer->uses.data[i]);
    }
    size_t done = 0;
    for (int i = 0; i < importer->robots.count; i++) { // behaviors go to the ends of their configs
        const SomImportRobot *robot = &importer->robots.data[i];
        som_text_add(&text, som_str_slice(som_text_str(&importer->configs), done, robot->end));
        som_text_add(&text, som_text_str(&robot->behaviors));
        done = robot->end;
    }
    SomStr rest = som_text_str(&importer->configs);
    som_text_add(&text, som_str_slice(rest, done, rest.length));
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(som_text_str(&text), &som_dialect_somite, 0, diags);
    bool is_formatted = som_som_format(tree, out);
    assert(is_formatted); // what we write is well-formed
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
}

static bool finish(SomImporter *importer, bool fine) {
    fine = fine && som_importer_finish_types(importer) &&
           som_import_trees(importer, &importer->result->som) && importer->result->config_count > 0;
    if (fine && importer->trees.count == 0) {
        som_importer_print(importer, &importer->result->som);
    }
    fine = fine && som_importer_check(importer);
    if (fine) {
        som_importer_finish_quaternions(importer);
    } else {
        som_imported_free(importer->result);
    }
    som_importer_free(importer);
    return fine;
}

// A word that is no file may be a chain, or the name of a design of the library.
static bool load_word(SomImporter *importer, SomStr path, SomImportFile *file) {
    SomStr terminated = som_arena_copy(&importer->arena, path);
    if (!som_file_exists(terminated.data) && som_chain_sniff(path)) {
        SomText text = {0};
        som_text_add(&text, path);
        bool fine = keep(importer, SOM_STR("Chain"), &text, file);
        som_text_free(&text);
        return fine;
    }
    SomText in_library = {0}; // or the name of a design
    som_path_join(&in_library, importer->options->library, SOM_STR("configs/"));
    som_text_add(&in_library, path);
    som_text_add(&in_library, SOM_STR(".som"));
    bool is_name = som_str_equal(som_path_name(path), path) &&
                   som_path_extension(path).length == 0 && !som_file_exists(terminated.data) &&
                   som_file_exists(in_library.data);
    bool fine = som_importer_load(importer, is_name ? som_text_str(&in_library) : path, file);
    som_text_free(&in_library);
    return fine;
}

// Stage by stage. What moves a robot is not looked at without a good one.
static bool read_all(SomImporter *importer, const SomImportFile *files, const bool *loaded,
                     int count) {
    const Format **found = som_alloc((size_t)count * sizeof *found + 1);
    for (int i = 0; i < count; i++) {
        found[i] = loaded[i] ? find_format(files[i].path, files[i].text) : NULL;
    }
    bool fine = true;
    for (int stage = 0; stage < STAGES && (fine || stage < COMPOSED_MOTION); stage++) {
        for (int i = 0; i < count; i++) {
            int own = found[i] != NULL ? found[i]->stage : ROBOT;
            if (!loaded[i] || own != stage || is_done(importer, importer->paths[i])) {
                continue;
            }
            if (found[i] == NULL) {
                report_unknown(importer, &files[i]);
            }
            fine = found[i] != NULL && found[i]->read(importer, &files[i]) && fine;
        }
    }
    som_free(found);
    som_timor_finish(importer);
    return fine;
}

bool som_import(const SomStr *paths, int count, const SomImportOptions *options, SomArena *texts,
                SomImported *result, SomDiagnostics *diags) {
    SomImporter importer = create(options, texts, result, diags);
    importer.paths = paths;
    importer.path_count = count;
    SomImportFile *files = som_alloc((size_t)count * sizeof *files + 1);
    bool *loaded = som_alloc((size_t)count + 1);
    bool fine = true;
    for (int i = 0; i < count; i++) {
        loaded[i] = load_word(&importer, paths[i], &files[i]);
        fine = fine && loaded[i];
    }
    fine = read_all(&importer, files, loaded, count) && fine;
    som_free(files);
    som_free(loaded);
    return finish(&importer, fine);
}

bool som_import_texts(const SomStr *paths, const SomStr *contents, int count,
                      const SomImportOptions *options, SomArena *texts, SomImported *result,
                      SomDiagnostics *diags) {
    SomImporter importer = create(options, texts, result, diags);
    importer.is_in_memory = true;
    importer.contents = contents;
    importer.paths = paths;
    importer.path_count = count;
    SomImportFile *files = som_alloc((size_t)count * sizeof *files + 1);
    bool *loaded = som_alloc((size_t)count + 1);
    bool fine = true;
    for (int i = 0; i < count; i++) {
        loaded[i] = som_importer_load(&importer, paths[i], &files[i]);
        fine = fine && loaded[i];
    }
    fine = read_all(&importer, files, loaded, count) && fine;
    som_free(files);
    som_free(loaded);
    return finish(&importer, fine);
}

bool som_import_text(SomStr path, SomStr text, const SomImportOptions *options, SomArena *texts,
                     SomImported *result, SomDiagnostics *diags) {
    return som_import_texts(&path, &text, 1, options, texts, result, diags);
}

void som_imported_free(SomImported *result) {
    som_text_free(&result->som);
    som_text_free(&result->config);
    som_array_free(&result->files);
    som_arena_free(&result->arena);
    result->config_count = result->module_count = 0;
}
