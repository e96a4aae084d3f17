// studio/part_tree.h - the tree of parts of the configuration that is shown, with a search.
//
//     GtkWidget *tree = som_part_tree_new(project);
//     g_signal_connect(tree, "chosen", G_CALLBACK(on_chosen), inspector);
//     som_part_tree_refresh(SOM_PART_TREE(tree)); // after a change of the text
//     som_part_tree_show(SOM_PART_TREE(tree), part);
//
// Parts unfold to their parts, down to modules; what was unfolded stays so while the text changes.
// Only what is unfolded has rows and only what is seen has widgets, so thousands of modules are
// fine. A search lists the parts of all depths whose place or kind holds the words. The menu of a
// row (right button, or the menu key) has the actions of the window that are about parts.
//
// Signal "chosen" (int part): by the user; 0 is the whole.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_PART_TREE (som_part_tree_get_type())
G_DECLARE_FINAL_TYPE(SomPartTree, som_part_tree, SOM, PART_TREE, GtkBox)

// The project is borrowed and must outlive the tree.
GtkWidget *som_part_tree_new(SomProject *project);

void som_part_tree_refresh(SomPartTree *tree);

// Selects its row, unfolding what it lies in, and scrolls there.
void som_part_tree_show(SomPartTree *tree, int part);
