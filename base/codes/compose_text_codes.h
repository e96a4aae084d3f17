// base/codes/compose_text_codes.h - the codes of compose_text.inc as constants SOM_NAME.

// SPDX-License-Identifier: Apache-2.0
#pragma once

enum {
#define SOM_CODE(number, severity, name, help) SOM_##name = number,
#include "base/codes/compose_text.inc"
#undef SOM_CODE
};
