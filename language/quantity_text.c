// SPDX-License-Identifier: Apache-2.0
#include "language/quantity_text.h"

#include "base/number.h"

#include <math.h>

// Units that people may have meant, the likely one first.
static const struct {
    SomDimensionName dimension;
    const char *units[2];
} likely[] = {
    {SOM_DIMENSION_TIME, {"ms", "s"}},
    {SOM_DIMENSION_ANGLE, {"deg", "rad"}},
    {SOM_DIMENSION_LENGTH, {"mm", "m"}},
};

void som_quantity_print_unitless(SomStr number, SomDimensionName wanted, SomText *out) {
    int count;
    som_text_printf(out, "'%.*s' has no unit; write ", SOM_STR_ARG(number));
    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
        if (likely[i].dimension == wanted) {
            som_text_printf(out, "%.*s%s or %.*s%s", SOM_STR_ARG(number), likely[i].units[0],
                            SOM_STR_ARG(number), likely[i].units[1]);
            return;
        }
    }
    som_text_printf(out, "%.*s%.*s", SOM_STR_ARG(number),
                    SOM_STR_ARG(som_dimensions(&count)[wanted].unit));
}

// The longest beginning that is a number; the rest is its unit. False if nothing is a number.
static bool split(SomStr text, SomStr *number, SomStr *unit) {
    for (size_t end = text.length; end > 0; end--) {
        double unused;
        *number = som_str_slice(text, 0, end);
        if (som_number_parse(*number, &unused)) {
            *unit = som_str_slice(text, end, text.length);
            return true;
        }
    }
    return false;
}

static void explain_unit(SomStr number, SomStr unit, SomText *why) {
    SomStr word = unit;
    while (word.length > 0 && word.data[0] == ' ') {
        word = som_str_slice(word, 1, word.length);
    }
    if (som_unit_find(word) != NULL) {
        som_text_printf(why, "'%.*s%.*s' has a blank before its unit; write %.*s%.*s",
                        SOM_STR_ARG(number), SOM_STR_ARG(unit), SOM_STR_ARG(number),
                        SOM_STR_ARG(word));
        return;
    }
    const SomUnit *meant = som_unit_guess(unit);
    som_text_printf(why, "unit '%.*s' is not known", SOM_STR_ARG(unit));
    if (meant != NULL) {
        som_text_printf(why, "; did you mean %.*s%.*s?", SOM_STR_ARG(number),
                        SOM_STR_ARG(meant->text));
    }
}

bool som_quantity_parse(SomStr text, SomDimensionName wanted, double *value, SomText *why) {
    SomStr number, unit;
    SomQuantity quantity;
    int count;
    const SomDimensionInfo *info = &som_dimensions(&count)[wanted];
    if (!split(text, &number, &unit)) {
        som_text_printf(why, "'%.*s' is not %.*s", SOM_STR_ARG(text), SOM_STR_ARG(info->shown));
        return false;
    }
    double plain = 0;
    if (!som_number_parse(number, &plain) || !isfinite(plain)) {
        som_text_printf(why, "'%.*s' is too large", SOM_STR_ARG(text));
        return false;
    }
    if (unit.length > 0 && som_unit_find(unit) == NULL) {
        explain_unit(number, unit, why);
        return false;
    }
    if (unit.length == 0 && wanted != SOM_DIMENSION_NUMBER) {
        som_quantity_print_unitless(number, wanted, why);
        return false;
    }
    bool is_read = som_quantity_read(number, unit, &quantity);
    if (!is_read || !som_dimension_equal(quantity.dimension, info->dimension)) {
        som_text_printf(why, "'%.*s' is not %.*s", SOM_STR_ARG(text), SOM_STR_ARG(info->shown));
        return false;
    }
    *value = quantity.value;
    return true;
}
