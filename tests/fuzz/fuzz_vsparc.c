// Fuzz target: any bytes are an answer, as a configuration or a behavior of VSPARC. See
// fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "exchange/xml.h"
#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Behaviors move a robot of modules M0, M1 and A:M2, or bring their own.
static bool read_any(SomImporter *importer, const SomImportFile *file) {
    bool is_behavior = som_str_equal(som_xml_sniff(file->text), SOM_STR("Behavior"));
    return is_behavior ? som_fuzz_read_robot(importer) && som_import_vsparc_behavior(importer, file)
                       : som_import_vsparc(importer, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.xml", data, size, read_any);
    return 0;
}
