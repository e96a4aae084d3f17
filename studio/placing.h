// studio/placing.h - the hand in the view: parts are carried, turned and dropped, connectors are
// connected and parts moved by them.
//
//     SomPlacing *placing = som_placing_attach(view, project);
//     gtk_overlay_add_overlay(overlay, som_placing_hint(placing)); // says what is happening
//     som_placing_begin(placing, item);                            // by keys
//
// Carried by the pointer: a ghost is where the part would be, connectors that fit are green; the
// wheel, [ and ] or Q and E turn it by the angles that are offered, Tab takes another connector of
// it, Escape leaves. By keys besides: arrows go to other connectors of the design, Enter drops, and
// so does a click. A connector is dragged to another to move its part there, or where both face
// each other already, to connect them; clicking a connector of the selected module and then another
// one connects the two. All this is an assembly, see studio/assembly.h.
//
// Signal "refused" (string): why nothing can be done.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/assembly.h"
#include "studio/library_item.h"
#include "studio/view.h"

#define SOM_TYPE_PLACING (som_placing_get_type())
G_DECLARE_FINAL_TYPE(SomPlacing, som_placing, SOM, PLACING, GObject)

// Owned by the view.
SomPlacing *som_placing_attach(SomView *view, SomProject *project);

GtkWidget *som_placing_hint(SomPlacing *placing);
const SomAssembly *som_placing_assembly(const SomPlacing *placing);

// By keys; false if it is refused. The first part of a design is dropped at once.
bool som_placing_begin(SomPlacing *placing, SomLibraryItem *item);
bool som_placing_begin_copy(SomPlacing *placing, SomStr part);
bool som_placing_begin_move(SomPlacing *placing, int module);
bool som_placing_begin_connect(SomPlacing *placing, int module, int connector); // -1: the first
// At once: what is selected is turned where it is, by so many of the offered angles.
bool som_placing_turn(SomPlacing *placing, int steps);
void som_placing_cancel(SomPlacing *placing);

// By a pointer that another widget holds; places are those of `from`.
bool som_placing_carry(SomPlacing *placing, SomLibraryItem *item);
void som_placing_carry_to(SomPlacing *placing, GtkWidget *from, double x, double y);
void som_placing_carry_end(SomPlacing *placing); // drops it, if it is over the view
