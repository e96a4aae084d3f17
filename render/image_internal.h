// render/image_internal.h - PNG as animations need it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/image.h"

// som_image_print_png, but always with opacity: all images of an animation are of one kind.
bool som_image_print_with_opacity(const SomImage *image, SomText *bytes, SomDiagnostics *diags);
