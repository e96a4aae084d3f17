// benchmarks/verify_walkbot.h - a user at work: the Walkbot's walk verified whole, and again from
// its text after an edit. Rows name the checks that took part.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/bench.h"

void som_verify_walkbot(SomBench *bench);
