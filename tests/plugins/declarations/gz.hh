// tests/plugins/declarations/gz.hh - what the plugin uses of gz-sim 8 and later.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SOMITE_TOP gz
#define SOMITE_SIM sim
#include "tests/plugins/declarations/interfaces.inc"

#define gzerr gz::somite_console(true)
#define gzmsg gz::somite_console(false)
