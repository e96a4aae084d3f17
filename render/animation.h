// render/animation.h - images one after another, in one PNG file that moves (APNG).
//
//     SomAnimation *animation = som_animation_create(100); // milliseconds an image
//     for (...) { som_animation_add(animation, &image, diags); }
//     SomText bytes = {0};
//     som_animation_print(animation, &bytes);
//     som_animation_destroy(animation);
//
// Browsers play it, again and again; programs that know only PNG show its first image. Of every
// image only what differs from what is shown is kept, so a camera that rests makes small files;
// what differs by no more than SOM_ANIMATION_TOLERANCE stays as it is shown. Opacity is not kept.
// The same images give the same bytes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/image.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_ANIMATION_MOST_TIME 65535 // milliseconds an image; the format has 16 bits

#define SOM_ANIMATION_TOLERANCE 2 // of 255, in each channel; not to be seen

typedef struct SomAnimation SomAnimation;

SomAnimation *som_animation_create(int milliseconds); // from 1 to the most
void som_animation_destroy(SomAnimation *animation);  // NULL is allowed

// All images have the size of the first. False after a report.
bool som_animation_add(SomAnimation *animation, const SomImage *image, SomDiagnostics *diags);

// Adds the file to `bytes`; nothing if there is no image.
void som_animation_print(const SomAnimation *animation, SomText *bytes);

#ifdef __cplusplus
}
#endif
