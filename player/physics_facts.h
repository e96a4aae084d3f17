// player/physics_facts.h - what physics takes for granted where a design says nothing: the same
// numbers for verify, simulate, exports and plugins.
//
//     double friction = isnan(link->friction) ? SOM_FRICTION : link->friction;
//     SomFallLimits fall = som_fall_limits();
//
// A design has others in its verify block: friction, lean and rolling (verify/options.inc).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_FRICTION 0.6 // coefficient, of links that give none: plastics on a table

// What counts as a fall, radian. A lean of half a turn or more is none, whatever the robot does:
// so says a motion that is meant to roll or to lie down.
#define SOM_FALL_LEAN 0.34906585039886591538    // 20 degrees, of what also sinks
#define SOM_FALL_ROLLING 0.78539816339744830962 // 45 degrees, of what lies as high as before
#define SOM_FALL_NEVER 3.14159265358979323846

// Faster or farther than this, a robot of modules has exploded: rad/s or m/s, and metres.
#define SOM_DIVERGED_SPEED 1e4
#define SOM_DIVERGED_DISTANCE 1e4

typedef struct SomFallLimits {
    double lean, rolling;
} SomFallLimits;

static inline SomFallLimits som_fall_limits(void) {
    SomFallLimits limits = {SOM_FALL_LEAN, SOM_FALL_ROLLING};
    return limits;
}

#ifdef __cplusplus
}
#endif
