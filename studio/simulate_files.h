// studio/simulate_files.h - what can be done with runs: started, stopped, taken to Gazebo, saved as
// pictures and as a page. The actions of it are som_simulate_actions (studio/window_actions.h).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/simulate_job.h"
#include "studio/window.h"

// Runs a job in a thread, with a dialog that says how far it is and can cancel it, and tells what
// came of it. Takes the job.
void som_record_job_start(SomWindow *window, SomRecordJob *job);

// ---- simulate_gazebo.c

// Whether a program that opens worlds is on the PATH, and a simulator for it is installed.
bool som_gazebo_is_there(void);

// Exports design and behavior to a folder for the time being, and starts Gazebo there.
void som_gazebo_open(SomWindow *window);
// Asks for a folder, and exports there.
void som_gazebo_export(SomWindow *window);
