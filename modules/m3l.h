// modules/m3l.h - an M3L file read whole: module types, connection rules with their matings,
// robots.
//
//     SomM3l *m3l = som_m3l_read(text, source1, diags);
//     const SomModuleType *type = som_m3l_find_type(m3l, SOM_STR("SMORES"));
//     som_m3l_destroy(m3l);
//
// Reading reports everything that is wrong in one pass and always returns: what could not be
// understood is left out, the rest is there. If nothing was reported as an error, all of it is.
//
// Ownership: the text is borrowed only while it is read; everything in the result is owned by it
// and never changes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/connection_inference.h"
#include "modules/module_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomRobotModule {
    SomStr name;
    SomSpan span;
    const SomModuleType *type;
} SomRobotModule;

// A connection of a robot, resolved: `rule`'s mating `index` with module a as its a, or with
// is_reversed module a as its b.
typedef struct SomRobotConnection {
    int a, b; // modules of the robot
    int connector_a, connector_b;
    const SomConnectionRule *rule;
    int index; // of the mating, from 1
    bool is_reversed;
    bool is_given;     // the index was written, not the default
    SomPose transform; // of module b seen from module a
    SomSpan span;
} SomRobotConnection;

typedef struct SomRobot {
    SomStr name;
    SomSpan span;
    const SomRobotModule *modules;
    int module_count;
    const SomRobotConnection *connections;
    int connection_count;
    bool has_frame;
    int frame_module;
    int frame_link;
    SomPose frame; // in the module; its axes are north, up and east
} SomRobot;

typedef struct SomM3l {
    const SomModuleType *types;
    int type_count;
    const SomConnectionRule *rules;
    int rule_count;
    const SomRobot *robots;
    int robot_count;
    SomArena arena;
} SomM3l;

// Never NULL. source1 is the text's in diags, or 0.
SomM3l *som_m3l_read(SomStr text, uint32_t source1, SomDiagnostics *diags);
void som_m3l_destroy(SomM3l *m3l); // NULL is allowed

// NULL if there is none.
const SomModuleType *som_m3l_find_type(const SomM3l *m3l, SomStr name);
const SomConnectionRule *som_m3l_find_rule(const SomM3l *m3l, SomStr name);
const SomRobot *som_m3l_find_robot(const SomM3l *m3l, SomStr name);

// A mating of two connectors, found in a rule either way round.
typedef struct SomMatingChoice {
    const SomConnectionRule *rule;
    int index;         // from 1
    bool is_reversed;  // the first type is the rule's b
    SomPose transform; // of the second module seen from the first
    double roll;
} SomMatingChoice;

// Matings of connector `ca` of type `a` with `cb` of type `b`, at most `max`, by rule and index;
// returns how many there are.
int som_m3l_find_matings(const SomM3l *m3l, const SomModuleType *a, int ca, const SomModuleType *b,
                         int cb, SomMatingChoice *choices, int max);

// The mating with this number (SomMatingChoice.index) of the first rule that has it, or with 0 the
// default: of the first rule that mates the two connectors the one with the smallest number. False
// if there is none.
bool som_m3l_find_mating(const SomM3l *m3l, const SomModuleType *a, int ca, const SomModuleType *b,
                         int cb, int index, SomMatingChoice *choice);

#ifdef __cplusplus
}
#endif
