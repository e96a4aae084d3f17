// base/json_writer.h - writes one JSON document into a text, values in the order of the calls.
//
//     SomJsonWriter json = {.out = &text};
//     som_json_open_object(&json);
//     som_json_member_number(&json, "duration", 1.5);
//     som_json_key(&json, SOM_STR("gaits")); // before an array or an object
//     som_json_open_array(&json);
//     ...
//     som_json_close_array(&json);
//     som_json_close_object(&json);
//     som_json_end(&json); // asserts that everything is closed, adds a newline
//
// Commas, indentation and escapes are the writer's; arrays of numbers stay on one line. A number
// that is not finite is written as null, since JSON has no other word for it; text that is not
// UTF-8 gets U+FFFD for each bad byte.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Deeper documents are a programmer's error.
#define SOM_JSON_WRITER_DEPTH 64

// Set `out`; leave the rest zero.
typedef struct SomJsonWriter {
    SomText *out;
    int depth;
    uint64_t is_array;   // bit d: level d is an array
    uint64_t has_member; // bit d: level d has a member already
    uint64_t has_nested; // bit d: level d holds an object, so it is broken over lines
    bool after_key;
} SomJsonWriter;

void som_json_open_object(SomJsonWriter *json);
void som_json_close_object(SomJsonWriter *json);
void som_json_open_array(SomJsonWriter *json);
void som_json_close_array(SomJsonWriter *json);
void som_json_key(SomJsonWriter *json, SomStr key);

void som_json_string(SomJsonWriter *json, SomStr value);
void som_json_number(SomJsonWriter *json, double value);
void som_json_integer(SomJsonWriter *json, int64_t value);
void som_json_boolean(SomJsonWriter *json, bool value);
void som_json_null(SomJsonWriter *json);
void som_json_numbers(SomJsonWriter *json, const double *values, int count); // an array

// A key and its value.
void som_json_member_string(SomJsonWriter *json, const char *key, SomStr value);
void som_json_member_number(SomJsonWriter *json, const char *key, double value);
void som_json_member_integer(SomJsonWriter *json, const char *key, int64_t value);
void som_json_member_boolean(SomJsonWriter *json, const char *key, bool value);

void som_json_end(SomJsonWriter *json); // the writer may start the next document

#ifdef __cplusplus
}
#endif
