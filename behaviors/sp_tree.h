// behaviors/sp_tree.h - a series-parallel tree that grows by one action at a time.
//
//     SomSpTree tree;
//     som_sp_tree_init(&tree, 3);
//     som_sp_tree_add(&tree, 0, NULL, 0);
//     som_sp_tree_add(&tree, 1, NULL, 0);
//     som_sp_tree_add(&tree, 2, (const int[]){0, 1}, 2);    // series(parallel(0, 1), 2)
//     som_sp_tree_free(&tree);
//
// Actions are added in the order in which they become ready, if they are done in that order: that
// of Kahn's sort with a queue. They have the numbers of that order and are the nodes with these
// numbers. Below a series there is never a series and below a parallel never a parallel.
// behaviors/sp_form.c makes use of it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSpTreeNode {
    SomNodeKind kind;            // series, parallel or action
    int parent, previous, next;  // -1: none
    int first, last, count;      // its children
    int full_for;                // all below it comes before this action; 0: none
    int counted_for, full_count; // that many children of a parallel do
    bool is_closed;              // something comes after all of it
} SomSpTreeNode;

typedef struct SomSpTree {
    SomSpTreeNode *nodes; // actions first
    int count;
    int root; // -1: empty
    int *pile;
} SomSpTree;

void som_sp_tree_init(SomSpTree *tree, int action_count);
void som_sp_tree_free(SomSpTree *tree);

// Adds an action that comes after these and all that comes before them. False if it can't. If the
// order has a series-parallel form the tree is it. If not, an action may be put where it comes
// after some of them only, and the caller looks for that.
bool som_sp_tree_add(SomSpTree *tree, int action, const int *befores, int before_count);

// Makes it the last child of its parent.
void som_sp_tree_move_last(SomSpTree *tree, int node);

#ifdef __cplusplus
}
#endif
