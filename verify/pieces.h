// verify/pieces.h - the pieces into which docks take a robot apart, each followed by itself.
//
//     SomPieces *pieces = som_pieces_create(&input);   // as the motion starts: one piece
//     som_pieces_check(pieces, &part, first, found);   // each state of the docks, in turn
//     som_pieces_dock(pieces, states, dock, out);      // before a dock closes
//     som_pieces_destroy(pieces);
//
// A piece stands on its own contacts and carries its own weight. It begins turned and set down as
// the piece was that it comes from. If it is above the ground then, it falls. What has fallen, or
// rests on another piece, is lost: nothing is checked about it from then on, nor about what docks
// to it. Collisions between two pieces are checked while both are where the prediction has them.
// docs/verify.md says when a piece leaves that place.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/dock_states.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPieces SomPieces;

// Of a whole motion, which is borrowed.
SomPieces *som_pieces_create(const SomVerifyInput *input);
void som_pieces_destroy(SomPieces *pieces); // NULL is allowed

// A dock is about to close: whether its connectors are in reach where the pieces are.
void som_pieces_dock(SomPieces *pieces, const SomDockStates *states, int dock,
                     SomVerification *out);

// Docks that did not close in the prediction, between pieces of which one has moved along the
// ground or is lost: whether they close is not predicted, and no error.
void som_pieces_leave_open(SomPieces *pieces, SomVerification *out);

// Stability, loads and slip of each piece, and collisions. The part begins with sample `first` of
// the motion.
void som_pieces_check(SomPieces *pieces, const SomVerifyInput *part, int first,
                      SomVerification *found);

#ifdef __cplusplus
}
#endif
