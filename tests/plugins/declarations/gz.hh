// tests/plugins/declarations/gz.hh - what the plugin uses of gz-sim 8 and later.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP gz
#define SOMITE_SIM sim
#include "tests/plugins/declarations/interfaces.inc"

#define gzerr gz::somite_console()
#define gzmsg gz::somite_console()
#define GZ_ADD_PLUGIN(...) template struct gz::Registered<__VA_ARGS__>;
#define GZ_ADD_PLUGIN_ALIAS(plugin, name) static_assert(sizeof(plugin) > 0 && sizeof(name) > 1);
