// SPDX-License-Identifier: Apache-2.0
#include "space/mesh.h"

#include "base/codes/base_codes.h"
#include "base/codes/space_codes.h"
#include "base/file.h"
#include "base/file_scope.h"
#include "base/path.h"
#include "space/mesh_internal.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct FormatInfo {
    SomMeshFormat format;
    const char *ending; // lower case
    const char *word;   // as messages call it
} FormatInfo;

// The first line of a format has the ending that a message recommends.
static const FormatInfo formats[] = {
    {SOM_MESH_STL, ".stl", "an STL file"}, {SOM_MESH_OBJ, ".obj", "an OBJ file"},
    {SOM_MESH_DAE, ".dae", "COLLADA"},     {SOM_MESH_GLTF, ".gltf", "glTF"},
    {SOM_MESH_GLTF, ".glb", "glTF"},       {SOM_MESH_PLY, ".ply", "a PLY file"},
    {SOM_MESH_VRML, ".wrl", "VRML"},       {SOM_MESH_VRML, ".vrml", "VRML"},
    {SOM_MESH_VRML, ".wrz", "VRML"},
};
#define FORMAT_COUNT ((int)(sizeof formats / sizeof *formats))

static const FormatInfo *find_named_format(SomStr name) {
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (som_mesh_word_is(som_path_extension(name), formats[i].ending)) {
            return &formats[i];
        }
    }
    return NULL;
}

static const FormatInfo *get_format(SomMeshFormat format) {
    int i = 0;
    while (formats[i].format != format) {
        i++;
    }
    return &formats[i];
}

// The format that the first bytes give away. OBJ has no such mark.
static SomMeshFormat sniff(SomStr bytes) {
    if (som_mesh_is_binary_stl(bytes)) {
        return SOM_MESH_STL;
    }
    size_t at = 0;
    SomStr word = som_mesh_next_word(bytes, &at, false);
    if (som_mesh_word_is(word, "solid")) {
        return SOM_MESH_STL;
    }
    if (som_mesh_word_is(word, "ply")) {
        return SOM_MESH_PLY;
    }
    if (som_mesh_word_is(word, "#vrml")) {
        return SOM_MESH_VRML;
    }
    if (som_str_starts_with(word, SOM_STR("glTF")) || som_str_starts_with(word, SOM_STR("{"))) {
        return SOM_MESH_GLTF;
    }
    if (som_str_starts_with(word, SOM_STR("<"))) {
        return SOM_MESH_DAE;
    }
    return SOM_MESH_UNKNOWN;
}

static int line_of(const SomMeshReader *reader, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at && i < reader->bytes.length; i++) {
        line += reader->bytes.data[i] == '\n';
    }
    return line;
}

bool som_mesh_fail(SomMeshReader *reader, SomCode code, size_t at, const char *format, ...) {
    SomMeshComplaint *complaint = &reader->complaint;
    complaint->code = code;
    complaint->line = at != SOM_MESH_NOWHERE ? line_of(reader, at) : 0;
    va_list args;
    va_start(args, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, args);
    va_end(args);
    return false;
}

// An error of its own, or a warning about what was left out of a mesh that is good.
static void report(const SomMeshReader *reader, SomDiagnostics *diags) {
    const SomMeshComplaint *complaint = &reader->complaint;
    SomSpan span = reader->options.span;
    if (complaint->code != SOM_NO_CODE && complaint->line > 0) {
        som_report(diags, complaint->code, span, "mesh '%.*s', line %d: %s",
                   SOM_STR_ARG(reader->name), complaint->line, complaint->text);
        return;
    }
    if (complaint->code != SOM_NO_CODE) {
        som_report(diags, complaint->code, span, "mesh '%.*s': %s", SOM_STR_ARG(reader->name),
                   complaint->text);
        if (reader->left_out > 0) {
            som_note(diags, (SomSpan){0}, "a node '%s' is left out (line %d)",
                     reader->first_left_out, line_of(reader, reader->left_out_at));
        }
        return;
    }
    if (reader->dropped > 0) {
        som_report(diags, SOM_MESH_PARTS_DROPPED, span, "mesh '%.*s': %d %s left out",
                   SOM_STR_ARG(reader->name), reader->dropped,
                   reader->dropped == 1 ? "line or point is" : "lines and points are");
    }
    if (reader->left_out > 0) {
        som_report(diags, SOM_MESH_NODES_DROPPED, span,
                   "mesh '%.*s': %d %s left out, the first in line %d: '%s'",
                   SOM_STR_ARG(reader->name), reader->left_out,
                   reader->left_out == 1 ? "node is" : "nodes are",
                   line_of(reader, reader->left_out_at), reader->first_left_out);
    }
    if (reader->unread_bytes > 0) {
        som_report(diags, SOM_MESH_TRAILING_BYTES, span,
                   "mesh '%.*s': %zu bytes follow its last triangle", SOM_STR_ARG(reader->name),
                   reader->unread_bytes);
    }
}

static bool read_format(SomMeshReader *reader) {
    switch (reader->format) {
    case SOM_MESH_STL:
        return som_mesh_read_stl(reader);
    case SOM_MESH_OBJ:
        return som_mesh_read_obj(reader);
    case SOM_MESH_PLY:
        return som_mesh_read_ply(reader);
    case SOM_MESH_VRML:
        return som_mesh_read_vrml(reader);
    case SOM_MESH_DAE:
    case SOM_MESH_GLTF:
        return som_mesh_read_other(reader);
    case SOM_MESH_UNKNOWN:
        break;
    }
    assert(false);
    return false;
}

// The name says the format, before anything is read.
static bool check_name(SomMeshReader *reader) {
    const FormatInfo *named = find_named_format(reader->name);
    if (named == NULL) {
        return som_mesh_fail(reader, SOM_MESH_FORMAT_UNKNOWN, SOM_MESH_NOWHERE,
                             "the end of the name is not that of a mesh format");
    }
    reader->format = named->format;
    return true;
}

static bool check_size(SomMeshReader *reader) {
    return reader->bytes.length <= reader->options.max_bytes ||
           som_mesh_fail(reader, SOM_FILE_TOO_LARGE, SOM_MESH_NOWHERE, "it has more than %zu bytes",
                         reader->options.max_bytes);
}

// Whether the bytes can be of the format that the name promises.
static bool check_content(SomMeshReader *reader) {
    if (som_str_starts_with(reader->bytes, SOM_STR("\xEF\xBB\xBF"))) { // a mark of UTF-8
        reader->bytes = som_str_slice(reader->bytes, 3, reader->bytes.length);
    }
    if (reader->bytes.length == 0) {
        return som_mesh_fail(reader, SOM_MESH_EMPTY, SOM_MESH_NOWHERE, "the file is empty");
    }
    SomMeshFormat found = sniff(reader->bytes);
    if (found != SOM_MESH_UNKNOWN && found != reader->format) {
        bool is_glb = som_str_starts_with(reader->bytes, SOM_STR("glTF"));
        return som_mesh_fail(reader, SOM_MESH_FORMAT_MISMATCH, SOM_MESH_NOWHERE,
                             "the file holds %s; its name should end in '%s'",
                             get_format(found)->word, is_glb ? ".glb" : get_format(found)->ending);
    }
    // else assimp would look for a reader of its own that likes the file
    bool has_mark = reader->format == SOM_MESH_DAE || reader->format == SOM_MESH_GLTF;
    if (has_mark && found == SOM_MESH_UNKNOWN) {
        return som_mesh_fail(reader, SOM_MESH_SYNTAX, SOM_MESH_NOWHERE,
                             "the file does not begin like %s", get_format(reader->format)->word);
    }
    return true;
}

static void set_defaults(SomMeshOptions *options) {
    assert(isfinite(options->scale) && options->scale >= 0);
    assert(options->max_bytes <= SOM_MESH_MAX_BYTES);
    assert(0 <= options->max_triangles && options->max_triangles <= SOM_MESH_MAX_TRIANGLES);
    if (options->scale == 0) {
        options->scale = 1;
    }
    if (options->max_bytes == 0) {
        options->max_bytes = SOM_MESH_MAX_BYTES;
    }
    if (options->max_triangles == 0) {
        options->max_triangles = SOM_MESH_MAX_TRIANGLES;
    }
}

static bool check_not_empty(SomMeshReader *reader) {
    return reader->triangles.count > 0 ||
           som_mesh_fail(reader, SOM_MESH_EMPTY, SOM_MESH_NOWHERE, "it has no triangles");
}

static bool read_mesh(SomMeshReader *reader, SomMesh *mesh, SomDiagnostics *diags) {
    bool good = check_content(reader) && read_format(reader) && check_not_empty(reader);
    report(reader, diags);
    som_free(reader->slots);
    if (!good) {
        som_array_free(&reader->vertices);
        som_array_free(&reader->triangles);
        return false;
    }
    *mesh = (SomMesh){
        .vertices = reader->vertices.data,
        .triangles = reader->triangles.data,
        .vertex_count = reader->vertices.count,
        .triangle_count = reader->triangles.count / 3,
        .has_color = reader->has_color,
    };
    memcpy(mesh->color, reader->color, sizeof mesh->color);
    return true;
}

bool som_mesh_parse(SomStr bytes, SomStr name, const SomMeshOptions *options, SomMesh *mesh,
                    SomDiagnostics *diags) {
    SomMeshReader reader = {.bytes = bytes, .name = name, .options = *options};
    set_defaults(&reader.options);
    if (!check_name(&reader) || !check_size(&reader)) {
        report(&reader, diags);
        return false;
    }
    return read_mesh(&reader, mesh, diags);
}

bool som_mesh_load(const char *path, const SomMeshOptions *options, SomMesh *mesh,
                   SomDiagnostics *diags) {
    SomMeshReader reader = {.name = som_str(path), .options = *options};
    set_defaults(&reader.options);
    if (!check_name(&reader)) {
        report(&reader, diags);
        return false;
    }
    SomText text = {0};
    bool good = som_file_load(path, reader.options.max_bytes, &text, diags);
    if (good) {
        reader.bytes = som_text_str(&text);
        reader.folder = som_path_folder(reader.name);
        good = read_mesh(&reader, mesh, diags);
    } else if (reader.options.span.source1 != 0) {
        som_note(diags, reader.options.span, "the mesh is named here");
    }
    som_text_free(&text);
    return good;
}

bool som_mesh_load_sibling(const SomMeshReader *reader, SomStr name, const char *ending,
                           SomText *text) {
    bool is_plain = name.length > 0 && name.data[0] != '.' &&
                    som_mesh_word_is(som_path_extension(name), ending);
    for (size_t i = 0; i < name.length; i++) {
        is_plain = is_plain && name.data[i] != '/' && name.data[i] != '\\' && name.data[i] != 0;
    }
    if (!is_plain || reader->folder.length == 0) {
        return false;
    }
    SomText path = {0};
    som_path_join(&path, reader->folder, name);
    SomDiagnostics *silent = som_diagnostics_create(); // the caller knows what it means
    SomText own = {0};
    som_text_add(&own, reader->name);
    bool good = som_file_is_beside(path.data, own.data) &&
                som_file_load(path.data, reader->options.max_bytes, text, silent);
    som_text_free(&own);
    som_diagnostics_destroy(silent);
    som_text_free(&path);
    return good;
}

void som_mesh_free(SomMesh *mesh) {
    som_free(mesh->vertices);
    som_free(mesh->triangles);
    *mesh = (SomMesh){0};
}
