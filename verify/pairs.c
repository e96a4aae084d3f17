// SPDX-License-Identifier: Apache-2.0

#include "verify/pairs.h"

#include "base/classes.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

// What is special about a link of one module and a link of its neighbour, or of itself.
typedef struct Entry {
    int link_a, link_b; // of the types; in one module link_a < link_b
    SomPairRule rule;
    double depth; // at home, of links that overlap there
} Entry;

struct SomPairKind {
    const SomModuleType *type_a, *type_b;
    int connector_a, connector_b; // -1: one module with itself
    SomPose transform;
    bool is_open;         // a dock that is not closed: its faces may meet
    const Entry *entries; // by link_a, then link_b
    int entry_count;
};

// How many kinds are compared with a new connection before it gets one of its own.
#define MOST_COMPARED 64

typedef struct TypeLinks {
    const SomModuleType *type;
    SomLinkSolid *solids;
    int *rigid; // which links are rigid in the module by itself
    const SomPairKind *alone;
    int first_group; // number of its first link among all links of types
} TypeLinks;

// Modules that are connected, or may be.
typedef struct Link {
    const SomConnection *connection;
    const SomPairKind *kind;
} Link;

typedef struct Maker {
    const SomMechanism *m;
    const SomConfiguration *c;
    SomPairs *p;
    SOM_ARRAY(TypeLinks) types;
    SOM_ARRAY(SomPairKind *) kinds; // of connections
    SOM_ARRAY(Link) links;
    int *type_of; // of each module
    int type_links;
    SOM_ARRAY(Entry) entries;
    SOM_ARRAY(SomPairGroup) groups;
} Maker;

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
    case SOM_PAIR_JOINED:
        return "joined by a joint";
    case SOM_PAIR_RIGID:
        return "parts of one rigid body";
    case SOM_PAIR_DOCKED:
        return "docked to each other";
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
static void add_entry_at_home(Maker *q, Entry entry, const SomLinkSolid *a, const SomLinkSolid *b,
                              SomPose b_in_a, bool is_one_module) {
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
        entry.depth = -distance;
    } else {
        return;
    }
    som_array_push(&q->entries, entry);
}

static const Entry *keep_entries(Maker *q, int *count) {
    Entry *kept = som_arena_new(&q->p->arena, Entry, q->entries.count);
    *count = q->entries.count;
    if (*count > 0) {
        memcpy(kept, q->entries.data, sizeof *kept * (size_t)*count);
    }
    q->entries.count = 0;
    return kept;
}

static bool are_joined(const SomModuleType *type, int a, int b) {
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        if ((joint->parent == a && joint->child == b) ||
            (joint->parent == b && joint->child == a)) {
            return true;
        }
    }
    return false;
}

static const SomPairKind *module_alone(Maker *q, const TypeLinks *t) {
    for (int i = 0; i < t->type->link_count; i++) {
        for (int k = i + 1; k < t->type->link_count; k++) {
            const SomLinkSolid *a = &t->solids[i], *b = &t->solids[k];
            if (t->rigid[i] == t->rigid[k] || a->part_count == 0 || b->part_count == 0) {
                continue; // the body says so, or the shape
            }
            if (are_joined(t->type, i, k)) {
                som_array_push(&q->entries, ((Entry){i, k, SOM_PAIR_JOINED, 0}));
            } else {
                add_entry_at_home(q, (Entry){.link_a = i, .link_b = k}, a, b, som_pose_identity(),
                                  true);
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

static const SomPairKind *kind_of(Maker *q, const SomConnection *k, bool is_open) {
    const TypeLinks *a = &q->types.data[q->type_of[k->module_a]];
    const TypeLinks *b = &q->types.data[q->type_of[k->module_b]];
    for (int i = q->kinds.count - 1; i >= 0 && i >= q->kinds.count - MOST_COMPARED; i--) {
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
                som_array_push(&q->entries, ((Entry){i, n, SOM_PAIR_FLUSH, 0}));
            } else if (i == face_a && n == face_b) {
                som_array_push(&q->entries, ((Entry){i, n, SOM_PAIR_DOCKED, 0}));
            } else {
                add_entry_at_home(q, (Entry){.link_a = i, .link_b = n}, solid_a, solid_b,
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

static void add_type(Maker *q, const SomModuleType *type) {
    TypeLinks t = {.type = type, .first_group = q->type_links};
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

static void add_types(Maker *q) {
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
static void add_bodies(Maker *q) {
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
static void add_links_of_modules(Maker *q) {
    const SomConfiguration *c = q->c;
    for (int i = 0; i < c->connection_count; i++) {
        Link link = {&c->connections[i], kind_of(q, &c->connections[i], false)};
        som_array_push(&q->links, link);
    }
    for (int i = 0; i < c->dock_count; i++) {
        const SomConnection *dock = &c->docks[i].connection;
        if (!is_connected(c, dock)) {
            som_array_push(&q->links, ((Link){dock, kind_of(q, dock, true)}));
        }
    }
}

static void add_neighbors(Maker *q) {
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

static const Entry *find_entry(const SomPairKind *kind, int a, int b) {
    int low = 0, high = kind->entry_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const Entry *e = &kind->entries[middle];
        if (e->link_a == a && e->link_b == b) {
            return e;
        }
        bool is_before = e->link_a < a || (e->link_a == a && e->link_b < b);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return NULL;
}

// The strongest entry of all connections of the two modules; NULL if there is none. `kind` gets
// whose it is.
static const Entry *entry_of(const SomPairs *p, int link_a, int link_b, const SomPairKind **kind) {
    const SomMechanismLink *a = &p->mechanism->links[link_a], *b = &p->mechanism->links[link_b];
    const Entry *found = NULL;
    for (const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[a->module]]; n->module >= 0;
         n++) {
        if (n->module != b->module) {
            continue;
        }
        bool is_swapped = a->module == b->module ? a->module_link > b->module_link : n->is_reversed;
        int first = is_swapped ? b->module_link : a->module_link;
        int second = is_swapped ? a->module_link : b->module_link;
        const Entry *e = find_entry(n->kind, first, second);
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

// Of links that nothing moves against each other; else free.
static SomPairRule body_rule(const SomPairs *p, int link_a, int link_b) {
    const SomMechanismLink *links = p->mechanism->links;
    bool is_one_module = links[link_a].module == links[link_b].module;
    return p->bodies[link_a] != p->bodies[link_b] ? SOM_PAIR_FREE
           : is_one_module                        ? SOM_PAIR_RIGID
                                                  : SOM_PAIR_STILL;
}

SomPairRule som_pairs_rule(const SomPairs *p, int link_a, int link_b, double *allowed) {
    assert(link_a != link_b);
    const SomLinkSolid *a = p->solids[link_a], *b = p->solids[link_b];
    const Entry *entry = NULL;
    SomPairRule rule = SOM_PAIR_FREE;
    if (a->part_count == 0 || b->part_count == 0) {
        rule = SOM_PAIR_NO_SHAPE;
    } else if (p->is_apart != NULL && are_apart(p, link_a, link_b)) {
        rule = SOM_PAIR_APART;
    } else if (p->leaves_out_near && som_pairs_are_near(p, link_a, link_b)) {
        rule = SOM_PAIR_LEFT_OUT;
    } else {
        const SomPairKind *kind;
        entry = entry_of(p, link_a, link_b, &kind);
        rule = entry == NULL ? SOM_PAIR_FREE : entry->rule;
        SomPairRule body = body_rule(p, link_a, link_b);
        rule = rule < body ? body : rule;
    }
    if (allowed != NULL) {
        bool is_flush = rule == SOM_PAIR_FLUSH || rule == SOM_PAIR_STILL;
        *allowed = rule == SOM_PAIR_FREE    ? som_pair_touch(a, b)
                   : is_flush               ? som_pair_flush(a, b)
                   : rule == SOM_PAIR_BUILT ? entry->depth + som_pair_flush(a, b)
                                            : (double)INFINITY;
    }
    return rule;
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

// ---- what is listed

static void add_to_group(Maker *q, SomPairRule rule, int a, int b, long count) {
    SomPairGroup group = {.rule = rule, .link_a = a < b ? a : b, .link_b = a < b ? b : a};
    group.count = count;
    som_array_push(&q->groups, group);
    q->p->counts[rule] += count;
}

// The number of a link of a mechanism among those of types.
static int type_link(const Maker *q, int link) {
    const SomMechanismLink *l = &q->m->links[link];
    return q->types.data[q->type_of[l->module]].first_group + l->module_link;
}

// Entries of a module or connection, those that hold and have not been counted by another one.
static void count_entries(Maker *q, const SomPairKind *kind, int module_a, int module_b) {
    for (int i = 0; i < kind->entry_count; i++) {
        const Entry *entry = &kind->entries[i];
        int a = q->m->first_link[module_a] + entry->link_a;
        int b = q->m->first_link[module_b] + entry->link_b;
        const SomPairKind *owner = NULL;
        SomPairRule rule = som_pairs_rule(q->p, a, b, NULL);
        bool is_counted = rule == entry->rule && entry_of(q->p, a, b, &owner) == entry;
        if (is_counted) {
            SomPairRule body = body_rule(q->p, a, b);
            add_to_group(q, rule, type_link(q, a), type_link(q, b), 1);
            if (body != SOM_PAIR_FREE) { // counted with the body, too
                add_to_group(q, body, type_link(q, a), type_link(q, b), -1);
            }
        }
    }
}

static int by_body(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

// Of all links of bodies, those that are of one module.
static void count_rigid(Maker *q) {
    for (int i = 0; i < q->c->module_count; i++) {
        int first = q->m->first_link[i], end = q->m->first_link[i + 1];
        for (int a = first; a < end; a++) {
            for (int b = a + 1; b < end; b++) {
                bool has_shapes =
                    q->p->solids[a]->part_count > 0 && q->p->solids[b]->part_count > 0;
                if (has_shapes && body_rule(q->p, a, b) == SOM_PAIR_RIGID) {
                    int link_a = type_link(q, a), link_b = type_link(q, b);
                    add_to_group(q, SOM_PAIR_RIGID, link_a, link_b, 1);
                    add_to_group(q, SOM_PAIR_STILL, link_a, link_b, -1);
                }
            }
        }
    }
}

// Of runs of equal links of types, sorted by body.
static void count_bodies(Maker *q) {
    const SomMechanism *m = q->m;
    int(*links)[2] = som_alloc(sizeof *links * (size_t)(m->link_count + 1));
    int count = 0;
    for (int i = 0; i < m->link_count; i++) {
        if (q->p->solids[i]->part_count > 0) {
            links[count][0] = q->p->bodies[i];
            links[count++][1] = type_link(q, i);
        }
    }
    qsort(links, (size_t)count, sizeof *links, by_body);
    typedef struct Run {
        int body, link;
        long count;
    } Run;
    SOM_ARRAY(Run) runs = {0};
    for (int i = 0; i < count; i++) {
        Run *last = runs.count == 0 ? NULL : &runs.data[runs.count - 1];
        if (last != NULL && last->body == links[i][0] && last->link == links[i][1]) {
            last->count++;
        } else {
            som_array_push(&runs, ((Run){links[i][0], links[i][1], 1}));
        }
    }
    for (int i = 0; i < runs.count; i++) {
        const Run *a = &runs.data[i];
        if (a->count > 1) {
            add_to_group(q, SOM_PAIR_STILL, a->link, a->link, a->count * (a->count - 1) / 2);
        }
        for (int k = i + 1; k < runs.count && runs.data[k].body == a->body; k++) {
            add_to_group(q, SOM_PAIR_STILL, a->link, runs.data[k].link,
                         a->count * runs.data[k].count);
        }
    }
    som_array_free(&runs);
    som_free(links);
}

static void count_without_shape(Maker *q) {
    long *of_link = som_alloc(sizeof *of_link * (size_t)(q->type_links + 1));
    long before = 0, n = q->m->link_count;
    for (int i = 0; i < n; i++) {
        of_link[type_link(q, i)] += q->p->solids[i]->part_count == 0;
    }
    for (int i = 0; i < q->type_links; i++) {
        if (of_link[i] > 0) { // with all that are not counted before
            long pairs = of_link[i] * (of_link[i] - 1) / 2 + of_link[i] * (n - before - of_link[i]);
            add_to_group(q, SOM_PAIR_NO_SHAPE, i, q->type_links, pairs);
            before += of_link[i];
        }
    }
    som_free(of_link);
}

static int by_group(const void *a, const void *b) {
    const SomPairGroup *x = a, *y = b;
    if (x->rule != y->rule) {
        return (x->rule < y->rule) - (x->rule > y->rule);
    }
    if (x->link_a != y->link_a) {
        return (x->link_a > y->link_a) - (x->link_a < y->link_a);
    }
    return (x->link_b > y->link_b) - (x->link_b < y->link_b);
}

static void name_link(const Maker *q, int number, const SomModuleType **type, int *link) {
    *type = NULL;
    *link = 0;
    for (int i = 0; i < q->types.count; i++) {
        const TypeLinks *t = &q->types.data[i];
        if (number >= t->first_group && number < t->first_group + t->type->link_count) {
            *type = t->type;
            *link = number - t->first_group;
        }
    }
}

// Sums up groups of the same links and gives them their names.
static void keep_groups(Maker *q) {
    int count = 0;
    SomPairGroup *groups = q->groups.data;
    if (q->groups.count > 0) {
        qsort(groups, (size_t)q->groups.count, sizeof *groups, by_group);
    }
    for (int i = 0; i < q->groups.count; i++) {
        if (count > 0 && by_group(&groups[count - 1], &groups[i]) == 0) {
            groups[count - 1].count += groups[i].count;
        } else {
            groups[count++] = groups[i];
        }
    }
    SomPairGroup *kept = som_arena_new(&q->p->arena, SomPairGroup, count);
    for (int i = 0; i < count; i++) {
        if (groups[i].count > 0) {
            SomPairGroup *group = &kept[q->p->group_count++];
            *group = groups[i];
            name_link(q, groups[i].link_a, &group->type_a, &group->link_a);
            name_link(q, groups[i].link_b, &group->type_b, &group->link_b);
        }
    }
    q->p->groups = kept;
}

static void count_pairs(Maker *q) {
    long links = q->m->link_count;
    count_without_shape(q);
    count_bodies(q);
    count_rigid(q);
    for (int i = 0; i < q->c->module_count; i++) {
        count_entries(q, q->types.data[q->type_of[i]].alone, i, i);
    }
    for (int i = 0; i < q->links.count; i++) {
        const SomConnection *k = q->links.data[i].connection;
        count_entries(q, q->links.data[i].kind, k->module_a, k->module_b);
    }
    q->p->counts[SOM_PAIR_FREE] = links * (links - 1) / 2;
    for (int i = SOM_PAIR_FREE + 1; i < SOM_PAIR_RULES; i++) {
        q->p->counts[SOM_PAIR_FREE] -= q->p->counts[i];
    }
    keep_groups(q);
}

SomPairs *som_pairs_create(const SomMechanism *m) {
    SomPairs *p = som_alloc(sizeof *p);
    p->mechanism = m;
    Maker q = {.m = m, .c = m->configuration, .p = p};
    q.type_of = som_alloc(sizeof *q.type_of * (size_t)(q.c->module_count + 1));
    add_types(&q);
    add_bodies(&q);
    add_neighbors(&q);
    count_pairs(&q);
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
