// studio/transfer.h - files of other programs in and out, on copies: to be run in a thread.
//
//     SomTransfer *job = som_transfer_export(project, som_export_find(SOM_STR("sdf")),
//                                            SOM_STR("walk"), SOM_STR("walkbot_sdf"));
//     som_transfer_run(job);                         // in any thread; may take seconds
//     if (job->is_done) { … job->files of them were written … }
//     … som_text_str(&job->words): what was reported, for people …
//     som_transfer_destroy(job);
//
// Nothing here knows of GTK. som_transfer_cancel may be called meanwhile from another thread: what
// is not yet written is not written.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/export.h"
#include "render/camera.h"
#include "studio/project.h"

#include <stdatomic.h>

typedef enum SomTransferKind {
    SOM_TRANSFER_IMPORT,
    SOM_TRANSFER_EXPORT,
    SOM_TRANSFER_PICTURE,
} SomTransferKind;

typedef struct SomTransfer {
    SomTransferKind kind;
    SomText library, path, text, choice; // of the project
    double *values;                      // its posture, one a DoF
    int value_count;
    const SomExportFormat *format;
    SomText behavior;
    SomText out;
    SOM_ARRAY(SomStr) paths; // to import
    SomArena arena;
    SomCamera camera;
    int width, height;
    bool is_dark;
    bool may_replace; // files that an export finds
    atomic_bool is_cancelled;

    bool is_done;
    int files;    // that were written; an import writes some where it needs module types of its own
    SomText made; // the text that was imported
    SomText config; // its first configuration
    SomText words;  // of all reports; empty if there are none
} SomTransfer;

SomTransfer *som_transfer_import(SomStr library, const char *const *paths); // NULL ends them
SomTransfer *som_transfer_export(const SomProject *project, const SomExportFormat *format,
                                 SomStr behavior, SomStr out);
// As the camera sees it, with its pixels.
SomTransfer *som_transfer_picture(const SomProject *project, const SomCamera *camera, int width,
                                  int height, bool is_dark, SomStr out);
void som_transfer_destroy(SomTransfer *transfer); // NULL is allowed

void som_transfer_run(SomTransfer *transfer);
void som_transfer_cancel(SomTransfer *transfer);
