// player/player_internal.h - the state of a player, shared by player.c, player_flow.c and
// player_command.c.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"

// What became of an action that ran when the tick began.
typedef enum Fate {
    FATE_RUNS,
    FATE_ENDED, // its parent does not know yet
    FATE_GONE,
} Fate;

struct SomPlayer {
    const SomActionGraph *graph;
    const SomSenses *senses; // of this tick
    // by node
    double *start;
    double *end;
    double *target;
    int32_t *counter; // of a parallel: children that run; of a repetition: passes completed
    uint8_t *reason;
    // actions that run, in the order of the graph; each list has room for all
    int32_t *active;
    int32_t *merged; // the next `active`
    int32_t *fresh;  // started in this tick, in the order of the graph
    int32_t *skip;   // by place in active: the next that a cancellation has to look at
    uint8_t *fate;   // by place in active
    int32_t active_count;
    int32_t fresh_count;
    int32_t action_nodes; // room of these lists
    // by DoF, then by dock where it says resource
    SomSetPoint *points;
    SomSetPoint *halted; // what the host sees in a pause
    int32_t *owner;      // by resource: the node that commanded it last
    int32_t *first_on;   // by resource: scratch of the search for conflicts
    uint8_t *docks;      // SomDockCommand
    uint8_t *halted_docks;
    SomPlayerEvent *events;
    int32_t event_count;
    int32_t most_events;
    int32_t lost_events;
    double time;
    double carry; // what rounding has left out of time
    SomPlayerConflict conflict;
    SomPlayerStatus status;
    bool is_halted;  // the halted set-points are what the host sees
    bool is_changed; // something started or ended in this tick
    bool is_passing; // the conflict is one with a hold, which is over with this tick
};

// player_condition.c: `node` gives elapsed time and error their meaning.
bool som_player_holds(const SomPlayer *p, int32_t condition, int32_t node);

// player_command.c
void som_player_begin_action(SomPlayer *p, int32_t node);
void som_player_end_action(SomPlayer *p, int32_t node, SomEndReason reason);
void som_player_follow(SomPlayer *p, int32_t node); // sets the point for this time
SomSetPoint som_player_halted_point(const SomPlayer *p, int32_t dof);
SomEndReason som_player_test(const SomPlayer *p, int32_t node); // NOT_YET: it goes on
void som_player_find_conflict(SomPlayer *p);

// player_flow.c: both return whether the root has ended.
bool som_player_start_root(SomPlayer *p);
bool som_player_propagate(SomPlayer *p, int32_t node);
