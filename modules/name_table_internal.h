// modules/name_table_internal.h - names of one scope to indices, in constant time.
//
//     SomNameTable table = {0};
//     int before = som_name_table_add(&table, name, index); // -1, or who has the name already
//     int index = som_name_table_find(&table, name);        // -1 if nobody
//     som_name_table_free(&table);
//
// Names are borrowed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

typedef struct SomNameEntry {
    SomStr name;
    int index1; // 0 is free
} SomNameEntry;

// Zero is empty.
typedef struct SomNameTable {
    SomNameEntry *entries;
    int capacity; // a power of two
    int count;
} SomNameTable;

int som_name_table_add(SomNameTable *table, SomStr name, int index);
int som_name_table_find(const SomNameTable *table, SomStr name);
void som_name_table_free(SomNameTable *table);
