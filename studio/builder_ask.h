// studio/builder_ask.h - asks for a name over a window.
//
//     som_ask_name(window, &(SomNameQuestion){.heading = "New behavior", .verb = "_Add",
//                                             .name = "walk", .run = add});

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

typedef struct SomNameQuestion {
    const char *heading, *body; // body may be NULL
    const char *verb;           // on the button
    const char *name;           // to begin with
    void (*run)(SomWindow *window, const char *name);
} SomNameQuestion;

void som_ask_name(SomWindow *window, const SomNameQuestion *question);
