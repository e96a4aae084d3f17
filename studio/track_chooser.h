// studio/track_chooser.h - the button of a timeline that says which of its tracks are shown: a list
// with a search.
//
//     GtkWidget *chooser = som_track_chooser_new(timeline);
//     som_track_chooser_set(chooser, timeline);     // after it has new tracks

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/timeline.h"

GtkWidget *som_track_chooser_new(SomTimeline *timeline);
void som_track_chooser_set(GtkWidget *chooser, SomTimeline *timeline);
