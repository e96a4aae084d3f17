// base/path.h - the little that is done with names of files, without looking at the disk.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pieces of "designs/walker.som": folder "designs", name "walker.som", stem "walker", extension
// ".som". Without a slash the folder is "."; a name that only begins with a point has no extension.
SomStr som_path_folder(SomStr path);
SomStr som_path_name(SomStr path);
SomStr som_path_stem(SomStr path);
SomStr som_path_extension(SomStr path);

// Adds to `out` the path of `name` as seen from `folder`: "designs" and "../x.m3l" give
// "designs/../x.m3l". An absolute name stays as it is; the folder "." or "" adds nothing.
void som_path_join(SomText *out, SomStr folder, SomStr name);

#ifdef __cplusplus
}
#endif
