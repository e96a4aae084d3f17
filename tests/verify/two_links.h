// tests/verify/two_links.h - robots of two links of any shape that can take any pose to each other,
// for tests that compare verdicts about pairs.
//
//     TwoLinks links = two_links_create(&random, SOM_SHAPE_BOX, SOM_SHAPE_COMPOUND);
//     TwoPostures postures;
//     two_links_pose(&links, &random, &postures);    // eight of them, many nearly touching
//     two_links_free(&links);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/distance.h"
#include "tests/verify/placed.h"

#define TWO_LANES 8
#define TWO_DOFS 6

typedef struct TwoLinks {
    PlacedRobot robot;
    int link_a, link_b;
    const SomModuleLink *a, *b; // their parts
} TwoLinks;

typedef struct TwoPostures {
    double values[TWO_DOFS * TWO_LANES]; // [dof * TWO_LANES + lane]
    SomPose pose_a[TWO_LANES], pose_b[TWO_LANES];
    double distance[TWO_LANES]; // the least of all pairs of parts, by space/distance.h
} TwoPostures;

// A compound is a link of two or three parts of any convex kind; sizes from 1 to 20 cm.
TwoLinks two_links_create(SomTestRandom *random, SomShapeKind a, SomShapeKind b);
void two_links_free(TwoLinks *links);

void two_links_pose(TwoLinks *links, SomTestRandom *random, TwoPostures *postures);
