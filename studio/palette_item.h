// studio/palette_item.h - what can be put into a behavior, as rows of a list and as what is
// dragged.
//
//     GPtrArray *entries = som_palette_entries(desk, "leg"); // that have "leg" in them, with
//     SomPaletteEntry *entry = g_ptr_array_index(entries, 0); // headings between them
//     som_builder_insert(desk, som_str(som_palette_entry_text(entry)));
//
// Entries copy what they say, so that they may be on the screen for a moment after the palette is
// gone.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"

#include <gio/gio.h>

#define SOM_TYPE_PALETTE_ENTRY (som_palette_entry_get_type())
G_DECLARE_FINAL_TYPE(SomPaletteEntry, som_palette_entry, SOM, PALETTE_ENTRY, GObject)

bool som_palette_entry_is_heading(const SomPaletteEntry *entry);
const char *som_palette_entry_title(const SomPaletteEntry *entry);
const char *som_palette_entry_params(const SomPaletteEntry *entry); // "(s: angle)", or ""
const char *som_palette_entry_text(const SomPaletteEntry *entry);   // to insert
const char *som_palette_entry_words(const SomPaletteEntry *entry);  // more about it, for a tooltip
const char *som_palette_entry_icon(const SomPaletteEntry *entry);
bool som_palette_entry_is_behavior(const SomPaletteEntry *entry); // its title is its path
bool som_palette_entry_is_possible(const SomPaletteEntry *entry); // else it would contain itself
bool som_palette_entry_equal(const SomPaletteEntry *a, const SomPaletteEntry *b);

// Those that have all of the words in `wanted` in them, for the behavior that is chosen. Owned.
GPtrArray *som_palette_entries(SomDesk *desk, const char *wanted);
