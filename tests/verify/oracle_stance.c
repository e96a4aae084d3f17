// SPDX-License-Identifier: Apache-2.0
// What stands, what falls, and what actuators and connectors hold.

#include "tests/verify/oracle_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY 5e-3  // metres above the ground at which a point may carry, too
#define EXACTLY 3e-4 // at which it certainly does
#define AIR 0.01     // at which it certainly does not
#define BESIDE 5e-3  // metres beyond all supports at which a piece falls
#define REST 3e-3    // metres between what may rest on each other
#define GRAVITY 9.80665
#define TOO_MUCH 1.1
#define EASY 0.8
#define MOST_POINTS (ORACLE_ALL_LINKS * ORACLE_SHAPES * ORACLE_MOST_POINTS)

typedef struct Points {
    double (*all)[3];
    int count;
} Points;

// ---- mass

static bool is_in(const OracleMoment *m, int part, int piece) {
    return m->places->piece[part] == piece;
}

typedef struct Mass {
    double mass, com[3];
} Mass;

static void add_mass(Mass *sum, const OracleMoment *m, int part, int link) {
    const OracleLink *l = &oracle_type(m->design, part)->links[link];
    for (int i = 0; i < 3; i++) {
        const double *row = m->places->links[part][link].m[i];
        double at = row[0] * l->com[0] + row[1] * l->com[1] + row[2] * l->com[2] + row[3];
        sum->com[i] = (sum->com[i] * sum->mass + at * l->mass) / (sum->mass + l->mass);
    }
    sum->mass += l->mass;
}

static void add_points(Points *points, const OracleMoment *m, int part, int link) {
    for (int s = 0; s < oracle_type(m->design, part)->links[link].shape_count; s++) {
        points->count += oracle_points(&m->solids[part][link][s], points->all + points->count);
    }
}

// All points and the mass of a piece.
static Points take_piece(const OracleMoment *m, int piece, Mass *mass) {
    Points points = {malloc(sizeof(double[3]) * MOST_POINTS), 0};
    for (int i = 0; i < m->design->part_count; i++) {
        for (int k = 0; is_in(m, i, piece) && k < oracle_type(m->design, i)->link_count; k++) {
            add_mass(mass, m, i, k);
            add_points(&points, m, i, k);
        }
    }
    return points;
}

static double lowest(const Points *points) {
    double z = INFINITY;
    for (int i = 0; i < points->count; i++) {
        z = fmin(z, points->all[i][2]);
    }
    return z;
}

// ---- standing

static int by_place(const void *a, const void *b) {
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn_of(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The corners of the convex polygon round points, counter-clockwise (Andrew's chain).
static int wrap(double (*points)[2], int count, double (*corners)[2]) {
    qsort(points, (size_t)count, sizeof *points, by_place);
    int kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        int first = kept;
        for (int i = 0; i < count; i++) {
            const double *p = points[pass == 0 ? i : count - 1 - i];
            while (kept >= first + 2 && turn_of(corners[kept - 2], corners[kept - 1], p) <= 0) {
                kept--;
            }
            memcpy(corners[kept++], p, sizeof *corners);
        }
        kept--; // the first of the other way
    }
    return kept > 0 ? kept : count > 0;
}

typedef struct Edge {
    double margin; // of the centre of mass, negative outside
    double at[2];  // nearest point of the polygon
    double way[2]; // to the outside
} Edge;

static Edge nearest_edge(double (*corners)[2], int count, const double *com) {
    Edge best = {.margin = INFINITY};
    bool is_outside = count < 3;
    double nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % count];
        double x = b[0] - a[0], y = b[1] - a[1], length = x * x + y * y;
        double t = length > 0 ? ((com[0] - a[0]) * x + (com[1] - a[1]) * y) / length : 0;
        t = fmin(fmax(t, 0), 1);
        double at[2] = {a[0] + t * x, a[1] + t * y};
        double distance = hypot(com[0] - at[0], com[1] - at[1]);
        is_outside |= turn_of(a, b, com) < 0;
        if (distance < nearest) {
            nearest = distance;
            memcpy(best.at, at, sizeof at);
            double sign = turn_of(a, b, com) < 0 || length == 0 ? 1 : -1;
            for (int k = 0; k < 2; k++) {
                best.way[k] = distance > 0 ? sign * (com[k] - at[k]) / distance : 0;
            }
        }
    }
    best.margin = is_outside ? -nearest : nearest;
    return best;
}

static Edge edge_of(const Points *points, double height, const double *com) {
    double(*flat)[2] = malloc(sizeof *flat * (size_t)(points->count + 1));
    double(*corners)[2] = malloc(sizeof *corners * (size_t)(2 * points->count + 2));
    int count = 0;
    for (int i = 0; i < points->count; i++) {
        if (points->all[i][2] <= height) {
            memcpy(flat[count++], points->all[i], sizeof *flat);
        }
    }
    Edge edge = nearest_edge(corners, wrap(flat, count, corners), com);
    free(flat);
    free(corners);
    return edge;
}

// The angle of a turn over an edge, to the next point that meets the ground.
static double tip_over(const Points *points, double ground, const Edge *edge) {
    double least = INFINITY;
    for (int i = 0; i < points->count; i++) {
        const double *p = points->all[i];
        double height = p[2] - ground;
        double beyond = (p[0] - edge->at[0]) * edge->way[0] + (p[1] - edge->at[1]) * edge->way[1];
        if (height > NEARLY && atan2(height, beyond) < least) {
            least = atan2(height, beyond);
        }
    }
    return least;
}

OracleStance oracle_stance(const OracleMoment *m) {
    Mass mass = {0};
    Points points = take_piece(m, 0, &mass);
    OracleStance stance = {.ground = lowest(&points)};
    Edge edge = edge_of(&points, stance.ground + NEARLY, mass.com);
    stance.margin = edge.margin;
    stance.tip = tip_over(&points, stance.ground, &edge);
    stance.strict_margin = edge_of(&points, stance.ground + EXACTLY, mass.com).margin;
    free(points.all);
    return stance;
}

// ---- pieces that are let go

typedef struct Footprint {
    double low[2], high[2];
} Footprint;

static void cover(Footprint *f, const double *point, double radius) {
    for (int i = 0; i < 2; i++) {
        f->low[i] = fmin(f->low[i], point[i] - radius);
        f->high[i] = fmax(f->high[i], point[i] + radius);
    }
}

static void cover_link(Footprint *f, const OracleMoment *m, int part, int link) {
    for (int s = 0; s < oracle_type(m->design, part)->links[link].shape_count; s++) {
        const OracleSolid *solid = &m->solids[part][link][s];
        double points[ORACLE_MOST_POINTS][3];
        bool is_round = solid->shape->kind == ORACLE_BALL || solid->shape->kind == ORACLE_CAPSULE;
        for (int i = oracle_points(solid, points) - 1; i >= 0; i--) {
            cover(f, points[i], is_round ? solid->shape->radius : 0);
        }
    }
}

// Whether a link is so near to the piece that this may rest on it.
static bool may_carry(const OracleMoment *m, int piece, int part, int link) {
    for (int i = 0; i < m->design->part_count; i++) {
        for (int k = 0; is_in(m, i, piece) && k < oracle_type(m->design, i)->link_count; k++) {
            if (oracle_links_touch(m, i, k, part, link, REST) != ORACLE_APART) {
                return true;
            }
        }
    }
    return false;
}

void oracle_judge_piece(const OracleMoment *m, int piece, double ground, OracleJudgement *out) {
    Mass mass = {0};
    Points points = take_piece(m, piece, &mass);
    Footprint f = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < points.count; i++) {
        if (points.all[i][2] < ground + AIR) {
            cover(&f, points.all[i], 0);
        }
    }
    free(points.all);
    if (piece == 0 && isfinite(f.low[0])) {
        return; // it stands as any robot stands, or not: see oracle_stance
    }
    for (int i = 0; i < m->design->part_count; i++) {
        const OracleType *type = oracle_type(m->design, i);
        for (int k = 0; !is_in(m, i, piece) && k < type->link_count; k++) {
            if (may_carry(m, piece, i, k)) {
                cover_link(&f, m, i, k);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        if (mass.com[i] < f.low[i] - BESIDE || mass.com[i] > f.high[i] + BESIDE) {
            oracle_blame(out, ORACLE_DROPS, "nothing holds the piece with p%d at %.3f s", piece,
                         m->time);
        }
    }
}

// ---- loads

// Everything on the child's side of a joint (or, with a connection, on the side of its part b).
typedef struct Side {
    bool is_in[ORACLE_PARTS][ORACLE_LINKS];
} Side;

static bool grow_by(Side *side, int part_a, int a, int part_b, int b) {
    bool is_more = side->is_in[part_a][a] != side->is_in[part_b][b];
    side->is_in[part_a][a] = side->is_in[part_b][b] =
        side->is_in[part_a][a] || side->is_in[part_b][b];
    return is_more;
}

static void grow(Side *side, const OracleMoment *m, int but_part, int but_joint,
                 int but_connection) {
    const OracleDesign *d = m->design;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < d->part_count; i++) {
            const OracleType *type = oracle_type(d, i);
            for (int k = 0; k < type->joint_count; k++) {
                if (i != but_part || k != but_joint) {
                    is_more |= grow_by(side, i, type->joints[k].child, i, type->joints[k].parent);
                }
            }
        }
        for (int i = 0; i < d->connection_count; i++) {
            const OracleConnection *c = &d->connections[i];
            if (i != but_connection && m->state->is_closed[i]) {
                is_more |=
                    grow_by(side, c->part_a, oracle_type(d, c->part_a)->faces[c->face_a].link,
                            c->part_b, oracle_type(d, c->part_b)->faces[c->face_b].link);
            }
        }
    }
}

// The weight of a side that hangs in the air; false if it does not.
static bool weigh(const Side *side, const OracleMoment *m, double ground, Mass *mass) {
    Points points = {malloc(sizeof(double[3]) * MOST_POINTS), 0};
    for (int i = 0; i < m->design->part_count; i++) {
        for (int k = 0; k < oracle_type(m->design, i)->link_count; k++) {
            if (side->is_in[i][k]) {
                add_mass(mass, m, i, k);
                add_points(&points, m, i, k);
            }
        }
    }
    bool hangs = !side->is_in[0][0] && lowest(&points) > ground + AIR;
    free(points.all);
    return hangs;
}

static void compare(OracleJudgement *out, const OracleMoment *m, double load, double limit,
                    const char *what, int part, int index) {
    if (load > TOO_MUCH * limit) {
        oracle_blame(out, ORACLE_OVERLOADED, "p%d.%s%d holds %.3f, can hold %.3f, at %.3f s", part,
                     what, index, load, limit, m->time);
    }
    if (load > EASY * limit) {
        oracle_doubt(out, "p%d.%s%d holds much", part, what, index);
    }
}

static void judge_joint(const OracleMoment *m, double ground, int part, int index,
                        OracleJudgement *out) {
    const OracleJoint *j = &oracle_type(m->design, part)->joints[index];
    Side side = {0};
    Mass mass = {0};
    side.is_in[part][j->child] = true;
    grow(&side, m, part, index, -1);
    if (j->type == ORACLE_FIXED) {
        return;
    }
    if (side.is_in[part][j->parent] || !weigh(&side, m, ground, &mass)) {
        oracle_doubt(out, "the load of p%d.j%d is not simple", part, index);
        return;
    }
    const SomTestMatrix *at = &m->places->links[part][j->parent];
    double axis[3], origin[3];
    for (int i = 0; i < 3; i++) {
        const double *row = at->m[i];
        axis[i] = row[0] * j->axis[0] + row[1] * j->axis[1] + row[2] * j->axis[2];
        origin[i] = row[0] * j->origin[0] + row[1] * j->origin[1] + row[2] * j->origin[2] + row[3];
    }
    double x = mass.com[0] - origin[0], y = mass.com[1] - origin[1];
    double load = j->type == ORACLE_SLIDE ? axis[2] : y * axis[0] - x * axis[1];
    compare(out, m, fabs(load) * mass.mass * GRAVITY, j->effort, "j", part, index);
}

static void judge_connection(const OracleMoment *m, double ground, int index,
                             OracleJudgement *out) {
    const OracleConnection *c = &m->design->connections[index];
    const OracleFace *face = &oracle_type(m->design, c->part_a)->faces[c->face_a];
    const OracleFace *other = &oracle_type(m->design, c->part_b)->faces[c->face_b];
    Side side = {0};
    Mass mass = {0};
    side.is_in[c->part_b][other->link] = true;
    grow(&side, m, -1, -1, index);
    if (face->bending <= 0 || side.is_in[c->part_a][face->link] ||
        !weigh(&side, m, ground, &mass)) {
        return;
    }
    SomTestMatrix at =
        som_test_multiply(m->places->links[c->part_a][face->link], som_test_rpy(face->place));
    double arm = hypot(mass.com[0] - at.m[0][3], mass.com[1] - at.m[1][3]);
    compare(out, m, arm * mass.mass * GRAVITY, fmin(face->bending, other->bending), "c", c->part_a,
            c->face_a);
}

void oracle_judge_loads(const OracleMoment *m, const OracleStance *stance, OracleJudgement *out) {
    if (stance->strict_margin < BESIDE) {
        return;
    }
    for (int i = 0; i < m->design->part_count; i++) {
        for (int k = 0; is_in(m, i, 0) && k < oracle_type(m->design, i)->joint_count; k++) {
            judge_joint(m, stance->ground, i, k, out);
        }
    }
    for (int i = 0; i < m->design->connection_count; i++) {
        const OracleConnection *c = &m->design->connections[i];
        if (m->state->is_closed[i] && is_in(m, c->part_a, 0)) {
            judge_connection(m, stance->ground, i, out);
        }
    }
}
