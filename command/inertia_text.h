// command/inertia_text.h - the mass properties of a solid as a table for people.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "space/mass.h"

void som_text_inertia(SomText *out, SomBounds bounds, double volume, SomInertia inertia);
