// tests/plugins/declarations/fortress.hh - what the plugin uses of Fortress (ign-gazebo 6).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP ignition
#define SOMITE_SIM gazebo
#include "tests/plugins/declarations/interfaces.inc"

#define ignerr ignition::somite_console()
#define ignmsg ignition::somite_console()
#define IGNITION_ADD_PLUGIN(...) template struct ignition::Registered<__VA_ARGS__>;
#define IGNITION_ADD_PLUGIN_ALIAS(plugin, name)                                                    \
    static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
