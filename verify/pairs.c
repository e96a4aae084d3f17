// SPDX-License-Identifier: Apache-2.0

#include "verify/pairs.h"

#include "base/classes.h"
#include "verify/pairs_internal.h"

#include <assert.h>

// How many kinds are compared with a new connection before it gets one of its own.
#define MAX_COMPARED 64

// ---- depths

// Distances of shapes are good to this part of their size.
#define ROUNDING 1e-8

static double rounding_of(const SomLinkSolid *a, const SomLinkSolid *b) {
    return ROUNDING * (a->ball.radius + b->ball.radius);
}

double som_pair_touch(const SomLinkSolid *a, const SomLinkSolid *b) {
    return fmin(1e-6, 1e-4 * fmin(a->thickness, b->thickness)) + rounding_of(a, b);
}

double som_pair_flush(const SomLinkSolid *a, const SomLinkSolid *b) {
    return fmin(1e-3, 0.1 * fmin(a->thickness, b->thickness)) + rounding_of(a, b);
}

const char *som_pair_rule_reason(SomPairRule rule) {
    switch (rule) {
    case SOM_PAIR_FREE:
        return "tested";
    case SOM_PAIR_FLUSH:
        return "touching at joint value 0, so they may overlap by up to 1 mm";
    case SOM_PAIR_BUILT:
        return "overlapping by construction, until they are first apart";
    case SOM_PAIR_STILL:
        return "in one rigid body, so they may overlap by up to 1 mm";
    case SOM_PAIR_DOCKED:
        return "docked to each other, so they may overlap by up to 1 mm";
    case SOM_PAIR_PARTS_JOINED:
        return "joined by a joint: parts at the joint, nowhere deeper than at joint value 0";
    case SOM_PAIR_PARTS_HINGED:
        return "joined by a joint: parts at the joint, possibly deeper somewhere than at value 0";
    case SOM_PAIR_HINGED:
        return "joined by a joint, possibly deeper somewhere than at joint value 0";
    case SOM_PAIR_JOINED:
        return "joined by a joint, nowhere deeper than at joint value 0";
    case SOM_PAIR_RIGID:
        return "parts of one rigid body";
    case SOM_PAIR_NO_SHAPE:
        return "without a solid shape";
    case SOM_PAIR_LEFT_OUT:
        return "looked at elsewhere";
    case SOM_PAIR_APART:
        return "of pieces that are no longer where the motion has them";
    case SOM_PAIR_RULES:
        break;
    }
    return "";
}

// ---- kinds of neighbours

// Adds the rule of two links by how far apart their solids are at home.
static void add_entry_at_home(SomPairMaker *q, SomPairEntry entry, const SomLinkSolid *a,
                              const SomLinkSolid *b, SomPose b_in_a, bool is_one_module) {
    SomPose home = som_pose_identity();
    double touch = som_pair_touch(a, b), flush = som_pair_flush(a, b);
    double distance = som_solid_distance(a, &home, b, &b_in_a, touch, NULL).distance;
    if (distance > touch) {
        return;
    }
    if (distance >= -flush) {
        entry.rule = SOM_PAIR_FLUSH;
    } else if (is_one_module) {
        entry.rule = SOM_PAIR_BUILT;
        entry.allowed = flush - distance;
    } else {
        return;
    }
    som_array_push(&q->entries, entry);
}

static const SomPairEntry *keep_entries(SomPairMaker *q, int *count) {
    SomPairEntry *kept = som_arena_new(&q->p->arena, SomPairEntry, q->entries.count);
    *count = q->entries.count;
    if (*count > 0) {
        memcpy(kept, q->entries.data, sizeof *kept * (size_t)*count);
    }
    q->entries.count = 0;
    return kept;
}

static const SomPairKind *module_alone(SomPairMaker *q, const SomTypeLinks *t) {
    for (int i = 0; i < t->type->link_count; i++) {
        for (int k = i + 1; k < t->type->link_count; k++) {
            const SomLinkSolid *a = &t->solids[i], *b = &t->solids[k];
            if (t->rigid[i] == t->rigid[k] || a->part_count == 0 || b->part_count == 0) {
                continue; // the body says so, or the shape
            }
            if (!som_pairs_add_joined(q, t, i, k)) {
                add_entry_at_home(q, (SomPairEntry){.link_a = i, .link_b = k}, a, b,
                                  som_pose_identity(), true);
            }
        }
    }
    SomPairKind *kind = som_arena_new(&q->p->arena, SomPairKind, 1);
    *kind = (SomPairKind){.type_a = t->type,
                          .type_b = t->type,
                          .connector_a = -1,
                          .connector_b = -1,
                          .transform = som_pose_identity()};
    kind->entries = keep_entries(q, &kind->entry_count);
    return kind;
}

static bool is_kind_of(const SomPairKind *kind, const SomConnection *k, const SomModuleType *a,
                       const SomModuleType *b) {
    return kind->type_a == a && kind->type_b == b && kind->connector_a == k->connector_a &&
           kind->connector_b == k->connector_b &&
           memcmp(&kind->transform, &k->transform, sizeof k->transform) == 0;
}

static const SomPairKind *kind_of(SomPairMaker *q, const SomConnection *k, bool is_open) {
    const SomTypeLinks *a = &q->types.data[q->type_of[k->module_a]];
    const SomTypeLinks *b = &q->types.data[q->type_of[k->module_b]];
    for (int i = q->kinds.count - 1; i >= 0 && i >= q->kinds.count - MAX_COMPARED; i--) {
        if (q->kinds.data[i]->is_open == is_open &&
            is_kind_of(q->kinds.data[i], k, a->type, b->type)) {
            return q->kinds.data[i];
        }
    }
    int face_a = a->type->connectors[k->connector_a].link;
    int face_b = b->type->connectors[k->connector_b].link;
    for (int i = 0; i < a->type->link_count; i++) {
        for (int n = 0; n < b->type->link_count; n++) {
            const SomLinkSolid *solid_a = &a->solids[i], *solid_b = &b->solids[n];
            if (solid_a->part_count == 0 || solid_b->part_count == 0) {
                continue;
            }
            bool is_rigid = a->rigid[i] == a->rigid[face_a] && b->rigid[n] == b->rigid[face_b];
            if (is_rigid && is_open) {
                som_array_push(&q->entries, ((SomPairEntry){i, n, SOM_PAIR_FLUSH, 0, NULL}));
            } else if (i == face_a && n == face_b) {
                som_array_push(&q->entries, ((SomPairEntry){i, n, SOM_PAIR_DOCKED, 0, NULL}));
            } else {
                add_entry_at_home(q, (SomPairEntry){.link_a = i, .link_b = n}, solid_a, solid_b,
                                  k->transform, false);
            }
        }
    }
    SomPairKind *kind = som_arena_new(&q->p->arena, SomPairKind, 1);
    *kind = (SomPairKind){.type_a = a->type,
                          .type_b = b->type,
                          .connector_a = k->connector_a,
                          .connector_b = k->connector_b,
                          .transform = k->transform,
                          .is_open = is_open};
    kind->entries = keep_entries(q, &kind->entry_count);
    som_array_push(&q->kinds, kind);
    return kind;
}

// ---- links, bodies, neighbours

static void add_type(SomPairMaker *q, const SomModuleType *type) {
    SomTypeLinks t = {.type = type, .first_group = q->type_links};
    t.solids = som_arena_new(&q->p->arena, SomLinkSolid, type->link_count);
    t.rigid = som_arena_new(&q->p->arena, int, type->link_count);
    for (int i = 0; i < type->link_count; i++) {
        t.solids[i] = som_link_solid(&type->links[i], &q->p->arena);
        t.rigid[i] = i;
    }
    for (int i = 0; i < type->joint_count; i++) {
        if (type->joints[i].type == SOM_JOINT_FIXED) {
            som_classes_join(t.rigid, type->joints[i].parent, type->joints[i].child);
        }
    }
    for (int i = 0; i < type->link_count; i++) {
        t.rigid[i] = som_classes_find(t.rigid, i);
    }
    t.alone = module_alone(q, &t);
    q->type_links += type->link_count;
    som_array_push(&q->types, t);
}

static void add_types(SomPairMaker *q) {
    for (int i = 0; i < q->c->module_count; i++) {
        const SomModuleType *type = q->c->modules[i].type;
        int t = 0;
        while (t < q->types.count && q->types.data[t].type != type) {
            t++;
        }
        if (t == q->types.count) {
            add_type(q, type);
        }
        q->type_of[i] = t;
    }
}

// Links that no DoF of the tree moves against each other.
static void add_bodies(SomPairMaker *q) {
    const SomMechanism *m = q->m;
    int *bodies = som_arena_new(&q->p->arena, int, m->link_count);
    const SomLinkSolid **solids = som_arena_new(&q->p->arena, const SomLinkSolid *, m->link_count);
    for (int i = 0; i < m->link_count; i++) {
        const SomMechanismLink *link = &m->links[m->order[i]];
        bool is_rigid = link->parent >= 0 && link->dof < 0;
        bodies[m->order[i]] = is_rigid ? bodies[link->parent] : q->p->body_count++;
        solids[m->order[i]] = &q->types.data[q->type_of[link->module]].solids[link->module_link];
    }
    q->p->bodies = bodies;
    q->p->solids = solids;
}

static bool is_connected(const SomConfiguration *c, const SomConnection *dock) {
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        if (k->module_a == dock->module_a && k->connector_a == dock->connector_a &&
            k->module_b == dock->module_b && k->connector_b == dock->connector_b) {
            return true;
        }
    }
    return false;
}

// All connections, then the docks that are open in this mechanism.
static void add_links_of_modules(SomPairMaker *q) {
    const SomConfiguration *c = q->c;
    for (int i = 0; i < c->connection_count; i++) {
        SomModulePair link = {&c->connections[i], kind_of(q, &c->connections[i], false)};
        som_array_push(&q->links, link);
    }
    for (int i = 0; i < c->dock_count; i++) {
        const SomConnection *dock = &c->docks[i].connection;
        if (!is_connected(c, dock)) {
            som_array_push(&q->links, ((SomModulePair){dock, kind_of(q, dock, true)}));
        }
    }
}

static void add_neighbors(SomPairMaker *q) {
    const SomConfiguration *c = q->c;
    int *first = som_arena_new(&q->p->arena, int, c->module_count + 1);
    add_links_of_modules(q);
    for (int i = 0; i < q->links.count; i++) {
        first[q->links.data[i].connection->module_a]++;
        first[q->links.data[i].connection->module_b]++;
    }
    // begins: itself, and an end after each
    for (int i = 0, at = 0; i <= c->module_count; i++) {
        int count = first[i] + 2;
        first[i] = at;
        at += i < c->module_count ? count : 0;
    }
    int *filled = som_alloc(sizeof *filled * (size_t)(c->module_count + 1));
    SomPairNeighbor *all = som_arena_new(&q->p->arena, SomPairNeighbor, first[c->module_count] + 1);
    for (int i = 0; i < c->module_count; i++) {
        all[first[i]] = (SomPairNeighbor){i, q->types.data[q->type_of[i]].alone, false};
        all[first[i + 1] - 1].module = -1;
        filled[i] = first[i] + 1;
    }
    for (int i = 0; i < q->links.count; i++) {
        const SomConnection *k = q->links.data[i].connection;
        const SomPairKind *kind = q->links.data[i].kind;
        all[filled[k->module_a]++] = (SomPairNeighbor){k->module_b, kind, false};
        all[filled[k->module_b]++] = (SomPairNeighbor){k->module_a, kind, true};
    }
    som_free(filled);
    q->p->neighbors = all;
    q->p->first_neighbor = first;
}

// ---- rules

static const SomPairEntry *find_entry(const SomPairKind *kind, int a, int b) {
    int low = 0, high = kind->entry_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const SomPairEntry *e = &kind->entries[middle];
        if (e->link_a == a && e->link_b == b) {
            return e;
        }
        bool is_before = e->link_a < a || (e->link_a == a && e->link_b < b);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return NULL;
}

const SomPairEntry *som_pairs_entry(const SomPairs *p, int link_a, int link_b,
                                    const SomPairKind **kind) {
    const SomMechanismLink *a = &p->mechanism->links[link_a], *b = &p->mechanism->links[link_b];
    const SomPairEntry *found = NULL;
    for (const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[a->module]]; n->module >= 0;
         n++) {
        if (n->module != b->module) {
            continue;
        }
        bool is_swapped = a->module == b->module ? a->module_link > b->module_link : n->is_reversed;
        int first = is_swapped ? b->module_link : a->module_link;
        int second = is_swapped ? a->module_link : b->module_link;
        const SomPairEntry *e = find_entry(n->kind, first, second);
        if (e != NULL && (found == NULL || e->rule > found->rule)) {
            found = e;
            *kind = n->kind;
        }
    }
    return found;
}

static bool are_apart(const SomPairs *p, int link_a, int link_b) {
    int a = p->mechanism->links[link_a].piece, b = p->mechanism->links[link_b].piece;
    return a != b && (p->is_apart[a] || p->is_apart[b]);
}

SomPairRule som_pairs_body_rule(const SomPairs *p, int link_a, int link_b) {
    const SomMechanismLink *links = p->mechanism->links;
    bool is_one_module = links[link_a].module == links[link_b].module;
    return p->bodies[link_a] != p->bodies[link_b] ? SOM_PAIR_FREE
           : is_one_module                        ? SOM_PAIR_RIGID
                                                  : SOM_PAIR_STILL;
}

SomPairRule som_pairs_rule(const SomPairs *p, int link_a, int link_b, double *allowed) {
    assert(link_a != link_b);
    const SomLinkSolid *a = p->solids[link_a], *b = p->solids[link_b];
    const SomPairEntry *entry = NULL;
    SomPairRule rule = SOM_PAIR_FREE;
    if (a->part_count == 0 || b->part_count == 0) {
        rule = SOM_PAIR_NO_SHAPE;
    } else if (p->is_apart != NULL && are_apart(p, link_a, link_b)) {
        rule = SOM_PAIR_APART;
    } else if (p->leaves_out_near && som_pairs_are_near(p, link_a, link_b)) {
        rule = SOM_PAIR_LEFT_OUT;
    } else {
        const SomPairKind *kind;
        entry = som_pairs_entry(p, link_a, link_b, &kind);
        rule = entry == NULL ? SOM_PAIR_FREE : entry->rule;
        SomPairRule body = som_pairs_body_rule(p, link_a, link_b);
        rule = rule < body ? body : rule;
    }
    if (allowed != NULL) {
        bool is_flush = rule == SOM_PAIR_FLUSH || rule == SOM_PAIR_STILL || rule == SOM_PAIR_DOCKED;
        *allowed = rule == SOM_PAIR_FREE      ? som_pair_touch(a, b)
                   : is_flush                 ? som_pair_flush(a, b)
                   : som_pair_is_tested(rule) ? entry->allowed
                                              : (double)INFINITY;
    }
    return rule;
}

SomPartPairs som_pairs_except(const SomPairs *p, int link_a, int link_b) {
    assert(link_a < link_b);
    const SomPairKind *kind;
    const SomPairEntry *entry = som_pairs_entry(p, link_a, link_b, &kind);
    return entry == NULL ? NULL : entry->except;
}

SomDistance som_pairs_distance(const SomPairs *p, int link_a, const SomPose *pose_a, int link_b,
                               const SomPose *pose_b, double limit, SomDistanceCache *cache) {
    return som_solid_distance_except(p->solids[link_a], pose_a, p->solids[link_b], pose_b, limit,
                                     cache, som_pairs_except(p, link_a, link_b));
}

bool som_pairs_are_near(const SomPairs *p, int link_a, int link_b) {
    return p->bodies[link_a] == p->bodies[link_b] || som_pairs_are_neighbors(p, link_a, link_b);
}

bool som_pairs_are_neighbors(const SomPairs *p, int link_a, int link_b) {
    int a = p->mechanism->links[link_a].module, b = p->mechanism->links[link_b].module;
    for (const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[a]]; n->module >= 0; n++) {
        if (n->module == b) {
            return true;
        }
    }
    return false;
}

SomPairs *som_pairs_create(const SomMechanism *m) {
    SomPairs *p = som_alloc(sizeof *p);
    p->mechanism = m;
    SomPairMaker q = {.m = m, .c = m->configuration, .p = p};
    q.type_of = som_alloc(sizeof *q.type_of * (size_t)(q.c->module_count + 1));
    add_types(&q);
    add_bodies(&q);
    add_neighbors(&q);
    som_pairs_count(&q);
    som_free(q.type_of);
    som_array_free(&q.links);
    som_array_free(&q.types);
    som_array_free(&q.kinds);
    som_array_free(&q.entries);
    som_array_free(&q.groups);
    return p;
}

void som_pairs_destroy(SomPairs *p) {
    if (p != NULL) {
        som_arena_free(&p->arena);
        som_free(p);
    }
}
