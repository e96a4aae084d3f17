// base/file_internal.h - how file.c and file_folder.c report what the operating system refuses.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

// Reports "can't VERB 'path': reason", with a code of the error or `otherwise`. Returns false, for
// the caller to return.
bool som_file_fail(SomDiagnostics *diags, SomCode otherwise, const char *verb, const char *path,
                   int error);
