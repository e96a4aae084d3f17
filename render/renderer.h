// render/renderer.h - draws a scene with GL 3.3, in a window or off screen.
//
//     SomRenderer *renderer = som_renderer_create(diags);     // a GL context is current
//     som_renderer_draw(renderer, &scene, &camera, width, height);
//     som_renderer_destroy(renderer);                         // the same context is current
//
// The caller brings a current context and, for drawing, a bound framebuffer of the given size, with
// or without depth, without multisampling: GtkGLArea's or that of render/offscreen.h. All state
// that drawing relies on is set anew each time, and framebuffer and viewport are given back as they
// were; other state is left changed. Geometries stay on the graphics card between draws, by
// content. The same scene, camera and size give the same pixels on the same driver.
//
// Widths of lines are in pixels of a picture 800 high and grow with taller ones, so that a figure
// for print looks like its draft.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/camera.h"
#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomRenderer SomRenderer;

// How much is spent on a picture. Zero is the best.
typedef struct SomRenderQuality {
    bool no_shadows;
    bool no_edges;
    bool no_multisampling;
} SomRenderQuality;

// While what takes long to draw is turned: edges cost little.
static inline SomRenderQuality som_render_draft(void) {
    SomRenderQuality quality = {.no_shadows = true, .no_edges = false, .no_multisampling = true};
    return quality;
}

// NULL after a report if the current context is not GL 3.3 or a shader does not compile.
SomRenderer *som_renderer_create(SomDiagnostics *diags);
void som_renderer_destroy(SomRenderer *renderer); // NULL is allowed

void som_renderer_set_quality(SomRenderer *renderer, SomRenderQuality quality);

// A width or height that is not positive draws nothing.
void som_renderer_draw(SomRenderer *renderer, const SomScene *scene, const SomCamera *camera,
                       int width, int height);

// Waits until all is drawn, for those who take the time.
void som_renderer_finish(SomRenderer *renderer);

// What was drawn last, for benchmarks and tests.
typedef struct SomRenderCounts {
    int items, triangles, draw_calls, cached_geometries;
} SomRenderCounts;

SomRenderCounts som_renderer_counts(const SomRenderer *renderer);

#ifdef __cplusplus
}
#endif
