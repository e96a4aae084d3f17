// studio/window_internal.h - what the files of the window share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/application.h"
#include "studio/badge.h"
#include "studio/desk.h"
#include "studio/live_check.h"
#include "studio/motion_panel.h"
#include "studio/tour.h"
#include "studio/window_modes.h"

// What was shown of a mode when it was left. Zero: it was not shown yet.
typedef struct SomModePages {
    GtkWidget *side, *below; // children of their stacks
    int side_width, below_height;
} SomModePages;

struct _SomWindow {
    AdwApplicationWindow parent_instance;
    SomApplication *application; // NULL where there is none, as in tests
    SomProject *project;
    SomDesk *desk;                    // of the project
    struct SomSimulateLive *simulate; // simulate_live.c; NULL: nothing was simulated yet
    SomLiveCheck *check;
    SomText library; // its folder

    GtkStack *pages; // "start" and "work"
    AdwWindowTitle *title;
    AdwToastOverlay *toasts;
    GtkWidget *mode_switch, *narrow_mode_switch; // in the header, at the lower edge
    SomMode mode;
    SomModePages mode_pages[SOM_MODES];
    GtkStack *lefts;         // a page for each mode
    GtkWidget *side, *below; // with the pages of `sides` and `belows`, and a switch
    GtkStack *sides;         // "text", and one for each mode
    GtkStack *belows;        // "findings", and one for some modes
    GtkWidget *below_switch;
    GtkPaned *beside, *column; // the view and `side`, the view and `below`
    SomView *view;
    SomBadge *badge;     // over the view
    SomPlacing *placing; // in the view
    SomSourcePanel *source;
    SomFindingsPanel *findings;
    SomTour *tour;
    SomMotionPanel *motion; // the page "Timeline"; NULL until its mode was shown
    bool is_narrow;         // library and side take turns

    SomText target;                                     // where it is being saved
    void (*then)(SomWindow *);                          // when it is
    SomText export_format, export_behavior, export_out; // chosen last
    int draft;             // slot of the application's drafts; -1: none yet
    guint typing;          // timer of the draft of what is being typed; 0: none
    GFileMonitor *monitor; // of the project's file
    uint64_t stamp;        // of the file when it was read or written last
    guint look;            // timer: what has become of the file; 0: none
    bool is_asking;        // what to do with what another program wrote
};

// Under which the files that were used are listed.
#define SOM_RECENT_NAME "Somite"

bool som_window_shows_start(const SomWindow *window);

// ---- window_panels.c

void som_window_install_panels(GObjectClass *klass);
void som_window_allocated(SomWindow *window, int width);
void som_window_show_findings(SomWindow *window);

// ---- window_modes.c

GtkWidget *som_window_make_work(SomWindow *window, GtkWidget *center);
GtkWidget *som_window_make_mode_switch(SomWindow *window);
void som_window_place_mode_switch(SomWindow *window); // where there is room for it

// ---- builder_actions.c

// The left panel of the mode for behaviors works with the window's blocks and text.
void som_window_join_builder(SomWindow *window, GtkWidget *panel);

// ---- motion_actions.c

GtkWidget *som_window_make_motion(SomWindow *window);

// ---- window_files.c

void som_window_files_init(SomWindow *window);
void som_window_files_dispose(SomWindow *window);

// After a change of the project.
void som_window_files_changed(SomWindow *window, unsigned changes);

// False if there is something to be saved; then the user is asked.
bool som_window_may_close(SomWindow *window);

// ---- window_disk.c

void som_window_watch_init(SomWindow *window);
void som_window_watch(SomWindow *window); // the file of the project, as it is now
void som_window_look_soon(SomWindow *window);
void som_window_unwatch(SomWindow *window);
bool som_window_is_overtaken(SomWindow *window); // by another program that wrote something else
