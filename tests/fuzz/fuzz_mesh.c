// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes are a mesh or one error. The first byte chooses the format.
//
// A mesh that is read holds together: every index is in range, every vertex is used, numbered by
// first use, finite and not too far out, and no triangle has two equal corners; with it come no
// errors. A file that is refused gives exactly one error and leaves the mesh empty. The formats
// that are read in this process give the same mesh again when they are read again.

#include "space/mesh.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static void check_mesh(const SomMesh *mesh) {
    require(mesh->triangle_count > 0 && mesh->triangle_count <= SOM_MESH_MAX_TRIANGLES);
    int used = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangles + 3 * i;
        require(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
        for (int k = 0; k < 3; k++) {
            require(0 <= t[k] && t[k] <= used);
            used += t[k] == used;
        }
    }
    require(used == mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        SomVec3 v = mesh->vertices[i];
        require(fabs(v.x) <= SOM_MESH_MAX_COORDINATE && fabs(v.y) <= SOM_MESH_MAX_COORDINATE &&
                fabs(v.z) <= SOM_MESH_MAX_COORDINATE);
    }
    SomMeshTopology topology = som_mesh_topology(mesh);
    require(topology.is_closed == (topology.open_edges == 0));
}

static SomMesh read_mesh(SomStr bytes, SomStr name) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomMesh mesh = {0};
    bool good = som_mesh_parse(bytes, name, &(SomMeshOptions){0}, &mesh, diags);
    require(som_diagnostics_error_count(diags) == (good ? 0 : 1));
    require(good || (mesh.vertices == NULL && mesh.triangles == NULL));
    if (good) {
        check_mesh(&mesh);
    }
    som_diagnostics_destroy(diags);
    return mesh;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.stl",  "a.obj", "a.ply", "a.dae",
                                        "a.gltf", "a.glb", "a.wrl"};
    if (size == 0) {
        return 0;
    }
    int format = (data[0] + 1) % 7;
    SomStr bytes = {(const char *)data + 1, size - 1};
    SomMesh mesh = read_mesh(bytes, som_str(names[format]));
    if (format < 3 || format == 6) {
        SomMesh again = read_mesh(bytes, som_str(names[format]));
        require(mesh.vertex_count == again.vertex_count);
        require(mesh.triangle_count == again.triangle_count);
        require(mesh.triangle_count == 0 ||
                memcmp(mesh.triangles, again.triangles,
                       3 * (size_t)mesh.triangle_count * sizeof *mesh.triangles) == 0);
        som_mesh_free(&again);
    }
    som_mesh_free(&mesh);
    return 0;
}
