// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "modules/name_table_internal.h"

#include <stdint.h>

static uint32_t hash(SomStr name) {
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < name.length; i++) {
        h = (h ^ (unsigned char)name.data[i]) * 16777619u;
    }
    return h ^ h >> 15;
}

static SomNameEntry *find_slot(const SomNameTable *table, SomStr name) {
    uint32_t mask = (uint32_t)table->capacity - 1;
    uint32_t i = hash(name) & mask;
    while (table->entries[i].index1 != 0 && !som_str_equal(table->entries[i].name, name)) {
        i = (i + 1) & mask;
    }
    return &table->entries[i];
}

static void grow(SomNameTable *table) {
    SomNameTable larger = {.capacity = table->capacity > 0 ? 2 * table->capacity : 16,
                           .count = table->count};
    larger.entries = som_alloc((size_t)larger.capacity * sizeof *larger.entries);
    for (int i = 0; i < table->capacity; i++) {
        if (table->entries[i].index1 != 0) {
            *find_slot(&larger, table->entries[i].name) = table->entries[i];
        }
    }
    som_free(table->entries);
    *table = larger;
}

int som_name_table_add(SomNameTable *table, SomStr name, int index) {
    if (2 * (table->count + 1) > table->capacity) {
        grow(table);
    }
    SomNameEntry *slot = find_slot(table, name);
    if (slot->index1 != 0) {
        return slot->index1 - 1;
    }
    *slot = (SomNameEntry){name, index + 1};
    table->count++;
    return -1;
}

int som_name_table_find(const SomNameTable *table, SomStr name) {
    return table->capacity > 0 ? find_slot(table, name)->index1 - 1 : -1;
}

void som_name_table_free(SomNameTable *table) {
    som_free(table->entries);
    *table = (SomNameTable){0};
}
