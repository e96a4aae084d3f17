// SPDX-License-Identifier: Apache-2.0
// STL, both kinds. Binary: 80 bytes of anything, the number of triangles, then 50 bytes for each: a
// normal, three corners, two bytes. Text: words, for which lines mean nothing but after "solid".

#include "base/codes/space_codes.h"
#include "space/mesh_internal.h"

#define HEADER_BYTES 84
#define FACET_BYTES 50

static uint32_t read_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const char *bytes) {
    uint32_t bits = read_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint64_t stated_size(SomStr bytes) {
    return HEADER_BYTES + (uint64_t)FACET_BYTES * read_u32(bytes.data + HEADER_BYTES - 4);
}

bool som_mesh_is_binary_stl(SomStr bytes) {
    return bytes.length >= HEADER_BYTES && stated_size(bytes) == bytes.length;
}

// Not by the word "solid", with which binary heads may begin as well: the number of triangles of
// any binary file in our limits has a zero byte, and text has none.
static bool is_text(SomStr bytes) {
    return memchr(bytes.data, 0, bytes.length < 1024 ? bytes.length : 1024) == NULL;
}

static bool read_binary(SomMeshReader *reader) {
    SomStr bytes = reader->bytes;
    if (bytes.length < HEADER_BYTES) {
        return som_mesh_fail(reader, SOM_MESH_TRUNCATED, SOM_MESH_NOWHERE,
                             "it has %d bytes, fewer than the head of an STL file",
                             (int)bytes.length);
    }
    uint32_t count = read_u32(bytes.data + HEADER_BYTES - 4);
    size_t held = (bytes.length - HEADER_BYTES) / FACET_BYTES;
    if (stated_size(bytes) > bytes.length) {
        return som_mesh_fail(reader, SOM_MESH_TRUNCATED, SOM_MESH_NOWHERE,
                             "it states %u triangles but has room for %zu", count, held);
    }
    if (count > (uint32_t)reader->options.max_triangles) {
        return som_mesh_fail(reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                             "it has %u triangles, more than %d", count,
                             reader->options.max_triangles);
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *facet = bytes.data + HEADER_BYTES + (size_t)i * FACET_BYTES + 12;
        SomVec3 p[3];
        for (int k = 0; k < 3; k++, facet += 12) {
            p[k] = som_vec3(read_float(facet), read_float(facet + 4), read_float(facet + 8));
        }
        if (!som_mesh_add_polygon(reader, p, 3, SOM_MESH_NOWHERE)) {
            return false;
        }
    }
    reader->unread_bytes = bytes.length - (size_t)stated_size(bytes);
    return true;
}

// Complains unless the next word is the one that the format asks for.
static bool expect(SomMeshReader *reader, size_t *at, const char *wanted) {
    SomStr word = som_mesh_next_word(reader->bytes, at, false);
    if (som_mesh_word_is(word, wanted)) {
        return true;
    }
    if (word.length == 0) {
        return som_mesh_fail(reader, SOM_MESH_TRUNCATED, *at, "the file ends where '%s' belongs",
                             wanted);
    }
    return som_mesh_fail(reader, SOM_MESH_SYNTAX, *at - word.length,
                         "'%.*s' stands where '%s' belongs", SOM_MESH_WORD_ARG(word), wanted);
}

// What follows the word "facet". The normal is not used, nor whether it is one: some programs write
// "nan" there, and the order of the corners says the same.
static bool read_facet(SomMeshReader *reader, size_t *at) {
    size_t begin = *at;
    if (!expect(reader, at, "normal")) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        som_mesh_next_word(reader->bytes, at, false);
    }
    if (!expect(reader, at, "outer") || !expect(reader, at, "loop")) {
        return false;
    }
    SomVec3 p[3];
    for (int k = 0; k < 3; k++) {
        if (!expect(reader, at, "vertex") || !som_mesh_read_point(reader, at, false, &p[k])) {
            return false;
        }
    }
    return expect(reader, at, "endloop") && expect(reader, at, "endfacet") &&
           som_mesh_add_polygon(reader, p, 3, begin);
}

// Any number of solids, each with any number of facets.
static bool read_text(SomMeshReader *reader) {
    size_t at = 0;
    while (true) {
        size_t begin = at;
        SomStr word = som_mesh_next_word(reader->bytes, &at, false);
        if (word.length == 0) {
            return true;
        }
        at = begin;
        if (!expect(reader, &at, "solid")) {
            return false;
        }
        som_mesh_skip_line(reader->bytes, &at); // its name
        while (word = som_mesh_next_word(reader->bytes, &at, false),
               som_mesh_word_is(word, "facet")) {
            if (!read_facet(reader, &at)) {
                return false;
            }
        }
        at -= word.length;
        if (!expect(reader, &at, "endsolid")) {
            return false;
        }
        som_mesh_skip_line(reader->bytes, &at);
    }
}

bool som_mesh_read_stl(SomMeshReader *reader) {
    return is_text(reader->bytes) ? read_text(reader) : read_binary(reader);
}
