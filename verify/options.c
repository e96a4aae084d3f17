// SPDX-License-Identifier: Apache-2.0
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
