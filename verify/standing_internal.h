// verify/standing_internal.h - what checks of standing robots share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/contacts.h"
#include "verify/verify.h"

// The ground that the options describe.
SomTerrain som_verify_terrain(const SomVerifyOptions *options);

// What people call the place of a link: its module; of a robot that is one module, the link.
SomStr som_verify_body(const SomMechanism *mechanism, int link);
