// Fuzz target: any bytes are an answer, as a control file of the SMORES lab. See fuzz_import.h.

// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COMPONENT(id)                                                                              \
    "<Component><component_id>" id                                                                 \
    "</component_id><file_path>component.conf</file_path></Component>"

// The structure whose components are moved.
static bool read_with_structure(SomImporter *importer, const SomImportFile *file) {
    static const char text[] = "<Structure><Components>" COMPONENT("A")
        COMPONENT("B") "</Components><Links><Link>"
                       "<component1>" COMPONENT("A") "</component1><component2>" COMPONENT(
                           "B") "</component2>"
                                "<module1>Module_2</module1><module2>Module_0</module2><node1>3</"
                                "node1><node2>0</node2>"
                                "</Link></Links></Structure>";
    SomImportFile robot = {SOM_STR("robot.struct"), {text, sizeof text - 1}, 0};
    robot.source1 = som_diagnostics_add_source(importer->diags, robot.path, robot.text);
    return som_import_struct(importer, &robot) && som_import_control(importer, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    som_fuzz_import("fuzz.control", data, size, read_with_structure);
    return 0;
}
