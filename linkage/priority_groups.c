// SPDX-License-Identifier: Apache-2.0
// Which columns each level ties together, and memory for every step to come.

#include "base/classes.h"
#include "base/memory.h"
#include "linkage/priority_internal.h"

#include <assert.h>

static void give_memory(SomArena *arena, Group *g) {
    int n = g->column_count, m = g->row_count, least = n < m ? n : m;
    g->columns = som_arena_new(arena, int, n);
    g->rows = som_arena_new(arena, int, m);
    g->places = som_arena_new(arena, int, n);
    g->under = som_arena_new(arena, Group *, n);
    g->b = som_arena_new(arena, double, (size_t)n *(size_t)m);
    g->tau = som_arena_new(arena, double, least);
    g->order = som_arena_new(arena, int, m);
    g->kept = som_arena_new(arena, int, m);
    g->wanted = som_arena_new(arena, double, m);
    g->l = som_arena_new(arena, double, (size_t)m *(size_t)least);
    g->tau2 = som_arena_new(arena, double, least);
    g->order2 = som_arena_new(arena, int, least);
    g->u = som_arena_new(arena, double, (size_t)least *(size_t)least);
    g->v = som_arena_new(arena, double, (size_t)least *(size_t)least);
    g->s = som_arena_new(arena, double, least);
}

// How many numbers the matrices above have.
static size_t size_of(const Group *g) {
    size_t n = (size_t)g->column_count, m = (size_t)g->row_count, least = n < m ? n : m;
    return m * (n + least) + 2 * least * least;
}

static Group *group_of_row(Group *groups, const int *group_of, int *parents,
                           const SomPriorityRow *row) {
    return &groups[group_of[som_classes_find(parents, row->columns[0])]];
}

// Sorts columns and rows of one level into its groups; counts first, then fills.
static bool make_level(SomPriority *p, SomArena *arena, int level, int *parents, int *group_of,
                       size_t *room) {
    SomPriorityWork *w = p->work;
    int count = 0;
    for (int c = 0; c < p->column_count; c++) {
        group_of[c] = -1;
    }
    for (int r = 0; r < p->row_count; r++) {
        if ((int)p->rows[r].level == level && p->rows[r].count > 0) {
            int root = som_classes_find(parents, p->rows[r].columns[0]);
            if (group_of[root] < 0) {
                group_of[root] = count++;
            }
        }
    }
    Group *groups = som_arena_new(arena, Group, count);
    for (int c = 0; c < p->column_count; c++) {
        int index = group_of[som_classes_find(parents, c)];
        if (index >= 0) {
            groups[index].column_count++;
        }
    }
    for (int r = 0; r < p->row_count; r++) {
        if ((int)p->rows[r].level == level && p->rows[r].count > 0) {
            group_of_row(groups, group_of, parents, &p->rows[r])->row_count++;
        }
    }
    for (int i = 0; i < count; i++) {
        if (size_of(&groups[i]) > *room) {
            return false;
        }
        *room -= size_of(&groups[i]);
        give_memory(arena, &groups[i]);
        groups[i].column_count = groups[i].row_count = 0;
    }
    for (int c = 0; c < p->column_count; c++) {
        int index = group_of[som_classes_find(parents, c)];
        if (index >= 0) {
            groups[index].columns[groups[index].column_count++] = c;
        }
    }
    for (int r = 0; r < p->row_count; r++) {
        if ((int)p->rows[r].level == level && p->rows[r].count > 0) {
            Group *g = group_of_row(groups, group_of, parents, &p->rows[r]);
            g->rows[g->row_count++] = r;
        }
    }
    w->groups[level] = groups;
    w->group_counts[level] = count;
    return true;
}

bool som_priority_plan_groups(SomPriority *p, SomArena *arena, size_t *room) {
    int n = p->column_count;
    int *parents = som_alloc((size_t)n * sizeof *parents);
    int *group_of = som_alloc((size_t)n * sizeof *group_of);
    bool fits = true;
    for (int c = 0; c < n; c++) {
        parents[c] = c;
    }
    for (int level = 0; level < SOM_LEVELS && fits; level++) {
        for (int r = 0; r < p->row_count; r++) {
            const SomPriorityRow *row = &p->rows[r];
            for (int i = 0; i < row->count && (int)row->level == level; i++) {
                assert(0 <= row->columns[i] && row->columns[i] < n);
                som_classes_join(parents, row->columns[0], row->columns[i]);
            }
        }
        fits = make_level(p, arena, level, parents, group_of, room);
    }
    som_free(parents);
    som_free(group_of);
    return fits;
}
