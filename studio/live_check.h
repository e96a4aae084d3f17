// studio/live_check.h - verifies a project as it is edited, with answers in the main loop.
//
//     SomLiveCheck *check = som_live_check_start(project);
//     ...
//     som_live_check_stop(check); // before the project is destroyed
//
// Who wants to know listens to the project for SOM_PROJECT_VERDICT.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

typedef struct SomLiveCheck SomLiveCheck;

SomLiveCheck *som_live_check_start(SomProject *project);
void som_live_check_stop(SomLiveCheck *check); // NULL is allowed
