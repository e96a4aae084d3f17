// report/comparison.h - one behavior as kinematics predicts it and as physics plays it: when each
// action ends, how far joints are from where they should be, touches and falls; and where the two
// part, and why.
//
//     SomComparison *c = som_comparison_create(&(SomComparisonDef){
//         .mechanism = mechanism, .graph = graph, .prediction = &prediction,
//         .simulated = som_simulation_result(simulation), .found = verification});
//     som_comparison_print(c, &text);            // or som_comparison_write: JSON
//     som_comparison_destroy(c);
//
// The k-th run of an action is compared with its k-th run in the prediction. A joint is compared at
// the same stage of the behavior, as long after the beginning of its action: what comes later
// because something before it took longer is not wrong for that.
//
// Ownership: borrows all of the definition until it is destroyed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_writer.h"
#include "behaviors/prediction.h"
#include "compose/mechanism.h"
#include "simulate/simulation.h"
#include "verify/finding.h"

#ifdef __cplusplus
extern "C" {
#endif

// Less is no difference.
#define SOM_COMPARED_ANGLE 0.035  // radian, of a joint: 2 degrees
#define SOM_COMPARED_LENGTH 0.002 // metre
#define SOM_COMPARED_TIME 0.05    // second, of what an action takes
#define SOM_COMPARED_EFFORT 0.98  // of its limit: at its limit

typedef struct SomComparisonDef {
    const SomMechanism *mechanism;
    const SomActionGraph *graph;
    const SomPrediction *prediction;
    const SomSimulationResult *simulated;
    const SomVerification *found; // what the verifier says of the prediction; NULL: not asked
    SomEngineKind engine;
} SomComparisonDef;

// One run of an action. What never was is NAN, and SOM_END_NOT_YET.
typedef struct SomRun {
    double start, end;
    SomEndReason reason;
} SomRun;

typedef struct SomComparedAction {
    int32_t node;
    SomRun predicted, simulated;
    int next; // run of the same node; -1
} SomComparedAction;

typedef struct SomComparedDof {
    double worst;      // simulated less predicted where that is most; radian or metre
    double worst_time; // simulated
    double mean;       // root of the mean square
    double way;        // from the lowest to the highest predicted value
    double limit;      // of its effort; 0: not given
    double most_effort;
    double time_at_limit; // seconds
} SomComparedDof;

typedef enum SomPartingKind {
    SOM_PARTING_MISSING,  // an action that did not begin or end
    SOM_PARTING_REASON,   // it ended for another reason
    SOM_PARTING_DURATION, // it took longer, or shorter
    SOM_PARTING_TRACKING, // a joint is not where it should be
    SOM_PARTING_CONTACT,
    SOM_PARTING_FALL,
    SOM_PARTING_DIVERGED,
} SomPartingKind;

// A place where physics leaves the prediction.
typedef struct SomParting {
    SomPartingKind kind;
    double time;      // simulated
    double predicted; // time; NAN: not predicted
    SomStr subject;   // path of a DoF, an action's words; may be empty
    SomStr message;
} SomParting;

// More partings are counted, not kept.
#define SOM_MAX_PARTINGS 200

// An action of a DoF begins: then in the simulation, and then as predicted.
typedef struct SomStage {
    int dof;
    double simulated, predicted;
} SomStage;

typedef struct SomComparison {
    SomComparisonDef def;
    SOM_ARRAY(SomComparedAction) actions; // as predicted, then those that were not
    int as_predicted;                     // actions that ended in both for the same reason
    SomComparedDof *dofs;
    int worst_dof;                  // the farthest of all from its prediction; -1: none moves
    SOM_ARRAY(SomParting) partings; // by time
    int unkept;                     // partings beyond SOM_MAX_PARTINGS
    double fall, warned_fall;       // seconds; NAN: none
    double contact, warned_contact; // the first of parts of the robot
    SOM_ARRAY(SomStage) stages;     // by DoF, then by time
    int *first_stage;               // one a DoF, and the end
    SomArena arena;
} SomComparison;

SomComparison *som_comparison_create(const SomComparisonDef *def);
void som_comparison_destroy(SomComparison *comparison); // NULL is allowed

// The time in the prediction of the stage that a DoF has reached.
double som_comparison_stage(const SomComparison *comparison, int dof, double time);
// The DoF that an action moves; -1: none.
int som_comparison_dof(const SomComparison *comparison, int32_t node);
// A predicted value at a predicted time.
double som_comparison_predicted(const SomComparison *comparison, int dof, double time);

const char *som_parting_word(SomPartingKind kind); // "tracking"
SomDimensionName som_comparison_dimension(const SomComparison *comparison, int dof);

// For people; for programs, members of an object that is open.
void som_comparison_print(const SomComparison *comparison, SomText *out);
void som_comparison_write(const SomComparison *comparison, SomJsonWriter *json);

#ifdef __cplusplus
}
#endif
