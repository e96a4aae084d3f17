// tests/verify/oracle_generator.h - random designs with a behavior, of recipes that take turns:
// robots of one module as imports make them, chains of modules, docks that let go and hand over,
// arms at the end of their strength, robots on narrow feet.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/suite.h"
#include "tests/verify/oracle_design.h"

// The design of a number is the same in every run.
void oracle_generate(int number, OracleDesign *design);

// ---- for the files of the generator

typedef struct OracleStyle {
    bool is_careful; // relative moves that add up stay within limits
    bool has_sensors;
    bool has_repeats;
} OracleStyle;

// Adds an action as the last child of another one (-1: the behavior); returns its index, or that of
// an older one if there is no room.
int oracle_add(OracleDesign *design, int parent, OracleAction action);
// A random condition on what only the world knows, and its number.
void oracle_ask_sensor(OracleDesign *design, SomTestRandom *random, OracleAction *action);
// A part of the behavior in which random joints move for a second or two.
void oracle_add_motion(OracleDesign *design, SomTestRandom *random, OracleStyle style, int parent);

// Metres and kilograms.
OracleShape oracle_box(double x, double y, double z, double sx, double sy, double sz);
