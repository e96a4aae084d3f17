// SPDX-License-Identifier: Apache-2.0

#include "base/codes/modules_codes.h"
#include "language/name.h"
#include "modules/m3l_reader_internal.h"
#include "space/trigonometry.h"

#include <math.h>

// More errors than this are not shown by any program of ours, and near names are looked for among
// no more than this: nobody reads the hundredth hint.
#define HINTED_ERRORS 20
#define HINTED_NAMES 10000

SomSpan som_m3l_span(const SomM3lReader *r, SomNode node) {
    return node != 0 ? som_syntax_span(r->tree, node) : (SomSpan){0};
}

bool som_m3l_is(const SomM3lReader *r, SomNode node, SomM3lKind kind) {
    return node != 0 && som_syntax_kind(r->tree, node) == (int)kind;
}

// ---- names

static SomStr read_name(SomM3lReader *r, SomNode node) {
    SomStr text = som_syntax_text(r->tree, node);
    if (text.length > 0 && text.data[0] != '"') {
        return som_arena_copy(r->arena, text);
    }
    SomText plain = {0};
    som_name_read(text, &plain);
    SomStr name = som_arena_copy(r->arena, som_text_str(&plain));
    som_text_free(&plain);
    return name;
}

SomStr som_m3l_name(SomM3lReader *r, SomNode node) {
    if (som_m3l_is(r, node, SOM_M3L_REFERENCE) && som_m3l_part_count(r, node) == 1) {
        node = som_m3l_part(r, node, 0);
    }
    if (som_m3l_is(r, node, SOM_M3L_NAME) || som_m3l_is(r, node, SOM_M3L_STRING)) {
        return read_name(r, node);
    }
    return (SomStr){"", 0};
}

SomStr som_m3l_keyword(const SomM3lReader *r, SomNode definition) {
    return som_syntax_token_text(r->tree, som_syntax_first_token(r->tree, definition));
}

SomNode som_m3l_name_node(const SomM3lReader *r, SomNode definition) {
    SomNode first = som_syntax_first_child(r->tree, definition);
    return som_m3l_is(r, first, SOM_M3L_NAME) ? first : 0;
}

SomNode som_m3l_part(const SomM3lReader *r, SomNode reference, int n) {
    SomNode part = som_syntax_first_child(r->tree, reference);
    while (n-- > 0 && part != 0) {
        part = som_syntax_next_sibling(r->tree, part);
    }
    return part;
}

int som_m3l_part_count(const SomM3lReader *r, SomNode reference) {
    int count = 0;
    SomNode part = som_syntax_first_child(r->tree, reference);
    for (; part != 0; part = som_syntax_next_sibling(r->tree, part)) {
        count++;
    }
    return count;
}

SomNode som_m3l_first_item(const SomM3lReader *r, SomNode value) {
    if (som_m3l_is(r, value, SOM_M3L_CALL)) {
        SomNode name = som_syntax_first_child(r->tree, value);
        return som_syntax_next_sibling(r->tree, name);
    }
    if (som_m3l_is(r, value, SOM_M3L_TUPLE) || som_m3l_is(r, value, SOM_M3L_RANGE)) {
        return som_syntax_first_child(r->tree, value);
    }
    return value;
}

SomNode som_m3l_next_item(const SomM3lReader *r, SomNode value, SomNode item) {
    return item != value ? som_syntax_next_sibling(r->tree, item) : 0;
}

int som_m3l_items(const SomM3lReader *r, SomNode value, SomNode *items, int max) {
    int count = 0;
    SomNode item = som_m3l_first_item(r, value);
    for (; item != 0; item = som_m3l_next_item(r, value, item)) {
        if (count < max) {
            items[count] = item;
        }
        count++;
    }
    return count;
}

// ---- attributes

SomStr som_m3l_attribute_name(SomM3lReader *r, SomNode attribute) {
    return read_name(r, som_syntax_first_child(r->tree, attribute));
}

SomNode som_m3l_value_of(const SomM3lReader *r, SomNode attribute) {
    SomNode name = som_syntax_first_child(r->tree, attribute);
    return som_syntax_next_sibling(r->tree, name);
}

SomNode som_m3l_attribute(const SomM3lReader *r, SomNode definition, const char *name) {
    SomNode node = som_syntax_find_child(r->tree, definition, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_ATTRIBUTE)) {
        SomNode its_name = som_syntax_first_child(r->tree, node);
        if (som_str_equal(som_syntax_text(r->tree, its_name), som_str(name))) {
            return node;
        }
    }
    return 0;
}

static int count_names(const char *const *known) {
    int count = 0;
    while (known[count] != NULL) {
        count++;
    }
    return count;
}

void som_m3l_check_attributes(SomM3lReader *r, SomNode definition, const char *const *known) {
    int known_count = count_names(known);
    uint64_t seen = 0;
    SomNode node = som_syntax_find_child(r->tree, definition, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_ATTRIBUTE)) {
        SomNode name_node = som_syntax_first_child(r->tree, node);
        SomStr name = som_syntax_text(r->tree, name_node);
        SomSpan span = som_m3l_span(r, name_node);
        int i = 0;
        while (i < known_count && !som_str_equal(name, som_str(known[i]))) {
            i++;
        }
        if (i == known_count) {
            SomStr names[64];
            for (int k = 0; k < known_count; k++) {
                names[k] = som_str(known[k]);
            }
            SomStr keyword = som_m3l_keyword(r, definition);
            som_report(r->diags, SOM_M3L_UNKNOWN_ATTRIBUTE, span, "a %.*s has no attribute '%.*s'",
                       SOM_STR_ARG(keyword), SOM_STR_ARG(name));
            int nearest = som_str_find_nearest(name, names, known_count);
            if (nearest >= 0 && span.source1 != 0) {
                som_fix(r->diags, span, names[nearest]);
            }
        } else if ((seen >> i & 1) != 0) {
            som_report(r->diags, SOM_M3L_ATTRIBUTE_TWICE, span, "'%.*s' is given twice",
                       SOM_STR_ARG(name));
        } else {
            seen |= UINT64_C(1) << i;
        }
    }
}

SomNode som_m3l_value(SomM3lReader *r, SomNode definition, const char *name, bool required) {
    SomNode attribute = som_m3l_attribute(r, definition, name);
    SomNode value = attribute != 0 ? som_m3l_value_of(r, attribute) : 0;
    if (value != 0) {
        return som_syntax_has_error(r->tree, value) ? 0 : value;
    }
    if (attribute != 0 && !som_syntax_has_error(r->tree, attribute)) {
        som_report(r->diags, SOM_M3L_WRONG_VALUE, som_m3l_span(r, attribute), "'%s' needs a value",
                   name);
    } else if (attribute == 0 && required && !som_syntax_has_error(r->tree, definition)) {
        SomNode place = som_m3l_name_node(r, definition);
        SomStr keyword = som_m3l_keyword(r, definition);
        som_report(r->diags, SOM_M3L_MISSING_ATTRIBUTE,
                   som_m3l_span(r, place != 0 ? place : definition), "the %.*s has no '%s'",
                   SOM_STR_ARG(keyword), name);
    }
    return 0;
}

// ---- reports

void som_m3l_report_unknown(SomM3lReader *r, SomNode node, const char *what, SomStr name,
                            SomM3lNames near) {
    SomSpan span = som_m3l_span(r, node);
    bool gives_hint = som_diagnostics_error_count(r->diags) < HINTED_ERRORS &&
                      near.count <= HINTED_NAMES && span.source1 != 0;
    som_report(r->diags, SOM_M3L_UNKNOWN_NAME, span, "no %s is called '%.*s'", what,
               SOM_STR_ARG(name));
    if (!gives_hint || near.count == 0) {
        return;
    }
    SomStr *names = som_alloc(sizeof *names * (size_t)near.count);
    for (int i = 0; i < near.count; i++) {
        names[i] = *(const SomStr *)((const char *)near.first + (size_t)i * near.stride);
    }
    int nearest = som_str_find_nearest(name, names, near.count);
    if (nearest >= 0) {
        SomText text = {0};
        som_name_print(&text, names[nearest]);
        som_fix(r->diags, span, som_text_str(&text));
        som_text_free(&text);
    }
    som_free(names);
}

void *som_m3l_keep_bytes(SomM3lReader *r, const void *data, int count, size_t size) {
    void *copy = som_arena_alloc(r->arena, (size_t)count, size);
    if (count > 0) {
        memcpy(copy, data, (size_t)count * size);
    }
    return copy;
}

bool som_m3l_spend(SomM3lReader *r, int steps) {
    bool has_steps = r->steps_left >= (uint64_t)steps;
    r->steps_left -= has_steps ? (uint64_t)steps : r->steps_left;
    return has_steps;
}

void som_m3l_report_value(SomM3lReader *r, SomNode node, const char *needs) {
    if (!som_syntax_has_error(r->tree, node)) {
        som_report(r->diags, SOM_M3L_WRONG_VALUE, som_m3l_span(r, node), "%s", needs);
    }
}

static bool report_dimensions(SomM3lReader *r, SomNode node, SomDimension wanted,
                              SomDimension given) {
    SomText a = {0}, b = {0};
    som_dimension_print(wanted, &a);
    som_dimension_print(given, &b);
    som_report(r->diags, SOM_M3L_WRONG_UNIT, som_m3l_span(r, node),
               "this must be %.*s, but is %.*s", SOM_STR_ARG(som_text_str(&a)),
               SOM_STR_ARG(som_text_str(&b)));
    som_text_free(&a);
    som_text_free(&b);
    return false;
}

// ---- arithmetic

static bool evaluate(SomM3lReader *r, SomNode node, SomQuantity *result);

static bool is_plain(SomQuantity q) {
    return som_dimension_equal(q.dimension, som_dimension(SOM_DIMENSION_NUMBER));
}

static bool evaluate_quantity(SomM3lReader *r, SomNode node, SomQuantity *result) {
    SomNode unit = som_syntax_first_child(r->tree, node);
    SomStr number = som_syntax_token_text(r->tree, som_syntax_first_token(r->tree, node));
    SomStr unit_text = unit != 0 ? som_syntax_text(r->tree, unit) : (SomStr){"", 0};
    return som_quantity_read(number, unit_text, result); // else the lexer has reported it
}

static bool evaluate_word(SomM3lReader *r, SomNode node, SomQuantity *result) {
    SomStr word = som_syntax_text(r->tree, node);
    SomDimension number = som_dimension(SOM_DIMENSION_NUMBER);
    if (som_str_equal(word, SOM_STR("pi"))) {
        *result = (SomQuantity){SOM_PI, number};
    } else if (som_str_equal(word, SOM_STR("inf"))) {
        *result = (SomQuantity){(double)INFINITY, number};
    } else {
        som_m3l_report_value(r, node, "this must be a number");
        return false;
    }
    return true;
}

static bool evaluate_call(SomM3lReader *r, SomNode node, SomQuantity *result) {
    SomStr name = som_syntax_text(r->tree, som_syntax_first_child(r->tree, node));
    bool is_sqrt = som_str_equal(name, SOM_STR("sqrt"));
    bool is_sin = som_str_equal(name, SOM_STR("sin"));
    bool is_cos = som_str_equal(name, SOM_STR("cos"));
    SomNode argument[1];
    if ((!is_sqrt && !is_sin && !is_cos) || som_m3l_items(r, node, argument, 1) != 1) {
        som_m3l_report_value(r, node, "the functions of numbers are sqrt, sin and cos");
        return false;
    }
    SomQuantity q;
    if (!evaluate(r, argument[0], &q)) {
        return false;
    }
    SomDimension angle = som_dimension(SOM_DIMENSION_ANGLE);
    if (!is_plain(q) && (is_sqrt || !som_dimension_equal(q.dimension, angle))) {
        return report_dimensions(r, argument[0], som_dimension(SOM_DIMENSION_NUMBER), q.dimension);
    }
    double value = is_sqrt ? sqrt(q.value) : is_sin ? som_sin(q.value) : som_cos(q.value);
    *result = (SomQuantity){value, som_dimension(SOM_DIMENSION_NUMBER)};
    return true;
}

// Operands and operators of a flat SUM or PRODUCT, from left to right.
static bool evaluate_chain(SomM3lReader *r, SomNode node, SomQuantity *result) {
    SomElements it = som_syntax_elements(r->tree, node);
    char operation = 0;
    while (som_elements_next(&it)) {
        if (it.node == 0) {
            operation = som_syntax_token_text(r->tree, it.token).data[0];
            continue;
        }
        SomQuantity q;
        if (!evaluate(r, it.node, &q)) {
            return false;
        }
        if (operation == 0) {
            *result = q;
        } else if (operation == '*') {
            result->value *= q.value;
            result->dimension = som_dimension_multiply(result->dimension, q.dimension);
        } else if (operation == '/') {
            result->value /= q.value;
            result->dimension = som_dimension_divide(result->dimension, q.dimension);
        } else if (!som_dimension_equal(result->dimension, q.dimension)) {
            return report_dimensions(r, it.node, result->dimension, q.dimension);
        } else {
            result->value += operation == '+' ? q.value : -q.value;
        }
    }
    return true;
}

static bool evaluate(SomM3lReader *r, SomNode node, SomQuantity *result) {
    SomNode inner[1];
    if (som_syntax_has_error(r->tree, node)) {
        return false;
    }
    switch (som_syntax_kind(r->tree, node)) {
    case SOM_M3L_QUANTITY:
        return evaluate_quantity(r, node, result);
    case SOM_M3L_REFERENCE:
        return evaluate_word(r, node, result);
    case SOM_M3L_CALL:
        return evaluate_call(r, node, result);
    case SOM_M3L_SUM:
    case SOM_M3L_PRODUCT:
        return evaluate_chain(r, node, result);
    case SOM_M3L_NEGATION:
        if (!evaluate(r, som_syntax_first_child(r->tree, node), result)) {
            return false;
        }
        if (som_syntax_text(r->tree, node).data[0] == '-') {
            result->value = -result->value;
        }
        return true;
    case SOM_M3L_TUPLE:
        if (som_m3l_items(r, node, inner, 1) == 1) {
            return evaluate(r, inner[0], result);
        }
        break;
    }
    som_m3l_report_value(r, node, "this must be a number");
    return false;
}

bool som_m3l_read_quantity(SomM3lReader *r, SomNode value, SomQuantity *result) {
    SomQuantity q = {0};
    if (value == 0 || !evaluate(r, value, &q)) {
        return false;
    }
    if (isnan(q.value)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, value),
                   "this number has no value");
        return false;
    }
    *result = q;
    return true;
}

bool som_m3l_read_number(SomM3lReader *r, SomNode value, SomDimensionName dimension,
                         double *result) {
    SomQuantity q;
    if (!som_m3l_read_quantity(r, value, &q)) {
        return false;
    }
    SomDimension wanted = som_dimension(dimension);
    if (is_plain(q) && dimension == SOM_DIMENSION_LENGTH) {
        q.value *= r->unit;
    } else if (!is_plain(q) && !som_dimension_equal(q.dimension, wanted)) {
        return report_dimensions(r, value, wanted, q.dimension);
    }
    *result = q.value;
    return true;
}

bool som_m3l_read_vector(SomM3lReader *r, SomNode value, SomDimensionName dimension,
                         SomVec3 *result) {
    SomNode items[3];
    if (value == 0 || som_syntax_has_error(r->tree, value)) {
        return false;
    }
    if (!som_m3l_is(r, value, SOM_M3L_TUPLE) || som_m3l_items(r, value, items, 3) != 3) {
        som_m3l_report_value(r, value, "this must be three numbers: (x, y, z)");
        return false;
    }
    double x[3];
    for (int i = 0; i < 3; i++) {
        if (!som_m3l_read_number(r, items[i], dimension, &x[i])) {
            return false;
        }
        if (!(fabs(x[i]) <= SOM_M3L_LARGEST)) {
            som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, items[i]),
                       "this number is too large");
            return false;
        }
    }
    *result = som_vec3(x[0], x[1], x[2]);
    return true;
}

bool som_m3l_read_text(SomM3lReader *r, SomNode value, SomStr *result) {
    if (value == 0) {
        return false;
    }
    if (!som_m3l_is(r, value, SOM_M3L_STRING)) {
        som_m3l_report_value(r, value, "this must be a text in quotes");
        return false;
    }
    *result = read_name(r, value);
    return true;
}

static SomStr read_lines(SomM3lReader *r, SomNode value) {
    SomText text = {0};
    SomNode item = value != 0 ? som_m3l_first_item(r, value) : 0;
    for (; item != 0; item = som_m3l_next_item(r, value, item)) {
        SomStr line;
        if (som_m3l_read_text(r, item, &line)) {
            som_text_add(&text, text.length > 0 ? SOM_STR("\n") : SOM_STR(""));
            som_text_add(&text, line);
        }
    }
    SomStr kept = som_arena_copy(r->arena, som_text_str(&text));
    som_text_free(&text);
    return kept;
}

void som_m3l_read_kept(SomM3lReader *r, SomNode definition, SomKeptText *kept) {
    kept->urdf = read_lines(r, som_m3l_value(r, definition, "urdf", false));
    kept->sdf = read_lines(r, som_m3l_value(r, definition, "sdf", false));
}

bool som_m3l_read_axis(SomM3lReader *r, SomNode definition, SomVec3 *origin, SomVec3 *direction) {
    static const char *const known[] = {"origin", "direction", NULL};
    som_m3l_check_attributes(r, definition, known);
    SomNode toward = som_m3l_value(r, definition, "direction", true);
    SomVec3 d;
    bool has_origin = som_m3l_read_vector(r, som_m3l_value(r, definition, "origin", true),
                                          SOM_DIMENSION_LENGTH, origin);
    if (!som_m3l_read_vector(r, toward, SOM_DIMENSION_NUMBER, &d)) {
        return false;
    }
    double length = som_vec3_length(d);
    if (!(length > 1e-12)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, toward),
                   "a direction cannot be zero");
        return false;
    }
    *direction = som_vec3_scale(1 / length, d);
    return has_origin;
}

void som_m3l_read_option(SomM3lReader *r, SomNode definition, const char *name,
                         SomDimensionName dimension, bool is_positive, double *result) {
    SomNode value = som_m3l_value(r, definition, name, false);
    double number;
    if (value == 0 || !som_m3l_read_number(r, value, dimension, &number)) {
        return;
    }
    if (!(is_positive ? number > 0 : number >= 0)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, value),
                   is_positive ? "'%s' must be a number above zero"
                               : "'%s' must be a number that is not negative",
                   name);
    } else if (number > SOM_M3L_LARGEST_OPTION) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, value), "'%s' is too large",
                   name);
    } else {
        *result = number;
    }
}

SomNode som_m3l_require_name(SomM3lReader *r, SomNode definition, SomStr *name) {
    SomNode node = som_m3l_name_node(r, definition);
    if (node == 0 || som_syntax_has_error(r->tree, node)) {
        if (node == 0 && !som_syntax_has_error(r->tree, definition)) {
            SomStr keyword = som_m3l_keyword(r, definition);
            som_report(r->diags, SOM_M3L_NO_NAME, som_m3l_span(r, definition),
                       "this %.*s has no name", SOM_STR_ARG(keyword));
        }
        return 0;
    }
    *name = som_m3l_name(r, node);
    return node;
}
