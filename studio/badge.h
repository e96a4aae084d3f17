// studio/badge.h - a button that says in a few words how a project is doing: stable, collides, ….
//
//     GtkWidget *badge = som_badge_new(project);
//     gtk_overlay_add_overlay(overlay, badge);
//     g_signal_connect_swapped(badge, "clicked", G_CALLBACK(show_findings), window);
//
// It follows the project by itself. While a verification takes long it says so; its tooltip lists
// what was found. Of an empty text it is not seen.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_BADGE (som_badge_get_type())
G_DECLARE_FINAL_TYPE(SomBadge, som_badge, SOM, BADGE, GtkButton)

// The project must outlive the badge.
GtkWidget *som_badge_new(SomProject *project);

// It is not seen while something else than the posture that it is about is.
void som_badge_set_muted(SomBadge *badge, bool is_muted);

// What it says, for tests.
const char *som_badge_words(SomBadge *badge);
