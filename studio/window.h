// studio/window.h - a window of the studio: one project in its view, text, library and findings.
//
//     SomWindow *window = som_window_new(application);
//     som_window_open(window, "walker.som");
//     gtk_window_present(GTK_WINDOW(window));
//
// The panels listen to the project themselves; the window lays them out, has the actions
// (studio/window_actions.h), says what was refused, and keeps the project and its file together
// (window_files.c).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/findings_panel.h"
#include "studio/placing.h"
#include "studio/source_panel.h"
#include "studio/view.h"

#include <adwaita.h>

#define SOM_TYPE_WINDOW (som_window_get_type())
G_DECLARE_FINAL_TYPE(SomWindow, som_window, SOM, WINDOW, AdwApplicationWindow)

SomWindow *som_window_new(GtkApplication *application); // with an empty design

// A file, or a design of the library by its name. What is wrong with it is told in the window;
// false if there is nothing to show.
bool som_window_open(SomWindow *window, const char *path_or_name);

// The window that shows a file already; NULL if there is none.
SomWindow *som_window_find(const char *path);

// Opens it where it belongs: in the window that shows it already, in this one if it is still empty,
// else in a new one. Returns that window; NULL if there is nothing to show.
SomWindow *som_window_open_beside(SomWindow *window, const char *path_or_name);

// A text that no file has yet, as a new design: an import, a draft. Beside it, as above. `saved` is
// what the file at `path` held; if it holds something else by now, the user is asked.
SomWindow *som_window_begin_beside(SomWindow *window, SomStr path, SomStr saved, SomStr text);

// The page to begin with, in place of the empty design, until there is something.
void som_window_show_start(SomWindow *window);

// What studios that were killed have left, if the page to begin with does not show it.
void som_window_offer_recovered(SomWindow *window);

// Whether what it shows, the view or the page to begin with, was drawn.
bool som_window_is_drawn(SomWindow *window);

// A line over the lower edge for some seconds.
void som_window_tell(SomWindow *window, const char *words);

// The first of the reports, if there is any.
void som_window_tell_report(SomWindow *window, const SomDiagnostics *diags);

// Shows the text at a place of it.
void som_window_go_to(SomWindow *window, uint32_t offset);

// What was typed into the text goes into the project now.
void som_window_flush(SomWindow *window);

SomProject *som_window_project(SomWindow *window);
SomDesk *som_window_desk(SomWindow *window); // what of its behaviors is worked on
SomView *som_window_view(SomWindow *window);
SomPlacing *som_window_placing(SomWindow *window); // what is held in the view
