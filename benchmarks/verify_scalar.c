// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_scalar_internal.h"

#include <math.h>

SomVerifyScalar *som_verify_scalar_create(const SomVerifyWorkload *workload) {
    SomVerifyScalar *s = som_alloc(sizeof *s);
    size_t count = (size_t)workload->link_count;
    s->workload = workload;
    s->frames = som_alloc(sizeof *s->frames * count);
    s->bounds = som_alloc(sizeof *s->bounds * count);
    s->order = som_alloc(sizeof *s->order * count);
    s->lowest = som_alloc(sizeof *s->lowest * count);
    for (int i = 0; i < workload->link_count; i++) {
        s->order[i] = i;
    }
    return s;
}

void som_verify_scalar_destroy(SomVerifyScalar *s) {
    som_array_free(&s->pairs);
    som_array_free(&s->points);
    som_array_free(&s->hull);
    som_free(s->lowest);
    som_free(s->frames);
    som_free(s->bounds);
    som_free(s->order);
    som_free(s);
}

// ---- kinematics

static SomPose turn_about_z(SomPose p, double angle) {
    double s = sin(angle), c = cos(angle);
    for (int i = 0; i < 3; i++) {
        double x = p.rotation.m[i][0], y = p.rotation.m[i][1];
        p.rotation.m[i][0] = c * x + s * y;
        p.rotation.m[i][1] = c * y - s * x;
    }
    return p;
}

void som_verify_scalar_place(SomVerifyScalar *s, const double *values) {
    const SomVerifyLink *links = s->workload->links;
    for (int i = 0; i < s->workload->link_count; i++) {
        const SomVerifyLink *link = &links[i];
        SomPose at = link->parent < 0 ? link->offset
                                      : som_pose_compose(s->frames[link->parent], link->offset);
        s->frames[i] = link->dof < 0 ? at : turn_about_z(at, link->sign * values[link->dof]);
    }
}

const SomPose *som_verify_scalar_frames(const SomVerifyScalar *s) {
    return s->frames;
}

// ---- sweep and prune

static SomVerifyBounds bounds_of(const SomVerifyLink *link, const SomPose *frame, double margin) {
    SomVec3 center = som_pose_apply(*frame, link->center);
    const double at[3] = {center.x, center.y, center.z};
    SomVerifyBounds bounds;
    for (int i = 0; i < 3; i++) {
        const double *row = frame->rotation.m[i];
        double reach = margin;
        if (link->is_box) {
            reach += fabs(row[0]) * link->half.x + fabs(row[1]) * link->half.y +
                     fabs(row[2]) * link->half.z;
        } else {
            double along = row[link->axis];
            reach +=
                fabs(along) * link->half_length + link->radius * sqrt(fmax(0, 1 - along * along));
        }
        bounds.low[i] = at[i] - reach;
        bounds.high[i] = at[i] + reach;
    }
    return bounds;
}

static int longest_axis(const SomVerifyBounds *bounds, int count) {
    int axis = 0;
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double low = bounds[0].low[k], high = bounds[0].high[k];
        for (int i = 1; i < count; i++) {
            low = fmin(low, bounds[i].low[k]);
            high = fmax(high, bounds[i].high[k]);
        }
        if (high - low > longest) {
            longest = high - low;
            axis = k;
        }
    }
    return axis;
}

static void sort_along(int *order, int count, const SomVerifyBounds *bounds, int axis) {
    for (int i = 1; i < count; i++) {
        int moving = order[i], k = i;
        double low = bounds[moving].low[axis];
        for (; k > 0 && bounds[order[k - 1]].low[axis] > low; k--) {
            order[k] = order[k - 1];
        }
        order[k] = moving;
    }
}

int som_verify_scalar_pairs(SomVerifyScalar *s, double gap, const SomVerifyPair **pairs) {
    const SomVerifyLink *links = s->workload->links;
    int count = s->workload->link_count;
    for (int i = 0; i < count; i++) {
        s->bounds[i] = bounds_of(&links[i], &s->frames[i], 0.5 * gap);
    }
    int axis = longest_axis(s->bounds, count), y = (axis + 1) % 3, z = (axis + 2) % 3;
    sort_along(s->order, count, s->bounds, axis);
    s->pairs.count = 0;
    for (int i = 0; i < count; i++) {
        int a = s->order[i];
        const SomVerifyBounds *p = &s->bounds[a];
        for (int k = i + 1; k < count; k++) {
            int b = s->order[k];
            const SomVerifyBounds *q = &s->bounds[b];
            if (q->low[axis] > p->high[axis]) {
                break;
            }
            if (p->low[y] <= q->high[y] && q->low[y] <= p->high[y] && p->low[z] <= q->high[z] &&
                q->low[z] <= p->high[z] && som_verify_is_tested(links, a, b)) {
                som_array_push(&s->pairs, ((SomVerifyPair){a, b}));
            }
        }
    }
    *pairs = s->pairs.data;
    return s->pairs.count;
}
