// SPDX-License-Identifier: Apache-2.0
// Forward kinematics of eight postures, and boxes round solids. Compiled for each path.

#include "space/trigonometry.h"
#include "verify/batch_internal.h"
#include "verify/batch_lanes.h"

#include <math.h>

// ---- sine and cosine

// The exact sum of two (Knuth).
static inline Doubles sum_exactly(Doubles a, Doubles b, Doubles *low) {
    Doubles s = a + b, t = s - a;
    *low = (a - (s - t)) + (b - t);
    return s;
}

// Those of space/trigonometry.c bit for bit but for the sign of 0: the same reduction and series.
static inline void sincos_doubles(Doubles x, Doubles *sine, Doubles *cosine) {
    // Cody and Waite, good to 2^20; where |x| is larger, the caller asks the scalar functions
    Doubles turns = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;
    WideMask quadrant = (WideMask)turns; // in the lowest bits
    Doubles k = turns - 0x1.8p52, a_low, b_low;
    Doubles a = sum_exactly(x - k * 0x1.921fb544p+0, -(k * 0x1.0b4611a6p-34), &a_low);
    Doubles b = sum_exactly(a, -(k * 0x1.3198a2ep-69), &b_low);
    Doubles low = b_low + (a_low - k * 0x1.b839a252049c1p-104);
    Doubles r = b + low;
    low = low - (r - b);

    Doubles z = r * r;
    Doubles p = z * (1.0 / 355687428096000) + -1.0 / 1307674368000;
    p = z * p + 1.0 / 6227020800;
    p = z * p + -1.0 / 39916800;
    p = z * p + 1.0 / 362880;
    p = z * p + -1.0 / 5040;
    p = z * p + 1.0 / 120;
    p = z * p + -1.0 / 6;
    Doubles s = r + (low * (1 - 0.5 * z) + r * z * p);

    p = z * (-1.0 / 6402373705728000) + 1.0 / 20922789888000;
    p = z * p + -1.0 / 87178291200;
    p = z * p + 1.0 / 479001600;
    p = z * p + -1.0 / 3628800;
    p = z * p + 1.0 / 40320;
    p = z * p + -1.0 / 720;
    p = z * p + 1.0 / 24;
    Doubles half = 0.5 * z, w = 1 - half;
    Doubles c = w + (((1 - w) - half) + (z * z * p - r * low));

    WideMask is_odd = -(quadrant & 1);
    *sine = (Doubles)((WideMask)choose_doubles(is_odd, c, s) ^ (quadrant & 2) << 62);
    *cosine = (Doubles)((WideMask)choose_doubles(is_odd, s, c) ^ ((quadrant + 1) & 2) << 62);
}

static inline void sincos_lanes(const double *values, double sign, double *sine, double *cosine) {
    bool is_large = false;
    for (int g = 0; g < SOM_BATCH; g += DOUBLES) {
        Doubles x = load_values(values + g), s, c;
        is_large |= !all_doubles((x < 0x1p20) & (x > -0x1p20)); // or NaN
        sincos_doubles(sign * x, &s, &c);
        store_doubles(sine + g, s);
        store_doubles(cosine + g, c);
    }
    for (int i = 0; is_large && i < SOM_BATCH; i++) {
        som_sincos(sign * values[i], &sine[i], &cosine[i]);
    }
}

// ---- bodies

static void place_root(const SomPose *root, SomBodyLanes *to) {
    const double p[3] = {root->position.x, root->position.y, root->position.z};
    for (int i = 0; i < 3; i++) {
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            to->rotation[3 * i][lane] = root->rotation.m[i][0];
            to->rotation[3 * i + 1][lane] = root->rotation.m[i][1];
            to->rotation[3 * i + 2][lane] = root->rotation.m[i][2];
            to->position[i][lane] = p[i];
        }
    }
}

// A row of a rotation, times one that does not change.
static inline void turn_row(const double row[3][SOM_BATCH], int g, const SomAlignment *by,
                            Doubles to[3]) {
    if (by->is_aligned) {
        for (int k = 0; k < 3; k++) {
            to[k] = load_doubles(row[by->columns[k]] + g) * by->signs[k];
        }
        return;
    }
    Doubles x = load_doubles(row[0] + g), y = load_doubles(row[1] + g);
    Doubles z = load_doubles(row[2] + g);
    for (int k = 0; k < 3; k++) {
        to[k] = x * by->rotation.m[0][k] + y * by->rotation.m[1][k] + z * by->rotation.m[2][k];
    }
}

// Where a point that does not change is, along the axis of a row.
static inline Doubles move_row(const double row[3][SOM_BATCH], const double *position, int g,
                               SomVec3 p) {
    return load_doubles(position + g) +
           (load_doubles(row[0] + g) * p.x + load_doubles(row[1] + g) * p.y +
            load_doubles(row[2] + g) * p.z);
}

static void turn_body(const SomBody *body, const SomBodyLanes *parent, const double *values,
                      SomBodyLanes *to) {
    _Alignas(SOM_BATCH_ALIGN) double sine[SOM_BATCH], cosine[SOM_BATCH];
    sincos_lanes(values, body->sign, sine, cosine);
    for (int i = 0; i < 3; i++) {
        const double(*from)[SOM_BATCH] = &parent->rotation[3 * i];
        for (int g = 0; g < SOM_BATCH; g += DOUBLES) {
            Doubles s = load_doubles(sine + g), c = load_doubles(cosine + g), row[3];
            turn_row(from, g, &body->turn, row);
            store_doubles(to->position[i] + g,
                          move_row(from, parent->position[i], g, body->origin));
            store_doubles(to->rotation[3 * i] + g, row[0] * c + row[1] * s);
            store_doubles(to->rotation[3 * i + 1] + g, row[1] * c - row[0] * s);
            store_doubles(to->rotation[3 * i + 2] + g, row[2]);
        }
    }
}

static void slide_body(const SomBody *body, const SomBodyLanes *parent, const double *values,
                       SomBodyLanes *to) {
    for (int i = 0; i < 3; i++) {
        const double(*from)[SOM_BATCH] = &parent->rotation[3 * i];
        for (int g = 0; g < SOM_BATCH; g += DOUBLES) {
            Doubles row[3], by = body->sign * load_values(values + g);
            turn_row(from, g, &body->turn, row);
            Doubles t = move_row(from, parent->position[i], g, body->origin);
            store_doubles(to->position[i] + g, t + row[2] * by);
            for (int k = 0; k < 3; k++) {
                store_doubles(to->rotation[3 * i + k] + g, row[k]);
            }
        }
    }
}

// ---- solids

// Half of what the solid covers along an axis of the world, of which this is the row of its
// rotation. Of a hull it is that of a box round it.
static inline Floats half_extent(const SomSolid *solid, Floats x, Floats y, Floats z) {
    if (solid->kind == SOM_SHAPE_CYLINDER) {
        return abs_floats(z) * solid->half[2] + root_floats(x * x + y * y) * solid->half[0];
    }
    if (solid->kind == SOM_SHAPE_CAPSULE) {
        return abs_floats(z) * solid->half[2] + solid->half[0];
    }
    if (solid->kind == SOM_SHAPE_SPHERE) {
        return splat_float(solid->half[0]);
    }
    return abs_floats(x) * solid->half[0] + abs_floats(y) * solid->half[1] +
           abs_floats(z) * solid->half[2];
}

// The place of a solid along one axis of the world, and its box, rounded outwards. Returns 0, or
// NaN where it is nowhere.
static inline void place_row(const SomSolid *solid, const SomBodyLanes *body, int i, float error,
                             SomSolidLanes *to, SomBoxLanes *box, Floats *nowhere) {
    const double(*from)[SOM_BATCH] = &body->rotation[3 * i];
    for (int g = 0; g < SOM_BATCH; g += FLOATS) {
        Doubles low[3], high[3];
        turn_row(from, g, &solid->turn, low);
        turn_row(from, g + DOUBLES, &solid->turn, high);
        Doubles t = move_row(from, body->position[i], g, solid->origin);
        Doubles u = move_row(from, body->position[i], g + DOUBLES, solid->origin);
        store_doubles(to->center[i] + g, t);
        store_doubles(to->center[i] + g + DOUBLES, u);
        Floats row[3], center = join_doubles(t, u);
        for (int k = 0; k < 3; k++) {
            row[k] = join_doubles(low[k], high[k]);
            store_floats(to->rotation[3 * i + k] + g, row[k]);
        }
        Floats half = half_extent(solid, row[0], row[1], row[2]);
        nowhere[g / FLOATS] += (center - center) + (half - half);
        half += (abs_floats(center) + half) * SOM_BATCH_ROUNDING + error;
        store_floats(box->low[i] + g, center - half);
        store_floats(box->high[i] + g, center + half);
    }
}

// Where a solid is nowhere, it may be anywhere.
static void open_box(SomBoxLanes *box, uint32_t lanes) {
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        for (int i = 0; (lanes >> lane & 1) != 0 && i < 3; i++) {
            box->low[i][lane] = -INFINITY;
            box->high[i][lane] = INFINITY;
        }
    }
}

static void place_solids(SomBatch *batch) {
    float error = (float)(2 * batch->place_error);
    batch->any_broken = 0;
    for (int k = 0; k < batch->solid_count; k++) {
        const SomSolid *solid = &batch->solids[k];
        Floats nowhere[SOM_BATCH / FLOATS] = {{0}};
        for (int i = 0; i < 3; i++) {
            place_row(solid, &batch->places[solid->body], i, error, &batch->lanes[k],
                      &batch->boxes[k], nowhere);
        }
        uint32_t broken = 0;
        for (int g = 0; g < SOM_BATCH; g += FLOATS) {
            broken |= bits_of_mask(~(nowhere[g / FLOATS] == 0)) << g;
        }
        batch->broken[k] = (uint8_t)broken;
        batch->any_broken |= broken;
        if (broken != 0) {
            open_box(&batch->boxes[k], broken);
        }
    }
}

void SOM_BATCH_PATH(som_batch_weigh)(SomBatch *batch) {
    double mass = batch->mechanism->mass, scale = mass > 0 ? 1 / mass : 1;
    for (int i = 0; i < 3; i++) {
        for (int g = 0; g < SOM_BATCH; g += DOUBLES) {
            Doubles sum = splat_double(0);
            for (int k = 0; k < batch->body_count; k++) {
                const SomVec3 m = batch->bodies[k].moment;
                const SomBodyLanes *place = &batch->places[k];
                sum += load_doubles(place->rotation[3 * i] + g) * m.x +
                       load_doubles(place->rotation[3 * i + 1] + g) * m.y +
                       load_doubles(place->rotation[3 * i + 2] + g) * m.z +
                       load_doubles(place->position[i] + g) * batch->bodies[k].mass;
            }
            store_doubles(batch->com[i] + g, sum * scale);
        }
    }
}

void SOM_BATCH_PATH(som_batch_place)(SomBatch *batch, const double *values) {
    double slid = 0;
    for (int i = 0; i < batch->body_count; i++) {
        const SomBody *body = &batch->bodies[i];
        if (body->parent < 0) {
            place_root(&body->root, &batch->places[i]);
            continue;
        }
        const double *own = values + (size_t)body->dof * SOM_BATCH;
        (body->is_sliding ? slide_body : turn_body)(body, &batch->places[body->parent], own,
                                                    &batch->places[i]);
        for (int lane = 0; body->is_sliding && lane < SOM_BATCH; lane++) {
            slid += isfinite(own[lane]) ? fabs(own[lane]) : 0;
        }
    }
    batch->place_error = batch->rounding * (batch->reach + slid);
    place_solids(batch);
}
