// Fuzz target: any bytes are an answer, as a gait of the SMORES lab. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_with_robot(SomImporter *importer, const SomImportFile *file) {
    return som_fuzz_read_robot(importer) && som_import_gait(importer, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.gait", data, size, read_with_robot);
    return 0;
}
