// SPDX-License-Identifier: Apache-2.0
// What comes before a new action is "full". Where the order is series-parallel that is all of the
// tree, or some children of one parallel, or one series up to one of its children, and in each
// case whatever is earlier in the series around it. Only the latest of the actions that it comes
// after is needed to find the place, and dependencies that follow from others do no harm: they are
// inside of what is full anyway, or earlier in one of these series.
//
// The place must be open: at the end of all series around it. A node closes when something is put
// after it, and stays closed, so closing costs one visit to each node in all. In a series the new
// action goes beside a single child: the first actions of that one became ready together with it,
// and what is after that one did later. Every full parallel has two full children, so all this is
// linear in the number of actions and dependencies.

#include "behaviors/sp_tree.h"

#include "base/memory.h"

void som_sp_tree_init(SomSpTree *tree, int action_count) {
    size_t most = 2 * (size_t)action_count; // every inner node has two children
    *tree = (SomSpTree){.count = action_count, .root = -1};
    tree->nodes = som_alloc(most * sizeof *tree->nodes);
    tree->pile = som_alloc(most * sizeof *tree->pile);
}

void som_sp_tree_free(SomSpTree *tree) {
    som_free(tree->nodes);
    som_free(tree->pile);
    *tree = (SomSpTree){.root = -1};
}

// ---- links

static void init_node(SomSpTree *tree, int node, SomNodeKind kind) {
    tree->nodes[node] = (SomSpTreeNode){
        .kind = kind, .parent = -1, .previous = -1, .next = -1, .first = -1, .last = -1};
}

static int add_node(SomSpTree *tree, SomNodeKind kind) {
    init_node(tree, tree->count, kind);
    return tree->count++;
}

static void push(SomSpTree *tree, int parent, int child) {
    SomSpTreeNode *nodes = tree->nodes, *above = &nodes[parent];
    nodes[child].parent = parent;
    nodes[child].previous = above->last;
    nodes[child].next = -1;
    *(above->last < 0 ? &above->first : &nodes[above->last].next) = child;
    above->last = child;
    above->count++;
}

// Lets its neighbours and its parent refer to others instead of it; -1: to none.
static void relink(SomSpTree *tree, int old, int next, int previous) {
    SomSpTreeNode *nodes = tree->nodes, *node = &nodes[old];
    SomSpTreeNode *above = node->parent < 0 ? NULL : &nodes[node->parent];
    if (node->previous >= 0) {
        nodes[node->previous].next = next;
    } else if (above != NULL) {
        above->first = next;
    }
    if (node->next >= 0) {
        nodes[node->next].previous = previous;
    } else if (above != NULL) {
        above->last = previous;
    }
}

static void take_out(SomSpTree *tree, int node) {
    relink(tree, node, tree->nodes[node].next, tree->nodes[node].previous);
    tree->nodes[tree->nodes[node].parent].count--;
}

static void move(SomSpTree *tree, int node, int parent) {
    take_out(tree, node);
    push(tree, parent, node);
}

void som_sp_tree_move_last(SomSpTree *tree, int node) {
    move(tree, node, tree->nodes[node].parent);
}

// Puts a new node where `node` is and `node` below it.
static int wrap(SomSpTree *tree, int node, SomNodeKind kind) {
    int around = add_node(tree, kind);
    relink(tree, node, around, around);
    tree->nodes[around].parent = tree->nodes[node].parent;
    tree->nodes[around].previous = tree->nodes[node].previous;
    tree->nodes[around].next = tree->nodes[node].next;
    tree->root = tree->root == node ? around : tree->root;
    push(tree, around, node);
    return around;
}

// ---- the place

// An action is full, and all around it that is full by that.
static void mark_full(SomSpTree *tree, int action, int before, int *full_count) {
    for (int node = before; node >= 0 && tree->nodes[node].full_for != action;) {
        tree->nodes[node].full_for = action;
        tree->pile[(*full_count)++] = node;
        int parent = tree->nodes[node].parent;
        SomSpTreeNode *above = parent < 0 ? NULL : &tree->nodes[parent];
        bool is_full = false;
        if (above != NULL && above->kind == SOM_NODE_SERIES) {
            is_full = above->last == node;
        } else if (above != NULL) {
            above->full_count = above->counted_for == action ? above->full_count + 1 : 1;
            above->counted_for = action;
            is_full = above->full_count == above->count;
        }
        node = is_full ? parent : -1;
    }
}

// Something is to come after all of it.
static void close_node(SomSpTree *tree, int node) {
    int todo = 0;
    tree->pile[todo++] = node;
    while (todo > 0) {
        SomSpTreeNode *top = &tree->nodes[tree->pile[--todo]];
        top->is_closed = true;
        if (top->kind == SOM_NODE_SERIES) { // the others are closed
            tree->pile[todo++] = top->last;
        } else {
            for (int child = top->first; child >= 0; child = tree->nodes[child].next) {
                tree->pile[todo++] = child;
            }
        }
    }
}

static void add_after(SomSpTree *tree, int node, int action) {
    bool is_series = tree->nodes[node].kind == SOM_NODE_SERIES;
    close_node(tree, is_series ? tree->nodes[node].last : node);
    push(tree, is_series ? node : wrap(tree, node, SOM_NODE_SERIES), action);
}

static void add_beside(SomSpTree *tree, int node, int action) {
    bool is_parallel = tree->nodes[node].kind == SOM_NODE_PARALLEL;
    push(tree, is_parallel ? node : wrap(tree, node, SOM_NODE_PARALLEL), action);
}

// The full children of a parallel, as one node.
static int gather(SomSpTree *tree, int parallel, int one, int full_count) {
    if (tree->nodes[parallel].full_count == 1) {
        return one;
    }
    int gathered = add_node(tree, SOM_NODE_PARALLEL);
    for (int i = 0; i < full_count; i++) {
        if (tree->nodes[tree->pile[i]].parent == parallel) {
            move(tree, tree->pile[i], gathered);
        }
    }
    push(tree, parallel, gathered);
    return gathered;
}

bool som_sp_tree_add(SomSpTree *tree, int action, const int *befores, int before_count) {
    init_node(tree, action, SOM_NODE_ACTION);
    if (tree->root < 0) {
        tree->root = action;
        return true;
    }
    if (before_count == 0) {
        add_beside(tree, tree->root, action);
        return true;
    }
    int full_count = 0, top = befores[0];
    for (int i = 0; i < before_count; i++) {
        mark_full(tree, action, befores[i], &full_count);
        top = befores[i] > top ? befores[i] : top;
    }
    int parent = tree->nodes[top].parent;
    while (parent >= 0 && tree->nodes[parent].full_for == action) {
        top = parent;
        parent = tree->nodes[top].parent;
    }
    if (parent < 0) {
        add_after(tree, top, action);
        return true;
    }
    bool is_series = tree->nodes[parent].kind == SOM_NODE_SERIES;
    int next = tree->nodes[top].next;
    if (tree->nodes[parent].is_closed || (is_series && next != tree->nodes[parent].last)) {
        return false;
    }
    if (is_series) {
        add_beside(tree, next, action);
    } else {
        add_after(tree, gather(tree, parent, top, full_count), action);
    }
    return true;
}
