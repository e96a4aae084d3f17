// tests/fuzz/fuzz_import.h - what the targets of importers share.
//
// Facts that must hold for every input: what was refused said why and left nothing; what was
// accepted is canonical text of the language, and a design that composes, unless a
// loop is open, which was reported.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/lab_model.h"

#include <stdint.h>

// Feeds the bytes to a reader as the text of a file of that name. Module types are read once.
void som_fuzz_import(const char *path, const uint8_t *data, size_t size,
                     bool (*read)(SomImporter *importer, const SomImportFile *file));

// Reads a small robot, named M0, M1 and A:M2, which the file that is fuzzed then moves.
bool som_fuzz_read_robot(SomImporter *importer);
