// studio/file_dialog.h - asks for files to open or a place to save to.
//
//     som_file_dialog(window, &(SomFileDialog){.title = "Open designs", .accept = "_Open",
//                                              .kind = "Designs (.som)", .patterns = "*.som",
//                                              .is_many = true, .take = open_all});

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

typedef struct SomFileDialog {
    GtkFileChooserAction action; // zero: to open
    const char *title;
    const char *accept;   // the button's words
    const char *kind;     // of files that are shown; NULL: all
    const char *patterns; // of their names, with blanks between
    const char *name;     // suggested for what is saved; NULL: none
    const char *path;     // where to begin; NULL: where one was last
    bool is_many;
    void (*take)(SomWindow *window, const char *const *paths); // NULL ends them; at least one
} SomFileDialog;

// Returns at once; `take` is called if the user accepts while the window lives.
void som_file_dialog(SomWindow *window, const SomFileDialog *dialog);
