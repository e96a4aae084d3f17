// verify/never_touch.h - which links can never touch each other, whatever the joints do.
//
//     const SomMechanismPair *pairs;
//     int count = som_never_touch(mechanism, NULL, &arena, &pairs);
//
// For programs that plan motions, which need not test these pairs again and again: others find them
// by trying postures at random, which proves nothing.
//
// A pair is told only if it is proven. The joints between two links, in the tree of the mechanism,
// span a box of values: from limit to limit, a full turn where there are none. The distance in the
// middle of a box, less what the arms of the joints (verify/motion_tree.h) can move to its sides,
// is a bound for all of the box; where it is not enough, the box is halved across the joint that
// moves most. Joints of closed loops count as free, which only makes it harder to prove.
//
// Links of one rigid body that are apart are told, too; links with a connection between them, or
// that touch each other at their joint, are not looked at. Work has an end: pairs with few joints
// between them come first, about half a second in all, and of those with more than
// SOM_NEVER_MOST_JOINTS nothing is said. Results are the same on every machine.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_NEVER_MOST_JOINTS 6

// Nearer than this, in metres, and a millionth of their sizes, counts as touching.
#define SOM_NEVER_MARGIN 1e-6

// The posture, and the one in which the design starts, belong to the values that joints may have
// even where they are beyond limits; NULL: the start alone. Pairs live in the arena, each once,
// link_a < link_b. Returns their number.
int som_never_touch(const SomMechanism *mechanism, const SomPosture *posture, SomArena *arena,
                    const SomMechanismPair **pairs);

#ifdef __cplusplus
}
#endif
