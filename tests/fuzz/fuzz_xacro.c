// Fuzz target: any bytes are an answer, as xacro. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.xacro", data, size, som_import_urdf);
    return 0;
}
