// tests/verify/oracle_text.h - a random design as text: M3L or URDF of its module types, and the
// `.som` file that uses them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "tests/verify/oracle_design.h"

void oracle_write_m3l(SomText *out, const OracleDesign *design); // of all types in M3L
void oracle_write_urdf(SomText *out, const OracleType *type);
// `use` is the file of the types, `prefix` the name of a type without its number, which URDF lacks.
void oracle_write_design(SomText *out, const OracleDesign *design, const char *use);

// The behavior; with outcomes, as it is if its sensors do that.
void oracle_write_behavior(SomText *out, const OracleDesign *design, const int *outcomes);

// The way to a joint in texts: "p2.j0".
void oracle_write_joint(SomText *out, int part, int joint);
