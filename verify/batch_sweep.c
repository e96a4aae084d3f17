// SPDX-License-Identifier: Apache-2.0
// Pairs of solids worth a look: those whose boxes overlap in some lane. Boxes of modules are swept
// along the axis on which they spread most, over all lanes; then modules and their solids are
// compared lane by lane, so that it does not matter how far they move from lane to lane. Compiled
// for each path.

#include "verify/batch_internal.h"
#include "verify/batch_lanes.h"

#include <math.h>
#include <string.h>

// All is forgotten when there are more pairs than this, so that memory has a bound: 64 MiB and 48
// MiB.
#define MAX_SLOTS (1 << 24)
#define MAX_MEMORIES (1 << 20)

// ---- boxes

static void grow_boxes(SomBatch *batch, double margin, const double *slack) {
    for (int k = 0; k < batch->solid_count; k++) {
        double room = 0.5 * margin + (slack == NULL ? 0 : slack[batch->solids[k].link]);
        float by = room > 0 ? (float)(room * (1 + 1e-6)) : room <= 0 ? 0.0f : INFINITY;
        const SomBoxLanes *box = &batch->boxes[k];
        SomBoxLanes *grown = &batch->grown[k];
        for (int i = 0; i < 3; i++) {
            for (int g = 0; g < SOM_BATCH; g += FLOATS) {
                store_floats(grown->low[i] + g, load_floats(box->low[i] + g) - by);
                store_floats(grown->high[i] + g, load_floats(box->high[i] + g) + by);
            }
        }
    }
}

static void join_boxes(SomBatch *batch, const SomBoxLanes *boxes) {
    for (int m = 0; m < batch->module_count; m++) {
        for (int i = 0; i < 3; i++) {
            for (int g = 0; g < SOM_BATCH; g += FLOATS) {
                Floats low = splat_float(INFINITY), high = -low;
                for (int k = batch->first_solid[m]; k < batch->first_solid[m + 1]; k++) {
                    low = min_floats(load_floats(boxes[k].low[i] + g), low);
                    high = max_floats(load_floats(boxes[k].high[i] + g), high);
                }
                store_floats(batch->module_boxes[m].low[i] + g, low);
                store_floats(batch->module_boxes[m].high[i] + g, high);
            }
        }
    }
}

// Lanes in which two boxes overlap.
static inline uint32_t overlap_of(const SomBoxLanes *a, const SomBoxLanes *b) {
    uint32_t lanes = 0;
    for (int g = 0; g < SOM_BATCH; g += FLOATS) {
        Mask mask = load_floats(a->low[0] + g) <= load_floats(b->high[0] + g);
        mask &= load_floats(b->low[0] + g) <= load_floats(a->high[0] + g);
        mask &= load_floats(a->low[1] + g) <= load_floats(b->high[1] + g);
        mask &= load_floats(b->low[1] + g) <= load_floats(a->high[1] + g);
        mask &= load_floats(a->low[2] + g) <= load_floats(b->high[2] + g);
        mask &= load_floats(b->low[2] + g) <= load_floats(a->high[2] + g);
        lanes |= bits_of_mask(mask) << g;
    }
    return lanes;
}

// ---- memory of pairs

static int *hash_place(SomBatch *batch, int a, int b) {
    uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    uint32_t at = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32);
    for (;; at++) {
        int *place = &batch->hash[at & (uint32_t)(batch->hash_size - 1)];
        if (*place == 0) {
            return place;
        }
        const SomModulePair *pair = &batch->module_pairs.data[*place - 1];
        if (pair->module_a == a && pair->module_b == b) {
            return place;
        }
    }
}

static void grow_hash(SomBatch *batch) {
    som_free(batch->hash);
    batch->hash_size = batch->hash_size == 0 ? 256 : 2 * batch->hash_size;
    batch->hash = som_alloc(sizeof *batch->hash * (size_t)batch->hash_size);
    for (int i = 0; i < batch->module_pairs.count; i++) {
        const SomModulePair *pair = &batch->module_pairs.data[i];
        *hash_place(batch, pair->module_a, pair->module_b) = i + 1;
    }
}

static void forget(SomBatch *batch) {
    batch->module_pairs.count = batch->slots.count = batch->memories.count = 0;
    memset(batch->hash, 0, sizeof *batch->hash * (size_t)batch->hash_size);
}

static int solids_of(const SomBatch *batch, int module) {
    return batch->first_solid[module + 1] - batch->first_solid[module];
}

// The first slot of two modules.
static int find_slots(SomBatch *batch, int a, int b) {
    if (2 * batch->module_pairs.count >= batch->hash_size) {
        grow_hash(batch);
    }
    int *place = hash_place(batch, a, b);
    if (*place != 0) {
        return batch->module_pairs.data[*place - 1].first;
    }
    int64_t count = (int64_t)solids_of(batch, a) * solids_of(batch, b);
    if (batch->slots.count > 0 &&
        (batch->slots.count + count > MAX_SLOTS || batch->memories.count + count > MAX_MEMORIES)) {
        forget(batch);
        place = hash_place(batch, a, b);
    }
    int first = batch->slots.count;
    som_array_push(&batch->module_pairs, ((SomModulePair){a, b, first}));
    *place = batch->module_pairs.count;
    som_array_reserve(&batch->slots, (int)(first + count + 1));
    memset(batch->slots.data + first, 0, sizeof *batch->slots.data * (size_t)count);
    batch->slots.count = (int)(first + count);
    return first;
}

static void fill_slot(SomBatch *batch, int32_t *slot, int a, int b) {
    double allowed;
    if (!som_batch_is_tested(batch, &batch->solids[a], &batch->solids[b], &allowed)) {
        *slot = -1;
        return;
    }
    if (batch->memories.count == 0) {
        som_array_push(&batch->memories, ((SomPairMemory){.has_axis = 0}));
    }
    *slot = batch->memories.count;
    som_array_push(&batch->memories, ((SomPairMemory){.allowed = allowed}));
}

// ---- the sweep

typedef struct Sweep {
    SomBatch *batch;
    const SomBoxLanes *boxes; // of solids
    SomVisit *visit;
    const void *query;
} Sweep;

static void visit_modules(const Sweep *s, int a, int b) {
    SomBatch *batch = s->batch;
    int slots = find_slots(batch, a, b), count_b = solids_of(batch, b), touched = 0;
    int first_a = batch->first_solid[a], first_b = batch->first_solid[b];
    for (int k = 0; k < count_b; k++) {
        if (a == b || overlap_of(&s->boxes[first_b + k], &batch->module_boxes[a]) != 0) {
            batch->touched[touched++] = k;
        }
    }
    for (int i = first_a; i < batch->first_solid[a + 1]; i++) {
        if (a != b && overlap_of(&s->boxes[i], &batch->module_boxes[b]) == 0) {
            continue;
        }
        for (int n = a == b ? i - first_a + 1 : 0; n < touched; n++) {
            int k = first_b + batch->touched[n];
            int at = slots + (i - first_a) * count_b + batch->touched[n];
            if (batch->slots.data[at] == 0) {
                fill_slot(batch, &batch->slots.data[at], i, k);
            }
            if (batch->slots.data[at] < 0) {
                continue;
            }
            uint32_t lanes = overlap_of(&s->boxes[i], &s->boxes[k]);
            if (lanes != 0 && batch->found.count < batch->most_found) {
                batch->looked++;
                s->visit(batch, s->query, i, k, lanes,
                         &batch->memories.data[batch->slots.data[at]]);
            }
        }
    }
}

static int widest_axis(const SomBatch *batch) {
    int axis = 0;
    float widest = -1;
    for (int i = 0; i < 3; i++) {
        float low = INFINITY, high = -INFINITY;
        for (int m = 0; m < batch->module_count; m++) {
            float at = batch->module_boxes[m].low[i][0];
            low = at < low ? at : low;
            high = at > high && at < INFINITY ? at : high;
        }
        if (high - low > widest) {
            widest = high - low;
            axis = i;
        }
    }
    return axis;
}

static void find_ends(SomBatch *batch, int axis) {
    for (int m = 0; m < batch->module_count; m++) {
        const SomBoxLanes *box = &batch->module_boxes[m];
        float low = box->low[axis][0], high = box->high[axis][0];
        for (int lane = 1; lane < SOM_BATCH; lane++) {
            low = box->low[axis][lane] < low ? box->low[axis][lane] : low;
            high = box->high[axis][lane] > high ? box->high[axis][lane] : high;
        }
        batch->module_ends[2 * m] = low;
        batch->module_ends[2 * m + 1] = high;
    }
}

// Merges runs of doubling length, in place where they follow each other already, as they mostly do
// in a motion.
static void sort_modules(SomBatch *batch) {
    int n = batch->module_count, *from = batch->order, *to = batch->spare_order;
    const float *ends = batch->module_ends;
    for (int run = 1; run < n; run *= 2) {
        for (int begin = 0; begin + run < n; begin += 2 * run) {
            int middle = begin + run, end = middle + run < n ? middle + run : n;
            if (ends[2 * from[middle - 1]] <= ends[2 * from[middle]]) {
                continue;
            }
            int i = begin, k = middle;
            for (int at = begin; at < end; at++) {
                bool is_left = k == end || (i < middle && ends[2 * from[i]] <= ends[2 * from[k]]);
                to[at] = is_left ? from[i++] : from[k++];
            }
            memcpy(from + begin, to + begin, sizeof *to * (size_t)(end - begin));
        }
    }
}

void SOM_BATCH_PATH(som_batch_sweep)(SomBatch *batch, double margin, const double *slack,
                                     SomVisit *visit, const void *query) {
    Sweep s = {batch, batch->boxes, visit, query};
    if (margin != 0 || slack != NULL) {
        grow_boxes(batch, margin, slack);
        s.boxes = batch->grown;
    }
    join_boxes(batch, s.boxes);
    find_ends(batch, widest_axis(batch));
    sort_modules(batch);
    for (int i = 0; i < batch->module_count && batch->found.count < batch->most_found; i++) {
        int a = batch->order[i];
        visit_modules(&s, a, a);
        for (int n = i + 1; n < batch->module_count; n++) {
            int b = batch->order[n];
            if (batch->module_ends[2 * b] > batch->module_ends[2 * a + 1] ||
                batch->found.count >= batch->most_found) {
                break;
            }
            if (overlap_of(&batch->module_boxes[a], &batch->module_boxes[b]) != 0) {
                visit_modules(&s, a < b ? a : b, a < b ? b : a);
            }
        }
    }
}
