// base/diagnostic_code.h - the stable codes of all diagnostics, from base/diagnostic_codes.inc.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomSeverity { SOM_NOTE, SOM_WARNING, SOM_ERROR } SomSeverity;

typedef enum SomCode {
    SOM_NO_CODE = 0,
#define SOM_CODE(number, severity, name, help) SOM_##name = number,
#include "base/diagnostic_codes.inc"
#undef SOM_CODE
} SomCode;

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
