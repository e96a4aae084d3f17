// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/two_links.h"

#include "space/trigonometry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static void add(SomText *text, const char *format, ...) {
    char piece[512];
    va_list list;
    va_start(list, format);
    vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    som_text_add(text, som_str(piece));
}

static double size(SomTestRandom *random) {
    return som_test_uniform(random, 0.01, 0.2);
}

static void add_point(SomText *text, SomTestRandom *random, double reach) {
    double x = som_test_uniform(random, -reach, reach), y = som_test_uniform(random, -reach, reach);
    double z = som_test_uniform(random, -reach, reach);
    add(text, "(%.9f, %.9f, %.9f)", x, y, z);
}

static void add_shape(SomText *text, SomTestRandom *random, SomShapeKind kind) {
    switch (kind) {
    case SOM_SHAPE_BOX: {
        double x = size(random), y = size(random), z = size(random);
        add(text, "box(");
        add_point(text, random, 0.05);
        add(text, ", (%.9f, %.9f, %.9f))", x, y, z);
        return;
    }
    case SOM_SHAPE_CYLINDER:
    case SOM_SHAPE_CAPSULE:
        add(text, kind == SOM_SHAPE_CYLINDER ? "cylinder(" : "capsule(");
        add_point(text, random, 0.1);
        add(text, ", ");
        add_point(text, random, 0.1);
        add(text, ", %.9f)", 0.5 * size(random));
        return;
    case SOM_SHAPE_SPHERE:
        add(text, "sphere(");
        add_point(text, random, 0.05);
        add(text, ", %.9f)", 0.5 * size(random));
        return;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    add(text, "convex(");
    int count = som_test_int(random, 4, 20);
    for (int i = 0; i < count; i++) {
        add(text, i == 0 ? "" : ", ");
        add_point(text, random, 0.1);
    }
    add(text, ")");
}

static void add_link(SomText *text, SomTestRandom *random, const char *name, SomShapeKind kind) {
    add(text, "link %s: shape=(", name);
    int count = kind == SOM_SHAPE_COMPOUND ? som_test_int(random, 2, 3) : 1;
    for (int i = 0; i < count; i++) {
        add(text, i == 0 ? "" : ", ");
        add_shape(text, random,
                  kind == SOM_SHAPE_COMPOUND
                      ? (SomShapeKind)som_test_int(random, SOM_SHAPE_BOX, SOM_SHAPE_HULL)
                      : kind);
    }
    add(text, "), mass=1kg\n");
}

// From link a to link b: three ways, then three turns.
static void add_joints(SomText *text) {
    static const char *const links[] = {"a", "x", "y", "z", "u", "v", "b"};
    static const int axes[] = {0, 1, 2, 2, 1, 0};
    static const char *const along[] = {"1, 0, 0", "0, 1, 0", "0, 0, 1"};
    static const char *const against[] = {"-1, 0, 0", "0, -1, 0", "0, 0, -1"};
    for (int i = 0; i < TWO_DOFS; i++) {
        add(text,
            "joint j%d: type=%s, pair=((%s, (axis: origin=(0, 0, 0), direction=(%s))),\n"
            "    (%s, (axis: origin=(0, 0, 0), direction=(%s))))\n",
            i, i < 3 ? "prismatic" : "revolute", links[i + 1], along[axes[i]], links[i],
            against[axes[i]]);
    }
}

TwoLinks two_links_create(SomTestRandom *random, SomShapeKind a, SomShapeKind b) {
    SomText text = {0};
    add(&text, "module A: root=a\n");
    add_link(&text, random, "a", a);
    for (int i = 0; i < 5; i++) {
        add(&text, "link %c: mass=1g\n", "xyzuv"[i]);
    }
    add_link(&text, random, "b", b);
    add_joints(&text);
    som_text_add_char(&text, '\0', 1);
    SomVec3 turn = {som_test_uniform(random, -3, 3), som_test_uniform(random, -3, 3), 0.3};
    TwoLinks links = {.robot = place_module(text.data, som_vec3(0.3, -0.2, 0.1), turn)};
    som_text_free(&text);
    const SomMechanism *m = links.robot.mechanism;
    ck_assert(m->link_count == 7 && m->dof_count == TWO_DOFS);
    links.link_b = 6;
    links.a = m->links[links.link_a].link;
    links.b = m->links[links.link_b].link;
    return links;
}

void two_links_free(TwoLinks *links) {
    placed_free(&links->robot);
}

// The nearest pair of parts.
static SomDistance nearest(const TwoLinks *links) {
    SomPose a = links->robot.links[links->link_a], b = links->robot.links[links->link_b];
    SomDistance best = {.distance = INFINITY};
    for (int i = 0; i < links->a->part_count; i++) {
        for (int k = 0; k < links->b->part_count; k++) {
            const SomShapePart *p = &links->a->parts[i], *q = &links->b->parts[k];
            SomDistance d = som_shape_distance(&p->shape, som_pose_compose(a, p->pose), &q->shape,
                                               som_pose_compose(b, q->pose));
            best = d.distance < best.distance ? d : best;
        }
    }
    return best;
}

// A tenth anywhere, the others at a distance from a micrometre to a decimetre on either side.
static void pose_lane(TwoLinks *links, SomTestRandom *random) {
    double *values = links->robot.posture.values;
    for (int i = 0; i < TWO_DOFS; i++) {
        values[i] = i < 3 ? som_test_uniform(random, -0.2, 0.2) : som_test_uniform(random, -4, 4);
    }
    place_again(&links->robot);
    if (som_test_int(random, 1, 10) == 1) {
        return;
    }
    double wanted = 0.1;
    for (int i = som_test_int(random, 0, 5); i > 0; i--) {
        wanted *= 0.1;
    }
    wanted *= som_test_uniform(random, -1, 1);
    SomDistance d = nearest(links);
    SomVec3 way = som_pose_rotate_inverse(links->robot.links[links->link_a],
                                          som_vec3_scale(wanted - d.distance, d.normal));
    values[0] += way.x;
    values[1] += way.y;
    values[2] += way.z;
    place_again(&links->robot);
}

void two_links_pose(TwoLinks *links, SomTestRandom *random, TwoPostures *postures) {
    for (int lane = 0; lane < TWO_LANES; lane++) {
        pose_lane(links, random);
        for (int i = 0; i < TWO_DOFS; i++) {
            postures->values[i * TWO_LANES + lane] = links->robot.posture.values[i];
        }
        postures->pose_a[lane] = links->robot.links[links->link_a];
        postures->pose_b[lane] = links->robot.links[links->link_b];
        postures->distance[lane] = nearest(links).distance;
    }
}
