// tests/player/random_graph.h - random behaviors, for tests of everything that plays or checks
// them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"
#include "player/player.h"
#include "tests/suite.h"

typedef struct RandomGraphDef {
    int dofs;
    int docks;
    int contacts;
    int inputs;
    int most_actions;
    bool is_plain; // series, parallel and positions of two values only
} RandomGraphDef;

// A graph that passes; destroyed with som_action_graph_destroy.
SomActionGraph *random_graph(SomTestRandom *random, const RandomGraphDef *def);

bool random_graph_has_conflicts(const SomActionGraph *graph);

// Arrays of senses of one tick, and what points to them.
typedef struct RandomSenses {
    double positions[8], speeds[8], efforts[8], inputs[4];
    uint8_t contacts[4], docks[4];
    SomSenses senses;
} RandomSenses;

void random_senses(SomTestRandom *random, RandomSenses *senses);
