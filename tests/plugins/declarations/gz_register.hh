// tests/plugins/declarations/gz_register.hh - <gz/plugin/Register.hh>. Like the real one it
// defines a function that is not inline, so that only one source file can include it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/plugins/declarations/gz.hh"

extern "C" void GzPluginHook() {
}
#define GZ_ADD_PLUGIN(plugin, ...)                                                                 \
    template struct gz::Registered<plugin, __VA_ARGS__>;                                           \
    std::shared_ptr<gz::sim::System> gz::somite_make_plugin() {                                    \
        return std::make_shared<plugin>();                                                         \
    }
#define GZ_ADD_PLUGIN_ALIAS(plugin, name) static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
