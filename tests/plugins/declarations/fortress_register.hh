// tests/plugins/declarations/fortress_register.hh - <ignition/plugin/Register.hh>. Like the real
// one it defines a function that is not inline, so that only one source file can include it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/plugins/declarations/fortress.hh"

extern "C" void IgnitionPluginHook() {
}
#define IGNITION_ADD_PLUGIN(plugin, ...)                                                           \
    template struct ignition::Registered<plugin, __VA_ARGS__>;                                     \
    std::shared_ptr<ignition::gazebo::System> ignition::somite_make_plugin() {                     \
        return std::make_shared<plugin>();                                                         \
    }
#define IGNITION_ADD_PLUGIN_ALIAS(plugin, name)                                                    \
    static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
