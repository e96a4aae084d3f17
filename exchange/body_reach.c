// SPDX-License-Identifier: Apache-2.0
// Whether two shapes on the two sides of one joint can meet at any of its values.

#include "exchange/body_model_internal.h"
#include "space/distance.h"
#include "space/trigonometry.h"

#include <math.h>

// Engines let a joint go a little beyond its limits: radian and metres.
#define BEYOND 0.05
// Where shapes are near, the joint is not looked at more finely than this.
#define LEAST_STEP 0.01
// Nearer than this counts as meeting: what the least step can miss, and play.
#define MEETS 1e-3

typedef struct Sweep {
    const SomBodyJoint *joint;
    const SomBodyShape *fixed, *moved; // of the parent, of the child
    SomPose child;                     // in the parent, where the joint starts
    double low, high;                  // from there
    double arm;                        // metres of the moved shape for each radian or metre
} Sweep;

static SomPose moved_pose(const Sweep *s, double by) {
    SomPose motion = som_pose_identity();
    if (s->joint->type == SOM_JOINT_PRISMATIC) {
        motion.position = som_vec3_scale(by, s->joint->axis);
    } else {
        motion.rotation = som_rotation_exp(som_vec3_scale(by, s->joint->axis));
        SomVec3 back = som_mat3_apply(motion.rotation, s->joint->position);
        motion.position = som_vec3_sub(s->joint->position, back);
    }
    return som_pose_compose(s->child, som_pose_compose(motion, s->moved->pose));
}

// How far a point is from the axis, and how high along it.
static double from_axis(const SomBodyJoint *joint, SomVec3 point, double *height) {
    SomVec3 arm = som_vec3_sub(point, joint->position);
    *height = som_vec3_dot(arm, joint->axis);
    return som_vec3_length(som_vec3_sub(arm, som_vec3_scale(*height, joint->axis)));
}

static double half_diagonal(SomBounds b) {
    return 0.5 * som_vec3_length(som_vec3_sub(b.high, b.low));
}

static SomVec3 middle(SomBounds b) {
    return som_vec3_scale(0.5, som_vec3_add(b.low, b.high));
}

// By balls round the two, whatever the value of a hinge; sets the arm.
static bool are_far(Sweep *s) {
    SomPose fixed = som_pose_relative(s->child, s->fixed->pose); // in the child
    SomBounds a = som_shape_bounds(s->fixed->shape, fixed),
              b = som_shape_bounds(s->moved->shape, s->moved->pose);
    double height_a, height_b, reach = half_diagonal(a) + half_diagonal(b) + MEETS;
    double out_a = from_axis(s->joint, middle(a), &height_a);
    double out_b = from_axis(s->joint, middle(b), &height_b);
    if (s->joint->type == SOM_JOINT_PRISMATIC) {
        s->arm = 1;
        return false;
    }
    s->arm = out_b + half_diagonal(b);
    return fabs(out_a - out_b) > reach || fabs(height_a - height_b) > reach;
}

static bool meets(const Sweep *s) {
    double by = s->low;
    for (;;) {
        double gap =
            som_shape_distance(s->fixed->shape, s->fixed->pose, s->moved->shape, moved_pose(s, by))
                .distance;
        if (gap <= MEETS || by >= s->high) {
            return gap <= MEETS;
        }
        by = fmin(s->high, by + fmax(LEAST_STEP, (gap - MEETS) / fmax(s->arm, 1e-9)));
    }
}

bool som_body_shapes_meet(const SomBodyModel *model, const SomBodyJoint *joint, int parent_shape,
                          int child_shape) {
    Sweep s = {.joint = joint,
               .fixed = &model->shapes[parent_shape],
               .moved = &model->shapes[child_shape],
               .child = som_pose_relative(model->bodies[joint->parent].pose,
                                          model->bodies[joint->child].pose),
               .low = joint->low - joint->start - BEYOND,
               .high = joint->high - joint->start + BEYOND};
    if (joint->type == SOM_JOINT_FIXED) {
        s.low = s.high = 0;
    } else if (joint->type == SOM_JOINT_PRISMATIC && !(isfinite(s.low) && isfinite(s.high))) {
        return true;
    } else if (!(s.high - s.low < 2 * SOM_PI)) {
        s.low = -SOM_PI;
        s.high = SOM_PI;
    }
    return !are_far(&s) && meets(&s);
}
