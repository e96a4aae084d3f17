// studio/library_item.h - something to build with: a module type or a configuration, with the
// arguments it is wanted with and a picture of it.
//
//     SomLibraryItem *item = som_library_item_new(&entry, false);
//     som_library_item_set_argument(item, 0, "3");
//     som_library_item_reference(item);                  // "Snake(n = 3)"
//     g_signal_connect(item, "notify::picture", …);
//
// What is dragged from the library into the view.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/catalog.h"

#include <gtk/gtk.h>

#define SOM_TYPE_LIBRARY_ITEM (som_library_item_get_type())
G_DECLARE_FINAL_TYPE(SomLibraryItem, som_library_item, SOM, LIBRARY_ITEM, GObject)

// The entry is copied. `is_beside`: of a file beside the open one, not of the library.
SomLibraryItem *som_library_item_new(const SomCatalogEntry *entry, bool is_beside);

const SomCatalogEntry *som_library_item_entry(const SomLibraryItem *item);
bool som_library_item_is_beside(const SomLibraryItem *item);
const char *som_library_item_title(const SomLibraryItem *item);     // Snake
const char *som_library_item_reference(const SomLibraryItem *item); // Snake(n = 3)
const char *
som_library_item_words(const SomLibraryItem *item); // "18 modules, 72 joints", "smores, 4 joints"

// As they are written in a design: 3, 45deg; empty: the default.
const char *som_library_item_argument(const SomLibraryItem *item, int param);
void som_library_item_set_argument(SomLibraryItem *item, int param, const char *text);

// NULL until it is drawn. Property "picture".
GdkTexture *som_library_item_picture(const SomLibraryItem *item);
void som_library_item_set_picture(SomLibraryItem *item, GdkTexture *picture);
