// compose/value.h - expressions of designs: numbers with units, and conditions.
//
//     SomEvaluator evaluator = {.tree = tree, .diags = diags, .find = find, .context = scope};
//     SomValue n = som_value_evaluate(&evaluator, expression);
//     if (n.kind == SOM_VALUE_QUANTITY) { ... n.number, n.dimension ... }
//
// Values are in metres, kilograms, seconds and radians, with their dimension: an angle and a time
// cannot be added, which is reported at the operator with both. Conditions are true or false and no
// numbers. Functions are those of compose/functions.inc. Results have the same bits on every
// machine.
//
// What cannot be computed is reported once for each place, however often it is evaluated, and gives
// SOM_VALUE_NONE, about which nothing more is said.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/reported.h"
#include "language/som_syntax.h"
#include "language/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomValueKind { SOM_VALUE_NONE, SOM_VALUE_TRUTH, SOM_VALUE_QUANTITY } SomValueKind;

typedef struct SomValue {
    SomValueKind kind;
    double number; // of a truth 0 or 1
    SomDimension dimension;
} SomValue;

static inline SomValue som_value_quantity(double number, SomDimension dimension) {
    SomValue value = {SOM_VALUE_QUANTITY, number, dimension};
    return value;
}

static inline SomValue som_value_number(double number) {
    SomValue value = {SOM_VALUE_QUANTITY, number, {0, 0, 0, 0}};
    return value;
}

static inline SomValue som_value_truth(bool truth) {
    SomValue value = {SOM_VALUE_TRUTH, truth ? 1.0 : 0.0, {0, 0, 0, 0}};
    return value;
}

typedef struct SomEvaluator {
    const SomSyntax *tree;
    SomDiagnostics *diags;
    SomReportedPlaces *reported;
    // Gives the value of a name that stands alone, at `node`. False if there is none of this name;
    // SOM_VALUE_NONE if there is, but something is wrong with it that was reported.
    bool (*find)(void *context, SomStr name, SomNode node, SomValue *value);
    // For hints: names that can be found, at most max. May be NULL.
    int (*list)(void *context, SomStr *names, int max);
    void *context;
    int64_t *steps_left; // taken from with every node; at 0 all is SOM_VALUE_NONE
} SomEvaluator;

SomValue som_value_evaluate(const SomEvaluator *evaluator, SomNode expression);

// Checks that a value is of a dimension, and reports at `node` if not: "expected a length, found a
// number without unit". False after a report, and for SOM_VALUE_NONE.
bool som_value_is(const SomEvaluator *evaluator, SomValue value, SomDimension dimension,
                  SomNode node, double *number);

// The same for whole numbers from `low` to `high`.
bool som_value_is_whole(const SomEvaluator *evaluator, SomValue value, SomNode node, int low,
                        int high, int *whole);

bool som_value_is_truth(const SomEvaluator *evaluator, SomValue value, SomNode node, bool *truth);

bool som_value_equal(SomValue a, SomValue b);
void som_value_print(SomValue value, SomText *out); // "45deg", "3", "true"

// Reports once for each place.
__attribute__((format(printf, 4, 5))) bool som_value_report(const SomEvaluator *evaluator,
                                                            SomCode code, SomSpan span,
                                                            const char *format, ...);

#ifdef __cplusplus
}
#endif
