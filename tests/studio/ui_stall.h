// tests/studio/ui_stall.h - how long the main loop keeps a user waiting, at most.
//
//     SomStall *stall = som_stall_watch(window);
//     ... what must not stop the window ...
//     ck_assert_double_le(som_stall_end(stall), SOM_STALL_MOST);
//
// Between two looks for events of the main loop, the time its thread works or waits for something.
// Not counted is what another program takes away: the time it could run but has no processor, and
// the time it waits for the driver to draw a frame, whose threads share the processors with all
// else. The work of painting counts. One watch at a time.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

#include <stdbool.h>

// Seconds. People take a tenth for at once; code with sanitizers is several times slower. _FLUID is
// for what a person does and sees the effect of.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SOM_STALL_MOST 0.5
#define SOM_STALL_FLUID 1.0
#endif
#endif
#ifndef SOM_STALL_MOST
#define SOM_STALL_MOST 0.1
#define SOM_STALL_FLUID 0.1
#endif

typedef struct SomStall SomStall;

SomStall *som_stall_watch(SomWindow *window);
// The longest so far, seconds; to be asked for before the window is closed.
double som_stall_end(SomStall *stall);
// Of work alone, without what the thread waits for, as a disk that others use: asked before the
// end.
double som_stall_work(const SomStall *stall);
