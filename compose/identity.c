// SPDX-License-Identifier: Apache-2.0

#include "compose/identity.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdlib.h>

// Rounds of refinement: more would only tell apart what lies farther from all differences.
#define MOST_ROUNDS 64

// Elementary steps until two designs are taken for different. Only large ones made to look alike
// from everywhere come there.
#define MOST_STEPS ((int64_t)2000000000)

// What a connector of a module is connected with.
typedef struct Port {
    int module; // -1: nothing
    int connector;
    uint64_t label; // roll and gap, or the mating
} Port;

typedef struct Graph {
    const SomConfiguration *c;
    int *first; // port of each module's first connector
    Port *ports;
    uint64_t *colours;
} Graph;

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0xbf58476d1ce4e5b9u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t hash_text(SomStr text) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < text.length; i++) {
        hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211u;
    }
    return hash;
}

// ---- the graph

// Rolls are the same number seen from both sides; a mating without one is told by its rule, its
// index and which side this is.
static uint64_t label_of(const SomConnection *k, bool is_b) {
    uint64_t gap = (uint64_t)(int64_t)llround(k->gap / SOM_SAME_GAP);
    if (!isnan(k->roll)) {
        int64_t turn = llround(2 * SOM_PI / SOM_SAME_TURN);
        uint64_t roll = (uint64_t)(llround(k->roll / SOM_SAME_TURN) % turn);
        return mix(mix(1, roll), gap);
    }
    uint64_t rule = k->rule != NULL ? hash_text(k->rule->name) : 0;
    return mix(mix(mix(mix(2, rule), (uint64_t)k->index), is_b != k->is_reversed), gap);
}

static void set_port(Graph *g, int module, int connector, int other, int other_connector,
                     uint64_t label) {
    g->ports[g->first[module] + connector] = (Port){other, other_connector, label};
}

static Graph make_graph(const SomConfiguration *c) {
    Graph g = {.c = c};
    g.first = som_alloc(sizeof *g.first * (size_t)(c->module_count + 1));
    g.colours = som_alloc(sizeof *g.colours * (size_t)c->module_count);
    for (int i = 0; i < c->module_count; i++) {
        g.first[i + 1] = g.first[i] + c->modules[i].type->connector_count;
        g.colours[i] = hash_text(c->modules[i].type->name);
    }
    int count = g.first[c->module_count];
    g.ports = som_alloc(sizeof *g.ports * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
        g.ports[i].module = -1;
    }
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        set_port(&g, k->module_a, k->connector_a, k->module_b, k->connector_b, label_of(k, false));
        set_port(&g, k->module_b, k->connector_b, k->module_a, k->connector_a, label_of(k, true));
    }
    return g;
}

static void free_graph(Graph *g) {
    som_free(g->first);
    som_free(g->ports);
    som_free(g->colours);
}

// ---- colours

static int compare_colours(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static int count_colours(const Graph *g, uint64_t *sorted) {
    int count = g->c->module_count;
    memcpy(sorted, g->colours, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_colours);
    int different = count > 0;
    for (int i = 1; i < count; i++) {
        different += sorted[i] != sorted[i - 1];
    }
    return different;
}

// Each module's colour from those around it, connector by connector.
static void refine_once(Graph *g, uint64_t *next) {
    for (int i = 0; i < g->c->module_count; i++) {
        uint64_t colour = g->colours[i];
        for (int p = g->first[i]; p < g->first[i + 1]; p++) {
            const Port *port = &g->ports[p];
            if (port->module >= 0) {
                uint64_t at =
                    mix(mix((uint64_t)(p - g->first[i]), (uint64_t)port->connector), port->label);
                colour = mix(colour, mix(at, g->colours[port->module]));
            }
        }
        next[i] = colour;
    }
    memcpy(g->colours, next, sizeof *next * (size_t)g->c->module_count);
}

// A fixed number of rounds unless all colours differ or no more come, so that equal structures get
// equal colours. Returns the sorted colours, which the caller frees.
static uint64_t *refine(Graph *g) {
    size_t bytes = sizeof(uint64_t) * (size_t)(g->c->module_count + 1);
    uint64_t *next = som_alloc(bytes), *sorted = som_alloc(bytes);
    int different = count_colours(g, sorted);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        refine_once(g, next);
        int now = count_colours(g, sorted);
        if (now == different && round > 0) {
            break;
        }
        different = now;
    }
    som_free(next);
    return sorted;
}

uint64_t som_configuration_hash(const SomConfiguration *c) {
    Graph g = make_graph(c);
    uint64_t *sorted = refine(&g);
    uint64_t hash = mix((uint64_t)c->module_count, (uint64_t)c->connection_count);
    for (int i = 0; i < c->module_count; i++) {
        hash = mix(hash, sorted[i]);
    }
    som_free(sorted);
    free_graph(&g);
    return hash;
}

// ---- matching

typedef struct Match {
    const Graph *a, *b;
    int *map;  // of a to b, -1 as yet
    int *back; // of b to a
    int *queue;
    int64_t steps;
} Match;

static bool is_alike(const Match *m, int x, int y) {
    const SomModuleType *tx = m->a->c->modules[x].type, *ty = m->b->c->modules[y].type;
    return m->a->colours[x] == m->b->colours[y] && tx->connector_count == ty->connector_count &&
           (tx == ty || som_str_equal(tx->name, ty->name));
}

// Pairs two modules, unless one has another partner.
static bool pair(Match *m, int x, int y, int *count) {
    if (m->map[x] >= 0 || m->back[y] >= 0) {
        return m->map[x] == y && m->back[y] == x;
    }
    if (!is_alike(m, x, y)) {
        return false;
    }
    m->map[x] = y;
    m->back[y] = x;
    m->queue[(*count)++] = x;
    return true;
}

// Follows all connections from one pair: pairs a piece. False as soon as something differs, with
// all of the piece forgotten.
static bool follow(Match *m, int x, int y) {
    int count = 0;
    bool is_good = pair(m, x, y, &count);
    for (int i = 0; is_good && i < count; i++) {
        int at = m->queue[i], other = m->map[at];
        int ports = m->a->first[at + 1] - m->a->first[at];
        m->steps += ports;
        for (int p = 0; is_good && p < ports; p++) {
            const Port *pa = &m->a->ports[m->a->first[at] + p];
            const Port *pb = &m->b->ports[m->b->first[other] + p];
            is_good = (pa->module < 0) == (pb->module < 0);
            if (is_good && pa->module >= 0) {
                is_good = pa->connector == pb->connector && pa->label == pb->label &&
                          pair(m, pa->module, pb->module, &count);
            }
        }
    }
    for (int i = 0; !is_good && i < count; i++) {
        m->back[m->map[m->queue[i]]] = -1;
        m->map[m->queue[i]] = -1;
    }
    return is_good;
}

// Pieces of the same structure are interchangeable, so that the first one that fits is as good as
// any.
static bool follow_piece(Match *m, int x) {
    for (int i = 0; i < m->b->c->module_count && m->steps < MOST_STEPS; i++) {
        m->steps++;
        if (m->back[i] < 0 && m->b->colours[i] == m->a->colours[x] && follow(m, x, i)) {
            return true;
        }
    }
    return false;
}

// A module of the rarest colour.
static int find_rarest(const Graph *g, const uint64_t *sorted) {
    int count = g->c->module_count, rarest = count + 1;
    uint64_t colour = 0;
    for (int i = 0, begin = 0; i < count; i++) {
        if (i + 1 == count || sorted[i + 1] != sorted[i]) {
            if (i + 1 - begin < rarest) {
                rarest = i + 1 - begin;
                colour = sorted[i];
            }
            begin = i + 1;
        }
    }
    for (int i = 0; i < count; i++) {
        if (g->colours[i] == colour) {
            return i;
        }
    }
    return 0;
}

static bool match_graphs(const Graph *a, const Graph *b, const uint64_t *sorted, int *map) {
    int count = a->c->module_count;
    size_t bytes = sizeof(int) * (size_t)count;
    Match m = {.a = a, .b = b};
    m.map = map != NULL ? map : som_alloc(bytes);
    m.back = som_alloc(bytes);
    m.queue = som_alloc(bytes);
    for (int i = 0; i < count; i++) {
        m.map[i] = m.back[i] = -1;
    }
    int first = find_rarest(a, sorted);
    bool is_same = follow_piece(&m, first);
    for (int i = 0; i < count && is_same; i++) {
        is_same = m.map[i] >= 0 || follow_piece(&m, i);
    }
    som_free(m.back);
    som_free(m.queue);
    if (map == NULL) {
        som_free(m.map);
    }
    return is_same;
}

bool som_configuration_match(const SomConfiguration *a, const SomConfiguration *b, int *map) {
    if (a->module_count != b->module_count || a->connection_count != b->connection_count) {
        return false;
    }
    Graph ga = make_graph(a), gb = make_graph(b);
    uint64_t *sa = refine(&ga), *sb = refine(&gb);
    bool is_same = memcmp(sa, sb, sizeof *sa * (size_t)a->module_count) == 0 &&
                   match_graphs(&ga, &gb, sa, map);
    som_free(sa);
    som_free(sb);
    free_graph(&ga);
    free_graph(&gb);
    return is_same;
}

bool som_configuration_same_structure(const SomConfiguration *a, const SomConfiguration *b) {
    return som_configuration_match(a, b, NULL);
}
