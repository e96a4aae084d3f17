// Fuzz target: any bytes are an answer, as xacro. What stands behind a line "%%%" is a file beside
// it, fuzz.yaml, which it may load. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_both(SomImporter *importer, const SomImportFile *file) {
    static const SomStr name = {"fuzz.yaml", 9};
    static SomStr yaml;
    SomStr mark = SOM_STR("\n%%%\n");
    yaml = SOM_STR("");
    SomImportFile robot = *file;
    for (size_t i = 0; i + mark.length <= file->text.length; i++) {
        SomStr rest = som_str_slice(file->text, i, file->text.length);
        if (som_str_starts_with(rest, mark)) {
            robot.text = som_str_slice(file->text, 0, i);
            yaml = som_str_slice(rest, mark.length, rest.length);
            break;
        }
    }
    importer->paths = &name;
    importer->contents = &yaml;
    importer->path_count = 1;
    bool fine = som_import_urdf(importer, &robot);
    return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.xacro", data, size, read_both);
    return 0;
}
