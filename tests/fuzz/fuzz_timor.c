// Fuzz target: any bytes are an answer, as modules of Timor or as an assembly of some. See
// fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "exchange/json_input.h"
#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_modules(SomImporter *importer, const SomImportFile *file) {
    bool fine = som_import_timor_modules(importer, file);
    if (fine) {
        som_timor_finish(importer);
    }
    return fine && som_importer_finish_types(importer);
}

static bool read_assembly(SomImporter *importer, const SomImportFile *file) {
    static const char text[] = "{\"modules\":[{\"header\":{\"ID\":\"B\"},\"bodies\":[{\"ID\":\"b\","
                               "\"mass\":1,\"connectors\":["
                               "{\"ID\":\"in\",\"gender\":\"f\",\"type\":\"base\"},{\"ID\":\"out\","
                               "\"gender\":\"h\"}]}]},{\"header\":{\"ID\":\"L\"},\"bodies\":["
                               "{\"ID\":\"a\",\"mass\":1,\"connectors\":[{\"ID\":\"in\"},"
                               "{\"ID\":\"side\"}]},{\"ID\":\"b\",\"connectors\":[{\"ID\":"
                               "\"out\",\"pose\":[[0,0,1,0],[0,1,0,0],[-1,0,0,1],[0,0,0,1]]}]}],"
                               "\"joints\":[{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\","
                               "\"type\":\"revolute\"}]}]}"; // of which loops can be made
    SomImportFile modules = {SOM_STR("modules.json"), {text, sizeof text - 1}, 0};
    modules.source1 = som_diagnostics_add_source(importer->diags, modules.path, modules.text);
    return som_import_timor_modules(importer, &modules) &&
           som_import_timor_assembly(importer, file) && som_importer_finish_types(importer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomJsonKeys keys;
    som_json_sniff((SomStr){(const char *)data, size}, &keys);
    bool is_assembly = som_timor_assembly_sniff(&keys);
    som_fuzz_import("fuzz.json", data, size, is_assembly ? read_assembly : read_modules);
    return 0;
}
