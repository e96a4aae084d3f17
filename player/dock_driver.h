// player/dock_driver.h - a dock that opens and closes: takes the player's commands, gives the state
// the player senses.
//
//     SomDockModel model = {.closing = 0.5, .opening = 0.5, .reach = 0.004};
//     SomDockDriver dock = {SOM_DOCK_OPEN};
//     som_dock_driver_step(&model, &dock, commands[i], gap, dt);
//     senses.docks[i] = dock.state;
//
// A dock closes only while its partner is within reach; if the partner leaves on the way, it opens
// again, and tries once more when the partner is back. Left alone on the way, it goes back to the
// state it came from. One that is torn off stays open.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"

#ifdef __cplusplus
extern "C" {
#endif

// Zero: at once, and only to a partner without a gap.
typedef struct SomDockModel {
    double closing;     // seconds
    double opening;     // seconds
    double reach;       // metre
    double reach_angle; // radian: largest angle between partners; 0: not given
} SomDockModel;

// Zero is open.
typedef struct SomDockDriver {
    uint8_t state; // SomDockState
    uint8_t from;  // the state it left, while it moves
    double since;  // seconds on the way
    bool is_torn;  // it broke: whatever is commanded, it stays open
} SomDockDriver;

// `gap` is the distance to its partner in metres; not a number: there is none.
void som_dock_driver_step(const SomDockModel *model, SomDockDriver *dock, SomDockCommand command,
                          double gap, double dt);

#ifdef __cplusplus
}
#endif
