// studio/widgets.h - small things that panels share.
//
//     GtkWidget *facts = som_facts_new();
//     som_facts_set(facts, 0, "Mass", "1.2 kg");
//     GtkWidget *button = som_icon_button("user-trash-symbolic", "Remove this pose");
//     som_choice_set(angles, names, chosen, panel); // does not tell the panel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <adwaita.h>

// A copy for GLib, which frees it.
char *som_c_string(SomStr text);

void som_set_accessible_name(gpointer widget, const char *name); // of a widget of any kind

// The words are its tooltip and its accessible name.
GtkWidget *som_icon_button(const char *icon, const char *words);

// The wheel scrolls what the widget lies in and does not change its value.
void som_ignore_wheel(GtkWidget *widget);

// Two columns of titles and values that can be copied. Rows are made as they are set; no value: the
// row is not shown.
GtkWidget *som_facts_new(void);
void som_facts_set(GtkWidget *facts, int row, const char *title, const char *value);

// A drop-down list of texts, with a search where `is_long`.
GtkWidget *som_choice_new(const char *words, bool is_long);
// Takes the texts, which are freed. Handlers of the choice that were connected with `owner` are not
// called.
void som_choice_set(GtkDropDown *choice, GPtrArray *texts, guint chosen, gpointer owner);

// An entry of a number. Leaving it does not round what it shows rounded, and the wheel scrolls.
GtkWidget *som_number_new(GtkAdjustment *value, int digits);

// Escape closes a dialog; before its entries see it, which take it to themselves, or after them.
void som_close_by_escape(GtkWidget *dialog, GtkPropagationPhase phase);

// Room around and between the children of a box.
void som_pad(GtkWidget *box);

// A group of rows with a title.
GtkWidget *som_group_new(const char *title);

// A row with a title before a control, which gets its name.
GtkWidget *som_control_row(const char *title, GtkWidget *control);

// An entry of a name: `applied` (entry, data) is called with Enter or its button, and the
// focus goes to the view if it took the name; Escape, and leaving it, give back what it was.
AdwEntryRow *som_name_row_new(const char *title, GCallback applied, gpointer data);
void som_name_row_set(AdwEntryRow *row, SomStr name);
