// SPDX-License-Identifier: Apache-2.0
#include "compose/library_names.h"

#include "base/file.h"
#include "base/path.h"
#include "language/name.h"

// Far more than a library has.
#define MAX_FILES 1000
#define MAX_BYTES (1 << 20) // of one file

struct SomLibraryNames {
    SOM_ARRAY(SomLibraryName) all;
};

void som_library_names_destroy(struct SomLibraryNames *names) {
    if (names != NULL) {
        som_array_free(&names->all);
        som_free(names);
    }
}

// ---- reading

static SomStr skip_blanks(SomStr text) {
    size_t at = 0;
    while (at < text.length && (text.data[at] == ' ' || text.data[at] == '\t')) {
        at++;
    }
    return som_str_slice(text, at, text.length);
}

// The name at the start of a text, as it is written: a word or in quotes.
static SomStr written_name(SomStr text) {
    size_t end = 0;
    if (text.length > 0 && text.data[0] == '"') {
        end = 1;
        while (end < text.length && text.data[end] != '"' && text.data[end] != '\n') {
            end++;
        }
        return som_str_slice(text, 0, end < text.length ? end + 1 : end);
    }
    while (end < text.length && strchr(" \t\r\n:({#", text.data[end]) == NULL) {
        end++;
    }
    return som_str_slice(text, 0, end);
}

// `config NAME` or `module NAME` at the start of a line.
static void read_line(SomWorkspace *workspace, SomStr line, SomLibraryName like) {
    SomStr word = som_str(like.is_type ? "module" : "config");
    SomStr rest = som_str_slice(line, word.length, line.length);
    if (!som_str_starts_with(line, word) || skip_blanks(rest).length == rest.length) {
        return;
    }
    SomText name = {0};
    som_name_read(written_name(skip_blanks(rest)), &name);
    if (name.length > 0) {
        like.name = som_arena_copy(&workspace->arena, som_text_str(&name));
        som_array_push(&workspace->library_names->all, like);
    }
    som_text_free(&name);
}

static void read_file(SomWorkspace *workspace, SomLibraryName like, SomDiagnostics *quiet) {
    SomText text = {0};
    if (som_file_load(like.path.data, MAX_BYTES, &text, quiet)) {
        SomStr rest = som_text_str(&text);
        while (rest.length > 0) {
            const char *feed = memchr(rest.data, '\n', rest.length);
            size_t end = feed != NULL ? (size_t)(feed - rest.data) : rest.length;
            read_line(workspace, som_str_slice(rest, 0, end), like);
            rest = som_str_slice(rest, end + (feed != NULL), rest.length);
        }
    }
    som_text_free(&text);
}

static void read_folder(SomWorkspace *workspace, const char *folder, const char *ending) {
    SomDiagnostics *quiet = som_diagnostics_create();
    SomText path = {0};
    som_path_join(&path, workspace->library, som_str(folder));
    const SomStr *files;
    int count = som_file_list(path.data, som_str(ending), &workspace->arena, &files, quiet);
    for (int i = 0; i < count && i < MAX_FILES; i++) {
        SomText joined = {0};
        som_path_join(&joined, som_text_str(&path), files[i]);
        SomLibraryName like = {.file = files[i],
                               .path = som_arena_copy(&workspace->arena, som_text_str(&joined)),
                               .is_type = som_str_equal(som_str(ending), SOM_STR(".m3l"))};
        read_file(workspace, like, quiet);
        som_text_free(&joined);
    }
    som_text_free(&path);
    som_diagnostics_destroy(quiet);
}

// ---- finding

const SomLibraryName *som_library_names_find(SomWorkspace *workspace, SomStr name, bool is_type) {
    if (workspace->library_names == NULL) {
        workspace->library_names = som_alloc(sizeof *workspace->library_names);
        if (workspace->library.length > 0) {
            read_folder(workspace, "modules", ".m3l");
            read_folder(workspace, "configs", ".som");
        }
    }
    for (int is_exact = 1; is_exact >= 0; is_exact--) {
        const SomLibraryName *found = NULL;
        int count = 0;
        for (int i = 0; i < workspace->library_names->all.count; i++) {
            const SomLibraryName *candidate = &workspace->library_names->all.data[i];
            if ((is_exact ? som_str_equal(candidate->name, name)
                          : som_str_equal_any_case(candidate->name, name)) &&
                (candidate->is_type || !is_type)) {
                found = candidate;
                count++;
            }
        }
        if (count > 0) {
            return count == 1 ? found : NULL;
        }
    }
    return NULL;
}
