// base/memory.h - the only place that talks to the heap, and the growing array.
//
//     SOM_ARRAY(SomVec3) points = {0};
//     som_array_push(&points, ((SomVec3){0, 0, 1}));
//     som_array_free(&points);
//
// Running out of memory aborts, as in GLib: inputs have size limits that are diagnostics, so an
// allocation that fails is a machine in trouble and not something a user did.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *som_alloc(size_t size);                               // zeroed, never NULL
void *som_realloc(void *memory, size_t count, size_t size); // checked for overflow, never NULL
void som_free(void *memory);                                // NULL is allowed

// The next capacity of an array that must hold `needed`; doubles, so pushes are
// O(1) on average. Aborts where the count would leave int.
int som_array_grow(int capacity, int needed);

#ifdef __cplusplus
}
#endif

// A growing array. Zero is empty. Pointers into it are good until the next push or reserve.
#define SOM_ARRAY(T)                                                                               \
    struct {                                                                                       \
        T *data;                                                                                   \
        int count;                                                                                 \
        int capacity;                                                                              \
    }

#define som_array_reserve(a, needed)                                                               \
    do {                                                                                           \
        if ((needed) > (a)->capacity) {                                                            \
            (a)->capacity = som_array_grow((a)->capacity, (needed));                               \
            (a)->data = som_realloc((a)->data, (size_t)(a)->capacity, sizeof *(a)->data);          \
        }                                                                                          \
    } while (0)

#define som_array_push(a, value)                                                                   \
    do {                                                                                           \
        som_array_reserve((a), (a)->count + 1);                                                    \
        (a)->data[(a)->count++] = (value);                                                         \
    } while (0)

#define som_array_free(a)                                                                          \
    do {                                                                                           \
        som_free((a)->data);                                                                       \
        (a)->data = NULL;                                                                          \
        (a)->count = 0;                                                                            \
        (a)->capacity = 0;                                                                         \
    } while (0)
