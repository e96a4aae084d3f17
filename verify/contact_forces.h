// verify/contact_forces.h - what the ground pushes with where a robot touches it.
//
//     SomPad pads[] = {{.point = {0.1, 0, 0}, .weight = 1, .friction = 0.6}, ...};
//     SomVec3 forces[COUNT];
//     SomWrench missing = som_contact_forces_find(pads, count, load, forces);
//
// More than three contacts carry a robot in many ways. Taken is the one of least effort, the least
// sum of force^2 / weight, among all that push and do not pull and stay within the friction cone of
// each contact, whose axis is z. It is what happens if the robot is rigid and stands on pads of
// rubber that are as stiff as their weights say. On level ground no force is level then.
//
// Found by Newton's method in the six numbers of a small movement of the robot, from which every
// force follows: any number of contacts is cheap, and the work is bounded. A load that contacts
// cannot carry is carried as far as they can; what is missing is returned.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/twist.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPad {
    SomVec3 point;
    double weight;   // stiffness; positive
    double friction; // coefficient, not negative
} SomPad;

// What the load still needs to be balanced, about the origin: zero but for rounding if the contacts
// carry it. NaN if a number is not finite.
SomWrench som_contact_forces_find(const SomPad *pads, int count, SomWrench load, SomVec3 *forces);

// Whether a wrench is so small beside a load that acts on contacts so far apart that it is
// rounding.
bool som_contact_forces_balance(const SomPad *pads, int count, SomWrench load, SomWrench missing);

#ifdef __cplusplus
}
#endif
