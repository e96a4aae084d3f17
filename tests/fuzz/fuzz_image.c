// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes are a PNG image or one error.
//
// An image that is read has a size within the limits and comes with no errors; printed and read
// again it is the same. Bytes that are refused give exactly one error and no image.

#include "render/image.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static void check_image(const SomImage *image, SomDiagnostics *diags) {
    require(image->width >= 1 && image->width <= SOM_IMAGE_MAX_SIDE);
    require(image->height >= 1 && image->height <= SOM_IMAGE_MAX_SIDE);
    if (image->width * image->height > 100000) {
        return; // a few bytes can ask for much; printing it is no news
    }
    SomText bytes = {0};
    SomImage again = {0};
    require(som_image_print_png(image, &bytes, diags));
    require(som_image_parse_png(som_text_str(&bytes), "again", &again, diags));
    require(som_image_difference(image, &again, 0) == 0);
    som_text_free(&bytes);
    som_image_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage image = {0};
    bool is_read = som_image_parse_png((SomStr){(const char *)data, size}, "a.png", &image, diags);
    require(som_diagnostics_error_count(diags) == (is_read ? 0 : 1));
    require(is_read == (image.pixels != NULL));
    if (is_read) {
        check_image(&image, diags);
    }
    som_image_free(&image);
    som_diagnostics_destroy(diags);
    return 0;
}
