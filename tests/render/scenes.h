// tests/render/scenes.h - scenes to draw, shared by tests and the benchmark.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/camera.h"
#include "render/scene.h"

// Every kind of shape and a mesh, standing so close that they hide parts of each other from all
// sides, at `place`.
SomScene som_test_scene_of_shapes(SomVec3 place);

// Lines, arrows, frames, connectors, marks, and every look.
SomScene som_test_scene_of_marks(void);

// Frames the scene from a direction given in degrees.
// The signs of all types of joints over a support polygon, with a body behind them.
SomScene som_test_scene_of_signs(bool is_dark);

SomCamera som_test_camera(const SomScene *scene, double azimuth, double elevation, double aspect);
