// verify/slip.h - how much friction a robot needs to stand still.
//
//     double need = som_slip_need(mechanism, contacts, com, down, 0.6);
//     if (need > 1) ... it slips: links would have to be so many times as rough as they are
//
// The least factor by which the coefficients of friction of all links that touch can be multiplied
// so that the ground still holds the robot, whichever way it shares the load. On level ground it is
// 0; on a slope with one coefficient mu it is tan(slope) / mu. What pushes a walker while it moves
// is not counted.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/contacts.h"

#ifdef __cplusplus
extern "C" {
#endif

// To a thousandth. INFINITY if no friction helps, as of a robot that tips over or of links that are
// slippery; NAN if a number is not finite. `friction` is that of links that give none.
double som_slip_need(const SomMechanism *mechanism, const SomContacts *contacts, SomVec3 com,
                     SomVec3 down, double friction);

// Whether the need is at most 1, which is quicker to find.
bool som_slip_is_held(const SomMechanism *mechanism, const SomContacts *contacts, SomVec3 com,
                      SomVec3 down, double friction);

#ifdef __cplusplus
}
#endif
