// language/edit.h - changes of a text that leave everything else as the user wrote it.
//
//     SomEdits *edits = som_edits_create(tree);
//     som_edits_replace(edits, value, SOM_STR("45deg"));
//     som_edits_insert_after(edits, statement, SOM_STR("connect a.B to b.T"));
//     som_edits_remove(edits, other);
//     SomText text = {0};
//     bool done = som_edits_apply(edits, &text);
//     som_edits_destroy(edits);
//
// Edits are collected against one tree and applied together; places always mean the old text, and
// nothing outside the edited places changes by a byte. The nodes to insert at and to remove are
// members of a row: the statements of a file or block, or the elements of a list, whose parent has
// no other children. New members get the indentation, separators and line ends of their neighbours;
// removed ones take along their separator, their line, the comment behind them and the comments
// that belong to them from above. Members of one row may be removed in any combination.
//
// Overlapping edits are refused when they are applied: nothing is written then. Insertions at one
// place keep the order of the calls.
//
// Ownership: the tree is borrowed, texts are copied.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomEdits SomEdits;

SomEdits *som_edits_create(const SomSyntax *tree);
void som_edits_destroy(SomEdits *edits); // NULL is allowed

void som_edits_replace_span(SomEdits *edits, uint32_t begin, uint32_t end, SomStr text);
void som_edits_replace(SomEdits *edits, SomNode node, SomStr text);

// A new member before or after a member of a row. Lines of `text` after the first are indented like
// the neighbour.
void som_edits_insert_before(SomEdits *edits, SomNode member, SomStr text);
void som_edits_insert_after(SomEdits *edits, SomNode member, SomStr text);

// A new last member of a row that may be empty: `row` is a list or block with its brackets, or the
// root.
void som_edits_insert_into(SomEdits *edits, SomNode row, SomStr text);

void som_edits_remove(SomEdits *edits, SomNode member);

// The fix-its of diagnostics about the text of the tree; those that overlap one before are left
// out. Returns how many were added.
int som_edits_add_fixes(SomEdits *edits, const SomDiagnostics *diags);

// Adds the new text to `out`. False, and nothing is added, if two edits overlap. With no edits the
// text is the old one.
bool som_edits_apply(const SomEdits *edits, SomText *out);

#ifdef __cplusplus
}
#endif
