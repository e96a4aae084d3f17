// SPDX-License-Identifier: Apache-2.0
#include "player/body_place.h"

#include <math.h>
#include <string.h>

// Of the height of the centre of mass at the start.
#define FALLEN_SHARE 0.5
#define SUNKEN_SHARE 0.9
#define PI 3.14159265358979323846

SomBodyPlace som_body_place_identity(void) {
    SomBodyPlace place;
    memset(&place, 0, sizeof place);
    for (int i = 0; i < 3; i++) {
        place.rotation[i][i] = 1;
    }
    return place;
}

SomBodyPlace som_body_place(const double position[3], const double q[4]) {
    SomBodyPlace place = som_body_place_identity();
    double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    memcpy(place.position, position, sizeof place.position);
    if (!(length > 0) || !isfinite(length)) {
        return place;
    }
    double s = 2 / length;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        place.rotation[i][i] = 1 - s * (q[j] * q[j] + q[k] * q[k]);
        place.rotation[i][j] = s * (q[i] * q[j] - q[3] * q[k]);
        place.rotation[j][i] = s * (q[i] * q[j] + q[3] * q[k]);
    }
    return place;
}

void som_body_place_rotate(const SomBodyPlace *place, const double v[3], double out[3]) {
    const double(*r)[3] = place->rotation;
    for (int i = 0; i < 3; i++) {
        out[i] = r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2];
    }
}

void som_body_place_apply(const SomBodyPlace *place, const double v[3], double out[3]) {
    som_body_place_rotate(place, v, out);
    for (int i = 0; i < 3; i++) {
        out[i] += place->position[i];
    }
}

SomBodyPlace som_body_place_compose(const SomBodyPlace *a, const SomBodyPlace *b) {
    SomBodyPlace all;
    som_body_place_apply(a, b->position, all.position);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            all.rotation[i][k] = a->rotation[i][0] * b->rotation[0][k] +
                                 a->rotation[i][1] * b->rotation[1][k] +
                                 a->rotation[i][2] * b->rotation[2][k];
        }
    }
    return all;
}

// By the largest of the four, so that nothing small is divided by.
void som_body_place_quaternion(const SomBodyPlace *place, double q[4]) {
    const double(*r)[3] = place->rotation;
    double trace = r[0][0] + r[1][1] + r[2][2];
    int i = r[1][1] > r[0][0] ? 1 : 0;
    i = r[2][2] > r[i][i] ? 2 : i;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace >= r[i][i]) {
        double s = 2 * sqrt(1 + trace);
        q[0] = (r[2][1] - r[1][2]) / s;
        q[1] = (r[0][2] - r[2][0]) / s;
        q[2] = (r[1][0] - r[0][1]) / s;
        q[3] = 0.25 * s;
        return;
    }
    double s = 2 * sqrt(1 + r[i][i] - r[j][j] - r[k][k]);
    q[i] = 0.25 * s;
    q[j] = (r[i][j] + r[j][i]) / s;
    q[k] = (r[i][k] + r[k][i]) / s;
    q[3] = (r[k][j] - r[j][k]) / s;
    for (int n = 0; n < 4 && q[3] < 0; n++) {
        q[n] = n < 3 ? -q[n] : q[n];
    }
    q[3] = fabs(q[3]);
}

// A quarter of a quarter by the tangents of half angles, then the series. The same on every
// machine.
double som_body_angle(double aside, double z) {
    double length = sqrt(aside * aside + z * z);
    if (!(length > 0)) {
        return 0;
    }
    double tangent = aside / (length + fabs(z)); // of half
    for (int i = 0; i < 3; i++) {
        tangent = tangent / (1 + sqrt(1 + tangent * tangent));
    }
    double square = tangent * tangent, sum = 0;
    for (int i = 19; i >= 1; i -= 2) {
        sum = 1.0 / i - square * sum;
    }
    double angle = 16 * tangent * sum;
    return z < 0 ? PI - angle : angle;
}

SomBodySum som_body_sum(void) {
    SomBodySum sum;
    memset(&sum, 0, sizeof sum);
    sum.now.base = som_body_place_identity();
    return sum;
}

void som_body_sum_add(SomBodySum *sum, const SomRobotBody *body, const SomBodyPlace *place,
                      bool is_own) {
    double center[3], direction[3];
    som_body_place_apply(place, body->center, center);
    som_body_place_rotate(place, body->up, direction);
    for (int k = 0; k < 3; k++) {
        sum->now.center[k] += body->mass * center[k];
        sum->up[k] += body->upright * direction[k];
    }
    sum->mass += body->mass;
    if (is_own && (body->is_base || !sum->has_place)) {
        sum->now.base = body->is_base ? som_body_place_compose(place, &body->base) : *place;
        sum->has_place = true;
    }
}

SomBodySenses som_body_sum_senses(const SomBodySum *sum) {
    SomBodySenses now = sum->now;
    const double *up = sum->up;
    for (int k = 0; k < 3; k++) {
        now.center[k] *= sum->mass > 0 ? 1 / sum->mass : 0;
    }
    now.tilt = som_body_angle(sqrt(up[0] * up[0] + up[1] * up[1]), up[2]);
    return now;
}

SomBodySenses som_body_senses(const SomRobotBody *bodies, const SomBodyPlace *places,
                              int32_t count) {
    SomBodySum sum = som_body_sum();
    for (int32_t i = 0; i < count; i++) {
        if (bodies[i].piece == 0) {
            som_body_sum_add(&sum, &bodies[i], &places[i], true);
        }
    }
    return som_body_sum_senses(&sum);
}

// By how much the base leans against how it was at the start.
static double base_lean(const SomBodySenses *now, const SomBodySenses *start) {
    double up[3];
    som_body_place_rotate(&now->base, start->base.rotation[2],
                          up); // what was up, in the base's frame: a row
    return som_body_angle(sqrt(up[0] * up[0] + up[1] * up[1]), up[2]);
}

bool som_body_has_fallen(const SomBodySenses *now, const SomBodySenses *start,
                         const SomFallLimits *limits) {
    double base = base_lean(now, start);
    double lean = base < now->tilt ? base : now->tilt;
    double height = now->center[2] / start->center[2];
    double flat = limits->lean > limits->rolling ? limits->lean : limits->rolling;
    double limit = height < SUNKEN_SHARE ? limits->lean : flat;
    return limits->lean < SOM_FALL_NEVER && (lean > limit || height < FALLEN_SHARE);
}
