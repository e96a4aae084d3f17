// verify/posture_balance.h - how a robot stands in one posture: the contacts, the support polygon
// and the margin that verification finds there, for pictures.
//
//     SomPostureBalance balance = som_posture_balance_find(mechanism, &options, values, 1);
//     ... balance.margin, balance.corners[i] ...
//     som_posture_balance_free(&balance);
//
// The robot may come to rest by tipping, and what touches then is not what touches as it is placed.
// Points are where they are on the robot as it is placed: how joints and the base put it. Of
// several pieces it is the one that stands worst.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/stability.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPostureBalance {
    bool stands;
    bool leans_too_far; // it rests, but does not stand
    bool is_fixed;      // to the world, as all pieces are; nothing else is known
    double margin;      // signed; 0 right above an edge; NAN: not known
    double drop;        // how far it sinks until it touches; NAN: it touches nothing
    SomVec3 *corners;   // of the polygon, in order
    int corner_count;   // 0: it touches nothing
    SomVec3 edge[2];    // the nearest one
    SomVec3 center;     // of mass
    SomVec3 below_center;
} SomPostureBalance;

// In the last sample of a motion, followed to there; of a posture that is one sample.
SomPostureBalance som_posture_balance_find(const SomMechanism *mechanism,
                                           const SomVerifyOptions *options, const double *values,
                                           int sample_count);
void som_posture_balance_free(SomPostureBalance *balance); // leaves it empty

#ifdef __cplusplus
}
#endif
