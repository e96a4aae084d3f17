// SPDX-License-Identifier: Apache-2.0

#include "render/joint_signs.h"
#include "tests/suite.h"

#include <math.h>

static const SomColor pink = {1, 0, 0.5f, 1};

static SomScene sign_of(SomJointType type, SomPose frame, double size) {
    SomScene scene = {0};
    ck_assert(som_scene_add_joint_sign(&scene, type, frame, size, pink));
    ck_assert_int_eq(scene.skipped, 0);
    return scene;
}

static bool is_alike(const SomScene *a, const SomScene *b) {
    if (a->items.count != b->items.count || a->lines.count != b->lines.count ||
        a->geometries.count != b->geometries.count) {
        return false;
    }
    for (int i = 0; i < a->items.count; i++) {
        const SomSceneItem *x = &a->items.data[i], *y = &b->items.data[i];
        SomVec3 way = som_vec3_sub(x->pose.position, y->pose.position);
        if (a->geometries.data[x->geometry].hash != b->geometries.data[y->geometry].hash ||
            som_vec3_length(way) > 0) {
            return false;
        }
    }
    return true;
}

START_TEST(every_type_has_a_sign_of_its_own) {
    SomScene signs[SOM_JOINT_TYPES];
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        signs[i] = sign_of((SomJointType)i, som_pose_identity(), 1);
        ck_assert_int_gt(signs[i].items.count, 0);
        for (int k = 0; k < i; k++) {
            ck_assert(!is_alike(&signs[i], &signs[k]));
        }
    }
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        som_scene_free(&signs[i]);
    }
}
END_TEST

// Two heads of arrows, which are meshes, for every axis that is slid on, at its both ends.
START_TEST(arrows_show_the_axes_that_are_slid_on) {
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        SomScene scene = sign_of((SomJointType)i, som_pose_identity(), 2);
        int along[3] = {0, 0, 0};
        for (int k = 0; k < scene.items.count; k++) {
            const SomSceneItem *item = &scene.items.data[k];
            if (scene.geometries.data[item->geometry].is_solid) {
                continue;
            }
            const double place[3] = {fabs(item->pose.position.x), fabs(item->pose.position.y),
                                     fabs(item->pose.position.z)};
            for (int axis = 0; axis < 3; axis++) {
                along[axis] += place[axis] > 0.5 ? 1 : 0;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            ck_assert_int_eq(along[axis], som_joint_type_frees((SomJointType)i, axis) ? 2 : 0);
        }
        som_scene_free(&scene);
    }
}
END_TEST

START_TEST(signs_are_of_their_size_in_their_frame_and_in_front) {
    SomPose frame = {som_rotation_x(0.7), {1, 2, 3}};
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        SomScene scene = sign_of((SomJointType)i, frame, 0.2);
        SomVec3 corners[8 * 40];
        int count = som_scene_corners(&scene, corners, 8 * 40);
        ck_assert_int_le(count, 8 * 40);
        for (int k = 0; k < count; k++) {
            SomVec3 way = som_vec3_sub(corners[k], frame.position);
            ck_assert_double_le(som_vec3_length(way), 0.13);
        }
        for (int k = 0; k < scene.items.count; k++) {
            ck_assert((scene.items.data[k].look.flags & SOM_LOOK_IN_FRONT) != 0);
        }
        for (int k = 0; k < scene.lines.count; k++) {
            ck_assert((scene.lines.data[k].flags & SOM_LINE_IN_FRONT) != 0);
            SomVec3 way = som_vec3_sub(scene.lines.data[k].b, frame.position);
            ck_assert_double_le(som_vec3_length(way), 0.1 + 1e-12);
        }
        som_scene_free(&scene);
    }
}
END_TEST

START_TEST(what_cannot_be_placed_is_told) {
    SomScene scene = {0};
    SomPose far = som_pose_translation(som_vec3(1e9, 0, 0));
    ck_assert(!som_scene_add_joint_sign(&scene, SOM_JOINT_PLANAR, far, 1, pink));
    ck_assert(!som_scene_add_joint_sign(&scene, SOM_JOINT_FIXED, som_pose_identity(), 0, pink));
    ck_assert(!som_scene_add_joint_sign(&scene, SOM_JOINT_REVOLUTE, som_pose_identity(),
                                        (double)NAN, pink));
    ck_assert_int_eq(scene.items.count + scene.lines.count, 0);
    som_scene_free(&scene);
}
END_TEST

SOM_SUITE("render/joint_signs", every_type_has_a_sign_of_its_own,
          arrows_show_the_axes_that_are_slid_on,
          signs_are_of_their_size_in_their_frame_and_in_front, what_cannot_be_placed_is_told)
