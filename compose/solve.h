// compose/solve.h - moves a design: loops stay closed, locks hold, targets are reached as far as
// they can be, and trajectories followed.
//
//     SomWish wishes[2];
//     som_wish_read(configuration, SOM_LEVEL_LOCK, SOM_STR("left.bend"), &arena, &wishes[0],
//     diags); som_wish_read(configuration, SOM_LEVEL_TARGET, SOM_STR("arm.position=(0.1, 0, 0.2)"),
//     &arena,
//                   &wishes[1], diags);
//     SomSolveResult result = {0};
//     som_solve(configuration, &(SomSolveDef){.wishes = wishes, .wish_count = 2}, &result, diags);
//     som_solve_result_free(&result);
//
// A wish is about a DoF, by its name or an alias: `left.tilt=30deg`. Or about a place, which is a
// module (its frame), or a connector, named frame or link of a module: `arm`, `arm.T`, `arm.lab`.
// Of a place it is about the whole pose, or `.x`, `.y` or `.z`, `.position=(x, y, z)` or
// `.turned=(roll, pitch, yaw)` in the world. A target may also be another connector, which the
// first is led to face to face: `arm.T=tool.B`, `arm.T=tool.B@90deg`. And it may be several values,
// each with its time: `arm.z=0m@0s, 0.1m@2s` is a trajectory.
//
// Where places stay short of their targets, other postures nearby are tried: a straight chain would
// never fold. The same wishes always have the same result.
//
// Bases stay where they are unless they are freed; fixed ones stay in any case. Numbers without a
// unit are in metres and radians.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/posture.h"
#include "linkage/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

// More values in one wish is a diagnostic.
#define SOM_MAX_WISH_VALUES 10000

// What a wish is about.
typedef struct SomSubject {
    SomStr name;          // as it was written, borrowed; for words about it
    int dof;              // -1: a place
    SomAlias alias;       // convention of the values of the DoF
    int module;           // of the place
    int link;             // of the module's type
    SomPose frame;        // of the place in the link
    bool is_face;         // the place is a connector with a face
    unsigned coordinates; // of the place's pose in the world: bits of SomDof
} SomSubject;

typedef struct SomWishValue {
    double time;      // s; NAN if none was given
    double values[6]; // of a DoF values[0], in the joint's own convention; of a place by
                      // coordinate, turns as roll, pitch and yaw
} SomWishValue;

typedef struct SomWish {
    SomLevel level; // SOM_LEVEL_LOCK: stays as it is; SOM_LEVEL_TARGET
    SomSubject subject;
    bool has_other; // led face to face with another connector
    SomSubject other;
    double roll;
    const SomWishValue *values; // one, or several with rising times: a trajectory
    int value_count;
} SomWish;

// False after a report. Values come from the arena.
bool som_wish_read(const SomConfiguration *configuration, SomLevel level, SomStr text,
                   SomArena *arena, SomWish *wish, SomDiagnostics *diags);
bool som_subject_find(const SomConfiguration *configuration, SomStr text, SomSubject *subject,
                      SomDiagnostics *diags);

// Zero is the default for every field.
typedef struct SomSolveDef {
    const SomWish *wishes;
    int wish_count;
    const SomPosture *from;    // NULL: as the design starts
    const SomPosture *posture; // liked where all wishes leave it free; NULL: none
    bool is_base_free;
    int most_steps; // 500
    double tick;    // s, of trajectories; 1/60
} SomSolveDef;

// Zero is empty.
typedef struct SomSolveResult {
    bool is_closed; // all loops are
    int iterations;
    double residuals[SOM_LEVELS]; // norms, metres and radians together
    SomPosture posture;
    SomPose base;             // of the link of the base, in the world
    SOM_ARRAY(SomPose) bases; // likewise of each piece; bases[0] is that
    SomText words;            // what could not be had, and why; empty if all was
    SomTracking tracking;     // of trajectories
} SomSolveResult;

// False after a report, which a problem that is too large or a bad trajectory causes. What the
// wishes do not reach is no report but is told in the result.
bool som_solve(const SomConfiguration *configuration, const SomSolveDef *def,
               SomSolveResult *result, SomDiagnostics *diags);
void som_solve_result_free(SomSolveResult *result);

#ifdef __cplusplus
}
#endif
