// modules/m3l_syntax.h - the grammar of M3L: text to a lossless tree, no meaning.
//
//     SomSyntax *tree = som_m3l_parse(text, &som_dialect_m3l, source1, diags);
//
// A file is a row of definitions, each a DEFINITION node: a keyword, a name, a colon, then
// sub-definitions in parentheses and attributes with commas between. The points, links, axes,
// joints, tags and frames of a module follow it up to the next module, connection or robot.
// Newlines are blanks, also without a backslash before them. The full grammar is in docs/m3l.md.
//
//     FILE        DEFINITION*
//     DEFINITION  keyword [NAME] ":" (NESTED | ATTRIBUTE)* [REST]
//     NESTED      "(" DEFINITION ")"
//     ATTRIBUTE   NAME ["=" value or condition]
//     value       TUPLE RANGE DOMAIN CALL MEMBER REFERENCE STRING QUANTITY NEGATION SUM PRODUCT
//     condition   OR AND NOT GROUP RELATION, whose terms are values or BINDING
//
// Ownership: the text is borrowed by the tree. Errors: all of them in one pass, in the tree as
// error nodes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/document.h"
#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomM3lKind {
    SOM_M3L_ERROR = SOM_KIND_ERROR,
    SOM_M3L_FILE,
    SOM_M3L_DEFINITION,
    SOM_M3L_NESTED,
    SOM_M3L_ATTRIBUTE,
    SOM_M3L_NAME,      // of a definition, attribute, member or binding
    SOM_M3L_TUPLE,     // ( values )
    SOM_M3L_RANGE,     // [low, high]
    SOM_M3L_DOMAIN,    // [bool]
    SOM_M3L_CALL,      // NAME ( values ): convex(c1.point, c2.point)
    SOM_M3L_MEMBER,    // REFERENCE or TUPLE, then NAME: MTRAN a
    SOM_M3L_REFERENCE, // NAME or NESTED parts with dots between; also true, false, pi, inf
    SOM_M3L_STRING,
    SOM_M3L_QUANTITY, // number [UNIT]
    SOM_M3L_UNIT,
    SOM_M3L_NEGATION, // - or + before a value
    SOM_M3L_SUM,      // a + b - c, flat
    SOM_M3L_PRODUCT,  // a * b / c, flat
    SOM_M3L_OR,       // conditions, flat
    SOM_M3L_AND,
    SOM_M3L_NOT,
    SOM_M3L_GROUP,    // ( condition )
    SOM_M3L_RELATION, // term, coincident or == or !=, term
    SOM_M3L_BINDING,  // REFERENCE NAME: a.point p_a
    SOM_M3L_REST,     // ... at the end of a robot
    SOM_M3L_KIND_COUNT
} SomM3lKind;

// Never NULL. The dialect is som_dialect_m3l.
SomSyntax *som_m3l_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                         SomDiagnostics *diags);

// For som_document_create.
extern const SomGrammar som_grammar_m3l;

#ifdef __cplusplus
}
#endif
