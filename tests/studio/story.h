// tests/studio/story.h - what stories of designers share: the library, connectors in the view,
// text.
//
//     som_story_carry(window, "Chain3", "body.front.middle", "L"); // over this connector
//     som_story_turn_to(window, "head.L", 270);                    // by Tab and the wheel
//     som_ui_release(som_window_view(window), 1);                  // dropped
//     SOM_UI_WAIT(som_story_modules(window) == 9);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/studio/ui.h"

// The row of the library with this name, after it was typed into the search.
GtkWidget *som_story_row(SomWindow *window, const char *name);

// Where a connector is in the view; the camera looks from the side it can be seen from.
void som_story_place_of(SomWindow *window, const char *module, const char *connector, double *x,
                        double *y);

// Takes a row of the library and holds it over a connector; all of the view if `module` is NULL.
void som_story_carry(SomWindow *window, const char *name, const char *module,
                     const char *connector);

// What is held hangs by this connector of it, at this angle in degrees.
void som_story_turn_to(SomWindow *window, const char *own, double angle);

// A click on a module where it is seen; it is selected then.
void som_story_select(SomWindow *window, const char *module);

int som_story_modules(SomWindow *window); // of the design; 0: there is none
const char *som_story_text(SomWindow *window);

// Ctrl+Z or Ctrl+Shift+Z as often as there is something. How often that was.
int som_story_undo_all(SomWindow *window);
int som_story_redo_all(SomWindow *window);

// The verdict is that of the design as it is now.
const SomPostureVerdict *som_story_verdict(SomWindow *window);

// A folder of its own, and a file in it; both are removed by the second call.
char *som_story_file(const char *name);
void som_story_remove(char *path);
