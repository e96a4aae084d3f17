// studio/tour.h - a guided tour: five steps through the whole job, on a bar below what they are
// about.
//
//     GtkWidget *tour = som_tour_new(window); // hidden; its row stands at the lower edge
//     som_tour_begin(SOM_TOUR(tour));         // the first step
//     som_tour_go(SOM_TOUR(tour), 2);         // shows the mode and marks the panel of the third
//     som_tour_end(SOM_TOUR(tour));
//
// A step only tells and points: whoever follows it works in the window as always, and may leave at
// any moment. What a step asks for is looked for in the project, so that the tour can say that it
// is done. Steps whose mode is not there are left out.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/window.h"

#define SOM_TYPE_TOUR (som_tour_get_type())
G_DECLARE_FINAL_TYPE(SomTour, som_tour, SOM, TOUR, AdwBin)

GtkWidget *som_tour_new(SomWindow *window);

void som_tour_begin(SomTour *tour);
void som_tour_end(SomTour *tour);

// Cut to the steps there are.
void som_tour_go(SomTour *tour, int step);
int som_tour_step(SomTour *tour); // -1: it is not on
