// base/codes/verify_codes.h - the codes of verify.inc as constants SOM_NAME.

// SPDX-License-Identifier: Apache-2.0
#pragma once

enum {
#define SOM_CODE(number, severity, name, help) SOM_##name = number,
#include "base/codes/verify.inc"
#undef SOM_CODE
};
