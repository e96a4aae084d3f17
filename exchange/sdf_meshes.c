// SPDX-License-Identifier: Apache-2.0
// Meshes of a model: which there are, and the frames they are written in.

#include "exchange/sdf_internal.h"

#include <math.h>

// Links whose looks are kept need no mesh of them.
static const SomMesh *looks_to_write(const void *context, const SomModuleLink *link) {
    const SomSdfDef *def = context;
    const SomMechanism *m = def->model->mechanism;
    const SomMesh *mesh = def->looks(def->looks_context, link);
    bool is_kept = mesh != NULL && som_sdf_keeps_looks(link);
    for (int i = 0; i < m->link_count && is_kept; i++) {
        if (m->links[i].link == link && som_sdf_uses_kept_shapes(def, i)) {
            return NULL;
        }
    }
    return mesh;
}

void som_sdf_find_meshes(SomMeshFiles *meshes, const SomSdfDef *def) {
    som_mesh_files_find(meshes, def->model->mechanism, def->looks != NULL ? looks_to_write : NULL,
                        def);
}

// That of its link, as others know it. So the file is the same wherever in its module the link
// stands, as it is elsewhere when a model was imported that then stands on the ground. What
// several links are seen as is in the module's frame.
SomPose som_sdf_mesh_frame(const SomSdfDef *def, const SomMesh *mesh) {
    const SomMechanism *m = def->model->mechanism;
    const SomModuleLink *first = NULL;
    for (int i = 0; i < m->link_count && def->looks != NULL; i++) {
        const SomModuleLink *link = m->links[i].link;
        if (link == first || def->looks(def->looks_context, link) != mesh) {
            continue;
        }
        if (first != NULL && som_pose_distance(link->frame, first->frame) > 0) {
            return som_pose_identity();
        }
        first = first == NULL ? link : first;
    }
    return first != NULL ? first->frame : som_pose_identity();
}

// To what a file of triangles holds, and zero where turns there and back leave next to nothing: so
// normals are those of its corners, and the mesh is the same when it was read.
static double rounded(double value) {
    volatile float near = (float)(round(value * 1e12) / 1e12 + 0.0); // gcc 12 forgets it for pairs
    return (double)near;
}

void som_sdf_write_mesh(const SomSdfDef *def, const SomMeshFile *file, SomText *out) {
    if (file->mesh == NULL) {
        som_mesh_file_write(file, out);
        return;
    }
    SomPose to = som_pose_invert(som_sdf_mesh_frame(def, file->mesh));
    SomMesh moved = *file->mesh;
    moved.vertices = som_realloc(NULL, (size_t)moved.vertex_count + 1, sizeof *moved.vertices);
    for (int i = 0; i < moved.vertex_count; i++) {
        SomVec3 v = som_pose_apply(to, file->mesh->vertices[i]);
        moved.vertices[i] = som_vec3(rounded(v.x), rounded(v.y), rounded(v.z));
    }
    som_mesh_file_write(&(SomMeshFile){.path = file->path, .mesh = &moved}, out);
    som_free(moved.vertices);
}
