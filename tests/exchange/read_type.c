// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/read_type.h"

static const SomImportOptions no_options;

static void read_type(SomTestRead *r, bool is_imported) {
    if (is_imported) {
        r->m3l = som_m3l_read(r->result.files.data[0].content, 0, r->diags);
        r->type = &r->m3l->types[0];
    }
}

SomTestRead som_test_read_texts(const SomStr *paths, const SomStr *texts, int count,
                                const SomImportOptions *options) {
    SomTestRead r = {.diags = som_diagnostics_create()};
    read_type(&r, som_import_texts(paths, texts, count, options != NULL ? options : &no_options,
                                   &r.texts, &r.result, r.diags));
    return r;
}

SomTestRead som_test_read_text(const char *path, SomStr text, const SomImportOptions *options) {
    SomStr at = som_str(path);
    return som_test_read_texts(&at, &text, 1, options);
}

SomTestRead som_test_read_path(SomStr path, const SomImportOptions *options) {
    SomTestRead r = {.diags = som_diagnostics_create()};
    read_type(&r, som_import(&path, 1, options != NULL ? options : &no_options, &r.texts, &r.result,
                             r.diags));
    return r;
}

void som_test_free_read(SomTestRead *read) {
    som_m3l_destroy(read->m3l);
    som_imported_free(&read->result);
    som_diagnostics_destroy(read->diags);
    som_arena_free(&read->texts);
}
