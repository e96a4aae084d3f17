// SPDX-License-Identifier: Apache-2.0
// Which joints of loops follow the others: those whose motion the loops leave no choice.

#include "base/memory.h"
#include "exchange/urdf.h"

#include <math.h>

// Of a joint's motion, what is left of it once those of others are taken away, beside all of it:
// less is nothing. Loops are closed to a millionth.
#define INDEPENDENT 1e-4
// Numbers that are kept at most: 32 MiB.
#define MOST_NUMBERS ((size_t)1 << 22)

typedef struct Loops {
    const SomBodyModel *model;
    int *welds; // that close loops
    int weld_count;
    double *basis; // motions of those that follow, of length 1 and at right angles
    int basis_count;
    size_t rows;
    double size; // of the robot: what makes metres of radians
} Loops;

static bool closes_loop(const SomBodyWeld *weld) {
    return weld->is_held && weld->body_a != weld->body_b;
}

// How a joint moves what hangs on it, at the start: turning, then the speed at the first body.
static void motion_of(const Loops *q, const SomBodyJoint *joint, double motion[6]) {
    SomPose child = q->model->bodies[joint->child].pose;
    SomVec3 axis = som_pose_rotate(child, joint->axis);
    SomVec3 from =
        som_vec3_sub(q->model->bodies[0].pose.position, som_pose_apply(child, joint->position));
    bool slides = joint->type == SOM_JOINT_PRISMATIC;
    SomVec3 turn = slides ? som_vec3(0, 0, 0) : axis;
    SomVec3 way = slides ? axis : som_vec3_scale(1 / q->size, som_vec3_cross(axis, from));
    double all[6] = {turn.x, turn.y, turn.z, way.x, way.y, way.z};
    for (int i = 0; i < 6; i++) {
        motion[i] = all[i];
    }
}

// Whether a body hangs on a joint, from whichever depth.
static bool hangs_on(const SomBodyModel *model, int body, const SomBodyJoint *joint) {
    while (model->bodies[body].depth > model->bodies[joint->child].depth) {
        body = model->bodies[body].parent;
    }
    return body == joint->child;
}

// Takes what is in the basis away from a column; what is left is added to it if it is something.
static bool add_to_basis(Loops *q, double *column, double length) {
    for (int pass = 0; pass < 2; pass++) { // the second removes what rounding left of the first
        for (int k = 0; k < q->basis_count; k++) {
            const double *b = q->basis + (size_t)k * q->rows;
            double dot = 0;
            for (size_t i = 0; i < q->rows; i++) {
                dot += b[i] * column[i];
            }
            for (size_t i = 0; i < q->rows; i++) {
                column[i] -= dot * b[i];
            }
        }
    }
    double left = 0;
    for (size_t i = 0; i < q->rows; i++) {
        left += column[i] * column[i];
    }
    left = sqrt(left);
    if (!(left > INDEPENDENT * length)) {
        return false;
    }
    double *added = q->basis + (size_t)q->basis_count++ * q->rows;
    for (size_t i = 0; i < q->rows; i++) {
        added[i] = column[i] / left;
    }
    return true;
}

// What the joint moves in each loop; whether it follows, if all that follow already do.
static bool does_follow(Loops *q, const SomBodyJoint *joint, double *column) {
    double motion[6], length = 0;
    motion_of(q, joint, motion);
    for (int i = 0; i < q->weld_count; i++) {
        const SomBodyWeld *weld = &q->model->welds[q->welds[i]];
        double sign = (double)hangs_on(q->model, weld->body_a, joint) -
                      (double)hangs_on(q->model, weld->body_b, joint);
        for (int k = 0; k < 6; k++) {
            column[6 * i + k] = sign * motion[k];
            length += sign * sign * motion[k] * motion[k];
        }
    }
    return length > 0 && add_to_basis(q, column, sqrt(length));
}

static double size_of(const SomBodyModel *model) {
    double size = 0.01;
    for (int i = 0; i < model->body_count; i++) {
        size = fmax(size, som_vec3_length(som_vec3_sub(model->bodies[i].pose.position,
                                                       model->bodies[0].pose.position)));
    }
    return size;
}

bool *som_urdf_followers(const SomBodyModel *model) {
    int count = model->joint_count;
    bool *follows = som_alloc(sizeof *follows * ((size_t)count + 1));
    Loops q = {.model = model, .size = size_of(model)};
    q.welds = som_alloc(sizeof *q.welds * ((size_t)model->weld_count + 1));
    for (int i = 0; i < model->weld_count; i++) {
        if (closes_loop(&model->welds[i])) {
            q.welds[q.weld_count++] = i;
        }
    }
    q.rows = 6 * (size_t)q.weld_count;
    size_t rank = q.rows < (size_t)count ? q.rows : (size_t)count;
    bool is_small = rank * q.rows <= MOST_NUMBERS && q.rows * (size_t)count <= MOST_NUMBERS;
    q.basis = som_alloc(sizeof *q.basis * (is_small ? rank * q.rows : 0) + 1);
    double *column = som_alloc(sizeof *column * (q.rows + 1));
    // first those that have no motor, then from the last to the first: who is near the base leads
    for (int pass = 0; pass < 2; pass++) {
        for (int i = count - 1; i >= 0; i--) {
            const SomBodyJoint *joint = &model->joints[i];
            bool is_passive = joint->dof < 0;
            if (joint->type == SOM_JOINT_FIXED || is_passive != (pass == 0) || q.weld_count == 0) {
                continue;
            }
            bool is_moved = is_small && does_follow(&q, joint, column);
            follows[i] = is_passive || is_moved;
        }
    }
    som_free(column);
    som_free(q.basis);
    som_free(q.welds);
    return follows;
}
