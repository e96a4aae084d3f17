// SPDX-License-Identifier: Apache-2.0
#include "studio/live_check.h"

#include <glib.h>

// Held by its owner and by a call of the main loop that is on its way.
struct SomLiveCheck {
    SomProject *project; // NULL: it was stopped; only the main loop looks at it
    gint is_called;      // a call is on its way
};

static gboolean collect(gpointer data) {
    SomLiveCheck *check = data;
    g_atomic_int_set(&check->is_called, FALSE); // an answer that comes from now on calls again
    if (check->project != NULL) {
        som_project_collect(check->project);
    }
    return G_SOURCE_REMOVE;
}

// In the thread that verifies.
static void wake(void *context) {
    SomLiveCheck *check = context;
    if (g_atomic_int_compare_and_exchange(&check->is_called, FALSE, TRUE)) {
        g_idle_add_full(G_PRIORITY_DEFAULT, collect, g_atomic_rc_box_acquire(check),
                        g_atomic_rc_box_release);
    }
}

SomLiveCheck *som_live_check_start(SomProject *project) {
    SomLiveCheck *check = g_atomic_rc_box_new0(SomLiveCheck);
    check->project = project;
    som_project_set_wake(project, wake, check);
    return check;
}

void som_live_check_stop(SomLiveCheck *check) {
    if (check != NULL) {
        som_project_set_wake(check->project, NULL, NULL); // nobody is woken afterwards
        check->project = NULL;
        g_atomic_rc_box_release(check);
    }
}
