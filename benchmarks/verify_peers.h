// benchmarks/verify_peers.h - what others find: kinematics and pairs that touch, for each sample.
//
//     void *peer = som_verify_fcl.create(workload);  // NULL if it cannot load the robot
//     int hits = som_verify_fcl.find(peer, sample);  // pairs of links that touch
//     som_verify_fcl.destroy(peer);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/verify_scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomVerifyPeer {
    const char *name;
    void *(*create)(const SomVerifyWorkload *workload);
    int (*find)(void *peer, const double *values);
    void (*destroy)(void *peer);
} SomVerifyPeer;

// Portal refinement of libccd behind sweep and prune, with kinematics in plain C.
extern const SomVerifyPeer som_verify_ccd;
// The dynamic tree of FCL on its primitive shapes, with the same kinematics.
extern const SomVerifyPeer som_verify_fcl;
// DART's kinematics with ODE's collisions.
extern const SomVerifyPeer som_verify_dart;
// mj_kinematics and mj_collision.
extern const SomVerifyPeer som_verify_mujoco;

// FCL's distance of the pairs that sweep and prune finds within `gap`: how many are nearer than it.
int som_verify_fcl_near(void *fcl, const double *values, double gap);
// The scalar kinematics that FCL was given, placed by its last call.
SomVerifyScalar *som_verify_fcl_scalar(void *fcl);

#ifdef __cplusplus
}
#endif
