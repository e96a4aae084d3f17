// SPDX-License-Identifier: Apache-2.0
#include "report/physics_report.h"

#include "base/file.h"
#include "report/comparison_page.h"

#define SAMPLE_TIME 0.01 // second

void som_physics_report_predict(SomPhysicsReport *report, const SomPhysicsRun *run,
                                SomDiagnostics *diags) {
    SomPredictionDef def = {.graph = run->graph,
                            .servos = run->servos,
                            .initial = run->posture->values,
                            .design = run->design,
                            .tick = som_physics_run_step(run),
                            .sample_time = SAMPLE_TIME,
                            .most_time = som_physics_run_duration(run),
                            .is_excerpt = true};
    som_prediction_play(&def, &report->prediction, diags);
}

void som_physics_report_compare(SomPhysicsReport *report, const SomPhysicsRun *run,
                                SomDiagnostics *diags) {
    SomVerifyOptions options = som_verify_default_options();
    som_verify_read_settings(run->design, &options, diags);
    report->found = som_verify(&(SomVerifyDef){.mechanism = run->mechanism,
                                               .start = run->posture->values,
                                               .graph = run->graph,
                                               .options = &options,
                                               .skips_loads = true});
    report->comparison =
        som_comparison_create(&(SomComparisonDef){.mechanism = run->mechanism,
                                                  .graph = run->graph,
                                                  .prediction = &report->prediction,
                                                  .simulated = run->result,
                                                  .found = report->found,
                                                  .engine = run->engine});
}

void som_physics_report_free(SomPhysicsReport *report) {
    som_comparison_destroy(report->comparison);
    som_verification_destroy(report->found);
    som_prediction_free(&report->prediction);
}

bool som_physics_report_save(const SomPhysicsReport *report, const SomPhysicsRun *run,
                             const SomLinkMeshes *meshes, SomStr behavior, const char *path,
                             SomDiagnostics *diags) {
    SomText html = {0};
    som_comparison_page_print(&(SomComparisonPage){.comparison = report->comparison,
                                                   .simulation = run->simulation,
                                                   .design = run->design->name,
                                                   .behavior = behavior,
                                                   .run = run,
                                                   .meshes = meshes},
                              &html);
    bool is_saved = som_file_save(path, som_text_str(&html), diags);
    som_text_free(&html);
    return is_saved;
}
