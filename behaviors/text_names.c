// SPDX-License-Identifier: Apache-2.0
#include "behaviors/text_names.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return som_str_compare(*(const SomStr *)a, *(const SomStr *)b);
}

void som_text_names_collect(SomTextNames *names, const SomSyntax *tree, SomNode node, int kind) {
    int end = som_syntax_end_token(tree, node);
    for (SomNode n = node; n != 0 && som_syntax_first_token(tree, n) < end;
         n = som_syntax_next(tree, n)) {
        if (som_syntax_kind(tree, n) == kind) {
            som_array_push(&names->names, som_syntax_text(tree, som_syntax_first_child(tree, n)));
        }
    }
    if (names->names.count > 1) {
        qsort(names->names.data, (size_t)names->names.count, sizeof *names->names.data, compare);
    }
}

bool som_text_names_has(const SomTextNames *names, SomStr name) {
    return names->names.count > 0 && bsearch(&name, names->names.data, (size_t)names->names.count,
                                             sizeof name, compare) != NULL;
}

void som_text_names_free(SomTextNames *names) {
    som_array_free(&names->names);
}
