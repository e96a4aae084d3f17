// studio/transport.h - buttons that play a motion: to its beginning, play and pause, loop, speed;
// and what time it is in it.
//
//     GtkWidget *transport = som_transport_new(head); // studio/playhead.h; must outlive it
//     gtk_box_append(GTK_BOX(transport), status);     // it is a box: more may stand behind
//
// While the head plays, the transport advances it for every frame that is drawn of its window, also
// if it is not seen itself.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/playhead.h"

#include <gtk/gtk.h>

#define SOM_TYPE_TRANSPORT (som_transport_get_type())
G_DECLARE_FINAL_TYPE(SomTransport, som_transport, SOM, TRANSPORT, GtkBox)

GtkWidget *som_transport_new(SomPlayhead *head);
