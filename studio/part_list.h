// studio/part_list.h - parts of a configuration as rows of lists, for GTK's models.
//
//     GListStore *top = som_part_list_parts(configuration, 0);        // those right in the whole
//     GListStore *found = som_part_list_matches(configuration, "head"); // of all depths, by path
//     g_autoptr(SomPartRow) row = g_list_model_get_item(G_LIST_MODEL(top), 0);
//     som_part_row_part(row);                                         // an index of the
//     configuration
//
// Rows copy what they say, so that they may be on the screen for a moment after the configuration
// is gone. A list holds only one level: a tree asks for the next one when it is unfolded.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#include <gio/gio.h>

#define SOM_TYPE_PART_ROW (som_part_row_get_type())
G_DECLARE_FINAL_TYPE(SomPartRow, som_part_row, SOM, PART_ROW, GObject)

// All owned by the caller.
SomPartRow *som_part_row_new(const SomConfiguration *configuration, int part);
GListStore *som_part_list_parts(const SomConfiguration *configuration, int part);
GListStore *som_part_list_matches(const SomConfiguration *configuration, const char *wanted);

int som_part_row_part(const SomPartRow *row);
const char *som_part_row_place(const SomPartRow *row); // leg[2].head; of the whole it is empty
const char *som_part_row_name(const SomPartRow *row);  // leg[2]; of the whole the configuration's
const char *som_part_row_kind(const SomPartRow *row);  // Chain3, SMORES
const char *som_part_row_words(const SomPartRow *row); // "leg[2], Chain3 of 3 modules"
bool som_part_row_has_parts(const SomPartRow *row);
