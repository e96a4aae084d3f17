// SPDX-License-Identifier: Apache-2.0
#include "behaviors/text_names.h"

#include "language/som_syntax.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return som_str_compare(*(const SomStr *)a, *(const SomStr *)b);
}

static void collect(SomTextNames *names, const SomSyntax *tree, SomNode node, int kind,
                    bool wants_members) {
    int end = som_syntax_end_token(tree, node);
    for (SomNode n = node; n != 0 && som_syntax_first_token(tree, n) < end;
         n = som_syntax_next(tree, n)) {
        if (som_syntax_kind(tree, n) != kind) {
            continue;
        }
        SomNode child = som_syntax_first_child(tree, n);
        SomNode name = som_syntax_find_child(tree, child, SOM_SOM_NAME), last = name;
        for (SomNode next = name; next != 0;
             next = som_syntax_find_next(tree, next, SOM_SOM_NAME)) {
            last = next;
        }
        if (!wants_members || last != name) {
            som_array_push(&names->names, som_syntax_text(tree, wants_members ? last : child));
        }
    }
    if (names->names.count > 1) {
        qsort(names->names.data, (size_t)names->names.count, sizeof *names->names.data, compare);
    }
}

void som_text_names_collect(SomTextNames *names, const SomSyntax *tree, SomNode node, int kind) {
    collect(names, tree, node, kind, false);
}

void som_text_names_collect_members(SomTextNames *names, const SomSyntax *tree, SomNode node,
                                    int kind) {
    collect(names, tree, node, kind, true);
}

bool som_text_names_has(const SomTextNames *names, SomStr name) {
    return names->names.count > 0 && bsearch(&name, names->names.data, (size_t)names->names.count,
                                             sizeof name, compare) != NULL;
}

void som_text_names_free(SomTextNames *names) {
    som_array_free(&names->names);
}
