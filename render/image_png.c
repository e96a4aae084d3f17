// SPDX-License-Identifier: Apache-2.0
// PNG through libpng's simplified interface, which reports errors instead of jumping.

#include "base/codes/render_codes.h"
#include "base/memory.h"
#include "render/image_internal.h"

#include <png.h>

static bool is_opaque(const SomImage *image) {
    for (size_t i = 3; i < 4 * (size_t)image->width * (size_t)image->height; i += 4) {
        if (image->pixels[i] != 255) {
            return false;
        }
    }
    return true;
}

// Three bytes a pixel; the caller frees them.
static uint8_t *without_opacity(const SomImage *image) {
    size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *colors = som_alloc(3 * count);
    for (size_t i = 0; i < count; i++) {
        memcpy(colors + 3 * i, image->pixels + 4 * i, 3);
    }
    return colors;
}

static bool fail(SomDiagnostics *diags, const char *name, const png_image *png) {
    som_report(diags, SOM_IMAGE_NOT_READ, (SomSpan){0}, "'%s' is not a PNG image: %s", name,
               png->message);
    return false;
}

static bool print(const SomImage *image, png_uint_32 format, const uint8_t *pixels, SomText *bytes,
                  SomDiagnostics *diags) {
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = format};
    // the size cannot be known before; libpng's own bound saves compressing twice
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
    char *memory = som_alloc(size);
    bool is_done = png_image_write_to_memory(&png, memory, &size, 0, pixels, 0, NULL) != 0;
    if (is_done) {
        som_text_add(bytes, (SomStr){memory, size});
    } else {
        som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0}, "cannot write PNG: %s", png.message);
    }
    som_free(memory);
    return is_done;
}

bool som_image_print_with_opacity(const SomImage *image, SomText *bytes, SomDiagnostics *diags) {
    return print(image, PNG_FORMAT_RGBA, image->pixels, bytes, diags);
}

bool som_image_print_png(const SomImage *image, SomText *bytes, SomDiagnostics *diags) {
    if (!is_opaque(image)) {
        return som_image_print_with_opacity(image, bytes, diags);
    }
    uint8_t *colors = without_opacity(image);
    bool is_done = print(image, PNG_FORMAT_RGB, colors, bytes, diags);
    som_free(colors);
    return is_done;
}

bool som_image_parse_png(SomStr bytes, const char *name, SomImage *image, SomDiagnostics *diags) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (png_image_begin_read_from_memory(&png, bytes.data, bytes.length) == 0) {
        return fail(diags, name, &png);
    }
    if (!som_image_check_size(png.width, png.height, diags)) {
        png_image_free(&png);
        return false;
    }
    png.format = PNG_FORMAT_RGBA;
    SomImage read = som_image_create((int)png.width, (int)png.height);
    if (png_image_finish_read(&png, NULL, read.pixels, 0, NULL) == 0) {
        som_image_free(&read);
        return fail(diags, name, &png);
    }
    som_image_free(image);
    *image = read;
    return true;
}
