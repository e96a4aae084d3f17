// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *memory) {
    if (memory == NULL) {
        fputs("somite: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *som_alloc(size_t size) {
    return checked(calloc(1, size > 0 ? size : 1));
}

void *som_realloc(void *memory, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return checked(NULL);
    }
    size_t bytes = count * size;
    return checked(realloc(memory, bytes > 0 ? bytes : 1));
}

void som_free(void *memory) {
    free(memory);
}

int som_array_grow(int capacity, int needed) {
    if (needed < 0) { // count + 1 left int
        checked(NULL);
    }
    int grown = capacity < 8 ? 8 : capacity > INT_MAX / 2 ? INT_MAX : 2 * capacity;
    return grown < needed ? needed : grown;
}
