// SPDX-License-Identifier: Apache-2.0
// Tessellations on the card. Boxes, cylinders and spheres of all sizes share one mesh of size 1 per
// level; capsules do by their proportion; other geometries have one each.

#include "render/renderer_internal.h"
#include "render/tessellation.h"

#include <stddef.h>

static const int around[SOM_LEVELS] = {12, 24, 48, 96};

// Keys of unit shapes, which no hash of a geometry meets by more than chance.
#define BOX_KEY 1
#define CYLINDER_KEY 2
#define SPHERE_KEY 3

typedef struct EdgeVertex {
    float a[3], b[3], normals[2][3];
    float corner[3]; // end, side, 1 if a crease
} EdgeVertex;

int som_renderer_level(double radius_in_pixels) {
    // a polygon of n sides misses the circle by r (pi / n)^2 / 2: at most half a pixel
    for (int i = 0; i + 1 < SOM_LEVELS; i++) {
        if (around[i] * around[i] >= 10 * radius_in_pixels) {
            return i;
        }
    }
    return SOM_LEVELS - 1;
}

SomVec3 som_renderer_scale(const SomGeometry *geometry) {
    const SomShape *shape = &geometry->shape;
    if (geometry->mesh.triangle_count > 0) {
        return som_vec3(1, 1, 1);
    }
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return shape->half;
    case SOM_SHAPE_CYLINDER:
        return som_vec3(shape->radius, shape->radius, shape->half_length);
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE:
        return som_vec3(shape->radius, shape->radius, shape->radius);
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return som_vec3(1, 1, 1);
}

// The geometry of size 1 that stands for this one, and its key.
static uint64_t unit_of(const SomGeometry *geometry, SomShape *unit) {
    *unit = geometry->shape;
    unit->half = som_vec3(1, 1, 1);
    unit->radius = 1;
    if (geometry->mesh.triangle_count > 0) {
        return geometry->hash;
    }
    switch (geometry->shape.kind) {
    case SOM_SHAPE_BOX:
        return BOX_KEY;
    case SOM_SHAPE_CYLINDER:
        unit->half_length = 1;
        return CYLINDER_KEY;
    case SOM_SHAPE_SPHERE:
        return SPHERE_KEY;
    case SOM_SHAPE_CAPSULE:
        unit->half_length = geometry->shape.half_length / geometry->shape.radius;
        break;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return geometry->hash;
}

static bool is_round(const SomGeometry *geometry) {
    return geometry->mesh.triangle_count == 0 && geometry->shape.kind != SOM_SHAPE_BOX;
}

// ---- upload

static void set_attribute(GLuint index, GLint count, size_t stride, size_t offset) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, count, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
}

static void upload(SomGpuMesh *mesh, int part, const void *vertices, size_t vertex_bytes,
                   const uint32_t *indices, int index_count) {
    glGenVertexArrays(1, &mesh->arrays[part]);
    glGenBuffers(2, &mesh->buffers[2 * part]);
    glBindVertexArray(mesh->arrays[part]);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[2 * part]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)vertex_bytes, vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[2 * part + 1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)index_count * sizeof *indices),
                 indices, GL_STATIC_DRAW);
    mesh->index_count[part] = index_count;
    // attributes 2 to 8 are the instance's, pointed to at each draw
    for (GLuint i = 2; i <= 8; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
}

static void upload_solid(SomGpuMesh *mesh, const SomTessellation *solid) {
    upload(mesh, SOM_GPU_SOLID, solid->vertices.data,
           (size_t)solid->vertices.count * sizeof *solid->vertices.data, solid->triangles.data,
           solid->triangles.count);
    set_attribute(0, 3, sizeof(SomSolidVertex), offsetof(SomSolidVertex, position));
    set_attribute(1, 3, sizeof(SomSolidVertex), offsetof(SomSolidVertex, normal));
}

static void upload_edges(SomGpuMesh *mesh, const SomTessellation *solid) {
    size_t count = (size_t)solid->edges.count;
    EdgeVertex *vertices = som_alloc(4 * count * sizeof *vertices);
    uint32_t *indices = som_alloc(6 * count * sizeof *indices);
    for (size_t i = 0; i < count; i++) {
        const SomSolidEdge *edge = &solid->edges.data[i];
        for (size_t k = 0; k < 4; k++) {
            EdgeVertex *vertex = &vertices[4 * i + k];
            memcpy(vertex->a, edge->a, sizeof vertex->a);
            memcpy(vertex->b, edge->b, sizeof vertex->b);
            memcpy(vertex->normals, edge->normals, sizeof vertex->normals);
            vertex->corner[0] = (float)(k & 1);
            vertex->corner[1] = k < 2 ? -1 : 1;
            vertex->corner[2] = edge->is_crease ? 1 : 0;
        }
        static const uint32_t quad[6] = {0, 1, 2, 2, 1, 3};
        for (size_t k = 0; k < 6; k++) {
            indices[6 * i + k] = (uint32_t)(4 * i) + quad[k];
        }
    }
    upload(mesh, SOM_GPU_EDGES, vertices, 4 * count * sizeof *vertices, indices, (int)(6 * count));
    set_attribute(0, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, a));
    set_attribute(1, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, b));
    set_attribute(9, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, normals[0]));
    set_attribute(10, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, normals[1]));
    set_attribute(11, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, corner));
    som_free(vertices);
    som_free(indices);
}

int som_renderer_find_mesh(SomRenderer *renderer, const SomGeometry *geometry, int level) {
    SomShape unit;
    SomGpuMesh mesh = {.hash = unit_of(geometry, &unit),
                       .level = is_round(geometry) ? level : 0,
                       .is_solid = geometry->is_solid,
                       .last_used = renderer->draw};
    for (int i = 0; i < renderer->meshes.count; i++) {
        SomGpuMesh *other = &renderer->meshes.data[i];
        if (other->hash == mesh.hash && other->level == mesh.level) {
            other->last_used = renderer->draw;
            return i;
        }
    }
    SomTessellation solid = {0};
    if (geometry->mesh.triangle_count > 0) {
        som_tessellate_mesh(&geometry->mesh, &solid);
    } else {
        som_tessellate_shape(&unit, around[level], &solid);
    }
    upload_solid(&mesh, &solid);
    upload_edges(&mesh, &solid);
    som_tessellation_free(&solid);
    som_array_push(&renderer->meshes, mesh);
    return renderer->meshes.count - 1;
}

void som_renderer_drop_meshes(SomRenderer *renderer, unsigned unused_for) {
    int kept = 0;
    for (int i = 0; i < renderer->meshes.count; i++) {
        SomGpuMesh *mesh = &renderer->meshes.data[i];
        if (renderer->draw - mesh->last_used < unused_for) {
            renderer->meshes.data[kept++] = *mesh;
            continue;
        }
        glDeleteVertexArrays(2, mesh->arrays);
        glDeleteBuffers(4, mesh->buffers);
    }
    renderer->meshes.count = kept;
}
