// language/outline.h - what can be said about a text of any dialect without its grammar.
//
//     SomSyntax *tree = som_outline_parse(text, &som_dialect_m3l, source1, diags);
//
// Statements, bracket groups and their elements: enough to check brackets, quotes, characters,
// numbers and units, to fold, and to jump between brackets. A statement ends as the dialect says;
// in M3L, which has no end of a statement, at a newline outside brackets that follows no comma.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomOutlineKind {
    SOM_OUTLINE_ERROR = SOM_KIND_ERROR,
    SOM_OUTLINE_FILE,
    SOM_OUTLINE_STATEMENT,
    SOM_OUTLINE_PARENS,   // ( elements )
    SOM_OUTLINE_BRACKETS, // [ elements ]
    SOM_OUTLINE_BRACES,   // { statements }
    SOM_OUTLINE_ELEMENT,  // between separators in ( ) and [ ]
    SOM_OUTLINE_KIND_COUNT
} SomOutlineKind;

// The text is borrowed by the tree. Never NULL.
SomSyntax *som_outline_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                             SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
