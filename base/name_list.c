// SPDX-License-Identifier: Apache-2.0
#include "base/name_list.h"

static int max_of(const SomNameList *list) {
    return list->max > 0 ? list->max : SOM_LISTED_NAMES;
}

void som_name_list_add(SomNameList *list, const char *format, ...) {
    if (list->count++ >= max_of(list)) {
        return;
    }
    som_text_add(list->out, list->count > 1 ? SOM_STR(", ") : SOM_STR(""));
    va_list args;
    va_start(args, format);
    som_text_vprintf(list->out, format, args);
    va_end(args);
}

void som_text_add_more(SomText *out, int more) {
    if (more > 0) {
        som_text_printf(out, " " SOM_AND_MORE, more);
    }
}

void som_name_list_end(const SomNameList *list) {
    som_text_add_more(list->out, list->count - max_of(list));
}
