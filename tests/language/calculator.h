// tests/language/calculator.h - a small grammar in the style of the real ones, for tests of the
// parser toolkit.
//
//     file       = { statement }
//     statement  = "let" NAME "=" sum | "block" NAME "{" { statement } "}"
//     sum        = product { ("+" | "-") product }
//     product    = negation { ("*" | "/") negation }
//     negation   = "-" negation | call
//     call       = NUMBER [UNIT] | NAME [ "(" [ sum { "," sum } ] ")" ] | "(" sum ")"

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/parser.h"

typedef enum CalculatorKind {
    CALCULATOR_ERROR,
    CALCULATOR_FILE,
    CALCULATOR_LET,
    CALCULATOR_BLOCK,
    CALCULATOR_SUM,
    CALCULATOR_PRODUCT,
    CALCULATOR_NEGATION,
    CALCULATOR_NUMBER,
    CALCULATOR_NAME,
    CALCULATOR_CALL,
    CALCULATOR_PARENS,
    CALCULATOR_MISSING,
    CALCULATOR_TOWER,
    CALCULATOR_KIND_COUNT
} CalculatorKind;

SomSyntax *calculator_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                            SomDiagnostics *diags);

// The same, but a+b+c is a tower of wrapped nodes, as a careless grammar would make it.
SomSyntax *calculator_parse_towers(SomStr text, const SomDialect *dialect, uint32_t source1,
                                   SomDiagnostics *diags);
