// SPDX-License-Identifier: Apache-2.0
// A design for a simulator: MJCF and SDF, in a folder.

#include "base/path.h"
#include "exchange/export.h"
#include "exchange/kept_plugins.h"
#include "exchange/mjcf.h"

static SomBodyModel *make_model(const SomExport *job, const SomMechanism *mechanism,
                                bool is_centered, SomBodyContacts contacts) {
    SomBodyDef def = {.mechanism = mechanism,
                      .posture = job->posture,
                      .graph = job->graph,
                      .is_full = job->is_full,
                      .is_centered = is_centered,
                      .contacts = contacts};
    return som_body_model_create(&def);
}

static void save_names(SomExport *job, const SomBodyModel *model) {
    SomText text = {0};
    som_body_model_print_names(model, &text);
    som_export_save_in(job, SOM_STR("names.csv"), som_text_str(&text));
    som_text_free(&text);
}

void som_export_mjcf(SomExport *job) {
    SomMechanism *mechanism = som_mechanism_create(job->design);
    SomBodyModel *model = make_model(job, mechanism, true, SOM_BODY_CONTACTS_LISTED);
    SomText text = {0};
    som_body_model_report_untested(model, job->diags);
    som_mjcf_write(model, job->design->name, &text, job->diags);
    if (job->out.length == 0) {
        som_export_text(job, som_text_str(&text));
    } else if (som_export_make_folder(job, SOM_STR(".")) &&
               som_export_save_in(job, SOM_STR("model.xml"), som_text_str(&text))) {
        save_names(job, model);
    }
    som_text_free(&text);
    som_body_model_destroy(model);
    som_mechanism_destroy(mechanism);
}

void som_export_sdf(SomExport *job) {
    SomMechanism *mechanism = som_mechanism_create(job->design);
    SomBodyModel *model = make_model(job, mechanism, false, SOM_BODY_CONTACTS_PARENT);
    SomSdfDef def = {.model = model,
                     .graph = job->graph,
                     .behavior = job->behavior,
                     .trace = job->trace,
                     .version = job->sdf_version,
                     .looks = job->looks,
                     .looks_context = job->looks_context,
                     .has_plugins = job->has_plugins};
    if (!job->has_plugins) {
        som_kept_report_left_out(job->design, false, job->diags);
    }
    som_body_model_report_untested(model, job->diags);
    som_sdf_report_untested(model, job->diags);
    const SomSdfFile *files;
    int count = som_sdf_export(&def, &job->arena, &files);
    for (int i = 0; i < count; i++) {
        if (!som_export_make_folder(job, som_path_folder(files[i].path)) ||
            !som_export_save_in(job, files[i].path, files[i].content)) {
            break;
        }
    }
    som_body_model_destroy(model);
    som_mechanism_destroy(mechanism);
}
