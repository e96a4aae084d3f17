// exchange/json_input.h - what readers of JSON files share.
//
//     bool is_world = som_json_sniff(text, 1, "moduleJoints");  // a key of the document's object
//
//     static const char *const known[] = {"id", "type", NULL};
//     SomJsonIgnored ignored = {0};
//     som_json_ignore_others(&ignored, object, known);          // for each object
//     som_json_report_ignored(&ignored, diags);                 // one warning a key
//
// Nothing is left out in silence, and a key that a thousand objects have is one warning.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_reader.h"
#include "base/memory.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// Does the text begin like an object or an array?
bool som_json_begins(SomStr text);

// Has an object at this depth (1: the whole document) such a key? Looks at brackets and quotes
// only, so that a text with faults gets the reader that reports them.
bool som_json_sniff(SomStr text, int depth, const char *key);

typedef struct SomJsonIgnoredKey {
    SomStr key;
    SomSpan span; // of the first
    int count;
} SomJsonIgnoredKey;

typedef struct SomJsonIgnored {
    SOM_ARRAY(SomJsonIgnoredKey) keys;
    int rest; // of further keys
} SomJsonIgnored;

// Notes the keys of an object that are none of `known`, which ends with NULL. Any value may be
// given; what is no object has no keys.
void som_json_ignore_others(SomJsonIgnored *ignored, const SomJson *object,
                            const char *const *known);
void som_json_report_ignored(SomJsonIgnored *ignored, SomDiagnostics *diags); // and empties it

// A member that is a number of at most `limit`. False after a report.
bool som_json_need_number(const SomJson *object, const char *key, double limit, double *number,
                          SomDiagnostics *diags);
// The same where it may be missing; *number stays then.
bool som_json_take_number(const SomJson *object, const char *key, double limit, double *number,
                          SomDiagnostics *diags);

// A rigid motion as a matrix of four rows, with lengths of at most `limit`. False after a report.
bool som_json_take_pose(const SomJson *matrix, double limit, SomPose *pose, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
