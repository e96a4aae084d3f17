// studio/motion_panel.h - the page "Timeline": the motion of the behavior that is worked on, played
// in the view, with its actions, findings and curves.
//
//     GtkWidget *panel = som_motion_panel_new(desk, view);
//     som_motion_panel_set_shown(SOM_MOTION_PANEL(panel), true);  // its mode is the one shown
//     g_signal_connect(panel, "marked", G_CALLBACK(on_marked), source);
//     som_playhead_toggle(som_motion_panel_head(SOM_MOTION_PANEL(panel)));
//
// While it is shown the view has the robot as it is at the playhead's time; the posture is seen
// again when joints are moved, until the playhead is.
// Choosing a finding goes to its worst moment, lets its modules glow and marks its blocks; signal
// "marked" tells that there are other places in the text to mark, "changed" that there is another
// motion, or it is stale.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/motion_live.h"
#include "studio/timeline.h"
#include "studio/view.h"

#define SOM_TYPE_MOTION_PANEL (som_motion_panel_get_type())
G_DECLARE_FINAL_TYPE(SomMotionPanel, som_motion_panel, SOM, MOTION_PANEL, GtkBox)

// All must outlive it.
GtkWidget *som_motion_panel_new(SomDesk *desk, SomView *view);

void som_motion_panel_set_shown(SomMotionPanel *panel, bool is_shown);

SomPlayhead *som_motion_panel_head(SomMotionPanel *panel);
SomTimeline *som_motion_panel_timeline(SomMotionPanel *panel);
const SomMotionLive *som_motion_panel_live(SomMotionPanel *panel);
// The motion that is shown, if it is of what the text says; else NULL.
SomMotionRecord *som_motion_panel_record(SomMotionPanel *panel);

// Whether there is something to play.
bool som_motion_panel_can_play(SomMotionPanel *panel);

// A band of the timeline; -1: none.
void som_motion_panel_choose_finding(SomMotionPanel *panel, int band);
void som_motion_panel_step_finding(SomMotionPanel *panel, int direction); // 1: the next, -1

// Places in the text that the chosen finding is about; valid until the next one is chosen.
const SomSpan *som_motion_panel_marked(SomMotionPanel *panel, int *count);

// What is said beside the buttons.
const char *som_motion_panel_words(SomMotionPanel *panel);
