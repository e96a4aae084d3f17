// compose/dock_states.h - a design whose docks close and open: where everything is meanwhile.
//
//     SomDockStates *states = som_dock_states_create(design);
//     som_dock_states_place(states, &posture);
//     if (som_dock_in_reach(design, dock, som_dock_states_gap(states, dock)))
//         som_dock_states_set(states, dock, true);   // a loop closes, or a piece comes along
//     const SomMechanism *now = som_dock_states_mechanism(states);
//     som_dock_states_destroy(states);
//
// For the present state of its docks the design is one mechanism of several pieces, made anew when
// a dock closes or opens. A piece stays where it is in the world, until a dock takes it along or an
// opened one leaves it elsewhere. A piece is held by its fixed base, else by the first base of the
// design that it has, else by the module that held it before.
//
// Ownership: borrows the design, which must outlive it. Placing allocates nothing.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomDockStates SomDockStates;

// As the design starts.
SomDockStates *som_dock_states_create(const SomConfiguration *design);
void som_dock_states_destroy(SomDockStates *states); // NULL is allowed

void som_dock_states_place(SomDockStates *states, const SomPosture *posture);
void som_dock_states_set(SomDockStates *states, int dock, bool is_closed);
bool som_dock_states_is_closed(const SomDockStates *states, int dock);

// Would the dock connect two pieces, each bolted to the world by its own base? Then it is not to be
// set to closed: the loop through the world cannot be represented.
bool som_dock_states_joins_fixed(const SomDockStates *states, int dock);

// How far the connectors of a dock are from being mated, as it was placed.
SomGap som_dock_states_gap(const SomDockStates *states, int dock);
// Whether they find each other from there, by what their types say (compose/configuration.h).
bool som_dock_in_reach(const SomConfiguration *design, int dock, SomGap gap);

// Another dock that is closed and holds one of its connectors; -1 if both are free.
int som_dock_states_rival(const SomDockStates *states, int dock);

const SomMechanism *som_dock_states_mechanism(const SomDockStates *states);
const SomPose *som_dock_states_links(const SomDockStates *states); // in the world

#ifdef __cplusplus
}
#endif
