// player/fingerprint.h - states as numbers, to see whether one was there before.
//
//     uint64_t state = som_player_fingerprint(player);
//     state = som_fingerprint_add_number(state, servo.position);
//
// Values are rounded to 1e-9. Two states that differ by more have one number with a chance of
// 2^-64.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a player does from now on: two players of one graph for which it is equal go on in the same
// way if they sense the same, however long they have run. Positions count from the origins, one per
// DoF, as full turns that make no difference; NULL: from 0.
uint64_t som_player_fingerprint(const SomPlayer *player, const double *origins);

uint64_t som_fingerprint_add(uint64_t fingerprint, uint64_t word);
uint64_t som_fingerprint_add_number(uint64_t fingerprint, double value);

#ifdef __cplusplus
}
#endif
