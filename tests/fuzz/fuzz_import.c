// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "compose/workspace.h"
#include "exchange/xml.h"
#include "language/som_format.h"
#include "language/som_syntax.h"

#include <stdio.h>
#include <stdlib.h>

static void demand(bool fact) {
    if (!fact) {
        abort();
    }
}

// What was made passes `somite check`: it composes.
static void check_design(const SomImporter *importer, SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(importer->options->library, diags);
    for (int i = 0; i < importer->result->files.count; i++) {
        const SomImportedFile *file = &importer->result->files.data[i];
        if (som_str_ends_with(file->path, SOM_STR(".m3l"))) {
            som_workspace_open_text(workspace, file->path, file->content);
        }
    }
    int file = som_workspace_open_text(workspace, SOM_STR("imported.som"), text);
    bool fine = file >= 0 && som_workspace_check(workspace, file);
    if (!fine || som_diagnostics_error_count(diags) > 0) {
        SomText shown = {0};
        som_diagnostics_print(diags, 0, &shown);
        fprintf(stderr, "%s%s", shown.data, text.data);
        abort();
    }
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}

// `path` is that of the file that was imported.
static void check_text(const SomImporter *importer, SomStr path) {
    SomText text = {0}, again = {0};
    som_importer_print(importer, &text);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(som_text_str(&text), &som_dialect_somite, 0, diags);
    demand(som_diagnostics_error_count(diags) == 0);
    demand(som_som_format(tree, &again));
    demand(som_str_equal(som_text_str(&text), som_text_str(&again)));
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    bool is_whole = !som_str_ends_with(path, SOM_STR(".m3l")); // else the file itself is needed
    if (is_whole && !som_diagnostics_has(importer->diags, SOM_IMPORT_LOOP_OPEN)) {
        check_design(importer, som_text_str(&text));
    }
    som_text_free(&text);
    som_text_free(&again);
}

static void check_import(SomImporter *importer, SomStr path, SomText *text,
                         bool (*read)(SomImporter *importer, const SomImportFile *file)) {
    if (!som_xml_decode(path, text, importer->diags)) {
        demand(som_diagnostics_error_count(importer->diags) > 0);
        return;
    }
    SomImportFile file = {path, som_text_str(text), 0};
    file.source1 = som_diagnostics_add_source(importer->diags, path, file.text);
    bool fine = som_source_check(file.text, file.source1, importer->diags);
    fine = fine && read(importer, &file);
    demand(fine == (som_diagnostics_error_count(importer->diags) == 0));
    demand(!fine || importer->result->config_count > 0);
    demand(!fine || som_importer_finish_types(importer)); // what was written is understood
    if (fine) {
        check_text(importer, path);
    }
    SomText shown = {0};
    som_diagnostics_sort(importer->diags);
    som_diagnostics_print(importer->diags, 20, &shown);
    som_text_free(&shown);
}

void som_fuzz_import(const char *path, const uint8_t *data, size_t size,
                     bool (*read)(SomImporter *importer, const SomImportFile *file)) {
    static SomImporter library; // kept, so that it is read once
    SomStr search = SOM_STR(SOM_SOURCE "/tests/golden/diagnostics");
    SomImportOptions options = {
        .library = SOM_STR(SOM_SOURCE "/library"), .searches = &search, .search_count = 1};
    SomArena texts = {0};
    SomImported result = {0};
    SomImporter importer = {.options = &options,
                            .texts = &texts,
                            .diags = som_diagnostics_create(),
                            .is_in_memory = true,
                            .result = &result};
    importer.library.data = library.library.data;
    importer.library.count = library.library.count;
    importer.library.capacity = library.library.capacity;
    SomText text = {0};
    som_text_add(&text, (SomStr){size > 0 ? (const char *)data : "", size});
    check_import(&importer, som_str(path), &text, read);
    library.library.data = importer.library.data;
    library.library.count = importer.library.count;
    library.library.capacity = importer.library.capacity;
    som_text_free(&text);
    som_imported_free(&result);
    memset(&importer.library, 0, sizeof importer.library);
    som_importer_free(&importer);
    som_diagnostics_destroy(importer.diags);
    som_arena_free(&texts);
}

bool som_fuzz_read_robot(SomImporter *importer) {
    static const char text[] =
        "<configuration><modules>"
        "<module><name>M0</name><position>0 0 0.05 0 0 0</position><joints>0 0 0 "
        "0.5</joints></module>"
        "<module><name>M1</name><position>0 -0.1 0.05 0 0 0</position></module>"
        "<module><name>A:M2</name><position>0 -0.2 0.05 0 0 0</position></module>"
        "</modules><connections><connection><module1>M0</module1><module2>M1</module2>"
        "<node1>0</node1><node2>3</node2></connection><connection><module1>M1</module1>"
        "<module2>A:M2</module2><node1>0</node1><node2>3</node2></connection></connections>"
        "</configuration>";
    SomImportFile robot = {SOM_STR("robot.conf"), {text, sizeof text - 1}, 0};
    robot.source1 = som_diagnostics_add_source(importer->diags, robot.path, robot.text);
    return som_import_conf(importer, &robot);
}
