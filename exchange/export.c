// SPDX-License-Identifier: Apache-2.0
#include "exchange/export.h"

#include "base/file.h"
#include "base/path.h"
#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "behaviors/static_rule.h"
#include "exchange/bt.h"
#include "exchange/graph_svg.h"
#include "player/graph_text.h"

// ---- formats

static void write_graph(SomExport *job) {
    size_t length = som_graph_text_write(job->graph, NULL, 0);
    char *buffer = som_alloc(length + 1);
    som_graph_text_write(job->graph, buffer, length + 1);
    som_export_text(job, (SomStr){buffer, length});
    som_free(buffer);
}

static void write_tree(SomExport *job) {
    SomText xml = {0};
    som_bt_write(&(SomBtDef){.graph = job->graph, .design = job->design, .call = job->behavior},
                 &xml);
    som_export_text(job, som_text_str(&xml));
    som_text_free(&xml);
}

// Times are those of the prediction, of at most a minute.
static void write_svg(SomExport *job) {
    SomServoModel *servos = som_compile_servos(job->design);
    SomPrediction prediction = {0};
    SomPredictionDef def = {.graph = job->graph,
                            .servos = servos,
                            .design = job->design,
                            .initial = job->posture->values,
                            .most_time = 60,
                            .is_excerpt = true,
                            .sample_time = 60};
    SomText svg = {0};
    som_prediction_play(&def, &prediction, job->diags);
    som_graph_svg(&(SomGraphSvgDef){.graph = job->graph,
                                    .design = job->design,
                                    .prediction = &prediction,
                                    .title = job->behavior},
                  &svg);
    som_export_text(job, som_text_str(&svg));
    som_text_free(&svg);
    som_prediction_free(&prediction);
    som_free(servos);
}

static const SomExportFormat formats[] = {
    {"svg", "picture of a behavior, with the times of its actions", ".svg", true, false, false,
     false, write_svg},
    {"graph", "compiled behavior, as text that a player reads", ".graph", true, false, false, false,
     write_graph},
    {"bt", "behavior tree for BehaviorTree.CPP and Groot", ".xml", true, false, false, false,
     write_tree},
    {"mjcf", "robot and ground for MuJoCo", NULL, false, false, false, true, som_export_mjcf},
    {"sdf", "robot, and a world with it, for Gazebo", NULL, false, true, true, true,
     som_export_sdf},
    {"c", "behavior for a microcontroller: tables, player and loop in C", NULL, true, true, false,
     false, som_export_c},
    {"urdf", "robot for ROS, MoveIt and others that read URDF", NULL, false, true, true, true,
     som_export_urdf},
};

const SomExportFormat *som_export_formats(int *count) {
    *count = (int)(sizeof formats / sizeof *formats);
    return formats;
}

const SomExportFormat *som_export_find(SomStr name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (som_str_equal(som_str(formats[i].name), name)) {
            return &formats[i];
        }
    }
    return NULL;
}

// ---- files

bool som_export_save(SomExport *job, SomStr path, SomStr content) {
    SomExportFile file = {.path = som_arena_copy(&job->arena, path),
                          .content = som_arena_copy(&job->arena, content)};
    som_array_push(&job->planned, file);
    return true;
}

bool som_export_save_in(SomExport *job, SomStr name, SomStr content) {
    SomText path = {0};
    som_path_join(&path, job->out, name);
    bool is_saved = som_export_save(job, som_text_str(&path), content);
    som_text_free(&path);
    return is_saved;
}

bool som_export_make_folder(SomExport *job, SomStr name) {
    SomText path = {0};
    if (som_str_equal(name, SOM_STR("."))) {
        som_text_add(&path, job->out);
    } else {
        som_path_join(&path, job->out, name);
    }
    SomExportFile folder = {.path = som_arena_copy(&job->arena, som_text_str(&path)),
                            .is_folder = true};
    som_array_push(&job->planned, folder);
    som_text_free(&path);
    return true;
}

// Before the first of them is written: one that is in the way must not leave half of the others.
static bool can_write(SomExport *job) {
    for (int i = 0; i < job->planned.count; i++) {
        const SomExportFile *file = &job->planned.data[i];
        if (!file->is_folder && !job->may_replace &&
            !som_file_is_free(file->path.data, job->diags)) {
            return false;
        }
    }
    return true;
}

static bool write_planned(SomExport *job) {
    for (int i = 0; i < job->planned.count; i++) {
        const SomExportFile *file = &job->planned.data[i];
        bool is_cancelled = job->is_cancelled != NULL && job->is_cancelled(job->context);
        if (is_cancelled ||
            !(file->is_folder ? som_file_make_folder(file->path.data, job->diags)
                              : som_file_save(file->path.data, file->content, job->diags))) {
            return false;
        }
        if (!file->is_folder) {
            som_array_push(&job->files, file->path);
        }
    }
    return true;
}

bool som_export_text(SomExport *job, SomStr text) {
    if (job->out.length > 0) {
        return som_export_save(job, job->out, text);
    }
    som_text_add(&job->text, text);
    return true;
}

// ---- the job

// The graph of the behavior, if it may be written. False after a report.
static bool compile(SomExport *job) {
    if (job->behavior.length == 0) {
        return true;
    }
    SomCompileDef compile_def = {
        .workspace = job->workspace, .configuration = job->design, .diags = job->diags};
    job->graph = som_compile_call(&compile_def, job->behavior);
    if (job->graph == NULL) {
        return false;
    }
    SomServoModel *servos = som_compile_servos(job->design);
    SomStaticDef def = {.graph = job->graph,
                        .servos = servos,
                        .initial = job->posture->values,
                        .design = job->design,
                        .tick = job->tick};
    bool is_allowed = som_static_allows(&def, job->is_forced, &job->ignored_errors, job->diags);
    som_free(servos);
    return is_allowed;
}

bool som_export(const SomExportFormat *format, SomExport *job) {
    int errors = som_diagnostics_error_count(job->diags);
    if (compile(job)) {
        format->write(job);
    }
    bool is_fine = som_diagnostics_error_count(job->diags) == errors;
    return is_fine && can_write(job) && write_planned(job);
}

void som_export_free(SomExport *job) {
    som_action_graph_destroy(job->graph);
    som_text_free(&job->text);
    som_array_free(&job->files);
    som_array_free(&job->planned);
    som_arena_free(&job->arena);
}
