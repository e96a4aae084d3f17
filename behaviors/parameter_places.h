// behaviors/parameter_places.h - what can be given for a parameter that stands for a joint or part.
//
//     SomParameterPlaces places = {.configuration = c, .parameter = &params[0], .part = 0};
//     SomText path = {0};
//     while (som_parameter_places_next(&places, &path)) { ... path: "front.hip" ... }
//     som_text_free(&path);
//
// Joints come in the order of the design, parts from the outside in. Paths are those of the whole.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomParameterPlaces {
    const SomConfiguration *configuration;
    const SomParameter *parameter;
    int part; // only what is in this part, or the part itself; 0: in the whole
    int next; // from 0
} SomParameterPlaces;

// Is the part of the type that the parameter asks for?
bool som_parameter_fits_part(const SomConfiguration *configuration, const SomParameter *parameter,
                             int part);

// The next path; false after the last one.
bool som_parameter_places_next(SomParameterPlaces *places, SomText *path);

#ifdef __cplusplus
}
#endif
