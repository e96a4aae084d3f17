// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/oracle_shape.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 400
#define RIM_POINTS 24
#define PI 3.14159265358979323846

static double outer_radius(const OracleShape *s) {
    switch (s->kind) {
    case ORACLE_BALL:
        return s->radius;
    case ORACLE_BOX:
        return sqrt(s->half[0] * s->half[0] + s->half[1] * s->half[1] + s->half[2] * s->half[2]);
    case ORACLE_CYLINDER:
        return hypot(s->radius, s->half_length);
    default:
        return s->radius + s->half_length;
    }
}

OracleSolid oracle_solid(const OracleShape *shape, const SomTestMatrix *link) {
    return (OracleSolid){shape, som_test_multiply(*link, som_test_rpy(shape->place)),
                         outer_radius(shape)};
}

// ---- signed distances, negative inside, with their gradient

static double sign_of(double v) {
    return v < 0 ? -1 : 1;
}

// Of the excesses over faces that are perpendicular to each other, along unit directions.
static double join_faces(int count, const double *excess, double (*directions)[3],
                         double *gradient) {
    int last = 0;
    double outside = 0;
    for (int i = 0; i < count; i++) {
        last = excess[i] > excess[last] ? i : last;
        outside += excess[i] > 0 ? excess[i] * excess[i] : 0;
    }
    outside = sqrt(outside);
    for (int k = 0; k < 3; k++) {
        gradient[k] = directions[last][k];
        if (outside > 0) {
            gradient[k] = 0;
            for (int i = 0; i < count; i++) {
                gradient[k] += excess[i] > 0 ? excess[i] / outside * directions[i][k] : 0;
            }
        }
    }
    return outside > 0 ? outside : excess[last];
}

static double distance_to_point(const double *p, const double *middle, double *gradient) {
    double d[3] = {p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++) {
        gradient[k] = length > 0 ? d[k] / length : k == 0;
    }
    return length;
}

static double depth_in_frame(const OracleShape *s, const double *p, double *gradient) {
    switch (s->kind) {
    case ORACLE_BALL:
        return distance_to_point(p, (double[3]){0, 0, 0}, gradient) - s->radius;
    case ORACLE_CAPSULE: {
        double z = fmin(fmax(p[2], -s->half_length), s->half_length);
        return distance_to_point(p, (double[3]){0, 0, z}, gradient) - s->radius;
    }
    case ORACLE_CYLINDER: {
        double r = hypot(p[0], p[1]);
        double excess[2] = {r - s->radius, fabs(p[2]) - s->half_length};
        double directions[2][3] = {{r > 0 ? p[0] / r : 1, r > 0 ? p[1] / r : 0, 0},
                                   {0, 0, sign_of(p[2])}};
        return join_faces(2, excess, directions, gradient);
    }
    default: {
        double excess[3], directions[3][3] = {{0}};
        for (int k = 0; k < 3; k++) {
            excess[k] = fabs(p[k]) - s->half[k];
            directions[k][k] = sign_of(p[k]);
        }
        return join_faces(3, excess, directions, gradient);
    }
    }
}

static double signed_distance(const OracleSolid *solid, const double *p, double *gradient) {
    double local[3], turned[3];
    for (int k = 0; k < 3; k++) {
        local[k] = 0;
        for (int i = 0; i < 3; i++) {
            local[k] += solid->at.m[i][k] * (p[i] - solid->at.m[i][3]);
        }
    }
    double distance = depth_in_frame(solid->shape, local, turned);
    for (int i = 0; i < 3; i++) {
        gradient[i] = 0;
        for (int k = 0; k < 3; k++) {
            gradient[i] += solid->at.m[i][k] * turned[k];
        }
    }
    return distance;
}

// ---- two of them

typedef struct Ellipsoid {
    double x[3];    // its middle
    double p[3][3]; // (y - x)' p^-1 (y - x) <= 1
} Ellipsoid;

// Keeps the smallest ellipsoid round the half in which a convex function can be lower than at its
// middle. Returns by how much at most.
static double cut(Ellipsoid *e, const double *gradient) {
    double pg[3], gpg = 0;
    for (int i = 0; i < 3; i++) {
        pg[i] = 0;
        for (int k = 0; k < 3; k++) {
            pg[i] += e->p[i][k] * gradient[k];
        }
        gpg += gradient[i] * pg[i];
    }
    double root = sqrt(fmax(gpg, 0));
    if (root <= 0) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        e->x[i] -= pg[i] / root / 4;
        for (int k = 0; k < 3; k++) {
            e->p[i][k] = 9.0 / 8 * (e->p[i][k] - 0.5 * pg[i] * pg[k] / gpg);
        }
    }
    return root;
}

OracleTouch oracle_touch(const OracleSolid *a, const OracleSolid *b, double margin) {
    const OracleSolid *small = a->radius < b->radius ? a : b;
    double apart = 0, reach = a->radius + b->radius + margin;
    for (int i = 0; i < 3; i++) {
        double way = a->at.m[i][3] - b->at.m[i][3];
        apart += way * way;
    }
    if (apart > reach * reach) {
        return ORACLE_APART;
    }
    // What is nearer than the margin shares a point with both that is not farther than this.
    double r = small->radius + margin;
    Ellipsoid e = {.x = {small->at.m[0][3], small->at.m[1][3], small->at.m[2][3]}};
    for (int i = 0; i < 3; i++) {
        e.p[i][i] = r * r;
    }
    double best = INFINITY, bound = -INFINITY;
    for (int step = 0; step < MOST_STEPS && best - bound > margin / 50; step++) {
        double ga[3], gb[3];
        double da = signed_distance(a, e.x, ga), db = signed_distance(b, e.x, gb);
        double value = fmax(da, db);
        best = fmin(best, value);
        bound = fmax(bound, value - cut(&e, da > db ? ga : gb));
        if (best <= -margin / 2) {
            return ORACLE_OVERLAP;
        }
        if (bound >= margin / 2) {
            return ORACLE_APART;
        }
    }
    return ORACLE_NEAR;
}

// ---- points that may stand on the ground

static void put(const OracleSolid *solid, double x, double y, double z, double *point) {
    for (int i = 0; i < 3; i++) {
        const double *row = solid->at.m[i];
        point[i] = row[0] * x + row[1] * y + row[2] * z + row[3];
    }
}

int oracle_points(const OracleSolid *solid, double (*points)[3]) {
    const OracleShape *s = solid->shape;
    int count = 0;
    switch (s->kind) {
    case ORACLE_BALL:
        put(solid, 0, 0, 0, points[count]);
        points[count++][2] -= s->radius;
        return count;
    case ORACLE_CAPSULE:
        for (int end = -1; end <= 1; end += 2) {
            put(solid, 0, 0, end * s->half_length, points[count]);
            points[count++][2] -= s->radius;
        }
        return count;
    case ORACLE_BOX:
        for (int i = 0; i < 8; i++) {
            put(solid, i & 1 ? s->half[0] : -s->half[0], i & 2 ? s->half[1] : -s->half[1],
                i & 4 ? s->half[2] : -s->half[2], points[count++]);
        }
        return count;
    default:
        for (int i = 0; i < 2 * RIM_POINTS; i++) {
            double angle = 2 * PI * (i / 2) / RIM_POINTS;
            put(solid, s->radius * cos(angle), s->radius * sin(angle),
                i & 1 ? s->half_length : -s->half_length, points[count++]);
        }
        return count;
    }
}
