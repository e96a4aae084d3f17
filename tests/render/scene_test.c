// SPDX-License-Identifier: Apache-2.0

#include "render/camera.h"
#include "render/scene.h"
#include "tests/space/shapes.h"
#include "tests/suite.h"

#include <math.h>

static const SomLook plain = {.color = {1, 0, 0, 1}};

static SomShape unit_box(void) {
    return (SomShape){.kind = SOM_SHAPE_BOX, .half = {0.5, 0.5, 0.5}};
}

START_TEST(equal_geometries_are_kept_once) {
    SomScene scene = {0};
    SomTestRandom random = {1};
    SomShape shapes[50];
    for (int i = 0; i < 50; i++) {
        shapes[i] = random_shape(&random, (SomShapeKind)(i % (SOM_SHAPE_HULL + 1)));
    }
    for (int i = 0; i < 1000; i++) {
        ck_assert(som_scene_add_shape(&scene, &shapes[i % 50], random_pose(&random, 1), &plain));
    }
    ck_assert_int_eq(scene.geometries.count, 50);
    ck_assert_int_eq(scene.items.count, 1000);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(scene.items.data[i].geometry, i % 50);
    }
    som_scene_clear(&scene);
    ck_assert_int_eq(scene.items.count, 0);
    ck_assert_int_eq(scene.geometries.count, 50);
    som_scene_free(&scene);
    for (int i = 0; i < 50; i++) {
        som_shape_free(&shapes[i]);
    }
}
END_TEST

START_TEST(a_compound_is_one_item_a_part) {
    SomScene scene = {0};
    SomShapePart parts[2] = {{unit_box(), som_pose_translation(som_vec3(1, 0, 0))},
                             {unit_box(), som_pose_translation(som_vec3(-1, 0, 0))}};
    SomShape both = som_shape_compound(parts, 2);
    SomPose pose = {som_rotation_z(1.5707963267948966), {0, 0, 5}};
    ck_assert(som_scene_add_shape(&scene, &both, pose, &plain));
    ck_assert_int_eq(scene.items.count, 2);
    ck_assert_int_eq(scene.geometries.count, 1);
    SomBounds bounds;
    ck_assert(som_scene_bounds(&scene, &bounds));
    ck_assert_double_eq_tol(bounds.high.y, 1.5, 1e-12);
    ck_assert_double_eq_tol(bounds.high.x, 0.5, 1e-12);
    ck_assert_double_eq_tol(bounds.low.z, 4.5, 1e-12);
    som_shape_free(&both);
    som_scene_free(&scene);
}
END_TEST

START_TEST(what_cannot_be_placed_is_counted) {
    SomScene scene = {0};
    SomShape box = unit_box();
    SomPose wild = som_pose_identity();
    wild.rotation.m[1][2] = (double)NAN;
    SomColor red = som_color(1, 0, 0);
    ck_assert(!som_scene_add_shape(&scene, &box, wild, &plain));
    wild = som_pose_translation(som_vec3(0, HUGE_VAL, 0));
    ck_assert(!som_scene_add_shape(&scene, &box, wild, &plain));
    ck_assert(
        !som_scene_add_shape(&scene, &box, som_pose_translation(som_vec3(2e7, 0, 0)), &plain));
    ck_assert(
        !som_scene_add_line(&scene, som_vec3((double)NAN, 0, 0), som_vec3(0, 0, 0), 1, red, 0));
    ck_assert(!som_scene_add_arrow(&scene, som_vec3(1, 0, 0), som_vec3(1, 0, 0), 1, red, 0));
    ck_assert(!som_scene_add_axis(&scene, wild, 1, red));
    ck_assert(!som_scene_add_axis(&scene, som_pose_identity(), (double)NAN, red));
    ck_assert(!som_scene_add_frame(&scene, wild, 1));
    ck_assert(!som_scene_add_connector(&scene, wild, 1, red, 0));
    ck_assert(!som_scene_add_connector(&scene, som_pose_identity(), 0, red, 0));
    ck_assert(!som_scene_add_mark(&scene, SOM_MARK_DOT, som_vec3(0, 0, (double)NAN), 3, red));
    ck_assert(!som_scene_add_center_of_mass(&scene, som_vec3(0, 0, (double)NAN)));
    som_scene_set_ground(&scene, (double)NAN);
    ck_assert(!scene.ground.is_shown);
    ck_assert_int_eq(scene.skipped, 13);
    SomBounds bounds;
    ck_assert(!som_scene_bounds(&scene, &bounds));
    ck_assert_int_eq(scene.lines.count + scene.marks.count + scene.discs.count, 0);
    som_scene_free(&scene);
}
END_TEST

START_TEST(an_empty_mesh_has_no_geometry) {
    SomScene scene = {0};
    SomMesh empty = {0};
    ck_assert_int_eq(som_scene_add_mesh(&scene, &empty), -1);
    som_scene_free(&scene);
}
END_TEST

START_TEST(a_grey_thing_needs_no_colour) {
    SomScene scene = {0};
    SomShape box = unit_box();
    som_scene_add_shape(&scene, &box, som_pose_identity(), &(SomLook){0});
    ck_assert(scene.items.data[0].look.color.a > 0.9f);
    ck_assert(scene.items.data[0].look.color.g > 0.5f);
    som_scene_free(&scene);
}
END_TEST

START_TEST(the_grid_suits_the_scene) {
    const double sizes[] = {0.02, 0.1, 0.3, 1, 5, 200};
    const double steps[] = {0.001, 0.01, 0.1, 0.1, 1, 10};
    for (int i = 0; i < 6; i++) {
        SomScene scene = {0};
        double half = sizes[i] / 2 / sqrt(3) * 1.0001;
        SomShape box = {.kind = SOM_SHAPE_BOX, .half = {half, half, half}};
        som_scene_add_shape(&scene, &box, som_pose_identity(), &plain);
        ck_assert_double_eq(som_scene_grid_step(&scene), steps[i]);
        scene.ground.step = 0.25;
        ck_assert_double_eq(som_scene_grid_step(&scene), 0.25);
        som_scene_free(&scene);
    }
}
END_TEST

// A hull is picked by its triangles and other shapes by formulas: both find what is first on a ray.
START_TEST(a_ray_picks_what_is_first) {
    SomTestRandom random = {2};
    SomScene scene = {0};
    SomShape shapes[30];
    for (int i = 0; i < 30; i++) {
        shapes[i] = random_shape(&random, (SomShapeKind)(i % (SOM_SHAPE_HULL + 1)));
        SomLook look = {.owner = (uint32_t)i + 1};
        som_scene_add_shape(&scene, &shapes[i], random_pose(&random, 3), &look);
    }
    SomCamera camera = som_camera_default();
    camera.distance = 12;
    int hits = 0, wrong = 0;
    for (int i = 0; i < som_test_count(500, 20000); i++) {
        SomRay ray = som_camera_ray(&camera, som_test_uniform(&random, 0, 400),
                                    som_test_uniform(&random, 0, 300), 400, 300);
        double nearest = HUGE_VAL, distance;
        int expected = -1;
        for (int k = 0; k < 30; k++) {
            const SomPose *pose = &scene.items.data[k].pose;
            SomRayHit hit;
            if (som_shape_cast_ray(&shapes[k], som_pose_apply_inverse(*pose, ray.origin),
                                   som_pose_rotate_inverse(*pose, ray.direction), &hit) &&
                hit.distance < nearest) {
                nearest = hit.distance;
                expected = k;
            }
        }
        int picked = som_scene_pick(&scene, ray.origin, ray.direction, &distance);
        hits += picked >= 0 ? 1 : 0;
        bool is_near = picked < 0 || fabs(distance - nearest) < 1e-9;
        wrong += picked == expected && is_near ? 0 : 1;
    }
    ck_assert_int_gt(hits, 100);
    ck_assert_int_eq(wrong, 0);
    som_scene_free(&scene);
    for (int i = 0; i < 30; i++) {
        som_shape_free(&shapes[i]);
    }
}
END_TEST

START_TEST(corners_are_inside_the_bounds_and_reach_them) {
    SomTestRandom random = {3};
    SomScene scene = {0};
    for (int i = 0; i < 10; i++) {
        SomShape box = random_shape(&random, SOM_SHAPE_BOX);
        som_scene_add_shape(&scene, &box, random_pose(&random, 2), &plain);
    }
    SomVec3 corners[80];
    SomBounds bounds;
    ck_assert(som_scene_bounds(&scene, &bounds));
    ck_assert_int_eq(som_scene_corners(&scene, corners, 80), 80);
    ck_assert_int_eq(som_scene_corners(&scene, NULL, 0), 80);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < 80; i++) {
        low = fmin(low, corners[i].x);
        high = fmax(high, corners[i].x);
    }
    ck_assert_double_eq_tol(low, bounds.low.x, 1e-12);
    ck_assert_double_eq_tol(high, bounds.high.x, 1e-12);
    som_scene_free(&scene);
}
END_TEST

SOM_SUITE("render/scene", equal_geometries_are_kept_once, a_compound_is_one_item_a_part,
          what_cannot_be_placed_is_counted, an_empty_mesh_has_no_geometry,
          a_grey_thing_needs_no_colour, the_grid_suits_the_scene, a_ray_picks_what_is_first,
          corners_are_inside_the_bounds_and_reach_them)
