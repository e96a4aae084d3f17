// linkage/name_index.h - names of a linkage: each text once, and who bears it in which scope.
//
//     uint32_t text1 = som_names_intern(&names, SOM_STR("knee"));
//     som_names_put(&names, scope, text1, slot);
//     int slot = som_names_find(&names, scope, SOM_STR("knee")); // -1 if nobody
//
// All of it is flat memory, so copying it is a few copies of memory. Texts stay until the index is
// freed: there are no more of them than names that were ever given. Private to linkage/.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <stdint.h>

typedef struct SomNameText {
    uint32_t offset, length, hash;
} SomNameText;

typedef struct SomNameBearer {
    uint64_t key; // scope and text1; 0 is free
    uint32_t slot;
} SomNameBearer;

// Zero is empty.
typedef struct SomNames {
    char *bytes;
    uint32_t byte_count, byte_capacity;
    SomNameText *texts;
    uint32_t text_count, text_capacity;
    uint32_t *buckets; // of texts; text1 or 0
    uint32_t bucket_count;
    SomNameBearer *bearers;
    uint32_t bearer_count, bearer_capacity;
} SomNames;

SomNames som_names_copy(const SomNames *names);
void som_names_free(SomNames *names);

uint32_t som_names_intern(SomNames *names, SomStr text); // text1, never 0
SomStr som_names_text(const SomNames *names, uint32_t text1);

void som_names_put(SomNames *names, uint32_t scope, uint32_t text1, int slot);
void som_names_remove(SomNames *names, uint32_t scope, uint32_t text1);
int som_names_find(const SomNames *names, uint32_t scope, SomStr text);
