// tests/exchange/read_type.h - texts of other programs, imported, and the module type that comes of
// them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import.h"
#include "modules/m3l.h"
#include "tests/suite.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomTestRead {
    SomArena texts;
    SomDiagnostics *diags;
    SomImported result;
    SomM3l *m3l;
    const SomModuleType *type; // the first; NULL if it was refused
} SomTestRead;

// Files in memory, beside each other. Options may be NULL.
SomTestRead som_test_read_texts(const SomStr *paths, const SomStr *texts, int count,
                                const SomImportOptions *options);
SomTestRead som_test_read_text(const char *path, SomStr text, const SomImportOptions *options);
// A file of the disk.
SomTestRead som_test_read_path(SomStr path, const SomImportOptions *options);
void som_test_free_read(SomTestRead *read);

#ifdef __cplusplus
}
#endif
