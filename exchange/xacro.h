// exchange/xacro.h - xacro, the macros that URDF is written in, to plain elements.
//
//     if (som_xacro_sniff(file->path, file->text, xml)) {
//         SomXml *expanded = som_xacro_expand(importer, file, xml);   // NULL after a report
//         …
//         som_xml_destroy(expanded);
//     }
//
// Read are include, property, arg, macro with defaults and blocks, insert_block, if, unless,
// element and attribute, with any prefix that is declared for xacro and, as old files have them,
// without;
// ${…} with numbers, texts, lists, dicts, files of YAML, comparisons, and the usual functions;
// $(find …), $(arg …), $(env …) and $(optenv …). Other Python is refused, and named. Every element
// of the result has the place it was written at, in whatever file. Macros that never end, or become
// more than any robot has, are a diagnostic, and so are arguments that were given in vain.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"
#include "exchange/xml.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_XACRO_MAX_NODES 100000    // of the result
#define SOM_XACRO_MAX_TEXT (16 << 20) // bytes of all texts that were made
#define SOM_XACRO_MAX_DEPTH 250       // of elements, macros and files within each other
#define SOM_XACRO_MAX_STEPS 20000000  // elements and names that were looked at

bool som_xacro_sniff(SomStr path, SomStr text, const SomXml *xml);

// The tree has one root, the robot.
SomXml *som_xacro_expand(SomImporter *importer, const SomImportFile *file, const SomXml *xml);

#ifdef __cplusplus
}
#endif
