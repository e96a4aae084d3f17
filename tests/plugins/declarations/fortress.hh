// tests/plugins/declarations/fortress.hh - what the plugin uses of Fortress (ign-gazebo 6).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP ignition
#define SOMITE_SIM gazebo
#include "tests/plugins/declarations/interfaces.inc"

#define ignerr ignition::somite_console(true)
#define ignmsg ignition::somite_console(false)
#define IGNITION_ADD_PLUGIN(plugin, ...)                                                           \
    template struct ignition::Registered<plugin, __VA_ARGS__>;                                     \
    std::shared_ptr<ignition::gazebo::System> ignition::somite_make_plugin() {                     \
        return std::make_shared<plugin>();                                                         \
    }
#define IGNITION_ADD_PLUGIN_ALIAS(plugin, name)                                                    \
    static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
