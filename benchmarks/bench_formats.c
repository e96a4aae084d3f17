// SPDX-License-Identifier: Apache-2.0
// What `somite export` writes of the Walkbot and of snakes, read again: URDF by our import and by
// urdfdom, SDF by ours and by libsdformat. An import does more than the two: the model becomes a
// module type in M3L, in canonical form, and a config. A module has at most 256 links, so the
// longest snake has 252 modules. Growth is to be linear.

#include "behaviors/compile.h"
#include "benchmarks/bench.h"
#include "benchmarks/peer_formats.h"
#include "compose/workspace.h"
#include "exchange/import.h"
#include "exchange/sdf.h"
#include "exchange/urdf.h"

#include <assert.h>
#include <stdio.h>

#define SIZES 3

static const int sizes[SIZES] = {15, 63, 252};

typedef struct File {
    SomStr name;
    SomText text;
    int (*peer)(const char *text);
} File;

// ---- files

static void write_files(const SomMechanism *mechanism, const SomActionGraph *graph,
                        SomDiagnostics *diags, File *urdf, File *sdf) {
    SomBodyDef def = {.mechanism = mechanism, .graph = graph};
    SomBodyModel *model = som_body_model_create(&def);
    som_sdf_write_model(&(SomSdfDef){.model = model}, &sdf->text);
    som_body_model_destroy(model);
    def.joins_docks = def.keeps_root = true;
    model = som_body_model_create(&def);
    som_urdf_write(&(SomUrdfDef){.model = model}, &urdf->text, diags);
    som_body_model_destroy(model);
}

// A design of the library by its name, or a text, with the joints that a behavior moves.
static void make_files(const char *name, SomStr text, const char *call, File *urdf, File *sdf) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), diags);
    int file = text.length > 0 ? som_workspace_open_text(workspace, som_str(name), text)
                               : som_workspace_open(workspace, som_str(name));
    SomConfiguration *design = som_configuration_compose(workspace, file, SOM_STR(""), diags);
    assert(design != NULL);
    SomCompileDef def = {.workspace = workspace, .configuration = design, .diags = diags};
    SomActionGraph *graph = som_compile_call(&def, som_str(call));
    assert(graph != NULL);
    SomMechanism *mechanism = som_mechanism_create(design);
    write_files(mechanism, graph, diags, urdf, sdf);
    som_mechanism_destroy(mechanism);
    som_action_graph_destroy(graph);
    som_configuration_destroy(design);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}

static void make_snake(int modules, File *urdf, File *sdf) {
    SomText text = {0};
    som_text_printf(&text,
                    "use \"smores.m3l\"\n"
                    "config Snake {\n"
                    "    part m[%d] : SMORES\n"
                    "    connect m[i].B to m[i+1].T for i in 1..%d\n"
                    "    behavior wave = parallel(for i in 1..%d: m[i].tilt to 10deg)\n"
                    "}\n",
                    modules, modules - 1, modules);
    make_files("snake.som", som_text_str(&text), "wave", urdf, sdf);
    som_text_free(&text);
}

// ---- the work

static void read_ours(SomBench *bench, void *context) {
    const File *file = context;
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImportOptions options = {.library = SOM_STR(SOM_SOURCE "/library")};
    SomImported result;
    bool fine =
        som_import_text(file->name, som_text_str(&file->text), &options, &texts, &result, diags);
    if (!fine) {
        SomText words = {0};
        som_diagnostics_print(diags, 0, &words);
        fprintf(stderr, "formats: %s", words.data);
        som_text_free(&words);
    }
    som_bench_keep(bench, (double)result.som.length);
    som_imported_free(&result);
    som_arena_free(&texts);
    som_diagnostics_destroy(diags);
}

static void read_theirs(SomBench *bench, void *context) {
    const File *file = context;
    int links = file->peer(file->text.data);
    assert(links > 0);
    som_bench_keep(bench, links);
}

// Our seconds.
static double run_file(SomBench *bench, const char *what, const char *peer, int size, File *file) {
    double ours = som_bench_seconds(bench, read_ours, file);
    double theirs = file->peer != NULL ? som_bench_seconds(bench, read_theirs, file) : 0;
    som_bench_row(bench, what, size, ours, theirs > 0 ? peer : NULL, theirs);
    som_text_free(&file->text);
    return ours;
}

static void begin(File *urdf, File *sdf) {
    *urdf = (File){.name = SOM_STR("robot.urdf")};
    *sdf = (File){.name = SOM_STR("model.sdf")};
#ifdef SOM_HAVE_URDFDOM
    urdf->peer = som_peer_urdfdom_read;
#endif
#ifdef SOM_HAVE_SDFORMAT12
    sdf->peer = som_peer_sdformat_read;
#endif
}

void som_bench_formats(SomBench *bench) {
    File urdf, sdf;
    begin(&urdf, &sdf);
    make_files("walkbot", (SomStr){0}, "walk", &urdf, &sdf);
    run_file(bench, "URDF of the Walkbot", "urdfdom", 1, &urdf);
    run_file(bench, "SDF of the Walkbot", "libsdformat", 1, &sdf);
    double of_urdf[SIZES], of_sdf[SIZES];
    for (int i = 0; i < SIZES; i++) {
        begin(&urdf, &sdf);
        make_snake(sizes[i], &urdf, &sdf);
        of_urdf[i] = run_file(bench, "URDF of a snake", "urdfdom", sizes[i], &urdf);
        of_sdf[i] = run_file(bench, "SDF of a snake", "libsdformat", sizes[i], &sdf);
    }
    double longer = (double)sizes[1] / sizes[2];
    som_bench_target(bench, "URDF: growth from 63 of the time for each module", sizes[2],
                     of_urdf[2] / of_urdf[1] * longer, "times", SOM_AT_MOST, 1.5);
    som_bench_target(bench, "SDF: growth from 63 of the time for each module", sizes[2],
                     of_sdf[2] / of_sdf[1] * longer, "times", SOM_AT_MOST, 1.5);
}
