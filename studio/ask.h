// studio/ask.h - a question over a window, with two to four answers.
//
//     som_ask(window, "Save changes?", "…", (const SomReply[]){
//         {"_Cancel", NULL, SOM_REPLY_PLAIN}, {"_Discard", discard, SOM_REPLY_DESTROYS},
//         {"_Save", save, SOM_REPLY_SUGGESTED}}, 3);
//
// The first answer is also that of Escape; the last one, if it is suggested, that of Enter. The
// window lives on while it is asked.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

typedef enum SomReplyLook { SOM_REPLY_PLAIN, SOM_REPLY_SUGGESTED, SOM_REPLY_DESTROYS } SomReplyLook;

typedef struct SomReply {
    const char *words;
    void (*run)(SomWindow *window); // NULL: nothing is done
    SomReplyLook look;
} SomReply;

void som_ask(SomWindow *window, const char *heading, const char *body, const SomReply *answers,
             int count);
