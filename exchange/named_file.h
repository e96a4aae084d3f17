// exchange/named_file.h - the files that other files name, found on this machine: components of
// structures, meshes and included models of robots.
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

// What a model names: "package://arm/meshes/hand.STL", "model://arm/…", "file:///…", a path from
// the folder of the file `from`. Its ends are looked for in that folder, in the package that it is
// in (the nearest folder above with a package.xml or model.config, or of the package's name) and in
// the folders given with --search; nowhere else, whatever it names or symbolic links lead to. Empty
// if there is none.
SomStr som_asset_find(SomImporter *importer, SomStr from, SomStr uri);
// The same without guesses: at just that path from the file's folder, or from one to search or
// below.
SomStr som_asset_find_whole(SomImporter *importer, SomStr from, SomStr uri);

// Its last piece, with either kind of slash: vleg.conf.
SomStr som_component_name(SomStr written);

#ifdef __cplusplus
}
#endif
