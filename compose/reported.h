// compose/reported.h - which reports were made already, so that a statement that stands for many
// parts is reported once.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomReportedPlace {
    SomCode code; // 0 is free
    SomSpan span;
} SomReportedPlace;

// Which reports were made already. Zero is empty.
typedef struct SomReportedPlaces {
    SomReportedPlace *data;
    int capacity; // a power of two
    int count;
} SomReportedPlaces;

// True for the first call with this code and place.
bool som_reported_places_add(SomReportedPlaces *places, SomCode code, SomSpan span);
bool som_reported_places_has(const SomReportedPlaces *places, SomCode code, SomSpan span);
void som_reported_places_free(SomReportedPlaces *places);

#ifdef __cplusplus
}
#endif
