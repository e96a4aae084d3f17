// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/ui.h"
#include "tests/suite.h"

#define CELL 8 // pixels of a side of what loose pictures are compared in
#define STRICT_TOLERANCE 8
#define STRICT_SHARE 0.001 // of the pixels
#define LOOSE_TOLERANCE 12
#define LOOSE_SHARE 0.01 // of the cells

// ---- from a widget

// Off screen, by GTK's own software renderer: the same on every display.
static GdkTexture *draw(GtkWidget *widget) {
    g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(widget);
    int width = gdk_paintable_get_intrinsic_width(paintable);
    int height = gdk_paintable_get_intrinsic_height(paintable);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, width, height);
    g_autoptr(GskRenderNode) node = gtk_snapshot_free_to_node(snapshot);
    ck_assert_msg(node != NULL, "the %s draws nothing", G_OBJECT_TYPE_NAME(widget));
    g_autoptr(GskRenderer) renderer = gsk_cairo_renderer_new();
    ck_assert(gsk_renderer_realize(renderer, NULL, NULL));
    GdkTexture *texture = gsk_renderer_render_texture(
        renderer, node, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
    gsk_renderer_unrealize(renderer);
    return texture;
}

// Over white, where it is transparent.
SomImage som_ui_grab(void *widget) {
    g_autoptr(GdkTexture) texture = draw(widget);
    int width = gdk_texture_get_width(texture), height = gdk_texture_get_height(texture);
    SomImage image = som_image_create(width, height);
    g_autofree uint32_t *pixels = g_new(uint32_t, (size_t)width * (size_t)height);
    gdk_texture_download(texture, (guchar *)pixels, 4 * (size_t)width);
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        uint32_t under = 255 - (pixels[i] >> 24); // colours are multiplied by their opacity
        for (int k = 0; k < 3; k++) {
            image.pixels[4 * i + (size_t)k] =
                (uint8_t)MIN(255, ((pixels[i] >> (16 - 8 * k)) & 255) + under);
        }
        image.pixels[4 * i + 3] = 255;
    }
    return image;
}

// ---- comparing

// Means over cells, with what is left over at the edges.
static SomImage shrink(const SomImage *image) {
    int columns = (image->width + CELL - 1) / CELL, rows = (image->height + CELL - 1) / CELL;
    SomImage small = som_image_create(columns, rows);
    for (int at = 0; at < 4 * columns * rows; at++) {
        int left = at / 4 % columns * CELL, top = at / 4 / columns * CELL, sum = 0, count = 0;
        for (int y = top; y < MIN(top + CELL, image->height); y++) {
            for (int x = left; x < MIN(left + CELL, image->width); x++) {
                sum += image->pixels[4 * (y * image->width + x) + at % 4];
                count++;
            }
        }
        small.pixels[at] = (uint8_t)((sum + count / 2) / count);
    }
    return small;
}

bool som_ui_is_alike(const SomImage *image, const SomImage *golden, SomUiMeasure measure) {
    if (measure == SOM_UI_STRICT) {
        int different = som_image_difference(image, golden, STRICT_TOLERANCE);
        return 0 <= different && different <= STRICT_SHARE * image->width * image->height;
    }
    SomImage small = shrink(image), small_golden = shrink(golden);
    bool is_size = image->width == golden->width && image->height == golden->height;
    int different = som_image_difference(&small, &small_golden, LOOSE_TOLERANCE);
    bool is_same = is_size && different <= LOOSE_SHARE * small.width * small.height;
    som_image_free(&small);
    som_image_free(&small_golden);
    return is_same;
}

static void save(const SomImage *image, const char *path) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert_msg(som_image_save(image, path, diags), "%s cannot be written", path);
    som_diagnostics_destroy(diags);
}

void som_ui_save_picture(void *widget, const char *path) {
    SomImage image = som_ui_grab(widget);
    save(&image, path);
    som_image_free(&image);
}

void som_ui_compare(void *widget, const char *name, SomUiMeasure measure) {
    bool is_golden = strchr(name, '/') == NULL;
    g_autofree char *base = g_path_get_basename(name);
    g_autofree char *path =
        g_strdup_printf("%s/%s%s.png", SOM_SOURCE, is_golden ? "tests/studio/golden/" : "", name);
    g_autofree char *own = g_strdup_printf("%s/%s.png", SOM_BUILD, base);
    g_autofree char *expected = g_strdup_printf("%s/%s.golden.png", SOM_BUILD, base);
    SomImage image = som_ui_grab(widget), golden = {0};
    if (g_getenv("SOM_UPDATE") != NULL) {
        save(&image, path);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    bool is_there = som_image_load(path, &golden, diags);
    som_diagnostics_destroy(diags);
    if (!is_there || !som_ui_is_alike(&image, &golden, measure)) {
        save(&image, own);
        if (is_there) {
            save(&golden, expected);
        }
        ck_abort_msg("the picture %s is not that of %s", own, is_there ? expected : path);
    }
    som_image_free(&image);
    som_image_free(&golden);
}
