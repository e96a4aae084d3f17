// SPDX-License-Identifier: Apache-2.0
#include "language/dialect.h"

const SomDialect som_dialect_somite = {
    .name = {"Somite", 6},
    .extension = {".som", 4},
    .hash_comments = true,
    .newline_ends = true,
    .backslash_joins = true,
    .units = true,
};

const SomDialect som_dialect_m3l = {
    .name = {"M3L", 3},
    .extension = {".m3l", 4},
    .hash_comments = true,
    .backslash_joins = true,
    .units = true,
};

const SomDialect som_dialect_role = {
    .name = {"DynaRole", 8},
    .extension = {".role", 5},
    .slash_comments = true,
    .dollar_words = true,
    .semicolon_is_part = true,
};

const SomDialect *som_dialect_find(SomStr path) {
    const SomDialect *const all[] = {&som_dialect_somite, &som_dialect_m3l, &som_dialect_role};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (som_str_ends_with(path, all[i]->extension)) {
            return all[i];
        }
    }
    return NULL;
}
