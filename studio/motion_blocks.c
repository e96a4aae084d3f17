// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_blocks.h"

bool som_motion_record_is_own(const SomMotionRecord *record, SomSpan span) {
    const SomComposition *made = record->scene->composition;
    return made->file >= 0 &&
           span.source1 == som_workspace_file(made->workspace, made->file)->source1;
}

int som_motion_finding_spans(const SomMotionRecord *record, const SomFinding *finding,
                             SomSpan spans[2]) {
    const SomSpan all[] = {finding->span, finding->other};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (all[i].source1 != 0 && som_motion_record_is_own(record, all[i])) {
            spans[count++] = all[i];
        }
    }
    return count;
}

// ---- from rows to blocks

typedef struct Finder {
    const SomMotionRecord *record;
    const SomActionGraph *graph;
    const SomBlocks *blocks;
    int root;           // block of the behavior
    int *block_of;      // one a node
    uint8_t *is_native; // one a node: it is written in the behavior itself
} Finder;

static bool covers(SomSpan outer, SomSpan inner) {
    return outer.begin <= inner.begin && inner.end <= outer.end;
}

// The block that a node is written as; -1 if that is elsewhere.
static int written_as(const Finder *f, int32_t node) {
    SomSpan span = som_graph_span(f->graph, node);
    if (!som_motion_record_is_own(f->record, span) ||
        !covers(f->blocks->blocks[f->root].span, span)) {
        return -1;
    }
    int block = som_blocks_at(f->blocks, span.begin);
    while (block >= 0 && !covers(f->blocks->blocks[block].span, span)) {
        block = f->blocks->blocks[block].parent;
    }
    return block;
}

static SomStr last_name(SomStr path) {
    size_t begin = path.length;
    while (begin > 0 && path.data[begin - 1] != '.') {
        begin--;
    }
    return som_str_slice(path, begin, path.length);
}

static SomStr callee_of(const SomBlocks *blocks, int block) {
    int field = som_blocks_field(blocks, block, SOM_FIELD_PLACE, 0);
    return field >= 0 ? blocks->fields.data[field].text : SOM_STR("");
}

static int child_count(const SomActionGraph *graph, int32_t node) {
    int count = 0;
    for (int32_t c = node + 1; c < graph->nodes[node].end; c = graph->nodes[c].end) {
        count++;
    }
    return count;
}

// The block in another one that runs the behavior which a node comes from: by its place if nothing
// was unfolded, else by its name.
static int runner_of(const Finder *f, int block, int32_t node, int index, int count) {
    const SomBlock *in = &f->blocks->blocks[block];
    if (in->child_count == count) {
        return som_blocks_child(f->blocks, block, index);
    }
    SomStr path = som_str(som_graph_path(f->graph, node)), name = last_name(path);
    int likely = -1;
    for (int i = block + 1; i < in->end; i++) {
        SomStr callee =
            f->blocks->blocks[i].kind == SOM_BLOCK_CALL ? callee_of(f->blocks, i) : SOM_STR("");
        if (callee.length > 0 && som_str_equal(callee, path)) {
            return i;
        }
        bool is_named = callee.length > 0 && som_str_equal(last_name(callee), name);
        likely = likely < 0 && is_named ? i : likely;
    }
    return likely >= 0 ? likely : block;
}

// It is one of `count` children.
static void find_block(Finder *f, int32_t node, int index, int count) {
    int32_t parent = f->graph->nodes[node].parent;
    int block = written_as(f, node);
    f->is_native[node] = block >= 0;
    if (block < 0 && parent == SOM_NONE) {
        block = f->root;
    } else if (block < 0) {
        block = f->block_of[parent];
        if (f->is_native[parent]) {
            block = runner_of(f, block, node, index, count);
        }
    }
    f->block_of[node] = block;
}

static void find_all(Finder *f) {
    find_block(f, 0, 0, 1);
    for (int32_t node = 0; node < f->graph->node_count; node++) {
        int index = 0, count = child_count(f->graph, node);
        for (int32_t c = node + 1; c < f->graph->nodes[node].end; c = f->graph->nodes[c].end) {
            find_block(f, c, index++, count);
        }
    }
}

SomMotionBlocks som_motion_blocks_find(const SomMotionRecord *record, const SomDesk *desk) {
    int own = som_desk_own(desk);
    const SomBlocks *blocks = som_desk_blocks(desk);
    SomMotionBlocks map = {.count = record->data->model->data.row_count};
    map.blocks = som_alloc(sizeof *map.blocks * ((size_t)map.count + 1));
    int root = own >= 0 ? blocks->behaviors.data[own].root : -1;
    size_t nodes = (size_t)record->scene->graph->node_count;
    Finder f = {record,
                record->scene->graph,
                blocks,
                root,
                som_alloc(sizeof *f.block_of * (nodes + 1)),
                som_alloc(nodes + 1)};
    if (root >= 0) {
        find_all(&f);
    }
    for (int i = 0; i < map.count; i++) {
        map.blocks[i] = root >= 0 ? f.block_of[record->data->nodes[i]] : -1;
    }
    som_free(f.block_of);
    som_free(f.is_native);
    return map;
}

void som_motion_blocks_free(SomMotionBlocks *map) {
    som_free(map->blocks);
    *map = (SomMotionBlocks){0};
}

int som_motion_blocks_row(const SomMotionBlocks *map, int block) {
    for (int i = 0; block >= 0 && i < map->count; i++) {
        if (map->blocks[i] == block) {
            return i;
        }
    }
    return -1;
}
