// SPDX-License-Identifier: Apache-2.0
#include "command/option_checks.h"

#include "base/codes/base_codes.h"
#include "base/file.h"
#include "base/number.h"
#include "base/path.h"
#include "language/quantity_text.h"

#include <math.h>

// Larger values are mistakes. In SI units.
#define LARGEST 1e6

// ---- values

static bool is_numeric(SomOptionKind kind) {
    return kind == SOM_TAKES_COUNT || kind == SOM_TAKES_NUMBER || kind == SOM_TAKES_QUANTITY;
}

static SomDimensionName dimension_of(const SomOption *option) {
    return option->kind == SOM_TAKES_QUANTITY ? option->dimension : SOM_DIMENSION_NUMBER;
}

// In the unit in which people would write it: 10us, 20ms, 60s.
static void print_bound(double value, SomDimensionName dimension, SomText *out) {
    const char *unit = NULL;
    if (dimension == SOM_DIMENSION_TIME && value > 0) {
        unit = value < 1e-3 ? "us" : value < 1 ? "ms" : "s";
    } else if (dimension == SOM_DIMENSION_LENGTH && value > 0 && value < 1) {
        unit = value < 1e-3 ? "um" : "mm";
    }
    if (unit != NULL) { // 1e-7 s is 0.1us, which converts to another double
        som_text_rounded(out, som_unit_from_si(som_unit_find(som_str(unit)), value), 12);
        som_text_add(out, som_str(unit));
    } else {
        som_quantity_print((SomQuantity){value, som_dimension(dimension)}, NULL, out);
    }
}

static void print_range(const SomOption *option, SomText *out) {
    SomDimensionName dimension = dimension_of(option);
    int count;
    som_text_add(out, option->kind == SOM_TAKES_COUNT    ? SOM_STR("a whole number")
                      : option->kind == SOM_TAKES_NUMBER ? SOM_STR("a number")
                                                         : som_dimensions(&count)[dimension].shown);
    if (option->low < option->high) {
        som_text_add(out, SOM_STR(" from "));
        print_bound(option->low, dimension, out);
        som_text_add(out, SOM_STR(" to "));
        print_bound(option->high, dimension, out);
    }
}

// False if the text is not what the option takes; `why` is then a reason.
static bool read_value(const SomOption *option, SomStr text, double *value, SomText *why) {
    if (!som_quantity_parse(text, dimension_of(option), value, why)) {
        return false;
    }
    bool is_whole = option->kind != SOM_TAKES_COUNT || *value == floor(*value);
    bool is_inside = option->low < option->high ? *value >= option->low && *value <= option->high
                                                : fabs(*value) <= LARGEST;
    if (!is_whole || !is_inside) {
        som_text_printf(why, "'%.*s' is not ", SOM_STR_ARG(text));
        print_range(option, why);
    }
    return is_whole && is_inside;
}

double som_command_number(const SomCommand *command, const char *option, double otherwise) {
    double value = otherwise;
    for (int i = 0; i < command->given.count; i++) {
        const SomGiven *given = &command->given.data[i];
        SomText why = {0};
        if (strcmp(given->option->name, option) == 0 &&
            !read_value(given->option, som_str(given->value), &value, &why)) {
            value = otherwise; // it was reported before the verb ran
        }
        som_text_free(&why);
    }
    return value;
}

bool som_command_quantity(SomCommand *command, const char *subject, SomStr text,
                          SomDimensionName wanted, double *value) {
    SomText why = {0};
    bool is_good = som_quantity_parse(text, wanted, value, &why);
    if (is_good && !(fabs(*value) <= LARGEST)) {
        som_text_printf(&why, "'%.*s' is too large", SOM_STR_ARG(text));
        is_good = false;
    }
    if (!is_good) {
        som_command_misused(command, "%s: %s", subject, why.data);
    }
    som_text_free(&why);
    return is_good;
}

static void check_value(SomCommand *command, const SomGiven *given) {
    double value;
    SomText why = {0};
    if (given->value == NULL) {
        return;
    }
    if (is_numeric(given->option->kind) &&
        !read_value(given->option, som_str(given->value), &value, &why)) {
        som_command_misused(command, "--%s: %s", given->option->name, why.data);
    }
    som_text_free(&why);
}

// ---- options among each other

static void check_repetition(SomCommand *command, int at) {
    const SomOption *option = command->given.data[at].option;
    for (int i = 0; i < at; i++) {
        if (command->given.data[i].option == option && option->value != NULL &&
            !option->is_repeated) {
            som_command_misused(command, "--%s is given twice", option->name);
            return;
        }
    }
}

static void check_company(SomCommand *command, const SomOption *option) {
    if (option->needs != NULL && !som_command_has(command, option->needs)) {
        som_command_misused(command, "--%s needs --%s", option->name, option->needs);
    }
    SomStr rest = som_str(option->excludes != NULL ? option->excludes : ""), word;
    while (som_str_next_word(&rest, &word)) {
        SomText name = {0};
        som_text_add(&name, word);
        if (som_command_has(command, name.data)) {
            som_command_misused(command, "give --%s or --%s, not both", option->name, name.data);
        }
        som_text_free(&name);
    }
}

// ---- outputs

bool som_command_check_ending(SomCommand *command, const char *option, SomStr path,
                              SomStr endings) {
    SomText words = {0}; // ".som or .m3l"
    SomStr ending;
    bool is_good = false;
    while (som_str_next_word(&endings, &ending)) {
        is_good = is_good || som_str_ends_with(path, ending);
        som_text_add(&words, words.length > 0 ? SOM_STR(" or ") : SOM_STR(""));
        som_text_add(&words, ending);
    }
    if (!is_good) {
        som_command_misused(command, "--%s: '%.*s' does not end in %s", option, SOM_STR_ARG(path),
                            words.data);
    }
    som_text_free(&words);
    return is_good;
}

static bool is_output(const SomGiven *given) {
    return given->option->kind == SOM_TAKES_OUTPUT || given->option->kind == SOM_TAKES_FOLDER;
}

// Whether two names are of one file, which need not exist yet.
static bool is_same_output(const char *a, const char *b) {
    SomText one = {0}, other = {0};
    som_path_join(&one, som_path_folder(som_str(a)), SOM_STR("."));
    som_path_join(&other, som_path_folder(som_str(b)), SOM_STR("."));
    bool is_same = som_str_equal(som_path_name(som_str(a)), som_path_name(som_str(b))) &&
                   som_file_is_same(one.data, other.data);
    som_text_free(&one);
    som_text_free(&other);
    return is_same || strcmp(a, b) == 0 || som_file_is_same(a, b);
}

// An output before this one that is the same file.
static const SomOption *find_same_output(const SomCommand *command, int at) {
    for (int i = 0; i < at; i++) {
        const SomGiven *other = &command->given.data[i];
        if (is_output(other) && is_same_output(other->value, command->given.data[at].value)) {
            return other->option;
        }
    }
    return NULL;
}

static void check_output(SomCommand *command, int at) {
    const SomGiven *given = &command->given.data[at];
    const SomOption *option = given->option;
    if (!is_output(given)) {
        return;
    }
    const SomOption *same = find_same_output(command, at);
    if (given->value[0] == '\0') {
        som_command_misused(command, "option '--%s' needs a value: %s", option->name,
                            option->value);
    } else if (option->endings != NULL &&
               !som_command_check_ending(command, option->name, som_str(given->value),
                                         som_str(option->endings))) {
        return;
    } else if (!option->may_be_read && som_command_reads(command, given->value)) {
        som_command_misused(command, "--%s: '%s' is read; write another file", option->name,
                            given->value);
    } else if (same != NULL && same != option) {
        som_command_misused(command, "--%s and --%s write the same file '%s'", same->name,
                            option->name, given->value);
    }
}

bool som_command_may_write(SomCommand *command, const char *path) {
    bool may = som_command_has(command, "overwrite") || som_file_is_free(path, command->diags);
    som_command_note_overwrite(command);
    return may;
}

void som_command_note_overwrite(SomCommand *command) {
    if (som_diagnostics_has(command->diags, SOM_FILE_EXISTS)) {
        som_note(command->diags, (SomSpan){0}, "--overwrite replaces it");
    }
}

static void try_outputs(SomCommand *command) {
    for (int i = 0; i < command->given.count; i++) {
        const SomGiven *given = &command->given.data[i];
        if (given->option->kind == SOM_TAKES_OUTPUT) {
            som_file_can_save(given->value, command->diags);
        } else if (given->option->kind == SOM_TAKES_FOLDER) {
            som_file_can_make_folder(given->value, command->diags);
        }
    }
}

void som_command_check_options(SomCommand *command) {
    for (int i = 0; i < command->given.count; i++) {
        check_value(command, &command->given.data[i]);
        check_repetition(command, i);
        check_company(command, command->given.data[i].option);
        check_output(command, i);
    }
    if (command->usage_errors == 0) {
        try_outputs(command);
    }
}
