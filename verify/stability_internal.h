// verify/stability_internal.h - a standing robot, for stability.c and settling.c only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "verify/stability.h"

// How a robot has come to a sample.
typedef struct SomSettled {
    SomPose attitude;
    double lean, may_tip; // as in SomStance
    bool stood;
    bool is_blocked; // as in SomStance
    bool has_moved;  // a joint, since the motion began
} SomSettled;

struct SomStanding {
    const SomMechanism *m;
    SomVec3 down;
    SomTerrain terrain;
    SomContactFinder *finder;
    SomContacts nothing; // what is fixed stands on
    SomSupportWork work;
    SomPose *links;
    SomPose *turned; // the same, tried turned
    SOM_ARRAY(SomVec3) points;
    SomPose begin;   // the attitude in which motions begin
    double unsteady; // seconds for which it has not stood before
    // a motion that is followed
    SomMotionSamples motion;
    const SomStop *stop;           // NULL: nobody stops it
    int stride;                    // samples of a tick
    SOM_ARRAY(SomSettled) settled; // its samples so far
    double low;                    // it lies while its centre is no higher; 0: it never does
    SomPose attitude;              // by which the robot is turned against its base's placement
    bool is_turned;
    bool is_blocked; // while it settles
    double *values;  // a posture between two samples
};

// As the values and the attitude put them.
void som_standing_place(SomStanding *standing, const double *values);
void som_standing_turn(SomStanding *standing, SomPose attitude);
const double *som_standing_values(const SomStanding *standing, int sample);
// Of the links as they are placed.
SomStance som_standing_measure_placed(SomStanding *standing);
