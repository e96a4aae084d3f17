// SPDX-License-Identifier: Apache-2.0
// A program built without pictures says so.

#include "base/codes/render_codes.h"
#include "render/animation.h"
#include "render/offscreen.h"
#include "tests/suite.h"

START_TEST(whoever_asks_for_a_picture_is_told) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert_ptr_null(som_offscreen_create(diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert(som_diagnostics_has(diags, SOM_PICTURE_NOT_DRAWN));
    som_offscreen_destroy(NULL);
    SomImage image = som_image_create(2, 2);
    ck_assert(!som_image_save(&image, "x.png", diags));
    ck_assert(!som_image_parse_png(SOM_STR("x"), "x", &image, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 3);
    SomAnimation *animation = som_animation_create(100);
    SomText bytes = {0};
    ck_assert(!som_animation_add(animation, &image, diags));
    som_animation_print(animation, &bytes);
    ck_assert_uint_eq(bytes.length, 0);
    som_animation_destroy(animation);
    som_image_free(&image);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("render/without_gl", whoever_asks_for_a_picture_is_told)
