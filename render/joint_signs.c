// SPDX-License-Identifier: Apache-2.0
#include "render/joint_signs.h"

#include "space/trigonometry.h"

// Shares of a sign's size.
#define REACH 0.5    // of arrows, from the middle
#define BLOCK 0.11   // half the width of blocks and pins
#define LENGTH 0.2   // half the length of blocks and pins
#define BALL 0.16    // radius
#define CUP 0.25     // radius
#define PLATE 0.4    // half its width
#define THIN 0.015   // half the thickness of plates and collars
#define COLLAR 0.19  // radius
#define CUBE 0.09    // half the width of what does not move
#define CUP_SIDES 12 // of half a circle
#define LINE 2.4f    // pixels

typedef struct Sign {
    SomScene *scene;
    SomPose frame;
    double size;
    SomColor color;
} Sign;

// Axes of the frame as z: x and y by a quarter turn.
static SomPose along(const Sign *sign, int axis) {
    SomPose turned = som_pose_identity();
    if (axis == 0) {
        turned.rotation = som_rotation_y(SOM_PI / 2);
    } else if (axis == 1) {
        turned.rotation = som_rotation_x(-SOM_PI / 2);
    }
    return som_pose_compose(sign->frame, turned);
}

static SomPose at_height(SomPose pose, double height) {
    return som_pose_compose(pose, som_pose_translation(som_vec3(0, 0, height)));
}

static void add_solid(const Sign *sign, SomShape shape, SomPose pose) {
    SomLook look = {.color = sign->color, .flags = SOM_LOOK_IN_FRONT | SOM_LOOK_NO_SHADOW};
    som_scene_add_shape(sign->scene, &shape, pose, &look);
}

static void add_box(const Sign *sign, SomPose pose, double x, double y, double z) {
    SomVec3 half = som_vec3_scale(sign->size, som_vec3(x, y, z));
    add_solid(sign, (SomShape){.kind = SOM_SHAPE_BOX, .half = half}, pose);
}

static void add_cylinder(const Sign *sign, SomPose pose, double radius, double half_length) {
    add_solid(sign,
              (SomShape){.kind = SOM_SHAPE_CYLINDER,
                         .radius = sign->size * radius,
                         .half_length = sign->size * half_length},
              pose);
}

static void add_line(const Sign *sign, SomVec3 a, SomVec3 b) {
    som_scene_add_line(sign->scene, som_pose_apply(sign->frame, som_vec3_scale(sign->size, a)),
                       som_pose_apply(sign->frame, som_vec3_scale(sign->size, b)), LINE,
                       sign->color, SOM_LINE_IN_FRONT);
}

// ---- what they are made of

static void add_arrows(const Sign *sign, int axis) {
    SomPose pose = along(sign, axis);
    for (int way = -1; way <= 1; way += 2) {
        SomVec3 tip = som_pose_apply(pose, som_vec3(0, 0, way * REACH * sign->size));
        som_scene_add_arrow(sign->scene, sign->frame.position, tip, LINE, sign->color,
                            SOM_LINE_IN_FRONT);
    }
}

// Slides and does not turn: longer along the only axis, flat along two.
static void add_block(const Sign *sign, const SomJointTypeInfo *info) {
    double half[3];
    for (int axis = 0; axis < 3; axis++) {
        bool slides = (info->freedom >> axis & 1) != 0;
        half[axis] = slides ? (info->dof_count == 1 ? LENGTH : 1.4 * BLOCK) : BLOCK;
    }
    add_box(sign, sign->frame, half[0], half[1], half[2]);
}

// Turns about z.
static void add_pin(const Sign *sign, bool is_held) {
    add_cylinder(sign, sign->frame, BLOCK, LENGTH);
    for (int way = -1; way <= 1 && is_held; way += 2) {
        add_cylinder(sign, at_height(sign->frame, way * LENGTH * sign->size), COLLAR, THIN);
    }
    if (is_held) {
        add_line(sign, som_vec3(0, 0, -REACH), som_vec3(0, 0, REACH));
    }
}

static void add_cup(const Sign *sign) {
    for (int i = 0; i < CUP_SIDES; i++) {
        double s[2], c[2];
        for (int k = 0; k < 2; k++) {
            som_sincos(SOM_PI * (i + k) / CUP_SIDES, &s[k], &c[k]);
        }
        add_line(sign, som_vec3(CUP * c[0], 0, -CUP * s[0]), som_vec3(CUP * c[1], 0, -CUP * s[1]));
        add_line(sign, som_vec3(0, CUP * c[0], -CUP * s[0]), som_vec3(0, CUP * c[1], -CUP * s[1]));
    }
    add_line(sign, som_vec3(0, 0, -CUP), som_vec3(0, 0, -REACH));
}

bool som_scene_add_joint_sign(SomScene *scene, SomJointType type, SomPose frame, double size,
                              SomColor color) {
    const SomJointTypeInfo *info = som_joint_type(type);
    int skipped = scene->skipped;
    Sign sign = {scene, frame, size, color};
    if (!(size > 0 && size < SOM_SCENE_MAX_COORDINATE)) {
        scene->skipped++;
        return false;
    }
    int slides = info->dof_count - info->turns;
    for (int axis = 0; axis < 3; axis++) {
        if ((info->freedom >> axis & 1) != 0) {
            add_arrows(&sign, axis);
        }
    }
    if (slides == 2 && info->turns > 0) {
        add_box(&sign, at_height(frame, -LENGTH * size), PLATE, PLATE, THIN);
    }
    if (info->dof_count == 0) {
        add_box(&sign, frame, CUBE, CUBE, CUBE);
    } else if (info->turns == 0) {
        add_block(&sign, info);
    } else if (info->turns == 1) {
        add_pin(&sign, slides == 0);
    } else {
        add_solid(&sign, (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = BALL * size}, frame);
        if (slides == 0) {
            add_cup(&sign);
        }
    }
    return scene->skipped == skipped;
}
