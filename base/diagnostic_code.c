// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic_code.h"

#include <assert.h>

static const SomCodeInfo codes[] = {
#define SOM_CODE(number, severity, name, help) {number, SOM_##severity, help},
#include "base/diagnostic_codes.inc"
#undef SOM_CODE
};

const SomCodeInfo *som_codes(int *count) {
    *count = (int)(sizeof codes / sizeof *codes);
    return codes;
}

// By halving: the list rises, as the hygiene tests see to.
static const SomCodeInfo *find_number(int number) {
    size_t low = 0, high = sizeof codes / sizeof *codes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int)codes[middle].code < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < sizeof codes / sizeof *codes && (int)codes[low].code == number;
    return found ? &codes[low] : NULL;
}

const SomCodeInfo *som_code_find(SomStr text) {
    if (text.length == 7 &&
        (som_str_starts_with(text, SOM_STR("SOM")) || som_str_starts_with(text, SOM_STR("som")))) {
        text = som_str_slice(text, 3, 7);
    }
    if (text.length != 4) {
        return NULL;
    }
    int number = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return NULL;
        }
        number = 10 * number + (text.data[i] - '0');
    }
    return find_number(number);
}

SomSeverity som_code_severity(SomCode code) {
    const SomCodeInfo *info = find_number((int)code);
    assert(info != NULL);
    return info->severity;
}

const char *som_code_help(SomCode code) {
    const SomCodeInfo *info = find_number((int)code);
    assert(info != NULL);
    return info->help;
}

const char *som_severity_word(SomSeverity severity) {
    static const char *const words[] = {"note", "warning", "error"};
    return words[severity];
}
