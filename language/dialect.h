// language/dialect.h - how our languages are spelled: one lexer reads them all by these flags.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a language is spelled. Zero means: no comments, newline is a blank, numbers without units.
typedef struct SomDialect {
    SomStr name;            // for messages: "Somite"
    SomStr extension;       // ".som"
    bool hash_comments;     // # to the end of the line
    bool slash_comments;    // // to the end of the line, and /* */
    bool newline_ends;      // a newline outside ( and [ ends a statement
    bool backslash_joins;   // a backslash before a newline makes it a blank
    bool units;             // numbers may have units
    bool dollar_words;      // $NAME
    bool semicolon_is_part; // a ';' belongs to the statement it ends, as in C; else it separates
} SomDialect;

extern const SomDialect som_dialect_somite;
extern const SomDialect som_dialect_m3l;
extern const SomDialect som_dialect_role;

// The dialect of a file by the end of its name; NULL if it is none of ours.
const SomDialect *som_dialect_find(SomStr path);

#ifdef __cplusplus
}
#endif
