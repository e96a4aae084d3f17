// report/physics_report.h - a run under physics beside what kinematics predicts of it.
//
//     SomPhysicsReport report = {0};
//     som_physics_report_predict(&report, &run, diags);    // any time after the run has begun
//     som_physics_report_compare(&report, &run, diags);    // when it is over
//     som_comparison_print(report.comparison, &text);
//     som_physics_report_save(&report, &run, &meshes, SOM_STR("walk"), "walk.html", diags);
//     som_physics_report_free(&report);
//
// Ownership: borrows the run for as long as it lives.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/link_meshes.h"
#include "report/comparison.h"
#include "simulate/physics_run.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

// Zero is empty.
typedef struct SomPhysicsReport {
    SomPrediction prediction;
    SomVerification *found;
    SomComparison *comparison; // NULL until it was compared
} SomPhysicsReport;

// With the run's own tick, so that what differs is physics.
void som_physics_report_predict(SomPhysicsReport *report, const SomPhysicsRun *run,
                                SomDiagnostics *diags);
// Verifies what was predicted, and compares.
void som_physics_report_compare(SomPhysicsReport *report, const SomPhysicsRun *run,
                                SomDiagnostics *diags);
void som_physics_report_free(SomPhysicsReport *report);

// The comparison as a page; `meshes` may be NULL. False after a report.
bool som_physics_report_save(const SomPhysicsReport *report, const SomPhysicsRun *run,
                             const SomLinkMeshes *meshes, SomStr behavior, const char *path,
                             SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
