// SPDX-License-Identifier: Apache-2.0
// Which links physics must not test against each other: those that are connected or overlap by
// construction, as verify/pairs.h has them; of two that a joint joins, the parts at the joint. All
// others are tested, whatever bodies they are in.

#include "exchange/body_model_internal.h"
#include "space/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Links of one rigid body need no rule: those that touch at the start are found there.
bool som_body_rule_ignores(SomPairRule rule) {
    return rule == SOM_PAIR_FLUSH || rule == SOM_PAIR_BUILT || rule == SOM_PAIR_HINGED ||
           rule == SOM_PAIR_JOINED || rule == SOM_PAIR_PARTS_HINGED ||
           rule == SOM_PAIR_PARTS_JOINED || rule == SOM_PAIR_DOCKED;
}

// ---- links

static void add_pair(SomBodyPairs *pairs, int a, int b) {
    SomBodyPair pair = {a < b ? a : b, a < b ? b : a};
    som_array_push(pairs, pair);
}

static int compare_pairs(const void *a, const void *b) {
    const SomBodyPair *x = a, *y = b;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

// Each once.
static void sort_pairs(SomBodyPairs *pairs) {
    int count = 0;
    if (pairs->count > 0) {
        qsort(pairs->data, (size_t)pairs->count, sizeof *pairs->data, compare_pairs);
    }
    for (int i = 0; i < pairs->count; i++) {
        if (i == 0 || compare_pairs(&pairs->data[i], &pairs->data[count - 1]) != 0) {
            pairs->data[count++] = pairs->data[i];
        }
    }
    pairs->count = count;
}

static int count_units(const SomBodyMaker *q, int link) {
    return q->first_unit[link + 1] - q->first_unit[link];
}

static int unit_of(const SomBodyMaker *q, int link, int part) {
    return q->first_unit[link] + (count_units(q, link) > 1 && part >= 0 ? part : 0);
}

static bool is_by_parts(SomPairRule rule) {
    return rule == SOM_PAIR_PARTS_HINGED || rule == SOM_PAIR_PARTS_JOINED;
}

// Of two links that a joint joins: parts at the joint, and those that touch where it is at zero.
static void add_parts(SomBodyMaker *q, int a, int b) {
    const SomLinkSolid *x = q->rules->solids[a], *y = q->rules->solids[b];
    SomPartPairs except = som_pairs_except(q->rules, a, b);
    for (int i = 0; i < x->part_count; i++) {
        for (int k = 0; k < y->part_count; k++) {
            const SomShapePart *p = &x->parts[i], *o = &y->parts[k];
            if (som_part_pair_is_in(except, y, i, k) ||
                som_shape_distance_within(&p->shape, p->pose, &o->shape, o->pose, SOM_BODY_PLAY,
                                          NULL)
                        .distance <= SOM_BODY_PLAY) {
                add_pair(&q->ignored, unit_of(q, a, i), unit_of(q, b, k));
            }
        }
    }
}

static void add_wholes(SomBodyMaker *q, int a, int b) {
    for (int i = q->first_unit[a]; i < q->first_unit[a + 1]; i++) {
        for (int k = q->first_unit[b]; k < q->first_unit[b + 1]; k++) {
            add_pair(&q->ignored, i, k);
        }
    }
}

typedef void (*SeeLinks)(SomBodyMaker *q, int a, int b, SomPairRule rule);

// Links that are ignored, of one module or of two that are connected.
static void visit_neighbors(SomBodyMaker *q, SeeLinks see) {
    const SomMechanism *m = q->m;
    for (int a = 0; a < m->link_count; a++) {
        const SomPairNeighbor *n =
            &q->rules->neighbors[q->rules->first_neighbor[m->links[a].module]];
        for (; n->module >= 0; n++) {
            for (int b = m->first_link[n->module]; b < m->first_link[n->module + 1]; b++) {
                SomPairRule rule = b > a && q->model->body_of[a] != q->model->body_of[b]
                                       ? som_pairs_rule(q->rules, a, b, NULL)
                                       : SOM_PAIR_FREE;
                if (som_body_rule_ignores(rule)) {
                    see(q, a, b, rule);
                }
            }
        }
    }
}

// Counts their units, in the place of the number of the first.
static void divide_links(SomBodyMaker *q, int a, int b, SomPairRule rule) {
    if (is_by_parts(rule)) {
        q->first_unit[a] = q->rules->solids[a]->part_count;
        q->first_unit[b] = q->rules->solids[b]->part_count;
    }
}

// Whether a dock is between their modules, which may touch when they meet.
static bool are_partners(const SomMechanism *m, int a, int b) {
    const SomConfiguration *design = m->configuration;
    int x = m->links[a].module, y = m->links[b].module;
    for (int i = 0; i < design->dock_count; i++) {
        const SomConnection *k = &design->docks[i].connection;
        if ((k->module_a == x && k->module_b == y) || (k->module_a == y && k->module_b == x)) {
            return true;
        }
    }
    return false;
}

static void add_neighbor(SomBodyMaker *q, int a, int b, SomPairRule rule) {
    if (is_by_parts(rule)) {
        add_parts(q, a, b);
    } else {
        add_wholes(q, a, b);
        if ((rule == SOM_PAIR_FLUSH || rule == SOM_PAIR_BUILT) && !are_partners(q->m, a, b)) {
            add_pair(&q->untested, a, b);
        }
    }
}

static void find_units(SomBodyMaker *q) {
    int count = q->m->link_count, next = 0;
    q->first_unit = som_alloc(sizeof *q->first_unit * ((size_t)count + 1));
    for (int i = 0; i < count; i++) {
        q->first_unit[i] = 1;
    }
    visit_neighbors(q, divide_links);
    for (int i = 0; i <= count; i++) {
        int units = i < count ? q->first_unit[i] : 0;
        q->first_unit[i] = next;
        next += units;
    }
    SomBodyShape *shapes = (SomBodyShape *)q->model->shapes;
    for (int i = 0; i < q->model->shape_count; i++) {
        shapes[i].unit = unit_of(q, shapes[i].link, shapes[i].part);
    }
}

typedef struct Extent {
    SomBounds bounds;
    int shape;
} Extent;

static int compare_extents(const void *a, const void *b) {
    const Extent *x = a, *y = b;
    if (x->bounds.low.x != y->bounds.low.x) {
        return x->bounds.low.x < y->bounds.low.x ? -1 : 1;
    }
    return x->shape < y->shape ? -1 : x->shape > y->shape;
}

static SomPose world_pose(const SomBodyModel *model, const SomBodyShape *shape) {
    return som_pose_compose(model->bodies[shape->body].pose, shape->pose);
}

// How far two shapes of different bodies are apart, as far as that is near.
static double gap_of(const SomBodyModel *model, const Extent *a, const Extent *b) {
    const SomBodyShape *x = &model->shapes[a->shape], *y = &model->shapes[b->shape];
    if (x->body == y->body || a->bounds.low.y > b->bounds.high.y + SOM_BODY_PLAY ||
        b->bounds.low.y > a->bounds.high.y + SOM_BODY_PLAY ||
        a->bounds.low.z > b->bounds.high.z + SOM_BODY_PLAY ||
        b->bounds.low.z > a->bounds.high.z + SOM_BODY_PLAY) {
        return INFINITY;
    }
    return som_shape_distance_within(x->shape, world_pose(model, x), y->shape, world_pose(model, y),
                                     SOM_BODY_PLAY, NULL)
        .distance;
}

static bool are_welded(const SomBodyModel *model, int a, int b) {
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        if (weld->dock < 0 && ((weld->body_a == a && weld->body_b == b) ||
                               (weld->body_a == b && weld->body_b == a))) {
            return true;
        }
    }
    return false;
}

// Links that touch where they start: nothing moves those of one rigid body against each other, in
// whatever bodies they are; others rest against each other. Those that overlap collide.
static void add_touching(SomBodyMaker *q, const Extent *a, const Extent *b) {
    const SomBodyModel *model = q->model;
    const SomBodyShape *x = &model->shapes[a->shape], *y = &model->shapes[b->shape];
    double gap = gap_of(model, a, b);
    if (gap > SOM_BODY_PLAY) {
        return;
    }
    bool is_rigid = q->rules->bodies[x->link] == q->rules->bodies[y->link] ||
                    are_welded(model, x->body, y->body);
    if (is_rigid) {
        add_pair(&q->ignored, x->unit, y->unit);
    } else if (gap >= -SOM_BODY_OVERLAP) {
        add_pair(&q->resting, x->unit, y->unit);
    }
}

static void look_at_start(SomBodyMaker *q) {
    const SomBodyModel *model = q->model;
    SOM_ARRAY(Extent) extents = {0};
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && !shape->skips_robot) {
            Extent extent = {som_shape_bounds(shape->shape, world_pose(model, shape)), i};
            som_array_push(&extents, extent);
        }
    }
    if (extents.count > 0) {
        qsort(extents.data, (size_t)extents.count, sizeof *extents.data, compare_extents);
    }
    for (int i = 0; i < extents.count; i++) {
        double end = extents.data[i].bounds.high.x + SOM_BODY_PLAY;
        for (int k = i + 1; k < extents.count && extents.data[k].bounds.low.x <= end; k++) {
            add_touching(q, &extents.data[i], &extents.data[k]);
        }
    }
    som_array_free(&extents);
}

// Both ways.
static void index_ignored(SomBodyMaker *q) {
    int count = q->first_unit[q->m->link_count];
    int *filled = som_alloc(sizeof *filled * ((size_t)count + 1));
    q->first_ignored = som_alloc(sizeof *q->first_ignored * ((size_t)count + 2));
    q->others = som_alloc(sizeof *q->others * (2 * (size_t)q->ignored.count + 1));
    for (int i = 0; i < q->ignored.count; i++) {
        filled[q->ignored.data[i].a]++;
        filled[q->ignored.data[i].b]++;
    }
    for (int i = 0; i < count; i++) {
        q->first_ignored[i + 1] = q->first_ignored[i] + filled[i];
        filled[i] = 0;
    }
    // smaller ones first: sorted
    for (int i = 0; i < q->ignored.count; i++) {
        SomBodyPair pair = q->ignored.data[i];
        q->others[q->first_ignored[pair.b] + filled[pair.b]++] = pair.a;
    }
    for (int i = 0; i < q->ignored.count; i++) {
        SomBodyPair pair = q->ignored.data[i];
        q->others[q->first_ignored[pair.a] + filled[pair.a]++] = pair.b;
    }
    som_free(filled);
}

bool som_body_maker_ignores(const SomBodyMaker *q, int unit_a, int unit_b) {
    for (int i = q->first_ignored[unit_a]; i < q->first_ignored[unit_a + 1]; i++) {
        if (q->others[i] == unit_b) {
            return true;
        }
    }
    return false;
}

// Those that touch where they start, and are tested.
static void remove_ignored(const SomBodyMaker *q, SomBodyPairs *pairs) {
    int count = 0;
    for (int i = 0; i < pairs->count; i++) {
        if (!som_body_maker_ignores(q, pairs->data[i].a, pairs->data[i].b)) {
            pairs->data[count++] = pairs->data[i];
        }
    }
    pairs->count = count;
}

static const SomBodyPair *keep_pairs(SomBodyModel *model, const SomBodyPairs *pairs, int *count) {
    SomBodyPair *kept = som_arena_new(&model->arena, SomBodyPair, pairs->count + 1);
    if (pairs->count > 0) {
        memcpy(kept, pairs->data, sizeof *kept * (size_t)pairs->count);
    }
    *count = pairs->count;
    return kept;
}

void som_body_maker_find_ignored(SomBodyMaker *q) {
    find_units(q);
    visit_neighbors(q, add_neighbor);
    look_at_start(q);
    sort_pairs(&q->ignored);
    sort_pairs(&q->resting);
    index_ignored(q);
    remove_ignored(q, &q->resting);
    sort_pairs(&q->untested);
    q->model->untested = keep_pairs(q->model, &q->untested, &q->model->untested_count);
    q->model->resting = keep_pairs(q->model, &q->resting, &q->model->resting_count);
}

// ---- bodies

// What the reader does not leave out by itself.
static bool must_be_listed(const SomBodyMaker *q, int a, int b) {
    const SomBody *bodies = q->model->bodies;
    bool is_joint = bodies[a].parent == b || bodies[b].parent == a;
    return a != b && (!is_joint || q->def->contacts == SOM_BODY_CONTACTS_LISTED);
}

// Shells of one body hang side by side: those that touch would push each other.
static void add_siblings(SomBodyMaker *q, SomBodyPairs *pairs) {
    const SomBodyModel *model = q->model;
    for (int a = 0; a < model->body_count; a++) {
        for (int b = a + 1; b < model->body_count && model->bodies[b].parent >= 0; b++) {
            int host = model->bodies[a].host;
            if (host >= 0 && model->bodies[b].host == host) {
                add_pair(pairs, a, b);
            } else if (model->bodies[b].host < 0) {
                break; // shells are right behind their host
            }
        }
    }
}

// `body_of` is that of each unit; -1: it has no shape.
static void add_bodies(const SomBodyMaker *q, const SomBodyPairs *of, const int *body_of,
                       SomBodyPairs *pairs) {
    for (int i = 0; i < of->count; i++) {
        int a = body_of[of->data[i].a], b = body_of[of->data[i].b];
        if (a >= 0 && b >= 0 && must_be_listed(q, a, b)) {
            add_pair(pairs, a, b);
        }
    }
}

void som_body_maker_add_pairs(SomBodyMaker *q) {
    SomBodyModel *model = q->model;
    SomBodyPairs pairs = {0};
    int units = q->first_unit[q->m->link_count];
    int *body_of = som_alloc(sizeof *body_of * ((size_t)units + 1));
    for (int i = 0; i < units; i++) {
        body_of[i] = -1;
    }
    for (int i = model->shape_count - 1; i >= 0; i--) {
        if (model->shapes[i].is_solid) {
            body_of[model->shapes[i].unit] = model->shapes[i].body;
        }
    }
    add_bodies(q, &q->ignored, body_of, &pairs);
    if (q->def->contacts == SOM_BODY_CONTACTS_WHOLE) {
        add_bodies(q, &q->resting, body_of, &pairs);
    }
    if (q->def->contacts == SOM_BODY_CONTACTS_PARENT) {
        add_siblings(q, &pairs);
    }
    sort_pairs(&pairs);
    model->pairs = keep_pairs(model, &pairs, &model->pair_count);
    som_array_free(&pairs);
    som_free(body_of);
}
