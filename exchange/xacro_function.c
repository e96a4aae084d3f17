// SPDX-License-Identifier: Apache-2.0
// The functions that expressions of xacro may call.

#include "exchange/xacro_internal.h"
#include "space/trigonometry.h"

#include <math.h>

#define MAX_RANGE 10000
#define MAX_POWER 64

// ---- of numbers

static bool find_angle(const SomXacroCall *call, SomXacroValue *result) {
    double v = call->values[0].number, s, c;
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
        if (call->count == 1 && som_str_equal(call->name, som_str(table[i].name))) {
            *result = som_xacro_number(table[i].value, false);
            return true;
        }
    }
    return false;
}

static bool find_whole(const SomXacroCall *call, SomXacroValue *result) {
    double v = call->values[0].number;
    const struct {
        const char *name;
        double value;
    } table[] = {{"int", trunc(v)}, {"floor", floor(v)}, {"ceil", ceil(v)}, {"round", rint(v)}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (call->count == 1 && som_str_equal(call->name, som_str(table[i].name))) {
            *result = som_xacro_number(table[i].value, true);
            return true;
        }
    }
    return false;
}

static bool is_named(const SomXacroCall *call, const char *name) {
    return som_str_equal(call->name, som_str(name));
}

static bool find_extreme(const SomXacroCall *call, SomXacroValue *result) {
    bool is_least = is_named(call, "min"), are_integers = true;
    double best = call->values[0].number;
    for (int i = 0; i < call->count; i++) {
        double v = call->values[i].number;
        best = is_least ? fmin(best, v) : fmax(best, v);
        are_integers = are_integers && call->values[i].is_integer;
    }
    *result = som_xacro_number(best, are_integers);
    return is_least || is_named(call, "max");
}

bool som_xacro_raise(const SomXacroValue *base, const SomXacroValue *power, SomXacroValue *result) {
    double raised = 1;
    if (power->number == 0.5) {
        *result = som_xacro_number(sqrt(base->number), false);
        return true;
    }
    if (power->number != rint(power->number) || fabs(power->number) > MAX_POWER) {
        return false;
    }
    for (int i = 0; i < (int)fabs(power->number); i++) { // by multiplication
        raised *= base->number;
    }
    *result = som_xacro_number(power->number < 0 ? 1 / raised : raised,
                               base->is_integer && power->is_integer && power->number >= 0);
    return true;
}

static bool apply_to_numbers(const SomXacroCall *given, SomXacroValue *result, SomText *why) {
    SomXacroCall call = *given;
    for (int i = 0; i < call.count; i++) {
        if (call.values[i].kind == SOM_XACRO_TEXT) {
            call.values[i] = som_xacro_literal(call.values[i].text); // float('1.5')
        }
        if (!som_xacro_is_number(&call.values[i])) {
            som_text_add(why, SOM_STR("a function gets numbers"));
            return false;
        }
    }
    if (find_angle(&call, result) || find_whole(&call, result) || find_extreme(&call, result)) {
        return true;
    }
    if (is_named(&call, "abs") && call.count == 1) {
        *result = som_xacro_number(fabs(call.values[0].number), call.values[0].is_integer);
        return true;
    }
    if (is_named(&call, "atan2") && call.count == 2) {
        *result = som_xacro_number(som_atan2(call.values[0].number, call.values[1].number), false);
        return true;
    }
    bool is_power = is_named(&call, "pow") && call.count == 2 &&
                    som_xacro_raise(&call.values[0], &call.values[1], result);
    result->is_integer = result->is_integer && !is_power;
    return is_power;
}

// ---- of lists, dicts and files

static bool make_dict(SomXacro *x, const SomXacroCall *call, SomXacroValue *result, SomText *why) {
    SomXacroItem items[SOM_XACRO_MAX_ARGUMENTS];
    for (int i = 0; i < call->count; i++) {
        if (call->names[i].length == 0) {
            som_text_add(why, SOM_STR("dict gets its members as name=value"));
            return false;
        }
        items[i] = (SomXacroItem){som_xacro_text(call->names[i]), call->values[i]};
    }
    *result = som_xacro_collect(x, SOM_XACRO_DICT, items, call->count, call->span);
    return true;
}

static bool make_range(SomXacro *x, const SomXacroCall *call, SomXacroValue *result, SomText *why) {
    double ends[2] = {0, 0};
    for (int i = 0; i < call->count && i < 2; i++) {
        ends[i + 2 - call->count] = call->values[i].number;
    }
    double count = fmax(ends[1] - ends[0], 0);
    if (!(count <= MAX_RANGE) || call->count > 2) {
        som_text_printf(why, "range has a begin and an end, at most %d apart", MAX_RANGE);
        return false;
    }
    SOM_ARRAY(SomXacroItem) items = {0};
    for (int i = 0; i < (int)count; i++) {
        SomXacroItem item = {.value = som_xacro_number(ends[0] + i, true)};
        som_array_push(&items, item);
    }
    *result = som_xacro_collect(x, SOM_XACRO_LIST, items.data, items.count, call->span);
    som_array_free(&items);
    return true;
}

// map(float, list), which gives a list here.
static bool apply_to_each(SomXacro *x, const SomXacroCall *call, SomXacroValue *result,
                          SomText *why) {
    const SomXacroValue *list = &call->values[1];
    SOM_ARRAY(SomXacroItem) items = {0};
    bool fine = call->count == 2 && list->kind == SOM_XACRO_LIST &&
                !som_str_equal(call->values[0].text, SOM_STR("map"));
    for (int i = 0; fine && i < list->count; i++) {
        SomXacroItem item = {0};
        SomXacroCall one = {.name = call->values[0].text,
                            .values = {list->items[i].value},
                            .count = 1,
                            .span = call->span};
        fine = som_xacro_apply(x, &one, &item.value, why);
        som_array_push(&items, item);
    }
    if (fine) {
        *result = som_xacro_collect(x, SOM_XACRO_LIST, items.data, items.count, call->span);
    } else if (why->length == 0) {
        som_text_add(why, SOM_STR("map has a function and a list"));
    }
    som_array_free(&items);
    return fine;
}

static int length_of(const SomXacroValue *value) {
    return value->kind == SOM_XACRO_TEXT ? (int)value->text.length : value->count;
}

// Functions of one value of any kind.
static bool apply_to_one(SomXacro *x, const SomXacroCall *call, SomXacroValue *result) {
    const SomXacroValue *only = &call->values[0];
    bool is_list = only->kind == SOM_XACRO_LIST, is_dict = only->kind == SOM_XACRO_DICT;
    bool is_text = only->kind == SOM_XACRO_TEXT;
    if (is_named(call, "str")) {
        *result = som_xacro_text(som_xacro_print(x, only, call->span));
    } else if (is_named(call, "bool")) {
        *result = som_xacro_truth(som_xacro_is_true(only));
    } else if (is_named(call, "len") && (is_list || is_dict || is_text)) {
        *result = som_xacro_number(length_of(only), true);
    } else if ((is_named(call, "list") && is_list) ||
               ((is_named(call, "dict") || is_named(call, "dotify")) && is_dict)) {
        *result = *only;
    } else if (is_named(call, "load_yaml") && is_text) {
        *result = som_xacro_load_yaml(x, only->text, call->span);
    } else if (is_named(call, "arg") && is_text) {
        return som_xacro_value_of(x, &x->arguments, only->text, result);
    } else {
        return false;
    }
    return true;
}

bool som_xacro_apply(SomXacro *x, const SomXacroCall *call, SomXacroValue *result, SomText *why) {
    if (call->count > 0 && call->names[0].length > 0 && !is_named(call, "dict")) {
        som_text_add(why, SOM_STR("only dict has arguments with names"));
        return false;
    }
    if (call->count == 1 && call->names[0].length == 0 && apply_to_one(x, call, result)) {
        return true;
    }
    if (is_named(call, "dict")) {
        return make_dict(x, call, result, why);
    }
    if (call->count == 0) {
        som_text_add(why, SOM_STR("a function without arguments is not understood"));
        return false;
    }
    if (is_named(call, "map")) {
        return apply_to_each(x, call, result, why);
    }
    if (is_named(call, "range")) {
        return make_range(x, call, result, why);
    }
    bool is_known = apply_to_numbers(call, result, why);
    if (!is_known && why->length == 0) {
        som_text_printf(why, "there is no function '%.*s' here",
                        SOM_STR_ARG(som_str_slice(call->name, 0, 60)));
    }
    return is_known;
}

// ---- of texts

// At blanks, of which several count as one, or at every sign that is given.
static SomXacroValue split(SomXacro *x, SomStr text, SomStr sign, SomSpan span) {
    SOM_ARRAY(SomXacroItem) items = {0};
    size_t begin = 0;
    for (size_t at = 0; at <= text.length && som_xacro_spend(x, 0, 1, span);) {
        SomStr rest = som_str_slice(text, at, text.length);
        bool is_end = at == text.length;
        bool is_blank = !is_end && sign.length == 0 && strchr(" \t\n\r", text.data[at]) != NULL;
        bool is_sign = !is_end && sign.length > 0 && som_str_starts_with(rest, sign);
        if (!is_end && !is_blank && !is_sign) {
            at++;
            continue;
        }
        SomXacroItem item = {.value = som_xacro_text(som_str_slice(text, begin, at))};
        if (sign.length > 0 || at > begin) {
            som_array_push(&items, item);
        }
        at += sign.length > 0 && !is_end ? sign.length : 1;
        begin = at;
    }
    SomXacroValue list = som_xacro_collect(x, SOM_XACRO_LIST, items.data, items.count, span);
    som_array_free(&items);
    return list;
}

bool som_xacro_apply_to_text(SomXacro *x, SomStr text, const SomXacroCall *call,
                             SomXacroValue *result, SomText *why) {
    const SomXacroValue *only = &call->values[0];
    bool has_text = call->count == 1 && only->kind == SOM_XACRO_TEXT && only->text.length > 0;
    if (is_named(call, "split") && (call->count == 0 || has_text)) {
        *result = split(x, text, call->count > 0 ? only->text : SOM_STR(""), call->span);
    } else if (is_named(call, "startswith") && has_text) {
        *result = som_xacro_truth(som_str_starts_with(text, only->text));
    } else if (is_named(call, "endswith") && has_text) {
        *result = som_xacro_truth(som_str_ends_with(text, only->text));
    } else {
        som_text_printf(why, "'.%.*s' is not understood here",
                        SOM_STR_ARG(som_str_slice(call->name, 0, 60)));
        return false;
    }
    return true;
}
