// report/comparison_internal.h - the two halves of a comparison: report/comparison.c measures,
// report/parting.c says where the two part.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/comparison.h"

// Fills in the partings of a comparison that has been measured.
void som_comparison_find_partings(SomComparison *comparison);
