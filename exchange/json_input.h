// exchange/json_input.h - what readers of JSON files share.
//
//     SomJsonKeys keys;
//     som_json_sniff(text, &keys);
//     bool is_world = som_json_has_key(&keys, 1, "moduleJoints"); // of the document's object
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

#define SOM_JSON_SNIFF_DEPTH 3
#define SOM_JSON_SNIFF_KEYS 64 // of a depth; more than any of the formats has

// The different keys that objects of each depth have (1: the whole document), pieces of the text.
// Brackets and quotes are looked at only, so that a text with faults gets the reader that reports
// them.
typedef struct SomJsonKeys {
    SomStr names[SOM_JSON_SNIFF_DEPTH][SOM_JSON_SNIFF_KEYS];
    int counts[SOM_JSON_SNIFF_DEPTH];
} SomJsonKeys;

void som_json_sniff(SomStr text, SomJsonKeys *keys);
bool som_json_has_key(const SomJsonKeys *keys, int depth, const char *key);

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

// Is a member of this kind, or null, or missing? False after a report.
bool som_json_check_kind(const SomJson *object, const char *key, SomJsonKind kind,
                         SomDiagnostics *diags);

// A rigid motion as a matrix of four rows, with lengths of at most `limit`. False after a report.
bool som_json_take_pose(const SomJson *matrix, double limit, SomPose *pose, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
