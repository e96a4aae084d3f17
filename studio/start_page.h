// studio/start_page.h - what a studio begins with: designs to look at, files used before, and what
// is left of work that was not saved.
//
//     GtkWidget *page = som_start_page_new(window);
//     gtk_stack_add_named(pages, page, "start");

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

#define SOM_TYPE_START_PAGE (som_start_page_get_type())
G_DECLARE_FINAL_TYPE(SomStartPage, som_start_page, SOM, START_PAGE, GtkBox)

// The window is borrowed and must outlive the page.
GtkWidget *som_start_page_new(SomWindow *window);

// After drafts were restored or given up.
void som_start_page_refresh(SomStartPage *page);
