// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes are a draft or get a report.
//
// A draft is read if and only if no error was reported, and there is one report at most, whose
// place lies in the text. What was read and is written again is the same bytes.

#include "studio/drafts.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomStr content = {(const char *)data, size};
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a.draft"), content);
    SomDraft draft;
    bool is_read = som_draft_read(content, source1, &draft, diags);
    require(som_diagnostics_error_count(diags) == (is_read ? 0 : 1));
    int count;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        require(reports[i].span.begin <= size && reports[i].span.end <= size);
    }
    if (is_read) {
        SomText again = {0};
        som_draft_write(&draft, &again);
        require(som_str_equal(som_text_str(&again), content));
        som_text_free(&again);
    }
    som_diagnostics_destroy(diags);
    return 0;
}
