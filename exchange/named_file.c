// SPDX-License-Identifier: Apache-2.0

#include "exchange/named_file.h"

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "base/file_scope.h"
#include "base/name_list.h"
#include "base/path.h"

#define MAX_PIECES 12 // of a path, from its end
#define MAX_PARENTS 8 // folders above a file, up to that of its package
#define MAX_DEPTH 4   // of folders below those to search
#define MAX_FOLDERS 1000
#define MAX_DEEP_SEARCHES 50
#define MAX_PATH 2000   // bytes
#define SHOWN_BYTES 300 // of a path in a message

// The last pieces of a path, with either kind of slash, but none before a "..".
static int split(SomStr written, SomStr pieces[MAX_PIECES]) {
    int count = 0;
    size_t end = written.length;
    while (end > 0 && count < MAX_PIECES) {
        size_t begin = end;
        while (begin > 0 && written.data[begin - 1] != '/' && written.data[begin - 1] != '\\') {
            begin--;
        }
        SomStr piece = som_str_slice(written, begin, end);
        if (som_str_equal(piece, SOM_STR(".."))) {
            break;
        }
        if (piece.length > 0 && !som_str_equal(piece, SOM_STR("."))) {
            pieces[count++] = piece; // the last one first
        }
        end = begin > 0 ? begin - 1 : 0;
    }
    return count;
}

SomStr som_component_name(SomStr written) {
    SomStr pieces[MAX_PIECES];
    return split(written, pieces) > 0 ? pieces[0] : written;
}

static bool try_path(SomStr folder, const SomStr *pieces, int count, SomText *path) {
    som_text_clear(path);
    SomText end = {0};
    for (int i = count - 1; i >= 0; i--) {
        som_text_add(&end, pieces[i]);
        som_text_add(&end, i > 0 ? SOM_STR("/") : SOM_STR(""));
    }
    som_path_join(path, folder, som_text_str(&end));
    som_text_free(&end);
    SomText root = {0};
    som_text_add(&root, folder);
    bool is_found = path->length < MAX_PATH && som_file_exists(path->data) &&
                    som_file_is_within(path->data, root.length > 0 ? root.data : ".");
    som_text_free(&root);
    return is_found;
}

// Longest end first; last of all a folder of the component's name, as the lab keeps them.
static bool try_folder(SomStr folder, const SomStr *pieces, int count, SomText *path) {
    for (int i = count; i > 0; i--) {
        if (try_path(folder, pieces, i, path)) {
            return true;
        }
    }
    SomStr own[2] = {pieces[0], som_path_stem(pieces[0])};
    return try_path(folder, own, 2, path);
}

static bool try_given(const SomImporter *importer, SomStr name, SomText *path) {
    for (int i = 0; i < importer->path_count; i++) {
        if (som_str_equal(som_path_name(importer->paths[i]), name)) {
            som_text_clear(path);
            som_text_add(path, importer->paths[i]);
            return true;
        }
    }
    return false;
}

// The folder above: of "a/b" it is "a", then ".", "..", "../..", and so on. False at the top.
static bool go_up(SomStr now, SomText *next) {
    SomStr name = som_path_name(now);
    if (som_str_equal(now, SOM_STR("/"))) {
        return false;
    }
    if (som_str_equal(now, SOM_STR("."))) {
        som_text_add(next, SOM_STR(".."));
    } else if (som_str_equal(name, SOM_STR("..")) || som_str_equal(name, SOM_STR("."))) {
        som_text_printf(next, "%.*s/..", SOM_STR_ARG(now));
    } else {
        som_text_add(next, som_path_folder(now));
    }
    return true;
}

// The lab's program keeps a component in a folder of its own, beside that of the structure:
// ../vleg/vleg.conf. No other file of the folders above is meant for us.
static bool try_beside(SomStr folder, SomStr name, SomText *path) {
    SomStr own[2] = {name, som_path_stem(name)};
    SomText above = {0};
    bool found = go_up(folder, &above) && try_path(som_text_str(&above), own, 2, path);
    som_text_free(&above);
    return found;
}

// In the folder of a component that was read, as gaits are: the one that the path names.
static bool try_done(const SomImporter *importer, const SomStr *pieces, int count, SomText *path) {
    bool found = false;
    for (int i = 0; i < importer->done.count && !found; i++) {
        SomStr folder = som_path_folder(importer->done.data[i]);
        found = (count < 2 || som_str_equal(som_path_name(folder), pieces[1])) &&
                try_path(folder, pieces, 1, path);
    }
    return found;
}

// The folders in a folder, down to some depth: nearest first, those of one depth in order.
static void list_folders(SomImporter *importer, SomStr root) {
    SomDiagnostics *unheard = som_diagnostics_create(); // a folder that cannot be read has nothing
    SomStr top = som_arena_copy(&importer->arena, root);
    int begin = importer->folders.count;
    som_array_push(&importer->folders, root);
    for (int depth = 0, end; depth < MAX_DEPTH; depth++, begin = end) {
        end = importer->folders.count;
        for (int i = begin; i < end; i++) {
            const SomStr *names;
            SomStr folder = som_arena_copy(&importer->arena, importer->folders.data[i]);
            int count = som_file_list(folder.data, SOM_STR(""), &importer->arena, &names, unheard);
            for (int k = 0; k < count && importer->folders.count < MAX_FOLDERS; k++) {
                SomText path = {0};
                som_path_join(&path, folder, names[k]);
                if (som_file_is_folder(path.data) && som_file_is_within(path.data, top.data)) {
                    SomStr kept = som_arena_copy(&importer->arena, som_text_str(&path));
                    som_array_push(&importer->folders, kept);
                }
                som_text_free(&path);
            }
        }
    }
    som_diagnostics_destroy(unheard);
}

// Last of all, anywhere below the folders to search: just that path, or ends of it too.
static bool try_below(SomImporter *importer, const SomStr *pieces, int count, bool is_exact,
                      SomText *path) {
    for (int i = 0; importer->deep_searches == 0 && i < importer->options->search_count; i++) {
        list_folders(importer, importer->options->searches[i]);
    }
    bool found = false;
    if (importer->deep_searches++ < MAX_DEEP_SEARCHES) {
        for (int i = 0; i < importer->folders.count && !found; i++) {
            SomStr folder = importer->folders.data[i];
            found = is_exact ? try_path(folder, pieces, count, path)
                             : try_folder(folder, pieces, count, path);
        }
    }
    return found;
}

// The pieces of a path that can be looked for; 0 of another.
static int pieces_of(SomStr written, SomStr pieces[MAX_PIECES]) {
    bool is_path = written.length <= MAX_PATH && memchr(written.data, 0, written.length) == NULL;
    return is_path ? split(written, pieces) : 0;
}

// What was found, for as long as the importer lives; empty if nothing was.
static SomStr keep(SomImporter *importer, bool found, SomText *path) {
    SomStr kept = found ? som_arena_copy(&importer->arena, som_text_str(path)) : (SomStr){"", 0};
    som_text_free(path);
    return kept;
}

SomStr som_component_find(SomImporter *importer, SomStr structure, SomStr written, SomStr ending) {
    SomStr pieces[MAX_PIECES];
    int count = pieces_of(written, pieces);
    if (count == 0 || !som_str_ends_with(pieces[0], ending)) {
        return (SomStr){"", 0};
    }
    SomText path = {0};
    SomStr folder = som_path_folder(structure);
    bool found = try_given(importer, pieces[0], &path);
    found = found || (!importer->is_in_memory && try_folder(folder, pieces, count, &path));
    for (int i = 0; i < importer->options->search_count && !found; i++) {
        found = try_folder(importer->options->searches[i], pieces, count, &path);
    }
    found = found || (!importer->is_in_memory && try_beside(folder, pieces[0], &path));
    found = found || (!importer->is_in_memory && try_done(importer, pieces, count, &path));
    found = found || try_below(importer, pieces, count, false, &path);
    return keep(importer, found, &path);
}

// ---- what models name

// "package://arm/x" gives "arm"; other ways to write a path give none.
static SomStr package_of(SomStr uri, SomStr *path) {
    static const char *const schemes[] = {"package://", "model://", "file://"};
    *path = uri;
    for (int i = 0; i < 3; i++) {
        if (som_str_starts_with(uri, som_str(schemes[i]))) {
            *path = som_str_slice(uri, strlen(schemes[i]), uri.length);
            const char *slash = memchr(path->data, '/', path->length);
            size_t length = slash != NULL ? (size_t)(slash - path->data) : 0;
            return som_str_slice(*path, 0, i < 2 ? length : 0);
        }
    }
    return (SomStr){"", 0};
}

// By what is in it, not by its name: any folder above may have the name that a file asks for.
static bool is_package(SomStr folder) {
    static const char *const marks[] = {"package.xml", "model.config"};
    bool found = false;
    for (int i = 0; i < 2 && !found; i++) {
        SomText path = {0};
        som_path_join(&path, folder, som_str(marks[i]));
        found = som_file_exists(path.data);
        som_text_free(&path);
    }
    return found;
}

// The nearest package that the folder is in. False if there is none.
static bool find_package(SomStr folder, SomText *package) {
    bool is_inside = true;
    som_text_clear(package);
    som_text_add(package, folder);
    for (int i = 0; i < MAX_PARENTS && is_inside; i++) {
        if (is_package(som_text_str(package))) {
            return true;
        }
        SomText next = {0};
        is_inside = go_up(som_text_str(package), &next);
        som_text_free(package);
        *package = next;
    }
    return false;
}

// In that package: just that path, or ends of it too.
static bool try_package(SomStr folder, const SomStr *pieces, int count, bool is_exact,
                        SomText *path) {
    SomText package = {0};
    bool found = find_package(folder, &package);
    if (found) {
        found = is_exact ? try_path(som_text_str(&package), pieces, count, path)
                         : try_folder(som_text_str(&package), pieces, count, path);
    }
    som_text_free(&package);
    return found;
}

// As it is named: what another package has under the same name is not meant.
static bool try_named_package(SomImporter *importer, SomStr folder, SomStr package,
                              const SomStr *pieces, int count, SomText *path) {
    if (package.length == 0 || count < 2 || !som_str_equal(pieces[count - 1], package)) {
        return false;
    }
    bool found = false;
    for (int i = 0; i < importer->options->search_count && !found; i++) {
        found = try_path(importer->options->searches[i], pieces, count, path);
    }
    // last, as its folder may have another name than the package
    return found || (!importer->is_in_memory && try_package(folder, pieces, count - 1, true, path));
}

// Tells a file that only ends as the path does: it may be another robot's. False if it is the file
// that names it, which cannot be meant.
static bool accept_guess(SomImporter *importer, SomStr from, SomStr uri, SomStr package,
                         const SomStr *pieces, int count, const SomText *path) {
    SomStr found[MAX_PIECES];
    int is_named = package.length > 0 && som_str_equal(pieces[count - 1], package);
    int found_count = split(som_text_str(path), found), same = 0;
    while (same < count && same < found_count && som_str_equal(pieces[same], found[same])) {
        same++;
    }
    SomText written = {0}, own = {0};
    som_text_add(&written, uri);
    som_text_add(&own, from);
    bool is_own = false;
    const char *scheme = strstr(written.data, "://");
    const char *whole = scheme != NULL ? scheme + 3 : written.data;
    bool is_outside = som_asset_is_outside(importer, from, uri);
    bool is_other = is_outside || same < count - is_named;
    if (is_other && !som_file_is_same(whole, path->data)) {
        is_own = som_file_is_same(own.data, path->data);
        if (!is_own) {
            som_report(importer->diags, SOM_IMPORT_GUESSED, (SomSpan){0},
                       "'%.*s' %s; '%s' is used instead", SOM_STR_ARG(uri),
                       is_outside ? SOM_FILE_OUTSIDE : "not found", path->data);
        }
    }
    som_text_free(&written);
    som_text_free(&own);
    return !is_own;
}

// The folder above that has the package's name, though it is none; nothing if there is no such.
static void find_namesake(SomStr folder, SomStr package, SomText *found) {
    SomText whole = {0}, at = {0};
    bool is_known = som_file_working_folder(&whole);
    som_path_join(&at, som_text_str(&whole), folder);
    for (SomStr above = som_text_str(&at); is_known && above.length > 1 && found->length == 0;
         above = som_path_folder(above)) {
        SomStr name = som_path_name(above);
        if (som_str_equal(name, package) && !is_package(above)) {
            som_text_add(found, above);
        }
        is_known = !som_str_equal(name, SOM_STR("..")) && above.data[0] == '/';
    }
    som_text_free(&whole);
    som_text_free(&at);
}

// Once for a package: its folder has the right name, but nothing says that it is one.
static void report_namesake(SomImporter *importer, SomStr folder, SomStr package) {
    for (int i = 0; i < importer->packages.count; i++) {
        if (som_str_equal(importer->packages.data[i], package)) {
            return;
        }
    }
    SomText found = {0};
    find_namesake(folder, package, &found);
    if (found.length > 0) {
        som_array_push(&importer->packages, som_arena_copy(&importer->arena, package));
        som_report(importer->diags, SOM_IMPORT_NO_PACKAGE, (SomSpan){0},
                   "folder '%s' has no package.xml or model.config, so it is not searched as "
                   "package '%.*s'",
                   found.data, SOM_STR_ARG(package));
    }
    som_text_free(&found);
}

SomStr som_asset_find(SomImporter *importer, SomStr from, SomStr uri) {
    SomStr pieces[MAX_PIECES], written, package = package_of(uri, &written);
    int count = pieces_of(written, pieces);
    if (count == 0) {
        return (SomStr){"", 0};
    }
    SomText path = {0};
    SomStr folder = som_path_folder(from);
    bool found = try_named_package(importer, folder, package, pieces, count, &path);
    found = found || (!importer->is_in_memory && try_path(folder, pieces, count, &path));
    found = found || try_given(importer, pieces[0], &path);
    found = found || (!importer->is_in_memory && try_folder(folder, pieces, count, &path));
    found = found || (!importer->is_in_memory && try_package(folder, pieces, count, false, &path));
    for (int i = 0; i < importer->options->search_count && !found; i++) {
        found = try_folder(importer->options->searches[i], pieces, count, &path);
    }
    found = found || try_below(importer, pieces, count, false, &path);
    if (found) {
        found = accept_guess(importer, from, uri, package, pieces, count, &path);
    } else if (!importer->is_in_memory && package.length > 0) {
        report_namesake(importer, folder, package);
    }
    return keep(importer, found, &path);
}

SomStr som_asset_find_whole(SomImporter *importer, SomStr from, SomStr uri) {
    SomStr pieces[MAX_PIECES], written;
    package_of(uri, &written);
    int count = pieces_of(written, pieces);
    if (count == 0) {
        return (SomStr){"", 0};
    }
    SomText path = {0};
    bool found = !importer->is_in_memory && try_path(som_path_folder(from), pieces, count, &path);
    for (int i = 0; i < importer->options->search_count && !found; i++) {
        found = try_path(importer->options->searches[i], pieces, count, &path);
    }
    found = found || try_below(importer, pieces, count, true, &path);
    return keep(importer, found, &path);
}

// ---- what is not found

static bool is_within(const char *path, SomStr folder) {
    SomText terminated = {0};
    som_text_add(&terminated, folder);
    bool is_within = som_file_is_within(path, terminated.length > 0 ? terminated.data : ".");
    som_text_free(&terminated);
    return is_within;
}

bool som_asset_is_outside(const SomImporter *importer, SomStr from, SomStr uri) {
    SomStr written, folder = som_path_folder(from), package = package_of(uri, &written);
    bool is_path = written.length > 0 && written.length <= MAX_PATH &&
                   memchr(written.data, 0, written.length) == NULL;
    if (importer->is_in_memory || package.length > 0 || !is_path) {
        return false;
    }
    SomText path = {0}, root = {0};
    som_path_join(&path, folder, written);
    bool is_outside = (som_file_exists(path.data) || som_file_is_folder(path.data)) &&
                      !is_within(path.data, folder) &&
                      !(find_package(folder, &root) && is_within(path.data, som_text_str(&root)));
    for (int i = 0; i < importer->options->search_count; i++) {
        is_outside = is_outside && !is_within(path.data, importer->options->searches[i]);
    }
    som_text_free(&path);
    som_text_free(&root);
    return is_outside;
}

// `own` are the folders that are read for a file beside those to search, `rest` follows them all.
static void note_folders(SomImporter *importer, SomStr own, const char *rest) {
    const SomImportOptions *options = importer->options;
    SomText text = {0};
    SomNameList list = {.out = &text};
    for (int i = 0; i < options->search_count; i++) {
        som_text_add(&text, list.count == 0 ? SOM_STR(" and in ") : SOM_STR(""));
        som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(options->searches[i]));
    }
    som_name_list_end(&list);
    som_note(importer->diags, (SomSpan){0}, "files are read in %.*s%.*s%s", SOM_STR_ARG(own),
             SOM_STR_ARG(som_text_str(&text)), rest);
    if (options->more_folders != NULL && !importer->has_noted_more_folders) {
        importer->has_noted_more_folders = true;
        som_note(importer->diags, (SomSpan){0}, "%s", options->more_folders);
    }
    som_text_free(&text);
}

void som_asset_note_folders(SomImporter *importer, SomStr from) {
    SomText package = {0}, own = {0};
    SomStr folder = som_path_folder(from);
    bool has_package = find_package(folder, &package);
    som_text_printf(&own, "'%.*s'", SOM_STR_ARG(folder));
    if (has_package && !som_str_equal(som_text_str(&package), folder)) {
        som_text_printf(&own, " and its package '%s'", package.data);
    }
    note_folders(importer, som_text_str(&own),
                 has_package ? "" : "; no folder above has a package.xml or model.config");
    som_text_free(&package);
    som_text_free(&own);
}

void som_asset_report_missing(SomImporter *importer, SomCode code, SomSpan span, const char *what,
                              SomStr from, SomStr uri) {
    bool is_outside = som_asset_is_outside(importer, from, uri);
    som_report(importer->diags, code, span, "%s'%.*s' %s", what,
               SOM_STR_ARG(som_str_slice(uri, 0, SHOWN_BYTES)),
               is_outside ? SOM_FILE_OUTSIDE : "was not found");
    if (is_outside) {
        som_asset_note_folders(importer, from);
    }
}

void som_component_report_missing(SomImporter *importer, SomCode code, SomSpan span,
                                  SomStr structure, SomStr written) {
    if (!som_asset_is_outside(importer, structure, written)) {
        som_report(importer->diags, code, span,
                   "there is no '%.*s' here or in the folders to search",
                   SOM_STR_ARG(som_str_slice(som_component_name(written), 0, SHOWN_BYTES)));
        return;
    }
    som_report(importer->diags, code, span, "'%.*s' " SOM_FILE_OUTSIDE,
               SOM_STR_ARG(som_str_slice(written, 0, SHOWN_BYTES)));
    SomText own = {0};
    SomStr name = som_component_name(written);
    som_text_printf(&own, "'%.*s' and a folder '%.*s' beside it",
                    SOM_STR_ARG(som_path_folder(structure)), SOM_STR_ARG(som_path_stem(name)));
    note_folders(importer, som_text_str(&own), "");
    som_text_free(&own);
}
