// studio/verdict.h - what verification says of a design in the posture that is shown.
//
//     const SomVerdict *verdict = som_project_verdict(project);
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

// Two modules that overlap; of a pair the first is the one with the smaller index.
typedef struct SomVerdictCollision {
    int module_a, module_b;
    double depth; // metres
} SomVerdictCollision;

typedef struct SomVerdict {
    bool is_known;           // something was verified; false of a design without modules
    bool is_current;         // of text and posture as they are; else a newer one is on its way
    bool is_balanced;        // it stands, as it is
    double margin;           // metres, negative: it tips over; NAN: it stands on nothing
    SomVec3 center;          // of mass, in the world
    SomVec3 ground;          // below it, seen along gravity, in the plane of the support
    SomVec3 *support;        // polygon of what touches the ground, in order, seen from above
    int support_count;       // 0: nothing touches; 1 a point, 2 a line
    SomVec3 support_edge[2]; // of the polygon, nearest to the centre of mass: where it tips over
    SomVerdictCollision *collisions;
    int collision_count;
    SomSeverity severity;         // SOM_NOTE: all is well
    const SomVerification *found; // all findings; NULL if nothing is known
    SomText summary;              // "stable, margin 43 mm, no collision"; never empty
} SomVerdict;
