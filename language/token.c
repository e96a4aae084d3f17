// SPDX-License-Identifier: Apache-2.0
#include "language/token.h"

#include "base/memory.h"

#include <assert.h>

static const struct {
    SomStr text;
    const char *shown;
} kinds[] = {
#define SOM_TOKEN(name, text, shown) {{text, sizeof(text) - 1}, shown},
#include "language/tokens.inc"
#undef SOM_TOKEN
};

static_assert(sizeof kinds / sizeof *kinds == SOM_TOKEN_KIND_COUNT, "one line per kind");
static_assert(SOM_TOKEN_KIND_COUNT <= 64, "a set of kinds is one number");

const char *som_token_kind_shown(SomTokenKind kind) {
    return kinds[kind].shown;
}

SomStr som_token_kind_text(SomTokenKind kind) {
    return kinds[kind].text;
}

void som_tokens_free(SomTokens *tokens) {
    som_array_free(tokens);
}
