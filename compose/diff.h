// compose/diff.h - what changed from one design to another, as parts and connections.
//
//     SomDiff *diff = som_diff_create(old, new);
//     for (int i = 0; i < diff->change_count; i++) {
//         const SomChange *change = &diff->changes[i]; // added part 'arm': Chain3
//     }
//     som_diff_destroy(diff);
//
// Parts are compared by their paths, connections by the two connectors they join. Of parts that
// were added or removed with all that is in them, only the outermost is told. If the designs have
// the same connective structure although names differ, that is told, too.
//
// Ownership: texts are owned by the diff; indices are of the two designs.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomChangeKind {
    SOM_CHANGE_ADDED,
    SOM_CHANGE_REMOVED,
    SOM_CHANGE_CHANGED
} SomChangeKind;

typedef enum SomChangeSubject {
    SOM_CHANGE_PART,
    SOM_CHANGE_CONNECTION,
    SOM_CHANGE_POSE,
    SOM_CHANGE_START, // a DoF starts elsewhere
    SOM_CHANGE_BASE,
} SomChangeSubject;

typedef struct SomChange {
    SomChangeKind kind;
    SomChangeSubject subject;
    SomStr name;   // path of the part, pose or DoF; "head.B to middle.T"
    SomStr before; // "Chain3", "at 90deg", "30deg"; empty if added
    SomStr after;  // empty if removed
    int old_index; // -1 if added
    int new_index; // -1 if removed
} SomChange;

typedef struct SomDiff {
    const SomChange *changes; // by subject, then as the designs have them, removed ones first
    int change_count;
    bool is_same_structure;
    SomArena arena;
} SomDiff;

SomDiff *som_diff_create(const SomConfiguration *before, const SomConfiguration *after);
void som_diff_destroy(SomDiff *diff); // NULL is allowed

const char *som_change_kind_word(SomChangeKind kind);          // "added"
const char *som_change_subject_word(SomChangeSubject subject); // "part"

#ifdef __cplusplus
}
#endif
