// studio/physics.h - plays a behavior under physics in a thread of its own, live, and records it.
//
//     SomPhysics *physics = som_physics_create(wake, page);     // wake is called from the thread
//     som_physics_start(physics, &(SomPhysicsDef){.library = library, .path = path, .text = text,
//                                                 .behavior = SOM_STR("walk"), .is_paced = true});
//     ... woken: som_physics_now(physics) says how far it is,
//         som_physics_take_links(physics, &shown) where the robot is,
//         som_physics_take_record(physics) what has become of it in an engine ...
//     som_physics_stop(physics);      // what was recorded until then is still given
//     som_physics_destroy(physics);
//
// First the engine for previews, then the one for the verdict, unless one of them is chosen. All is
// made of copies: whatever happens to the project meanwhile, the run goes on with the text it was
// started with. Stopping takes effect after a step of the physics, or when the engine has loaded
// its world. Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/physics_trace.h"

typedef struct SomPhysics SomPhysics;

typedef enum SomPhysicsEngines {
    SOM_PHYSICS_BOTH,
    SOM_PHYSICS_PREVIEW, // MuJoCo: fast
    SOM_PHYSICS_VERDICT, // Gazebo's own: the last word
    SOM_PHYSICS_CHOICES,
} SomPhysicsEngines;

// All is copied. Zero is the default for all but library and text.
typedef struct SomPhysicsDef {
    SomStr library, path, text, choice; // of a project
    SomStr behavior;                    // as it is called; empty: it stands for 5 s
    SomPhysicsEngines engines;
    double duration; // seconds, at most; SOM_SIMULATION_DURATION
    bool is_paced;   // the first engine is no faster than the wall; the second always is if it can
} SomPhysicsDef;

typedef enum SomPhysicsStage {
    SOM_PHYSICS_IDLE,
    SOM_PHYSICS_PREPARING, // composes and compiles
    SOM_PHYSICS_LOADING,   // the engine its world
    SOM_PHYSICS_RUNNING,
    SOM_PHYSICS_COMPARING, // with the prediction
} SomPhysicsStage;

typedef struct SomPhysicsNow {
    SomPhysicsStage stage;
    SomEngineKind engine;
    double time;     // simulated, seconds
    double expected; // when it should end, as predicted; at most the duration that was asked for
    double speed;    // times real time
} SomPhysicsNow;

// `wake` must not call the physics. NULL: nobody is woken.
SomPhysics *som_physics_create(void (*wake)(void *context), void *context);
// Ends what runs and waits for that. NULL is allowed.
void som_physics_destroy(SomPhysics *physics);

// What ran before is ended, and no record of it is given any more.
void som_physics_start(SomPhysics *physics, const SomPhysicsDef *def);
void som_physics_stop(SomPhysics *physics);

SomPhysicsNow som_physics_now(SomPhysics *physics);

// Where all links are, about sixty times a second; zero is empty.
typedef struct SomPhysicsLinks {
    SOM_ARRAY(SomPose) all;
    double time; // simulated
} SomPhysicsLinks;

// The newest that were not taken; false if there are none. To be freed with som_array_free, or
// given again.
bool som_physics_take_links(SomPhysics *physics, SomPhysicsLinks *links);

// Adds what was recorded since the last call of what runs; begins anew with the next engine. False
// if there is nothing new.
bool som_physics_take_trace(SomPhysics *physics, SomPhysicsTrace *trace);

// The next record that was not taken, to be released; NULL if there is none.
SomPhysicsRecord *som_physics_take_record(SomPhysics *physics);

// For tests and pictures: returns when nothing runs any more.
void som_physics_wait(SomPhysics *physics);
