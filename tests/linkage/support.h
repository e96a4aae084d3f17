// tests/linkage/support.h - linkages to test with: random ones, random edits, and known mechanisms.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/solver.h"
#include "tests/suite.h"

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

// One random primitive; true if it was done. `number` makes new names. A link whose own frame moved
// on purpose is returned in `moved`.
bool test_random_edit(SomLinkage *linkage, SomTestRandom *random, int number, SomLinkId *moved,
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
