// studio/timeline_actions.h - actions on a timeline, of a motion that is predicted as of one that
// was simulated: how they ended, and what their rows say.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"
#include "studio/timeline_data.h"

SomTimelineEnd som_timeline_end_of(SomEndReason reason);

// Without the part that the row around it is of already: "head.bend to 0deg" of
// "front_left.head.bend to 0deg" in "front_left.step".
SomStr som_timeline_shorten(SomStr words, SomStr around);
