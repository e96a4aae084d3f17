// studio/simulate_session.h - what a window simulates: how, how far it is, what has become of it,
// and which moment of that is shown.
//
//     SomSession *session = som_session_create(desk, wake, window);
//     som_session_listen(session, on_change, panel);
//     som_session_start(session);         // the behavior of the desk
//     ... woken: som_session_collect(session) in the main loop tells the listeners ...
//     const SomPose *links = som_session_links(session);     // for the view; NULL: the posture
//     som_session_stop(session);
//     som_session_destroy(session);
//
// While it runs the playhead follows what runs; then it goes over a record, the last one unless
// another one is chosen. Records stay until the next start, whatever becomes of the text meanwhile.
// Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/physics.h"
#include "studio/playhead.h"

typedef struct SomSession SomSession;

typedef enum SomSessionChange {
    SOM_SESSION_STATE = 1,    // it has begun, is to stop, or is over
    SOM_SESSION_PROGRESS = 2, // som_session_now
    SOM_SESSION_LINKS = 4,
    SOM_SESSION_RECORDS = 8,   // another one, or none any more
    SOM_SESSION_SHOWN = 16,    // another record
    SOM_SESSION_AGE = 32,      // the text is another one than that of the records, or is it again
    SOM_SESSION_TRACE = 128,   // som_session_trace
    SOM_SESSION_SETTINGS = 64, // what the next start will do; also which behaviors there are
} SomSessionChange;

// `wake` is called from a thread and must not call the session. The desk must outlive it.
SomSession *som_session_create(SomDesk *desk, void (*wake)(void *context), void *context);
void som_session_destroy(SomSession *session); // waits for what runs; NULL is allowed

// Nothing is started and nobody is told any more. What runs is to stop, and belongs to the caller:
// who does not want to wait destroys it in another thread. NULL if that was done already.
SomPhysics *som_session_give_up(SomSession *session);

// As som_project_listen.
void som_session_listen(SomSession *session, SomListener listener, void *context);
void som_session_unlisten(SomSession *session, SomListener listener, void *context);

SomDesk *som_session_desk(SomSession *session);
SomPlayhead *som_session_head(SomSession *session);

// ---- what the next start will do

typedef struct SomSessionSettings {
    SomPhysicsEngines engines;
    double duration; // seconds, at most
    bool is_paced;   // no faster than the wall
    bool stands;     // no behavior
} SomSessionSettings;

const SomSessionSettings *som_session_settings(const SomSession *session);
void som_session_set_settings(SomSession *session, const SomSessionSettings *settings);

// What stands between the parentheses of the call; forgotten when another behavior is chosen.
SomStr som_session_arguments(const SomSession *session);
void som_session_set_arguments(SomSession *session, SomStr arguments);

// "walk(2)"; "" if it stands.
void som_session_print_call(const SomSession *session, SomText *out);
// As they are written, "n: count, s: angle = 12deg"; empty if it takes none.
SomStr som_session_params(const SomSession *session);

// ---- the run

bool som_session_can_start(const SomSession *session); // there is a design
void som_session_start(SomSession *session);           // anew, if it runs
void som_session_stop(SomSession *session);
void som_session_collect(SomSession *session); // after it was woken

bool som_session_is_running(const SomSession *session);
bool som_session_is_stopping(const SomSession *session);
const SomPhysicsNow *som_session_now(const SomSession *session);

// ---- what has become of it

int som_session_count(const SomSession *session); // of records
// Borrowed until the next start; who needs it longer holds it.
SomPhysicsRecord *som_session_record(const SomSession *session, int index);
bool som_session_is_old(const SomSession *session); // they are of another text

#define SOM_SESSION_LIVE (-1)
// SOM_SESSION_LIVE while it runs follows that.
void som_session_show(SomSession *session, int record);
int som_session_shown(const SomSession *session);
// That record; while it runs, the last one so far. NULL: there is none that ran.
SomPhysicsRecord *som_session_shown_record(const SomSession *session);

// What was recorded so far of what runs, while that is followed; NULL: it is not, or is nothing
// yet.
const SomPhysicsTrace *som_session_trace(const SomSession *session);

bool som_session_can_play(const SomSession *session); // a record is shown, and not what runs

// Shows the record at that time.
void som_session_jump(SomSession *session, int record, double time);

// Modules that touch for the first time at the playhead, or shortly before it; how many. Of the
// record that is shown.
int som_session_touching(const SomSession *session, int modules[2]);

// Where the links of the project's model are at the playhead. NULL: nothing ran yet, or the design
// has other links now.
const SomPose *som_session_links(SomSession *session);
