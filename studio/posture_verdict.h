// studio/posture_verdict.h - what verification says of a design in the posture that is shown.
//
//     const SomPostureVerdict *verdict = som_project_verdict(project);
//     if (verdict->is_known && verdict->is_balanced) { ... verdict->margin ... }
//     for (int i = 0; i < verdict->collision_count; i++) { ... verdict->collisions[i].module_a ...
//     } gtk_label_set_text(label, verdict->summary.data);
//
// Found by studio/checker.h some milliseconds after a change. Until then the last one stays, with
// `is_current` false; its modules are those of the model that is shown.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/vec3.h"
#include "verify/verify.h"

// Two modules that overlap, or one with itself.
typedef struct SomVerdictCollision {
    int module_a, module_b;
    double depth; // metres
} SomVerdictCollision;

typedef struct SomPostureVerdict {
    bool is_known;        // something was verified; false of a design without modules
    bool is_of_model;     // its findings are of the model that is shown
    bool is_current;      // of text and posture as they are; else a newer one is on its way
    bool is_balanced;     // it stands, as it is; of several pieces, the one that stands worst
    bool is_fixed;        // to the world, as all pieces are
    double margin;        // metres, negative: it tips over; NAN: it stands on nothing
    double drop;          // metres by which it sinks, as it is shown, until it stands; NAN likewise
    SomVec3 center;       // of mass, in the world
    SomVec3 below_center; // where gravity meets the plane of the support
    SomVec3 *support;     // polygon of what touches the ground, in order, seen from above, as shown
    int support_count;    // 0: nothing touches; 1 a point, 2 a line
    SomVec3 edge[2];      // of the polygon, nearest to the centre of mass: it tips over there
    SomVerdictCollision *collisions;
    int collision_count;
    SomSeverity severity;         // SOM_NOTE: all was checked and is well
    const SomVerification *found; // all findings; NULL if nothing is known
    SomText summary;              // "stable, margin 43 mm, no collision"; never empty
} SomPostureVerdict;

// Of nothing, and of a posture: one value a DoF. To be freed.
SomPostureVerdict som_posture_verdict_none(void);
SomPostureVerdict som_posture_verdict_find(const SomMechanism *mechanism,
                                           const SomVerifyOptions *options, const double *values);
void som_posture_verdict_free(SomPostureVerdict *verdict); // leaves it all zero

// The module that a subject of a finding is or belongs to: head, head.tilt, head.B. -1: none.
int som_posture_verdict_module_of(const SomConfiguration *design, SomStr subject);
