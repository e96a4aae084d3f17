// SPDX-License-Identifier: Apache-2.0
#include "render/link_meshes.h"

#include "base/codes/modules_codes.h"
#include "base/file.h"
#include "base/path.h"

static const SomLinkMesh *find(const SomLinkMeshes *meshes, const SomModuleLink *link) {
    for (int i = 0; i < meshes->all.count; i++) {
        if (meshes->all.data[i].link == link) {
            return &meshes->all.data[i];
        }
    }
    return NULL;
}

static SomStr folder_of(const SomWorkspace *workspace, const SomM3l *m3l) {
    for (int i = 0; i < som_workspace_file_count(workspace); i++) {
        const SomDesignFile *file = som_workspace_file(workspace, i);
        if (file->m3l == m3l) {
            return som_path_folder(file->path);
        }
    }
    return SOM_STR(".");
}

static void load(SomLinkMeshes *meshes, const SomModuleLink *link, SomStr folder,
                 const SomWorkspace *workspace, SomDiagnostics *diags) {
    SomText path = {0};
    som_path_join(&path, folder, link->mesh);
    SomLinkMesh loaded = {.link = link};
    if (som_file_exists(path.data) && !som_workspace_may_read(workspace, som_text_str(&path))) {
        SomText words = {0};
        som_workspace_print_outside(workspace, &words);
        som_report(diags, SOM_M3L_MESH_OUTSIDE, link->span, "'%.*s' %s", SOM_STR_ARG(link->mesh),
                   words.data);
        som_text_free(&words);
    } else {
        som_mesh_load(path.data, &(SomMeshOptions){.span = link->span}, &loaded.mesh, diags);
    }
    som_array_push(&meshes->all, loaded);
    som_text_free(&path);
}

void som_link_meshes_load(SomLinkMeshes *meshes, const SomConfiguration *configuration,
                          const SomWorkspace *workspace, SomDiagnostics *diags) {
    const SomModuleType *last = NULL;
    for (int i = 0; i < configuration->module_count; i++) {
        const SomModule *module = &configuration->modules[i];
        if (module->type == last) {
            continue; // as most modules are of the type of the one before
        }
        last = module->type;
        for (int k = 0; k < module->type->link_count; k++) {
            const SomModuleLink *link = &module->type->links[k];
            if (link->mesh.length > 0 && find(meshes, link) == NULL) {
                load(meshes, link, folder_of(workspace, module->m3l), workspace, diags);
            }
        }
    }
}

void som_link_meshes_free(SomLinkMeshes *meshes) {
    for (int i = 0; i < meshes->all.count; i++) {
        som_mesh_free(&meshes->all.data[i].mesh);
    }
    som_array_free(&meshes->all);
}

const SomMesh *som_link_meshes_find(const SomLinkMeshes *meshes, const SomModuleLink *link) {
    const SomLinkMesh *found = meshes != NULL ? find(meshes, link) : NULL;
    return found != NULL && found->mesh.triangle_count > 0 ? &found->mesh : NULL;
}

const SomMesh *som_link_meshes_look(const void *meshes, const SomModuleLink *link) {
    return som_link_meshes_find(meshes, link);
}
