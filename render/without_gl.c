// SPDX-License-Identifier: Apache-2.0
// Instead of offscreen.c and image_png.c in a program built without pictures.

#include "base/codes/render_codes.h"
#include "render/image_internal.h"
#include "render/offscreen.h"

#include <assert.h>

static bool fail(SomDiagnostics *diags) {
    som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0},
               "this program was built without pictures");
    som_note(diags, (SomSpan){0},
             "on Debian, install libepoxy-dev, libcglm-dev and libpng-dev and build it again");
    return false;
}

SomOffscreen *som_offscreen_create(SomDiagnostics *diags) {
    fail(diags);
    return NULL;
}

void som_offscreen_destroy(SomOffscreen *offscreen) {
    assert(offscreen == NULL);
    (void)offscreen;
}

void som_offscreen_set_quality(SomOffscreen *offscreen, SomRenderQuality quality) {
    (void)offscreen, (void)quality;
}

bool som_offscreen_draw(SomOffscreen *offscreen, const SomScene *scene, const SomCamera *camera,
                        int width, int height, SomImage *image, SomDiagnostics *diags) {
    (void)offscreen, (void)scene, (void)camera, (void)width, (void)height, (void)image;
    return fail(diags);
}

const char *som_offscreen_driver(const SomOffscreen *offscreen) {
    (void)offscreen;
    return "";
}

bool som_image_print_with_opacity(const SomImage *image, SomText *bytes, SomDiagnostics *diags) {
    (void)image, (void)bytes;
    return fail(diags);
}

bool som_image_print_png(const SomImage *image, SomText *bytes, SomDiagnostics *diags) {
    (void)image, (void)bytes;
    return fail(diags);
}

bool som_image_parse_png(SomStr bytes, const char *name, SomImage *image, SomDiagnostics *diags) {
    (void)bytes, (void)name, (void)image;
    return fail(diags);
}
