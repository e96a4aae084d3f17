// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_workload.h"

#include "base/memory.h"
#include "compose/workspace.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- the robots as text

static const char *const module_text =
    "module FIVE: root=body\n"
    "point Front: (point _1: coords=(0.05, 0, 0.03)) (point _2: coords=(0.05, 0.03, 0))\n"
    "    (point _3: coords=(0.05, 0, -0.03)) (point _4: coords=(0.05, -0.03, 0))\n"
    "    coords=(0.05, 0, 0), connector\n"
    "point Back: (point _1: coords=(-0.05, 0, 0.03)) (point _2: coords=(-0.05, -0.03, 0))\n"
    "    (point _3: coords=(-0.05, 0, -0.03)) (point _4: coords=(-0.05, 0.03, 0))\n"
    "    coords=(-0.05, 0, 0), connector\n"
    "point Left: (point _1: coords=(0, 0.05, 0.03)) (point _2: coords=(-0.03, 0.05, 0))\n"
    "    (point _3: coords=(0, 0.05, -0.03)) (point _4: coords=(0.03, 0.05, 0))\n"
    "    coords=(0, 0.05, 0), connector\n"
    "point Right: (point _1: coords=(0, -0.05, 0.03)) (point _2: coords=(0.03, -0.05, 0))\n"
    "    (point _3: coords=(0, -0.05, -0.03)) (point _4: coords=(-0.03, -0.05, 0))\n"
    "    coords=(0, -0.05, 0), connector\n"
    "link body: grouping=(Back), shape=box((-0.0275, 0, 0), (0.045, 0.07, 0.074)), mass=0.2kg\n"
    "link left: grouping=(Left), shape=cylinder((0, 0.037, 0), (0, 0.047, 0), 0.045), mass=0.05kg\n"
    "link right: grouping=(Right), shape=cylinder((0, -0.047, 0), (0, -0.037, 0), 0.045),\n"
    "    mass=0.05kg\n"
    "link neck: shape=box((0.0225, 0, 0), (0.035, 0.07, 0.06)), mass=0.15kg\n"
    "link front: grouping=(Front), shape=cylinder((0.04, 0, 0), (0.05, 0, 0), 0.036), mass=0.05kg\n"
    "joint spin_left: type=revolute, pair=((left, (axis: origin=(0, 0, 0), direction=(0, 1, 0))),\n"
    "    (body, (axis: origin=(0, 0, 0), direction=(0, -1, 0))))\n"
    "joint spin_right: type=revolute,\n"
    "    pair=((right, (axis: origin=(0, 0, 0), direction=(0, 1, 0))),\n"
    "        (body, (axis: origin=(0, 0, 0), direction=(0, -1, 0))))\n"
    "joint hinge: type=revolute, value=[-90deg, 90deg],\n"
    "    pair=((neck, (axis: origin=(0, 0, 0), direction=(0, 1, 0))),\n"
    "        (body, (axis: origin=(0, 0, 0), direction=(0, -1, 0))))\n"
    "joint twist: type=revolute, pair=((front, (axis: origin=(0, 0, 0), direction=(1, 0, 0))),\n"
    "    (neck, (axis: origin=(0, 0, 0), direction=(-1, 0, 0))))\n"
    "connection FIVE_to_FIVE: members=(FIVE a, FIVE b),\n"
    "    conditions=((a.point p_a coincident b.point p_b) and (p_a._1 coincident p_b.point)\n"
    "        and (p_a._2 coincident p_b.point) and (p_a._3 coincident p_b.point)\n"
    "        and (p_a._4 coincident p_b.point))\n";

// The spine has every third module, legs stand on its sides in turn. Both robots stand on the
// module in their middle.
static const char *const design_text =
    "use \"five.m3l\"\n"
    "config Snake(n: count) {\n"
    "    part spine[n] : FIVE\n"
    "    connect spine[i].Front to spine[i+1].Back for i in 1..n-1\n"
    "    base spine[ceil(n/2)] at (0m, 0m, 0m) turned (90deg, 0deg, 0deg)\n"
    "}\n"
    "config Leg {\n"
    "    part thigh, foot : FIVE\n"
    "    connect thigh.Front to foot.Back\n"
    "}\n"
    "config Walker(n: count, legs: count) {\n"
    "    part spine[n] : FIVE\n"
    "    part leg[legs] : Leg\n"
    "    connect spine[i].Front to spine[i+1].Back for i in 1..n-1\n"
    "    connect spine[i].Left to leg[i].thigh.Back for i in 1..legs if odd(i)\n"
    "    connect spine[i].Right to leg[i].thigh.Back for i in 1..legs if even(i)\n"
    "    base spine[ceil(n/2)] at (0m, 0m, 0m)\n"
    "}\n";

static void fail(const SomVerifyWorkload *w) {
    SomText text = {0};
    som_diagnostics_print(w->diags, 20, &text);
    fprintf(stderr, "verify: the robots cannot be composed\n%.*s",
            SOM_STR_ARG(som_text_str(&text)));
    abort();
}

static void compose(SomVerifyWorkload *w) {
    w->diags = som_diagnostics_create();
    w->workspace = som_workspace_create((SomStr){0}, w->diags);
    som_workspace_open_text(w->workspace, SOM_STR("five.m3l"), som_str(module_text));
    int file = som_workspace_open_text(w->workspace, SOM_STR("robots.som"), som_str(design_text));
    char choice[64];
    int spine = (w->modules + 2) / 3;
    if (w->gait == SOM_VERIFY_SNAKE) {
        snprintf(choice, sizeof choice, "Snake(n = %d)", w->modules);
    } else {
        snprintf(choice, sizeof choice, "Walker(n = %d, legs = %d)", spine, w->modules / 3);
    }
    w->configuration = som_configuration_compose(w->workspace, file, som_str(choice), w->diags);
    if (w->configuration == NULL || w->configuration->module_count != w->modules) {
        fail(w);
    }
    w->mechanism = som_mechanism_create(w->configuration);
}

// ---- what the peers get

// The axis of the frame that a column of an aligned rotation lies along.
static int aligned_axis(SomMat3 r, int column) {
    for (int i = 0; i < 3; i++) {
        if (fabs(r.m[i][column]) > 1 - 1e-9) {
            return i;
        }
    }
    fprintf(stderr, "verify: a shape does not stand along the axes of its joint\n");
    abort();
}

static void read_shape(SomVerifyLink *out, const SomModuleLink *link, SomPose frame) {
    assert(link->part_count == 1);
    const SomShape *shape = &link->parts[0].shape;
    SomPose pose = som_pose_relative(frame, link->parts[0].pose);
    out->center = pose.position;
    out->mass = link->inertia.mass;
    out->com = som_pose_apply_inverse(frame, link->inertia.center);
    out->is_box = shape->kind == SOM_SHAPE_BOX;
    if (!out->is_box) {
        assert(shape->kind == SOM_SHAPE_CYLINDER);
        out->axis = aligned_axis(pose.rotation, 2);
        out->radius = shape->radius;
        out->half_length = shape->half_length;
        return;
    }
    const double sides[3] = {shape->half.x, shape->half.y, shape->half.z};
    double half[3];
    for (int i = 0; i < 3; i++) {
        half[aligned_axis(pose.rotation, i)] = sides[i];
    }
    out->half = som_vec3(half[0], half[1], half[2]);
}

// A link of the mechanism stands at (its frame here) * frames[link]^-1.
static void read_links(SomVerifyWorkload *w) {
    const SomMechanism *m = w->mechanism;
    w->link_count = m->link_count;
    w->dof_count = m->dof_count;
    w->links = som_alloc(sizeof *w->links * (size_t)m->link_count);
    SomPose *frames = som_alloc(sizeof *frames * (size_t)m->link_count);
    int *places = som_alloc(sizeof *places * (size_t)m->link_count);
    for (int k = 0; k < m->link_count; k++) {
        int i = m->order[k];
        const SomMechanismLink *link = &m->links[i];
        SomVerifyLink *out = &w->links[k];
        places[i] = k;
        frames[i] = link->dof < 0 ? som_pose_identity() : link->frame;
        *out = (SomVerifyLink){.link = i, .parent = -1, .dof = link->dof, .sign = link->sign};
        if (link->parent < 0) {
            out->offset = m->base;
        } else {
            out->parent = places[link->parent];
            out->offset = som_pose_relative(frames[link->parent], link->frame);
        }
        read_shape(out, link->link, frames[i]);
    }
    som_free(frames);
    som_free(places);
}

SomPose som_verify_shape_pose(const SomVerifyLink *link, const SomPose *frame) {
    SomPose pose = {frame->rotation, som_pose_apply(*frame, link->center)};
    if (!link->is_box && link->axis != 2) {
        // the axes in turn, so that it stays a rotation
        for (int i = 0; i < 3; i++) {
            pose.rotation.m[i][2] = frame->rotation.m[i][link->axis];
            pose.rotation.m[i][0] = frame->rotation.m[i][(link->axis + 1) % 3];
            pose.rotation.m[i][1] = frame->rotation.m[i][(link->axis + 2) % 3];
        }
    }
    return pose;
}

// ---- motion

typedef struct Motion {
    double phase; // radians
    bool is_colliding;
} Motion;

static double wave(double degrees, double angle) {
    return degrees * (SOM_PI / 180) * som_sin(angle);
}

// A meander of 12 modules, in which neighbouring bends touch if it is too curly.
static double snake_value(int module, SomStr joint, Motion m) {
    if (som_str_equal(joint, SOM_STR("hinge"))) {
        return wave(m.is_colliding ? 62 : 28, m.phase + module * (SOM_PI / 6));
    }
    return som_str_equal(joint, SOM_STR("twist")) ? 0 : m.phase;
}

// The spine sways, legs swing at their discs; those of one side meet if their swings are wide.
static double walker_value(int spine, int module, SomStr joint, Motion m) {
    bool is_hinge = som_str_equal(joint, SOM_STR("hinge"));
    if (module < spine) {
        double phase = m.phase + 0.7 * module;
        if (is_hinge) {
            return wave(8, phase);
        }
        if (som_str_equal(joint, SOM_STR("twist"))) {
            return wave(4, phase);
        }
        return wave(m.is_colliding ? 42 : 12, m.phase + module / 2 * SOM_PI + (module % 2) * 0.5);
    }
    int leg = (module - spine) / 2;
    bool is_thigh = (module - spine) % 2 == 0;
    double phase = m.phase + 0.9 * leg;
    if (is_hinge) {
        return is_thigh ? 72 * (SOM_PI / 180) + wave(12, phase) : wave(15, phase + 2);
    }
    return som_str_equal(joint, SOM_STR("twist")) ? wave(8, phase + 1) : m.phase;
}

static void make_values(SomVerifyWorkload *w) {
    size_t dofs = (size_t)w->dof_count;
    w->values = som_alloc(sizeof *w->values * SOM_VERIFY_SAMPLES * dofs);
    w->batches = som_alloc(sizeof *w->batches * SOM_VERIFY_SAMPLES * dofs);
    const SomConfiguration *c = w->configuration;
    for (size_t i = 0; i < SOM_VERIFY_SAMPLES; i++) {
        Motion m = {2 * SOM_PI / SOM_VERIFY_PERIOD * (double)i, w->is_colliding};
        for (size_t k = 0; k < dofs; k++) {
            SomStr joint = som_configuration_joint(c, (int)k)->name;
            int module = c->dofs[k].module;
            double value = w->gait == SOM_VERIFY_SNAKE
                               ? snake_value(module, joint, m)
                               : walker_value((w->modules + 2) / 3, module, joint, m);
            w->values[i * dofs + k] = value;
            w->batches[(i / SOM_VERIFY_LANES * dofs + k) * SOM_VERIFY_LANES +
                       i % SOM_VERIFY_LANES] = value;
        }
    }
}

SomVerifyWorkload *som_verify_workload_create(SomVerifyGait gait, int modules, bool is_colliding) {
    SomVerifyWorkload *w = som_alloc(sizeof *w);
    w->gait = gait;
    w->modules = modules;
    w->is_colliding = is_colliding;
    compose(w);
    read_links(w);
    make_values(w);
    return w;
}

void som_verify_workload_destroy(SomVerifyWorkload *w) {
    som_free(w->values);
    som_free(w->batches);
    som_free(w->links);
    som_mechanism_destroy(w->mechanism);
    som_configuration_destroy(w->configuration);
    som_workspace_destroy(w->workspace);
    som_diagnostics_destroy(w->diags);
    som_free(w);
}
