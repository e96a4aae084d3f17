// studio/motion_tracks.h - the curves of a motion: of the body, of every joint and of what it
// holds. For studio/motion_data.c.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/motion_data.h"

typedef SOM_ARRAY(SomTimelineTrack) SomMotionTracks;

// Values are borrowed from the definition, and from the arena.
SomMotionTracks som_motion_tracks_make(const SomMotionDataDef *def, SomArena *arena);
