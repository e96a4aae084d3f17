// exchange/import.h - other people's files to `.som` text.
//
//     SomArena texts = {0}; // must outlive diags, which point into it
//     SomImportOptions options = {.library = SOM_STR("library"), .out = SOM_STR("walkbot.som")};
//     SomImported result = {0};
//     if (som_import(paths, 1, &options, &texts, &result, diags)) {
//         … som_text_str(&result.som), result.config …
//     }
//     som_imported_free(&result);
//
// What there is to import is one row of the table in import.c: how files of a format are known, and
// the function that reads one. Several files become one text with their configurations, of which
// the first is the default. A word that is no file may be the text of a chain itself.
//
// The text that comes out is checked (verify/check_file.h) and has no errors, and stands where the
// file says. Nothing is written after an error. Formats that describe links and joints give a
// module type, too: further files, which are to lie beside the `.som` file.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomImportOptions {
    SomStr library;         // folder that has modules/ in it
    const SomStr *searches; // folders to look for components in
    int search_count;
    SomStr config; // of a design that is given: which one is added to, as on the command line
    SomStr out;    // the file that the text will be saved in, empty if none: decides paths of `use`
    const SomStr
        *connectors; // of a model: links or frames that are connectors, "tool0", "tool0:-x"
    int connector_count;
    const char *more_folders; // note beside a file outside the folders that are read; NULL: none
    const SomStr *arguments;  // of xacro: "name:=value"
    int argument_count;
} SomImportOptions;

typedef struct SomImportedFile {
    SomStr path; // from the folder of the text: "arm.m3l", "arm_meshes/arm_base.ply"
    SomStr content;
} SomImportedFile;

typedef struct SomImported {
    SomText som;
    SomText config; // name of the first
    int config_count;
    int module_count;                 // of the first
    SOM_ARRAY(SomImportedFile) files; // beside it; module types first
    SomArena arena;                   // of these
} SomImported;

bool som_import(const SomStr *paths, int count, const SomImportOptions *options, SomArena *texts,
                SomImported *result, SomDiagnostics *diags);

// The same of texts in memory, under names whose endings and folders count as those of files. No
// other file is read but those of the library and, if there is any, of `options->searches`.
bool som_import_texts(const SomStr *paths, const SomStr *contents, int count,
                      const SomImportOptions *options, SomArena *texts, SomImported *result,
                      SomDiagnostics *diags);
bool som_import_text(SomStr path, SomStr text, const SomImportOptions *options, SomArena *texts,
                     SomImported *result, SomDiagnostics *diags);
void som_imported_free(SomImported *result);

// Saves the text as OUT.som and the further files beside it; with OUT.m3l, those alone. What is
// known to fail fails before anything is written. Files that exist are replaced only if
// `may_replace`, and module types of others, which no import made, only if they are named. False
// after a report.
bool som_imported_save(const SomImported *result, const char *out, bool may_replace,
                       SomDiagnostics *diags);

// "name:=value" in two. False if it is not that, or without a name.
bool som_import_argument_split(SomStr word, SomStr *name, SomStr *value);

// The formats that can be imported, in the order of the table: "URDF"; NULL after the last.
const char *som_import_format(int index);

// The format that a file is read as; -1 if it is none.
int som_import_find_format(SomStr path, SomStr text);

// The endings of files that can be imported, as dialogs want them: "*.struct *.conf …".
void som_import_patterns(SomText *out);

#ifdef __cplusplus
}
#endif
