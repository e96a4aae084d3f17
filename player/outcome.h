// player/outcome.h - the outcome of a run, in one word: the same in the embedded run, in plugins
// and in what they publish.
//
//     puts(som_outcome_word(SOM_OUTCOME_DOCK_BROKE));   // "dock broke"

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomOutcome {
    SOM_OUTCOME_RUNNING,
    SOM_OUTCOME_COMPLETED,  // the behavior ended, all its actions as planned
    SOM_OUTCOME_TIMEOUT,    // an action ran into its time-out, or the time was over before the end
    SOM_OUTCOME_STUCK,      // so, nothing had moved for a second, and an action still waited
    SOM_OUTCOME_COLLIDED,   // parts of the robot touched that did not at the start
    SOM_OUTCOME_FELL,       // its body leaned, or sank, too far
    SOM_OUTCOME_LOOP_OPEN,  // what should be held together for good came apart
    SOM_OUTCOME_DOCK_BROKE, // one carried more than its connectors hold
    SOM_OUTCOME_DIVERGED,   // the physics left all bounds
    SOM_OUTCOME_NUMB,       // the world has no physics: no joint is sensed
    SOM_OUTCOME_CANCELLED,
    SOM_OUTCOMES,
} SomOutcome;

const char *som_outcome_word(SomOutcome outcome); // "completed", "dock broke", "nothing moves"

#ifdef __cplusplus
}
#endif
