// SPDX-License-Identifier: Apache-2.0
// Stands for mesh_process.c where Somite is built without assimp.

#include "base/codes/space_codes.h"
#include "space/mesh_internal.h"

bool som_mesh_read_other(SomMeshReader *reader) {
    return som_mesh_fail(reader, SOM_MESH_FORMAT_NOT_BUILT, SOM_MESH_NOWHERE,
                         "this build of Somite cannot read its format");
}
