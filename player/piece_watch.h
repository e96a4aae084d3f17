// player/piece_watch.h - which pieces of a design fall, while docks join some and leave some
// behind.
//
//     SomPieceWatch pieces[2] = {0};                                   // the start
//     int32_t fallen = som_piece_watch_step(pieces, 2, &now);          // each step; -1: none
//
// Pieces that hold each other are one group, which falls as a robot does (som_body_has_fallen),
// against how it was when the group came together. A group that is bolted to the world never falls.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/body_place.h"

#ifdef __cplusplus
extern "C" {
#endif

// One for each piece as the design starts. Zero is the start.
typedef struct SomPieceWatch {
    int32_t group1; // 1 + the first piece that it is held together with; 0: it has not begun
    int32_t next1;  // the same in this step
    bool is_new, is_fixed, has_fallen;
    SomBodySenses start; // of its group, when that came together
} SomPieceWatch;

typedef struct SomPiecePair {
    int32_t a, b;
} SomPiecePair;

typedef struct SomPieceStep {
    const SomRobotBody *bodies;
    const SomBodyPlace *places; // one a body
    int32_t body_count;
    const SomPiecePair *held; // pieces that docks hold together now
    int32_t held_count;
    const SomFallLimits *limits;
} SomPieceStep;

// How many pieces the bodies are of.
int32_t som_piece_count(const SomRobotBody *bodies, int32_t body_count);

// Where the base of each piece is.
void som_piece_places(const SomRobotBody *bodies, const SomBodyPlace *places, int32_t body_count,
                      SomBodyPlace *pieces, int32_t piece_count);

// The first piece that has just fallen, and with it its group; -1 if none has.
int32_t som_piece_watch_step(SomPieceWatch *pieces, int32_t piece_count, const SomPieceStep *now);

#ifdef __cplusplus
}
#endif
