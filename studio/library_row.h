// studio/library_row.h - a row of the library: picture, name and numbers of an item, and what its
// parameters are given.
//
//     GtkWidget *row = som_library_row_new(item);
//     g_signal_connect(row, "changed", …);    // it has other arguments now

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/library_item.h"

#define SOM_TYPE_LIBRARY_ROW (som_library_row_get_type())
G_DECLARE_FINAL_TYPE(SomLibraryRow, som_library_row, SOM, LIBRARY_ROW, GtkListBoxRow)

GtkWidget *som_library_row_new(SomLibraryItem *item);
SomLibraryItem *som_library_row_item(SomLibraryRow *row);
