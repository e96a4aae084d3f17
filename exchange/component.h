// exchange/component.h - the files that a structure names, found on this machine.
//
//     SomStr path = som_component_find(importer, SOM_STR("designs/walkbot.struct"),
//                                      SOM_STR("/data/vleg/vleg.conf"), SOM_STR(".conf"));
//
// Paths in structures are those of the machine they were made on. Of such a path, the ends
// (vleg/vleg.conf, vleg.conf, longest first) are looked for in the structure's folder, then in the
// folders given with --search, then in the folders above, last in all folders below those given. A
// file given on the command line whose name is the same goes first.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

// Empty if there is none, or if it does not have the ending. Lives in the importer.
SomStr som_component_find(SomImporter *importer, SomStr structure, SomStr written, SomStr ending);

// Its last piece, with either kind of slash: vleg.conf.
SomStr som_component_name(SomStr written);

#ifdef __cplusplus
}
#endif
