// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_live.h"

#include "studio/bell.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

typedef struct SomSimulateLive Live;
struct SomSimulateLive {
    SomWindow *window; // NULL: it is closed
    SomSession *session;
    SomBell *bell; // that the physics rings
    bool is_shown; // the view has its links
    int glowing;   // modules in the view
};

// ---- shown

static void show(Live *live) {
    if (som_window_mode(live->window) != SOM_MODE_SIMULATE) {
        live->is_shown = false; // the window has taken them back
        live->glowing = 0;
        return;
    }
    const SomPose *links = som_session_links(live->session);
    if (links != NULL || live->is_shown) {
        som_view_show_links(live->window->view, links);
    }
    live->is_shown = links != NULL;
    int modules[2] = {0}, count = som_session_touching(live->session, modules);
    if (count > 0 || live->glowing > 0) {
        som_view_set_glow(live->window->view, modules, count);
    }
    live->glowing = count;
}

static void on_change(void *context, unsigned changes) {
    Live *live = context;
    if ((changes & (SOM_SESSION_LINKS | SOM_SESSION_SHOWN)) != 0) {
        show(live);
    }
    if ((changes & (SOM_SESSION_STATE | SOM_SESSION_RECORDS | SOM_SESSION_SHOWN)) != 0) {
        som_actions_refresh(live->window);
    }
}

static void on_mode(SomWindow *window) {
    Live *live = window->simulate;
    if (live != NULL && live->window != NULL) {
        if (som_window_mode(window) != SOM_MODE_SIMULATE) {
            som_playhead_pause(som_session_head(live->session));
        }
        show(live);
        som_actions_refresh(window);
    }
}

// ---- life

static void collect(void *live) {
    som_session_collect(((Live *)live)->session);
}

SomSession *som_window_session(SomWindow *window) {
    if (window->simulate == NULL) {
        Live *live = g_new0(Live, 1);
        live->window = window;
        live->bell = som_bell_new(collect, live);
        live->session = som_session_create(window->desk, som_bell_ring, live->bell);
        som_session_listen(live->session, on_change, live);
        window->simulate = live;
        g_signal_connect(window, "notify::mode", G_CALLBACK(on_mode), NULL);
    }
    return window->simulate->session;
}

typedef struct Ending {
    SomPhysics *physics;
    SomBell *bell;             // that the physics rings
    GApplication *application; // NULL: there is none
} Ending;

static void end(GTask *task, gpointer source, gpointer data, GCancellable *unused) {
    (void)source;
    (void)unused;
    Ending *ending = data;
    som_physics_destroy(ending->physics);
    g_task_return_boolean(task, TRUE);
}

static void on_ended(GObject *source, GAsyncResult *result, gpointer unused) {
    (void)source;
    (void)unused;
    Ending *ending = g_task_get_task_data(G_TASK(result));
    if (ending->application != NULL) {
        g_application_release(ending->application);
        g_object_unref(ending->application);
    }
    som_bell_release(ending->bell);
}

// The window is held until all is over: who waits for it waits for the thread.
void som_window_end_session(SomWindow *window) {
    Live *live = window->simulate;
    if (live == NULL || live->window == NULL) {
        return;
    }
    live->window = NULL;
    som_bell_silence(live->bell);
    som_session_unlisten(live->session, on_change, live);
    Ending *ending = g_new0(Ending, 1);
    ending->physics = som_session_give_up(live->session);
    ending->bell = som_bell_hold(live->bell);
    if (window->application != NULL) {
        ending->application = g_object_ref(G_APPLICATION(window->application));
        g_application_hold(ending->application);
    }
    g_autoptr(GTask) task = g_task_new(window, NULL, on_ended, NULL);
    g_task_set_task_data(task, ending, g_free);
    g_task_run_in_thread(task, end);
}

static gboolean destroy_session(gpointer data) {
    som_session_destroy(data);
    return G_SOURCE_REMOVE;
}

// Later, as the project: widgets that know it may still be held.
void som_window_free_session(SomWindow *window) {
    if (window->simulate != NULL) {
        g_idle_add(destroy_session, window->simulate->session);
        som_bell_release(window->simulate->bell);
        g_clear_pointer(&window->simulate, g_free);
    }
}
