// SPDX-License-Identifier: Apache-2.0

#include "base/codes/render_codes.h"
#include "base/file.h"
#include "render/image.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static SomImage random_image(SomTestRandom *random, int width, int height, bool is_opaque) {
    SomImage image = som_image_create(width, height);
    for (size_t i = 0; i < 4 * (size_t)width * (size_t)height; i++) {
        image.pixels[i] = i % 4 == 3 && is_opaque ? 255 : (uint8_t)som_test_int(random, 0, 255);
    }
    return image;
}

START_TEST(png_keeps_every_bit) {
    SomTestRandom random = {1};
    for (int i = 0; i < 40; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomImage image = random_image(&random, som_test_int(&random, 1, 50),
                                      som_test_int(&random, 1, 50), i % 2 == 0);
        SomText bytes = {0};
        SomImage again = {0};
        ck_assert(som_image_print_png(&image, &bytes, diags));
        ck_assert(som_image_parse_png(som_text_str(&bytes), "x", &again, diags));
        ck_assert_int_eq(som_image_difference(&image, &again, 0), 0);
        som_text_free(&bytes);
        som_image_free(&image);
        som_image_free(&again);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

START_TEST(files_are_saved_and_loaded) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomTestRandom random = {2};
    char folder[] = "/tmp/somite-image-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.png", folder);
    SomImage image = random_image(&random, 30, 20, true), again = {0};
    ck_assert(som_image_save(&image, path, diags));
    ck_assert(som_image_load(path, &again, diags));
    ck_assert_int_eq(som_image_difference(&image, &again, 0), 0);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert(!som_image_save(&image, "/nowhere/at/all.png", diags));
    ck_assert(!som_image_load("/nowhere/at/all.png", &again, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 2);
    unlink(path);
    rmdir(folder);
    som_image_free(&image);
    som_image_free(&again);
    som_diagnostics_destroy(diags);
}
END_TEST

// Cut anywhere, or with any byte changed, it is an image or one error, and the old image stays.
START_TEST(damaged_files_are_refused) {
    SomTestRandom random = {3};
    SomImage image = random_image(&random, 12, 9, true);
    SomText bytes = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_image_print_png(&image, &bytes, diags));
    som_diagnostics_destroy(diags);
    int wrong = 0;
    for (size_t i = 0; i < bytes.length; i++) {
        diags = som_diagnostics_create();
        SomImage read = {0};
        bool is_read = som_image_parse_png((SomStr){bytes.data, i}, "x", &read, diags);
        // libpng does not miss the last chunk, which says nothing
        bool is_fine = is_read ? som_image_difference(&read, &image, 0) == 0
                               : read.pixels == NULL && som_diagnostics_error_count(diags) == 1 &&
                                     som_diagnostics_has(diags, SOM_IMAGE_NOT_READ);
        wrong += is_fine ? 0 : 1;
        som_image_free(&read);
        som_diagnostics_destroy(diags);
    }
    ck_assert_int_eq(wrong, 0);
    som_text_free(&bytes);
    som_image_free(&image);
}
END_TEST

// The size is in the header; nothing is allocated for it.
START_TEST(enormous_images_are_refused) {
    static const unsigned char header[] = {
        0x89, 'P',  'N',  'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0,
        0,    0xFF, 0xFF, 0,   0,    0xFF, 0xFF, 8,    2, 0, 0, 0,  0x66, 0x33, 0x4E, 0x79};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage image = {0};
    ck_assert(
        !som_image_parse_png((SomStr){(const char *)header, sizeof header}, "x", &image, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(sizes_have_limits) {
    static const int64_t wrong[][2] = {
        {0, 10},       {10, 0},      {-1, 10},     {8193, 10},
        {10, 8193},    {8192, 4321}, {8192, 8192}, {INT64_MAX, INT64_MAX},
        {INT64_MIN, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        ck_assert(!som_image_check_size(wrong[i][0], wrong[i][1], diags));
        ck_assert(som_diagnostics_has(diags, SOM_PICTURE_SIZE));
        som_diagnostics_destroy(diags);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_image_check_size(1, 1, diags));
    ck_assert(som_image_check_size(8192, 4320, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(differences_are_counted_by_pixel) {
    SomImage a = som_image_create(4, 3), b = som_image_create(4, 3), c = som_image_create(3, 4);
    b.pixels[0] = 5;
    b.pixels[2] = 9;
    b.pixels[47] = 6;
    ck_assert_int_eq(som_image_difference(&a, &b, 0), 2);
    ck_assert_int_eq(som_image_difference(&a, &b, 6), 1);
    ck_assert_int_eq(som_image_difference(&b, &a, 9), 0);
    ck_assert_int_eq(som_image_difference(&a, &c, 9), -1);
    som_image_free(&a);
    som_image_free(&b);
    som_image_free(&c);
}
END_TEST

SOM_SUITE("render/image", png_keeps_every_bit, files_are_saved_and_loaded,
          damaged_files_are_refused, enormous_images_are_refused, sizes_have_limits,
          differences_are_counted_by_pixel)
