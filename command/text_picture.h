// command/text_picture.h - a solid drawn with characters, for terminals.
//
//     som_text_picture_shape(&shape, 60, &out);
//     som_text_picture_mesh(&mesh, 60, &out);
//
// Seen from the front, right and above, without perspective, lit from the upper left; `width` is in
// characters, which are taken to be twice as high as wide.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "space/mesh.h"
#include "space/shape.h"

void som_text_picture_shape(const SomShape *shape, int width, SomText *out);
void som_text_picture_mesh(const SomMesh *mesh, int width, SomText *out);
