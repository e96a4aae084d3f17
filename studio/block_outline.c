// SPDX-License-Identifier: Apache-2.0
#include "studio/block_outline.h"

typedef SomOutlineBlock Entry;

// ---- what a block looks like

static uint64_t mix(uint64_t hash, const void *data, size_t length) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++) { // FNV-1a
        hash = (hash ^ bytes[i]) * 0x100000001b3U;
    }
    return hash;
}

static void read_all(SomBlockOutline *outline, const SomBlocks *blocks, int root) {
    SomText words = {0};
    outline->all.count = 0;
    outline->first = root;
    for (int i = root; root >= 0 && i < blocks->blocks[root].end; i++) {
        const SomBlock *block = &blocks->blocks[i];
        som_text_clear(&words);
        som_blocks_print(blocks, i, &words);
        uint64_t own = mix(0xcbf29ce484222325U, words.data, words.length);
        own = mix(own, &block->kind, sizeof block->kind);
        own = mix(own, &block->has_error, sizeof block->has_error);
        // what it lies in is drawn round it, and ends with it or does not
        bool has_parent = i > root;
        uint64_t around = has_parent ? outline->all.data[block->parent - root].rails : 0;
        int closes = 0;
        for (int k = i; k >= root && blocks->blocks[k].end == block->end;
             k = blocks->blocks[k].parent) {
            closes++;
        }
        uint64_t look = mix(mix(own, &around, sizeof around), &closes, sizeof closes);
        uint64_t rails = mix(around ^ 1, &block->kind, sizeof block->kind);
        som_array_push(&outline->all, ((Entry){own, look, rails, false, block->end - root}));
    }
    som_text_free(&words);
}

// ---- what was folded

// Blocks that say the same at both ends are the same; between them each goes on as the first that
// says the same, or if none does and there are as many, as what stands in its place.
static void keep_folds(SomBlockOutline *outline, const Entry *old, int count) {
    Entry *now = outline->all.data;
    int same = 0, tail = 0, least = count < outline->all.count ? count : outline->all.count;
    while (same < least && old[same].words == now[same].words) {
        now[same].is_folded = old[same].is_folded;
        same++;
    }
    while (tail < least - same &&
           old[count - 1 - tail].words == now[outline->all.count - 1 - tail].words) {
        now[outline->all.count - 1 - tail].is_folded = old[count - 1 - tail].is_folded;
        tail++;
    }
    for (int i = same; i < count - tail; i++) {
        int went = old[i].is_folded ? same : outline->all.count; // where to
        while (went < outline->all.count - tail &&
               (now[went].is_folded || now[went].words != old[i].words)) {
            went++;
        }
        if (old[i].is_folded && went == outline->all.count - tail) {
            went = count == outline->all.count ? i : went; // it says something else now
        }
        if (went < outline->all.count - tail) {
            now[went].is_folded = true;
        }
    }
    for (int i = 0; i < outline->all.count; i++) {
        now[i].is_folded = now[i].is_folded && now[i].end > i + 1;
    }
}

// ---- rows

static SomOutlineChange show(SomBlockOutline *outline) {
    SOM_ARRAY(SomOutlineRow) rows = {0};
    for (int i = 0; i < outline->all.count;) {
        const Entry *entry = &outline->all.data[i];
        som_array_push(&rows, ((SomOutlineRow){outline->first + i, entry->look, entry->is_folded}));
        i = entry->is_folded ? entry->end : i + 1;
    }
    int was = outline->rows.count, same = 0, tail = 0, least = was < rows.count ? was : rows.count;
    const SomOutlineRow *old = outline->rows.data;
    while (same < least && old[same].look == rows.data[same].look &&
           old[same].is_folded == rows.data[same].is_folded) {
        same++;
    }
    while (tail < least - same &&
           old[was - 1 - tail].look == rows.data[rows.count - 1 - tail].look &&
           old[was - 1 - tail].is_folded == rows.data[rows.count - 1 - tail].is_folded) {
        tail++;
    }
    SomOutlineChange change = {same, was - same - tail, rows.count - same - tail};
    som_array_free(&outline->rows);
    outline->rows.data = rows.data;
    outline->rows.count = rows.count;
    outline->rows.capacity = rows.capacity;
    return change;
}

SomOutlineChange som_outline_set(SomBlockOutline *outline, const SomBlocks *blocks, int behavior,
                                 bool is_other) {
    Entry *old = outline->all.data;
    int count = outline->all.count;
    outline->all.data = NULL;
    outline->all.count = outline->all.capacity = 0;
    read_all(outline, blocks, behavior >= 0 ? blocks->behaviors.data[behavior].root : -1);
    if (!is_other) {
        keep_folds(outline, old, count);
    }
    som_free(old);
    return show(outline);
}

SomOutlineChange som_outline_fold(SomBlockOutline *outline, int row, bool is_folded) {
    Entry *entry = &outline->all.data[outline->rows.data[row].block - outline->first];
    entry->is_folded = is_folded && entry->end > (int)(entry - outline->all.data) + 1;
    return show(outline);
}

SomOutlineChange som_outline_reveal(SomBlockOutline *outline, int block) {
    int own = block - outline->first;
    for (int i = 0; i < own && i < outline->all.count; i++) {
        Entry *entry = &outline->all.data[i];
        entry->is_folded = entry->is_folded && entry->end <= own;
    }
    return show(outline);
}

int som_outline_find(const SomBlockOutline *outline, int block) {
    int low = 0, high = outline->rows.count; // the last row that is not behind the block
    if (block < outline->first || block >= outline->first + outline->all.count) {
        return -1;
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(outline->rows.data[middle].block <= block ? &low : &high) = middle;
    }
    return low;
}

int som_outline_closes(const SomBlockOutline *outline, const SomBlocks *blocks, int row) {
    bool is_last = row + 1 == outline->rows.count;
    int next = is_last ? outline->first + outline->all.count : outline->rows.data[row + 1].block;
    int count = 0, block = outline->rows.data[row].block;
    for (; block >= 0 && blocks->blocks[block].end == next; block = blocks->blocks[block].parent) {
        count++;
    }
    return count;
}

void som_outline_free(SomBlockOutline *outline) {
    som_array_free(&outline->rows);
    som_array_free(&outline->all);
}
