// studio/thumbnail.h - small pictures of parts, drawn without a window and kept on the disk.
//
//     SomThumbnails *thumbnails = som_thumbnails_create(library, cache_folder);
//     SomImage image = {0};
//     SomStr file = SOM_STR("chain3.som");
//     if (som_thumbnails_draw(thumbnails, file, SOM_STR("Chain3"), &image)) { … }
//     som_thumbnails_destroy(thumbnails);
//
// A picture is kept under a name made of all texts it depends on, so that it is drawn again when
// one of them changes and read in a millisecond else. One thread at a time uses it; the studio has
// one for it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"
#include "render/image.h"

// Pixels: twice what rows show, for screens with small ones.
#define SOM_THUMBNAIL_WIDTH 144
#define SOM_THUMBNAIL_HEIGHT 108

typedef struct SomThumbnails SomThumbnails;

// `folder` is made if it is not there; empty: nothing is kept.
SomThumbnails *som_thumbnails_create(SomStr library, SomStr folder);
void som_thumbnails_destroy(SomThumbnails *thumbnails); // NULL is allowed

// What a file defines, as it stands by itself. False if it does not compose or nothing can be
// drawn.
bool som_thumbnails_draw(SomThumbnails *thumbnails, SomStr file, SomStr choice, SomImage *image);

int som_thumbnails_drawn(const SomThumbnails *thumbnails); // and not read
