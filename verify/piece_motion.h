// verify/piece_motion.h - one piece of a robot during a part of a motion: does it fall, and is it
// still where the motion has it?
//
//     double height = som_piece_height(&own, &stands);   // as it is released
//     SomPieceMotion motion = som_piece_follow(&own, &apart, 0);
//     if (motion.fall < own.sample_count) ... own.times[motion.fall] ...
//
// The input is that of the piece: its mechanism has the base in the piece (compose/mechanism.h).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPieceMotion {
    SomPose end;     // how it is turned and set down in the last sample, against the prediction
    double unsteady; // seconds for which it has not stood then
    double slid;     // metres that its contacts have moved along the ground
    int fall;        // the sample from which on it falls; the number of samples: it does not
    int moved;       // likewise, from which on it is not where the prediction has it
} SomPieceMotion;

// Where the prediction has it: turned and set down as by `apart`; NULL: moved is not looked for.
// Its contacts have slid before. What a stop ended is of no use.
SomPieceMotion som_piece_follow(const SomVerifyInput *input, const SomPose *apart, double slid);

// How high its lowest point is above the ground in the first sample, NAN if it touches nothing;
// `stands`: whether it would stand on the ground below.
double som_piece_height(const SomVerifyInput *input, bool *stands);

// What is below a piece.
typedef struct SomPieceWay {
    double
        length; // that it can move straight down before it meets another piece, or reaches the end
    int link;   // of another piece that it meets; -1: none
    bool rests; // that is so flat that friction holds what rests on it
} SomPieceWay;

// From the first sample on, over `height`. The input is that of all pieces, `place` how they are
// turned and set down.
SomPieceWay som_piece_way_down(const SomVerifyInput *input, int piece, SomPose place,
                               double height);

#ifdef __cplusplus
}
#endif
