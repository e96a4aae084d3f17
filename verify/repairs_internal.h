// verify/repairs_internal.h - changes of a design after which it does not fall.
//
//     struct SomRepairs *repairs = som_repairs_create(&def);
//     SomRepair repair;
//     if (som_repairs_find(repairs, input, run, finding, &repair)) som_repair_print(...);
//     som_repairs_destroy(repairs);
//
// A change is a repair only if the changed design was verified: the fall is gone, there is no
// finding that was not there before, and no more is left unchecked. Changes are looked for in
// stability_repair.c (joints) and roll_repair.c (rolls of connections), where the motion is
// followed with the change in all samples; repairs.c verifies what remains, with the behavior
// played again.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/connection_rolls.h"
#include "verify/stability.h"
#include "verify/verify.h"

#define SOM_REPAIR_ROLLS 2 // connections that are rolled at once

typedef struct SomRepair {
    int dof;       // -1: rolls of connections
    bool is_up;    // its values are kept at or above the bound, else at or below it
    double bound;  // radians or metres
    double change; // of a joint that is not commanded: from its start value; else 0
    int roll_count;
    SomRollChange rolls[SOM_REPAIR_ROLLS];
} SomRepair;

// Of a run of the input's motion that is reported in the finding.
typedef struct SomFall {
    const SomVerifyInput *input;
    const SomMotionSamples *motion;
    const SomUnsteadyRun *run;
    const SomFinding *finding;
} SomFall;

// What the repairs of one verification share: the work that is left for them, above all.
typedef struct SomRepairs {
    const SomVerifyDef *def;
    SomVerification *before; // without any change; NULL until it is needed
    int falls, proofs;       // that are still looked at
} SomRepairs;

// The definition is borrowed. NULL if it asks for no repairs.
SomRepairs *som_repairs_create(const SomVerifyDef *def);
void som_repairs_destroy(SomRepairs *repairs); // NULL is allowed

// Repairs may be NULL. False: none is known.
bool som_repairs_find(SomRepairs *repairs, const SomFall *fall, SomRepair *repair);

// Whether the design with the change, verified, has the finding no more and nothing new. Repairs
// may be NULL: no.
bool som_repairs_prove(SomRepairs *repairs, const SomFinding *finding, const SomRepair *repair);

// "keep 'a.bend' at or below 71 deg", "raise 'a.bend' by 3 deg",
// "connect 'a.B' to 'b.T' at 90 deg".
void som_repair_print(const SomVerifyInput *input, const SomRepair *repair, SomText *out);

// Whether a robot stands in the samples of the run, in a motion that it begins to follow, or that
// it was followed through up to a sample.
bool som_repair_holds(SomStanding *standing, const SomMotionSamples *motion, const SomFall *fall,
                      int first);

// The smallest change of a joint, and rolls, that are proved.
bool som_repair_joints(SomRepairs *repairs, const SomFall *fall, SomRepair *repair);
bool som_repair_rolls(SomRepairs *repairs, const SomFall *fall, SomRepair *repair);
