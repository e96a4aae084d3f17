// exchange/import_internal.h - what the readers of one import share.
//
// A reader gets a file, reports what is wrong with it, and adds `use` lines and configurations to
// the importer:
//
//     bool som_import_conf(SomImporter *importer, const SomImportFile *file);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/import.h"
#include "modules/m3l.h"

// More modules in one import is a diagnostic.
#define SOM_IMPORT_MAX_MODULES 20000

typedef struct SomImportFile {
    SomStr path;
    SomStr text;
    uint32_t source1;
} SomImportFile;

// A module file of the library, read once.
typedef struct SomImportLibraryFile {
    SomStr name;
    SomM3l *m3l; // NULL if it could not be read
} SomImportLibraryFile;

typedef struct SomImporter {
    const SomImportOptions *options;
    const SomStr *paths; // that were given
    int path_count;
    SomArena *texts;
    SomDiagnostics *diags;
    bool is_in_memory; // files beside the one given do not exist
    SOM_ARRAY(SomImportLibraryFile) library;
    SOM_ARRAY(SomStr) uses;
    SOM_ARRAY(SomStr) names;   // of configurations, and what else they must not be called
    SOM_ARRAY(SomStr) done;    // files that were read, by themselves or as components
    SOM_ARRAY(SomStr) folders; // below those to search, listed when they are first needed
    int deep_searches;         // of them
    SomText configs;
    SomImported *result;
    SomArena arena;
} SomImporter;

// ---- import.c

// A file of library/modules, NULL after a report.
const SomM3l *som_importer_library(SomImporter *importer, SomStr name);
void som_importer_use(SomImporter *importer, SomStr path);

// A name for a configuration that nothing else has: `wanted`, or with a number behind it.
SomStr som_importer_name(SomImporter *importer, SomStr wanted);
void som_importer_reserve(SomImporter *importer, SomStr name);

// A configuration was written: the first one is the default.
void som_importer_count(SomImporter *importer, SomStr name, int modules);

// Loads a file as a source of the diagnostics, in UTF-8. False after a report.
bool som_importer_load(SomImporter *importer, SomStr path, SomImportFile *file);

void som_importer_free(SomImporter *importer);

// All of it as text, in canonical form.
void som_importer_print(const SomImporter *importer, SomText *out);

// ---- the readers: false after a report

bool som_import_conf(SomImporter *importer, const SomImportFile *file);
bool som_import_struct(SomImporter *importer, const SomImportFile *file);
bool som_import_chain(SomImporter *importer, const SomImportFile *file);
bool som_import_robots(SomImporter *importer, const SomImportFile *file);

// Does the text look like a chain?
bool som_chain_sniff(SomStr text);
