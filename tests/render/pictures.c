// SPDX-License-Identifier: Apache-2.0
#include "tests/render/pictures.h"

#include "render/offscreen.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

// How many pixels in a thousand may differ by more than the tolerance.
#define PER_THOUSAND 4

SomImage som_test_draw(const SomScene *scene, const SomCamera *camera, int width, int height) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage image = {0};
    SomOffscreen *offscreen = som_offscreen_create(diags);
    bool is_drawn = offscreen != NULL &&
                    som_offscreen_draw(offscreen, scene, camera, width, height, &image, diags);
    if (!is_drawn) {
        SomText shown = {0};
        som_diagnostics_print(diags, 0, &shown);
        ck_abort_msg("%s", shown.data);
    }
    som_offscreen_destroy(offscreen);
    som_diagnostics_destroy(diags);
    return image;
}

void som_test_compare(SomImage image, const char *name) {
    char path[500], own[500];
    snprintf(path, sizeof path, "%s/tests/render/golden/%s.png", SOM_SOURCE, name);
    snprintf(own, sizeof own, "%s/%s.png", SOM_BUILD, name);
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage golden = {0};
    if (getenv("SOM_UPDATE") != NULL) {
        ck_assert(som_image_save(&image, path, diags));
    }
    ck_assert_msg(som_image_load(path, &golden, diags), "cannot read %s", path);
    int different = som_image_difference(&image, &golden, SOM_TEST_TOLERANCE);
    bool is_same = 0 <= different && 1000 * different <= PER_THOUSAND * image.width * image.height;
    if (!is_same) {
        som_image_save(&image, own, diags);
    }
    ck_assert_msg(is_same, "%d pixels of %s differ from the golden picture", different, own);
    som_image_free(&image);
    som_image_free(&golden);
    som_diagnostics_destroy(diags);
}
