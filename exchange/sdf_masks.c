// SPDX-License-Identifier: Apache-2.0
// Bit masks: two bodies are tested if their masks have a common bit. Bodies of a pair that is not
// to be tested must have none, all others should.

#include "exchange/sdf_internal.h"

#include <stdlib.h>

#define BITS 16
#define MOST_TRACKED 2000 // bodies whose pairs are looked at one by one

typedef struct Masks {
    const SomBodyModel *model;
    uint16_t *masks;
    SOM_ARRAY(int) bodies; // that are in a pair
    int *first;            // of the pairs of each body, in `others`
    int *others;
    int *wants; // by body: how many of `bodies` it shares no bit with, but could
} Masks;

static void gather(Masks *q) {
    const SomBodyModel *model = q->model;
    q->first = som_alloc(sizeof *q->first * ((size_t)model->body_count + 2));
    q->others = som_alloc(sizeof *q->others * (2 * (size_t)model->pair_count + 1));
    q->wants = som_alloc(sizeof *q->wants * (size_t)model->body_count);
    int *count = som_alloc(sizeof *count * (size_t)model->body_count);
    for (int i = 0; i < model->pair_count; i++) {
        count[model->pairs[i].a]++;
        count[model->pairs[i].b]++;
    }
    for (int i = 0; i < model->body_count; i++) {
        q->first[i + 1] = q->first[i] + count[i];
        if (count[i] > 0) {
            som_array_push(&q->bodies, i);
        }
        count[i] = 0;
    }
    for (int i = 0; i < model->pair_count; i++) {
        int a = model->pairs[i].a, b = model->pairs[i].b;
        q->others[q->first[a] + count[a]++] = b;
        q->others[q->first[b] + count[b]++] = a;
    }
    som_free(count);
}

static bool is_pair(const Masks *q, int a, int b) {
    for (int i = q->first[a]; i < q->first[a + 1]; i++) {
        if (q->others[i] == b) {
            return true;
        }
    }
    return a == b || q->model->bodies[a].parent == b || q->model->bodies[b].parent == a;
}

// Pairs that could touch but share no bit; counts them by body, too.
static int count_lost(Masks *q) {
    int lost = 0;
    for (int i = 0; i < q->bodies.count; i++) {
        q->wants[q->bodies.data[i]] = 0;
    }
    for (int i = 0; i < q->bodies.count; i++) {
        for (int k = 0; k < i; k++) {
            int a = q->bodies.data[i], b = q->bodies.data[k];
            if ((q->masks[a] & q->masks[b]) == 0 && !is_pair(q, a, b)) {
                q->wants[a]++;
                q->wants[b]++;
                lost++;
            }
        }
    }
    return lost;
}

// The first pair that could touch but shares no bit.
static void seed_bit(Masks *q, uint16_t bit) {
    for (int i = 0; i < q->bodies.count; i++) {
        for (int k = 0; k < i; k++) {
            int a = q->bodies.data[i], b = q->bodies.data[k];
            if ((q->masks[a] & q->masks[b]) == 0 && !is_pair(q, a, b)) {
                q->masks[a] |= bit;
                q->masks[b] |= bit;
                return;
            }
        }
    }
}

// A body without a bit would fall through the ground: it comes before all that want one for others.
static int need_of(const Masks *q, int body) {
    return q->masks[body] == 0 ? q->model->body_count + 1 : q->wants[body];
}

// Gives the bit to bodies of which no two are a pair: to two that want one, then to all others that
// can have it, those first that need it most.
static void spend_bit(Masks *q, uint16_t bit) {
    seed_bit(q, bit);
    for (;;) {
        int best = -1;
        for (int i = 0; i < q->bodies.count; i++) {
            int body = q->bodies.data[i];
            bool is_free = (q->masks[body] & bit) == 0;
            for (int k = q->first[body]; k < q->first[body + 1] && is_free; k++) {
                is_free = (q->masks[q->others[k]] & bit) == 0;
            }
            if (is_free && (best < 0 || need_of(q, body) > need_of(q, best))) {
                best = body;
            }
        }
        if (best < 0) {
            return;
        }
        q->masks[best] |= bit;
    }
}

// The same for many bodies, in their order.
static void spend_bit_fast(Masks *q, uint16_t bit, int start) {
    for (int i = 0; i < q->bodies.count; i++) {
        int body = q->bodies.data[(i + start) % q->bodies.count];
        bool is_free = true;
        for (int k = q->first[body]; k < q->first[body + 1] && is_free; k++) {
            is_free = (q->masks[q->others[k]] & bit) == 0;
        }
        q->masks[body] |= is_free ? bit : 0;
    }
}

uint16_t *som_sdf_masks(const SomBodyModel *model, int *lost) {
    Masks q = {.model = model, .masks = som_alloc(sizeof(uint16_t) * (size_t)model->body_count)};
    gather(&q);
    bool is_small = q.bodies.count <= MOST_TRACKED;
    int left = is_small ? count_lost(&q) : 1;
    for (int i = 0; i < BITS; i++) {
        // every body needs a bit for the ground, so all are spent
        if (is_small) {
            spend_bit(&q, (uint16_t)(1 << i));
            left = count_lost(&q);
        } else {
            spend_bit_fast(&q, (uint16_t)(1 << i), i * 37);
        }
    }
    for (int i = 0; i < model->body_count; i++) {
        if (q.first[i] == q.first[i + 1]) {
            q.masks[i] = 0xffff;
        }
    }
    if (lost != NULL) {
        *lost = left;
    }
    som_array_free(&q.bodies);
    som_free(q.first);
    som_free(q.others);
    som_free(q.wants);
    return q.masks;
}

int som_sdf_untested_pairs(const SomBodyModel *model) {
    int lost;
    som_free(som_sdf_masks(model, &lost));
    return lost;
}
