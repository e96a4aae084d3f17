// language/document.h - a text being edited: its tree, its diagnostics, and the way back.
//
//     SomDocument *document = som_document_create(path, text, parse_som);
//     SomEdits *edits = som_edits_create(som_document_tree(document));
//     ...
//     som_document_apply(document, edits); // the old tree is gone, find nodes again
//     som_document_undo(document);
//
// After every change the whole text is parsed again, which takes a few milliseconds for thousands
// of lines; nothing is patched. Undo and redo keep old texts.
//
// Ownership: the document owns its text, tree and diagnostics; what it returns is borrowed until
// the next change.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Old texts kept for undo take no more than this; the oldest are forgotten.
#define SOM_MAX_UNDO_BYTES (64 * 1024 * 1024)

typedef struct SomDocument SomDocument;

// A grammar's parse function with its dialect. Borrowed for the life of the document.
typedef struct SomGrammar {
    const SomDialect *dialect;
    SomSyntax *(*parse)(SomStr text, const SomDialect *dialect, uint32_t source1,
                        SomDiagnostics *diags);
} SomGrammar;

SomDocument *som_document_create(SomStr path, SomStr text, const SomGrammar *grammar);
void som_document_destroy(SomDocument *document); // NULL is allowed

SomStr som_document_text(const SomDocument *document);
const SomSyntax *som_document_tree(const SomDocument *document);
SomDiagnostics *som_document_diagnostics(SomDocument *document); // of the parse; more may be added

// Replaces the text, as typing in an editor does.
void som_document_set_text(SomDocument *document, SomStr text);

// The same without a step of its own: the last one goes this far, as a word that is typed on. Undo
// goes back to before that step. The first text is never replaced.
void som_document_amend_text(SomDocument *document, SomStr text);

// False, and nothing changes, if the edits overlap. They must be made against the current tree.
bool som_document_apply(SomDocument *document, const SomEdits *edits);

bool som_document_undo(SomDocument *document); // false if there is nothing to undo
bool som_document_redo(SomDocument *document);
bool som_document_can_undo(const SomDocument *document);
bool som_document_can_redo(const SomDocument *document);

#ifdef __cplusplus
}
#endif
