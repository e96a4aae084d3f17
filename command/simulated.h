// command/simulated.h - a run under physics as the verbs make it: to its end, with its progress
// shown, and beside it what kinematics predicts.
//
//     SomSimulated made = {.command = command, .run = {.design = design, .posture = &posture,
//                          .graph = graph, .engine = SOM_ENGINE_MUJOCO}};
//     if (som_simulated_play(&made)) {
//         made.run.result->outcome ...
//         som_simulated_compare(&made);
//         som_comparison_print(made.report.comparison, &command->out);
//         som_simulated_save_page(&made, SOM_STR("walk"), "walk.html");
//     }
//     som_simulated_free(&made);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"
#include "report/film.h"
#include "report/physics_report.h"

typedef struct SomSimulated {
    SomCommand *command;
    SomPhysicsRun run;
    bool is_filmed; // pictures may be saved
    SomFilm film;
    double seconds; // of the processor
    SomPhysicsReport report;
} SomSimulated;

// To its end; shows how far it is to people who watch. False after a report; to be freed either
// way.
bool som_simulated_play(SomSimulated *made);
void som_simulated_free(SomSimulated *made);

// Predicts, verifies and compares.
void som_simulated_compare(SomSimulated *made);

// Pictures along a run that was filmed (report/film.h). False after a report.
bool som_simulated_save_pictures(const SomSimulated *made, const char *path);

// The comparison as a page. False after a report.
bool som_simulated_save_page(const SomSimulated *made, SomStr behavior, const char *path);
