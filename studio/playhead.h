// studio/playhead.h - the moment of a motion that is shown, and how it goes on.
//
//     SomPlayhead *head = som_playhead_create();
//     som_playhead_listen(head, on_head, panel);     // SOM_PLAYHEAD_TIME: show the robot as it is
//     then som_playhead_set_duration(head, 4.5); som_playhead_play(head);
//     som_playhead_advance(head, 1 / 60.0);          // for every frame; studio/transport.h does it
//     som_playhead_seek(head, 1.2);                  // goes on playing from there, if it plays
//     som_playhead_destroy(head);
//
// Time goes from 0 to the duration. At the end it stops, or begins anew if it loops. Nothing here
// knows of GTK or of clocks: time is an input.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

typedef struct SomPlayhead SomPlayhead;

typedef enum SomPlayheadChange {
    SOM_PLAYHEAD_TIME = 1,
    SOM_PLAYHEAD_STATE = 2, // whether it plays or loops, its speed or its duration
} SomPlayheadChange;

#define SOM_PLAYHEAD_SLOWEST 0.1
#define SOM_PLAYHEAD_FASTEST 10.0

typedef void (*SomPlayheadListener)(void *context, unsigned changes);

SomPlayhead *som_playhead_create(void);       // at 0 of no duration, at speed 1
void som_playhead_destroy(SomPlayhead *head); // NULL is allowed

// As som_project_listen. Only what is another than before is told.
void som_playhead_listen(SomPlayhead *head, SomPlayheadListener listener, void *context);
void som_playhead_unlisten(SomPlayhead *head, SomPlayheadListener listener, void *context);

// Seconds; less than 0 or not finite: 0. The time is cut to it, and what has no duration stops.
void som_playhead_set_duration(SomPlayhead *head, double seconds);
void som_playhead_seek(SomPlayhead *head, double time); // cut to 0 and the duration
void som_playhead_play(
    SomPlayhead *head); // from the beginning if it is at the end; not if there is nothing
void som_playhead_pause(SomPlayhead *head);
void som_playhead_toggle(SomPlayhead *head);
void som_playhead_set_speed(SomPlayhead *head, double speed); // cut to the slowest and the fastest
void som_playhead_set_loop(SomPlayhead *head, bool loops);

// Seconds of the wall went by. False if it does not play any more.
bool som_playhead_advance(SomPlayhead *head, double seconds);

double som_playhead_time(const SomPlayhead *head);
double som_playhead_duration(const SomPlayhead *head);
double som_playhead_speed(const SomPlayhead *head);
bool som_playhead_is_playing(const SomPlayhead *head);
bool som_playhead_loops(const SomPlayhead *head);
