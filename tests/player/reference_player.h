// tests/player/reference_player.h - the semantics of docs/semantics.md once more, written for
// reading instead of for speed: recursive, one field a node, no lists.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"

#define REFERENCE_MOST 512
#define REFERENCE_MOST_EVENTS 4096

typedef struct Reference {
    const SomActionGraph *graph;
    const SomSenses *senses;
    bool runs[REFERENCE_MOST];  // the node has started and not ended
    bool ended[REFERENCE_MOST]; // the action was found to have ended in this tick
    double start[REFERENCE_MOST], end[REFERENCE_MOST], target[REFERENCE_MOST];
    int passes[REFERENCE_MOST];
    SomEndReason reason[REFERENCE_MOST];
    SomSetPoint points[16];
    uint8_t docks[16];
    int32_t owner[32];
    SomPlayerEvent events[REFERENCE_MOST_EVENTS];
    int event_count;
    double time;
    bool has_begun, is_done;
} Reference;

void reference_init(Reference *r, const SomActionGraph *graph);
void reference_tick(Reference *r, double time, const SomSenses *senses);
bool reference_has_conflict(const Reference *r);

// NULL if a player that has played the same ticks shows the same, else what differs.
const char *reference_difference(Reference *r, const SomPlayer *player);
