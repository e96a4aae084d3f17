// SPDX-License-Identifier: Apache-2.0
#include "studio/catalog.h"

#include "base/file.h"
#include "base/file_scope.h"
#include "base/path.h"
#include "compose/workspace.h"

#include <stdlib.h>

static const SomCatalogParameter *copy_params(SomCatalog *catalog, const SomSyntax *tree,
                                              const SomConfigInfo *config) {
    SomCatalogParameter *params =
        som_arena_new(&catalog->arena, SomCatalogParameter, config->param_count + 1);
    for (int i = 0; i < config->param_count; i++) {
        const SomParameter *from = &config->params[i];
        SomStr otherwise =
            from->otherwise != 0 ? som_syntax_text(tree, from->otherwise) : SOM_STR("");
        params[i] =
            (SomCatalogParameter){som_arena_copy(&catalog->arena, from->name),
                                  som_arena_copy(&catalog->arena, from->type),
                                  som_arena_copy(&catalog->arena, otherwise), from->is_count};
    }
    return params;
}

// Composes it for its numbers. Of one that must be given arguments they stay unknown.
static bool measure(SomWorkspace *workspace, int file, SomCatalogEntry *entry,
                    SomDiagnostics *diags) {
    for (int i = 0; i < entry->param_count; i++) {
        if (entry->params[i].otherwise.length == 0) {
            entry->order = 1;
            return true;
        }
    }
    SomConfiguration *made = som_configuration_compose(workspace, file, entry->name, diags);
    if (made != NULL) {
        entry->order = made->order;
        entry->modules = made->module_count;
        entry->dofs = made->dof_count;
    }
    som_configuration_destroy(made);
    return made != NULL;
}

static void add(SomCatalog *catalog, SomWorkspace *workspace, int file, SomCatalogEntry entry,
                SomDiagnostics *diags) {
    entry.name = som_arena_copy(&catalog->arena, entry.name);
    entry.file = som_arena_copy(&catalog->arena, som_workspace_file(workspace, file)->path);
    entry.doc = som_arena_copy(&catalog->arena, entry.doc);
    if (measure(workspace, file, &entry, diags)) {
        som_array_push(&catalog->entries, entry);
    }
}

static void read_file(SomCatalog *catalog, SomWorkspace *workspace, SomStr path,
                      SomDiagnostics *diags) {
    int file = som_workspace_open(workspace, path);
    if (file < 0) {
        return;
    }
    const SomDesignFile *f = som_workspace_file(workspace, file);
    for (int i = 0; i < f->config_count; i++) {
        const SomConfigInfo *config = &f->configs[i];
        SomCatalogEntry entry = {.name = config->name,
                                 .doc = config->doc,
                                 .params = copy_params(catalog, f->tree, config),
                                 .param_count = config->param_count};
        add(catalog, workspace, file, entry, diags);
        f = som_workspace_file(workspace, file);
    }
    for (int i = 0; f->m3l != NULL && i < f->m3l->type_count; i++) {
        SomCatalogEntry entry = {
            .name = f->m3l->types[i].name, .doc = f->m3l->types[i].note, .is_type = true};
        add(catalog, workspace, file, entry, diags);
    }
    for (int i = 0; f->m3l != NULL && i < f->m3l->robot_count; i++) {
        add(catalog, workspace, file, (SomCatalogEntry){.name = f->m3l->robots[i].name}, diags);
    }
}

static int compare(const void *a, const void *b) {
    const SomCatalogEntry *x = a, *y = b;
    int by_type = (y->is_type ? 1 : 0) - (x->is_type ? 1 : 0);
    int by_name = som_str_compare(x->name, y->name);
    return x->order != y->order ? x->order - y->order
           : by_type != 0       ? by_type
           : by_name != 0       ? by_name
                                : som_str_compare(x->file, y->file);
}

void som_catalog_read(SomCatalog *catalog, SomStr library, SomStr folder,
                      const atomic_bool *is_stopped) {
    static const char *const endings[] = {".som", ".m3l"};
    SomDiagnostics *diags = som_diagnostics_create(); // what is wrong is told when it is opened
    SomArena arena = {0};
    SomText path = {0}, root = {0};
    som_text_add(&root, library);
    som_text_add(&path, folder);
    som_text_add(&path, SOM_STR(""));
    SomWorkspace *workspace = som_workspace_create(som_text_str(&root), diags);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        const SomStr *names;
        SomText at = {0};
        int count = som_file_list(path.data, som_str(endings[e]), &arena, &names, diags);
        for (int i = 0; i < count && !(is_stopped != NULL && atomic_load(is_stopped)); i++) {
            som_text_clear(&at);
            som_path_join(&at, folder, names[i]);
            // links of the user's library are theirs; those of a project must not lead out of it
            if (som_str_starts_with(folder, library) || som_file_is_within(at.data, path.data)) {
                read_file(catalog, workspace, som_text_str(&at), diags);
            }
        }
        som_text_free(&at);
    }
    if (catalog->entries.count > 0) {
        qsort(catalog->entries.data, (size_t)catalog->entries.count, sizeof *catalog->entries.data,
              compare);
    }
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    som_text_free(&path);
    som_text_free(&root);
    som_arena_free(&arena);
}

void som_catalog_free(SomCatalog *catalog) {
    som_array_free(&catalog->entries);
    som_arena_free(&catalog->arena);
}
