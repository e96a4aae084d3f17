// behaviors/input_settings.h - sources of inputs that replace those of a design: what a user gives
// for one run.
//
//     SomInputSettings settings = {0};
//     som_input_settings_add(&settings, SOM_STR("--input"), SOM_STR("light=0.4"), diags);
//     SomCompileDef def = {..., .inputs = &settings};
//     ...
//     som_input_settings_free(&settings);       // after the diagnostics were printed
//
// The value is a source as in a design, or the name of a CSV file.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"
#include "language/som_syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomInputSetting {
    SomStr name;     // path of the input in the whole
    SomText *text;   // of the source, or of the table
    SomSyntax *tree; // of the source; NULL: a table
    uint32_t source1;
    bool is_used; // a behavior reads it
} SomInputSetting;

// Zero is empty.
typedef struct SomInputSettings {
    SOM_ARRAY(SomInputSetting) all;
} SomInputSettings;

// Adds NAME=VALUE, which replaces an earlier one of this name; the text must outlive the settings.
// `title` names the text in diagnostics. False after a report.
bool som_input_settings_add(SomInputSettings *settings, SomStr title, SomStr text,
                            SomDiagnostics *diags);
void som_input_settings_free(SomInputSettings *settings);

// NULL if there is none of this name; else it is used from now on. `settings` may be NULL.
const SomInputSetting *som_input_settings_find(SomInputSettings *settings, SomStr name);

#ifdef __cplusplus
}
#endif
