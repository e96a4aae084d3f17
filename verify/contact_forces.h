// verify/contact_forces.h - what the ground pushes with where a robot touches it.
//
//     SomPad pads[] = {{.point = {0.1, 0, 0}, .weight = 1, .friction = 0.6}, ...};
//     SomVec3 forces[COUNT];
//     SomContactProblem problem = {.pads = pads, .count = COUNT, .load = load};
//     SomWrench missing = som_contact_forces_find(&problem, forces);
//
// More than three contacts carry a robot in many ways. Taken is the one of least effort, the least
// sum of force^2 / weight, among all that push and do not pull and stay within the friction cone of
// each contact, whose axis is z. It is what happens if the robot is rigid and stands on pads of
// rubber that are as stiff as their weights say. On level ground no force is level then.
//
// With joints, the sum of (effort / limit)^2 of them is the least instead, and that of the forces
// decides where it leaves a choice: joints are springs and pads hard. Legs that straddle then lean
// against each other as far as friction lets them. Beyond their limits joints are soft: if there
// are any forces that keep all of them within their limits, those found do, but for
// SOM_CONTACT_YIELD, and else the sum of squares of what is too much is the least.
//
// Found by Newton's method in the six numbers of a small movement of the robot and one a joint,
// from which every force follows: any number of contacts is cheap, and the work is bounded. A load
// that contacts cannot carry is carried as far as they can; what is missing is returned.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/twist.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Joints that may give way in one problem.
#define SOM_CONTACT_MOST_JOINTS 64
// The movement that presses the contacts: of the robot as a whole, then of the joints.
#define SOM_CONTACT_MOVEMENT (6 + SOM_CONTACT_MOST_JOINTS)
// Of a limit: what a joint may be found above it though it need not be.
#define SOM_CONTACT_YIELD 1e-2

typedef struct SomPad {
    SomVec3 point;
    double weight;    // stiffness; positive
    double friction;  // coefficient, not negative
    int first, count; // of its moves
} SomPad;

// How a pad moves with a joint that it hangs on, metres for each unit of the joint.
typedef struct SomPadMove {
    int joint;
    SomVec3 way;
} SomPadMove;

// Zero is the default for all but the pads and the load. All is borrowed.
typedef struct SomContactProblem {
    const SomPad *pads;
    int count;
    SomWrench load; // about the origin
    const SomPadMove *moves;
    const double *limits;  // of each joint, positive
    const double *efforts; // of each joint, that hold it against the load alone
    int joint_count;
    double
        *movement; // where to start, and gets where it ended: SOM_CONTACT_MOVEMENT; NULL: at rest
} SomContactProblem;

// What the load still needs to be balanced, about the origin: zero but for rounding if the contacts
// carry it. NaN if a number is not finite.
SomWrench som_contact_forces_find(const SomContactProblem *problem, SomVec3 *forces);

// Whether a wrench is so small beside a load that acts on contacts so far apart that it is
// rounding.
bool som_contact_forces_balance(const SomContactProblem *problem, SomWrench missing);

#ifdef __cplusplus
}
#endif
