// SPDX-License-Identifier: Apache-2.0
// PLY: a head in text that lists elements and the properties each has, then their values, as words
// or as bytes in either order. Vertices have x, y and z; faces have a list of vertices, counted
// from 0. Everything else is read over. (assimp's reader loops for seconds on files that were cut.)

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/mesh_internal.h"

#include <math.h>

typedef enum Encoding { AS_TEXT, LITTLE_ENDIAN_BYTES, BIG_ENDIAN_BYTES } Encoding;

typedef enum Type { NO_TYPE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 } Type;

static const struct {
    const char *old_name, *new_name;
    size_t size;
} types[] = {
    [NO_TYPE] = {"", "", 0},
    [INT8] = {"char", "int8", 1},
    [UINT8] = {"uchar", "uint8", 1},
    [INT16] = {"short", "int16", 2},
    [UINT16] = {"ushort", "uint16", 2},
    [INT32] = {"int", "int32", 4},
    [UINT32] = {"uint", "uint32", 4},
    [FLOAT32] = {"float", "float32", 4},
    [FLOAT64] = {"double", "float64", 8},
};

typedef struct Property {
    SomStr name;
    Type type;
    Type count_type; // of a list's length; NO_TYPE unless it is a list
} Property;

typedef struct Element {
    SomStr name;
    double count;
    int first; // of its properties
    int property_count;
} Element;

typedef struct Ply {
    SomMeshReader *reader;
    size_t at;
    Encoding encoding;
    SOM_ARRAY(Element) elements;
    SOM_ARRAY(Property) properties;
    SOM_ARRAY(SomVec3) vertices;
    SOM_ARRAY(SomVec3) corners; // of the face being read
} Ply;

static bool fail_at_word(Ply *ply, SomStr word, const char *wanted) {
    size_t begin = ply->at - word.length;
    if (word.length == 0) {
        return som_mesh_fail_at_end(ply->reader, begin, wanted);
    }
    return som_mesh_fail(ply->reader, SOM_MESH_SYNTAX, begin, "'%.*s' stands where %s belongs",
                         SOM_MESH_WORD_ARG(word), wanted);
}

static SomStr next_word(Ply *ply, bool in_line) {
    return som_mesh_next_word(ply->reader->bytes, &ply->at, in_line);
}

static bool read_format(Ply *ply) {
    SomStr word = next_word(ply, true);
    if (som_mesh_word_is(word, "ascii")) {
        ply->encoding = AS_TEXT;
    } else if (som_mesh_word_is(word, "binary_little_endian")) {
        ply->encoding = LITTLE_ENDIAN_BYTES;
    } else if (som_mesh_word_is(word, "binary_big_endian")) {
        ply->encoding = BIG_ENDIAN_BYTES;
    } else {
        return fail_at_word(ply, word, "a kind of PLY file");
    }
    return true;
}

static bool read_element(Ply *ply) {
    Element element = {.name = next_word(ply, true), .first = ply->properties.count};
    SomStr word = next_word(ply, true);
    bool is_number = som_number_read(word, &element.count) == word.length && word.length > 0;
    if (!is_number || !(element.count >= 0) || element.count != floor(element.count)) {
        return fail_at_word(ply, word, "a number of elements");
    }
    som_array_push(&ply->elements, element);
    return true;
}

static bool read_type(Ply *ply, Type *type) {
    SomStr word = next_word(ply, true);
    for (Type i = INT8; i <= FLOAT64; i++) {
        if (som_mesh_word_is(word, types[i].old_name) ||
            som_mesh_word_is(word, types[i].new_name)) {
            *type = i;
            return true;
        }
    }
    return fail_at_word(ply, word, "a type of number");
}

static bool read_property(Ply *ply) {
    if (ply->elements.count == 0) {
        return som_mesh_fail(ply->reader, SOM_MESH_SYNTAX, ply->at,
                             "a property stands before the first element");
    }
    Property property = {0};
    size_t begin = ply->at;
    if (!som_mesh_word_is(next_word(ply, true), "list")) {
        ply->at = begin;
    } else if (!read_type(ply, &property.count_type)) {
        return false;
    }
    if (!read_type(ply, &property.type)) {
        return false;
    }
    property.name = next_word(ply, true);
    som_array_push(&ply->properties, property);
    ply->elements.data[ply->elements.count - 1].property_count++;
    return true;
}

// Reads as far as the byte after the line end of "end_header".
static bool read_head(Ply *ply) {
    while (true) {
        SomStr word = next_word(ply, false);
        bool good = true;
        if (som_mesh_word_is(word, "format")) {
            good = read_format(ply);
        } else if (som_mesh_word_is(word, "element")) {
            good = read_element(ply);
        } else if (som_mesh_word_is(word, "property")) {
            good = read_property(ply);
        } else if (!som_mesh_word_is(word, "ply") && !som_mesh_word_is(word, "comment") &&
                   !som_mesh_word_is(word, "obj_info") && !som_mesh_word_is(word, "end_header")) {
            good = fail_at_word(ply, word, "a line of the head, which ends with 'end_header'");
        }
        if (!good) {
            return false;
        }
        som_mesh_skip_line(ply->reader->bytes, &ply->at);
        if (som_mesh_word_is(word, "end_header")) {
            ply->at += ply->at < ply->reader->bytes.length;
            return true;
        }
    }
}

static uint64_t read_bits(const Ply *ply, size_t size) {
    const unsigned char *bytes = (const unsigned char *)ply->reader->bytes.data + ply->at;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        size_t place = ply->encoding == LITTLE_ENDIAN_BYTES ? i : size - 1 - i;
        bits |= (uint64_t)bytes[i] << 8 * place;
    }
    return bits;
}

static double value_of(uint64_t bits, Type type) {
    float single;
    double value = 0;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case INT8:
        return (double)(int8_t)low;
    case INT16:
        return (double)(int16_t)low;
    case INT32:
        return (double)(int32_t)low;
    case UINT8:
    case UINT16:
    case UINT32:
        return (double)low;
    case FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case FLOAT64:
        memcpy(&value, &bits, sizeof value);
        return value;
    case NO_TYPE:
        break;
    }
    return value;
}

static bool read_value(Ply *ply, Type type, double *value) {
    SomStr bytes = ply->reader->bytes;
    if (ply->encoding == AS_TEXT) {
        return som_mesh_read_number(ply->reader, &ply->at, false, value);
    }
    size_t size = types[type].size;
    if (bytes.length - ply->at < size) {
        return som_mesh_fail(ply->reader, SOM_MESH_TRUNCATED, SOM_MESH_NOWHERE,
                             "the file ends before its last element");
    }
    *value = value_of(read_bits(ply, size), type);
    ply->at += size;
    return true;
}

static bool add_corner(Ply *ply, double index) {
    if (!(0 <= index && index < ply->vertices.count) || index != floor(index)) {
        char text[SOM_NUMBER_TEXT];
        som_number_print(index, text);
        return som_mesh_fail(ply->reader, SOM_MESH_NO_SUCH_VERTEX, SOM_MESH_NOWHERE,
                             "a face has vertex %s, but there are %d (counted from 0)", text,
                             ply->vertices.count);
    }
    if (ply->corners.count - 2 == ply->reader->options.max_triangles) {
        return som_mesh_fail(ply->reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                             "one face has more than %d triangles",
                             ply->reader->options.max_triangles);
    }
    som_array_push(&ply->corners, ply->vertices.data[(int)index]);
    return true;
}

static bool read_list(Ply *ply, const Property *property, bool is_face) {
    double count = 0;
    if (!read_value(ply, property->count_type, &count)) {
        return false;
    }
    for (double i = 0; i < count; i++) {
        double value = 0;
        if (!read_value(ply, property->type, &value) || (is_face && !add_corner(ply, value))) {
            return false;
        }
    }
    return true;
}

static bool is_face_list(const Element *element, const Property *property) {
    return som_mesh_word_is(element->name, "face") && property->count_type != NO_TYPE &&
           (som_mesh_word_is(property->name, "vertex_indices") ||
            som_mesh_word_is(property->name, "vertex_index"));
}

// One element of its kind: a vertex, a face, or what is read over.
static bool read_item(Ply *ply, const Element *element) {
    SomVec3 point = {0, 0, 0};
    ply->corners.count = 0;
    for (int i = 0; i < element->property_count; i++) {
        const Property *property = &ply->properties.data[element->first + i];
        if (property->count_type != NO_TYPE) {
            if (!read_list(ply, property, is_face_list(element, property))) {
                return false;
            }
            continue;
        }
        double value = 0;
        if (!read_value(ply, property->type, &value)) {
            return false;
        }
        if (som_mesh_word_is(property->name, "x")) {
            point.x = value;
        } else if (som_mesh_word_is(property->name, "y")) {
            point.y = value;
        } else if (som_mesh_word_is(property->name, "z")) {
            point.z = value;
        }
    }
    if (som_mesh_word_is(element->name, "vertex")) {
        som_array_push(&ply->vertices, point);
        return true;
    }
    if (som_mesh_word_is(element->name, "face") && ply->corners.count >= 3) {
        return som_mesh_add_polygon(ply->reader, ply->corners.data, ply->corners.count,
                                    SOM_MESH_NOWHERE);
    }
    ply->reader->dropped +=
        som_mesh_word_is(element->name, "face") || som_mesh_word_is(element->name, "edge");
    return true;
}

static bool read_items(Ply *ply, const Element *element) {
    int most = 3 * ply->reader->options.max_triangles;
    if (som_mesh_word_is(element->name, "vertex") && element->count > most) {
        return som_mesh_fail(ply->reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                             "it has more than %d vertices", most);
    }
    // each item takes at least a byte of the file, unless it has nothing
    for (double i = 0; i < element->count && element->property_count > 0; i++) {
        if (!read_item(ply, element)) {
            return false;
        }
    }
    return true;
}

bool som_mesh_read_ply(SomMeshReader *reader) {
    Ply ply = {.reader = reader};
    bool good = read_head(&ply);
    for (int i = 0; i < ply.elements.count && good; i++) {
        good = read_items(&ply, &ply.elements.data[i]);
    }
    som_array_free(&ply.elements);
    som_array_free(&ply.properties);
    som_array_free(&ply.vertices);
    som_array_free(&ply.corners);
    return good;
}
