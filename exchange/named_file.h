// exchange/named_file.h - the files that other files name, found on this machine: components of
// structures, meshes and included models of robots.
//
//     SomStr path = som_component_find(importer, SOM_STR("designs/walkbot.struct"),
//                                      SOM_STR("/data/vleg/vleg.conf"), SOM_STR(".conf"));
//
// A file names others by paths of the machine it was made on, or by what it likes. So only these
// folders are looked in, and what is found there is taken only if symbolic links do not lead out of
// them (base/file_scope.h):
//
//   - the folder of the file that names it,
//   - the package of that file: the nearest folder above with a package.xml or model.config,
//   - folders to search, which the user gave, and the folders in them,
//   - of a component NAME.conf of a structure, the folder NAME beside that of the structure; of a
//     gait, the folders of the components.
//
// Of a path, the ends (vleg/vleg.conf, vleg.conf, longest first) are looked for, and nothing before
// a "..". A file that the user gave whose name is the same goes first.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

// Empty if there is none, or if it does not have the ending. Lives in the importer.
SomStr som_component_find(SomImporter *importer, SomStr structure, SomStr written, SomStr ending);

// What a model names: "package://arm/meshes/hand.STL", "model://arm/…", "file:///…", a path from
// the folder of the file `from`. Empty if there is none.
SomStr som_asset_find(SomImporter *importer, SomStr from, SomStr uri);
// The same without guesses: at just that path from the file's folder, or from one to search or
// below.
SomStr som_asset_find_whole(SomImporter *importer, SomStr from, SomStr uri);

// Whether a file that was not found is there, outside all of these folders.
bool som_asset_is_outside(const SomImporter *importer, SomStr from, SomStr uri);

// Adds to the last report which folders are read for a file, and how to read others.
void som_asset_note_folders(SomImporter *importer, SomStr from);

// Reports "WHAT'uri' was not found", or is outside, with that note.
void som_asset_report_missing(SomImporter *importer, SomCode code, SomSpan span, const char *what,
                              SomStr from, SomStr uri);

// The same of a component or gait of a structure.
void som_component_report_missing(SomImporter *importer, SomCode code, SomSpan span,
                                  SomStr structure, SomStr written);

// Its last piece, with either kind of slash: vleg.conf.
SomStr som_component_name(SomStr written);

#ifdef __cplusplus
}
#endif
