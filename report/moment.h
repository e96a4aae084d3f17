// report/moment.h - pictures of a robot at moments of a motion, for a page.
//
//     SomMoment moments[] = {{.time = 1.2, .caption = SOM_STR("the feet touch"),
//                             .subjects = paths, .subject_count = 2}};
//     som_moments_print(&(SomMomentDef){.mechanism = mechanism, .prediction = &prediction},
//                       moments, 1, &html);
//
// The modules of the subjects stand out in red. Where there is no GL, the page says so.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/prediction.h"
#include "compose/mechanism.h"
#include "render/link_meshes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomMoment {
    double time; // NAN: the start
    SomStr caption;
    const SomStr *subjects; // paths of modules, of their links or DoF, or of parts
    int subject_count;
} SomMoment;

typedef struct SomMomentDef {
    const SomMechanism *mechanism;
    const double *start;             // one value a DoF; NULL: as the design starts
    const SomPrediction *prediction; // NULL: always the start
    const SomLinkMeshes *meshes;     // may be NULL
    int width, height;               // pixels; 0: 640 x 400
} SomMomentDef;

void som_moments_print(const SomMomentDef *def, const SomMoment *moments, int count, SomText *out);

#ifdef __cplusplus
}
#endif
