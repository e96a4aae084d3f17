// SPDX-License-Identifier: Apache-2.0
// Finding and opening files, and following what they use.

#include "compose/workspace.h"

#include "base/codes/compose_text_codes.h"
#include "base/file.h"
#include "base/file_scope.h"
#include "base/name_list.h"
#include "base/path.h"
#include "compose/library_root.h"
#include "compose/workspace_internal.h"
#include "language/name.h"

// Names looked at for hints.
#define MAX_HINTS 4096

SomWorkspace *som_workspace_create(SomStr library_root, SomDiagnostics *diags) {
    SomWorkspace *workspace = som_alloc(sizeof *workspace);
    workspace->diags = diags;
    workspace->library = som_arena_copy(&workspace->arena, library_root);
    workspace->steps_left = SOM_MAX_WORKSPACE_STEPS;
    workspace->loop_work_left = SOM_MAX_WORKSPACE_LOOP_WORK;
    return workspace;
}

void som_workspace_destroy(SomWorkspace *workspace) {
    if (workspace == NULL) {
        return;
    }
    for (int i = 0; i < workspace->files.count; i++) {
        SomFileDraft *draft = workspace->files.data[i];
        som_syntax_destroy((SomSyntax *)draft->file.tree);
        som_m3l_destroy((SomM3l *)draft->file.m3l);
        som_text_free(&draft->content);
        som_array_free(&draft->definitions);
        som_array_free(&draft->lets);
        som_free(draft->let_values);
        som_array_free(&draft->uses);
        som_array_free(&draft->sight);
        som_name_map_free(&draft->members);
        som_free(draft);
    }
    for (int i = 0; i < workspace->beside.count; i++) {
        som_text_free(&workspace->beside.data[i]->content);
        som_free(workspace->beside.data[i]);
    }
    som_array_free(&workspace->files);
    som_array_free(&workspace->beside);
    som_array_free(&workspace->loading);
    som_reported_places_free(&workspace->reported);
    som_library_names_destroy(workspace->library_names);
    som_arena_free(&workspace->arena);
    som_free(workspace);
}

SomStr som_workspace_library(const SomWorkspace *workspace) {
    return workspace->library;
}

int som_workspace_file_count(const SomWorkspace *workspace) {
    return workspace->files.count;
}

const SomDesignFile *som_workspace_file(const SomWorkspace *workspace, int file) {
    return &workspace->files.data[file]->file;
}

// ---- paths

// Without "./" and doubled slashes, so that one file has one name.
static void add_clean_path(SomText *out, SomStr path) {
    bool is_start = true;
    for (size_t at = 0; at < path.length;) {
        size_t end = at;
        while (end < path.length && path.data[end] != '/') {
            end++;
        }
        SomStr piece = som_str_slice(path, at, end);
        bool is_last = end >= path.length;
        if (piece.length == 0 ? is_start : !som_str_equal(piece, SOM_STR("."))) {
            som_text_add(out, piece);
            som_text_add_char(out, '/', is_last ? 0 : 1);
        }
        is_start = false;
        at = end + 1;
    }
}

static int find_file(const SomWorkspace *workspace, SomStr path) {
    for (int i = 0; i < workspace->files.count; i++) {
        if (som_str_equal(workspace->files.data[i]->file.path, path)) {
            return i;
        }
    }
    return -1;
}

static bool is_file(const SomWorkspace *workspace, SomStr path) {
    return find_file(workspace, path) >= 0 || som_file_exists(path.data);
}

// ---- names for hints

typedef struct Names {
    SOM_ARRAY(SomStr) items;
    SomArena arena;
} Names;

static void add_folder(Names *names, SomStr folder, SomStr ending) {
    SomDiagnostics *quiet = som_diagnostics_create();
    SomText path = {0};
    som_text_add(&path, folder.length > 0 ? folder : SOM_STR("."));
    const SomStr *found;
    int count = som_file_list(path.data, ending, &names->arena, &found, quiet);
    for (int i = 0; i < count && names->items.count < MAX_HINTS; i++) {
        som_array_push(&names->items, found[i]);
    }
    som_text_free(&path);
    som_diagnostics_destroy(quiet);
}

static void add_library(Names *names, const SomWorkspace *workspace) {
    static const char *const folders[][2] = {{"configs", ".som"}, {"modules", ".m3l"}};
    for (int i = 0; i < 2 && workspace->library.length > 0; i++) {
        SomText folder = {0};
        som_path_join(&folder, workspace->library, som_str(folders[i][0]));
        add_folder(names, som_text_str(&folder), som_str(folders[i][1]));
        som_text_free(&folder);
    }
}

static int find_near(const Names *names, SomStr wrong) {
    for (int i = 0; i < names->items.count; i++) {
        if (som_str_equal_any_case(names->items.data[i], wrong)) {
            return i;
        }
    }
    return som_str_find_nearest(wrong, names->items.data, names->items.count);
}

static void free_names(Names *names) {
    som_array_free(&names->items);
    som_arena_free(&names->arena);
}

// ---- use

static int load(SomWorkspace *workspace, SomStr path, const SomStr *text, SomSpan span);

// The STRING token of a use statement.
static int used_token(const SomSyntax *tree, SomNode node) {
    return som_syntax_find_token(tree, node, SOM_TOKEN_STRING);
}

static bool leads_outside(SomStr path) {
    if (path.length == 0 || path.data[0] == '/' || memchr(path.data, '\\', path.length) != NULL ||
        (path.length > 1 && path.data[1] == ':')) {
        return true;
    }
    for (size_t at = 0; at < path.length;) {
        size_t end = at;
        while (end < path.length && path.data[end] != '/') {
            end++;
        }
        if (som_str_equal(som_str_slice(path, at, end), SOM_STR(".."))) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

// What the user keeps in the library is theirs, wherever links in it lead.
static bool is_in_library(const SomWorkspace *workspace, SomStr path) {
    SomText library = {0};
    add_clean_path(&library, workspace->library);
    if (library.length > 0 && library.data[library.length - 1] != '/') {
        som_text_add_char(&library, '/', 1);
    }
    bool is_in = library.length > 0 && som_str_starts_with(path, som_text_str(&library));
    som_text_free(&library);
    return is_in;
}

bool som_workspace_may_read(const SomWorkspace *workspace, SomStr path) {
    SomText clean = {0};
    add_clean_path(&clean, path);
    bool may = is_in_library(workspace, som_text_str(&clean));
    for (int i = 0; i < workspace->files.count && !may; i++) {
        const SomFileDraft *draft = workspace->files.data[i];
        may = draft->is_opened && som_file_is_beside(clean.data, draft->file.path.data);
    }
    som_text_free(&clean);
    return may;
}

void som_workspace_print_outside(const SomWorkspace *workspace, SomText *out) {
    SomNameList list = {.out = out};
    som_text_add(out, SOM_STR(SOM_FILE_OUTSIDE ": "));
    for (int i = 0; i < workspace->files.count; i++) {
        const SomFileDraft *draft = workspace->files.data[i];
        SomStr folder = som_path_folder(draft->file.path);
        bool is_listed = !draft->is_opened || is_in_library(workspace, draft->file.path);
        for (int k = 0; k < i && !is_listed; k++) {
            const SomFileDraft *other = workspace->files.data[k];
            is_listed =
                other->is_opened && som_str_equal(som_path_folder(other->file.path), folder);
        }
        if (!is_listed) {
            som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(folder));
        }
    }
    som_name_list_end(&list);
    som_text_add(out, list.count > 0 ? SOM_STR(" and the library") : SOM_STR("the library"));
}

// The same in the arena, terminated.
static const char *outside_words(SomWorkspace *workspace) {
    SomText text = {0};
    som_workspace_print_outside(workspace, &text);
    SomStr kept = som_arena_copy(&workspace->arena, som_text_str(&text));
    som_text_free(&text);
    return kept.data;
}

// Where the file is: beside the one that uses it, or in the library. False if nowhere.
static bool locate(const SomWorkspace *workspace, SomStr user, SomStr name, SomText *path) {
    const SomStr folders[] = {SOM_STR("modules"), SOM_STR("configs")};
    SomText joined = {0};
    som_path_join(&joined, som_path_folder(user), name);
    add_clean_path(path, som_text_str(&joined));
    bool found = is_file(workspace, som_text_str(path));
    for (int i = 0; i < 2 && !found && workspace->library.length > 0; i++) {
        som_text_clear(&joined);
        som_path_join(&joined, workspace->library, folders[i]);
        som_text_add_char(&joined, '/', 1);
        som_text_add(&joined, name);
        som_text_clear(path);
        add_clean_path(path, som_text_str(&joined));
        found = is_file(workspace, som_text_str(path));
    }
    som_text_free(&joined);
    return found;
}

// What 'use' would have to say for this path, the file being `rest` in a folder.
static bool try_use(const SomWorkspace *workspace, SomStr user, SomStr path, SomStr rest,
                    SomText *name, SomText *found) {
    som_text_clear(found);
    bool fits = !leads_outside(rest) && locate(workspace, user, rest, found) &&
                (path.length == 0 || som_str_equal(som_text_str(found), path));
    if (fits) {
        som_text_clear(name);
        som_text_add(name, rest);
    }
    return fits;
}

bool som_workspace_find_use(const SomWorkspace *workspace, int file, SomStr path, SomText *name,
                            SomText *found) {
    SomStr user = workspace->files.data[file]->file.path;
    const char *const folders[] = {"modules", "configs", NULL};
    SomText clean = {0};
    add_clean_path(&clean, path);
    SomStr whole = som_text_str(&clean);
    bool fits = false;
    for (int i = 0; i < 3 && !fits; i++) {
        SomText joined = {0}, folder = {0};
        if (folders[i] != NULL) {
            som_path_join(&joined, workspace->library, som_str(folders[i]));
        } else {
            som_text_add(&joined, som_path_folder(user));
        }
        add_clean_path(&folder, som_text_str(&joined));
        som_text_add_char(&folder, '/', 1);
        if (som_str_starts_with(whole, som_text_str(&folder))) {
            SomStr rest = som_str_slice(whole, folder.length, whole.length);
            fits = try_use(workspace, user, whole, rest, name, found);
        }
        som_text_free(&joined);
        som_text_free(&folder);
    }
    fits = fits || try_use(workspace, user, SOM_STR(""), path, name, found);
    som_text_free(&clean);
    return fits;
}

static void report_missing(SomWorkspace *workspace, SomStr user, SomStr name, SomSpan span) {
    Names names = {0};
    add_folder(&names, som_path_folder(user), SOM_STR(".som"));
    add_folder(&names, som_path_folder(user), SOM_STR(".m3l"));
    add_library(&names, workspace);
    int nearest = find_near(&names, name);
    if (nearest >= 0 && som_str_equal(names.items.data[nearest], name)) {
        som_report(workspace->diags, SOM_USED_FILE_MISSING, span, "'%.*s' is no file",
                   SOM_STR_ARG(name));
    } else if (nearest >= 0) {
        SomText quoted = {0};
        som_name_print_quoted(&quoted, names.items.data[nearest]);
        som_report(workspace->diags, SOM_USED_FILE_MISSING, span,
                   "there is no file '%.*s'; did you mean '%.*s'?", SOM_STR_ARG(name),
                   SOM_STR_ARG(names.items.data[nearest]));
        som_fix(workspace->diags, span, som_text_str(&quoted));
        som_text_free(&quoted);
    } else {
        som_report(workspace->diags, SOM_USED_FILE_MISSING, span,
                   "there is no file '%.*s' beside this one or in the library", SOM_STR_ARG(name));
    }
    free_names(&names);
}

// A file that is still being read is used again: the chain from it to here.
static void report_cycle(SomWorkspace *workspace, int used, SomSpan span) {
    SomText chain = {0};
    int at = 0;
    while (workspace->loading.data[at] != used) {
        at++;
    }
    for (int i = at; i < workspace->loading.count; i++) {
        SomStr path = workspace->files.data[workspace->loading.data[i]]->file.path;
        som_text_printf(&chain, i == at ? "%.*s uses " : "%.*s, which uses ",
                        SOM_STR_ARG(som_path_name(path)));
    }
    SomStr path = workspace->files.data[used]->file.path;
    som_text_add(&chain, som_path_name(path));
    som_report(workspace->diags, SOM_USE_CYCLE, span, "files use each other in a circle: %.*s",
               SOM_STR_ARG(som_text_str(&chain)));
    for (int i = at; i + 1 < workspace->loading.count; i++) {
        som_note(workspace->diags, workspace->files.data[workspace->loading.data[i]]->use_span,
                 "which is used here");
    }
    som_text_free(&chain);
}

// The file that a use statement means, or -1 after a report.
static int follow(SomWorkspace *workspace, SomFileDraft *draft, SomStr name, SomSpan span) {
    if (leads_outside(name)) {
        som_report(workspace->diags, SOM_USED_FILE_OUTSIDE, span, "'%.*s' %s", SOM_STR_ARG(name),
                   outside_words(workspace));
        return -1;
    }
    const SomDialect *dialect = som_dialect_find(name);
    if (dialect != &som_dialect_somite && dialect != &som_dialect_m3l) {
        som_report(workspace->diags, SOM_USED_FILE_KIND, span, "'%.*s' is not a .som or .m3l file",
                   SOM_STR_ARG(name));
        return -1;
    }
    SomText path = {0};
    int used = -1;
    if (!locate(workspace, draft->file.path, name, &path)) {
        report_missing(workspace, draft->file.path, name, span);
    } else if (find_file(workspace, som_text_str(&path)) < 0 &&
               !som_workspace_may_read(workspace, som_text_str(&path))) {
        som_report(workspace->diags, SOM_USED_FILE_OUTSIDE, span, "'%.*s' %s", SOM_STR_ARG(name),
                   outside_words(workspace));
    } else {
        used = load(workspace, som_text_str(&path), NULL, span);
    }
    som_text_free(&path);
    if (used >= 0 && workspace->files.data[used]->is_loading) {
        report_cycle(workspace, used, span);
        return -1;
    }
    return used;
}

static bool has_use(const SomFileDraft *draft, int used) {
    for (int i = 0; i < draft->uses.count; i++) {
        if (draft->uses.data[i] == used) {
            return true;
        }
    }
    return false;
}

static void follow_uses(SomWorkspace *workspace, SomFileDraft *draft) {
    const SomSyntax *tree = draft->file.tree;
    SomNode node = som_syntax_find_child(tree, SOM_ROOT, SOM_SOM_USE);
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_USE)) {
        int token = used_token(tree, node);
        if (som_syntax_has_error(tree, node) || token == SOM_NO_TOKEN) {
            continue;
        }
        SomText name = {0};
        som_name_read(som_syntax_token_text(tree, token), &name);
        draft->use_span = som_syntax_token_span(tree, token);
        int used = follow(workspace, draft, som_text_str(&name), draft->use_span);
        som_text_free(&name);
        if (used < 0) {
            draft->file.is_incomplete = true;
        } else if (!has_use(draft, used)) {
            som_array_push(&draft->uses, used);
            draft->file.is_incomplete |= workspace->files.data[used]->file.is_incomplete;
        }
    }
    draft->file.uses = draft->uses.data;
    draft->file.use_count = draft->uses.count;
}

// ---- opening

static bool has_room(SomWorkspace *workspace, SomSpan span) {
    if (workspace->files.count >= SOM_MAX_FILES || workspace->bytes > SOM_MAX_DESIGN_BYTES) {
        if (!workspace->is_full) {
            som_report(workspace->diags, SOM_TOO_MANY_FILES, span,
                       "there are more files than a design may have");
        }
        workspace->is_full = true;
        return false;
    }
    return true;
}

// Reads the text of a file that has been registered, and what it uses.
static void read_draft(SomWorkspace *workspace, SomFileDraft *draft, int file,
                       const SomDialect *dialect) {
    SomStr text = draft->file.text;
    int errors = som_diagnostics_error_count(workspace->diags);
    if (dialect == &som_dialect_m3l) {
        draft->file.m3l = som_m3l_read(text, draft->file.source1, workspace->diags);
    } else {
        draft->file.tree = som_som_parse(text, dialect, draft->file.source1, workspace->diags);
    }
    draft->file.has_error = som_diagnostics_error_count(workspace->diags) > errors;
    draft->file.is_incomplete = draft->file.has_error;
    if (draft->file.tree != NULL) {
        draft->is_loading = true;
        som_array_push(&workspace->loading, file);
        follow_uses(workspace, draft);
        workspace->loading.count--;
        draft->is_loading = false;
    }
    som_workspace_define(workspace, file);
}

// The file at a clean path: opened before, with the text if it is given, or from the disk. `span`
// is where it is used; -1 after a report.
static int load(SomWorkspace *workspace, SomStr path, const SomStr *text, SomSpan span) {
    int file = find_file(workspace, path);
    if (file >= 0) {
        return file;
    }
    bool is_input = som_str_equal(path, SOM_STR("-"));
    const SomDialect *dialect = is_input ? &som_dialect_somite : som_dialect_find(path);
    if (dialect != &som_dialect_somite && dialect != &som_dialect_m3l) {
        if (text != NULL || som_file_can_load(path.data, workspace->diags)) {
            som_report(workspace->diags, SOM_USED_FILE_KIND, span,
                       "'%.*s' is not a .som or .m3l file", SOM_STR_ARG(path));
        }
        return -1;
    }
    if (!has_room(workspace, span)) {
        return -1;
    }
    SomFileDraft *draft = som_alloc(sizeof *draft);
    draft->file.path = som_arena_copy(&workspace->arena, path);
    draft->is_opened = span.source1 == 0;
    if (text != NULL) {
        som_text_add(&draft->content, *text);
    } else if (!som_file_load(draft->file.path.data, SOM_FILE_LIMIT, &draft->content,
                              workspace->diags)) {
        som_free(draft);
        return -1;
    }
    workspace->bytes += draft->content.length;
    draft->file.text = som_text_str(&draft->content);
    draft->file.source1 = som_diagnostics_add_source(
        workspace->diags, is_input ? SOM_STR("<stdin>") : path, draft->file.text);
    som_array_push(&workspace->files, draft);
    file = workspace->files.count - 1;
    read_draft(workspace, draft, file, dialect);
    return file;
}

static void report_unknown_name(SomWorkspace *workspace, SomStr name) {
    Names names = {0};
    add_library(&names, workspace);
    for (int i = 0; i < names.items.count; i++) {
        names.items.data[i] = som_path_stem(names.items.data[i]);
    }
    int nearest = find_near(&names, name);
    SomStr near = nearest >= 0 ? names.items.data[nearest] : SOM_STR("");
    som_report(workspace->diags, SOM_LIBRARY_NAME_UNKNOWN, (SomSpan){0},
               nearest >= 0 ? "the library has no design '%.*s'; did you mean '%.*s'?"
                            : "the library has no design '%.*s'%.*s",
               SOM_STR_ARG(name), SOM_STR_ARG(near));
    free_names(&names);
}

int som_workspace_open(SomWorkspace *workspace, SomStr path_or_name) {
    SomText path = {0}, found = {0};
    add_clean_path(&path, path_or_name);
    bool has_ending = memchr(path_or_name.data, '.', path_or_name.length) != NULL;
    bool is_there = has_ending && is_file(workspace, som_text_str(&path));
    int file = -1;
    if (!is_there && som_library_find_file(workspace->library, path_or_name, &found)) {
        som_text_clear(&path);
        add_clean_path(&path, som_text_str(&found));
        file = load(workspace, som_text_str(&path), NULL, (SomSpan){0});
    } else if (som_library_is_name(path_or_name) && !has_ending) {
        report_unknown_name(workspace, path_or_name);
    } else {
        file = load(workspace, som_text_str(&path), NULL, (SomSpan){0});
    }
    som_text_free(&path);
    som_text_free(&found);
    return file;
}

int som_workspace_open_text(SomWorkspace *workspace, SomStr path, SomStr text) {
    SomText clean = {0};
    add_clean_path(&clean, path);
    int file = load(workspace, som_text_str(&clean), &text, (SomSpan){0});
    som_text_free(&clean);
    return file;
}

// ---- other files

static SomBesideFile *find_beside(const SomWorkspace *workspace, SomStr path) {
    for (int i = 0; i < workspace->beside.count; i++) {
        if (som_str_equal(workspace->beside.data[i]->path, path)) {
            return workspace->beside.data[i];
        }
    }
    return NULL;
}

// With the text if it is given, else from the disk.
static SomBesideFile *load_beside(SomWorkspace *workspace, SomStr path, const SomStr *given) {
    SomBesideFile *file = som_alloc(sizeof *file);
    file->path = som_arena_copy(&workspace->arena, path);
    som_array_push(&workspace->beside, file);
    if (given != NULL) {
        som_text_add(&file->content, *given);
    } else if (!som_file_load(file->path.data, SOM_MAX_BESIDE_BYTES, &file->content,
                              workspace->diags)) {
        return file;
    }
    SomStr text = som_text_str(&file->content);
    workspace->bytes += text.length;
    file->source1 = som_diagnostics_add_source(workspace->diags, file->path, text);
    if (!som_source_check(text, file->source1, workspace->diags)) {
        file->source1 = 0;
    }
    return file;
}

void som_workspace_add_beside(SomWorkspace *workspace, SomStr path, SomStr text) {
    SomText clean = {0};
    add_clean_path(&clean, path);
    load_beside(workspace, som_text_str(&clean), &text);
    som_text_free(&clean);
}

const char *som_workspace_read_beside(SomWorkspace *workspace, int file, SomStr name, SomStr *text,
                                      uint32_t *source1) {
    if (leads_outside(name)) {
        return outside_words(workspace);
    }
    SomText joined = {0}, path = {0};
    som_path_join(&joined, som_path_folder(workspace->files.data[file]->file.path), name);
    add_clean_path(&path, som_text_str(&joined));
    SomBesideFile *found = find_beside(workspace, som_text_str(&path));
    const char *fault = NULL;
    if (found == NULL && !som_file_exists(path.data)) {
        fault = "is no file beside this one";
    } else if (found == NULL && !som_workspace_may_read(workspace, som_text_str(&path))) {
        fault = outside_words(workspace);
    } else if (found == NULL && workspace->bytes > SOM_MAX_DESIGN_BYTES) {
        fault = "makes the design too large";
    } else if (found == NULL) {
        found = load_beside(workspace, som_text_str(&path), NULL);
    }
    som_text_free(&joined);
    som_text_free(&path);
    if (fault == NULL && found->source1 == 0) {
        fault = "could not be read";
    }
    *text = fault == NULL ? som_text_str(&found->content) : SOM_STR("");
    *source1 = fault == NULL ? found->source1 : 0;
    return fault;
}
