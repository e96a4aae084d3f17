// studio/window_internal.h - what the files of the window share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/live_check.h"
#include "studio/window.h"

struct _SomWindow {
    AdwApplicationWindow parent_instance;
    SomProject *project;
    SomLiveCheck *check;
    SomText library; // its folder

    GtkStack *pages; // "start" and "work"
    AdwWindowTitle *title;
    AdwToastOverlay *toasts;
    GtkWidget *designs; // the panel of the library
    GtkWidget *side;    // with the pages of `sides`
    GtkStack *sides;    // "inspector" and "text"
    GtkWidget *below;   // the panel of findings
    SomView *view;
    SomSourcePanel *source;
    SomFindingsPanel *findings;
    bool is_narrow; // library and side take turns
};

// ---- window_files.c

void som_window_files_init(SomWindow *window);
void som_window_files_dispose(SomWindow *window);

// After a change of the project.
void som_window_files_changed(SomWindow *window, unsigned changes);
