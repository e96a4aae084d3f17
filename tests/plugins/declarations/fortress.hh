// tests/plugins/declarations/fortress.hh - what the plugin uses of Fortress (ign-gazebo 6).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP ignition
#define SOMITE_SIM gazebo
#include "tests/plugins/declarations/interfaces.inc"

#define ignerr ignition::somite_console(true)
#define ignmsg ignition::somite_console(false)
