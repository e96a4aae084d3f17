// benchmarks/verify_instructions.h - instructions a sample, which no other work on the machine can
// move: this program runs itself in callgrind for two lengths, and the difference counts.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/verify_workload.h"

// Of kinematics, collision and stability of 18 modules, the gait that takes more; NAN if there is
// no valgrind.
double som_verify_instructions(bool is_colliding);

// True if this is the run to be counted, which is then done.
bool som_verify_run_counted(void);

// Does so many samples, all of it; how many pairs were found.
double som_verify_run_samples(const SomVerifyWorkload *workload, int samples);
