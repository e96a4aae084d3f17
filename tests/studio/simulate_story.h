// tests/studio/simulate_story.h - runs under physics as a user starts them.
//
//     SomSession *session = som_simulate_enter(window);
//     som_simulate_quickly(window, SOM_PHYSICS_PREVIEW);
//     som_simulate_run(window);
//     ... som_session_record(session, 0) ...

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/simulate_live.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"

// In the mode of simulation.
SomSession *som_simulate_enter(SomWindow *window);

// As fast as it can, in this engine.
void som_simulate_quickly(SomWindow *window, SomPhysicsEngines engines);

// Runs what is chosen, to the end.
void som_simulate_run(SomWindow *window);

// Types over what an entry has; chooses an item of a list by keys.
void som_simulate_type(SomWindow *window, GtkWidget *entry, const char *words);
void som_simulate_choose(SomWindow *window, const char *name, int position);
