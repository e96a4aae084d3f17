// studio/window.h - a window of the studio: one project in its view, text, library and findings.
//
//     SomWindow *window = som_window_new(application);
//     som_window_open(window, "walker.som");
//     gtk_window_present(GTK_WINDOW(window));

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/findings_panel.h"
#include "studio/source_panel.h"
#include "studio/view.h"

#include <adwaita.h>

#define SOM_TYPE_WINDOW (som_window_get_type())
G_DECLARE_FINAL_TYPE(SomWindow, som_window, SOM, WINDOW, AdwApplicationWindow)

SomWindow *som_window_new(GtkApplication *application);

// A file, or a design of the library by its name. What is wrong with it is told in the window;
// false if there is nothing to show.
bool som_window_open(SomWindow *window, const char *path_or_name);

// For tests.
SomProject *som_window_project(SomWindow *window);
SomView *som_window_view(SomWindow *window);
