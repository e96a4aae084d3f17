// SPDX-License-Identifier: Apache-2.0
// Pictures drawn off screen, compared with golden ones.

#include "base/codes/render_codes.h"
#include "render/offscreen.h"
#include "tests/render/pictures.h"
#include "tests/render/scenes.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 216
#define HEIGHT 162

static void compare_shapes(double azimuth, double elevation, bool is_orthographic,
                           const char *name) {
    SomScene scene = som_test_scene_of_shapes(som_vec3(0, 0, 0));
    SomCamera camera = som_test_camera(&scene, azimuth, elevation, (double)WIDTH / HEIGHT);
    camera.is_orthographic = is_orthographic;
    som_test_compare(som_test_draw(&scene, &camera, WIDTH, HEIGHT), name);
    som_scene_free(&scene);
}

START_TEST(shapes_from_the_front) {
    compare_shapes(-60, 30, false, "shapes-front");
}
END_TEST

START_TEST(shapes_from_behind) {
    compare_shapes(120, 30, false, "shapes-behind");
}
END_TEST

START_TEST(shapes_from_below) {
    compare_shapes(-60, -30, true, "shapes-below");
}
END_TEST

START_TEST(marks_and_looks) {
    SomScene scene = som_test_scene_of_marks();
    SomCamera camera = som_test_camera(&scene, -70, 35, 2);
    som_test_compare(som_test_draw(&scene, &camera, 240, 120), "marks");
    som_scene_free(&scene);
}
END_TEST

START_TEST(signs_before_a_veil_in_light_and_dark) {
    for (int i = 0; i < 2; i++) {
        SomScene scene = som_test_scene_of_signs(i == 1);
        SomCamera camera = som_test_camera(&scene, -70, 35, 2);
        som_test_compare(som_test_draw(&scene, &camera, 400, 200), i == 1 ? "signs-dark" : "signs");
        som_scene_free(&scene);
    }
}
END_TEST

START_TEST(an_empty_scene_is_its_background) {
    SomScene scene = {0};
    SomCamera camera = som_camera_default();
    SomColor colors[2] = {som_color(0.2f, 0.4f, 0.6f), som_color(0.2f, 0.4f, 0.6f)};
    memcpy(scene.background, colors, sizeof colors);
    SomImage image = som_test_draw(&scene, &camera, 40, 30);
    int wrong = 0;
    for (int i = 0; i < 40 * 30; i++) {
        const uint8_t *p = image.pixels + 4 * i;
        wrong += p[0] == 51 && p[1] == 102 && p[2] == 153 && p[3] == 255 ? 0 : 1;
    }
    ck_assert_int_eq(wrong, 0);
    som_image_free(&image);
    som_scene_set_ground(&scene, 0); // and ground alone does no harm
    image = som_test_draw(&scene, &camera, 40, 30);
    som_image_free(&image);
    som_scene_free(&scene);
}
END_TEST

START_TEST(the_same_scene_gives_the_same_pixels) {
    SomScene scene = som_test_scene_of_shapes(som_vec3(0, 0, 0));
    SomCamera camera = som_test_camera(&scene, -60, 30, 1);
    SomDiagnostics *diags = som_diagnostics_create();
    SomOffscreen *offscreen = som_offscreen_create(diags);
    ck_assert_ptr_nonnull(offscreen);
    SomImage first = {0}, again = {0};
    SomScene empty = {0};
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, 200, 200, &first, diags));
    ck_assert(som_offscreen_draw(offscreen, &empty, &camera, 300, 100, &again, diags));
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, 200, 200, &again, diags));
    ck_assert_int_eq(som_image_difference(&first, &again, 0), 0);
    ck_assert_int_gt((int)strlen(som_offscreen_driver(offscreen)), 0);
    som_offscreen_destroy(offscreen);
    som_image_free(&first);
    som_image_free(&again);
    som_scene_free(&scene);
    som_diagnostics_destroy(diags);
}
END_TEST

// Single precision ends at seven digits; a robot a thousand kilometres out is drawn all the same.
START_TEST(far_from_the_origin_looks_the_same) {
    SomScene scenes[2];
    SomImage images[2];
    for (int i = 0; i < 2; i++) {
        double far_out = 1e6 * i;
        scenes[i] = som_test_scene_of_shapes(som_vec3(far_out, -far_out, far_out));
        SomCamera camera = som_test_camera(&scenes[i], -60, 30, 1);
        images[i] = som_test_draw(&scenes[i], &camera, 200, 200);
    }
    ck_assert_int_le(som_image_difference(&images[0], &images[1], SOM_TEST_TOLERANCE), 20);
    for (int i = 0; i < 2; i++) {
        som_image_free(&images[i]);
        som_scene_free(&scenes[i]);
    }
}
END_TEST

// Large pictures are drawn in pieces of at most 2048; columns beside the border differ like others.
START_TEST(pieces_have_no_seam) {
    SomScene scene = {0};
    SomShape ball = {.kind = SOM_SHAPE_SPHERE, .radius = 1};
    som_scene_add_shape(&scene, &ball, som_pose_identity(), &(SomLook){0});
    SomCamera camera = som_test_camera(&scene, 0, 0, 1);
    SomImage image = som_test_draw(&scene, &camera, 2100, 200);
    int worst = 0, seam = 0, dark = 0, first = 2100, last = 0;
    for (int x = 0; x < 2100; x++) {
        if (image.pixels[4 * ((size_t)100 * 2100 + (size_t)x)] < 230) {
            first = x < first ? x : first;
            last = x;
        }
    }
    ck_assert_int_le(abs(first + last - 2099), 2); // the ball is in the middle
    for (int y = 40; y < 160; y++) {
        const uint8_t *row = image.pixels + 4 * (size_t)y * 2100;
        for (int x = 1030; x < 1070; x++) {
            int gap = abs(row[4 * x] - row[4 * (x - 1)]);
            seam = x == 1050 && gap > seam ? gap : seam;
            worst = x != 1050 && gap > worst ? gap : worst;
            dark += row[4 * x] < 230 ? 1 : 0;
        }
    }
    ck_assert_int_gt(dark, 1000); // there is something to be seen there
    ck_assert_int_le(seam, worst);
    som_image_free(&image);
    som_scene_free(&scene);
}
END_TEST

START_TEST(sizes_out_of_range_are_refused) {
    static const int sizes[][2] = {{0, 0},  {0, 100},  {100, 0},
                                   {-5, 5}, {8193, 1}, {100000, 100000}};
    SomDiagnostics *diags = som_diagnostics_create();
    SomOffscreen *offscreen = som_offscreen_create(diags);
    ck_assert_ptr_nonnull(offscreen);
    SomScene scene = {0};
    SomCamera camera = som_camera_default();
    SomImage image = {0};
    for (int i = 0; i < 6; i++) {
        ck_assert(!som_offscreen_draw(offscreen, &scene, &camera, sizes[i][0], sizes[i][1], &image,
                                      diags));
        ck_assert_int_eq(som_diagnostics_error_count(diags), i + 1);
        ck_assert_ptr_null(image.pixels);
    }
    ck_assert(som_diagnostics_has(diags, SOM_PICTURE_SIZE));
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, 8192, 1, &image, diags));
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, 1, 1, &image, diags));
    som_image_free(&image);
    som_offscreen_destroy(offscreen);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(wild_scenes_and_cameras_do_no_harm) {
    SomScene scene = som_test_scene_of_shapes(som_vec3(0, 0, 0));
    SomPose nowhere = som_pose_translation(som_vec3((double)NAN, 0, 0));
    SomShape ball = {.kind = SOM_SHAPE_SPHERE, .radius = 1};
    ck_assert(!som_scene_add_shape(&scene, &ball, nowhere, &(SomLook){0}));
    SomLook odd = {.color = {NAN, INFINITY, -3, 7}, .flags = ~0u};
    som_scene_add_shape(&scene, &ball, som_pose_identity(), &odd);
    ball.radius = 1e-6;
    som_scene_add_shape(&scene, &ball, som_pose_translation(som_vec3(1e7, 0, 0)), &odd);
    som_scene_add_line(&scene, som_vec3(0, 0, 0), som_vec3(0, 0, 0), NAN, odd.color, ~0u);
    scene.ground.step = 1e-300;
    SomCamera cameras[5];
    for (int i = 0; i < 5; i++) {
        cameras[i] = som_test_camera(&scene, 30, 20, 1);
    }
    cameras[1].distance = 1e-6; // inside everything
    cameras[2].distance = 1e9;
    cameras[3].field_of_view = 1e-4;
    cameras[4].target.x = (double)NAN;
    for (int i = 0; i < 5; i++) {
        SomImage image = som_test_draw(&scene, &cameras[i], 64, 64);
        ck_assert_int_eq(image.width, 64);
        som_image_free(&image);
    }
    som_scene_free(&scene);
}
END_TEST

START_TEST(without_a_driver_the_report_names_the_packages) {
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere/at/all.json", 1);
    SomDiagnostics *diags = som_diagnostics_create();
    SomText shown = {0};
    ck_assert_ptr_null(som_offscreen_create(diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert(som_diagnostics_has(diags, SOM_PICTURE_NOT_DRAWN));
    som_diagnostics_print(diags, 0, &shown);
    ck_assert_ptr_nonnull(strstr(shown.data, "libgl1-mesa-dri"));
    som_text_free(&shown);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("render/offscreen", shapes_from_the_front, shapes_from_behind, shapes_from_below,
          marks_and_looks, signs_before_a_veil_in_light_and_dark, an_empty_scene_is_its_background,
          the_same_scene_gives_the_same_pixels, far_from_the_origin_looks_the_same,
          pieces_have_no_seam, sizes_out_of_range_are_refused, wild_scenes_and_cameras_do_no_harm,
          without_a_driver_the_report_names_the_packages)
