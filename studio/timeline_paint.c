// SPDX-License-Identifier: Apache-2.0
#include "studio/timeline_paint.h"

#include <math.h>

#define SOFT 0.62
#define LINE 0.12

static GdkRGBA look_up(GtkStyleContext *style, const char *name, const char *else_color) {
    GdkRGBA color;
    if (!gtk_style_context_lookup_color(style, name, &color)) {
        gdk_rgba_parse(&color, else_color);
    }
    return color;
}

GdkRGBA som_paint_fade(GdkRGBA color, double opacity) {
    color.alpha *= (float)opacity;
    return color;
}

SomPaint som_paint_begin(GtkWidget *widget, GtkSnapshot *snapshot) {
    GtkStyleContext *style = gtk_widget_get_style_context(widget);
    SomPaint paint = {.widget = widget, .snapshot = snapshot};
    gtk_style_context_get_color(style, &paint.ink);
    bool is_dark = paint.ink.red + paint.ink.green + paint.ink.blue > 1.5F;
    paint.soft = som_paint_fade(paint.ink, SOFT);
    paint.line = som_paint_fade(paint.ink, LINE);
    paint.accent = look_up(style, "accent_color", "#3584e4");
    paint.error = look_up(style, "error_color", "#e01b24");
    paint.warning = look_up(style, is_dark ? "warning_color" : "warning_bg_color", "#e5a50a");
    paint.ground = look_up(style, "view_bg_color", is_dark ? "#1e1e1e" : "#ffffff");
    gdk_rgba_parse(&paint.other, is_dark ? "#ffa348" : "#c64600");
    return paint;
}

GdkRGBA som_paint_severity(const SomPaint *paint, SomSeverity severity) {
    return severity == SOM_ERROR     ? paint->error
           : severity == SOM_WARNING ? paint->warning
                                     : paint->accent;
}

static graphene_rect_t rectangle_of(double x, double y, double width, double height) {
    return GRAPHENE_RECT_INIT((float)x, (float)y, (float)width, (float)height);
}

void som_paint_rectangle(const SomPaint *paint, GdkRGBA color, double x, double y, double width,
                         double height) {
    graphene_rect_t rectangle = rectangle_of(x, y, width, height);
    gtk_snapshot_append_color(paint->snapshot, &color, &rectangle);
}

void som_paint_rounded(const SomPaint *paint, GdkRGBA color, double x, double y, double width,
                       double height, double radius) {
    graphene_rect_t rectangle = rectangle_of(x, y, width, height);
    GskRoundedRect rounded;
    gsk_rounded_rect_init_from_rect(&rounded, &rectangle,
                                    (float)fmin(radius, fmin(width, height) / 2));
    gtk_snapshot_push_rounded_clip(paint->snapshot, &rounded);
    gtk_snapshot_append_color(paint->snapshot, &color, &rectangle);
    gtk_snapshot_pop(paint->snapshot);
}

// ---- words

static PangoLayout *layout_of(const SomPaint *paint, SomStr words, unsigned style) {
    PangoLayout *layout = gtk_widget_create_pango_layout(paint->widget, NULL);
    pango_layout_set_text(layout, words.data, (int)words.length);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
    if ((style & SOM_PAINT_SMALL) != 0) {
        pango_attr_list_insert(attributes, pango_attr_scale_new(PANGO_SCALE_SMALL));
    }
    if ((style & SOM_PAINT_BOLD) != 0) {
        pango_attr_list_insert(attributes, pango_attr_weight_new(PANGO_WEIGHT_BOLD));
    }
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
    return layout;
}

double som_paint_measure(const SomPaint *paint, SomStr words, unsigned style) {
    g_autoptr(PangoLayout) layout = layout_of(paint, words, style);
    int width;
    pango_layout_get_pixel_size(layout, &width, NULL);
    return width;
}

double som_paint_words(const SomPaint *paint, SomStr words, GdkRGBA color, double x, double y,
                       double width, unsigned style) {
    if (width < 1) {
        return 0;
    }
    g_autoptr(PangoLayout) layout = layout_of(paint, words, style);
    int taken, height;
    pango_layout_get_pixel_size(layout, &taken, &height);
    if (taken > width) {
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
        pango_layout_get_pixel_size(layout, &taken, NULL);
    }
    double free_width = width - taken;
    x += (style & SOM_PAINT_RIGHT) != 0    ? free_width
         : (style & SOM_PAINT_CENTER) != 0 ? free_width / 2
                                           : 0;
    gtk_snapshot_save(paint->snapshot);
    gtk_snapshot_translate(paint->snapshot,
                           &GRAPHENE_POINT_INIT((float)round(x), (float)round(y - height / 2.0)));
    gtk_snapshot_append_layout(paint->snapshot, layout, &color);
    gtk_snapshot_restore(paint->snapshot);
    return taken;
}
