// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

int som_number_print(double value, char text[SOM_NUMBER_TEXT]) {
    for (int digits = 1;; digits++) {
        int length = snprintf(text, SOM_NUMBER_TEXT, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value) {
            return length;
        }
    }
}

void som_text_number(SomText *text, double value) {
    char digits[SOM_NUMBER_TEXT];
    int length = som_number_print(value, digits);
    som_text_add(text, (SomStr){digits, (size_t)length});
}

size_t som_number_read(SomStr text, double *value) {
    char *end = NULL;
    *value = strtod(text.data, &end);
    return (size_t)(end - text.data);
}
