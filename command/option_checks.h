// command/option_checks.h - whether the options that were given make sense, by the rows of the
// verb's table: values, ranges, repetitions, contradictions, outputs.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/command.h"

// Reports wrong usage on standard error. If there is none, reports outputs that cannot be written
// to the diagnostics, so that no work is done in vain.
void som_command_check_options(SomCommand *command);

// Whether an output ends in one of the endings, which blanks separate; reports wrong usage.
bool som_command_check_ending(SomCommand *command, const char *option, SomStr path, SomStr endings);
