// benchmarks/peer_formats.h - URDF and SDF read by the libraries of ROS and of Gazebo.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Links of the robot or of all models; -1 if it was refused.
int som_peer_urdfdom_read(const char *text);
int som_peer_sdformat_read(const char *text);

#ifdef __cplusplus
}
#endif
