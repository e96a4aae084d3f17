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
#include "language/dialect.h"
#include "language/token.h"

#ifdef __cplusplus
extern "C" {
#endif

// A longer text is reported and not read: it becomes one ERROR token.
#define SOM_MAX_SOURCE_BYTES (16 * 1024 * 1024)

// Spans of diagnostics have this source1; it may be 0 where diags has no source.
SomTokens som_lex(SomStr text, const SomDialect *dialect, uint32_t source1, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
