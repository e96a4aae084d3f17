// Fuzz target: any bytes are an answer, as a table of joints. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The robot that is moved.
static bool read_with_robot(SomImporter *importer, const SomImportFile *file) {
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
    return som_import_conf(importer, &robot) && som_import_table(importer, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.csv", data, size, read_with_robot);
    return 0;
}
