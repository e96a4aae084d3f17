// SPDX-License-Identifier: Apache-2.0
// OBJ: lines that begin with what they are. Vertices ("v x y z") are read first, since faces
// ("f 1 2/7 3//9 -1", where what follows a slash is for textures and normals) may precede them.

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/mesh_internal.h"

#include <math.h>

typedef struct Obj {
    SomMeshReader *reader;
    SOM_ARRAY(SomVec3) vertices;
    SOM_ARRAY(SomVec3) corners; // of the face being read
    int vertices_so_far;        // for indices that count backwards
    SomStr material_file;
    SomStr current_material;
    SomStr material; // of the first face that has one
} Obj;

// What else stands in OBJ files and has no part in the surface.
static const char *const ignored[] = {
    "vn",     "vt",         "vp",        "g",     "o",    "s",        "mg",       "usemap",
    "maplib", "shadow_obj", "trace_obj", "bevel", "lod",  "c_interp", "d_interp", "cstype",
    "deg",    "bmat",       "step",      "parm",  "trim", "hole",     "scrv",     "sp",
    "end",    "con",        "ctech",     "stech", "call", "csh",
};

// Curves and free surfaces have no triangles; lines and points likewise.
static const char *const dropped[] = {"l", "p", "curv", "curv2", "surf"};

static bool is_listed(SomStr word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (som_mesh_word_is(word, list[i])) {
            return true;
        }
    }
    return false;
}

static void end_line(SomStr text, size_t *at) {
    while (som_mesh_next_word(text, at, true).length > 0) {
    }
}

static bool read_vertices(Obj *obj) {
    SomMeshReader *reader = obj->reader;
    int most = 3 * reader->options.max_triangles;
    for (size_t at = 0; at < reader->bytes.length; at++) {
        SomStr word = som_mesh_next_word(reader->bytes, &at, true);
        if (som_mesh_word_is(word, "v")) {
            SomVec3 point;
            if (!som_mesh_read_point(reader, &at, true, &point)) {
                return false;
            }
            if (obj->vertices.count == most) {
                return som_mesh_fail(reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                                     "it has more than %d vertices", most);
            }
            som_array_push(&obj->vertices, point);
        }
        end_line(reader->bytes, &at);
    }
    return true;
}

// An index as far as its first slash. Larger ones than any file can mean stay large.
static bool read_index(SomStr word, int64_t *index) {
    size_t at = word.length > 0 && word.data[0] == '-' ? 1 : 0;
    size_t digits = at;
    int64_t value = 0;
    for (; at < word.length && '0' <= word.data[at] && word.data[at] <= '9'; at++) {
        if (value < 1000000000000000) {
            value = 10 * value + (word.data[at] - '0');
        }
    }
    *index = digits > 0 ? -value : value;
    return at > digits && (at == word.length || word.data[at] == '/');
}

static bool read_corner(Obj *obj, SomStr word, size_t at) {
    int64_t index = 0;
    if (!read_index(word, &index)) {
        return som_mesh_fail(obj->reader, SOM_MESH_SYNTAX, at, "'%.*s' is not a corner of a face",
                             SOM_MESH_WORD_ARG(word));
    }
    int64_t from_zero = index > 0 ? index - 1 : obj->vertices_so_far + index;
    if (index == 0 || from_zero < 0 || from_zero >= obj->vertices.count) {
        return som_mesh_fail(obj->reader, SOM_MESH_NO_SUCH_VERTEX, at,
                             "the face has a corner '%.*s', but the file has %d vertices",
                             SOM_MESH_WORD_ARG(word),
                             index < 0 ? obj->vertices_so_far : obj->vertices.count);
    }
    if (obj->corners.count - 2 == obj->reader->options.max_triangles) {
        return som_mesh_fail(obj->reader, SOM_MESH_TOO_MANY_TRIANGLES, at,
                             "one face has more than %d triangles",
                             obj->reader->options.max_triangles);
    }
    som_array_push(&obj->corners, obj->vertices.data[from_zero]);
    return true;
}

static bool read_face(Obj *obj, size_t *at) {
    SomMeshReader *reader = obj->reader;
    obj->corners.count = 0;
    size_t begin = *at;
    while (true) {
        SomStr word = som_mesh_next_word(reader->bytes, at, true);
        if (word.length == 0) {
            break;
        }
        if (!read_corner(obj, word, *at - word.length)) {
            return false;
        }
    }
    if (obj->corners.count < 3) {
        reader->dropped++;
        return true;
    }
    if (obj->material.length == 0) {
        obj->material = obj->current_material;
    }
    return som_mesh_add_polygon(reader, obj->corners.data, obj->corners.count, begin);
}

// Names may hold blanks.
static SomStr rest_of_line(SomStr text, size_t at) {
    SomStr first = som_mesh_next_word(text, &at, true);
    size_t begin = at - first.length, end = at;
    while (som_mesh_next_word(text, &at, true).length > 0) {
        end = at;
    }
    return som_str_slice(text, begin, end);
}

static bool read_faces(Obj *obj) {
    SomMeshReader *reader = obj->reader;
    for (size_t at = 0; at < reader->bytes.length; at++) {
        SomStr word = som_mesh_next_word(reader->bytes, &at, true);
        if (som_mesh_word_is(word, "v")) {
            obj->vertices_so_far++;
        } else if (som_mesh_word_is(word, "f") || som_mesh_word_is(word, "fo")) {
            if (!read_face(obj, &at)) {
                return false;
            }
        } else if (som_mesh_word_is(word, "usemtl")) {
            obj->current_material = rest_of_line(reader->bytes, at);
        } else if (som_mesh_word_is(word, "mtllib")) {
            obj->material_file = rest_of_line(reader->bytes, at);
        } else if (is_listed(word, dropped, sizeof dropped / sizeof *dropped)) {
            reader->dropped++;
        } else if (word.length > 0 && !is_listed(word, ignored, sizeof ignored / sizeof *ignored)) {
            return som_mesh_fail(reader, SOM_MESH_SYNTAX, at - word.length,
                                 "'%.*s' is not how a line of an OBJ file begins",
                                 SOM_MESH_WORD_ARG(word));
        }
        end_line(reader->bytes, &at);
    }
    return true;
}

// The colour of one material in the text of an MTL file: of "Kd" the three parts, of "d" the
// opacity. What is wrong there gives no colour but still a mesh.
static void read_color(SomMeshReader *reader, SomStr text, SomStr material) {
    double color[4] = {0, 0, 0, 1};
    bool is_ours = false;
    for (size_t at = 0; at < text.length; at++) {
        SomStr word = som_mesh_next_word(text, &at, true);
        bool is_color = som_mesh_word_is(word, "kd");
        if (som_mesh_word_is(word, "newmtl")) {
            is_ours = som_str_equal(rest_of_line(text, at), material);
        } else if (is_ours && (is_color || som_mesh_word_is(word, "d"))) {
            for (int i = is_color ? 0 : 3; i < (is_color ? 3 : 4); i++) {
                SomStr number = som_mesh_next_word(text, &at, true);
                bool good = som_number_read(number, &color[i]) == number.length;
                color[i] = good ? fmin(fmax(color[i], 0), 1) : 1;
            }
            reader->has_color = reader->has_color || is_color;
        }
        end_line(text, &at);
    }
    memcpy(reader->color, color, sizeof color);
}

bool som_mesh_read_obj(SomMeshReader *reader) {
    Obj obj = {.reader = reader};
    bool good = read_vertices(&obj) && read_faces(&obj);
    SomText materials = {0};
    if (good && som_mesh_load_sibling(reader, obj.material_file, ".mtl", &materials)) {
        read_color(reader, som_text_str(&materials), obj.material);
    }
    som_text_free(&materials);
    som_array_free(&obj.vertices);
    som_array_free(&obj.corners);
    return good;
}
