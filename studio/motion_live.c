// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_live.h"

#include "studio/bell.h"
#include "studio/motion_worker.h"

struct SomMotionLive {
    SomDesk *desk;
    SomProject *project;
    SomListeners listeners;
    SomMotionWorker *worker;
    SomBell *bell; // that the worker rings
    bool is_wanted;
    bool is_stale;               // of the last state that was told
    bool is_busy;                // likewise
    long number;                 // of the last request that was not ended; 0: none
    SomComposition *composition; // that was asked for; held
    SomText behavior;            // likewise
    SomMotionRecord *record;     // the last one
};

// ---- what is told

// Of what the desk shows now.
static bool is_asked(const SomMotionLive *live) {
    return live->number > 0 && live->composition == som_project_model(live->project)->composition &&
           som_str_equal(som_text_str(&live->behavior), som_desk_behavior(live->desk));
}

static bool find_stale(const SomMotionLive *live) {
    return som_project_is_stale(live->project) || !is_asked(live) || live->record == NULL ||
           live->record->number != live->number;
}

static bool find_busy(const SomMotionLive *live) {
    bool is_done = live->record != NULL && live->record->number == live->number &&
                   (live->record->found != NULL || !som_motion_record_plays(live->record));
    return is_asked(live) && !is_done;
}

static void tell(SomMotionLive *live, unsigned changes) {
    bool is_stale = find_stale(live), is_busy = find_busy(live);
    bool is_other = is_stale != live->is_stale || is_busy != live->is_busy;
    live->is_stale = is_stale;
    live->is_busy = is_busy;
    changes |= is_other ? SOM_MOTION_STATE : 0U;
    if (changes != 0) {
        som_listeners_tell(&live->listeners, changes);
    }
}

// ---- from the worker

static void take(SomMotionLive *live, SomMotionRecord *record) {
    SomMotionRecord *old = live->record;
    live->record = record;
    tell(live, SOM_MOTION_RECORD);
    som_motion_record_release(old); // who has listened shows the new one by now
}

static void collect(void *context) {
    SomMotionLive *live = context;
    SomMotionRecord *record = som_motion_worker_collect(live->worker);
    if (record != NULL) {
        take(live, record);
    }
}

// ---- to the worker

static void forget(SomMotionLive *live) {
    som_composition_release(live->composition);
    live->composition = NULL;
    live->number = 0;
    som_text_clear(&live->behavior);
}

static void update(SomMotionLive *live) {
    bool is_possible = live->is_wanted && !som_project_is_stale(live->project) &&
                       som_desk_behavior(live->desk).length > 0;
    if (is_possible && !is_asked(live)) {
        forget(live);
        live->composition = som_composition_hold(som_project_model(live->project)->composition);
        som_text_add(&live->behavior, som_desk_behavior(live->desk));
        live->number =
            som_motion_worker_ask(live->worker, live->project, som_desk_behavior(live->desk));
    } else if (!is_possible && find_busy(live)) {
        som_motion_worker_cancel(live->worker);
        forget(live);
    }
    if (som_desk_behavior(live->desk).length == 0 && live->record != NULL) {
        take(live, NULL); // there is none that it could be an older one of
    }
    tell(live, 0);
}

static void on_desk(void *context, unsigned changes) {
    if ((changes & (SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR)) != 0) {
        update(context);
    }
}

// Also of a text with errors, of which the desk does not tell.
static void on_project(void *context, unsigned changes) {
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        update(context);
    }
}

void som_motion_live_want(SomMotionLive *live, bool is_wanted) {
    if (live->is_wanted != is_wanted) {
        live->is_wanted = is_wanted;
        update(live);
    }
}

// ---- life

SomMotionLive *som_motion_live_create(SomDesk *desk) {
    SomMotionLive *live = som_alloc(sizeof *live);
    live->desk = desk;
    live->project = som_desk_project(desk);
    live->is_stale = true;
    live->bell = som_bell_new(collect, live);
    live->worker = som_motion_worker_create(som_bell_ring, live->bell);
    som_desk_listen(desk, on_desk, live);
    som_project_listen(live->project, on_project, live);
    return live;
}

void som_motion_live_destroy(SomMotionLive *live) {
    if (live == NULL) {
        return;
    }
    som_project_unlisten(live->project, on_project, live);
    som_desk_unlisten(live->desk, on_desk, live);
    som_motion_worker_destroy(live->worker); // nobody is woken afterwards
    som_bell_silence(live->bell);
    som_bell_release(live->bell);
    som_motion_record_release(live->record);
    forget(live);
    som_text_free(&live->behavior);
    som_listeners_free(&live->listeners);
    som_free(live);
}

void som_motion_live_listen(SomMotionLive *live, SomListener listener, void *context) {
    som_listeners_add(&live->listeners, listener, context);
}

void som_motion_live_unlisten(SomMotionLive *live, SomListener listener, void *context) {
    som_listeners_remove(&live->listeners, listener, context);
}

const SomMotionRecord *som_motion_live_record(const SomMotionLive *live) {
    return live->record;
}

bool som_motion_live_is_stale(const SomMotionLive *live) {
    return find_stale(live);
}

bool som_motion_live_is_busy(const SomMotionLive *live) {
    return find_busy(live);
}
