// SPDX-License-Identifier: Apache-2.0
// The incremental hull of Clarkson and Shor: points are added in random order, each with the facets
// that it sees taken away and a cone of new ones put in place. Signs are exact, so there is no
// tolerance, no special case and no failure: a flat facet is seen only from strictly above it.

#include "space/hull_internal.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

__extension__ typedef __int128 Wide;

typedef struct Facet {
    int32_t corner[3];
    int32_t across[3]; // the facet beyond the side from corner i to corner i + 1
    int32_t outside;   // first of the points that see this facet and wait, or -1
    int32_t seen_by;   // the point that took it away, or -1
    Wide normal[3];
    double rounded[3]; // the normal
} Facet;

typedef struct Builder {
    const SomGridPoint *points;
    int32_t *next;   // of a waiting point: the next one at its facet
    int32_t *facet;  // of a waiting point: its facet, or -1 where it is inside
    int32_t *coming; // of a point on the horizon: the new facet whose side starts there
    SOM_ARRAY(Facet) facets;
    SomIndexArray free_facets;
    SomIndexArray seen;    // facets that the point being added sees
    SomIndexArray horizon; // pairs: hidden facet, its side towards a seen one
    SomIndexArray added;
} Builder;

static int sign_of_sum(const Wide normal[3], const int64_t way[3]) {
    // each product as two pieces, of 2^64 and of 1
    Wide high = 0, low = 0;
    for (int i = 0; i < 3; i++) {
        high += (Wide)(int64_t)(normal[i] >> 64) * way[i];
        low += (Wide)(uint64_t)normal[i] * way[i];
    }
    high += low >> 64;
    if (high != 0) {
        return high < 0 ? -1 : 1;
    }
    return (uint64_t)low != 0;
}

static bool sees(const Builder *b, int32_t point, const Facet *facet) {
    const int64_t *p = b->points[point].x, *o = b->points[facet->corner[0]].x;
    int64_t way[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
    // the sign in doubles, unless rounding could have made it
    double sum = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        double product = facet->rounded[i] * (double)way[i];
        sum += product;
        size += fabs(product);
    }
    if (fabs(sum) > 1e-15 * size) {
        return sum > 0;
    }
    return sign_of_sum(facet->normal, way) > 0;
}

static int32_t add_facet(Builder *b, int32_t i, int32_t j, int32_t k) {
    const int64_t *a = b->points[i].x, *c = b->points[j].x, *d = b->points[k].x;
    Facet facet = {{i, j, k}, {-1, -1, -1}, -1, -1, {0}, {0}};
    for (int n = 0; n < 3; n++) {
        int y = (n + 1) % 3, z = (n + 2) % 3;
        facet.normal[n] = (Wide)(c[y] - a[y]) * (d[z] - a[z]) - (Wide)(c[z] - a[z]) * (d[y] - a[y]);
        facet.rounded[n] = (double)facet.normal[n];
    }
    if (b->free_facets.count > 0) {
        int32_t index = b->free_facets.data[--b->free_facets.count];
        b->facets.data[index] = facet;
        return index;
    }
    som_array_push(&b->facets, facet);
    return b->facets.count - 1;
}

// Puts a point at the first of the new facets that it sees; if none, it is inside for ever.
static void place_point(Builder *b, int32_t point) {
    for (int i = 0; i < b->added.count; i++) {
        Facet *facet = &b->facets.data[b->added.data[i]];
        if (sees(b, point, facet)) {
            b->facet[point] = b->added.data[i];
            b->next[point] = facet->outside;
            facet->outside = point;
            return;
        }
    }
    b->facet[point] = -1;
}

// All facets that the point sees are connected; the sides where they end are the horizon.
static void find_horizon(Builder *b, int32_t point) {
    b->seen.count = 0;
    b->horizon.count = 0;
    som_array_push(&b->seen, b->facet[point]);
    b->facets.data[b->facet[point]].seen_by = point;
    for (int i = 0; i < b->seen.count; i++) {
        for (int side = 0; side < 3; side++) {
            int32_t index = b->facets.data[b->seen.data[i]].across[side];
            Facet *facet = &b->facets.data[index];
            if (facet->seen_by == point) {
                continue;
            }
            if (sees(b, point, facet)) {
                facet->seen_by = point;
                som_array_push(&b->seen, index);
                continue;
            }
            int32_t start = b->facets.data[b->seen.data[i]].corner[side];
            int back = 0; // the hidden facet has the side the other way round: it ends at `start`
            while (facet->corner[(back + 1) % 3] != start) {
                back++;
            }
            som_array_push(&b->horizon, index);
            som_array_push(&b->horizon, back);
        }
    }
}

static void raise_cone(Builder *b, int32_t point) {
    b->added.count = 0;
    for (int i = 0; i < b->horizon.count; i += 2) {
        int32_t hidden = b->horizon.data[i], back = b->horizon.data[i + 1];
        int32_t from = b->facets.data[hidden].corner[(back + 1) % 3];
        int32_t to = b->facets.data[hidden].corner[back];
        int32_t index = add_facet(b, from, to, point);
        b->facets.data[index].across[0] = hidden;
        b->facets.data[hidden].across[back] = index;
        b->coming[from] = index;
        som_array_push(&b->added, index);
    }
    for (int i = 0; i < b->added.count; i++) {
        int32_t index = b->added.data[i];
        int32_t neighbor = b->coming[b->facets.data[index].corner[1]];
        b->facets.data[index].across[1] = neighbor;
        b->facets.data[neighbor].across[2] = index;
    }
}

static void add_point(Builder *b, int32_t point) {
    find_horizon(b, point);
    raise_cone(b, point);
    for (int i = 0; i < b->seen.count; i++) {
        Facet *facet = &b->facets.data[b->seen.data[i]];
        for (int32_t p = facet->outside, after; p >= 0; p = after) {
            after = b->next[p];
            if (p != point) {
                place_point(b, p);
            }
        }
        facet->outside = -1;
        som_array_push(&b->free_facets, b->seen.data[i]);
    }
    b->facet[point] = -1;
}

static void start_with(Builder *b, const int start[4]) {
    int32_t p = start[0], q = start[1], r = start[2], s = start[3];
    int32_t base = add_facet(b, p, q, r);
    if (sees(b, s, &b->facets.data[base])) {
        b->facets.count = 0;
        int32_t swap = q;
        q = r;
        r = swap;
        base = add_facet(b, p, q, r);
    }
    int32_t pq = add_facet(b, q, p, s), qr = add_facet(b, r, q, s), rp = add_facet(b, p, r, s);
    Facet *f = b->facets.data;
    f[base].across[0] = pq;
    f[base].across[1] = qr;
    f[base].across[2] = rp;
    f[pq].across[0] = f[qr].across[0] = f[rp].across[0] = base;
    f[pq].across[1] = rp; // from p to s
    f[pq].across[2] = qr;
    f[qr].across[1] = pq;
    f[qr].across[2] = rp;
    f[rp].across[1] = qr;
    f[rp].across[2] = pq;
    for (int i = 0; i < 4; i++) {
        som_array_push(&b->added, i);
    }
}

// A fixed shuffle (xorshift), so that the same points give the same triangles.
static void shuffle(int32_t *order, int count) {
    uint64_t state = 88172645463325252u;
    for (int i = count - 1; i > 0; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int k = (int)(state % ((uint64_t)i + 1));
        int32_t swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

void som_hull_find_triangles(const SomGridPoint *points, int count, const int start[4],
                             SomIndexArray *triangles) {
    size_t size = (size_t)count * sizeof(int32_t);
    Builder b = {.points = points,
                 .next = som_alloc(size),
                 .facet = som_alloc(size),
                 .coming = som_alloc(size)};
    int32_t *order = som_alloc(size);
    start_with(&b, start);
    for (int32_t i = 0; i < count; i++) {
        order[i] = i;
        place_point(&b, i);
    }
    shuffle(order, count);
    for (int i = 0; i < count; i++) {
        if (b.facet[order[i]] >= 0) {
            add_point(&b, order[i]);
        }
    }
    for (int i = 0; i < b.free_facets.count; i++) {
        b.facets.data[b.free_facets.data[i]].corner[0] = -1;
    }
    for (int i = 0; i < b.facets.count; i++) {
        const int32_t *corner = b.facets.data[i].corner;
        for (int k = 0; k < 3 && corner[0] >= 0; k++) {
            som_array_push(triangles, corner[k]);
        }
    }
    som_free(order);
    som_free(b.next);
    som_free(b.facet);
    som_free(b.coming);
    som_array_free(&b.facets);
    som_array_free(&b.free_facets);
    som_array_free(&b.seen);
    som_array_free(&b.horizon);
    som_array_free(&b.added);
}
