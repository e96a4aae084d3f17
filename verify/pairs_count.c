// SPDX-License-Identifier: Apache-2.0
// How many pairs of links each rule is for, without looking at each.

#include "verify/pairs_internal.h"

#include <stdlib.h>

static void add_to_group(SomPairMaker *q, SomPairRule rule, int a, int b, long count) {
    SomPairGroup group = {.rule = rule, .link_a = a < b ? a : b, .link_b = a < b ? b : a};
    group.count = count;
    som_array_push(&q->groups, group);
    q->p->counts[rule] += count;
}

// The number of a link of a mechanism among those of types.
static int type_link(const SomPairMaker *q, int link) {
    const SomMechanismLink *l = &q->m->links[link];
    return q->types.data[q->type_of[l->module]].first_group + l->module_link;
}

// Entries of a module or connection, those that hold and have not been counted by another one.
static void count_entries(SomPairMaker *q, const SomPairKind *kind, int module_a, int module_b) {
    for (int i = 0; i < kind->entry_count; i++) {
        const SomPairEntry *entry = &kind->entries[i];
        int a = q->m->first_link[module_a] + entry->link_a;
        int b = q->m->first_link[module_b] + entry->link_b;
        const SomPairKind *owner = NULL;
        SomPairRule rule = som_pairs_rule(q->p, a, b, NULL);
        bool is_counted = rule == entry->rule && som_pairs_entry(q->p, a, b, &owner) == entry;
        if (is_counted) {
            SomPairRule body = som_pairs_body_rule(q->p, a, b);
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
static void count_rigid(SomPairMaker *q) {
    for (int i = 0; i < q->c->module_count; i++) {
        int first = q->m->first_link[i], end = q->m->first_link[i + 1];
        for (int a = first; a < end; a++) {
            for (int b = a + 1; b < end; b++) {
                bool has_shapes =
                    q->p->solids[a]->part_count > 0 && q->p->solids[b]->part_count > 0;
                if (has_shapes && som_pairs_body_rule(q->p, a, b) == SOM_PAIR_RIGID) {
                    int link_a = type_link(q, a), link_b = type_link(q, b);
                    add_to_group(q, SOM_PAIR_RIGID, link_a, link_b, 1);
                    add_to_group(q, SOM_PAIR_STILL, link_a, link_b, -1);
                }
            }
        }
    }
}

// Of runs of equal links of types, sorted by body.
static void count_bodies(SomPairMaker *q) {
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

static void count_without_shape(SomPairMaker *q) {
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

static void name_link(const SomPairMaker *q, int number, const SomModuleType **type, int *link) {
    *type = NULL;
    *link = 0;
    for (int i = 0; i < q->types.count; i++) {
        const SomTypeLinks *t = &q->types.data[i];
        if (number >= t->first_group && number < t->first_group + t->type->link_count) {
            *type = t->type;
            *link = number - t->first_group;
        }
    }
}

// Sums up groups of the same links and gives them their names.
static void keep_groups(SomPairMaker *q) {
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

void som_pairs_count(SomPairMaker *q) {
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
