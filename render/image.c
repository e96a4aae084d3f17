// SPDX-License-Identifier: Apache-2.0
#include "render/image.h"

#include "base/codes/render_codes.h"
#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>

bool som_image_check_size(int64_t width, int64_t height, SomDiagnostics *diags) {
    if (width >= 1 && height >= 1 && width <= SOM_IMAGE_MAX_SIDE && height <= SOM_IMAGE_MAX_SIDE &&
        width * height <= SOM_IMAGE_MAX_PIXELS) {
        return true;
    }
    som_report(diags, SOM_PICTURE_SIZE, (SomSpan){0},
               "a picture of %" PRId64 " x %" PRId64 " pixels cannot be drawn", width, height);
    return false;
}

SomImage som_image_create(int width, int height) {
    assert(width > 0 && height > 0 && width <= SOM_IMAGE_MAX_SIDE && height <= SOM_IMAGE_MAX_SIDE);
    SomImage image = {width, height, som_alloc(4 * (size_t)width * (size_t)height)};
    return image;
}

void som_image_free(SomImage *image) {
    som_free(image->pixels);
    *image = (SomImage){0};
}

bool som_image_save(const SomImage *image, const char *path, SomDiagnostics *diags) {
    SomText bytes = {0};
    bool is_saved = som_image_print_png(image, &bytes, diags) &&
                    som_file_save(path, som_text_str(&bytes), diags);
    som_text_free(&bytes);
    return is_saved;
}

bool som_image_load(const char *path, SomImage *image, SomDiagnostics *diags) {
    SomText bytes = {0};
    bool is_loaded = som_file_load(path, SOM_FILE_LIMIT, &bytes, diags) &&
                     som_image_parse_png(som_text_str(&bytes), path, image, diags);
    som_text_free(&bytes);
    return is_loaded;
}

int som_image_difference(const SomImage *a, const SomImage *b, int tolerance) {
    if (a->width != b->width || a->height != b->height) {
        return -1;
    }
    int different = 0;
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++) {
        bool is_same = true;
        for (size_t k = 4 * i; k < 4 * i + 4; k++) {
            int gap = a->pixels[k] - b->pixels[k];
            is_same = is_same && gap <= tolerance && -gap <= tolerance;
        }
        different += is_same ? 0 : 1;
    }
    return different;
}
