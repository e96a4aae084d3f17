// verify/loads.h - the largest loads of actuators and connectors over a motion, beside their
// limits.
//
//     SomLoads *loads = som_loads_measure(&(SomLoadsDef){standing, statics, &motion, 1, NULL,
//     NULL}); for (int dof = 0; dof < mechanism->dof_count; dof++) ... loads->joints[dof].value ...
//     som_loads_destroy(loads);
//
// Statics of every tick at which the robot rests, turned as its weight has turned it
// (verify/stability.h, verify/statics.h). First with the weight shared as if the robot were rigid;
// where something would hold too much then, with contacts that spare the actuators, and that is
// what counts: an overload is reported only if no forces that contacts can push with, legs that
// lean against each other among them, keep all actuators within their limits.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/stability.h"
#include "verify/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomConnectorLoad {
    SOM_LOAD_TENSION,
    SOM_LOAD_SHEAR,
    SOM_LOAD_BENDING,
    SOM_CONNECTOR_LOADS
} SomConnectorLoad;

typedef struct SomLoadPeak {
    double value;    // N m or N, the largest; times the safety factor
    double limit;    // 0: none is given
    int worst;       // sample of the largest; -1: there is none
    int first, last; // samples in which it is above its limit; -1: none
} SomLoadPeak;

typedef struct SomLoads {
    SomLoadPeak *joints;      // one a DoF
    SomLoadPeak *sagging;     // one a DoF: before it gave way, in samples in which that holds it
    SomLoadPeak *connections; // SOM_CONNECTOR_LOADS for each
    int falling;              // ticks that were left out: the robot does not rest
    int unknown;              // or its loads could not be found
    int shared; // or it is fixed and touches the ground too, and is too weak if that holds nothing
    double *usage; // of each sample: the largest load / limit of actuators at its tick; NAN
    double *connector_usage; // likewise
} SomLoads;

// Zero is the default for all but the standing, statics and motion.
typedef struct SomLoadsDef {
    SomStanding *standing;
    SomStatics *statics;
    const SomMotionSamples *motion;
    double safety;            // by which loads are multiplied
    double tolerance;         // what is this near to the ground touches it
    SomContactFinder *sagged; // finds what touches of a robot that has given way; NULL: it may not
    double *efforts; // gets what each joint has to hold, dof_count a sample; NULL: not wanted
} SomLoadsDef;

SomLoads *som_loads_measure(const SomLoadsDef *def);
void som_loads_destroy(SomLoads *loads); // NULL is allowed

// What a connection holds: the smaller of what its connectors give; 0 if none gives any.
double som_connection_limit(const SomConfiguration *design, int connection, SomConnectorLoad load);

#ifdef __cplusplus
}
#endif
