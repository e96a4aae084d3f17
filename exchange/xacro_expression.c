// SPDX-License-Identifier: Apache-2.0
// The expressions of xacro: the part of Python that robots are written with.
//
//     choice:  either [if either else choice]      unary:  (- | +) unary | power
//     either:  both {or both}                      power:  atom [** unary]
//     both:    no {and no}                         atom:   number, text, name, call, (choice)
//     no:      not no | comparison
//     comparison: sum {(< <= > >= == !=) sum}      sum, product: + -, * / // %

#include "base/number.h"
#include "exchange/xacro_internal.h"
#include "space/trigonometry.h"

#include <math.h>

#define MAX_NESTING 40
#define MAX_ARGUMENTS 8

typedef struct Parser {
    SomXacro *x;
    SomXacroScope *scope;
    SomStr text;
    size_t at;
    SomSpan span;
    int depth;
    bool is_skipped; // read, but not looked at: the branch that is not taken
} Parser;

static SomXacroValue read_choice(Parser *p);

// ---- words

static SomXacroValue number_value(double number, bool is_integer) {
    return (SomXacroValue){SOM_XACRO_NUMBER, number, is_integer, {"", 0}};
}

static SomXacroValue truth_value(bool truth) {
    return (SomXacroValue){SOM_XACRO_TRUTH, truth, true, {"", 0}};
}

static SomXacroValue refuse(Parser *p, const char *why) {
    SomStr shown = som_str_slice(p->text, 0, 200);
    som_xacro_fail(p->x, SOM_XACRO_EXPRESSION, p->span, "'${%.*s}' cannot be computed: %s",
                   SOM_STR_ARG(shown), why);
    p->at = p->text.length;
    return number_value(0, true);
}

static void skip_blanks(Parser *p) {
    while (p->at < p->text.length && strchr(" \t\r\n", p->text.data[p->at]) != NULL) {
        p->at++;
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The name that stands here, without passing it.
static SomStr peek_name(Parser *p) {
    skip_blanks(p);
    size_t end = p->at;
    while (end < p->text.length &&
           (is_letter(p->text.data[end]) || (end > p->at && is_digit(p->text.data[end])))) {
        end++;
    }
    return som_str_slice(p->text, p->at, end);
}

static bool take_word(Parser *p, const char *word) {
    bool is_so = som_str_equal(peek_name(p), som_str(word));
    p->at += is_so ? strlen(word) : 0;
    return is_so;
}

static bool take(Parser *p, const char *sign) {
    skip_blanks(p);
    bool is_so = som_str_starts_with(som_str_slice(p->text, p->at, p->text.length), som_str(sign));
    p->at += is_so ? strlen(sign) : 0;
    return is_so;
}

static bool is_true(const SomXacroValue *value) {
    return value->kind == SOM_XACRO_TEXT ? value->text.length > 0 : value->number != 0;
}

// ---- functions

typedef struct Call {
    double values[MAX_ARGUMENTS];
    bool are_integers;
    int count;
} Call;

static bool call_of_angle(const Call *call, SomStr name, double *result) {
    double v = call->values[0], s, c;
    som_sincos(v, &s, &c);
    const struct {
        const char *name;
        double value;
    } table[] = {{"sin", s},
                 {"cos", c},
                 {"tan", s / c},
                 {"asin", som_asin(v)},
                 {"acos", som_acos(v)},
                 {"atan", som_atan2(v, 1)},
                 {"radians", v / 180 * SOM_PI},
                 {"degrees", v / SOM_PI * 180},
                 {"sqrt", sqrt(v)},
                 {"fabs", fabs(v)},
                 {"float", v}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (call->count == 1 && som_str_equal(name, som_str(table[i].name))) {
            *result = table[i].value;
            return true;
        }
    }
    return false;
}

static bool call_of_whole(const Call *call, SomStr name, double *result) {
    double v = call->values[0];
    const struct {
        const char *name;
        double value;
    } table[] = {{"int", trunc(v)}, {"floor", floor(v)}, {"ceil", ceil(v)}, {"round", rint(v)}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (call->count == 1 && som_str_equal(name, som_str(table[i].name))) {
            *result = table[i].value;
            return true;
        }
    }
    return false;
}

static SomXacroValue call_function(Parser *p, SomStr name, const Call *call) {
    double result = call->count > 0 ? call->values[0] : 0;
    bool is_least = som_str_equal(name, SOM_STR("min"));
    if (call->count == 0) {
        return refuse(p, "a function without arguments is not understood");
    }
    if (call_of_angle(call, name, &result)) {
        return number_value(result, false);
    }
    if (call_of_whole(call, name, &result)) {
        return number_value(result, true);
    }
    if (som_str_equal(name, SOM_STR("abs")) && call->count == 1) {
        return number_value(fabs(result), call->are_integers);
    }
    if (som_str_equal(name, SOM_STR("atan2")) && call->count == 2) {
        return number_value(som_atan2(call->values[0], call->values[1]), false);
    }
    if (is_least || som_str_equal(name, SOM_STR("max"))) {
        for (int i = 1; i < call->count; i++) {
            result = is_least ? fmin(result, call->values[i]) : fmax(result, call->values[i]);
        }
        return number_value(result, call->are_integers);
    }
    SomText why = {0};
    som_text_printf(&why, "there is no function '%.*s' here",
                    SOM_STR_ARG(som_str_slice(name, 0, 60)));
    SomXacroValue none = refuse(p, why.data);
    som_text_free(&why);
    return none;
}

static SomXacroValue read_call(Parser *p, SomStr name) {
    Call call = {.are_integers = true};
    SomXacroValue only = {0};
    while (!take(p, ")")) {
        if (call.count == MAX_ARGUMENTS || (call.count > 0 && !take(p, ","))) {
            return refuse(p, "a bracket is not closed, or there are too many arguments");
        }
        only = read_choice(p);
        if (p->x->failed) {
            return only;
        }
        if (only.kind == SOM_XACRO_TEXT && !p->is_skipped && !som_str_equal(name, SOM_STR("str"))) {
            only = som_xacro_literal(only.text); // float('1.5')
            if (only.kind == SOM_XACRO_TEXT) {
                return refuse(p, "a function gets numbers");
            }
        }
        call.values[call.count++] = only.number;
        call.are_integers = call.are_integers && only.is_integer;
    }
    if (som_str_equal(name, SOM_STR("str")) && call.count == 1) {
        return (SomXacroValue){SOM_XACRO_TEXT, 0, false, som_xacro_print(p->x, &only, p->span)};
    }
    if (som_str_equal(name, SOM_STR("bool")) && call.count == 1) {
        return truth_value(only.number != 0);
    }
    return p->is_skipped ? number_value(0, true) : call_function(p, name, &call);
}

// ---- from the inside outwards

static SomXacroValue read_quoted(Parser *p, char quote) {
    const char *end = memchr(p->text.data + p->at, quote, p->text.length - p->at);
    if (end == NULL) {
        return refuse(p, "a quote is not closed");
    }
    size_t stop = (size_t)(end - p->text.data);
    SomStr text = som_str_slice(p->text, p->at, stop);
    p->at = stop + 1;
    return (SomXacroValue){SOM_XACRO_TEXT, 0, false, text};
}

static SomXacroValue read_name(Parser *p) {
    SomStr name = peek_name(p);
    p->at += name.length;
    if (som_str_equal(name, SOM_STR("math")) && take(p, ".")) {
        name = peek_name(p);
        p->at += name.length;
    }
    SomXacroValue value;
    if (take(p, "(")) {
        return read_call(p, name);
    }
    skip_blanks(p);
    if (p->at < p->text.length && (p->text.data[p->at] == '.' || p->text.data[p->at] == '[')) {
        return refuse(
            p, "only numbers, texts and the usual functions are understood, no other Python");
    }
    if (p->is_skipped) {
        return number_value(0, true);
    }
    if (som_xacro_value_of(p->x, p->scope, name, &value)) {
        return value;
    }
    static const struct {
        const char *name;
        double value;
        SomXacroKind kind;
    } constants[] = {{"pi", SOM_PI, SOM_XACRO_NUMBER}, {"True", 1, SOM_XACRO_TRUTH},
                     {"False", 0, SOM_XACRO_TRUTH},    {"true", 1, SOM_XACRO_TRUTH},
                     {"false", 0, SOM_XACRO_TRUTH},    {"e", 2.718281828459045, SOM_XACRO_NUMBER}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (som_str_equal(name, som_str(constants[i].name))) {
            return constants[i].kind == SOM_XACRO_TRUTH ? truth_value(constants[i].value != 0)
                                                        : number_value(constants[i].value, false);
        }
    }
    som_xacro_fail(p->x, SOM_XACRO_UNKNOWN, p->span,
                   "no property or parameter '%.*s' is known here",
                   SOM_STR_ARG(som_str_slice(name, 0, 200)));
    p->at = p->text.length;
    return number_value(0, true);
}

static SomXacroValue read_atom(Parser *p) {
    skip_blanks(p);
    SomStr rest = som_str_slice(p->text, p->at, p->text.length);
    char c = rest.length > 0 ? rest.data[0] : '\0';
    double number;
    if (take(p, "(")) {
        SomXacroValue value = read_choice(p);
        return p->x->failed || take(p, ")") ? value : refuse(p, "a bracket is not closed");
    }
    if (c == '\'' || c == '"') {
        p->at++;
        return read_quoted(p, c);
    }
    if (is_letter(c)) {
        return read_name(p);
    }
    size_t length = is_digit(c) || c == '.' ? som_number_read(rest, &number) : 0;
    if (length > 0) {
        p->at += length;
        bool is_integer = som_xacro_literal(som_str_slice(rest, 0, length)).is_integer;
        return number_value(number, is_integer);
    }
    return refuse(p, c == '\0' ? "something is missing at its end" : "it is not understood");
}

// Whole powers by multiplication, and roots: the same on every machine.
static SomXacroValue raise_to(Parser *p, SomXacroValue base, SomXacroValue power) {
    double result = 1;
    if (power.number == 0.5) {
        return number_value(sqrt(base.number), false);
    }
    if (power.number != rint(power.number) || fabs(power.number) > 64) {
        return p->is_skipped ? base : refuse(p, "powers are whole numbers up to 64, or 0.5");
    }
    for (int i = 0; i < (int)fabs(power.number); i++) {
        result *= base.number;
    }
    return number_value(power.number < 0 ? 1 / result : result,
                        base.is_integer && power.is_integer && power.number >= 0);
}

static bool need_numbers(Parser *p, const SomXacroValue *a, const SomXacroValue *b) {
    bool are = a->kind != SOM_XACRO_TEXT && b->kind != SOM_XACRO_TEXT;
    if (!are && !p->is_skipped) {
        refuse(p, "one cannot calculate with a text");
    }
    return are;
}

static SomXacroValue read_unary(Parser *p) {
    if (++p->depth > MAX_NESTING) {
        p->depth--;
        return refuse(p, "it is nested too deeply");
    }
    SomXacroValue value;
    bool is_negative = take(p, "-");
    if (is_negative || take(p, "+")) {
        value = read_unary(p);
        if (need_numbers(p, &value, &value)) {
            value = number_value(is_negative ? -value.number : value.number, value.is_integer);
        }
    } else {
        value = read_atom(p);
        if (!p->x->failed && take(p, "**")) {
            SomXacroValue power = read_unary(p);
            value = need_numbers(p, &value, &power) ? raise_to(p, value, power) : value;
        }
    }
    p->depth--;
    return value;
}

static SomXacroValue divide(Parser *p, double a, double b, char sign, bool are_integers) {
    if (b == 0) {
        return p->is_skipped ? number_value(0, true) : refuse(p, "it divides by zero");
    }
    return sign == '%'   ? number_value(a - b * floor(a / b), are_integers)
           : sign == '|' ? number_value(floor(a / b), are_integers)
                         : number_value(a / b, false);
}

static SomXacroValue read_product(Parser *p) {
    SomXacroValue a = read_unary(p);
    while (!p->x->failed) {
        char sign = take(p, "*")    ? '*'
                    : take(p, "//") ? '|'
                    : take(p, "/")  ? '/'
                    : take(p, "%")  ? '%'
                                    : 0;
        if (sign == 0) {
            break;
        }
        SomXacroValue b = read_unary(p);
        if (p->x->failed || !need_numbers(p, &a, &b)) {
            break;
        }
        bool are_integers = a.is_integer && b.is_integer;
        a = sign == '*' ? number_value(a.number * b.number, are_integers)
                        : divide(p, a.number, b.number, sign, are_integers);
    }
    return a;
}

static SomXacroValue join_texts(Parser *p, SomStr a, SomStr b) {
    SomText text = {0};
    som_text_add(&text, a);
    som_text_add(&text, b);
    SomXacroValue value = {SOM_XACRO_TEXT, 0, false,
                           som_xacro_copy(p->x, som_text_str(&text), p->span)};
    som_text_free(&text);
    return value;
}

static SomXacroValue read_sum(Parser *p) {
    SomXacroValue a = read_product(p);
    while (!p->x->failed) {
        bool is_minus = take(p, "-");
        if (!is_minus && !take(p, "+")) {
            break;
        }
        SomXacroValue b = read_product(p);
        if (a.kind == SOM_XACRO_TEXT && b.kind == SOM_XACRO_TEXT && !is_minus) {
            a = join_texts(p, a.text, b.text);
        } else if (need_numbers(p, &a, &b)) {
            a = number_value(is_minus ? a.number - b.number : a.number + b.number,
                             a.is_integer && b.is_integer);
        }
    }
    return a;
}

static bool compare(const SomXacroValue *a, const SomXacroValue *b, int sign) {
    bool are_texts = a->kind == SOM_XACRO_TEXT && b->kind == SOM_XACRO_TEXT;
    bool differ_in_kind = (a->kind == SOM_XACRO_TEXT) != (b->kind == SOM_XACRO_TEXT);
    double order = are_texts               ? som_str_compare(a->text, b->text)
                   : a->number < b->number ? -1
                   : a->number > b->number ? 1
                                           : 0;
    switch (sign) {
    case 0:
        return order <= 0;
    case 1:
        return order >= 0;
    case 2:
        return order == 0 && !differ_in_kind;
    case 3:
        return order != 0 || differ_in_kind;
    case 4:
        return order < 0;
    default:
        return order > 0;
    }
}

static SomXacroValue read_comparison(Parser *p) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    SomXacroValue a = read_sum(p), result = a;
    bool is_so = true;
    for (int i = 0; i < 6 && !p->x->failed; i++) {
        if (take(p, signs[i])) { // a < b < c means both
            SomXacroValue b = read_sum(p);
            is_so = is_so && compare(&a, &b, i);
            result = truth_value(is_so);
            a = b;
            i = -1;
        }
    }
    return result;
}

static SomXacroValue read_no(Parser *p) {
    bool is_no = false, is_any = false;
    while (take_word(p, "not")) {
        is_no = !is_no;
        is_any = true;
    }
    SomXacroValue value = read_comparison(p);
    return is_any ? truth_value(is_true(&value) != is_no) : value;
}

// Python does not look at what cannot change the result.
static SomXacroValue read_both(Parser *p) {
    SomXacroValue a = read_no(p);
    while (!p->x->failed && take_word(p, "and")) {
        bool was_skipped = p->is_skipped, is_decided = !is_true(&a);
        p->is_skipped = was_skipped || is_decided;
        SomXacroValue b = read_no(p);
        p->is_skipped = was_skipped;
        a = is_decided ? a : b;
    }
    return a;
}

static SomXacroValue read_either(Parser *p) {
    SomXacroValue a = read_both(p);
    while (!p->x->failed && take_word(p, "or")) {
        bool was_skipped = p->is_skipped, is_decided = is_true(&a);
        p->is_skipped = was_skipped || is_decided;
        SomXacroValue b = read_both(p);
        p->is_skipped = was_skipped;
        a = is_decided ? a : b;
    }
    return a;
}

// Does an `if` follow before this bracket, argument or text ends?
static bool finds_if(const Parser *p) {
    Parser ahead = *p;
    int open = 0;
    for (char c, quote = '\0', before = ' '; ahead.at < p->text.length; before = c, ahead.at++) {
        c = p->text.data[ahead.at];
        bool is_quote = c == '\'' || c == '"';
        if (quote != '\0' || is_quote) {
            quote = quote == '\0' ? c : c == quote ? '\0' : quote;
            continue;
        }
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (open < 0 || (open == 0 && c == ',')) {
            break;
        }
        bool is_start = open == 0 && is_letter(c) && !is_letter(before) && !is_digit(before);
        if (is_start && som_str_equal(peek_name(&ahead), SOM_STR("if"))) {
            return true;
        }
    }
    return false;
}

// Of `a if c else b` the first branch is passed over, and read again if it is taken.
static SomXacroValue read_taken(Parser *p) {
    size_t begin = p->at;
    bool was_skipped = p->is_skipped;
    p->is_skipped = true;
    read_either(p);
    p->is_skipped = was_skipped;
    if (!p->x->failed && !take_word(p, "if")) {
        return refuse(p, "it is not understood");
    }
    SomXacroValue condition = read_either(p);
    if (!p->x->failed && !take_word(p, "else")) {
        return refuse(p, "an 'if' needs an 'else'");
    }
    bool is_first = is_true(&condition);
    p->is_skipped = was_skipped || is_first;
    SomXacroValue value = read_choice(p);
    p->is_skipped = was_skipped;
    if (is_first && !was_skipped && !p->x->failed) {
        size_t end = p->at;
        p->at = begin;
        value = read_either(p);
        p->at = end;
    }
    return value;
}

static SomXacroValue read_choice(Parser *p) {
    if (++p->depth > MAX_NESTING) {
        p->depth--;
        return refuse(p, "it is nested too deeply");
    }
    SomXacroValue value = finds_if(p) ? read_taken(p) : read_either(p);
    p->depth--;
    return value;
}

SomXacroValue som_xacro_calculate(SomXacro *x, SomXacroScope *scope, SomStr expression,
                                  SomSpan span) {
    Parser p = {.x = x, .scope = scope, .text = expression, .span = span};
    if (!som_xacro_spend(x, 0, expression.length + 1, span)) {
        return number_value(0, true);
    }
    SomXacroValue value = read_choice(&p);
    skip_blanks(&p);
    if (!x->failed && p.at < p.text.length) {
        return refuse(
            &p, "only numbers, texts and the usual functions are understood, no other Python");
    }
    if (!x->failed && value.kind == SOM_XACRO_NUMBER && !isfinite(value.number)) {
        return refuse(&p, "it is no number");
    }
    return value;
}
