// tests/compose/designs.h - designs to test with, made through the builder.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/builder.h"
#include "compose/mechanism.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

// A part that is a module.
int test_add_module(SomBuilder *builder, const char *name, int index, const SomM3l *m3l,
                    const char *type);

// Connects by names; `degrees` may be NAN: not given.
void test_connect(SomBuilder *builder, int a, const char *connector_a, int b,
                  const char *connector_b, double degrees);

// Fails the test, printing them, if there is any diagnostic.
SomConfiguration *test_finish(SomBuilder *builder);
// With diagnostics that are expected; their text goes to `text`.
SomConfiguration *test_finish_with(SomBuilder *builder, SomText *text);

// n SMORES modules back to front in chains of three, s[1].head to s[n / 3].tail.
SomBuilder *test_begin_snake(const SomM3l *smores, int n);
SomConfiguration *test_snake(const SomM3l *smores, int n);

// A robot of an M3L file, with its frame's module as the base.
SomConfiguration *test_robot(const SomM3l *m3l, const char *name);

// A tree of modules of one M3L file, connected at random; parts are nested at random.
SomBuilder *test_begin_random(SomTestRandom *random, const SomM3l *m3l, int modules);

// Within the limits of the joints.
SomPosture test_random_posture(SomTestRandom *random, const SomConfiguration *configuration);

double test_distance(SomPose a, SomPose b); // the largest difference of an entry
