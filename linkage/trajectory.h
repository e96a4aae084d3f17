// linkage/trajectory.h - a linkage follows waypoints in time.
//
// A track leads one coordinate of any joint through waypoints: a tree joint or a closure, real or
// virtual, or, through its root joint, the pose of a link. Between waypoints it goes straight;
// before the first and after the last it stays. The solver follows tick by tick, and the way it was
// off is recorded.
//
//     SomWaypoint lift[] = {{0, 0}, {1, 0.2}};
//     SomTrack track = {root_joint_of_foot, SOM_DOF_TZ, lift, 2};
//     SomTrajectoryDef def = {.tracks = &track, .track_count = 1};
//     SomTracking tracking = {0};
//     som_trajectory_follow(linkage, &def, &tracking, diags);
//     som_tracking_free(&tracking);
//
// Errors: bad waypoints are reported, and nothing moves. Being off by more than a millimetre or
// milliradian, of a track or of a closure, is a warning.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "linkage/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomWaypoint {
    double time; // seconds
    double value;
} SomWaypoint;

typedef struct SomTrack {
    SomJointId joint;
    int dof;
    const SomWaypoint *waypoints; // times rise
    int count;
} SomTrack;

// Zero is the default for all but the tracks.
typedef struct SomTrajectoryDef {
    const SomTrack *tracks;
    int track_count;
    const SomGoal *goals; // beside the tracks: locks, posture
    int goal_count;
    const SomJointId *locked;
    int locked_count;
    double tick;    // seconds; 1/60
    int most_steps; // of the solver in each tick; 20
} SomTrajectoryDef;

// What remained at one time.
typedef struct SomTrackingSample {
    double time;
    double metres;  // the largest residual of a track that is a length
    double radians; // or an angle
    double open;    // the largest residual of a closure
} SomTrackingSample;

// Zero is empty.
typedef struct SomTracking {
    SOM_ARRAY(SomTrackingSample) samples;
    SomTrackingSample worst; // the worst of each, at the time of the worst length or angle
} SomTracking;

double som_track_value(const SomTrack *track, double time);

// Moves the linkage along all tracks, from the first time of any to the last. False if a track was
// refused or the solver was. What `tracking` held from another time is freed.
bool som_trajectory_follow(SomLinkage *linkage, const SomTrajectoryDef *def, SomTracking *tracking,
                           SomDiagnostics *diags);
void som_tracking_free(SomTracking *tracking);

#ifdef __cplusplus
}
#endif
