// SPDX-License-Identifier: Apache-2.0
#include "studio/bell.h"

#include <glib.h>

struct SomBell {
    void (*answer)(void *context); // NULL: silenced; only the main loop looks at it
    void *context;
    gint is_called; // a call is on its way
};

SomBell *som_bell_new(void (*answer)(void *context), void *context) {
    SomBell *bell = g_atomic_rc_box_new0(SomBell);
    bell->answer = answer;
    bell->context = context;
    return bell;
}

static gboolean on_rung(gpointer data) {
    SomBell *bell = data;
    g_atomic_int_set(&bell->is_called, FALSE); // what comes from now on calls again
    if (bell->answer != NULL) {
        bell->answer(bell->context);
    }
    return G_SOURCE_REMOVE;
}

void som_bell_ring(void *data) {
    SomBell *bell = data;
    if (g_atomic_int_compare_and_exchange(&bell->is_called, FALSE, TRUE)) {
        g_idle_add_full(G_PRIORITY_DEFAULT, on_rung, g_atomic_rc_box_acquire(bell),
                        g_atomic_rc_box_release);
    }
}

void som_bell_silence(SomBell *bell) {
    bell->answer = NULL;
}

SomBell *som_bell_hold(SomBell *bell) {
    return g_atomic_rc_box_acquire(bell);
}

void som_bell_release(SomBell *bell) {
    g_atomic_rc_box_release(bell);
}
