// Fuzz target: any bytes are an answer, as models of SDF. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.sdf", data, size, som_import_sdf);
    return 0;
}
