// exchange/mjcf.h - a design as MuJoCo's XML: one file, with ground, actuators and poses.
//
//     SomBodyModel *model = som_body_model_create(&(SomBodyDef){…, .is_centered = true});
//     som_mjcf_write(model, name, &text, diags);
//
// What is in it, for who runs it:
// - bodies, joints and actuators have the names of the model; joints have the values of the DoF
//   themselves (`ref` is the start), so qpos is what the player senses.
// - every moving joint has an actuator <velocity> of its own name: its control is a speed in rad/s
//   or m/s, its force is limited to the effort. A host that is given positions commands the speed
//   that leads there, as the servos of the modules do, and holds by commanding it again each step.
//   SOM_MJCF_SLIP says how stiff it is. MuJoCo 2.2 counts that stiffness also while the effort is
//   at its limit: the joint then is as slow as if its inertia were greater by 1 ms * kv.
// - loops are closed by equality constraints <weld> of the model's names. Keyframe 0 is the start;
//   the named poses of the design follow, those that locked DoF allow.
// - the ground is the geom "ground" of the world; contacts have the friction of the robot's geom.
// - options: 1 ms steps, implicit in the velocities, which stiff actuators need.
//
// MuJoCo before 3 reads elements about 100 deep: deeper trees than SOM_MJCF_MAX_DEPTH are written
// with a warning. Trees hang on their middle, so that a chain of 190 bodies still does.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "exchange/body_model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_MJCF_MAX_DEPTH 95

// The actuator has its full effort when it is slower than its command by this share of its speed.
#define SOM_MJCF_SLIP 0.05

// Adds the file to `out`.
void som_mjcf_write(const SomBodyModel *model, SomStr name, SomText *out, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
