// base/json_reader.h - reads one JSON document (RFC 8259, strictly) into a tree.
//
//     const SomJson *root = som_json_parse(&arena, text, source1, diags);
//     double mass = som_json_number_or(som_json_get(root, SOM_STR("mass")), 0);
//     double pose[7];
//     bool ok = som_json_require_numbers(root, SOM_STR("pose"), pose, 7, diags);
//
// Ownership: the tree lives in the arena; strings without escapes are pieces of the text, so the
// text must live as long. Errors: everything wrong is reported with its place. Reading goes on
// after a fault whose extent is clear (an escape, a number, a comma too many, a second key of the
// same name) and stops at the first other one; a text with any fault gives NULL. Nesting and size
// have limits, so that no text can take the stack or the machine's memory.
//
// All functions but som_json_parse accept NULL for a value, as one of no kind, so that lookups can
// be chained without checks.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_JSON_MAX_DEPTH 200      // levels of arrays and objects
#define SOM_JSON_MAX_VALUES 2000000 // values of all kinds; 80 MB of them

typedef enum SomJsonKind {
    SOM_JSON_NULL,
    SOM_JSON_BOOLEAN,
    SOM_JSON_NUMBER,
    SOM_JSON_STRING,
    SOM_JSON_ARRAY,
    SOM_JSON_OBJECT,
} SomJsonKind;

typedef struct SomJson SomJson;
typedef struct SomJsonMember SomJsonMember;

struct SomJson {
    SomJsonKind kind;
    int count;    // of an array or object
    SomSpan span; // the whole value, with quotes or brackets
    union {       // by kind
        bool boolean;
        double number;                // finite
        SomStr string;                // escapes resolved; UTF-8
        const SomJson *items;         // of an array
        const SomJsonMember *members; // of an object, in the order of the text
    };
};

struct SomJsonMember {
    SomStr key;
    SomSpan key_span; // with quotes
    SomJson value;
};

// The document, or NULL if an error was reported. `source1` is of the text, see
// som_diagnostics_add_source.
const SomJson *som_json_parse(SomArena *arena, SomStr text, uint32_t source1,
                              SomDiagnostics *diags);

// The member of an object, the item of an array; NULL if there is none or it is not such a value.
const SomJson *som_json_get(const SomJson *object, SomStr key);
const SomJson *som_json_at(const SomJson *array, int index);

// What the value holds, or `otherwise` if it is of another kind. An integer is a number without
// fraction that fits.
double som_json_number_or(const SomJson *value, double otherwise);
int som_json_integer_or(const SomJson *value, int otherwise);
bool som_json_boolean_or(const SomJson *value, bool otherwise);
SomStr som_json_string_or(const SomJson *value, SomStr otherwise);

// Fills `numbers` with the numbers of an array, those of arrays inside it in their order; true if
// there are exactly `count` and nothing else. A matrix by rows is read so in one call.
bool som_json_numbers_of(const SomJson *array, double *numbers, int count);

// The same with a report where the member is missing or of another kind; NULL or false then. A
// NULL object reports nothing, since whatever made it NULL did.
const SomJson *som_json_require(const SomJson *object, SomStr key, SomJsonKind kind,
                                SomDiagnostics *diags);
bool som_json_require_numbers(const SomJson *object, SomStr key, double *numbers, int count,
                              SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
