// tests/linkage/support.h - linkages to test with: random ones, random edits, and known mechanisms.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/solver.h"
#include "tests/suite.h"

// A name by number, good until the next call with the same buffer.
SomStr test_name(char text[32], const char *prefix, int number);

SomPose test_random_pose(SomTestRandom *random, double spread);
SomPose test_move(double x, double y, double z);
double test_pose_difference(SomPose a, SomPose b); // largest difference of an entry

// A linkage of a few floating links in a few sub-linkages; `depth` 0: none, 1: flat, 2: nested.
SomLinkage *test_random_linkage(SomTestRandom *random, int depth);

// Any member; null if there is none.
SomLinkId test_any_link(const SomLinkage *linkage, SomTestRandom *random);
SomJointId test_any_joint(const SomLinkage *linkage, SomTestRandom *random); // no root joint
SomSublinkageId test_any_sublinkage(const SomLinkage *linkage, SomTestRandom *random);

// A joint of a random type whose frames fit the present poses, so that it is shut, unless `gap`.
SomJointDef test_fitting_joint(const SomLinkage *linkage, SomTestRandom *random, SomLinkId parent,
                               SomLinkId child, double gap);

// What a random primitive did, and to which links it may have given other poses.
typedef struct TestEdit {
    bool is_done;
    SomLinkId reframed; // its own frame moved
    SomJointId joint;   // that was changed: what hangs on it may have moved,
    bool is_on_purpose; // without a report, too
    bool is_world;      // everything moved together
} TestEdit;

// One random primitive. `number` makes new names.
TestEdit test_random_edit(SomLinkage *linkage, SomTestRandom *random, int number,
                          SomDiagnostics *diags);

// Adds a tree joint at a value of one coordinate; everything must work. The child moves there.
SomJointId test_tree_joint(SomLinkage *linkage, const char *name, SomJointType type,
                           SomLinkId parent, SomLinkId child, SomPose parent_frame,
                           SomPose child_frame, int dof, double value);
SomJointId test_closure(SomLinkage *linkage, const char *name, SomJointType type, SomLinkId parent,
                        SomLinkId child, SomPose parent_frame, SomPose child_frame);
SomLinkId test_link(SomLinkage *linkage, SomSublinkageId in, const char *name);

// The planar four-bar of the literature, open unless assembled: ground, crank 1, coupler 2, rocker
// 1.5, ground pivots 2 apart; joints j1 to j3 in the tree, j4 a closure.
SomLinkage *test_fourbar(double j1, double j2, double j3);

// A tower of blocks on two legs each: per block a backbone of a revolute and a prismatic joint, for
// each leg a piston as its interface and three real links, with closures between them. 18 joints
// and 6 closures a block. `top` gets the highest plate.
SomLinkage *test_tower(int blocks, bool is_hierarchical, SomLinkId *top);

// A solver that is not too large.
SomSolver *test_solver(const SomLinkage *linkage, const SomSolverDef *def);

// A chain of revolute joints "q1"... about z in the plane, all at 0.2, links of length 1, with a
// link at the tip.
SomLinkage *test_arm(int joints, SomLinkId *tip);
// Targets for the pose of the top of a tower whose blocks all tilt by 4 degrees and stretch.
void test_tower_goals(const SomLinkage *linkage, SomLinkId top, int blocks, SomGoal goals[3]);

// The joint of that name, which must be there, and one of its coordinates.
SomJointId test_joint(const SomLinkage *linkage, const char *name);
double test_value(const SomLinkage *linkage, const char *name, int dof);

// Asserts that all invariants hold.
void test_valid(const SomLinkage *linkage);
