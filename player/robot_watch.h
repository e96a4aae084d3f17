// player/robot_watch.h - what becomes of a run beside the end of its behavior: the robot falls,
// collides with itself, tears a dock off, does not move. The words are those of `somite simulate`.
//
//     SomRobotWatch watch = {0};
//     som_robot_watch_step(&watch, run, &senses, is_sensed, dt);       // each step
//     watch.has_fallen |= ...;                                         // as the host sees it
//     puts(som_outcome_word(som_robot_watch_outcome(&watch, run)));    // "dock broke"

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/robot_run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_STILL_SPEED 0.01  // rad/s or m/s below which a joint rests
#define SOM_STILL_SECONDS 1.0 // without motion, while an action waits for more than time: stuck
#define SOM_NUMB_STEPS 20     // without any joint that is sensed: nothing moves
#define SOM_OPEN_GAP 5e-3     // metre between what a weld holds for good: a loop is open ...
#define SOM_OPEN_SETTLES 0.1  // ... after these seconds, which springs have to pull it together

// Zero is the start.
typedef struct SomRobotWatch {
    bool has_collided, has_fallen, has_broken; // set by the host
    bool has_opened;                           // a loop that should stay closed; by the host
    bool has_diverged;                         // the physics makes no sense any more; by the host
    double since_motion;                       // seconds
    int32_t numb_steps;
} SomRobotWatch;

// `is_sensed`: the physics has told where joints are. Speeds of `senses` are looked at.
void som_robot_watch_step(SomRobotWatch *watch, const SomRobotRun *run, const SomSenses *senses,
                          bool is_sensed, double dt);

// Whether every position is a number, and every speed possible (player/physics_facts.h).
bool som_robot_senses_are_sound(const SomSenses *senses, int32_t dof_count);

// While the behavior runs: running, stuck, or that no joint is sensed. Then the worst of a broken
// dock, an open loop, a fall, a collision, a time-out; or it is completed or cancelled. Diverged
// whenever it has.
SomOutcome som_robot_watch_outcome(const SomRobotWatch *watch, const SomRobotRun *run);

// Likewise where the host ends the run now: what has not ended is stuck or out of time.
SomOutcome som_robot_watch_end(const SomRobotWatch *watch, const SomRobotRun *run);

#ifdef __cplusplus
}
#endif
