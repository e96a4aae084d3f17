// studio/motion_live.h - the motion of the behavior that a desk shows, kept up to date as it is
// edited, with answers in the main loop.
//
//     SomMotionLive *live = som_motion_live_create(desk);
//     som_motion_live_listen(live, on_motion, panel);
//     som_motion_live_want(live, true);                // while somebody looks
//     const SomMotionRecord *record = som_motion_live_record(live);
//     som_motion_live_destroy(live);                   // before the desk
//
// After a change the last motion stays, as a stale one, until there is the next.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/motion_record.h"

typedef struct SomMotionLive SomMotionLive;

typedef enum SomMotionChange {
    SOM_MOTION_RECORD = 1, // there is another one
    SOM_MOTION_STATE = 2,  // whether it is stale, or verified
} SomMotionChange;

SomMotionLive *som_motion_live_create(SomDesk *desk);
void som_motion_live_destroy(SomMotionLive *live); // NULL is allowed; never waits

// As som_project_listen.
void som_motion_live_listen(SomMotionLive *live, SomListener listener, void *context);
void som_motion_live_unlisten(SomMotionLive *live, SomListener listener, void *context);

// While nobody wants it nothing is computed, and what is being computed is ended.
void som_motion_live_want(SomMotionLive *live, bool is_wanted);

// The last one; NULL if there was none yet, or there is no behavior any more. Valid until the next
// SOM_MOTION_RECORD has been told.
const SomMotionRecord *som_motion_live_record(const SomMotionLive *live);
// It is not of what the text says now, or of another behavior.
bool som_motion_live_is_stale(const SomMotionLive *live);
// Something is being computed: the motion if it is stale, else what verification says of it.
bool som_motion_live_is_busy(const SomMotionLive *live);
