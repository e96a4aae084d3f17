// studio/library_worker.h - the thread that reads folders of designs and draws their pictures.
//
//     SomLibraryWorker *worker = som_library_worker_new(library, on_item, panel);
//     som_library_worker_read(worker, library, false);   // on_item is called for each, in the main
//     loop som_library_worker_draw(worker, item);             // sets the item's picture
//     som_library_worker_free(worker);                   // nothing is called afterwards
//
// What was asked first is done first.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/library_item.h"

typedef struct SomLibraryWorker SomLibraryWorker;

// The item is the listener's from then on. NULL: the folder is read to its end.
typedef void (*SomLibraryListener)(SomLibraryItem *item, bool is_beside, void *context);

SomLibraryWorker *som_library_worker_new(SomStr library, SomLibraryListener listener,
                                         void *context);
void som_library_worker_free(SomLibraryWorker *worker);

// A folder, or with is_beside one beside the open file.
void som_library_worker_read(SomLibraryWorker *worker, SomStr folder, bool is_beside);
void som_library_worker_draw(SomLibraryWorker *worker, SomLibraryItem *item);
