// player/body_place.h - where bodies are, and what a player wants to know of them all: the centre
// of mass, the height of the base, how far the robot leans.
//
//     SomBodyPlace place = som_body_place(position, quaternion);                 // x, y, z, w
//     SomBodySenses now = som_body_senses(bodies, places, count);
//     senses.height = now.base.position[2];
//     senses.tilt = now.tilt;
//
// Every module has a direction that was up at the start; the tilt is the angle between the mean of
// them, by mass, and up. What moves in the robot to and fro does not count.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/physics_facts.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of a body in the world, or in another one.
typedef struct SomBodyPlace {
    double position[3]; // metre
    double rotation[3][3];
} SomBodyPlace;

// What acts on a body, in the world.
typedef struct SomBodyLoad {
    double at[3];
    double force[3];  // newton
    double torque[3]; // newton metre, about `at`
} SomBodyLoad;

// One rigid body of the robot, in its own frame.
typedef struct SomRobotBody {
    const char *link; // of the model
    double mass;
    double center[3]; // of mass
    double up[3];     // what was up at the start
    double upright;   // mass of the modules whose roots it has: they say how the robot leans
    bool is_base;     // has the base of its piece, at this place
    bool is_fixed;    // bolted to the world
    int32_t piece;    // of the design as it starts; 0 is that of its base
    SomBodyPlace base;
} SomRobotBody;

typedef struct SomBodySenses {
    SomBodyPlace base;
    double center[3]; // of mass
    double tilt;      // radian
} SomBodySenses;

SomBodyPlace som_body_place(const double position[3], const double quaternion[4]); // of any length
SomBodyPlace som_body_place_identity(void);
SomBodyPlace som_body_place_compose(const SomBodyPlace *a, const SomBodyPlace *b);
void som_body_place_apply(const SomBodyPlace *place, const double v[3], double out[3]);
void som_body_place_rotate(const SomBodyPlace *place, const double v[3], double out[3]);
void som_body_place_quaternion(const SomBodyPlace *place, double quaternion[4]); // w >= 0

// The angle of a direction from an axis, from 0 to half a turn: `aside` is its part across, `along`
// that along the axis. Of any length.
double som_body_angle(double aside, double along);

// A sum over bodies, one after the other.
typedef struct SomBodySum {
    bool has_place; // of the base
    double mass, up[3];
    SomBodySenses now;
} SomBodySum;

SomBodySum som_body_sum(void);
// `is_own`: the body may have the base. Without one, it is the first one's.
void som_body_sum_add(SomBodySum *sum, const SomRobotBody *body, const SomBodyPlace *place,
                      bool is_own);
SomBodySenses som_body_sum_senses(const SomBodySum *sum);

// Of all bodies of the first piece, one place a body.
SomBodySenses som_body_senses(const SomRobotBody *bodies, const SomBodyPlace *places,
                              int32_t count);

// Whether it leans by more than the limit, its base and the whole of it, which may as well bend,
// and its centre of mass has sunk by a tenth of its height at the start; or leans by more than the
// limit of what rolls without sinking, as what lies on the ground can; or has sunk by half. With
// SOM_FALL_NEVER it has not.
bool som_body_has_fallen(const SomBodySenses *now, const SomBodySenses *start,
                         const SomFallLimits *limits);

#ifdef __cplusplus
}
#endif
