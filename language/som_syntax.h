// language/som_syntax.h - the grammar of Somite (.som): any text to a lossless tree, without
// meaning.
//
//     SomSyntax *tree = som_som_parse(text, &som_dialect_somite, source1, diags);
//     SomNode config = som_syntax_find_child(tree, SOM_ROOT, SOM_SOM_CONFIG);
//     SomNode body = som_syntax_find_child(tree, config, SOM_SOM_BODY);
//     som_syntax_destroy(tree);
//
// A file is `use`, `let` and `config` statements; a config holds parts, connections, poses and
// behaviors; a behavior is an action. A statement ends at a newline or ';'. Keywords are words, so
// a quoted name is never one. The full grammar, for those who write it, is in docs/language.md; the
// comments below say what each node holds, in order, child nodes in capitals.
//
// Ownership: the text is borrowed by the tree. Errors: all of them in one pass, in the tree as
// error nodes; a child that is missing in the text may be missing in the tree.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/document.h"
#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomSomKind {
    SOM_SOM_ERROR = SOM_KIND_ERROR,
    SOM_SOM_FILE, // USE, LET, CONFIG in any order

    // statements
    SOM_SOM_USE,       // use "file"; the text is a token of it
    SOM_SOM_LET,       // let NAME = expression
    SOM_SOM_CONFIG,    // config NAME [PARAMETERS] [is NAME] BODY
    SOM_SOM_BODY,      // { statements }
    SOM_SOM_PART,      // part ITEM, ITEM : REFERENCE
    SOM_SOM_ITEM,      // NAME [INDEX]
    SOM_SOM_REFERENCE, // NAME [ARGUMENTS]: the config, robot or module type of a part
    SOM_SOM_CONNECT,   // connect PLACE to PLACE [AT | AS | GAP | FORCED]... [FOR]
    SOM_SOM_DOCK,      // dock [NAME :] PLACE to PLACE [AT | ...]... (open | closed) [FOR]
    SOM_SOM_POSE,      // pose NAME ENTRIES
    SOM_SOM_ENTRIES,   // { ENTRY; ENTRY }
    SOM_SOM_ENTRY,     // PLACE [= expression] [FOR]; without a value the pose of a part
    SOM_SOM_START,     // start NAME
    SOM_SOM_BASE,      // base PLACE [FRAME] [AT] [GROUND] [TURNED] [FIXED] [FOR]
    SOM_SOM_VERIFY,    // verify ENTRIES, of which each is a SETTING
    SOM_SOM_SETTING,   // NAME = expression
    SOM_SOM_BEHAVIOR,  // behavior NAME [PARAMETERS] = action
    SOM_SOM_INPUT,     // input NAME : TYPE [= SOURCE]

    // their pieces
    SOM_SOM_NAME,       // a word or a text in quotes
    SOM_SOM_PARAMETERS, // ( PARAMETER, PARAMETER )
    SOM_SOM_PARAMETER,  // NAME : TYPE [= expression]
    SOM_SOM_TYPE,       // count, number, angle, ...
    SOM_SOM_ARGUMENTS,  // ( ARGUMENT, ARGUMENT )
    SOM_SOM_ARGUMENT,   // [NAME =] expression
    SOM_SOM_AT,         // at expression or VECTOR: roll, speed, position
    SOM_SOM_AS,         // as expression
    SOM_SOM_GAP,        // gap expression
    SOM_SOM_FORCED,     // forced
    SOM_SOM_FRAME,      // frame NAME
    SOM_SOM_GROUND,     // on ground
    SOM_SOM_TURNED,     // turned VECTOR
    SOM_SOM_FIXED,      // fixed
    SOM_SOM_VECTOR,     // ( expression, expression, expression )
    SOM_SOM_FOR,        // for NAME in RANGE [if expression]
    SOM_SOM_RANGE,      // expression .. expression
    SOM_SOM_SOURCE,     // topic "name", [steps] KEYS, "file.csv", RANGE or expression

    // expressions
    SOM_SOM_PLACE,      // NAME (. NAME | INDEX)...: also a let, a parameter, a DoF, a pose
    SOM_SOM_INDEX,      // [ expression ]
    SOM_SOM_QUANTITY,   // number [unit], both tokens
    SOM_SOM_CONSTANT,   // true, false or pi
    SOM_SOM_CALL,       // PLACE ARGUMENTS: sin(a)
    SOM_SOM_GROUP,      // ( expression )
    SOM_SOM_NEGATION,   // - or + before an expression
    SOM_SOM_POWER,      // base ^ exponent
    SOM_SOM_PRODUCT,    // a * b / c, flat
    SOM_SOM_SUM,        // a + b - c, flat
    SOM_SOM_COMPARISON, // a == b, !=, <, <=, >, >=
    SOM_SOM_NOT,        // not a
    SOM_SOM_AND,        // a and b and c, flat
    SOM_SOM_OR,         // a or b or c, flat
    SOM_SOM_IF,         // if expression then expression else expression

    // actions; clauses are UNTIL WITHIN TIMEOUT AT DURING LATCH in any order
    SOM_SOM_MOVE,     // PLACE (to | by | spin | follow) expression or KEYS, clauses
    SOM_SOM_KEYS,     // [ KEY, KEY ]: a course
    SOM_SOM_KEY,      // expression : expression: time and value
    SOM_SOM_TO_POSE,  // [PLACE] to pose PLACE, clauses
    SOM_SOM_TABLE,    // follow "file.csv", clauses
    SOM_SOM_HOLD,     // hold [PLACE]
    SOM_SOM_WAIT,     // wait [expression], clauses
    SOM_SOM_DOCKING,  // (connect | disconnect) PLACE [to PLACE], clauses
    SOM_SOM_RUN,      // PLACE [ARGUMENTS]: a behavior, of the config itself or of a part
    SOM_SOM_SERIES,   // series or Sc ( elements )
    SOM_SOM_PARALLEL, // parallel or Pc ( elements )
    SOM_SOM_ANY,      // any ( elements )
    SOM_SOM_EACH,     // FOR : action, an element of the three above
    SOM_SOM_REPEAT,   // repeat (expression | until expression | forever) [FROM] : action
    SOM_SOM_CHOOSE,   // choose ( BRANCH, BRANCH )
    SOM_SOM_BRANCH,   // (expression | else) : action
    SOM_SOM_EITHER,   // if expression then action else action
    SOM_SOM_LIMITED,  // action, clauses: of what has none of its own
    SOM_SOM_UNTIL,    // until expression
    SOM_SOM_WITHIN,   // within expression
    SOM_SOM_TIMEOUT,  // timeout expression
    SOM_SOM_DURING,   // during expression
    SOM_SOM_LATCH,    // hold
    SOM_SOM_FROM,     // from expression
    SOM_SOM_KIND_COUNT
} SomSomKind;

// Never NULL. The dialect is som_dialect_somite.
SomSyntax *som_som_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                         SomDiagnostics *diags);

// A design with its arguments, as it is chosen on the command line: Snake(n = 18). The root is a
// FILE with one REFERENCE.
SomSyntax *som_som_parse_choice(SomStr text, uint32_t source1, SomDiagnostics *diags);

// An action by itself, as it is given on the command line: drive(70mm/s, 2s). The root is a FILE
// with one action.
SomSyntax *som_som_parse_action(SomStr text, uint32_t source1, SomDiagnostics *diags);

// Where an input gets its value from, as it is given on the command line: 0.4 or [0s: 0, 1s: 1].
// The root is a FILE with one SOURCE.
SomSyntax *som_som_parse_source(SomStr text, uint32_t source1, SomDiagnostics *diags);

// For som_document_create.
extern const SomGrammar som_grammar_som;

// Is it an expression or an action? (PLACE is an expression only.)
bool som_som_is_expression(int kind);
bool som_som_is_action(int kind);

#ifdef __cplusplus
}
#endif
