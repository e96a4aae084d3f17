// studio/simulate_card.h - what has become of a run in one engine, as a card: outcome, numbers,
// moments to jump to.
//
//     GtkWidget *card = som_simulate_card_new(session, index);
//     som_simulate_card_set_shown(card, true);      // the view shows this record

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/simulate_session.h"

#include <gtk/gtk.h>

GtkWidget *som_simulate_card_new(SomSession *session, int record);
void som_simulate_card_set_shown(GtkWidget *card, bool is_shown);
