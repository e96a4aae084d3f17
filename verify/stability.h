// verify/stability.h - does a robot stand over a whole motion?
//
//     SomStanding *standing = som_standing_create(mechanism, &terrain, 1e-3);
//     SomStance stance = som_standing_measure(standing, values);    // one posture
//     SomStability *stability = som_stability_measure(standing, &motion, t_max);
//     for (int i = 0; i < stability->run_count; i++) ... stability->runs[i].first ...
//     som_stability_destroy(stability);
//     som_standing_destroy(standing);
//
// What is fixed to the world stands without contacts, and is never turned.
//
// A robot stands in a posture if its centre of mass is above the polygon that its contacts span
// (verify/contacts.h, verify/support_polygon.h), or outside by no more than SOM_STANDING_SLACK.
//
// A motion is followed from tick to tick: a robot that does not stand as it was turned before
// tips over its edges until it rests, and goes on from there, if it need not tip by more than
// `rocking` for it. If it must, it does not stand in that sample and is turned as before. A sample
// between two ticks is followed from the tick before it, and no other is from it. If that
// is 0 its base is never turned. One that rests but leans too far does not stand either. By the
// rule of Tosun and others, a run of n ticks a time dt
// apart that do not stand is a fall if n * dt is more than t_max, and so is one at the end.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/stop.h"
#include "verify/contacts.h"
#include "verify/support_polygon.h"

#ifdef __cplusplus
extern "C" {
#endif

// Metres: nearer to an edge is on it.
#define SOM_STANDING_SLACK 1e-6

// Radians: what rolls does so in steps, so that its contact moves on.
#define SOM_STANDING_ROLL_STEP 0.00872664625997164788

// Radians: a base that leans less is level.
#define SOM_STANDING_LEVEL 0.0174532925199432958

typedef struct SomStanding SomStanding;

// The contacts and poses are good until the next posture is measured.
typedef struct SomStance {
    // margin NAN: no contacts, no mass, or a number that is not finite; INFINITY: it is fixed
    SomSupport support;
    bool stands;
    bool is_blocked; // it was to tip against the side of a step: from there on nothing is known
    double lean;     // radians, if it rests but leans too far to stand; else 0
    double may_tip;  // radians by which it was let tip to come to rest, in a motion
    SomVec3 com;
    const SomContacts *contacts;
    const SomPose *links;
} SomStance;

SomStanding *som_standing_create(const SomMechanism *mechanism, const SomTerrain *terrain,
                                 double tolerance);
void som_standing_destroy(SomStanding *standing); // NULL is allowed

// One value a DoF; turned as in the sample that was measured last.
SomStance som_standing_measure(SomStanding *standing, const double *values);

// Samples of all DoF, one after the other.
typedef struct SomMotionSamples {
    const double *values;
    int count;
    double dt;
    double rocking; // radians by which it may tip at once to come to rest
    double rolling; // the same of what lies on the ground, once a joint has moved: modules that
                    // touch are most of its mass
    double lean;    // radians by which what does not lie may lean then in all
    bool has_moved; // joints did before: it continues another motion
} SomMotionSamples;

// For a motion that continues another one: how the robot is turned and set down as it begins,
// against its base, and the seconds for which it has not stood before. NULL: as its base puts it.
// Called before a motion is followed.
void som_standing_continue(SomStanding *standing, const SomPose *begin, double unsteady);
// From now on samples are those of the motion, which is borrowed.
void som_standing_follow(SomStanding *standing, const SomMotionSamples *motion);
// The same for a motion that is up to a sample as one through which another standing robot, of the
// same mechanism, was followed.
void som_standing_resume(SomStanding *standing, const SomMotionSamples *motion,
                         const SomStanding *like, int first);
// Samples of a tick of 10 ms: 1 if they are as far apart or farther.
int som_standing_stride(const SomMotionSamples *motion);
// Robots are judged at ticks and at the last sample, so that verdicts do not depend on the time
// between samples: the next sample that is judged, and how many there are.
int som_standing_next_tick(const SomMotionSamples *motion, int sample); // the count: none
int som_standing_tick_count(const SomMotionSamples *motion);
// In any order; in their own order is fastest.
SomStance som_standing_measure_sample(SomStanding *standing, int sample);
// Of a sample that was measured: radians by which the base leans against its placement.
double som_standing_base_lean(const SomStanding *standing, int sample);
// Not turned.
double som_standing_margin_centres(SomStanding *standing, int sample);

// From now on what looks at many samples asks it; NULL: nobody stops it.
void som_standing_set_stop(SomStanding *standing, const SomStop *stop);
const SomStop *som_standing_stop(const SomStanding *standing);

typedef struct SomUnsteadyRun {
    int first, last, worst; // samples; the worst is the one that leans most if `is_lean`
    double margin;          // of the worst; NAN if it was not known
    bool is_lean;           // it begins with leaning too far
    bool is_at_end;
    bool is_fall; // longer than t_max
} SomUnsteadyRun;

typedef struct SomStability {
    double *margins; // one a sample, as it is turned there
    double *leans;   // of those that lean too far to stand; else 0
    double *heights; // of the centre of mass above what it stands on; NAN if that is nothing
    SomPose *places; // of the robot as it is turned and set down, against where its base puts it
    SomUnsteadyRun *runs;
    int run_count;
    int lowest;            // tick of the smallest margin; -1 if none is known
    int unknown;           // ticks without a margin; the robot does not stand there
    int first_blocked;     // from this tick on nothing is known, and NAN; else the count of samples
    double margin_centres; // the smallest of the measure of the laboratory
} SomStability;

SomStability *som_stability_measure(SomStanding *standing, const SomMotionSamples *motion,
                                    double t_max);
void som_stability_destroy(SomStability *stability); // NULL is allowed

// How a robot comes to rest that does not stand as it is: it tips over the nearest edge, or rolls
// on what is round, until something else touches, and so on.
typedef struct SomRest {
    bool does_rest;
    bool is_blocked; // by the side of a step
    double angle;    // radians that it tips by, in sum
    int link;        // that came down; -1 if none did
} SomRest;

// In one posture, tipping by `most` at most.
SomRest som_standing_settle(SomStanding *standing, const double *values, double most);

const SomMechanism *som_standing_mechanism(const SomStanding *standing);

#ifdef __cplusplus
}
#endif
