// SPDX-License-Identifier: Apache-2.0
#include "linkage/name_index.h"

#include "base/memory.h"

#include <assert.h>

static void *copy_array(const void *data, size_t count, size_t size) {
    if (count == 0) {
        return NULL;
    }
    void *copy = som_realloc(NULL, count, size);
    memcpy(copy, data, count * size);
    return copy;
}

SomNames som_names_copy(const SomNames *names) {
    SomNames copy = *names;
    copy.bytes = copy_array(names->bytes, names->byte_capacity, 1);
    copy.texts = copy_array(names->texts, names->text_capacity, sizeof *names->texts);
    copy.buckets = copy_array(names->buckets, names->bucket_count, sizeof *names->buckets);
    copy.bearers = copy_array(names->bearers, names->bearer_capacity, sizeof *names->bearers);
    return copy;
}

void som_names_free(SomNames *names) {
    som_free(names->bytes);
    som_free(names->texts);
    som_free(names->buckets);
    som_free(names->bearers);
    *names = (SomNames){0};
}

static uint32_t hash_text(SomStr text) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < text.length; i++) {
        hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
    }
    return hash;
}

static uint32_t find_text(const SomNames *names, SomStr text, uint32_t hash) {
    if (names->bucket_count == 0) {
        return 0;
    }
    for (uint32_t at = hash & (names->bucket_count - 1);;
         at = (at + 1) & (names->bucket_count - 1)) {
        uint32_t text1 = names->buckets[at];
        if (text1 == 0 || (names->texts[text1 - 1].hash == hash &&
                           som_str_equal(som_names_text(names, text1), text))) {
            return text1;
        }
    }
}

static void put_bucket(SomNames *names, uint32_t text1) {
    uint32_t at = names->texts[text1 - 1].hash & (names->bucket_count - 1);
    while (names->buckets[at] != 0) {
        at = (at + 1) & (names->bucket_count - 1);
    }
    names->buckets[at] = text1;
}

static void grow_buckets(SomNames *names) {
    names->bucket_count = names->bucket_count == 0 ? 16 : 2 * names->bucket_count;
    som_free(names->buckets);
    names->buckets = som_alloc(names->bucket_count * sizeof *names->buckets);
    for (uint32_t text1 = 1; text1 <= names->text_count; text1++) {
        put_bucket(names, text1);
    }
}

uint32_t som_names_intern(SomNames *names, SomStr text) {
    uint32_t hash = hash_text(text);
    uint32_t known = find_text(names, text, hash);
    if (known != 0) {
        return known;
    }
    assert(text.length < UINT32_MAX / 4 && names->byte_count < UINT32_MAX / 4);
    uint32_t length = (uint32_t)text.length;
    if (names->byte_count + length > names->byte_capacity) {
        names->byte_capacity = 2 * (names->byte_count + length) + 64;
        names->bytes = som_realloc(names->bytes, names->byte_capacity, 1);
    }
    if (names->text_count == names->text_capacity) {
        names->text_capacity = 2 * names->text_capacity + 8;
        names->texts = som_realloc(names->texts, names->text_capacity, sizeof *names->texts);
    }
    if (length > 0) {
        memcpy(names->bytes + names->byte_count, text.data, length);
    }
    names->texts[names->text_count++] = (SomNameText){names->byte_count, length, hash};
    names->byte_count += length;
    if (2 * names->text_count > names->bucket_count) {
        grow_buckets(names); // puts the new text, too
    } else {
        put_bucket(names, names->text_count);
    }
    return names->text_count;
}

SomStr som_names_text(const SomNames *names, uint32_t text1) {
    assert(1 <= text1 && text1 <= names->text_count);
    const SomNameText *text = &names->texts[text1 - 1];
    return (SomStr){names->bytes + text->offset, text->length};
}

static uint64_t make_key(uint32_t scope, uint32_t text1) {
    return (uint64_t)scope << 32 | text1;
}

static uint32_t home(const SomNames *names, uint64_t key) {
    uint64_t mixed = (key ^ (key >> 29)) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(mixed >> 32) & (names->bearer_capacity - 1);
}

static void put_bearer(SomNames *names, SomNameBearer bearer) {
    uint32_t at = home(names, bearer.key);
    while (names->bearers[at].key != 0) {
        assert(names->bearers[at].key != bearer.key);
        at = (at + 1) & (names->bearer_capacity - 1);
    }
    names->bearers[at] = bearer;
}

void som_names_put(SomNames *names, uint32_t scope, uint32_t text1, int slot) {
    if (2 * (names->bearer_count + 1) > names->bearer_capacity) {
        SomNameBearer *old = names->bearers;
        uint32_t old_capacity = names->bearer_capacity;
        names->bearer_capacity = old_capacity == 0 ? 16 : 2 * old_capacity;
        names->bearers = som_alloc(names->bearer_capacity * sizeof *names->bearers);
        for (uint32_t i = 0; i < old_capacity; i++) {
            if (old[i].key != 0) {
                put_bearer(names, old[i]);
            }
        }
        som_free(old);
    }
    put_bearer(names, (SomNameBearer){make_key(scope, text1), (uint32_t)slot});
    names->bearer_count++;
}

void som_names_remove(SomNames *names, uint32_t scope, uint32_t text1) {
    uint64_t key = make_key(scope, text1);
    uint32_t mask = names->bearer_capacity - 1;
    uint32_t hole = home(names, key);
    while (names->bearers[hole].key != key) {
        assert(names->bearers[hole].key != 0);
        hole = (hole + 1) & mask;
    }
    // close the gap: an entry further on moves back unless its home lies behind the hole
    for (uint32_t at = (hole + 1) & mask; names->bearers[at].key != 0; at = (at + 1) & mask) {
        uint32_t from_home = (at - home(names, names->bearers[at].key)) & mask;
        if (from_home >= ((at - hole) & mask)) {
            names->bearers[hole] = names->bearers[at];
            hole = at;
        }
    }
    names->bearers[hole] = (SomNameBearer){0};
    names->bearer_count--;
}

int som_names_find(const SomNames *names, uint32_t scope, SomStr text) {
    uint32_t text1 = find_text(names, text, hash_text(text));
    if (text1 == 0 || names->bearer_capacity == 0) {
        return -1;
    }
    uint64_t key = make_key(scope, text1);
    for (uint32_t at = home(names, key); names->bearers[at].key != 0;
         at = (at + 1) & (names->bearer_capacity - 1)) {
        if (names->bearers[at].key == key) {
            return (int)names->bearers[at].slot;
        }
    }
    return -1;
}
