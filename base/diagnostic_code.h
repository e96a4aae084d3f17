// base/diagnostic_code.h - the stable codes of all diagnostics and what each means.
//
// The codes of a room are constants in a header of their own, base/codes/ROOM_codes.h, so that a
// change of base/codes/ROOM.inc rebuilds only the files that report or look for codes of that room.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomSeverity { SOM_NOTE, SOM_WARNING, SOM_ERROR } SomSeverity;

typedef int SomCode; // SOM_NO_CODE or a constant of a header in base/codes/

enum { SOM_NO_CODE = 0 };

typedef struct SomCodeInfo {
    SomCode code;
    SomSeverity severity;
    const char *help; // what it means and what to do
} SomCodeInfo;

// All codes in rising order.
const SomCodeInfo *som_codes(int *count);

// The code written as "SOM2104", "som2104" or "2104"; NULL if there is none.
const SomCodeInfo *som_code_find(SomStr text);

SomSeverity som_code_severity(SomCode code);
const char *som_code_help(SomCode code);
const char *som_severity_word(SomSeverity severity); // "note", "warning", "error"

#ifdef __cplusplus
}
#endif
