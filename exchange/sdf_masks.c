// SPDX-License-Identifier: Apache-2.0
// Bit masks: two shapes are tested if their masks have a common bit. Those of a pair of bodies that
// is not to be tested must have none, all others should.
//
// The bits, from the lowest: some that the ground has, too, of which bodies of a pair have
// different ones; some for the robot alone, of which they have none in common; and one for each
// body with rollers, which the ground has but no other body. A body for which there is no such bit
// stands on its wheels. The lowest eight are those of things that have no mask.
//
// Where these do not suffice and every shape may touch both the ground and the robot, the ground
// has all bits instead, and the robot need not share them with it. A body with high bits alone then
// does not touch things of other models that have no mask.

#include "base/codes/exchange_codes.h"
#include "exchange/sdf_internal.h"

#include <stdlib.h>
#include <string.h>

#define BITS 16
#define MOST_GROUNDS 7
#define MOST_ORDERS 50    // of bodies, tried one after the other
#define MOST_ORDERED 100  // bodies for which that is quick
#define MOST_TRACKED 2000 // bodies whose pairs are looked at one by one

typedef struct Masks {
    const SomBodyModel *model;
    uint16_t *masks;
    SOM_ARRAY(int) bodies; // that are in a pair
    int *first;            // of the pairs of each body, in `others`
    int *others;
    int *wants; // by body: how many of `bodies` it shares no bit with, but could
    SomBodyPair first_lost;
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
                q->first_lost = lost++ == 0 ? (SomBodyPair){b, a} : q->first_lost;
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

// A body without a bit touches no other: it comes before all that want one for others.
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

// Bits for the robot alone, as few as tell all pairs apart; returns how many that takes.
static int spend_robot_once(Masks *q, int most, int *lost) {
    bool is_small = q->bodies.count <= MOST_TRACKED;
    int bits = 0;
    memset(q->masks, 0, sizeof *q->masks * (size_t)q->model->body_count);
    *lost = 1;
    while (bits < most && (*lost > 0 || bits == 0)) {
        // every body needs one for those that are in no pair
        uint16_t bit = (uint16_t)(1 << bits++);
        if (is_small) {
            spend_bit(q, bit);
            *lost = count_lost(q);
        } else {
            spend_bit_fast(q, bit, bits * 37);
        }
        for (int i = 0; i < q->bodies.count; i++) {
            *lost += q->masks[q->bodies.data[i]] == 0;
        }
    }
    return bits;
}

// What is given to whom hangs on the order of the bodies: another one may lose none.
static int spend_robot(Masks *q, int most, int *lost) {
    int bits = spend_robot_once(q, most, lost), count = q->bodies.count;
    for (int i = 0; i<MOST_ORDERS && * lost> 0 && count > 1 && count <= MOST_ORDERED; i++) {
        for (int k = count - 1; k > 0; k--) {
            int other = (k * 7 + i * 13) % (k + 1), body = q->bodies.data[k];
            q->bodies.data[k] = q->bodies.data[other];
            q->bodies.data[other] = body;
        }
        bits = spend_robot_once(q, most, lost);
    }
    return bits;
}

// Which of the grounds' bits each body of a pair has; returns how many there are.
static int color_ground(const Masks *q, int *color) {
    int count = 1;
    for (int i = 0; i < q->model->body_count; i++) {
        color[i] = -1;
    }
    for (int i = 0; i < q->bodies.count; i++) {
        int body = q->bodies.data[i];
        unsigned taken = 0;
        for (int k = q->first[body]; k < q->first[body + 1]; k++) {
            taken |= color[q->others[k]] >= 0 ? 1u << color[q->others[k]] : 0;
        }
        color[body] = 0;
        while (color[body] < MOST_GROUNDS - 1 && (taken >> color[body] & 1) != 0) {
            color[body]++;
        }
        count = color[body] + 1 > count ? color[body] + 1 : count;
    }
    return count;
}

static bool has_roller(const SomBodyModel *model, int body) {
    for (int i = 0; i < model->bodies[body].shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[model->bodies[body].first_shape + i];
        if (shape->is_solid && shape->skips_robot) {
            return true;
        }
    }
    return false;
}

// Does each shape touch both the ground and the robot?
static bool touches_all(const SomBodyModel *model) {
    bool does = true;
    for (int i = 0; i < model->shape_count; i++) {
        does = does && !model->shapes[i].skips_ground && !model->shapes[i].skips_robot;
    }
    return does;
}

// All bits for the robot, and for the ground; false if that loses as many pairs.
static bool share_bits(Masks *q, SomSdfMasks *m) {
    int lost, bits = spend_robot(q, BITS, &lost);
    if (lost >= m->lost) {
        return false;
    }
    uint16_t all = (uint16_t)((1 << bits) - 1);
    m->lost = lost;
    m->world = all;
    for (int i = 0; i < q->model->body_count; i++) {
        m->robot[i] = q->first[i] == q->first[i + 1] ? all : q->masks[i];
    }
    return true;
}

static void give_bits(const Masks *q, SomSdfMasks *m, const int *color, int grounds, int bits) {
    uint16_t all = (uint16_t)((1 << bits) - 1);
    int next = grounds + bits;
    m->world = (uint16_t)((1 << grounds) - 1);
    for (int i = 0; i < q->model->body_count; i++) {
        bool is_free = q->first[i] == q->first[i + 1];
        m->ground[i] = (uint16_t)(is_free ? m->world : 1 << color[i]);
        m->robot[i] = (uint16_t)((is_free ? all : q->masks[i]) << grounds);
    }
    for (int i = 0; i < q->model->body_count && next < BITS; i++) {
        if (has_roller(q->model, i)) {
            m->roller[i] = (uint16_t)(1 << next++);
            m->world |= m->roller[i];
        }
    }
}

SomSdfMasks som_sdf_masks(const SomBodyModel *model) {
    size_t count = (size_t)model->body_count + 1;
    SomSdfMasks m = {.is_plain = model->pair_count == 0 && touches_all(model),
                     .ground = som_alloc(count * sizeof *m.ground),
                     .robot = som_alloc(count * sizeof *m.robot),
                     .roller = som_alloc(count * sizeof *m.roller)};
    Masks q = {.model = model, .masks = som_alloc(sizeof(uint16_t) * count)};
    gather(&q);
    int *color = som_alloc(count * sizeof *color);
    int grounds = color_ground(&q, color);
    int bits = spend_robot(&q, BITS - grounds, &m.lost);
    give_bits(&q, &m, color, grounds, bits);
    m.first_lost = q.first_lost;
    if (m.lost > 0 && touches_all(model) && share_bits(&q, &m)) {
        memset(m.ground, 0, count * sizeof *m.ground);
        m.first_lost = q.first_lost;
    }
    som_free(color);
    som_array_free(&q.bodies);
    som_free(q.first);
    som_free(q.others);
    som_free(q.wants);
    som_free(q.masks);
    return m;
}

void som_sdf_masks_free(SomSdfMasks *m) {
    som_free(m->ground);
    som_free(m->robot);
    som_free(m->roller);
}

int som_sdf_mask_of(const SomSdfMasks *m, const SomBodyShape *shape) {
    bool rolls = m->roller[shape->body] != 0;
    if (shape->skips_robot) {
        return m->roller[shape->body];
    }
    bool skips_ground = shape->skips_ground && (rolls || !shape->is_rolled);
    return m->robot[shape->body] | (skips_ground ? 0 : m->ground[shape->body]);
}

int som_sdf_untested_pairs(const SomBodyModel *model) {
    SomSdfMasks masks = som_sdf_masks(model);
    som_sdf_masks_free(&masks);
    return masks.lost;
}

// Of the links in a body, the first that touches others.
static SomStr name_of(const SomBodyModel *model, int body) {
    for (int i = 0; i < model->bodies[body].shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[model->bodies[body].first_shape + i];
        if (shape->is_solid) {
            return model->mechanism->links[shape->link].path;
        }
    }
    return model->bodies[body].path;
}

void som_sdf_report_untested(const SomBodyModel *model, SomDiagnostics *diags) {
    SomSdfMasks masks = som_sdf_masks(model);
    SomText more = {0};
    if (masks.lost > 1) {
        som_text_printf(&more, " (and %d more)", masks.lost - 1);
    }
    if (masks.lost > 0) {
        SomStr a = name_of(model, masks.first_lost.a), b = name_of(model, masks.first_lost.b);
        som_report(diags, SOM_EXPORT_PAIRS_UNTESTED, (SomSpan){0},
                   "'%.*s' and '%.*s' can pass through each other in Gazebo%.*s", SOM_STR_ARG(a),
                   SOM_STR_ARG(b), SOM_STR_ARG(som_text_str(&more)));
    }
    som_text_free(&more);
    som_sdf_masks_free(&masks);
}
