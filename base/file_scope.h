// base/file_scope.h - which files a file may make the program read.
//
// A design, a robot or a mesh from elsewhere names other files: used designs, tables, meshes,
// included models. It must not choose what the program opens. So such a file is read only if it
// is, with all symbolic links resolved, in a folder that the user has given:
//
//   a design   the folder of the design that was opened, and the library (compose/workspace.h)
//   an import  the folder of the file, its package, and the folders to search
//              (exchange/named_file.h)
//   a mesh     its own folder (space/mesh.h)
//
// Messages say of a file that is there and may not be read that it "is outside the folders that are
// read", and which those are.
//
// A path that is not there is in no folder. Files that the user names are not asked for here:
// they may be anywhere, and may be links.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_FILE_OUTSIDE "is outside the folders that are read"

// Whether a path is below the folder, wherever symbolic links lead. "" is the working folder.
bool som_file_is_within(const char *path, const char *folder);

// Whether a path is in the folder of the file `from`, or below it. Where `from` is a link, in the
// folder of the link or in that of the file it leads to: links to all files of a project work as
// the project does.
bool som_file_is_beside(const char *path, const char *from);

#ifdef __cplusplus
}
#endif
