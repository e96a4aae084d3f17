// tests/studio/ui.h - the studio driven as a person does: real pointer and key events of the X
// server.
//
//     START_TEST(a_click_chooses_a_module) {
//         SomWindow *window = som_ui_window("walkbot");
//         som_ui_click(som_ui_find(window, "SomView", NULL));
//         SOM_UI_WAIT(som_project_selected(som_window_project(window)) >= 0);
//         som_ui_key(window, "<Control>z");
//         som_ui_compare(som_ui_find(window, NULL, "Undo"), "undo_button", SOM_UI_STRICT);
//         som_ui_close(window);
//     }
//     END_TEST
//
// Nothing sleeps: every call returns after its events were handled and drawn, and SOM_UI_WAIT runs
// the main loop until a condition holds. What takes longer than the deadline, a widget that is not
// there, and every warning of GTK fail the test. Run by on_display.py: each test is a process of
// its own (Check forks). Widgets are `void *` so that no casts are needed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/image.h"
#include "studio/window.h"

// ---- windows

// GTK as the tests want it: no animations, one font. Called by som_ui_window.
void som_ui_start(void);
void som_ui_ignore_quarks(void); // what GLib loses; called by som_ui_start

// A window that has drawn its first frame, of a file or a design of the library; NULL: empty.
SomWindow *som_ui_window(const char *path_or_name);

// As a person who throws away what is not saved; fails if anything still holds the window.
void som_ui_close(SomWindow *window);

// ---- waiting

#define SOM_UI_WAIT(condition)                                                                     \
    do {                                                                                           \
        int64_t som_ui_end = som_ui_deadline();                                                    \
        while (!(condition)) {                                                                     \
            som_ui_step(som_ui_end, #condition, __FILE__, __LINE__);                               \
        }                                                                                          \
    } while (0)

int64_t som_ui_deadline(void);
void som_ui_step(int64_t deadline, const char *condition, const char *file, int line);

// All events are handled and two frames of the widget's window are drawn.
void som_ui_settle(void *widget);

// ---- looking

// The first widget on screen, in depth-first order, of this type or CSS name ("GtkButton",
// "button"; NULL: any) and of this name (NULL: any): its accessible label, or the words on it, or
// its tooltip. Fails if there is none.
GtkWidget *som_ui_find(void *root, const char *type, const char *name);
GtkWidget *som_ui_look_for(void *root, const char *type, const char *name); // NULL if there is none
int som_ui_count(void *root, const char *type, const char *name);

// Does any widget on screen show these words, perhaps among others?
bool som_ui_says(void *root, const char *words);

// The window on top of all: a dialog, if there is one.
GtkWindow *som_ui_top(void);

// ---- pointer and keys

// Places are in pixels of the widget, from its upper left corner.
void som_ui_move(void *widget, double x, double y);
void som_ui_press(void *widget, unsigned button); // where the pointer is
void som_ui_release(void *widget, unsigned button);
void som_ui_click(void *widget); // in its middle, with the left button
void som_ui_click_at(void *widget, double x, double y, unsigned button);
void som_ui_double_click(void *widget);
void som_ui_drag(void *widget, double x0, double y0, double x1, double y1, unsigned button);
void som_ui_scroll(void *widget, int steps); // where the pointer is; positive is down

// Drag and drop: picks up what is in the middle of one widget and holds it over a place of another;
// som_ui_move carries it on, som_ui_release(to, 1) drops it.
void som_ui_carry(void *from, void *to, double x, double y);

// A key with modifiers as in "<Control><Shift>z", to the window of the widget.
void som_ui_key(void *widget, const char *accelerator);
void som_ui_hold(void *widget, const char *key, bool is_down); // "Shift_L"
void som_ui_type(void *widget, const char *ascii);             // '\n' is Return, '\t' is Tab

// ---- pictures

typedef enum SomUiMeasure {
    // 0.1 % of the pixels may differ by more than 8 of 255: for what GTK draws, in small pieces.
    SOM_UI_STRICT,
    // Means of 8 by 8 pixels are compared, of which 1 % may differ by more than 12 of 255: for what
    // GL draws, whose edges are not the same with every processor and every Mesa.
    SOM_UI_LOOSE,
} SomUiMeasure;

// With tests/studio/golden/NAME.png, or a name with a folder from the root of the tree
// ("docs/pictures/studio"); with SOM_UPDATE set that is written anew: look at it. On a
// difference the picture and the golden one stand in the build folder, and the failure names them.
void som_ui_compare(void *widget, const char *name, SomUiMeasure measure);

SomImage som_ui_grab(void *widget);
bool som_ui_is_alike(const SomImage *image, const SomImage *golden, SomUiMeasure measure);

// As a PNG file; fails the test if it cannot be written.
void som_ui_save_picture(void *widget, const char *path);
