// player/player.h - plays a compiled behavior, tick by tick. The host says what is sensed and takes
// set-points; time is what the host says it is.
//
//     size_t size = som_player_size(&graph, 0);
//     SomPlayer *player = som_player_init(memory, size, &graph, 0, &fault);  // NULL: see fault
//     while (som_player_step(player, 0.01, &senses) == SOM_PLAYER_RUNNING) {
//         const SomSetPoint *points = som_player_set_points(player);         // one a DoF
//         ... move for 10 ms, fill in senses ...
//     }
//
// docs/semantics.md defines every tick. The player lives in memory the host gives, borrows the
// graph, and never allocates, prints or aborts; the work of a tick is proportional to the actions
// that run, start or end in it. Whatever the graph and the senses are, no access is out of bounds:
// som_player_init refuses a graph that som_graph_check does not pass.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the host senses at a tick. An array may be NULL: nothing is known then, its values are not
// numbers, and comparing them gives false. Arrays hold as many values as the graph has symbols.
typedef struct SomSenses {
    const double *positions; // one a DoF; radian or metre
    const double *speeds;    // one a DoF, signed
    const double *efforts;   // one a DoF; newton metre or newton
    const uint8_t *contacts; // one a contact; 0 or 1
    const double *inputs;    // one an input
    const uint8_t *docks;    // one a dock; SomDockState
    double height;           // of the body over ground, metre
    double tilt;             // of the body from upright, radian
    // not NULL: asked for efforts, contacts, inputs, height and tilt instead, when a condition
    // needs one. For hosts that try out what these may be
    double (*ask)(void *context, const SomInstruction *what);
    // not NULL: decides what a comparison of a condition results in; the outcome is as computed
    bool (*decide)(void *context, const SomInstruction *what, bool outcome);
    void *context;
} SomSenses;

typedef enum SomDockState {
    SOM_DOCK_OPEN,
    SOM_DOCK_CLOSED,
    SOM_DOCK_MOVING, // on the way from one to the other
} SomDockState;

typedef enum SomSetPointKind {
    SOM_SET_NOTHING, // never commanded: the host leaves the joint as it is
    SOM_SET_POSITION,
    SOM_SET_VELOCITY,
} SomSetPointKind;

typedef struct SomSetPoint {
    double value;     // radian or metre, or these per second
    double speed;     // of the way to a position; 0: as fast as the host likes
    double tolerance; // of a position: what counts as arrived
    uint8_t kind;     // SomSetPointKind
} SomSetPoint;

typedef enum SomDockCommand {
    SOM_DOCK_LEAVE, // as it is
    SOM_DOCK_CONNECT,
    SOM_DOCK_DISCONNECT,
} SomDockCommand;

typedef enum SomPlayerStatus {
    SOM_PLAYER_READY, // before the first tick
    SOM_PLAYER_RUNNING,
    SOM_PLAYER_PAUSED,
    SOM_PLAYER_COMPLETED,
    SOM_PLAYER_CANCELLED,
} SomPlayerStatus;

// Why an action ended.
typedef enum SomEndReason {
    SOM_END_NOT_YET,   // or it never started
    SOM_END_DONE,      // its condition held, it arrived, it was a hold
    SOM_END_DURATION,  // it lasted as long as it should
    SOM_END_TIMEOUT,   // its time-out ran out first
    SOM_END_CANCELLED, // another branch of `any` ended, or the host cancelled
    SOM_END_REASONS,
} SomEndReason;

const char *som_end_reason_word(SomEndReason reason); // "done"; "running" if not yet

typedef struct SomPlayerEvent {
    int32_t node;
    uint8_t is_end;
    uint8_t reason; // SomEndReason of an end
} SomPlayerEvent;

// The latest run of an action, or of a repetition.
typedef struct SomPlayerRun {
    double start;   // seconds after the first tick; not a number before it ever started
    double end;     // not a number while it runs
    double target;  // resolved set-point of an action
    int32_t passes; // of a repetition, completed
    SomEndReason reason;
} SomPlayerRun;

// Two running actions that command one DoF or dock differently.
typedef struct SomPlayerConflict {
    int32_t resource; // DoFs, then docks; SOM_NONE: there is no conflict
    int32_t first;    // nodes
    int32_t second;
} SomPlayerConflict;

typedef struct SomPlayer SomPlayer;

// Bytes of memory a player of this graph needs. `most_events` is how many events of one tick are
// kept, 0: two for each action and a few. 0 if the graph has negative or too large counts.
size_t som_player_size(const SomActionGraph *graph, int32_t most_events);

// `memory` is aligned for double. NULL and *fault (may be NULL) if the graph does not pass or the
// memory does not do. The graph stays borrowed and must not change.
SomPlayer *som_player_init(void *memory, size_t size, const SomActionGraph *graph,
                           int32_t most_events, SomGraphFault *fault);
void som_player_reset(SomPlayer *player); // ready again

// The longest tick, seconds. Sums of such ticks stay finite, so that no set-point can become NaN.
#define SOM_MAX_TICK 1e9

// The length of a tick as everything in player/ counts it: 0 if `dt` is negative or not finite, at
// most SOM_MAX_TICK.
double som_tick_length(double dt);

// One tick, `dt` seconds after the last one (the first starts the behavior, dt is not used). While
// paused nothing goes on, and time stands still.
SomPlayerStatus som_player_step(SomPlayer *player, double dt, const SomSenses *senses);

// One tick even while paused; stays paused, and holds again with the next som_player_step.
SomPlayerStatus som_player_single_step(SomPlayer *player, double dt, const SomSenses *senses);

// Halting: velocities are zero, positions are held where they are sensed (or at their set-point, if
// they have arrived), docks are left. A pause gives the set-points back when it ends.
void som_player_pause(SomPlayer *player, const SomSenses *senses);
void som_player_resume(SomPlayer *player);
void som_player_cancel(SomPlayer *player, const SomSenses *senses);

SomPlayerStatus som_player_status(const SomPlayer *player);
double som_player_time(const SomPlayer *player); // seconds since the first tick, without pauses
const SomSetPoint *som_player_set_points(const SomPlayer *player); // one a DoF
const uint8_t *som_player_dock_commands(const SomPlayer *player);  // SomDockCommand, one a dock

// Nodes of the actions that run, in the order of the graph; good until the next tick.
const int32_t *som_player_active(const SomPlayer *player, int32_t *count);

// What started and ended in the last tick, in the order in which it did. *lost (may be NULL) counts
// events for which there was no room.
const SomPlayerEvent *som_player_events(const SomPlayer *player, int32_t *count, int32_t *lost);

// The same as the other player, which is of the same graph, from now on: in memory of its own.
// False if the sizes differ.
bool som_player_copy(SomPlayer *player, const SomPlayer *from);

SomPlayerRun som_player_run(const SomPlayer *player, int32_t node);
SomPlayerConflict som_player_conflict(const SomPlayer *player); // at the last tick

#ifdef __cplusplus
}
#endif
