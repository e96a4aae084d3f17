// behaviors/explorer.h - all ways in which a behavior may go, where its conditions ask for what
// kinematics does not know, and when it begins to repeat itself.
//
//     SomExplorer *explorer = som_explorer_create(graph, &assumed);
//     int branch;
//     while ((branch = som_explorer_next(explorer)) >= 0) {
//         def.explorer = explorer, def.branch = branch;
//         som_prediction_play(&def, &prediction, diags);
//         if (prediction.returns) ... goes on as prediction.return_branch from return_time on
//     }
//     som_explorer_destroy(explorer);
//
// A branch is the motion in which sensors are what they are taken to be until some tick, and then
// otherwise. The first one is what is assumed. At every tick at which conditions read sensors, all
// values that make a difference are tried (behaviors/sensor_values.h); each that leads to a state
// in which no branch was before is a branch of its own. A motion that comes to a state in which a
// branch was before, of robot and behavior alike, goes on as that one does: there it ends. So
// branches are few where a wait ends at any of many ticks or a repetition comes back to its
// beginning, and for many behaviors all of them are known.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/prediction.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of branches that were found; more are counted, not kept.
#define SOM_EXPLORER_MOST_BRANCHES 100000

// The graph is borrowed.
SomExplorer *som_explorer_create(const SomActionGraph *graph, const SomAssumptions *assumed);
void som_explorer_destroy(SomExplorer *explorer); // NULL is allowed

// A branch that comes back to a state of its own goes on for so many passes more, before it
// returns to the beginning of the last one. For behaviors that read no sensors.
void som_explorer_add_passes(SomExplorer *explorer, int passes);

// The next branch that was not played yet: the first, then those with the fewest changes, spread
// over the times of the changes. -1: there is none.
int som_explorer_next(SomExplorer *explorer);

// Branches that were found so far.
long som_explorer_count(const SomExplorer *explorer);

// A branch that is at a time in the state in which another one is, and goes on as that one does. Of
// one that was merged before it was played, see som_explorer_resolve.
typedef struct SomExplorerJoin {
    int from, to;
    double from_time, to_time;
} SomExplorerJoin;

const SomExplorerJoin *som_explorer_joins(const SomExplorer *explorer, int *count);
// Where the branch that was joined was merged itself, the one that goes on.
SomExplorerJoin som_explorer_resolve(const SomExplorer *explorer, SomExplorerJoin join);

// False if sensors were read whose values are not all known, or too many at once.
bool som_explorer_is_exact(const SomExplorer *explorer);

// Whether conditions of the graph read sensors at all.
bool som_explorer_has_sensors(const SomExplorer *explorer);

// "'foot' touches at 1.2 s and 'hand' touches at 2 s": what is not as assumed; nothing of the first
// branch. The design may be NULL (behaviors/sensor_values.h).
void som_explorer_print(const SomExplorer *explorer, const SomConfiguration *design, int branch,
                        SomText *out);

#ifdef __cplusplus
}
#endif
