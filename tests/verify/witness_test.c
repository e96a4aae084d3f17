// SPDX-License-Identifier: Apache-2.0
// Verdicts of shapes and of the sample kernel, each with its witness, which is checked in long
// double by formulas of its own.

#include "space/trigonometry.h"
#include "tests/space/shapes.h"
#include "tests/suite.h"
#include "tests/verify/two_links.h"
#include "verify/batch.h"
#include "verify/witness.h"

#include <math.h>
#include <stdio.h>

typedef struct Wide {
    long double x, y, z;
} Wide;

static long double wide_length(long double x, long double y, long double z) {
    return sqrtl(x * x + y * y + z * z);
}

// The direction seen from the shape.
static Wide turned_back(SomPose pose, SomVec3 n) {
    const double(*m)[3] = (const double(*)[3])pose.rotation.m;
    Wide w;
    w.x = (long double)m[0][0] * n.x + (long double)m[1][0] * n.y + (long double)m[2][0] * n.z;
    w.y = (long double)m[0][1] * n.x + (long double)m[1][1] * n.y + (long double)m[2][1] * n.z;
    w.z = (long double)m[0][2] * n.x + (long double)m[1][2] * n.y + (long double)m[2][2] * n.z;
    return w;
}

// How far the shape reaches in a direction, at the origin.
static long double reach(const SomShape *shape, Wide n) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return fabsl(n.x) * shape->half.x + fabsl(n.y) * shape->half.y + fabsl(n.z) * shape->half.z;
    case SOM_SHAPE_CYLINDER:
        return fabsl(n.z) * shape->half_length + shape->radius * wide_length(n.x, n.y, 0);
    case SOM_SHAPE_SPHERE:
        return shape->radius * wide_length(n.x, n.y, n.z);
    case SOM_SHAPE_CAPSULE:
        return fabsl(n.z) * shape->half_length + shape->radius * wide_length(n.x, n.y, n.z);
    case SOM_SHAPE_HULL: {
        long double most = -INFINITY;
        for (int i = 0; i < shape->hull->vertex_count; i++) {
            SomVec3 p = shape->hull->vertices[i];
            most = fmaxl(most, n.x * p.x + n.y * p.y + n.z * p.z);
        }
        return most;
    }
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return (long double)NAN;
}

static long double wide_dot(SomVec3 a, SomVec3 b) {
    return (long double)a.x * b.x + (long double)a.y * b.y + (long double)a.z * b.z;
}

// The farthest point of the posed shape along n; exact but for the long double.
static long double height(const SomShape *shape, SomPose pose, SomVec3 n) {
    return wide_dot(pose.position, n) + reach(shape, turned_back(pose, n));
}

// How far outside of the shape a point is at least; not positive inside.
static long double outside(const SomShape *shape, SomPose pose, SomVec3 point) {
    const double(*m)[3] = (const double(*)[3])pose.rotation.m;
    long double d[3] = {(long double)point.x - pose.position.x,
                        (long double)point.y - pose.position.y,
                        (long double)point.z - pose.position.z};
    long double p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = m[0][i] * d[0] + m[1][i] * d[1] + m[2][i] * d[2];
    }
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return fmaxl(fabsl(p[0]) - shape->half.x,
                     fmaxl(fabsl(p[1]) - shape->half.y, fabsl(p[2]) - shape->half.z));
    case SOM_SHAPE_CYLINDER:
        return fmaxl(wide_length(p[0], p[1], 0) - shape->radius, fabsl(p[2]) - shape->half_length);
    case SOM_SHAPE_SPHERE:
        return wide_length(p[0], p[1], p[2]) - shape->radius;
    case SOM_SHAPE_CAPSULE: {
        long double along = fmaxl(0, fabsl(p[2]) - shape->half_length);
        return wide_length(p[0], p[1], along) - shape->radius;
    }
    case SOM_SHAPE_HULL: {
        long double most = -INFINITY;
        for (int i = 0; i < shape->hull->plane_count; i++) {
            SomPlane plane = shape->hull->planes[i];
            most = fmaxl(most, plane.normal.x * p[0] + plane.normal.y * p[1] +
                                   plane.normal.z * p[2] - plane.offset);
        }
        return most;
    }
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return (long double)NAN;
}

// Empty if the witness shows what it says.
static const char *fault(const SomWitness *w, const SomShape *a, SomPose pose_a, const SomShape *b,
                         SomPose pose_b) {
    SomVec3 back = som_vec3_scale(-1, w->normal);
    if (w->is_apart) {
        bool is_plane = height(a, pose_a, w->normal) < w->offset &&
                        -height(b, pose_b, back) > w->offset && w->distance > 0;
        return is_plane ? "" : "the plane does not part them";
    }
    double size = som_shape_ball(a).radius + som_shape_ball(b).radius;
    double room = w->distance < -1e-7 * size ? 1e-12 * size : 1e-7 * size;
    bool is_common = outside(a, pose_a, w->point) <= room && outside(b, pose_b, w->point) <= room;
    return is_common ? "" : "the point is not in both";
}

START_TEST(every_verdict_about_two_shapes_has_a_witness) {
    SomTestRandom random = {2};
    int count = som_test_count(20000, 400000), wrong = 0, apart = 0;
    for (int i = 0; i < count; i++) {
        SomShape a = random_shape(&random, (SomShapeKind)(i % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(i / 5 % 5));
        SomPose pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        // so near that anything may happen, on either side, down to a billionth
        SomDistance d = som_shape_distance(&a, pose_a, &b, pose_b);
        double wanted = som_test_uniform(&random, -1, 1);
        for (int k = som_test_int(&random, 0, 8); k > 0; k--) {
            wanted *= 0.1;
        }
        pose_b.position =
            som_vec3_add(pose_b.position, som_vec3_scale(wanted - d.distance, d.normal));
        SomWitness w = som_witness(&a, pose_a, &b, pose_b);
        bool is_touching = som_shape_touch(&a, pose_a, &b, pose_b, NULL);
        const char *problem = fault(&w, &a, pose_a, &b, pose_b);
        if (problem[0] == '\0' && is_touching == w.is_apart && fabs(w.distance) > 1e-8) {
            problem = "som_shape_touch says otherwise";
        }
        apart += w.is_apart;
        if (problem[0] != '\0' && wrong++ < 10) {
            fprintf(stderr, "case %d, %s and %s, %g m: %s\n", i, som_shape_kind_name(a.kind),
                    som_shape_kind_name(b.kind), w.distance, problem);
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert(apart > count / 4 && apart < 3 * count / 4);
}
END_TEST

START_TEST(witnesses_of_large_and_tiny_shapes_hold) {
    SomTestRandom random = {3};
    int wrong = 0;
    for (int i = 0; i < som_test_count(2000, 50000); i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        double scale = i % 2 == 0 ? 1e-4 : 1e3, turn = som_test_uniform(&random, -3, 3);
        double x = som_test_uniform(&random, 0.1, 1), y = som_test_uniform(&random, 0.1, 1);
        SomShape a, b;
        som_shape_box(&a, som_vec3(scale * x, scale * y, scale), (SomSpan){0}, diags);
        som_shape_cylinder(&b, scale * y, scale * x, (SomSpan){0}, diags);
        som_diagnostics_destroy(diags);
        SomPose pose_a = som_pose_identity();
        SomPose pose_b = {som_rotation_exp(som_vec3_scale(turn, random_direction(&random))),
                          som_vec3_scale(scale, random_vec3(&random, -1.5, 1.5))};
        SomWitness w = som_witness(&a, pose_a, &b, pose_b);
        wrong += fault(&w, &a, pose_a, &b, pose_b)[0] != '\0';
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

// Whether some pair of parts has a common point that is one (or all have planes that are), and -1
// if a witness does not hold.
static int shown(const TwoLinks *links, SomPose pose_a, SomPose pose_b) {
    int is_touching = 0;
    for (int i = 0; i < links->a->part_count; i++) {
        for (int k = 0; k < links->b->part_count; k++) {
            const SomShapePart *p = &links->a->parts[i], *q = &links->b->parts[k];
            SomPose at = som_pose_compose(pose_a, p->pose), bt = som_pose_compose(pose_b, q->pose);
            SomWitness w = som_witness(&p->shape, at, &q->shape, bt);
            if (fault(&w, &p->shape, at, &q->shape, bt)[0] != '\0') {
                return -1;
            }
            is_touching |= !w.is_apart;
        }
    }
    return is_touching;
}

START_TEST(every_verdict_of_the_kernel_has_a_witness) {
    SomTestRandom random = {4};
    int robots = som_test_count(200, 2000), wrong = 0, pairs = 0, touching = 0;
    for (int i = 0; i < robots; i++) {
        TwoLinks links =
            two_links_create(&random, (SomShapeKind)(i % 6), (SomShapeKind)(i / 6 % 6));
        SomBatch *batch = som_batch_create(links.robot.mechanism, NULL);
        for (int n = 0; n < 10; n++) {
            TwoPostures postures;
            two_links_pose(&links, &random, &postures);
            som_batch_place(batch, postures.values);
            const SomBatchHit *hits;
            int lanes = som_batch_find(batch, 0, NULL, true, &hits) > 0 ? hits[0].lanes : 0;
            for (int lane = 0; lane < TWO_LANES; lane++) {
                int is_hit = lanes >> lane & 1;
                int verdict = shown(&links, postures.pose_a[lane], postures.pose_b[lane]);
                // poses of the kernel may differ by rounding
                bool is_clear = fabs(postures.distance[lane]) > 1e-9;
                if ((verdict < 0 || (is_clear && verdict != is_hit)) && wrong++ < 10) {
                    fprintf(stderr, "robot %d, %g m: kernel %d, witness %d\n", i,
                            postures.distance[lane], is_hit, verdict);
                }
                pairs++;
                touching += is_hit;
            }
        }
        som_batch_destroy(batch);
        two_links_free(&links);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert(touching > pairs / 5 && touching < 4 * pairs / 5);
}
END_TEST

SOM_SUITE("verify/witness", every_verdict_about_two_shapes_has_a_witness,
          witnesses_of_large_and_tiny_shapes_hold, every_verdict_of_the_kernel_has_a_witness)
