// compose/name_map_internal.h - names in scopes to indices, in constant time.
//
//     SomNameMap map = {0};
//     int before = som_name_map_add(&map, scope, name, index); // -1, or who has the name already
//     int index = som_name_map_find(&map, scope, name);        // -1 if nobody
//     som_name_map_free(&map);
//
// Names are borrowed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomNameMapEntry {
    SomStr name;
    int64_t scope;
    int index1; // 0 is free
} SomNameMapEntry;

// Zero is empty.
typedef struct SomNameMap {
    SomNameMapEntry *entries;
    int capacity; // a power of two
    int count;
} SomNameMap;

int som_name_map_add(SomNameMap *map, int64_t scope, SomStr name, int index);
int som_name_map_find(const SomNameMap *map, int64_t scope, SomStr name);
void som_name_map_free(SomNameMap *map);

#ifdef __cplusplus
}
#endif
