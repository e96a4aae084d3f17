// SPDX-License-Identifier: Apache-2.0
#include "exchange/mesh_export.h"

#include <math.h>
#include <string.h>

static int find(const SomMeshFiles *meshes, const SomHull *hull, const SomMesh *mesh) {
    for (int i = 0; i < meshes->all.count; i++) {
        if (meshes->all.data[i].hull == hull && meshes->all.data[i].mesh == mesh) {
            return i;
        }
    }
    return -1;
}

// Named by the type of module, the link and a number, with what is no letter or digit made one.
void som_mesh_files_add(SomMeshFiles *meshes, const SomMechanism *m, int link, const SomHull *hull,
                        const SomMesh *mesh) {
    if (find(meshes, hull, mesh) >= 0) {
        return;
    }
    const SomMechanismLink *of = &m->links[link];
    SomStr type = m->configuration->modules[of->module].type->name;
    SomText path = {0};
    som_text_printf(&path, "meshes/%.*s_%.*s_%d.stl", SOM_STR_ARG(type),
                    SOM_STR_ARG(of->link->name), meshes->all.count + 1);
    for (size_t i = strlen("meshes/"); i < path.length - strlen(".stl"); i++) {
        char c = path.data[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        path.data[i] = is_plain ? c : '_';
    }
    SomMeshFile entry = {som_arena_copy(&meshes->arena, som_text_str(&path)), hull, mesh};
    som_array_push(&meshes->all, entry);
    som_text_free(&path);
}

void som_mesh_files_find(SomMeshFiles *meshes, const SomMechanism *m, SomMeshLooks looks,
                         const void *context) {
    for (int i = 0; i < m->link_count; i++) {
        const SomMesh *mesh = looks != NULL ? looks(context, m->links[i].link) : NULL;
        if (mesh != NULL) {
            som_mesh_files_add(meshes, m, i, NULL, mesh);
        }
        const SomModuleLink *link = m->links[i].link;
        for (int k = 0; mesh == NULL && k < link->part_count; k++) {
            if (link->parts[k].shape.kind == SOM_SHAPE_HULL) {
                som_mesh_files_add(meshes, m, i, link->parts[k].shape.hull, NULL);
            }
        }
    }
}

void som_mesh_files_free(SomMeshFiles *meshes) {
    som_array_free(&meshes->all);
    som_arena_free(&meshes->arena);
}

SomStr som_mesh_files_path(const SomMeshFiles *meshes, const SomHull *hull, const SomMesh *mesh) {
    int at = find(meshes, hull, mesh);
    return at >= 0 ? meshes->all.data[at].path : SOM_STR("");
}

// ---- STL

static void add_word(SomText *out, uint32_t word) {
    for (int i = 0; i < 4; i++) {
        som_text_add_char(out, (char)(word >> (8 * i) & 0xff), 1);
    }
}

static void add_vector(SomText *out, SomVec3 v) {
    float coordinates[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int i = 0; i < 3; i++) {
        uint32_t word;
        memcpy(&word, &coordinates[i], sizeof word);
        add_word(out, word);
    }
}

void som_mesh_file_write(const SomMeshFile *mesh, SomText *out) {
    const SomVec3 *vertices = mesh->hull != NULL ? mesh->hull->vertices : mesh->mesh->vertices;
    const int32_t *triangles = mesh->hull != NULL ? mesh->hull->triangles : mesh->mesh->triangles;
    int count = mesh->hull != NULL ? mesh->hull->triangle_count : mesh->mesh->triangle_count;
    som_text_add_char(out, '\0', 80);
    add_word(out, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        SomVec3 a = vertices[triangles[3 * i]], b = vertices[triangles[3 * i + 1]],
                c = vertices[triangles[3 * i + 2]];
        SomVec3 normal = som_vec3_cross(som_vec3_sub(b, a), som_vec3_sub(c, a));
        double length = som_vec3_length(normal);
        add_vector(out, length > 0 ? som_vec3_scale(1 / length, normal) : normal);
        add_vector(out, a);
        add_vector(out, b);
        add_vector(out, c);
        som_text_add_char(out, '\0', 2);
    }
}
