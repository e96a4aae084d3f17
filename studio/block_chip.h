// studio/block_chip.h - a field of a block as it stands in its row, edited in place.
//
//     GtkWidget *field = som_block_chip_new(desk);
//     som_block_chip_set(SOM_BLOCK_CHIP(field), &(SomFieldShown){.block = 3, ...});
//     som_block_chip_edit(SOM_BLOCK_CHIP(field)); // as a click, or Enter on it, does
//
// Where there are few answers, or joints and parts to choose from, it shows them; else, and where
// none of these is wanted, its text becomes an entry: Enter applies, Tab applies and goes on,
// Escape and leaving it give back what it was. What is refused stays in the entry, which says why.
// Delete takes a clause or an argument away. A parameter that is left out stands there faintly with
// its default; what is typed instead becomes its argument.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"

#include <gtk/gtk.h>

#define SOM_TYPE_BLOCK_CHIP (som_block_chip_get_type())
G_DECLARE_FINAL_TYPE(SomBlockChip, som_block_chip, SOM, BLOCK_CHIP, GtkWidget)

GtkWidget *som_block_chip_new(SomDesk *desk); // which must outlive it

typedef struct SomFieldShown {
    int block;
    SomBlockKind of;
    SomFieldKind kind;
    int nth;
    const char *caption; // NULL: none
    const char *text;
    const char *words;          // what it is, for people: its tooltip and accessible name
    const char *const *answers; // joints or parts that fit, ended by NULL; NULL: anything is typed
    const char *adds; // NULL: it is written; else it is not, and this stands before what is typed
    bool is_read_only;
} SomFieldShown;

// Copied. While it is edited and still says the same, it goes on being edited.
void som_block_chip_set(SomBlockChip *field, const SomFieldShown *shown);
void som_block_chip_move(SomBlockChip *field, int block); // which has another number
void som_block_chip_edit(SomBlockChip *field);
bool som_block_chip_is_edited(const SomBlockChip *field);
bool som_block_chip_is(const SomBlockChip *field, SomFieldKind kind, int nth);
