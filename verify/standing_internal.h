// verify/standing_internal.h - what checks of standing robots share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

// What people call the place of a link: its module; of a robot that is one module, the link.
SomStr som_verify_body(const SomMechanism *mechanism, int link);
