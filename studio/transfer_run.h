// studio/transfer_run.h - runs a transfer in a thread, with a dialog that can cancel it where it
// takes long, and tells what came of it.
//
//     som_transfer_start(window, som_transfer_export(...), on_done);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/transfer.h"
#include "studio/window.h"

// Takes the transfer. `then` is called in the main loop if it is done, after warnings were shown;
// what went wrong is shown in a dialog.
void som_transfer_start(SomWindow *window, SomTransfer *transfer,
                        void (*then)(SomWindow *window, const SomTransfer *transfer));
