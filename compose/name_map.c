// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/name_map_internal.h"

// FNV-1a, the scope first.
static uint64_t hash_of(int64_t scope, SomStr name) {
    uint64_t hash = 14695981039346656037u ^ ((uint64_t)scope * 0x9e3779b97f4a7c15u);
    for (size_t i = 0; i < name.length; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 1099511628211u;
    }
    return hash ^ (hash >> 29);
}

// The entry of the name, or the free one where it belongs.
static SomNameMapEntry *find_entry(const SomNameMap *map, int64_t scope, SomStr name) {
    uint64_t mask = (uint64_t)map->capacity - 1;
    for (uint64_t i = hash_of(scope, name) & mask;; i = (i + 1) & mask) {
        SomNameMapEntry *entry = &map->entries[i];
        if (entry->index1 == 0 || (entry->scope == scope && som_str_equal(entry->name, name))) {
            return entry;
        }
    }
}

static void grow(SomNameMap *map) {
    SomNameMap larger = {.capacity = map->capacity == 0 ? 64 : 2 * map->capacity,
                         .count = map->count};
    larger.entries = som_alloc(sizeof *larger.entries * (size_t)larger.capacity);
    for (int i = 0; i < map->capacity; i++) {
        const SomNameMapEntry *entry = &map->entries[i];
        if (entry->index1 != 0) {
            *find_entry(&larger, entry->scope, entry->name) = *entry;
        }
    }
    som_free(map->entries);
    *map = larger;
}

int som_name_map_add(SomNameMap *map, int64_t scope, SomStr name, int index) {
    if (2 * (map->count + 1) > map->capacity) {
        grow(map);
    }
    SomNameMapEntry *entry = find_entry(map, scope, name);
    if (entry->index1 != 0) {
        return entry->index1 - 1;
    }
    *entry = (SomNameMapEntry){name, scope, index + 1};
    map->count++;
    return -1;
}

int som_name_map_find(const SomNameMap *map, int64_t scope, SomStr name) {
    return map->capacity == 0 ? -1 : find_entry(map, scope, name)->index1 - 1;
}

void som_name_map_free(SomNameMap *map) {
    som_free(map->entries);
    *map = (SomNameMap){0};
}
