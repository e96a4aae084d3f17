// SPDX-License-Identifier: Apache-2.0
#include "base/codes/compose_text_codes.h"
#include "base/codes/verify_codes.h"
#include "player/physics_facts.h"
#include "verify/verify.h"

#include <assert.h>
#include <stddef.h>

static const SomVerifyOptionInfo infos[] = {
#define SOM_VERIFY_OPTION(field, name, option, dimension, otherwise, low, high, help)              \
    {{name, sizeof name - 1}, option, SOM_DIMENSION_##dimension, otherwise, low, high, help},
#include "verify/options.inc"
#undef SOM_VERIFY_OPTION
};

enum { OPTIONS = sizeof infos / sizeof *infos };

static_assert(sizeof(SomVerifyOptions) == OPTIONS * sizeof(double), "options are numbers in a row");

const SomVerifyOptionInfo *som_verify_option_infos(int *count) {
    *count = OPTIONS;
    return infos;
}

double *som_verify_option(SomVerifyOptions *options, int index) {
    static const size_t offsets[] = {
#define SOM_VERIFY_OPTION(field, name, option, dimension, otherwise, low, high, help)              \
    offsetof(SomVerifyOptions, field),
#include "verify/options.inc"
#undef SOM_VERIFY_OPTION
    };
    assert(0 <= index && index < OPTIONS);
    return (double *)(void *)((char *)options + offsets[index]);
}

SomVerifyOptions som_verify_default_options(void) {
    SomVerifyOptions options;
    for (int i = 0; i < OPTIONS; i++) {
        *som_verify_option(&options, i) = infos[i].otherwise;
    }
    return options;
}

int som_verify_find_option(SomStr name) {
    for (int i = 0; i < OPTIONS; i++) {
        if (som_str_equal(infos[i].name, name)) {
            return i;
        }
    }
    return -1;
}

// ---- what a design says

bool som_verify_option_is_good(int index, double value, SomText *why) {
    const SomVerifyOptionInfo *info = &infos[index];
    if (value >= info->low && value <= info->high) {
        return true;
    }
    SomDimension dimension = som_dimension(info->dimension);
    som_text_printf(why, "%.*s from ", SOM_STR_ARG(som_dimension_info(dimension)->shown));
    som_quantity_print((SomQuantity){info->low, dimension}, NULL, why);
    som_text_add(why, SOM_STR(" to "));
    som_quantity_print((SomQuantity){info->high, dimension}, NULL, why);
    return false;
}

static void report_unknown(const SomSetting *setting, SomDiagnostics *diags) {
    SomStr names[OPTIONS];
    for (int i = 0; i < OPTIONS; i++) {
        names[i] = infos[i].name;
    }
    int nearest = som_str_find_nearest(setting->name, names, OPTIONS);
    if (nearest < 0) {
        som_report(diags, SOM_VERIFY_OPTION_UNKNOWN, setting->span,
                   "there is no option '%.*s'; docs/verify.md lists them",
                   SOM_STR_ARG(setting->name));
    } else {
        som_report(diags, SOM_VERIFY_OPTION_UNKNOWN, setting->span,
                   "there is no option '%.*s'; did you mean '%.*s'?", SOM_STR_ARG(setting->name),
                   SOM_STR_ARG(names[nearest]));
        som_fix(diags, setting->span, names[nearest]);
    }
}

// False after a report.
static bool read_setting(const SomSetting *setting, int index, SomVerifyOptions *options,
                         SomDiagnostics *diags) {
    const SomVerifyOptionInfo *info = &infos[index];
    SomText text = {0};
    bool fine = som_dimension_equal(setting->dimension, som_dimension(info->dimension));
    if (!fine) {
        som_dimension_print(setting->dimension, &text);
        som_report(diags, SOM_VERIFY_OPTION_VALUE, setting->value_span, "'%.*s' is %.*s, not %s",
                   SOM_STR_ARG(setting->name),
                   SOM_STR_ARG(som_dimension_info(som_dimension(info->dimension))->shown),
                   text.data);
    } else if (!som_verify_option_is_good(index, setting->number, &text)) {
        fine = false;
        som_report(diags, SOM_VERIFY_OPTION_VALUE, setting->value_span, "'%.*s' is %s",
                   SOM_STR_ARG(setting->name), text.data);
    } else {
        *som_verify_option(options, index) = setting->number;
    }
    som_text_free(&text);
    return fine;
}

bool som_verify_read_settings(const SomConfiguration *design, SomVerifyOptions *options,
                              SomDiagnostics *diags) {
    bool fine = true;
    SomSpan first[OPTIONS] = {0};
    for (int i = 0; i < design->setting_count; i++) {
        const SomSetting *setting = &design->settings[i];
        int index = som_verify_find_option(setting->name);
        if (index < 0) {
            report_unknown(setting, diags);
            fine = false;
        } else if (first[index].source1 != 0) {
            som_report(diags, SOM_SAID_TWICE, setting->span, "'%.*s' has a value already",
                       SOM_STR_ARG(setting->name));
            som_note(diags, first[index], "the first one is here");
            fine = false;
        } else {
            first[index] = setting->span;
            fine &= read_setting(setting, index, options, diags);
        }
    }
    return fine;
}
