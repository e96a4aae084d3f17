// SPDX-License-Identifier: Apache-2.0
#include "exchange/tally.h"

#include "base/name_list.h"

#include <stdlib.h>

void som_tally_add(SomTally *tally, SomStr name, SomSpan span) {
    int count = tally->names.count;
    if (count == 0) {
        tally->span = span;
    }
    if (count == 0 || !som_str_equal(tally->names.data[count - 1], name)) {
        som_array_push(&tally->names, name);
    }
}

typedef struct Name {
    SomStr text;
    int index;
} Name;

static int compare(const void *left, const void *right) {
    const Name *a = left, *b = right;
    int order = som_str_compare(a->text, b->text);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Which names were there before.
static bool *find_repeated(const SomTally *tally) {
    int count = tally->names.count;
    Name *names = som_alloc((size_t)count * sizeof *names);
    bool *repeated = som_alloc((size_t)count * sizeof *repeated);
    for (int i = 0; i < count; i++) {
        names[i] = (Name){tally->names.data[i], i};
    }
    qsort(names, (size_t)count, sizeof *names, compare);
    for (int i = 1; i < count; i++) {
        repeated[names[i].index] = som_str_equal(names[i].text, names[i - 1].text);
    }
    som_free(names);
    return repeated;
}

void som_tally_report(SomTally *tally, SomCode code, const char *before, const char *after,
                      SomDiagnostics *diags) {
    if (tally->names.count == 0) {
        return;
    }
    bool *repeated = find_repeated(tally);
    SomText others = {0};
    SomNameList list = {.out = &others};
    for (int i = 1; i < tally->names.count; i++) {
        if (!repeated[i]) {
            som_text_add(&others, list.count == 0 ? SOM_STR("; likewise ") : SOM_STR(""));
            som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(tally->names.data[i]));
        }
    }
    som_name_list_end(&list);
    som_report(diags, code, tally->span, "%s'%.*s'%s%.*s", before,
               SOM_STR_ARG(tally->names.data[0]), after, SOM_STR_ARG(som_text_str(&others)));
    som_text_free(&others);
    som_free(repeated);
    som_tally_free(tally);
}

void som_tally_free(SomTally *tally) {
    som_array_free(&tally->names);
}
