// SPDX-License-Identifier: Apache-2.0
// Numbers and their units.

#include "base/codes/language_codes.h"
#include "base/number.h"
#include "language/lexer_internal.h"
#include "language/unit.h"

#include <math.h>

// Behind the exponent at `at`, or `at` if there is none with digits.
static size_t end_of_exponent(SomLexer *lexer, size_t at) {
    if ((byte_at(lexer, at) | 0x20) != 'e') {
        return at;
    }
    unsigned char sign = byte_at(lexer, at + 1);
    size_t digits = at + (sign == '+' || sign == '-' ? 2 : 1);
    return is_digit(byte_at(lexer, digits)) ? end_of_digits(lexer, digits) : at;
}

// Behind the point at `at` with its digits, or `at` if the point is no part of the number: 1..5 is
// a range and 1.x a member, but 1. is a number.
static size_t end_of_fraction(SomLexer *lexer, size_t at) {
    if (byte_at(lexer, at) != '.' || byte_at(lexer, at + 1) == '.') {
        return at;
    }
    bool is_member = som_character_name_length(rest(lexer, at + 1)) > 0 &&
                     !is_digit(byte_at(lexer, at + 1)) && end_of_exponent(lexer, at + 1) == at + 1;
    return is_member ? at : end_of_digits(lexer, at + 1);
}

// Letters behind a number that are no unit. What they were meant to be may go beyond the letters:
// the wrong "dge/s" is "deg/s".
static void lex_wrong_unit(SomLexer *lexer) {
    size_t begin = lexer->at;
    size_t end = end_of_name(lexer, begin);
    size_t longer = end;
    while (byte_at(lexer, longer) == '/' || byte_at(lexer, longer) == '*' ||
           byte_at(lexer, longer) == '^') {
        size_t next = end_of_name(lexer, longer + 1);
        if (next == longer + 1 || next - begin > 16) {
            break;
        }
        longer = next;
    }
    const SomUnit *unit = som_unit_guess(som_str_slice(lexer->text, begin, longer));
    if (unit == NULL) {
        longer = end;
        unit = som_unit_guess(som_str_slice(lexer->text, begin, end));
    }
    SomStr wrong = som_str_slice(lexer->text, begin, longer);
    som_report(lexer->diags, SOM_UNKNOWN_UNIT, span(lexer, begin, longer),
               unit != NULL ? "unit '%.*s' is not known; did you mean '%.*s'?"
                            : "unit '%.*s' is not known%.*s",
               SOM_STR_ARG(wrong), SOM_STR_ARG(unit != NULL ? unit->text : SOM_STR("")));
    if (unit != NULL) {
        add_fix(lexer, begin, longer, unit->text);
    }
    add_token(lexer, SOM_TOKEN_UNIT, true, longer);
}

static void lex_unit(SomLexer *lexer) {
    size_t begin = lexer->at;
    if (som_character_name_length(rest(lexer, begin)) == 0) {
        return;
    }
    if (!lexer->dialect->units) {
        size_t end = end_of_name(lexer, begin);
        SomStr letters = som_str_slice(lexer->text, begin, end);
        som_report(lexer->diags, SOM_NUMBER_WITH_LETTERS, span(lexer, begin, end),
                   "'%.*s' behind a number has no meaning in %.*s", SOM_STR_ARG(letters),
                   SOM_STR_ARG(lexer->dialect->name));
        add_token(lexer, SOM_TOKEN_UNIT, true, end);
        return;
    }
    const SomUnit *unit = som_unit_match(rest(lexer, begin));
    if (unit == NULL) {
        lex_wrong_unit(lexer);
        return;
    }
    add_token(lexer, SOM_TOKEN_UNIT, false, begin + unit->text.length);
}

// 1.2.3, 1e, 1e+: takes all of it, so that one report is enough.
static size_t end_of_malformed(SomLexer *lexer, size_t end) {
    while (byte_at(lexer, end) == '.' && is_digit(byte_at(lexer, end + 1))) {
        end = end_of_digits(lexer, end + 1);
    }
    bool is_lone_e =
        (byte_at(lexer, end) | 0x20) == 'e' && som_character_name_length(rest(lexer, end + 1)) == 0;
    if (is_lone_e) {
        unsigned char sign = byte_at(lexer, end + 1);
        end += sign == '+' || sign == '-' ? 2 : 1;
    }
    return end;
}

void som_lexer_number(SomLexer *lexer) {
    size_t begin = lexer->at;
    size_t end = end_of_fraction(lexer, end_of_digits(lexer, begin));
    size_t exponent = end;
    end = end_of_exponent(lexer, end);
    bool may_be_infinite = end > exponent || end - begin > 300;

    size_t malformed = end_of_malformed(lexer, end);
    bool bad = malformed > end;
    SomStr text = som_str_slice(lexer->text, begin, malformed);
    SomStr shown = som_str_slice(text, 0, 40);
    double value = 0;
    if (bad) {
        som_report(lexer->diags, SOM_MALFORMED_NUMBER, span(lexer, begin, malformed),
                   byte_at(lexer, end) == '.' ? "number '%.*s' has more than one point"
                                              : "number '%.*s' has an exponent without digits",
                   SOM_STR_ARG(shown));
    } else if (may_be_infinite && som_number_parse(text, &value) && isinf(value)) {
        som_report(lexer->diags, SOM_NUMBER_TOO_LARGE, span(lexer, begin, malformed),
                   "number '%.*s%s' is too large", SOM_STR_ARG(shown),
                   shown.length < text.length ? "..." : "");
        bad = true;
    }
    add_token(lexer, SOM_TOKEN_NUMBER, bad, malformed);
    lex_unit(lexer);
}

// Not behind what has members: s[1].5 is not a number.
bool som_lexer_is_number_point(SomLexer *lexer, size_t at) {
    if (!is_digit(byte_at(lexer, at + 1))) {
        return false;
    }
    unsigned char before = at > 0 ? byte_at(lexer, at - 1) : ' ';
    return before < 0x80 && !is_digit(before) && strchr(")]}\".", before) == NULL &&
           som_character_name_length((SomStr){(const char *)&before, 1}) == 0;
}
