// studio/connection_row.h - a connection as a row: its two ends, its angle to be chosen, and a
// button that takes it apart.
//
//     GtkWidget *row = som_connection_row_new(project);
//     som_connection_row_set(SOM_CONNECTION_ROW(row), connection, own_is_a);
//
// Offered are the angles that the rule of the two connectors has. Each choice is one step of undo.
// What another config has connected can be read only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <adwaita.h>

#define SOM_TYPE_CONNECTION_ROW (som_connection_row_get_type())
G_DECLARE_FINAL_TYPE(SomConnectionRow, som_connection_row, SOM, CONNECTION_ROW, AdwActionRow)

GtkWidget *som_connection_row_new(SomProject *project);

// A connection of the model; `own_is_a`: its end a is the one of the part that is shown.
void som_connection_row_set(SomConnectionRow *row, int connection, bool own_is_a);
