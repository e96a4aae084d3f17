// render/image.h - pixels in memory, and PNG files of them.
//
//     SomImage image = {0};
//     if (som_offscreen_draw(offscreen, &scene, &camera, 640, 480, &image, diags)) {
//         som_image_save(&image, "walker.png", diags);
//     }
//     som_image_free(&image);
//
// Four bytes a pixel (red, green, blue, opacity; sRGB, not premultiplied), rows from the top.
// Errors: sizes out of range, files that are no PNG, damaged or too large are diagnostics.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

// No side has more pixels, and no image more than an 8K one (about 128 MiB).
#define SOM_IMAGE_MAX_SIDE 8192
#define SOM_IMAGE_MAX_PIXELS (8192 * 4320)

// Zero is empty.
typedef struct SomImage {
    int width, height;
    uint8_t *pixels;
} SomImage;

// Whether an image may have this size; if not, reports it.
bool som_image_check_size(int64_t width, int64_t height, SomDiagnostics *diags);

// Transparent black; of a size that was checked.
SomImage som_image_create(int width, int height);
void som_image_free(SomImage *image); // leaves it empty

bool som_image_save(const SomImage *image, const char *path, SomDiagnostics *diags); // as PNG
bool som_image_load(const char *path, SomImage *image, SomDiagnostics *diags);

// The same for the bytes of a file; `name` is for messages. An image without transparent pixels is
// written without opacity.
bool som_image_print_png(const SomImage *image, SomText *bytes, SomDiagnostics *diags);
bool som_image_parse_png(SomStr bytes, const char *name, SomImage *image, SomDiagnostics *diags);

// How many pixels differ by more than `tolerance` (of 255) in any channel; -1 if the sizes differ.
int som_image_difference(const SomImage *a, const SomImage *b, int tolerance);

#ifdef __cplusplus
}
#endif
