// space/mesh_internal.h - what the mesh readers share: the mesh being built and how they complain.
//
// A reader is given the bytes of one file, adds polygons and says true, or complains once and says
// false. The builder merges equal vertices, makes triangles and keeps the limits.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "space/mesh.h"
#include "space/pose.h"

typedef enum SomMeshFormat {
    SOM_MESH_UNKNOWN,
    SOM_MESH_STL,
    SOM_MESH_OBJ,
    SOM_MESH_DAE,
    SOM_MESH_GLTF, // text or binary
    SOM_MESH_PLY,
    SOM_MESH_VRML,
} SomMeshFormat;

// What is wrong with a file, once. It is kept and reported at the end, since the reader may run in
// a process that cannot report.
typedef struct SomMeshComplaint {
    SomCode code; // SOM_NO_CODE if nothing is wrong
    int line;     // 0 if it has none
    char text[256];
} SomMeshComplaint;

typedef struct SomMeshReader {
    SomStr bytes;
    SomStr name;   // for messages
    SomStr folder; // where files beside it may be read from; nowhere if empty
    SomMeshFormat format;
    SomMeshOptions options; // zeros replaced by what they mean
    SomMeshComplaint complaint;

    SOM_ARRAY(SomVec3) vertices;
    SOM_ARRAY(int32_t) triangles;
    int32_t *slots; // hash table of vertices: 1 + index, 0 is free; a power of two long
    size_t slot_count;
    int64_t ear_tests;   // spent on polygons so far
    int dropped;         // lines and points
    size_t unread_bytes; // after the end of a binary STL
    int left_out;        // nodes with a surface that is not read
    char first_left_out[40];
    size_t left_out_at; // of the first one
    bool has_color;
    double color[4];
} SomMeshReader;

bool som_mesh_is_binary_stl(SomStr bytes); // exactly as long as its number of triangles asks for
bool som_mesh_read_stl(SomMeshReader *reader);
bool som_mesh_read_obj(SomMeshReader *reader);
bool som_mesh_read_ply(SomMeshReader *reader);
bool som_mesh_read_vrml(SomMeshReader *reader);
bool som_mesh_read_other(SomMeshReader *reader);   // in a process of its own...
bool som_mesh_import_scene(SomMeshReader *reader); // ...by assimp

// COLLADA: complains of a document type, which stands before the first element if at all.
bool som_mesh_check_prolog(SomMeshReader *reader);

// COLLADA: the map from the coordinates of the file to metres with z up, which is no rotation
// alone.
bool som_mesh_read_asset(SomMeshReader *reader, SomPose *place);

// Loads a file that the mesh names, if that is a plain name with this ending of a file beside it,
// in no other folder. False if not, or if it cannot be read; then `text` is empty.
bool som_mesh_load_sibling(const SomMeshReader *reader, SomStr name, const char *ending,
                           SomText *text);

// In the child: allows what reading so many bytes more may take.
void som_mesh_grant(size_t bytes);

// Adds a polygon of `count` >= 3 corners, in the file's units and scaled here. Complains where a
// corner is not a finite number or too far out, or a limit is reached; `at` is its offset in bytes.
bool som_mesh_add_polygon(SomMeshReader *reader, const SomVec3 *corners, int count, size_t at);

// Complains about the file; always false. NOWHERE is for what has no line.
#define SOM_MESH_NOWHERE ((size_t)-1)
__attribute__((format(printf, 4, 5))) bool som_mesh_fail(SomMeshReader *reader, SomCode code,
                                                         size_t at, const char *format, ...);

// Complains that the text, or else the line, ends where `wanted` belongs.
bool som_mesh_fail_at_end(SomMeshReader *reader, size_t at, const char *wanted);

// The next word from *at on, and *at after it; empty at the end of the text or, with
// `in_line`, of the line. A '#' begins a comment in a line; a '\' at its end joins the next one.
SomStr som_mesh_next_word(SomStr text, size_t *at, bool in_line);
void som_mesh_skip_line(SomStr text, size_t *at);           // to its end
bool som_mesh_word_is(SomStr word, const char *lower_case); // whatever the case

// The number that a word is, which begins at `at`; complains if it is none, or none that is finite.
bool som_mesh_take_number(SomMeshReader *reader, SomStr word, size_t at, double *value);

// One number, or three; complain if they are not there.
bool som_mesh_read_number(SomMeshReader *reader, size_t *at, bool in_line, double *value);
bool som_mesh_read_point(SomMeshReader *reader, size_t *at, bool in_line, SomVec3 *point);

// A word of the file as a message shows it, not too long.
#define SOM_MESH_WORD_ARG(word) ((word).length < 40 ? (int)(word).length : 40), (word).data
