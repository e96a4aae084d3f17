// report/moment.h - pictures of a robot at moments of a motion, for a page.
//
//     SomArtist *artist = som_artist_create(24);   // pictures, at most
//     SomMoment moments[] = {{.time = 1.2, .caption = SOM_STR("the feet touch"),
//                             .subjects = paths, .subject_count = 2}};
//     som_moments_print(artist, &(SomMomentDef){.mechanism = mechanism, .prediction = &prediction},
//                       moments, 1, &html);
//     som_artist_destroy(artist);
//
// The modules of the subjects stand out in red. Where there is no GL, the page says so, once.

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
    const SomPose *links; // where they are, as under physics; NULL: as the time says
} SomMoment;

typedef struct SomMomentDef {
    const SomMechanism *mechanism;
    const double *start;             // one value a DoF; NULL: as the design starts
    const SomPrediction *prediction; // NULL: always the start
    const SomLinkMeshes *meshes;     // may be NULL
    int width, height;               // pixels; 0: 560 x 350
    bool stays;                      // the camera: it sees all of the moments at once
} SomMomentDef;

// Draws the pictures of one page.
typedef struct SomArtist SomArtist;

SomArtist *som_artist_create(int most);
void som_artist_destroy(SomArtist *artist);

// Pictures that somebody wanted and that are not on the page.
void som_artist_refuse(SomArtist *artist, int count);
int som_artist_refused(const SomArtist *artist);

void som_moments_print(SomArtist *artist, const SomMomentDef *def, const SomMoment *moments,
                       int count, SomText *out);

#ifdef __cplusplus
}
#endif
