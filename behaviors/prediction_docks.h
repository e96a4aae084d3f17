// behaviors/prediction_docks.h - the docks of a prediction: which are in reach, close, open, tear.
//
//     SomPredictedDocks *docks = som_predicted_docks_create(&def, diags);
//     som_predicted_docks_sense(docks, states);          // what the player is told
//     som_predicted_docks_move(docks, commands, positions, dt, time);
//     som_predicted_docks_explain(docks, node);          // an action that waited in vain
//     som_predicted_docks_destroy(docks);
//
// With a design, a dock closes if its connectors are near enough in the present posture and free;
// what it then holds, and what it lets go when it opens, is kept in compose/dock_states.h. Without
// one, partners are always in reach.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/prediction.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPredictedDocks SomPredictedDocks;

SomPredictedDocks *som_predicted_docks_create(const SomPredictionDef *def, SomDiagnostics *diags);
void som_predicted_docks_destroy(SomPredictedDocks *docks);

void som_predicted_docks_sense(const SomPredictedDocks *docks, uint8_t *states);

// What they do from now on (player/fingerprint.h).
uint64_t som_predicted_docks_fingerprint(const SomPredictedDocks *docks);

// One tick; `positions` of all DoF after it, `time` when it ends. Loops that are torn are reported.
void som_predicted_docks_move(SomPredictedDocks *docks, const uint8_t *commands,
                              const double *positions, double dt, double time);

// Reports why a dock has not closed, once for each.
void som_predicted_docks_explain(SomPredictedDocks *docks, int32_t node);

#ifdef __cplusplus
}
#endif
