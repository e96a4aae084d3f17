// tests/render/pictures.h - draws scenes off screen and compares them with golden pictures.
//
// With SOM_UPDATE set the golden ones are written anew: look at them. Tolerances are for other
// versions of Mesa; on one machine all pixels agree.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/camera.h"
#include "render/image.h"
#include "render/scene.h"

#define SOM_TEST_TOLERANCE 8 // of 255

// Fails the test where nothing can be drawn.
SomImage som_test_draw(const SomScene *scene, const SomCamera *camera, int width, int height);

// With tests/render/golden/NAME.png. Frees the image.
void som_test_compare(SomImage image, const char *name);
