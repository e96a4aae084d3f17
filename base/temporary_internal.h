// base/temporary_internal.h - the temporary files that base/file.c writes before it renames them.
//
// A temporary file is locked (flock) for as long as its writer needs it. The kernel releases the
// lock of a killed process, so a temporary file without a lock is a leftover and is removed by the
// next save in its folder. Process numbers are not compared: they are reused, and containers that
// share a folder count them separately. O_TMPFILE was rejected: linkat can't replace a file, so
// the name would be needed anyway.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#include <sys/types.h>

// Creates a locked file that no other process has, in a folder, and stores its path. Returns -1
// with errno set if that is not possible.
int som_temporary_open(SomStr folder, mode_t mode, SomText *path);

// Removes the temporary files of killed processes from a folder. Files that can't be locked or
// removed are skipped.
void som_temporary_remove_stale(SomStr folder);
