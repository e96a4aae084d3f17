// language/lexer.h - any bytes to tokens, for the three dialects.
//
//     SomTokens tokens = som_lex(text, &som_dialect_somite, source1, diags);
//     som_tokens_free(&tokens);
//
// Every input is answered: each byte is in exactly one token, in order, and what no dialect allows
// is reported with its place and lexed on. Where the meaning is certain the token has the kind the
// user meant ('−' is MINUS, “a” is STRING) and a fix-it, so that a grammar sees no second error.
//
// Words: ASCII letters, digits and '_', and the letters, marks and digits of all other scripts; not
// starting with a digit. Names are compared by bytes. Everything else is written in quotes, on one
// line, with \" and \\ for a quote and a backslash. Comments may hold anything.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "language/token.h"

#ifdef __cplusplus
extern "C" {
#endif

// A longer text is reported and not read: it becomes one ERROR token.
#define SOM_MAX_SOURCE_BYTES (16 * 1024 * 1024)

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

// Spans of diagnostics have this source1; it may be 0 where diags has no source.
SomTokens som_lex(SomStr text, const SomDialect *dialect, uint32_t source1, SomDiagnostics *diags);

// Can the name be written without quotes?
bool som_name_is_word(SomStr name);

// Writes a name as a token: as it is, or in quotes with escapes. What quotes cannot hold (control
// characters, bytes that are not UTF-8) becomes '?'.
void som_name_print(SomText *out, SomStr name);

// Adds the value of a WORD or STRING token: without quotes, escapes resolved.
void som_name_read(SomStr token_text, SomText *out);

#ifdef __cplusplus
}
#endif
