// studio/source_panel.h - the text of a project in an editor; both edit the same document.
//
//     GtkWidget *source = som_source_panel_new(project);
//     som_source_panel_go_to(SOM_SOURCE_PANEL(source), offset);
//     som_source_panel_flush(SOM_SOURCE_PANEL(source)); // before anything else edits the text
//
// It follows the project by itself. What is typed goes into the project when the typing pauses, and
// is one step of undo until the typing goes on elsewhere, on another line, or after a while. Places
// with errors and warnings are underlined and marked at the margin; what is wrong is told where the
// pointer rests. The part that is selected is selected here, too, and the other way round.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_SOURCE_PANEL (som_source_panel_get_type())
G_DECLARE_FINAL_TYPE(SomSourcePanel, som_source_panel, SOM, SOURCE_PANEL, GtkBox)

// The project must outlive the panel.
GtkWidget *som_source_panel_new(SomProject *project);

// What was typed and is not in the project yet, to be freed; NULL if there is nothing. Signal
// "typed" tells that there is more of it.
char *som_source_panel_typed(SomSourcePanel *panel);

// What was typed goes into the project now: before it is saved, or edited elsewhere.
void som_source_panel_flush(SomSourcePanel *panel);

// Puts the cursor at a byte of the text and shows it.
void som_source_panel_go_to(SomSourcePanel *panel, uint32_t offset);

// Selects a piece of the text, unless somebody writes here. Signal "caret" (offset) tells where the
// user puts the cursor.
void som_source_panel_select(SomSourcePanel *panel, uint32_t begin, uint32_t end);

// Pieces of the text that stand out, as what a finding is about, until it changes or others do. The
// first is scrolled to; neither cursor nor focus goes there. 0: none.
void som_source_panel_set_marked(SomSourcePanel *panel, const SomSpan *spans, int count);
// Whether a byte of the text stands out so.
bool som_source_panel_is_marked(SomSourcePanel *panel, uint32_t offset);

// What is said of a byte of the text, as the pointer is told; NULL if nothing is. To be freed.
char *som_source_panel_words_at(SomSourcePanel *panel, uint32_t offset);
