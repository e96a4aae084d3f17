// studio/motion_record.h - a behavior of a design as it was predicted and verified. Never changes
// once it was made, so that all threads may read it.
//
//     if (som_motion_record_plays(record)) {
//         som_motion_record_place(record, 1.2, links);   // where all links are at 1.2 s
//         if (record->found != NULL) { ... record->found->findings ... }
//     } else { ... som_text_str(&record->scene->words) says why not ... }
//     som_motion_record_release(record);
//
// Counted: som_motion_record_hold for another holder; the last one who releases it destroys it. Of
// one request there are two, with the same scene: as soon as the motion is predicted, and when it
// is verified.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "compose/dock_states.h"
#include "studio/behavior_texts.h"
#include "studio/motion_data.h"

#include <stdatomic.h>

// Seconds, and numbers of all samples: what goes on for longer is cut there.
#define SOM_MOTION_MOST_TIME 120
#define SOM_MOTION_MOST_NUMBERS (4 * 1024 * 1024)

// The design, composed for this alone, and the motion.
typedef struct SomMotionScene {
    SomBehaviorTexts texts;
    SomComposition *composition;
    SomVerifyOptions options;
    SomMechanism *mechanism; // NULL: it did not compose
    SomActionGraph *graph;   // NULL: the behavior cannot be played, and nothing but words follows
    SomPrediction prediction;
    SomDiagnostics *reports; // of the prediction
    SomText words;           // why it cannot be played, in one line
    // where docks change: the design from then on
    SomDockStates **states;
    double *state_times;
    int state_count;
    atomic_int holders;
} SomMotionScene;

typedef struct SomMotionRecord {
    SomMotionScene *scene;        // held
    const SomVerification *found; // NULL: not verified yet
    SomMotionData *data;          // NULL if it cannot be played
    long number;                  // that was asked with
    atomic_int holders;
} SomMotionRecord;

// Takes the texts. Composes, compiles and predicts; what was stopped is as good as nothing.
SomMotionScene *som_motion_scene_create(SomBehaviorTexts *texts, const SomStop *stop);
SomMotionScene *som_motion_scene_hold(SomMotionScene *scene);
void som_motion_scene_release(SomMotionScene *scene); // NULL is allowed

// Verifies the motion; to be destroyed.
SomVerification *som_motion_scene_verify(const SomMotionScene *scene, const SomStop *stop);

// Takes `found`, which may be NULL.
SomMotionRecord *som_motion_record_create(SomMotionScene *scene, SomVerification *found,
                                          long number);
SomMotionRecord *som_motion_record_hold(SomMotionRecord *record);
void som_motion_record_release(SomMotionRecord *record); // NULL is allowed

bool som_motion_record_plays(const SomMotionRecord *record);
bool som_motion_record_is_cut(const SomMotionRecord *record); // it would go on
double som_motion_record_duration(const SomMotionRecord *record);

// World poses of all links at a time, on the ground at height 0.
void som_motion_record_place(const SomMotionRecord *record, double time, SomPose *links);
