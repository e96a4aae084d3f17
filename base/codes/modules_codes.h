// base/codes/modules_codes.h - the codes of modules.inc as constants SOM_NAME.

// SPDX-License-Identifier: Apache-2.0
#pragma once

enum {
#define SOM_CODE(number, severity, name, help) SOM_##name = number,
#include "base/codes/modules.inc"
#undef SOM_CODE
};
