// verify/standing_internal.h - what checks of standing robots share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/stability.h"
#include "verify/verify.h"

// A robot on the terrain of the options, as the motion begins.
SomStanding *som_verify_stand(const SomVerifyInput *input);

// The motion as robots that stand are followed through it.
SomMotionSamples som_verify_motion_samples(const SomVerifyInput *input);

// Of the samples of a motion, those at which stability, loads and slip are judged.
int som_verify_tick_count(const SomVerifyInput *input);

// What people call the place of a link: its module; of a robot that is one module, the link.
SomStr som_verify_body(const SomMechanism *mechanism, int link);
