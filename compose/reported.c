// SPDX-License-Identifier: Apache-2.0
#include "compose/reported.h"

#include "base/memory.h"

static int place_slot(const SomReportedPlaces *places, SomCode code, SomSpan span) {
    uint64_t hash = (uint64_t)code * 0x9E3779B97F4A7C15u ^
                    (uint64_t)span.begin * 0xC2B2AE3D27D4EB4Fu ^
                    ((uint64_t)span.source1 << 40 | span.end) * 0x165667B19E3779F9u;
    hash ^= hash >> 29;
    int slot = (int)(hash & (uint64_t)(places->capacity - 1));
    for (;; slot = (slot + 1) & (places->capacity - 1)) {
        const SomReportedPlace *place = &places->data[slot];
        if (place->code == SOM_NO_CODE ||
            (place->code == code && place->span.begin == span.begin &&
             place->span.end == span.end && place->span.source1 == span.source1)) {
            return slot;
        }
    }
}

static void grow_places(SomReportedPlaces *places) {
    SomReportedPlaces larger = {.capacity = places->capacity > 0 ? 2 * places->capacity : 16,
                                .count = places->count};
    larger.data = som_alloc((size_t)larger.capacity * sizeof *larger.data);
    for (int i = 0; i < places->capacity; i++) {
        if (places->data[i].code != SOM_NO_CODE) {
            int slot = place_slot(&larger, places->data[i].code, places->data[i].span);
            larger.data[slot] = places->data[i];
        }
    }
    som_free(places->data);
    *places = larger;
}

bool som_reported_places_add(SomReportedPlaces *places, SomCode code, SomSpan span) {
    if (2 * places->count >= places->capacity) {
        grow_places(places);
    }
    int slot = place_slot(places, code, span);
    bool is_new = places->data[slot].code == SOM_NO_CODE;
    if (is_new) {
        places->data[slot] = (SomReportedPlace){code, span};
        places->count++;
    }
    return is_new;
}

bool som_reported_places_has(const SomReportedPlaces *places, SomCode code, SomSpan span) {
    return places->capacity > 0 && places->data[place_slot(places, code, span)].code != SOM_NO_CODE;
}

void som_reported_places_free(SomReportedPlaces *places) {
    som_free(places->data);
    *places = (SomReportedPlaces){0};
}
