// SPDX-License-Identifier: Apache-2.0
// What an import gives beside its text: module types in M3L, and files they name.

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "exchange/import_internal.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"

#include <string.h>

static bool is_in(const SomStr *names, int count, SomStr name) {
    for (int i = 0; i < count; i++) {
        if (som_str_equal(names[i], name)) {
            return true;
        }
    }
    return false;
}

// A name as `wanted`, or with a number behind it, that neither a type nor a configuration has yet.
SomStr som_importer_type_name(SomImporter *importer, SomStr wanted) {
    SomText name = {0};
    som_text_add(&name, wanted.length > 0 ? wanted : SOM_STR("imported"));
    size_t length = name.length;
    bool is_taken = true;
    for (int number = 2; is_taken; number++) {
        SomStr now = som_text_str(&name);
        is_taken = is_in(importer->type_names.data, importer->type_names.count, now) ||
                   is_in(importer->names.data, importer->names.count, now);
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
    SomText text = {0}, types = {0};
    if (!som_str_starts_with(som_text_str(&importer->types), SOM_STR("\n#"))) {
        SomStr from = importer->path_count > 0 ? som_path_name(importer->paths[0]) : stem(importer);
        som_text_printf(&types, "# Imported from %.*s.\n", SOM_STR_ARG(from));
    }
    som_text_add(&types, som_text_str(&importer->types));
    format_types(som_text_str(&types), &text);
    som_text_free(&types);
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

// ---- saving

typedef struct Place {
    SomText path, folder;
} Place;

static Place place_of(SomStr out, const SomImportedFile *file) {
    Place place = {0};
    som_path_join(&place.path, som_path_folder(out), file->path);
    som_text_add(&place.folder, som_path_folder(som_text_str(&place.path)));
    return place;
}

static void free_place(Place *place) {
    som_text_free(&place->path);
    som_text_free(&place->folder);
}

// Module types begin with a comment that says what they were imported from.
static bool is_imported(const char *path, SomDiagnostics *diags) {
    SomText text = {0};
    bool is_so = som_file_load(path, SOM_FILE_LIMIT, &text, diags);
    if (is_so) {
        const char *end = memchr(text.data, '\n', text.length);
        const char *word = strstr(text.data, "mported from ");
        is_so = text.length > 0 && text.data[0] == '#' && word != NULL && word < end;
    }
    som_text_free(&text);
    return is_so;
}

static bool can_save_file(const SomImportedFile *file, const char *out, bool may_replace,
                          SomDiagnostics *diags) {
    Place place = place_of(som_str(out), file);
    bool can = som_file_can_make_folder(place.folder.data, diags);
    if (can && som_str_ends_with(file->path, SOM_STR(".m3l")) && som_file_exists(place.path.data) &&
        !som_str_equal(som_text_str(&place.path), som_str(out)) &&
        !is_imported(place.path.data, diags)) {
        som_report(
            diags, SOM_IMPORT_REPLACES, (SomSpan){0},
            "'%s' exists and was not written by an import; it is not replaced; choose another "
            "name for the output",
            place.path.data);
        can = false;
    }
    can = can && (may_replace || som_file_is_free(place.path.data, diags));
    free_place(&place);
    return can;
}

static bool save_file(const SomImportedFile *file, SomStr out, SomDiagnostics *diags) {
    Place place = place_of(out, file);
    bool is_saved = som_file_make_folder(place.folder.data, diags) &&
                    som_file_save(place.path.data, file->content, diags);
    free_place(&place);
    return is_saved;
}

bool som_imported_save(const SomImported *result, const char *out, bool may_replace,
                       SomDiagnostics *diags) {
    bool is_type = som_str_ends_with(som_str(out), SOM_STR(".m3l"));
    bool is_fine = som_file_can_save(out, diags) && (may_replace || som_file_is_free(out, diags));
    for (int i = 0; i < result->files.count && is_fine; i++) {
        is_fine = can_save_file(&result->files.data[i], out, may_replace, diags);
    }
    for (int i = 0; i < result->files.count && is_fine; i++) {
        is_fine = save_file(&result->files.data[i], som_str(out), diags);
    }
    return is_fine && (is_type || som_file_save(out, som_text_str(&result->som), diags));
}
