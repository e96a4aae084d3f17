// command/piece_list.h - the pieces of a design, for people and programs.
//
//     if (som_pieces_are_shown(design))
//         som_pieces_print(design, &command->out);
//     som_pieces_write(command, design);   // as the member "pieces"

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"

#ifdef __cplusplus
extern "C" {
#endif

// There are several, or one that is fixed: for others there is nothing to say.
bool som_pieces_are_shown(const SomConfiguration *design);
void som_pieces_print(const SomConfiguration *design, SomText *out);

// The base of each, and which modules it has.
void som_pieces_write(SomCommand *command, const SomConfiguration *design);

#ifdef __cplusplus
}
#endif
