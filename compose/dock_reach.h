// compose/dock_reach.h - docks between two pieces that are bolted to the world, and never meet.
//
//     if (som_dock_least_distance(mechanism, links, dock) > reach) ...
//
// Each connector stays within a ball, whatever its joints do: from the base of its piece outwards,
// every joint turns all that is behind it about its axis, or slides it by no more than its limits.
// Balls that are apart never meet. Free pieces may go anywhere, so nothing is said of
// their docks.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// Metres between two connectors at least, whatever the joints are; 0: they may meet, as connectors
// of pieces do that are not fixed.
double som_dock_least_distance(const SomMechanism *mechanism, const SomPose *links, int dock);

#ifdef __cplusplus
}
#endif
