// SPDX-License-Identifier: Apache-2.0
// The expressions of xacro: the part of Python that robots are written with.
//
//     choice:  either [if either else choice]      unary:  (- | +) unary | power
//     either:  both {or both}                      power:  member [** unary]
//     both:    no {and no}                         member: atom {[choice] [a:b] .name .name(…)}
//     no:      not no | comparison                 atom:   number, text, name, call, (choice),
//     comparison: sum {sign sum}                           [choice, …]
//     sum, product: + -, * / // %                  sign:   < <= > >= == != in not in

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/xacro_internal.h"
#include "space/trigonometry.h"

#include <math.h>

#define MAX_NESTING 40

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

static SomXacroValue refuse(Parser *p, const char *why) {
    SomStr shown = som_str_slice(p->text, 0, 200);
    som_xacro_fail(p->x, SOM_XACRO_EXPRESSION, p->span, "'${%.*s}' cannot be computed: %s",
                   SOM_STR_ARG(shown), why);
    p->at = p->text.length;
    return som_xacro_number(0, true);
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

// ---- functions

// "name=" before an argument, as dict has them.
static SomStr take_argument_name(Parser *p) {
    size_t begin = p->at;
    SomStr name = peek_name(p);
    p->at += name.length;
    skip_blanks(p);
    SomStr rest = som_str_slice(p->text, p->at, p->text.length);
    if (name.length > 0 && som_str_starts_with(rest, SOM_STR("=")) &&
        !som_str_starts_with(rest, SOM_STR("=="))) {
        p->at++;
        return name;
    }
    p->at = begin;
    return (SomStr){"", 0};
}

// Behind the bracket; false after a report.
static bool read_arguments(Parser *p, SomXacroCall *call) {
    while (!take(p, ")")) {
        if (call->count == SOM_XACRO_MAX_ARGUMENTS || (call->count > 0 && !take(p, ","))) {
            refuse(p, "a bracket is not closed, or there are too many arguments");
            return false;
        }
        call->names[call->count] = take_argument_name(p);
        if (call->count == 0 && som_str_equal(call->name, SOM_STR("map"))) {
            call->values[0] = som_xacro_text(peek_name(p)); // a function, not its value
            p->at += call->values[0].text.length;
        } else {
            call->values[call->count] = read_choice(p);
        }
        call->count++;
        if (p->x->failed) {
            return false;
        }
    }
    return true;
}

// A function, or what belongs to `owner`.
static SomXacroValue read_call(Parser *p, SomStr name, const SomXacroValue *owner) {
    SomXacroCall call = {.name = name, .span = p->span};
    SomXacroValue result = som_xacro_number(0, true);
    SomText why = {0};
    if (!read_arguments(p, &call) || p->is_skipped) {
        return result;
    }
    bool fine = owner != NULL ? som_xacro_apply_to_text(p->x, owner->text, &call, &result, &why)
                              : som_xacro_apply(p->x, &call, &result, &why);
    if (!fine) {
        result = refuse(p, why.data);
    }
    som_text_free(&why);
    return result;
}

// ---- atoms

static SomXacroValue read_quoted(Parser *p, char quote) {
    const char *end = memchr(p->text.data + p->at, quote, p->text.length - p->at);
    if (end == NULL) {
        return refuse(p, "a quote is not closed");
    }
    size_t stop = (size_t)(end - p->text.data);
    SomStr text = som_str_slice(p->text, p->at, stop);
    p->at = stop + 1;
    return som_xacro_text(text);
}

static SomXacroValue read_name(Parser *p) {
    SomStr name = peek_name(p);
    p->at += name.length;
    bool is_room = som_str_equal(name, SOM_STR("math")) || som_str_equal(name, SOM_STR("xacro")) ||
                   som_str_equal(name, SOM_STR("python"));
    if (is_room && take(p, ".")) {
        name = peek_name(p);
        p->at += name.length;
    }
    SomXacroValue value;
    if (take(p, "(")) {
        return read_call(p, name, NULL);
    }
    if (p->is_skipped) {
        return som_xacro_number(0, true);
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
            return constants[i].kind == SOM_XACRO_TRUTH
                       ? som_xacro_truth(constants[i].value != 0)
                       : som_xacro_number(constants[i].value, false);
        }
    }
    if (som_str_equal(name, SOM_STR("None"))) {
        return (SomXacroValue){.kind = SOM_XACRO_NONE};
    }
    som_xacro_fail(p->x, SOM_XACRO_UNKNOWN, p->span,
                   "no property or parameter '%.*s' is known here",
                   SOM_STR_ARG(som_str_slice(name, 0, 200)));
    p->at = p->text.length;
    return som_xacro_number(0, true);
}

// Behind the bracket.
static SomXacroValue read_list(Parser *p) {
    SOM_ARRAY(SomXacroItem) items = {0};
    SomXacroValue list = som_xacro_number(0, true);
    while (!p->x->failed && !take(p, "]")) {
        if (items.count > 0 && !take(p, ",")) {
            refuse(p, "a bracket is not closed");
        } else if (items.count == 0 || !take(p, "]")) {
            SomXacroItem item = {.value = read_choice(p)};
            som_array_push(&items, item);
        } else {
            break; // behind a comma
        }
    }
    if (!p->x->failed && !p->is_skipped) {
        list = som_xacro_collect(p->x, SOM_XACRO_LIST, items.data, items.count, p->span);
    }
    som_array_free(&items);
    return list;
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
    if (take(p, "[")) {
        return read_list(p);
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
        return som_xacro_number(number, is_integer);
    }
    return refuse(p, c == '\0' ? "something is missing at its end" : "it is not understood");
}

// ---- members

static SomXacroValue find_member(Parser *p, const SomXacroValue *owner, const SomXacroValue *key) {
    if (p->is_skipped || p->x->failed) {
        return som_xacro_number(0, true);
    }
    const SomXacroValue *found = som_xacro_find_item(p->x, owner, key);
    if (found != NULL) {
        return *found;
    }
    SomText why = {0};
    bool has_members = owner->kind == SOM_XACRO_LIST || owner->kind == SOM_XACRO_DICT;
    SomStr shown = som_str_slice(som_xacro_print(p->x, key, p->span), 0, 60);
    som_text_printf(&why,
                    has_members ? "there is no member '%.*s'" : "'%.*s' is of no list or dict",
                    SOM_STR_ARG(shown));
    SomXacroValue none = refuse(p, why.data);
    som_text_free(&why);
    return none;
}

// [index], [begin:end]; behind the bracket.
static SomXacroValue read_index(Parser *p, const SomXacroValue *owner) {
    SomXacroValue first = som_xacro_number(0, true), second = first, value = *owner;
    bool has_first = !take(p, ":"), has_second = false;
    bool is_slice = !has_first;
    if (has_first) {
        first = read_choice(p);
        is_slice = !p->x->failed && take(p, ":");
    }
    if (is_slice && !take(p, "]")) {
        has_second = true;
        second = read_choice(p);
    }
    if (!p->x->failed && (!is_slice || has_second) && !take(p, "]")) {
        return refuse(p, "a bracket is not closed");
    }
    if (p->x->failed || p->is_skipped || !is_slice) {
        return find_member(p, owner, &first);
    }
    bool fine = som_xacro_slice(p->x, &value, has_first ? &first : NULL,
                                has_second ? &second : NULL, p->span);
    return fine ? value : refuse(p, "[begin:end] are whole numbers, of a list or text");
}

static SomXacroValue read_member(Parser *p) {
    SomXacroValue value = read_atom(p);
    while (!p->x->failed) {
        if (take(p, "[")) {
            value = read_index(p, &value);
        } else if (take(p, ".")) {
            SomXacroValue key = som_xacro_text(peek_name(p));
            p->at += key.text.length;
            if (!take(p, "(")) {
                value = find_member(p, &value, &key);
            } else if (value.kind == SOM_XACRO_TEXT || p->is_skipped) {
                value = read_call(p, key.text, &value);
            } else {
                return refuse(p, "only texts have functions of their own here");
            }
        } else {
            break;
        }
    }
    return value;
}

// ---- from the inside outwards

static bool need_numbers(Parser *p, const SomXacroValue *a, const SomXacroValue *b) {
    bool are = som_xacro_is_number(a) && som_xacro_is_number(b);
    if (!are && !p->is_skipped) {
        refuse(p, "one cannot calculate with a text or list");
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
            value = som_xacro_number(is_negative ? -value.number : value.number, value.is_integer);
        }
    } else {
        value = read_member(p);
        if (!p->x->failed && take(p, "**")) {
            SomXacroValue power = read_unary(p);
            if (need_numbers(p, &value, &power) && !som_xacro_raise(&value, &power, &value) &&
                !p->is_skipped) {
                value = refuse(p, "powers are whole numbers up to 64, or 0.5");
            }
        }
    }
    p->depth--;
    return value;
}

static SomXacroValue divide(Parser *p, double a, double b, char sign, bool are_integers) {
    if (b == 0) {
        return p->is_skipped ? som_xacro_number(0, true) : refuse(p, "it divides by zero");
    }
    return sign == '%'   ? som_xacro_number(a - b * floor(a / b), are_integers)
           : sign == '|' ? som_xacro_number(floor(a / b), are_integers)
                         : som_xacro_number(a / b, false);
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
        a = sign == '*' ? som_xacro_number(a.number * b.number, are_integers)
                        : divide(p, a.number, b.number, sign, are_integers);
    }
    return a;
}

static SomXacroValue read_sum(Parser *p) {
    SomXacroValue a = read_product(p);
    while (!p->x->failed) {
        bool is_minus = take(p, "-");
        if (!is_minus && !take(p, "+")) {
            break;
        }
        SomXacroValue b = read_product(p);
        bool can_join = a.kind == SOM_XACRO_TEXT || a.kind == SOM_XACRO_LIST;
        if (!is_minus && can_join && a.kind == b.kind) {
            a = som_xacro_join(p->x, &a, &b, p->span);
        } else if (need_numbers(p, &a, &b)) {
            a = som_xacro_number(is_minus ? a.number - b.number : a.number + b.number,
                                 a.is_integer && b.is_integer);
        }
    }
    return a;
}

static bool compare(Parser *p, const SomXacroValue *a, const SomXacroValue *b, int sign) {
    bool are_texts = a->kind == SOM_XACRO_TEXT && b->kind == SOM_XACRO_TEXT;
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
    case 3:
        return som_xacro_equal(p->x, a, b) == (sign == 2);
    case 4:
        return order < 0;
    case 5:
        return order > 0;
    default:
        return som_xacro_contains(p->x, b, a) == (sign == 6);
    }
}

// Which stands here, -1 if none.
static int take_comparison(Parser *p) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    for (int i = 0; i < 6; i++) {
        if (take(p, signs[i])) {
            return i;
        }
    }
    size_t begin = p->at;
    bool is_not = take_word(p, "not");
    if (take_word(p, "in")) {
        return is_not ? 7 : 6;
    }
    p->at = begin;
    return -1;
}

static SomXacroValue read_comparison(Parser *p) {
    SomXacroValue a = read_sum(p), result = a;
    bool is_so = true;
    for (int sign; !p->x->failed && (sign = take_comparison(p)) >= 0;) { // a < b < c means both
        SomXacroValue b = read_sum(p);
        is_so = is_so && compare(p, &a, &b, sign);
        result = som_xacro_truth(is_so);
        a = b;
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
    return is_any ? som_xacro_truth(som_xacro_is_true(&value) != is_no) : value;
}

// Python does not look at what cannot change the result.
static SomXacroValue read_both(Parser *p) {
    SomXacroValue a = read_no(p);
    while (!p->x->failed && take_word(p, "and")) {
        bool was_skipped = p->is_skipped, is_decided = !som_xacro_is_true(&a);
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
        bool was_skipped = p->is_skipped, is_decided = som_xacro_is_true(&a);
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
        open += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (open < 0 || (open == 0 && (c == ',' || c == ':'))) {
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
    bool is_first = som_xacro_is_true(&condition);
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
    if (memchr(expression.data, '$', expression.length) != NULL) { // '$(find arm)/a.yaml'
        expression = som_xacro_evaluate_text(x, scope, expression, span);
    }
    Parser p = {.x = x, .scope = scope, .text = expression, .span = span};
    if (!som_xacro_spend(x, 0, expression.length + 1, span)) {
        return som_xacro_number(0, true);
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
