// SPDX-License-Identifier: Apache-2.0
// What an import made, checked before it is delivered: a text that the check of designs refuses is
// of no use to anybody, and says less about the file that was imported than an error does.

#include "base/path.h"
#include "exchange/import_internal.h"
#include "verify/check_file.h"

#define MAX_SHOWN 5 // errors

static void open_type(SomWorkspace *workspace, SomStr folder, SomStr name, SomStr text) {
    SomText path = {0};
    som_path_join(&path, folder, name);
    som_workspace_open_text(workspace, som_text_str(&path), text);
    som_text_free(&path);
}

// Module types that were made, and files of module types that were given: these may have to be
// copied to where the text is, which was reported.
static void open_types(const SomImporter *importer, SomStr folder, SomWorkspace *workspace) {
    for (int i = 0; i < importer->result->files.count; i++) {
        const SomImportedFile *file = &importer->result->files.data[i];
        if (som_str_ends_with(file->path, SOM_STR(".m3l"))) {
            open_type(workspace, folder, file->path, file->content);
        }
    }
    for (int i = 0; i < importer->used.count; i++) {
        const SomImportFile *file = &importer->used.data[i];
        open_type(workspace, folder, file->path, file->text);
    }
}

// Errors as those of the import, in the text that would have been written.
static void repeat(SomImporter *importer, SomStr path, SomDiagnostics *found, uint32_t own) {
    SomStr kept = som_arena_copy(importer->texts, som_text_str(&importer->result->som));
    uint32_t source1 = som_diagnostics_add_source(importer->diags, path, kept);
    int count, shown = 0, errors = som_diagnostics_error_count(found);
    const SomDiagnostic *all = som_diagnostics_get(found, &count);
    for (int i = 0; i < count && shown < MAX_SHOWN; i++) {
        if (all[i].kind != SOM_DIAGNOSTIC_REPORT || all[i].severity != SOM_ERROR) {
            continue;
        }
        bool is_own = all[i].span.source1 == own;
        SomSpan span = {is_own ? source1 : 0, all[i].span.begin, all[i].span.end};
        som_report(importer->diags, all[i].code, is_own ? span : (SomSpan){0}, "%.*s",
                   SOM_STR_ARG(all[i].message));
        if (shown++ == 0) {
            som_note(importer->diags, (SomSpan){0},
                     "this text was generated from the file; it has errors and was not written");
        }
    }
    som_note_more(importer->diags, errors - shown);
}

bool som_importer_check(SomImporter *importer) {
    SomStr out = importer->options->out;
    SomText path = {0};
    if (som_str_ends_with(out, SOM_STR(".som"))) {
        som_text_add(&path, out);
    } else if (importer->design.text.data != NULL) { // which may use others beside it
        som_text_add(&path, importer->design.path);
    } else {
        som_path_join(&path, som_path_folder(out), SOM_STR("imported.som"));
    }
    SomDiagnostics *found = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(importer->options->library, found);
    open_types(importer, som_path_folder(som_text_str(&path)), workspace);
    int file = som_workspace_open_text(workspace, som_text_str(&path),
                                       som_text_str(&importer->result->som));
    if (file >= 0) {
        som_check_file(workspace, file, found);
    }
    bool fine = som_diagnostics_error_count(found) == 0;
    if (!fine) {
        som_diagnostics_sort(found);
        repeat(importer, som_text_str(&path), found,
               file >= 0 ? som_workspace_file(workspace, file)->source1 : 0);
    }
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(found);
    som_text_free(&path);
    return fine;
}
