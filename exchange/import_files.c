// SPDX-License-Identifier: Apache-2.0
// What an import gives beside its text: module types in M3L, and files they name.

#include "base/file.h"
#include "base/path.h"
#include "exchange/import_internal.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"

// A name as `wanted`, or with a number behind it, that is not in the list yet.
SomStr som_importer_type_name(SomImporter *importer, SomStr wanted) {
    SomText name = {0};
    som_text_add(&name, wanted.length > 0 ? wanted : SOM_STR("imported"));
    size_t length = name.length;
    bool is_taken = true;
    for (int number = 2; is_taken; number++) {
        is_taken = false;
        for (int i = 0; i < importer->type_names.count && !is_taken; i++) {
            is_taken = som_str_equal(importer->type_names.data[i], som_text_str(&name));
        }
        if (is_taken) {
            name.length = length;
            som_text_printf(&name, "_%d", number);
        }
    }
    SomStr kept = som_arena_copy(&importer->arena, som_text_str(&name));
    som_array_push(&importer->type_names, kept);
    som_text_free(&name);
    return kept;
}

// The name of the text without its ending.
static SomStr stem(const SomImporter *importer) {
    SomStr own = som_path_stem(importer->options->out);
    return own.length > 0             ? own
           : importer->path_count > 0 ? som_path_stem(importer->paths[0])
                                      : SOM_STR("imported");
}

SomStr som_importer_types_name(const SomImporter *importer) {
    SomText name = {0};
    som_text_printf(&name, "%.*s.m3l", SOM_STR_ARG(stem(importer)));
    SomStr kept = som_arena_copy(&importer->result->arena, som_text_str(&name));
    som_text_free(&name);
    return kept;
}

// Letters, digits and what does no harm in names of files.
static void add_plain(SomText *out, SomStr name) {
    for (size_t i = 0; i < name.length && i < 100; i++) {
        char c = name.data[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '-' || c == '_';
        som_text_add_char(out, is_plain ? c : '_', 1);
    }
}

static bool has_file(const SomImporter *importer, SomStr path) {
    for (int i = 0; i < importer->result->files.count; i++) {
        if (som_str_equal(importer->result->files.data[i].path, path)) {
            return true;
        }
    }
    return false;
}

SomStr som_importer_add_file(SomImporter *importer, SomStr folder, SomStr name, const char *ending,
                             SomStr content) {
    SomText path = {0};
    add_plain(&path, stem(importer));
    som_text_printf(&path, "_%.*s/", SOM_STR_ARG(folder));
    add_plain(&path, name);
    size_t length = path.length;
    som_text_add(&path, som_str(ending));
    for (int number = 2; has_file(importer, som_text_str(&path)); number++) {
        path.length = length;
        som_text_printf(&path, "_%d%s", number, ending);
    }
    SomArena *arena = &importer->result->arena;
    SomImportedFile file = {som_arena_copy(arena, som_text_str(&path)),
                            som_arena_copy(arena, content)};
    som_array_push(&importer->result->files, file);
    som_text_free(&path);
    return file.path;
}

// What was written must be understood; if not, the first reason is told.
static bool check_types(SomImporter *importer, SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(text, 0, diags);
    bool fine = som_diagnostics_error_count(diags) == 0;
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count && !fine; i++) {
        if (all[i].kind == SOM_DIAGNOSTIC_REPORT && all[i].severity == SOM_ERROR) {
            som_report(importer->diags, SOM_MODEL_UNFIT, (SomSpan){0}, "%.*s",
                       SOM_STR_ARG(all[i].message));
            break;
        }
    }
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    return fine;
}

// In canonical form; as it is where it is no M3L, which check_types then tells.
static void format_types(SomStr types, SomText *out) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_m3l_parse(types, &som_dialect_m3l, 0, diags);
    if (!som_m3l_format(tree, out)) {
        som_text_add(out, types);
    }
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}

bool som_importer_finish_types(SomImporter *importer) {
    if (importer->types.length == 0) {
        return true;
    }
    SomText text = {0};
    format_types(som_text_str(&importer->types), &text);
    bool fine = check_types(importer, som_text_str(&text));
    if (fine) {
        SomImportedFile file = {som_importer_types_name(importer),
                                som_arena_copy(&importer->result->arena, som_text_str(&text))};
        som_array_push(&importer->result->files, file);
        SomImportedFile *files = importer->result->files.data;
        for (int i = importer->result->files.count - 1; i > 0; i--) { // types first
            files[i] = files[i - 1];
        }
        files[0] = file;
    }
    som_text_free(&text);
    return fine;
}

bool som_imported_save_files(const SomImported *result, SomStr out, SomDiagnostics *diags) {
    bool is_saved = true;
    for (int i = 0; i < result->files.count && is_saved; i++) {
        const SomImportedFile *file = &result->files.data[i];
        SomText path = {0}, folder = {0};
        som_path_join(&path, som_path_folder(out), file->path);
        som_text_add(&folder, som_path_folder(som_text_str(&path)));
        is_saved = som_file_make_folder(folder.data, diags) &&
                   som_file_save(path.data, file->content, diags);
        som_text_free(&path);
        som_text_free(&folder);
    }
    return is_saved;
}
