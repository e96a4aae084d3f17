// behaviors/explorer_internal.h - how a prediction plays one branch of an explorer.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/explorer.h"

typedef struct SomExploredRun SomExploredRun;

// The player is that of the run, and ready.
SomExploredRun *som_explored_run_create(SomExplorer *explorer, int branch, const SomPlayer *player);
void som_explored_run_destroy(SomExploredRun *run); // NULL is allowed

// som_player_step with what sensors are in this branch. `rest` is the state of all but the player;
// positions of the player count from the origins (player/fingerprint.h).
SomPlayerStatus som_explored_run_step(SomExploredRun *run, SomPlayer *player, double dt,
                                      const SomSenses *senses, uint64_t rest,
                                      const double *origins);

// Whether the state after the last step was reached before: in a branch at a time.
bool som_explored_run_returns(const SomExploredRun *run, int *branch, double *time);
