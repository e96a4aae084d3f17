// tests/plugins/declarations/gz.hh - what the plugin uses of gz-sim 8 and later.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP gz
#define SOMITE_SIM sim
#include "tests/plugins/declarations/interfaces.inc"

#define gzerr gz::somite_console(true)
#define gzmsg gz::somite_console(false)
#define GZ_ADD_PLUGIN(plugin, ...)                                                                 \
    template struct gz::Registered<plugin, __VA_ARGS__>;                                           \
    std::shared_ptr<gz::sim::System> gz::somite_make_plugin() {                                    \
        return std::make_shared<plugin>();                                                         \
    }
#define GZ_ADD_PLUGIN_ALIAS(plugin, name) static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
