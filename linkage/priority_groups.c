// SPDX-License-Identifier: Apache-2.0
// Which columns each level ties together, and memory for every step to come.

#include "base/memory.h"
#include "linkage/priority_internal.h"

#include <assert.h>

static int find(int *parents, int i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// The smaller root stays, so that classes are named by their first column.
static void join(int *parents, int a, int b) {
    a = find(parents, a);
    b = find(parents, b);
    if (a < b) {
        parents[b] = a;
    } else {
        parents[a] = b;
    }
}

static void give_memory(SomArena *arena, Group *g) {
    int n = g->column_count, m = g->row_count, least = n < m ? n : m;
    g->offsets = som_arena_new(arena, int, n);
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
    if (!g->is_last) {
        g->z = som_arena_new(arena, double, (size_t)n *(size_t)n);
    }
}

// Sorts columns and rows of one level into its groups; counts first, then fills.
static void make_level(SomPriority *p, SomArena *arena, int level, int *parents,
                       const int *last_level, int *group_of) {
    SomPriorityWork *w = p->work;
    int count = 0;
    for (int c = 0; c < p->column_count; c++) {
        group_of[c] = -1;
    }
    for (int r = 0; r < p->row_count; r++) {
        if ((int)p->rows[r].level == level && p->rows[r].count > 0) {
            int root = find(parents, p->rows[r].columns[0]);
            if (group_of[root] < 0) {
                group_of[root] = count++;
            }
        }
    }
    Group *groups = som_arena_new(arena, Group, count);
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < p->column_count; c++) {
            int index = group_of[find(parents, c)];
            if (index < 0) {
                continue;
            }
            Group *g = &groups[index];
            if (pass == 1) {
                ((int *)g->columns)[g->column_count] = c;
                g->is_last = g->is_last && last_level[c] <= level;
            }
            g->column_count++;
        }
        for (int r = 0; r < p->row_count; r++) {
            if ((int)p->rows[r].level == level && p->rows[r].count > 0) {
                Group *g = &groups[group_of[find(parents, p->rows[r].columns[0])]];
                if (pass == 1) {
                    ((int *)g->rows)[g->row_count] = r;
                }
                g->row_count++;
            }
        }
        for (int i = 0; i < count && pass == 0; i++) {
            groups[i].columns = som_arena_new(arena, int, groups[i].column_count);
            groups[i].rows = som_arena_new(arena, int, groups[i].row_count);
            groups[i].column_count = groups[i].row_count = 0;
            groups[i].is_last = true;
        }
    }
    for (int i = 0; i < count; i++) {
        give_memory(arena, &groups[i]);
    }
    w->groups[level] = groups;
    w->group_counts[level] = count;
}

void som_priority_plan_groups(SomPriority *p, SomArena *arena) {
    int n = p->column_count;
    int *parents = som_alloc((size_t)n * sizeof *parents);
    int *last_level = som_alloc((size_t)n * sizeof *last_level);
    int *group_of = som_alloc((size_t)n * sizeof *group_of);
    for (int c = 0; c < n; c++) {
        parents[c] = c;
        last_level[c] = -1;
    }
    for (int r = 0; r < p->row_count; r++) {
        const SomPriorityRow *row = &p->rows[r];
        for (int i = 0; i < row->count; i++) {
            assert(0 <= row->columns[i] && row->columns[i] < n);
            if (last_level[row->columns[i]] < (int)row->level) {
                last_level[row->columns[i]] = (int)row->level;
            }
        }
    }
    for (int level = 0; level < SOM_LEVELS; level++) {
        for (int r = 0; r < p->row_count; r++) {
            const SomPriorityRow *row = &p->rows[r];
            for (int i = 1; i < row->count && (int)row->level == level; i++) {
                join(parents, row->columns[0], row->columns[i]);
            }
        }
        make_level(p, arena, level, parents, last_level, group_of);
    }
    som_free(parents);
    som_free(last_level);
    som_free(group_of);
}
