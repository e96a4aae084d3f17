// command/sarif_file.h - the file of --sarif, which verbs with findings or diagnostics alone share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/verify_jobs.h"

#define SOM_OPTION_SARIF                                                                           \
    {                                                                                              \
        .name = "sarif", .value = "OUT",                                                           \
        .help = "a log in SARIF 2.1.0, for code review and editors", .kind = SOM_TAKES_OUTPUT,     \
        .endings = ".sarif .json"                                                                  \
    }

// Writes what was reported so far, and found by `jobs` (NULL: none), if the option was given.
void som_command_save_sarif(SomCommand *command, const SomVerifyJobs *jobs);
