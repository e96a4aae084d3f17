// render/offscreen.h - pictures without a display: a GL context of our own, through EGL.
//
//     SomOffscreen *offscreen = som_offscreen_create(diags);
//     if (offscreen != NULL && som_offscreen_draw(offscreen, &scene, &camera, 640, 480, &image,
//                                                 diags)) { ... }
//     som_offscreen_destroy(offscreen);
//
// Needs neither X, Wayland nor a graphics card: Mesa draws in software where there is none. The
// calls make their context current and give back the one of EGL that was current before. One is
// used by one thread at a time, which may be any: a thread of its own draws beside windows of GTK,
// whatever these draw with. Where a context of GLX is current it cannot draw, and says so. Errors:
// where no GL 3.3 is to be had the report says why and which packages help; in a program built
// without pictures it says that.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/image.h"
#include "render/renderer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomOffscreen SomOffscreen;

SomOffscreen *som_offscreen_create(SomDiagnostics *diags);
void som_offscreen_destroy(SomOffscreen *offscreen); // NULL is allowed

void som_offscreen_set_quality(SomOffscreen *offscreen, SomRenderQuality quality);

// Replaces the image. False after a report, with the image untouched.
bool som_offscreen_draw(SomOffscreen *offscreen, const SomScene *scene, const SomCamera *camera,
                        int width, int height, SomImage *image, SomDiagnostics *diags);

// Who draws, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
const char *som_offscreen_driver(const SomOffscreen *offscreen);

#ifdef __cplusplus
}
#endif
