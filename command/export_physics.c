// SPDX-License-Identifier: Apache-2.0
// somite export --to mjcf|sdf: a design for a simulator.

#include "base/file.h"
#include "base/path.h"
#include "command/export.h"
#include "command/picture.h"
#include "exchange/mjcf.h"
#include "exchange/sdf.h"

#include <stdio.h>

static SomBodyModel *make_model(const SomExportJob *job, const SomMechanism *mechanism,
                                bool is_centered) {
    SomBodyDef def = {.mechanism = mechanism,
                      .posture = job->posture,
                      .graph = job->graph,
                      .is_full = som_command_has(job->command, "full"),
                      .is_centered = is_centered};
    return som_body_model_create(&def);
}

static bool save_in(SomExportJob *job, const char *name, SomStr content) {
    SomText path = {0};
    som_path_join(&path, som_str(job->out), som_str(name));
    bool is_saved = som_export_save(job, path.data, content);
    som_text_free(&path);
    return is_saved;
}

static void save_names(SomExportJob *job, const SomBodyModel *model) {
    SomText text = {0};
    som_body_model_print_names(model, &text);
    save_in(job, "names.csv", som_text_str(&text));
    som_text_free(&text);
}

void som_export_mjcf(SomExportJob *job) {
    SomMechanism *mechanism = som_mechanism_create(job->design);
    SomBodyModel *model = make_model(job, mechanism, true);
    SomText text = {0};
    som_mjcf_write(model, job->design->name, &text, job->command->diags);
    if (job->out == NULL) {
        som_export_text(job, som_text_str(&text));
    } else if (som_file_make_folder(job->out, job->command->diags) &&
               save_in(job, "model.xml", som_text_str(&text))) {
        save_names(job, model);
    }
    som_text_free(&text);
    som_body_model_destroy(model);
    som_mechanism_destroy(mechanism);
}

// ---- SDF

// "1.9" is 9; 0 after a complaint.
static int read_version(SomCommand *command) {
    const char *text = som_command_value(command, "sdf-version");
    for (int version = SOM_SDF_OLDEST; text != NULL && version <= SOM_SDF_NEWEST; version++) {
        char name[8];
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

static const SomMesh *find_looks(const void *context, const SomModuleLink *link) {
    return som_link_meshes_find(context, link);
}

static void save_files(SomExportJob *job, const SomSdfDef *def) {
    const SomSdfFile *files;
    int count = som_sdf_export(def, &job->command->arena, &files);
    SomText folder = {0};
    for (int i = 0; i < count; i++) {
        som_text_clear(&folder);
        som_path_join(&folder, som_str(job->out), som_path_folder(files[i].path));
        if (!som_file_make_folder(folder.data, job->command->diags) ||
            !save_in(job, files[i].path.data, files[i].content)) {
            break;
        }
    }
    som_text_free(&folder);
}

void som_export_sdf(SomExportJob *job) {
    SomCommand *command = job->command;
    int version = read_version(command);
    const char *behavior = som_command_value(command, "behavior"),
               *trace = som_command_value(command, "trace");
    if (version == 0) {
        return;
    }
    SomMechanism *mechanism = som_mechanism_create(job->design);
    SomBodyModel *model = make_model(job, mechanism, false);
    SomLinkMeshes meshes = {0};
    som_link_meshes_load(&meshes, job->design, command->workspace, command->diags);
    SomSdfDef def = {.model = model,
                     .graph = job->graph,
                     .behavior = behavior != NULL ? som_str(behavior) : (SomStr){0},
                     .trace = trace != NULL ? som_str(trace) : (SomStr){0},
                     .version = version,
                     .looks = find_looks,
                     .looks_context = &meshes};
    int untested = som_sdf_untested_pairs(model);
    if (untested > 0) {
        som_report(command->diags, SOM_EXPORT_PAIRS_UNTESTED, (SomSpan){0},
                   "%d pair%s of bodies of '%.*s' can pass through each other in Gazebo", untested,
                   untested == 1 ? "" : "s", SOM_STR_ARG(job->design->name));
    }
    save_files(job, &def);
    som_link_meshes_free(&meshes);
    som_body_model_destroy(model);
    som_mechanism_destroy(mechanism);
}
