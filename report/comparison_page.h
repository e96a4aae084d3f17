// report/comparison_page.h - prediction against physics as one HTML page: outcome, where they part,
// pictures along the run, joints as predicted and as simulated, when each action ended.
//
//     som_comparison_page_print(&(SomComparisonPage){.comparison = comparison,
//         .simulation = simulation, .design = SOM_STR("Walkbot"), .behavior = SOM_STR("walk")},
//         &html);
//
// The page needs no other file and no script. It shows the joints that are farthest from their
// prediction, up to a number, and says so.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/link_meshes.h"
#include "report/comparison.h"
#include "simulate/physics_run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_COMPARISON_PICTURES 9
#define SOM_COMPARISON_PLOTS 18
#define SOM_COMPARISON_ROWS 200 // of the table of actions

typedef struct SomComparisonPage {
    const SomComparison *comparison;
    const SomSimulation *simulation;
    SomStr design, behavior;
    const SomLinkMeshes *meshes; // may be NULL
    const SomPhysicsRun *run;    // NULL, or says which errors of the behavior were ignored
} SomComparisonPage;

void som_comparison_page_print(const SomComparisonPage *page, SomText *out);

#ifdef __cplusplus
}
#endif
