// tests/verify/fcl_shapes.h - FCL's opinion about two of our shapes.
//
//     FclShape *wheel = fcl_shape_create(&shape);   // convex
//     if (fcl_shapes_touch(wheel, &pose, arm, &arm_pose)) ...
//     fcl_shape_destroy(wheel);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FclShape FclShape;

FclShape *fcl_shape_create(const SomShape *shape);
void fcl_shape_destroy(FclShape *shape);

bool fcl_shapes_touch(const FclShape *a, const SomPose *pose_a, const FclShape *b,
                      const SomPose *pose_b);

#ifdef __cplusplus
}
#endif
