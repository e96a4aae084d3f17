// base/arena.h - memory for things that live and die together.
//
//     SomArena arena = {0};
//     Node *node = som_arena_new(&arena, Node, 1);
//     som_arena_free(&arena);
//
// One arena per load or compile. Everything from it is zeroed, aligned for any type, stays where it
// is, and is freed whole; nothing is freed singly.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomArenaBlock SomArenaBlock;

// Zero is empty.
typedef struct SomArena {
    SomArenaBlock *last;
} SomArena;

void *som_arena_alloc(SomArena *arena, size_t count, size_t size); // zeroed, never NULL
SomStr som_arena_copy(SomArena *arena, SomStr text);               // terminated after its length
void som_arena_free(SomArena *arena);

// What is in `from` lives and dies with `into`; `from` is empty afterwards.
void som_arena_join(SomArena *into, SomArena *from);

#define som_arena_new(arena, T, count) ((T *)som_arena_alloc((arena), (size_t)(count), sizeof(T)))

#ifdef __cplusplus
}
#endif
