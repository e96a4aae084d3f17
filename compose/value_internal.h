// compose/value_internal.h - what the files of expressions share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/value.h"

#define SOM_MAX_CALL_ARGUMENTS 64

// The function of this name, -1 after a report.
int som_value_find_function(const SomEvaluator *evaluator, SomNode name);

// A call of a function with evaluated arguments, none of which is SOM_VALUE_NONE. `nodes` are their
// expressions.
SomValue som_value_call(const SomEvaluator *evaluator, SomNode call, int function,
                        const SomValue *arguments, const SomNode *nodes, int count);

// A number if it is finite, else a report at the place.
SomValue som_value_finite(const SomEvaluator *evaluator, double number, SomDimension dimension,
                          SomSpan span);
