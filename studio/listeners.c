// SPDX-License-Identifier: Apache-2.0
#include "studio/listeners.h"

static void drop_deaf(SomListeners *listeners) {
    int kept = 0;
    for (int i = 0; i < listeners->all.count; i++) {
        if (listeners->all.data[i].listener != NULL) {
            listeners->all.data[kept++] = listeners->all.data[i];
        }
    }
    listeners->all.count = kept;
}

void som_listeners_add(SomListeners *listeners, SomListener listener, void *context) {
    som_array_push(&listeners->all, ((struct SomListenerEntry){listener, context}));
}

void som_listeners_remove(SomListeners *listeners, SomListener listener, void *context) {
    for (int i = 0; i < listeners->all.count; i++) {
        struct SomListenerEntry *known = &listeners->all.data[i];
        if (known->listener == listener && known->context == context) {
            known->listener = NULL;
            break;
        }
    }
    if (listeners->telling == 0) {
        drop_deaf(listeners);
    }
}

void som_listeners_tell(SomListeners *listeners, unsigned changes) {
    listeners->telling++;
    for (int i = 0; i < listeners->all.count; i++) {
        struct SomListenerEntry to = listeners->all.data[i];
        if (to.listener != NULL) {
            to.listener(to.context, changes);
        }
    }
    listeners->telling--;
    if (listeners->telling == 0) {
        drop_deaf(listeners);
    }
}

void som_listeners_free(SomListeners *listeners) {
    som_array_free(&listeners->all);
}
