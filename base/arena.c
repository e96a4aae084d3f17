// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>

// Small enough that an arena for a short file is one page or two, large enough that a file of
// thousands of lines is a few dozen blocks.
#define BLOCK_BYTES 16384

struct SomArenaBlock {
    SomArenaBlock *previous;
    size_t used;
    size_t size;
    alignas(max_align_t) char bytes[];
};

static SomArenaBlock *add_block(SomArena *arena, size_t size) {
    SomArenaBlock *block = som_alloc(sizeof(SomArenaBlock) + size);
    block->size = size;
    // a block made for one large thing goes below the last one, which still has room
    SomArenaBlock **place =
        size > BLOCK_BYTES && arena->last != NULL ? &arena->last->previous : &arena->last;
    block->previous = *place;
    *place = block;
    return block;
}

void *som_arena_alloc(SomArena *arena, size_t count, size_t size) {
    size_t align = alignof(max_align_t);
    if (size != 0 && count > SIZE_MAX / 2 / size) {
        som_realloc(NULL, SIZE_MAX, 2); // aborts
    }
    size_t bytes = (count * size + align - 1) / align * align;
    SomArenaBlock *block = arena->last;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(arena, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    return memory;
}

SomStr som_arena_copy(SomArena *arena, SomStr text) {
    char *copy = som_arena_alloc(arena, text.length + 1, 1);
    if (text.length > 0) {
        memcpy(copy, text.data, text.length);
    }
    return (SomStr){copy, text.length};
}

void som_arena_free(SomArena *arena) {
    while (arena->last != NULL) {
        SomArenaBlock *block = arena->last;
        arena->last = block->previous;
        som_free(block);
    }
}

void som_arena_join(SomArena *into, SomArena *from) {
    SomArenaBlock **place = &into->last;
    while (*place != NULL) {
        place = &(*place)->previous;
    }
    *place = from->last;
    from->last = NULL;
}
