// tests/player/played.h - a player of a graph given as text, for tests of single facts.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph_text.h"
#include "player/player.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Played {
    SomActionGraph graph;
    void *graph_memory;
    void *memory;
    SomPlayer *player;
    double positions[8], speeds[8], efforts[8], inputs[2];
    uint8_t contacts[2], docks[2];
    SomSenses senses;
} Played;

// Two DoFs, two contacts, two inputs and two docks; `tree` is the rest of the text.
static inline void played_init(Played *p, const char *tree) {
    memset(p, 0, sizeof *p);
    size_t size = strlen(tree) + 400, needed;
    char *text = malloc(size);
    int length = snprintf(text, size,
                          "somite-graph 1 dof \"a\" dof \"b\" contact \"left\" contact \"right\" "
                          "input \"x\" input \"y\" dock \"k\" dock \"l\" %s",
                          tree);
    som_graph_text_read(text, (size_t)length, NULL, 0, &p->graph, &needed);
    p->graph_memory = malloc(needed + 8);
    SomGraphFault fault =
        som_graph_text_read(text, (size_t)length, p->graph_memory, needed, &p->graph, &needed);
    ck_assert_msg(fault.kind == SOM_GRAPH_FAULT_NONE, "%s: %s", tree,
                  som_graph_fault_words(fault.kind));
    free(text);
    size_t memory = som_player_size(&p->graph, 0);
    p->memory = malloc(memory);
    p->player = som_player_init(p->memory, memory, &p->graph, 0, &fault);
    ck_assert_ptr_nonnull(p->player);
    p->senses = (SomSenses){.positions = p->positions,
                            .speeds = p->speeds,
                            .efforts = p->efforts,
                            .contacts = p->contacts,
                            .inputs = p->inputs,
                            .docks = p->docks};
}

static inline void played_free(Played *p) {
    free(p->graph_memory);
    free(p->memory);
}

static inline SomPlayerStatus played_step(Played *p) {
    return som_player_step(p->player, 0.1, &p->senses);
}

static inline SomPlayerStatus played_steps(Played *p, int count) {
    SomPlayerStatus status = som_player_status(p->player);
    for (int i = 0; i < count; i++) {
        status = played_step(p);
    }
    return status;
}

// "+1 -1done +2": what started and ended in the last tick, by node.
static inline const char *played_events(const Played *p) {
    static const char *const reasons[] = {"", "done", "duration", "timeout", "cancelled"};
    static char text[512];
    int32_t count;
    size_t length = 0;
    const SomPlayerEvent *events = som_player_events(p->player, &count, NULL);
    text[0] = '\0';
    for (int i = 0; i < count && length < sizeof text; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%c%d%s",
                                   i > 0 ? " " : "", events[i].is_end ? '-' : '+', events[i].node,
                                   events[i].is_end ? reasons[events[i].reason] : "");
    }
    return text;
}
