// studio/listeners.h - who is told of the changes of a thing.
//
//     typedef struct Lamp { SomListeners listeners; } Lamp;
//     som_listeners_add(&lamp->listeners, on_change, panel);
//     som_listeners_tell(&lamp->listeners, LAMP_IS_LIT);     // on_change(panel, LAMP_IS_LIT)
//     som_listeners_remove(&lamp->listeners, on_change, panel);
//     som_listeners_free(&lamp->listeners);
//
// They are told in the order they came. Who is told may stop listening, or others listening, begin
// to listen, and make the next change.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"

typedef void (*SomListener)(void *context, unsigned changes);

// Zero is nobody.
typedef struct SomListeners {
    SOM_ARRAY(struct SomListenerEntry {
        SomListener listener; // NULL: it does not listen any more
        void *context;
    })
    all;
    int telling; // calls of som_listeners_tell, one inside the other
} SomListeners;

void som_listeners_add(SomListeners *listeners, SomListener listener, void *context);
void som_listeners_remove(SomListeners *listeners, SomListener listener, void *context);
void som_listeners_tell(SomListeners *listeners, unsigned changes);
void som_listeners_free(SomListeners *listeners);
