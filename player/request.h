// player/request.h - what someone outside asks of a robot that plays, in a line of text.
//
//     SomRequest request;
//     if (som_request_read(text, length, &request)) ... request.kind, request.name ...
//
// The words are pause, resume, cancel, start (the same behavior from its beginning) and start NAME
// (another one of those that the host has). Blanks round them do not matter; anything else is no
// request.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomRequestKind {
    SOM_REQUEST_PAUSE,
    SOM_REQUEST_RESUME,
    SOM_REQUEST_CANCEL,
    SOM_REQUEST_START,
    SOM_REQUEST_KINDS,
} SomRequestKind;

typedef struct SomRequest {
    SomRequestKind kind;
    const char *name; // of a start, in the text; of length 0: the same behavior
    size_t name_length;
} SomRequest;

bool som_request_read(const char *text, size_t length, SomRequest *request);

#ifdef __cplusplus
}
#endif
