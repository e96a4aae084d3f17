// base/file.h - the only place that touches the disk.
//
//     SomText text = {0}; // must outlive diags, which point into it
//     uint32_t source1 = som_file_load_source("walker.som", &text, diags);
//     if (source1 != 0) { ... parse som_text_str(&text) ... }
//     som_file_save("walker.som", content, diags);
//
// Reading never takes more than its limit and never waits: a pipe, a device or a folder is refused,
// only "-", standard input, is waited for. Saving is atomic: whoever opens the file, even after a
// crash of the program, finds all of the old content or all of the new. Whatever goes wrong is
// reported with the path and the reason, and the call returns false (or 0).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

// No text or mesh of ours is larger; what is, was named by mistake. Bytes.
#define SOM_FILE_LIMIT ((size_t)64 << 20)

// Replaces `text` by the whole file; "-" is standard input. Empty on failure.
bool som_file_load(const char *path, size_t limit, SomText *text, SomDiagnostics *diags);

// Whether it would work as far as can be known before; reports a file that is not there, or no
// file.
bool som_file_can_load(const char *path, SomDiagnostics *diags);

// What readers of texts call: loads up to SOM_FILE_LIMIT, drops a byte order mark, registers the
// text with diags under its path ("<stdin>" for "-") and checks it as below. Returns source1 for
// spans, or 0 on failure.
uint32_t som_file_load_source(const char *path, SomText *text, SomDiagnostics *diags);

// Reports the first zero byte and the first byte that is not UTF-8, with their places.
bool som_source_check(SomStr text, uint32_t source1, SomDiagnostics *diags);

// Replaces the file, or creates it. Keeps the permissions of a file replaced; of a symbolic link,
// replaces what it points to. On failure the old file is as it was, unless the report says that the
// content was replaced and only could not be flushed.
bool som_file_save(const char *path, SomStr content, SomDiagnostics *diags);

// Likewise, but only the owner may read the file, even if the old one allowed more: for data of the
// program that contains the user's.
bool som_file_save_private(const char *path, SomStr content, SomDiagnostics *diags);

// Whether they would work as far as can be known before: for work that takes long. Nothing is
// written; reports what they would report.
bool som_file_can_save(const char *path, SomDiagnostics *diags);
bool som_file_can_make_folder(const char *path, SomDiagnostics *diags);

// Reports a file that is there, for work that replaces no file of the user's. Returns whether the
// name is free.
bool som_file_is_free(const char *path, SomDiagnostics *diags);

// Removes a file; one that is not there is fine.
bool som_file_remove(const char *path, SomDiagnostics *diags);

// Gives a file another name in the same file system, instead of what has that name.
bool som_file_move(const char *path, const char *to, SomDiagnostics *diags);

// Holds a file, which is made if it is not there, until som_file_unlock or the end of the process,
// however that comes. -1 if another process or place holds it, or it can't be made.
int som_file_lock(const char *path);
void som_file_unlock(int lock);

// Makes a folder and those above it. One that is there is fine.
bool som_file_make_folder(const char *path, SomDiagnostics *diags);

// Likewise, but only the owner may enter it; withdraws the rights of others from a folder that is
// there and from the files in it.
bool som_file_make_private_folder(const char *path, SomDiagnostics *diags);

bool som_file_exists(const char *path); // something that can be opened as a file
bool som_file_is_folder(const char *path);
bool som_file_is_same(const char *a, const char *b); // both lead to one that is there

// A number that is another one when the file was changed or replaced; 0 if there is none.
uint64_t som_file_stamp(const char *path);

// Adds the folder of the running program. False, and nothing is added, where the system does not
// say.
bool som_file_program_folder(SomText *out);

// Adds the folder that relative paths start from, as an absolute path. False likewise.
bool som_file_working_folder(SomText *out);

// The names in a folder that end in `ending`, in the order of their bytes, without the path.
// Returns their number, -1 on failure. They live in the arena.
int som_file_list(const char *folder, SomStr ending, SomArena *arena, const SomStr **names,
                  SomDiagnostics *diags);

// The files in a folder and in the folders below it whose names end in `ending`: with their paths,
// a folder's own files before those of the folders in it. Hidden folders, links to folders and
// links that lead out of `folder` are left out.
int som_file_find(const char *folder, SomStr ending, SomArena *arena, const SomStr **paths,
                  SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
