// benchmarks/verify_workload.h - robots in motion, the same for the verifier and for its peers.
//
// A module has five links and four joints: a body (box 45 x 70 x 74 mm) with a disc on either side
// (radius 45 mm), a box hinged to it (35 x 70 x 60 mm) and a disc at its front (radius 36 mm; discs
// are 10 mm thick). Modules are docked 0.1 m apart. No two links of a module that a joint does not
// join ever overlap. A snake meanders in the plane, its hinges upright; a walker is a spine with
// legs of two modules. Both move for 10 s at 100 Hz, through parts of themselves if they collide.
//
//     SomVerifyWorkload *w = som_verify_workload_create(SOM_VERIFY_WALKER, 18, false);
//     const double *sample = w->values + (size_t)i * (size_t)w->dof_count;
//     som_verify_workload_destroy(w);
//
// The robot is composed from text; what the peers get is read off the mechanism. Pairs that are not
// tested are those of a link and its parent, by a joint or by a dock.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomVerifyGait { SOM_VERIFY_SNAKE, SOM_VERIFY_WALKER } SomVerifyGait;

#define SOM_VERIFY_SAMPLES 1000
#define SOM_VERIFY_PERIOD 200 // samples after which the motion begins again
#define SOM_VERIFY_LANES 8

// Links in an order in which parents come first, each in the frame of the joint that moves it:
// frame = frame of the parent * offset * turn about z by sign * value. Its shape stands along the
// axes of this frame.
typedef struct SomVerifyLink {
    int link;   // of the mechanism
    int parent; // -1 for the first
    int dof;    // -1 if fixed to its parent
    double sign;
    SomPose offset; // of the first link: in the world
    bool is_box;
    int axis; // of a cylinder: 0, 1 or 2
    double radius, half_length;
    SomVec3 half; // of a box
    SomVec3 center;
    double mass;
    SomVec3 com;
} SomVerifyLink;

typedef struct SomVerifyWorkload {
    SomVerifyGait gait;
    int modules;
    bool is_colliding;
    SomMechanism *mechanism;
    SomVerifyLink *links;
    int link_count, dof_count;
    double *values;  // SOM_VERIFY_SAMPLES x dof_count
    double *batches; // the same as SOM_VERIFY_SAMPLES / 8 x dof_count x 8
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
} SomVerifyWorkload;

SomVerifyWorkload *som_verify_workload_create(SomVerifyGait gait, int modules, bool is_colliding);
void som_verify_workload_destroy(SomVerifyWorkload *workload);

static inline bool som_verify_is_tested(const SomVerifyLink *links, int a, int b) {
    return links[a].parent != b && links[b].parent != a;
}

// The frame of a link's shape as others want it, centred and with the axis of a cylinder along z.
SomPose som_verify_shape_pose(const SomVerifyLink *link, const SomPose *frame);

#ifdef __cplusplus
}
#endif
