// SPDX-License-Identifier: Apache-2.0
// somite export --to mjcf: a design for a simulator.

#include "base/file.h"
#include "base/path.h"
#include "command/export.h"
#include "exchange/mjcf.h"

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
