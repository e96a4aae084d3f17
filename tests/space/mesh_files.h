// tests/space/mesh_files.h - writes a mesh as a file of each format, by hand, in memory.
//
//     SomText file = {0};
//     write_dae(&file, &cube, 0.01, "Z_UP", "");
//
// read_file and code_of read one back. The meshes written are lists of triangles in metres with z
// up; each writer turns them into its format's own axes and units.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "base/number.h"
#include "space/mesh.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>

static inline void add_u32(SomText *file, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        som_text_add_char(file, (char)(value >> 8 * i & 0xFF), 1);
    }
}

static inline void add_float(SomText *file, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    add_u32(file, bits);
}

static inline void add_point(SomText *file, SomVec3 p, const char *after) {
    som_text_number(file, p.x);
    som_text_add_char(file, ' ', 1);
    som_text_number(file, p.y);
    som_text_add_char(file, ' ', 1);
    som_text_number(file, p.z);
    som_text_add(file, som_str(after));
}

// From z up to y up, as glTF has it and COLLADA may.
static inline SomVec3 y_up(SomVec3 p) {
    return som_vec3(p.x, p.z, -p.y);
}

static inline SomVec3 corner_of(const SomMesh *mesh, int triangle, int corner) {
    return mesh->vertices[mesh->triangles[3 * triangle + corner]];
}

static inline void write_stl_text(SomText *file, const SomMesh *mesh) {
    som_text_add(file, SOM_STR("solid shape of a test\n"));
    for (int i = 0; i < mesh->triangle_count; i++) {
        som_text_add(file, SOM_STR("  facet normal 0 0 0\n    outer loop\n"));
        for (int k = 0; k < 3; k++) {
            som_text_add(file, SOM_STR("      vertex "));
            add_point(file, corner_of(mesh, i, k), "\n");
        }
        som_text_add(file, SOM_STR("    endloop\n  endfacet\n"));
    }
    som_text_add(file, SOM_STR("endsolid shape of a test\n"));
}

static inline void write_stl_binary(SomText *file, const SomMesh *mesh) {
    som_text_add_char(file, 's', 80);
    add_u32(file, (uint32_t)mesh->triangle_count);
    for (int i = 0; i < mesh->triangle_count; i++) {
        som_text_add_char(file, 0, 12);
        for (int k = 0; k < 3; k++) {
            SomVec3 p = corner_of(mesh, i, k);
            add_float(file, p.x);
            add_float(file, p.y);
            add_float(file, p.z);
        }
        som_text_add_char(file, 0, 2);
    }
}

static inline void write_obj(SomText *file, const SomMesh *mesh) {
    som_text_add(file, SOM_STR("# a test\no shape\n"));
    for (int i = 0; i < mesh->vertex_count; i++) {
        som_text_add(file, SOM_STR("v "));
        add_point(file, mesh->vertices[i], "\n");
    }
    som_text_add(file, SOM_STR("vt 0 0\nvn 0 0 1\n"));
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangles + 3 * i;
        som_text_printf(file, "f %d/1 %d//1 %d/1/1\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
}

static inline void write_ply_head(SomText *file, const SomMesh *mesh, const char *kind) {
    som_text_printf(file,
                    "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
                    "property float z\nelement face %d\nproperty list uchar int vertex_indices\n"
                    "end_header\n",
                    kind, mesh->vertex_count, mesh->triangle_count);
}

static inline void write_ply_text(SomText *file, const SomMesh *mesh) {
    write_ply_head(file, mesh, "ascii");
    for (int i = 0; i < mesh->vertex_count; i++) {
        add_point(file, mesh->vertices[i], "\n");
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangles + 3 * i;
        som_text_printf(file, "3 %d %d %d\n", t[0], t[1], t[2]);
    }
}

static inline void write_ply_binary(SomText *file, const SomMesh *mesh) {
    write_ply_head(file, mesh, "binary_little_endian");
    for (int i = 0; i < mesh->vertex_count; i++) {
        add_float(file, mesh->vertices[i].x);
        add_float(file, mesh->vertices[i].y);
        add_float(file, mesh->vertices[i].z);
    }
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        som_text_add_char(file, 3, i % 3 == 0);
        add_u32(file, (uint32_t)mesh->triangles[i]);
    }
}

// `meter` is the unit, in which the coordinates are written; `node` what stands before the geometry
// in its node: transformations. An empty `up` leaves the axis out.
static inline void write_dae(SomText *file, const SomMesh *mesh, double meter, const char *up,
                             const char *node) {
    som_text_add(file, SOM_STR("<?xml version=\"1.0\"?>\n<!-- a test --><COLLADA "
                               "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
                               "version=\"1.4.1\">\n<asset><unit name=\"meter\" meter=\""));
    som_text_number(file, meter);
    som_text_add(file, SOM_STR("\"/>"));
    if (up[0] != 0) {
        som_text_printf(file, "<up_axis>%s</up_axis>", up);
    }
    som_text_printf(file,
                    "</asset>\n<library_effects><effect id=\"e\"><profile_COMMON><technique "
                    "sid=\"c\"><phong><diffuse><color>1 0.5 0.25 1</color></diffuse></phong>"
                    "</technique></profile_COMMON></effect></library_effects>\n"
                    "<library_materials><material id=\"m\"><instance_effect url=\"#e\"/>"
                    "</material></library_materials>\n<library_geometries><geometry id=\"g\">"
                    "<mesh><source id=\"p\"><float_array id=\"a\" count=\"%d\">",
                    3 * mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        SomVec3 p = mesh->vertices[i];
        p = up[0] == 'Z' ? p : up[0] == 'X' ? som_vec3(p.z, -p.x, -p.y) : y_up(p);
        add_point(file, som_vec3(p.x / meter, p.y / meter, p.z / meter), " ");
    }
    som_text_printf(file,
                    "</float_array><technique_common><accessor source=\"#a\" count=\"%d\" "
                    "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
                    "type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
                    "</technique_common></source>\n<vertices id=\"v\"><input "
                    "semantic=\"POSITION\" source=\"#p\"/></vertices>\n<triangles count=\"%d\" "
                    "material=\"s\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>",
                    mesh->vertex_count, mesh->triangle_count);
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        som_text_printf(file, "%d ", mesh->triangles[i]);
    }
    som_text_printf(
        file,
        "</p></triangles></mesh></geometry></library_geometries>\n<library_visual_scenes>"
        "<visual_scene id=\"w\"><node id=\"n\">%s<instance_geometry url=\"#g\"><bind_material>"
        "<technique_common><instance_material symbol=\"s\" target=\"#m\"/></technique_common>"
        "</bind_material></instance_geometry></node></visual_scene></library_visual_scenes>\n"
        "<scene><instance_visual_scene url=\"#w\"/></scene>\n</COLLADA>\n",
        node);
}

static inline void add_gltf_buffer(SomText *buffer, const SomMesh *mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        SomVec3 p = y_up(mesh->vertices[i]);
        add_float(buffer, p.x);
        add_float(buffer, p.y);
        add_float(buffer, p.z);
    }
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        add_u32(buffer, (uint32_t)mesh->triangles[i]);
    }
}

// The JSON of a glTF. `uri` is the buffer's member for it with a comma behind, or empty; `nodes` is
// the list of nodes, of which number 0 is the scene's.
static inline void add_gltf_text(SomText *file, const SomMesh *mesh, const char *uri,
                                 const char *nodes) {
    int points = 12 * mesh->vertex_count, faces = 12 * mesh->triangle_count;
    som_text_add(file, SOM_STR("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":"
                               "[{\"nodes\":[0]}],\"nodes\":["));
    som_text_add(file, som_str(nodes));
    som_text_add(file, SOM_STR("],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                               "\"indices\":1,\"material\":0}]}],\"materials\":[{"
                               "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,0.25,1]}}],"
                               "\"buffers\":[{"));
    som_text_add(file, som_str(uri));
    som_text_printf(
        file,
        "\"byteLength\":%d}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%d},"
        "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},{\"bufferView\":1,"
        "\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"}]}",
        points + faces, points, points, faces, mesh->vertex_count, 3 * mesh->triangle_count);
}

static inline void write_gltf(SomText *file, const SomMesh *mesh) {
    const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    SomText buffer = {0}, uri = {0};
    add_gltf_buffer(&buffer, mesh); // whole words, but not always a multiple of three bytes
    som_text_add(&uri, SOM_STR("\"uri\":\"data:application/octet-stream;base64,"));
    for (size_t i = 0; i < buffer.length; i += 3) {
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++) {
            three = three << 8 | (i + k < buffer.length ? (unsigned char)buffer.data[i + k] : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            char c = i + k > buffer.length ? '=' : digits[three >> (18 - 6 * k) & 63];
            som_text_add_char(&uri, c, 1);
        }
    }
    som_text_add(&uri, SOM_STR("\","));
    add_gltf_text(file, mesh, uri.data, "{\"mesh\":0}");
    som_text_free(&buffer);
    som_text_free(&uri);
}

static inline void write_glb(SomText *file, const SomMesh *mesh, const char *nodes) {
    SomText buffer = {0}, json = {0};
    add_gltf_buffer(&buffer, mesh);
    add_gltf_text(&json, mesh, "", nodes);
    som_text_add_char(&json, ' ', (int)(-json.length % 4));
    som_text_add(file, SOM_STR("glTF"));
    add_u32(file, 2);
    add_u32(file, (uint32_t)(12 + 8 + json.length + 8 + buffer.length));
    add_u32(file, (uint32_t)json.length);
    som_text_add(file, SOM_STR("JSON"));
    som_text_add(file, som_text_str(&json));
    add_u32(file, (uint32_t)buffer.length);
    som_text_add(file, SOM_STR("BIN\0"));
    som_text_add(file, som_text_str(&buffer));
    som_text_free(&buffer);
    som_text_free(&json);
}

static inline void write_vrml(SomText *file, const SomMesh *mesh) {
    som_text_add(file, SOM_STR("#VRML V2.0 utf8\n# a test\nShape { geometry IndexedFaceSet {\n"
                               "coord Coordinate { point [\n"));
    for (int i = 0; i < mesh->vertex_count; i++) {
        add_point(file, y_up(mesh->vertices[i]), ",\n");
    }
    som_text_add(file, SOM_STR("] }\ncoordIndex [\n"));
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangles + 3 * i;
        som_text_printf(file, "%d %d %d -1\n", t[0], t[1], t[2]);
    }
    som_text_add(file, SOM_STR("] } }\n"));
}

// Every way to write the same mesh; `exact` if no number is rounded on the way.
typedef struct MeshFile {
    const char *name;
    bool exact;
    bool needs_assimp;
} MeshFile;

static const MeshFile mesh_files[] = {
    {"text.stl", true, false},   {"binary.stl", false, false}, {"shape.obj", true, false},
    {"text.ply", true, false},   {"binary.ply", false, false}, {"z.dae", false, true},
    {"shape.gltf", false, true}, {"shape.glb", false, true},   {"shape.wrl", true, false},
};
#define MESH_FILE_COUNT ((int)(sizeof mesh_files / sizeof *mesh_files))

static inline void write_mesh_file(SomText *file, int which, const SomMesh *mesh) {
    switch (which) {
    case 0:
        write_stl_text(file, mesh);
        break;
    case 1:
        write_stl_binary(file, mesh);
        break;
    case 2:
        write_obj(file, mesh);
        break;
    case 3:
        write_ply_text(file, mesh);
        break;
    case 4:
        write_ply_binary(file, mesh);
        break;
    case 5:
        write_dae(file, mesh, 1, "Z_UP", "");
        break;
    case 6:
        write_gltf(file, mesh);
        break;
    case 8:
        write_vrml(file, mesh);
        break;
    default:
        write_glb(file, mesh, "{\"mesh\":0}");
        break;
    }
}

// The unit cube at the origin, its vertices in the order in which its triangles use them.
static SomVec3 cube_vertices[] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static int32_t cube_triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 0, 3, 5, 0, 5, 4,
                                   1, 7, 6, 1, 6, 2, 0, 4, 7, 0, 7, 1, 3, 2, 6, 3, 6, 5};

static inline SomMesh cube(void) {
    return (SomMesh){.vertices = cube_vertices,
                     .triangles = cube_triangles,
                     .vertex_count = 8,
                     .triangle_count = 12};
}

// A sphere of so many rings of faces. Free it.
static inline SomMesh make_sphere(int rings, double radius, SomVec3 center) {
    const double pi = 3.141592653589793;
    int around = 2 * rings, top = around * (rings - 1), bottom = top + 1;
    SomMesh mesh = {.vertex_count = bottom + 1, .triangle_count = 2 * around * (rings - 1)};
    mesh.vertices = som_alloc((size_t)mesh.vertex_count * sizeof *mesh.vertices);
    mesh.triangles = som_alloc((size_t)mesh.triangle_count * 3 * sizeof *mesh.triangles);
    int32_t *t = mesh.triangles;
    for (int i = 0; i < top; i++) {
        int ring = i / around, next = i % around == around - 1 ? i + 1 - around : i + 1;
        double theta = pi * (ring + 1) / rings, phi = 2 * pi * (i % around) / around;
        SomVec3 way = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
        mesh.vertices[i] = som_vec3_add(center, som_vec3_scale(radius, way));
        if (ring == 0) {
            memcpy(t, (int32_t[3]){top, i, next}, 3 * sizeof *t);
            t += 3;
        }
        if (ring < rings - 2) {
            int32_t quad[6] = {i, i + around, next + around, i, next + around, next};
            memcpy(t, quad, sizeof quad);
            t += 6;
        } else {
            memcpy(t, (int32_t[3]){bottom, next, i}, 3 * sizeof *t);
            t += 3;
        }
    }
    mesh.vertices[top] = som_vec3_add(center, som_vec3(0, 0, radius));
    mesh.vertices[bottom] = som_vec3_add(center, som_vec3(0, 0, -radius));
    return mesh;
}

// Reads a file in memory and checks what the diagnostics promise: one error if it fails, none if
// not. Returns the code of the first report, SOM_NO_CODE if there is none.
static inline SomCode read_file(SomStr bytes, const char *name, const SomMeshOptions *options,
                                SomMesh *mesh) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool good = som_mesh_parse(bytes, som_str(name), options, mesh, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), good ? 0 : 1);
    ck_assert(good || mesh->vertices == NULL);
    int count = 0;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    SomCode code = count > 0 ? reports[0].code : SOM_NO_CODE;
    som_diagnostics_destroy(diags);
    return code;
}

// The same for text, when only the answer matters.
static inline SomCode code_of(const char *text, const char *name) {
    SomMesh mesh = {0};
    SomCode code = read_file(som_str(text), name, &(SomMeshOptions){0}, &mesh);
    som_mesh_free(&mesh);
    return code;
}

static inline bool is_same_mesh(const SomMesh *a, const SomMesh *b, double tolerance) {
    if (a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count ||
        memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * 3 * sizeof(int32_t)) != 0) {
        return false;
    }
    for (int i = 0; i < a->vertex_count; i++) {
        SomVec3 d = som_vec3_sub(a->vertices[i], b->vertices[i]);
        if (!(fabs(d.x) <= tolerance && fabs(d.y) <= tolerance && fabs(d.z) <= tolerance)) {
            return false;
        }
    }
    return true;
}
