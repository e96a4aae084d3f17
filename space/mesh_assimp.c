// SPDX-License-Identifier: Apache-2.0
// A scene as assimp reads it, flattened into one mesh. Runs in the child process of mesh_process.c.

#include "base/codes/space_codes.h"
#include "space/mesh_internal.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>

// The scene being read, and the files that assimp asks for: the mesh itself under a fixed name, so
// that names of other files come as they are written in it.
typedef struct Import {
    struct aiFileIO files;
    SomMeshReader *reader;
    const char *name;
    char refused[128]; // the first file that was asked for and not given
    const struct aiScene *scene;
    SOM_ARRAY(SomVec3) corners;
} Import;

// A file in memory; what assimp calls user data.
typedef struct MemoryFile {
    struct aiFile file;
    SomText own; // of a file beside the mesh
    SomStr bytes;
    size_t at;
} MemoryFile;

static size_t read_file(struct aiFile *file, char *into, size_t size, size_t count) {
    MemoryFile *memory = (MemoryFile *)(void *)file->UserData;
    size_t left = memory->bytes.length - memory->at;
    count = size == 0 ? 0 : left / size < count ? left / size : count;
    if (count > 0) {
        memcpy(into, memory->bytes.data + memory->at, size * count);
        memory->at += size * count;
    }
    return count;
}

static size_t write_file(struct aiFile *file, const char *from, size_t size, size_t count) {
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *file) {
    return ((MemoryFile *)(void *)file->UserData)->at;
}

static size_t size_of_file(struct aiFile *file) {
    return ((MemoryFile *)(void *)file->UserData)->bytes.length;
}

static enum aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    MemoryFile *memory = (MemoryFile *)(void *)file->UserData;
    size_t length = memory->bytes.length;
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? memory->at : length;
    if (offset > length - from) {
        return aiReturn_FAILURE;
    }
    memory->at = from + offset;
    return aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *file) {
    (void)file;
}

static int hex_digit(char c) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *found = c != 0 ? strchr(digits, c) : NULL;
    return found != NULL ? (int)(found - digits) % 16 : -1;
}

// A name in a glTF is a URI, in which "%20" is a blank.
static void add_decoded(SomText *name, const char *uri) {
    while (*uri != 0) {
        int high = hex_digit(uri[0] == '%' ? uri[1] : 0);
        int low = high >= 0 ? hex_digit(uri[2]) : -1;
        som_text_add_char(name, low >= 0 ? (char)(16 * high + low) : *uri, 1);
        uri += low >= 0 ? 3 : 1;
    }
}

static bool load_beside(Import *import, const char *uri, SomText *bytes) {
    SomText name = {0};
    add_decoded(&name, uri);
    bool good = som_mesh_load_sibling(import->reader, som_text_str(&name), ".bin", bytes);
    som_text_free(&name);
    if (good) {
        som_mesh_grant(import->reader->bytes.length + bytes->length);
    } else if (import->refused[0] == 0) {
        snprintf(import->refused, sizeof import->refused, "%s", uri);
    }
    return good;
}

static struct aiFile *open_file(struct aiFileIO *files, const char *name, const char *mode) {
    (void)mode; // nothing can be written
    Import *import = (Import *)(void *)files->UserData;
    SomText own = {0};
    bool is_mesh = strcmp(name, import->name) == 0;
    if (!is_mesh && !load_beside(import, name, &own)) {
        return NULL;
    }
    MemoryFile *memory = som_alloc(sizeof *memory);
    *memory = (MemoryFile){
        .file = {read_file, write_file, tell_file, size_of_file, seek_file, flush_file,
                 (char *)(void *)memory},
        .own = own,
        .bytes = is_mesh ? import->reader->bytes : som_text_str(&own),
    };
    return &memory->file;
}

static void close_file(struct aiFileIO *files, struct aiFile *file) {
    (void)files;
    MemoryFile *memory = (MemoryFile *)(void *)file->UserData;
    som_text_free(&memory->own);
    som_free(memory);
}

static SomPose affine_of(const struct aiMatrix4x4 *m) {
    return (SomPose){{{{(double)m->a1, (double)m->a2, (double)m->a3},
                       {(double)m->b1, (double)m->b2, (double)m->b3},
                       {(double)m->c1, (double)m->c2, (double)m->c3}}},
                     {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static bool is_mirror(SomMat3 a) {
    SomVec3 x = {a.m[0][0], a.m[1][0], a.m[2][0]};
    SomVec3 y = {a.m[0][1], a.m[1][1], a.m[2][1]};
    SomVec3 z = {a.m[0][2], a.m[1][2], a.m[2][2]};
    return som_vec3_dot(som_vec3_cross(x, y), z) < 0;
}

// A place that mirrors its mesh (as for a right hand made of a left one) turns its faces inside
// out: then their corners are taken backwards.
static bool add_face(Import *import, const struct aiMesh *mesh, const struct aiFace *face,
                     SomPose place, bool mirror) {
    SomMeshReader *reader = import->reader;
    if (face->mNumIndices < 3) {
        reader->dropped++;
        return true;
    }
    int count = (int)face->mNumIndices;
    import->corners.count = 0;
    for (int i = 0; i < count; i++) {
        unsigned index = face->mIndices[mirror ? count - 1 - i : i];
        if (index >= mesh->mNumVertices) {
            return som_mesh_fail(reader, SOM_MESH_NO_SUCH_VERTEX, SOM_MESH_NOWHERE,
                                 "a face has vertex %u, but there are %u (counted from 0)", index,
                                 mesh->mNumVertices);
        }
        struct aiVector3D v = mesh->mVertices[index];
        SomVec3 corner = som_vec3((double)v.x, (double)v.y, (double)v.z);
        som_array_push(&import->corners, som_pose_apply(place, corner));
    }
    return som_mesh_add_polygon(reader, import->corners.data, count, SOM_MESH_NOWHERE);
}

static void take_color(Import *import, const struct aiMesh *mesh) {
    struct aiColor4D color;
    if (import->reader->has_color || mesh->mMaterialIndex >= import->scene->mNumMaterials ||
        aiGetMaterialColor(import->scene->mMaterials[mesh->mMaterialIndex], AI_MATKEY_COLOR_DIFFUSE,
                           &color) != aiReturn_SUCCESS) {
        return;
    }
    const double parts[4] = {(double)color.r, (double)color.g, (double)color.b, (double)color.a};
    for (int i = 0; i < 4; i++) {
        import->reader->color[i] = fmin(fmax(parts[i], 0), 1); // NaN becomes 0
    }
    import->reader->has_color = true;
}

static bool add_mesh(Import *import, const struct aiMesh *mesh, SomPose place) {
    bool mirror = is_mirror(place.rotation);
    int before = import->reader->triangles.count;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        if (!add_face(import, mesh, &mesh->mFaces[i], place, mirror)) {
            return false;
        }
    }
    if (import->reader->triangles.count > before) {
        take_color(import, mesh);
    }
    return true;
}

// Meshes of a node and of all nodes below it, each as often as it is named.
static bool add_node(Import *import, const struct aiNode *node, SomPose place) {
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (!add_mesh(import, import->scene->mMeshes[node->mMeshes[i]], place)) {
            return false;
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        const struct aiNode *child = node->mChildren[i];
        SomPose below = som_pose_compose(place, affine_of(&child->mTransformation));
        if (!add_node(import, child, below)) {
            return false;
        }
    }
    return true;
}

static const struct aiScene *read_scene(Import *import) {
    struct aiPropertyStore *wishes = aiCreatePropertyStore();
    aiSetImportPropertyInteger(wishes, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(wishes, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    const struct aiScene *scene =
        aiImportFileExWithProperties(import->name, 0, &import->files, wishes);
    aiReleasePropertyStore(wishes);
    return scene;
}

static bool fail_as_reader(Import *import) {
    const char *said = aiGetErrorString();
    if (import->refused[0] != 0) {
        bool is_beside = import->reader->folder.length > 0 && strchr(import->refused, '/') == NULL;
        return som_mesh_fail(import->reader, SOM_MESH_FILE_REFUSED, SOM_MESH_NOWHERE,
                             "it needs the file '%s', which %s read", import->refused,
                             is_beside ? "cannot be" : "is not");
    }
    if (strstr(said, "bad_alloc") != NULL) {
        return som_mesh_fail(import->reader, SOM_MESH_READER_FAILED, SOM_MESH_NOWHERE,
                             "the mesh reader gave up on this file: it needs too much memory");
    }
    if (strstr(said, import->name) != NULL) { // it has no better word than the name, which is ours
        said = "no mesh is found in it";
    }
    return som_mesh_fail(import->reader, SOM_MESH_DAMAGED, SOM_MESH_NOWHERE,
                         "the mesh reader says: %s", said);
}

bool som_mesh_import_scene(SomMeshReader *reader) {
    Import import = {.reader = reader, .name = "mesh.dae"};
    import.files = (struct aiFileIO){open_file, close_file, (char *)(void *)&import};
    SomPose place = {.rotation = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}}; // glTF has y up
    if (reader->format == SOM_MESH_GLTF) {
        bool is_binary = som_str_starts_with(reader->bytes, SOM_STR("glTF"));
        import.name = is_binary ? "mesh.glb" : "mesh.gltf";
    } else if (!som_mesh_read_asset(reader, &place)) {
        return false;
    }
    import.scene = read_scene(&import);
    if (import.scene == NULL || import.scene->mRootNode == NULL) {
        return fail_as_reader(&import);
    }
    // the root of a COLLADA scene holds nothing but its unit, which `place` has, and not rounded
    if (reader->format != SOM_MESH_DAE) {
        place = som_pose_compose(place, affine_of(&import.scene->mRootNode->mTransformation));
    }
    bool good = add_node(&import, import.scene->mRootNode, place);
    som_array_free(&import.corners);
    return good; // the scene is not released: the process ends, and even that can crash
}
