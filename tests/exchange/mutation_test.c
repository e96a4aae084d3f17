// Mutated files of every format that can be imported: no crash, bounded time and memory, and what
// an import writes passes the check of designs. See tests/mutation.h.

// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "base/path.h"
#include "compose/workspace.h"
#include "exchange/import.h"
#include "tests/mutate.h"
#include "tests/mutation.h"
#include "verify/check_file.h"

#include <stdio.h>
#include <string.h>

#define MAX_SEEDS 128
#define LONGEST_SEED 8000 // bytes: larger ones test limits, and take their time
#define SEEDS "tests/exchange/seeds"
#define GOLDEN "tests/golden/diagnostics"
#define CORPUS "tests/fuzz/corpus/"

// A format, files of it, and what an import of them needs besides.
typedef struct Source {
    const char *format; // as in the table of exchange/import.c
    const char *path;   // of files without an ending
    struct {
        const char *folder, *ending;
    } seeds[6];
    const char *besides[3]; // files of tests/exchange/seeds
} Source;

static const Source sources[] = {
    {"SMORES structure",
     "robot.struct",
     {{SEEDS, ".struct"}, {GOLDEN, ".struct"}, {CORPUS "struct", ""}},
     {NULL}},
    {"SMORES configuration",
     "robot.conf",
     {{SEEDS, ".conf"}, {GOLDEN, ".conf"}, {CORPUS "conf", ""}},
     {NULL}},
    {"VSPARC configuration", "robot.xml", {{GOLDEN, ".xml"}, {CORPUS "vsparc", ""}}, {NULL}},
    {"CKBot robot",
     "robot.ckbot",
     {{SEEDS, ".ckbot"}, {GOLDEN, ".ckbot"}, {CORPUS "ckbot", ""}},
     {NULL}},
    {"HEBI robot",
     "robot.hrdf",
     {{SEEDS, ".hrdf"}, {GOLDEN, ".hrdf"}, {CORPUS "hrdf", ""}},
     {NULL}},
    {"SDF models", "robot.sdf", {{SEEDS, ".sdf"}, {GOLDEN, ".sdf"}, {CORPUS "sdf", ""}}, {NULL}},
    {"chain of modules", "robot.chain", {{GOLDEN, ".chain"}, {CORPUS "chain", ""}}, {NULL}},
    {"URDF",
     "robot.urdf",
     {{SEEDS, ".urdf"},
      {SEEDS, ".xacro"},
      {GOLDEN, ".urdf"},
      {GOLDEN, ".xacro"},
      {CORPUS "urdf", ""},
      {CORPUS "xacro", ""}},
     {NULL}},
    {"M3L robots", "robot.m3l", {{GOLDEN, ".m3l"}, {CORPUS "robots", ""}}, {NULL}},
    {"Timor modules",
     "modules.json",
     {{SEEDS, ".json"}, {GOLDEN, ".timor"}, {CORPUS "timor", ""}},
     {NULL}},
    {"Timor assembly",
     "assembly.json",
     {{SEEDS, ".json"}, {GOLDEN, ".timor"}, {CORPUS "timor", ""}},
     {"modules.json"}},
    {"RoFI world",
     "world.json",
     {{SEEDS, ".rofi"}, {GOLDEN, ".rofi"}, {CORPUS "rofi", ""}},
     {NULL}},
    {"Somite design", "small.som", {{SEEDS, ".som"}}, {"tree.xml"}},
    {"SMORES control",
     "walk.control",
     {{SEEDS, ".control"}, {CORPUS "control", ""}},
     {"robot.struct"}},
    {"SMORES gait", "walk.gait", {{SEEDS, ".gait"}, {CORPUS "gait", ""}}, {"robot.conf"}},
    {"VSPARC behavior", "walk.xml", {{GOLDEN, ".xml"}, {CORPUS "vsparc", ""}}, {NULL}},
    {"table of joints", "walk.csv", {{SEEDS, ".csv"}, {CORPUS "joint_table", ""}}, {"robot.conf"}},
    {"behavior tree", "walk.xml", {{SEEDS, ".xml"}, {CORPUS "bt", ""}}, {"small.som"}},
};
#define SOURCE_COUNT ((int)(sizeof sources / sizeof *sources))

// ---- seeds

typedef struct Seed {
    SomText path;   // as it is given to the import
    SomText origin; // in the source tree
    SomText text;
} Seed;

typedef struct Format {
    const Source *source;
    Seed seeds[MAX_SEEDS];
    int seed_count;
    int good[MAX_SEEDS]; // seeds that can be imported
    int good_count;
    SomText besides[3];
    int beside_count;
} Format;

static void free_seed(Seed *seed) {
    som_text_free(&seed->path);
    som_text_free(&seed->origin);
    som_text_free(&seed->text);
}

static void add_seed(Format *format, const char *folder, const char *name, int wanted) {
    Seed seed = {0};
    som_text_printf(&seed.origin, "%s/%s", folder, name);
    seed.text = som_test_seed_text(seed.origin.data);
    bool has_ending = som_path_extension(som_str(name)).length > 0;
    som_text_add(&seed.path, som_str(has_ending ? name : format->source->path));
    if (seed.text.length <= LONGEST_SEED &&
        som_import_find_format(som_text_str(&seed.path), som_text_str(&seed.text)) == wanted) {
        ck_assert_int_lt(format->seed_count, MAX_SEEDS);
        format->seeds[format->seed_count++] = seed;
    } else {
        free_seed(&seed);
    }
}

static void load(Format *format, const Source *source, int wanted) {
    *format = (Format){.source = source};
    for (int i = 0; i < 6 && source->seeds[i].folder != NULL; i++) {
        static char names[256][128];
        const char *folder = source->seeds[i].folder;
        int count = som_test_seed_names(folder, source->seeds[i].ending, names, 256);
        for (int k = 0; k < count; k++) {
            add_seed(format, folder, names[k], wanted);
        }
    }
    for (int i = 0; i < 3 && source->besides[i] != NULL; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", SEEDS, source->besides[i]);
        format->besides[format->beside_count++] = som_test_seed_text(path);
    }
}

static void discard(Format *format) {
    for (int i = 0; i < format->seed_count; i++) {
        free_seed(&format->seeds[i]);
    }
    for (int i = 0; i < format->beside_count; i++) {
        som_text_free(&format->besides[i]);
    }
}

// ---- imports

// What is written is checked as a file would be that is opened.
static void check_written(const SomImported *result, SomStr path, SomStr text, SomText *problem) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), diags);
    if (som_str_ends_with(path, SOM_STR(".m3l"))) { // which is used
        som_workspace_open_text(workspace, path, text);
    }
    for (int i = 0; i < result->files.count; i++) {
        const SomImportedFile *file = &result->files.data[i];
        if (som_str_ends_with(file->path, SOM_STR(".m3l"))) { // meshes are not looked at
            som_workspace_open_text(workspace, file->path, file->content);
        }
    }
    int file =
        som_workspace_open_text(workspace, SOM_STR("imported.som"), som_text_str(&result->som));
    if (file >= 0) {
        som_check_file(workspace, file, diags);
    }
    if (file < 0 || som_diagnostics_error_count(diags) > 0) {
        som_text_add(problem, SOM_STR("what was written fails the check:\n"));
        som_diagnostics_print(diags, 5, problem);
    }
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}

// True if it is imported.
static bool import(const Format *format, SomStr path, SomStr text, SomText *problem) {
    SomStr paths[4] = {path}, contents[4] = {text};
    int count = 1;
    for (int i = 0; i < format->beside_count; i++, count++) {
        paths[count] = som_str(format->source->besides[i]);
        contents[count] = som_text_str(&format->besides[i]);
    }
    SomStr search = SOM_STR(SOM_SOURCE "/" GOLDEN);
    SomImportOptions options = {
        .library = SOM_STR(SOM_SOURCE "/library"), .searches = &search, .search_count = 1};
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomText shown = {0};
    SomImported result = {0};
    bool fine = som_import_texts(paths, contents, count, &options, &texts, &result, diags);
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 20, &shown);
    if (fine != (som_diagnostics_error_count(diags) == 0)) {
        som_text_printf(problem, "%s: %s", fine ? "imported after errors" : "refused without one",
                        som_text_str(&shown).data);
    } else if (fine) {
        check_written(&result, path, text, problem);
    }
    som_text_free(&shown);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return fine;
}

// ---- cases

// Mostly one that can be imported, of which more is read.
static const Seed *choose_seed(const Format *format, SomTestRandom *random) {
    if (som_test_int(random, 0, 3) > 0) {
        return &format->seeds[format->good[som_test_int(random, 0, format->good_count - 1)]];
    }
    return &format->seeds[som_test_bits(random) % (uint64_t)format->seed_count];
}

static void make(void *context, SomTestRandom *random, SomText *input, SomText *origin) {
    const Format *format = context;
    const Seed *seed = choose_seed(format, random), *other = choose_seed(format, random);
    som_text_add(origin, som_text_str(&seed->origin));
    som_test_mutate(random, som_text_str(&seed->text), som_text_str(&other->text), input);
}

static void run(void *context, SomTestRandom *random, SomStr input, SomText *problem) {
    (void)random;
    const Format *format = context;
    import(format, som_str(format->source->path), input, problem);
}

// How many cases failed.
static int mutate_format(const Source *source) {
    Format format;
    int wanted = 0;
    while (strcmp(som_import_format(wanted), source->format) != 0) {
        wanted++;
        ck_assert_msg(som_import_format(wanted) != NULL, "no format '%s'", source->format);
    }
    load(&format, source, wanted);
    int failures = 0;
    SomText problem = {0};
    for (int i = 0; i < format.seed_count; i++) {
        const Seed *seed = &format.seeds[i];
        if (import(&format, som_text_str(&seed->path), som_text_str(&seed->text), &problem)) {
            format.good[format.good_count++] = i;
        }
        if (problem.length > 0) {
            fprintf(stderr, "%s: %s\n", seed->origin.data, problem.data);
            failures++;
        }
        som_text_clear(&problem);
    }
    ck_assert_msg(format.good_count > 0, "no seed of '%s' can be imported", source->format);
    SomMutation mutation = {.name = source->format,
                            .count = som_test_count(200, 2000),
                            .context = &format,
                            .make = make,
                            .run = run};
    failures += som_test_run_mutations(&mutation);
    discard(&format);
    som_text_free(&problem);
    return failures;
}

// ---- tests

START_TEST(every_format_has_seeds) {
    for (int i = 0; som_import_format(i) != NULL; i++) {
        bool has_seeds = false;
        for (int k = 0; k < SOURCE_COUNT; k++) {
            has_seeds = has_seeds || strcmp(som_import_format(i), sources[k].format) == 0;
        }
        ck_assert_msg(has_seeds, "add files of the format '%s' to this test", som_import_format(i));
    }
}
END_TEST

START_TEST(mutated_files_are_imported_or_refused) {
    int failures = 0;
    for (int i = 0; i < SOURCE_COUNT; i++) {
        failures += mutate_format(&sources[i]);
    }
    ck_assert_int_eq(failures, 0);
}
END_TEST

SOM_SUITE("exchange/mutation", every_format_has_seeds, mutated_files_are_imported_or_refused)
