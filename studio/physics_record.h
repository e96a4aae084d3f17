// studio/physics_record.h - what has become of a behavior in one physics engine: outcome, trace,
// prediction beside it. Never changes once it was made, so that all threads may read it.
//
//     if (record->has_run) {
//         som_outcome_word(record->run.result->outcome) ...
//         som_physics_record_place(record, 1.2, links);   // where all links were at 1.2 s
//     } else { ... som_text_str(&record->words) says why not ... }
//     som_physics_record_release(record);
//
// Counted: som_physics_record_hold for another holder; the last one who releases it destroys it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "report/film.h"
#include "report/physics_report.h"
#include "studio/behavior_texts.h"

#include <stdatomic.h>

// The design and the behavior, composed for physics alone; what records of one start share.
typedef struct SomPhysicsScene {
    SomBehaviorTexts texts;
    SomComposition *composition;
    SomPosture posture;
    SomActionGraph *graph; // NULL: it could not be composed or compiled, and nothing follows
    SomLinkMeshes meshes;
    atomic_int holders;
} SomPhysicsScene;

typedef struct SomPhysicsRecord {
    SomPhysicsScene *scene; // held
    SomEngineKind engine;
    bool has_run;    // else nothing but the words follows
    bool is_stopped; // by the user, before its end
    SomPhysicsRun run;
    SomPhysicsReport report; // no comparison if it was stopped
    SomFilm film;
    double seconds; // of the wall
    SomText words;  // what was reported; may be empty
    atomic_int holders;
} SomPhysicsRecord;

// Takes the texts.
SomPhysicsScene *som_physics_scene_create(SomBehaviorTexts *texts, SomText *words);
SomPhysicsScene *som_physics_scene_hold(SomPhysicsScene *scene);
void som_physics_scene_release(SomPhysicsScene *scene); // NULL is allowed

SomPhysicsRecord *som_physics_record_create(SomPhysicsScene *scene, SomEngineKind engine);
SomPhysicsRecord *som_physics_record_hold(SomPhysicsRecord *record);
void som_physics_record_release(SomPhysicsRecord *record); // NULL is allowed

// How much of the trace there is, seconds.
double som_physics_record_duration(const SomPhysicsRecord *record);

// World poses of all links at a time; before the first sample and after the last one as there.
// False if nothing was recorded.
bool som_physics_record_place(const SomPhysicsRecord *record, double time, SomPose *links);
