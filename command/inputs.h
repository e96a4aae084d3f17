// command/inputs.h - sources of inputs on the command line: --input light=0.4, and how they are
// printed for programs.
//
//     SomInputSettings *settings;
//     if (som_command_inputs(command, &settings)) {
//         ... compile with .inputs = settings ...
//         som_command_find_inputs(command, design);
//         som_command_check_inputs(command);
//     }

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/compile.h"
#include "command/design.h"

#define SOM_OPTION_INPUT                                                                           \
    {                                                                                              \
        .name = "input", .value = "NAME=SOURCE",                                                   \
        .help = "what an input is: 0.4, 20deg, 0..1, '[0s: 0, 1s: 1]' or FILE.csv",                \
        .is_repeated = true                                                                        \
    }

// Those of --input. False after a report.
bool som_command_inputs(SomCommand *command, SomInputSettings **settings);

// Names that the design declares are known from now on, as are those that a behavior reads which
// was compiled.
void som_command_find_inputs(SomCommand *command, const SomConfiguration *design);

// In the end: false after a report of names that are not known.
bool som_command_check_inputs(SomCommand *command);

// The member "inputs" of the open object: those that the behavior reads, with their sources. The
// graph may be NULL.
void som_command_write_inputs(SomCommand *command, const SomActionGraph *graph);
