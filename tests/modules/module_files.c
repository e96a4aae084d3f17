// SPDX-License-Identifier: Apache-2.0

#include "tests/modules/module_files.h"

#include "base/file.h"
#include "base/memory.h"
#include "tests/suite.h"

#include <stdio.h>

const char *const som_test_module_files[] = {
    "athlete",  "atron",  "ckbot",     "gdut",  "molecube",   "mtran", "rofi",
    "roombots", "smores", "smores_ep", "tower", "triathlete", NULL};

// Texts stay reachable, so that leaks of the code under test are the only ones.
static SOM_ARRAY(char *) kept_texts;

SomStr som_test_source(const char *path) {
    SomText full = {0}, text = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&full, "%s/%s", SOM_SOURCE, path);
    ck_assert_msg(som_file_load(full.data, SOM_FILE_LIMIT, &text, diags), "cannot read %s",
                  full.data);
    som_diagnostics_destroy(diags);
    som_text_free(&full);
    som_array_push(&kept_texts, text.data);
    return som_text_str(&text);
}

int som_test_list(const char *folder, const char *ending, SomArena *arena, const SomStr **names) {
    SomText full = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&full, "%s/%s", SOM_SOURCE, folder);
    int count = som_file_list(full.data, som_str(ending), arena, names, diags);
    ck_assert_msg(count >= 0, "cannot list %s", full.data);
    som_diagnostics_destroy(diags);
    som_text_free(&full);
    return count;
}

SomM3l *som_test_m3l(const char *title, SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, som_str(title), text);
    SomM3l *m3l = som_m3l_read(text, source1, diags);
    int count;
    som_diagnostics_get(diags, &count);
    if (count > 0) {
        SomText shown = {0};
        som_diagnostics_print(diags, 0, &shown);
        ck_abort_msg("%s", shown.data);
    }
    som_diagnostics_destroy(diags);
    return m3l;
}

SomM3l *som_test_library(const char *name) {
    SomText path = {0};
    som_text_printf(&path, "library/modules/%s.m3l", name);
    SomM3l *m3l = som_test_m3l(path.data, som_test_source(path.data));
    som_text_free(&path);
    return m3l;
}
