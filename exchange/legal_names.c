// SPDX-License-Identifier: Apache-2.0
#include "exchange/legal_names.h"

#include "base/memory.h"

typedef struct SomTakenName {
    SomStr name; // empty: free
    int next;    // to be tried for the next of this name
} SomTakenName;

SomLegalNames som_legal_names_begin(SomArena *arena, int count) {
    uint32_t size = 16;
    while (size < 4 * (uint32_t)(count + 1)) {
        size *= 2;
    }
    return (SomLegalNames){arena, som_alloc(sizeof(SomTakenName) * size), size - 1};
}

void som_legal_names_end(SomLegalNames *names) {
    som_free(names->slots);
    *names = (SomLegalNames){0};
}

static SomTakenName *find_slot(const SomLegalNames *names, SomStr name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < name.length; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
    }
    uint32_t at = hash & names->mask;
    while (names->slots[at].name.length > 0 && !som_str_equal(names->slots[at].name, name)) {
        at = (at + 1) & names->mask;
    }
    return &names->slots[at];
}

SomStr som_legal_names_take(SomLegalNames *names, SomStr wanted) {
    SomTakenName *slot = find_slot(names, wanted);
    if (slot->name.length == 0) {
        *slot = (SomTakenName){som_arena_copy(names->arena, wanted), 2};
        return slot->name;
    }
    SomText text = {0};
    SomTakenName *other;
    do {
        som_text_clear(&text);
        som_text_printf(&text, "%.*s_%d", SOM_STR_ARG(wanted), slot->next++);
        other = find_slot(names, som_text_str(&text));
    } while (other->name.length > 0);
    *other = (SomTakenName){som_arena_copy(names->arena, som_text_str(&text)), 2};
    som_text_free(&text);
    return other->name;
}

SomStr som_legal_word(SomText *out, SomStr path, const char *otherwise) {
    bool is_apart = false;
    som_text_clear(out);
    for (size_t i = 0; i < path.length; i++) {
        char c = path.data[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        som_text_add_char(out, '_', is_plain && is_apart && out->length > 0);
        som_text_add_char(out, c, is_plain);
        is_apart = !is_plain;
    }
    if (out->length == 0) {
        som_text_add(out, som_str(otherwise));
    }
    return som_text_str(out);
}

SomStr som_legal_names_take_word(SomLegalNames *names, SomStr path, const char *otherwise) {
    SomText word = {0};
    SomStr taken = som_legal_names_take(names, som_legal_word(&word, path, otherwise));
    som_text_free(&word);
    return taken;
}
