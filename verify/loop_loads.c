// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "verify/loop_loads_internal.h"

#include <math.h>
#include <string.h>

#define RIDGE 1e-14 // of the largest entry: keeps the triangle regular

// A place that loops go through: the way from a link to its parent, or a closure itself.
typedef struct Edge {
    int link;         // -1: a closure
    int closure;      // -1: of the tree
    int first, count; // of its passages
} Edge;

// A closure that goes through an edge: its wrench adds with this sign.
typedef struct Passage {
    int closure;
    double sign;
} Passage;

struct SomLoopLoads {
    const SomMechanism *m;
    SOM_ARRAY(Edge) edges;
    SOM_ARRAY(Passage) passages;
    int *first_column; // of each closure, and the number of columns
    int columns;
    SomWrench *unit;  // of each column: a unit wrench on link b, about the origin
    double *h, *x;    // normal equations
    double *scratch;  // six for each column
    SomWrench *found; // of each closure
    SomVec3 origin;   // amid the loops, for the sake of rounding
};

// ---- the way of the loops through the tree

static int depth_of(const SomMechanism *m, int link) {
    int depth = 0;
    for (; m->links[link].parent >= 0; link = m->links[link].parent) {
        depth++;
    }
    return depth;
}

// Marks the ways from both ends up to where they meet: +1 below link b, -1 below link a.
static void mark_way(const SomMechanism *m, int a, int b, signed char *sign) {
    int da = depth_of(m, a), db = depth_of(m, b);
    while (a != b) {
        if (da >= db) {
            sign[a] = -1;
            a = m->links[a].parent;
            da--;
        } else {
            sign[b] = 1;
            b = m->links[b].parent;
            db--;
        }
    }
}

void som_loop_loads_mark(const SomMechanism *m, bool *is_in_loop) {
    signed char *sign = som_alloc((size_t)m->link_count);
    for (int c = 0; c < m->closure_count; c++) {
        memset(sign, 0, (size_t)m->link_count);
        mark_way(m, m->closures[c].link_a, m->closures[c].link_b, sign);
        for (int i = 0; i < m->link_count; i++) {
            if (sign[i] != 0 && m->links[i].dof >= 0) {
                is_in_loop[m->links[i].dof] = true;
            }
        }
    }
    som_free(sign);
}

static void add_edges(SomLoopLoads *s) {
    const SomMechanism *m = s->m;
    size_t links = (size_t)m->link_count;
    signed char *signs = som_alloc(links * (size_t)m->closure_count);
    for (int c = 0; c < m->closure_count; c++) {
        mark_way(m, m->closures[c].link_a, m->closures[c].link_b, signs + links * (size_t)c);
    }
    for (int i = 0; i < m->link_count; i++) {
        Edge edge = {i, -1, s->passages.count, 0};
        for (int c = 0; c < m->closure_count; c++) {
            signed char sign = signs[links * (size_t)c + (size_t)i];
            if (sign != 0) {
                som_array_push(&s->passages, ((Passage){c, sign}));
                edge.count++;
            }
        }
        if (edge.count > 0) {
            som_array_push(&s->edges, edge);
        }
    }
    som_free(signs);
    for (int c = 0; c < m->closure_count; c++) {
        som_array_push(&s->edges, ((Edge){-1, c, s->passages.count, 1}));
        som_array_push(&s->passages, ((Passage){c, 1}));
    }
}

SomLoopLoads *som_loop_loads_create(const SomMechanism *m) {
    SomLoopLoads *s = som_alloc(sizeof *s);
    s->m = m;
    add_edges(s);
    s->first_column = som_alloc(sizeof *s->first_column * (size_t)(m->closure_count + 1));
    for (int c = 0; c < m->closure_count; c++) {
        s->first_column[c] = s->columns;
        s->columns += m->closures[c].type == SOM_JOINT_FIXED ? 6 : 5;
    }
    s->first_column[m->closure_count] = s->columns;
    size_t n = (size_t)s->columns;
    s->unit = som_alloc(sizeof *s->unit * (n + 1));
    s->h = som_alloc(sizeof *s->h * (n * n + 1));
    s->x = som_alloc(sizeof *s->x * (n + 1));
    s->scratch = som_alloc(sizeof *s->scratch * (6 * n + 1));
    s->found = som_alloc(sizeof *s->found * (size_t)(m->closure_count + 1));
    return s;
}

void som_loop_loads_destroy(SomLoopLoads *s) {
    if (s != NULL) {
        som_array_free(&s->edges);
        som_array_free(&s->passages);
        som_free(s->first_column);
        som_free(s->unit);
        som_free(s->h);
        som_free(s->x);
        som_free(s->scratch);
        som_free(s->found);
        som_free(s);
    }
}

// ---- places

static SomPose closure_pose(const SomMechanism *m, const SomPose *links,
                            const SomMechanismClosure *k) {
    if (k->connection >= 0) {
        const SomConnection *c = &m->configuration->connections[k->connection];
        return som_mechanism_connector_pose(m, links, c->module_b, c->connector_b);
    }
    return som_pose_compose(links[k->link_a], k->frame);
}

// Links of one piece hold together whatever they carry.
static bool is_elastic(const SomMechanism *m, const Edge *edge) {
    return edge->link < 0 || m->links[edge->link].dof >= 0 || m->links[edge->link].connection >= 0;
}

// Where an edge carries.
static SomVec3 edge_point(const SomMechanism *m, const SomPose *links, const Edge *edge) {
    if (edge->link < 0) {
        return closure_pose(m, links, &m->closures[edge->closure]).position;
    }
    const SomMechanismLink *link = &m->links[edge->link];
    if (link->dof >= 0) {
        return som_pose_apply(links[link->parent], link->frame.position);
    }
    if (link->connection >= 0) {
        const SomConnection *c = &m->configuration->connections[link->connection];
        return som_mechanism_connector_pose(m, links, c->module_b, c->connector_b).position;
    }
    return links[edge->link].position;
}

// Unit forces and moments along the axes of a closure, without the one that its joint is free in.
static void set_units(SomLoopLoads *s, const SomPose *links) {
    for (int c = 0; c < s->m->closure_count; c++) {
        const SomMechanismClosure *k = &s->m->closures[c];
        SomPose pose = closure_pose(s->m, links, k);
        SomVec3 arm = som_vec3_sub(pose.position, s->origin);
        int column = s->first_column[c];
        for (int i = 0; i < 6; i++) {
            if ((i == 2 && k->type == SOM_JOINT_PRISMATIC) ||
                (i == 5 && k->type == SOM_JOINT_REVOLUTE)) {
                continue;
            }
            SomVec3 axis = som_vec3(pose.rotation.m[0][i % 3], pose.rotation.m[1][i % 3],
                                    pose.rotation.m[2][i % 3]);
            SomWrench moment = {axis, {0, 0, 0}};
            SomWrench force = {som_vec3_cross(arm, axis), axis};
            s->unit[column++] = i < 3 ? force : moment;
        }
    }
}

// ---- least squares

// A wrench at an edge as six numbers, with moments in units of `length` newtons.
static void felt_at(SomWrench w, SomVec3 arm, double length, double felt[6]) {
    SomVec3 moment = som_vec3_sub(w.moment, som_vec3_cross(arm, w.force));
    felt[0] = moment.x / length, felt[1] = moment.y / length, felt[2] = moment.z / length;
    felt[3] = w.force.x, felt[4] = w.force.y, felt[5] = w.force.z;
}

static double dot6(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void add_edge(SomLoopLoads *s, const Edge *edge, SomVec3 point, double length,
                     const SomWrench *carried) {
    SomVec3 arm = som_vec3_sub(point, s->origin);
    const Passage *passages = s->passages.data + edge->first;
    double own[6] = {0};
    if (edge->link >= 0) {
        SomWrench w = carried[edge->link];
        w.moment = som_vec3_sub(w.moment, som_vec3_cross(s->origin, w.force));
        felt_at(w, arm, length, own);
    }
    for (int p = 0; p < edge->count; p++) {
        int c = passages[p].closure;
        for (int j = s->first_column[c]; j < s->first_column[c + 1]; j++) {
            double *felt = s->scratch + 6 * j;
            felt_at(s->unit[j], arm, length, felt);
            s->x[j] -= passages[p].sign * dot6(felt, own);
            for (int q = 0; q <= p; q++) {
                int other = passages[q].closure, end = s->first_column[other + 1];
                double sign = passages[p].sign * passages[q].sign;
                for (int k = s->first_column[other]; k < end && k <= j; k++) {
                    s->h[(size_t)j * (size_t)s->columns + (size_t)k] +=
                        sign * dot6(felt, s->scratch + 6 * k);
                }
            }
        }
    }
}

// x <- h^-1 x by Cholesky in the lower triangle.
static void solve(double *h, int n, double *x) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, h[(size_t)i * (size_t)n + (size_t)i]);
    }
    for (int i = 0; i < n; i++) {
        double *row = h + (size_t)i * (size_t)n;
        for (int k = 0; k <= i; k++) {
            const double *other = h + (size_t)k * (size_t)n;
            double sum = row[k];
            for (int j = 0; j < k; j++) {
                sum -= row[j] * other[j];
            }
            row[k] = i > k ? sum / other[k] : sqrt(fmax(sum, RIDGE * largest));
        }
        for (int j = 0; j < i; j++) {
            x[i] -= row[j] * x[j];
        }
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= h[(size_t)i * (size_t)n + (size_t)i];
        for (int j = 0; j < i; j++) {
            x[j] -= h[(size_t)i * (size_t)n + (size_t)j] * x[i];
        }
    }
}

// The middle of all edges, and how far they are from it on average.
static double measure_loops(SomLoopLoads *s, const SomPose *links) {
    s->origin = som_vec3(0, 0, 0);
    double square = 0, count = s->edges.count;
    for (int i = 0; i < s->edges.count; i++) {
        SomVec3 point = edge_point(s->m, links, &s->edges.data[i]);
        s->origin = som_vec3_add(s->origin, som_vec3_scale(1 / count, point));
    }
    for (int i = 0; i < s->edges.count; i++) {
        SomVec3 arm = som_vec3_sub(edge_point(s->m, links, &s->edges.data[i]), s->origin);
        square += som_vec3_dot(arm, arm) / count;
    }
    return square > 0 ? sqrt(square) : 1;
}

static SomWrench at_world_origin(SomWrench w, SomVec3 origin) {
    w.moment = som_vec3_add(w.moment, som_vec3_cross(origin, w.force));
    return w;
}

void som_loop_loads_solve(SomLoopLoads *s, const SomPose *links, SomWrench *carried) {
    size_t n = (size_t)s->columns;
    memset(s->h, 0, sizeof *s->h * n * n);
    memset(s->x, 0, sizeof *s->x * n);
    double length = measure_loops(s, links);
    set_units(s, links);
    for (int i = 0; i < s->edges.count; i++) {
        const Edge *edge = &s->edges.data[i];
        if (is_elastic(s->m, edge)) {
            add_edge(s, edge, edge_point(s->m, links, edge), length, carried);
        }
    }
    solve(s->h, s->columns, s->x);
    for (int c = 0; c < s->m->closure_count; c++) {
        SomWrench sum = {{0, 0, 0}, {0, 0, 0}};
        for (int j = s->first_column[c]; j < s->first_column[c + 1]; j++) {
            sum.moment = som_vec3_add(sum.moment, som_vec3_scale(s->x[j], s->unit[j].moment));
            sum.force = som_vec3_add(sum.force, som_vec3_scale(s->x[j], s->unit[j].force));
        }
        s->found[c] = at_world_origin(sum, s->origin);
    }
    for (int i = 0; i < s->edges.count; i++) {
        const Edge *edge = &s->edges.data[i];
        for (int p = 0; edge->link >= 0 && p < edge->count; p++) {
            Passage passage = s->passages.data[edge->first + p];
            SomWrench w = s->found[passage.closure];
            carried[edge->link] = (SomWrench){
                som_vec3_add(carried[edge->link].moment, som_vec3_scale(passage.sign, w.moment)),
                som_vec3_add(carried[edge->link].force, som_vec3_scale(passage.sign, w.force))};
        }
    }
}

SomWrench som_loop_loads_closure(const SomLoopLoads *s, int closure) {
    return s->found[closure];
}
