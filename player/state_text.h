// player/state_text.h - how a behavior stands, in words: what hosts publish when something starts
// or ends, and now and then.
//
//     SomStateText state = {.robot = robot, .behavior = "walk"};
//     size_t length = som_state_text_write(&state, buffer, sizeof buffer);
//
//     somite-state 1
//     behavior "walk"
//     time 1.25
//     status running
//     outcome running
//     piece 2 at 0.5 0 0.04 turned 0 0 0 1
//     active 14 since 1.2 position "front_left.middle.bend" of "walk"
//     ended 13 at 1.25 done position "front_left.head.bend" of "walk"
//
// One line a fact. `piece` lines, where there are several, are the place and quaternion (x, y, z,
// w) of each base. `active` lines are the actions that run, `ended` those that ended with the last
// tick, and how; the number is that of the node in the graph. At most SOM_STATE_MOST of each are
// listed, and then `more N` says how many there are besides.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/robot_run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_STATE_MOST 100

typedef struct SomStateText {
    const SomRobotRun *robot;
    const char *behavior;       // its name
    const char *outcome;        // of which the host knows more; NULL: the robot's
    const SomBodyPlace *pieces; // bases of the pieces of the design
    int32_t piece_count;        // 0 or 1: there is nothing to tell apart
} SomStateText;

// Writes a text and a terminator, as far as they fit; returns the length without it, as snprintf
// does. `buffer` may be NULL if `size` is 0.
size_t som_state_text_write(const SomStateText *state, char *buffer, size_t size);

const char *som_player_status_word(SomPlayerStatus status); // "running"

#ifdef __cplusplus
}
#endif
