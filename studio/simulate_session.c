// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_session.h"

#include <assert.h>
#include <math.h>

#define TOUCH_SEEN 0.3 // seconds

struct SomSession {
    SomDesk *desk;
    SomProject *project; // of the desk
    SomPhysics *physics; // NULL: given up
    SomPlayhead *head;
    SomListeners listeners;

    SomSessionSettings settings;
    SomText arguments, behavior; // they are of

    bool is_running, is_stopping;
    SomPhysicsNow now;
    SomText text, choice; // that ran last
    uint64_t robot;       // that ran last: a number made of its links
    bool is_old, is_other_robot;

    SOM_ARRAY(SomPhysicsRecord *) records;
    int shown;
    SomPhysicsLinks live;
    SomPhysicsTrace trace;
    SOM_ARRAY(SomPose) links; // of the record that is shown
};

static void tell(SomSession *session, unsigned changes) {
    if (session->physics != NULL) {
        som_listeners_tell(&session->listeners, changes);
    }
}

// ---- which text, which robot

// Of the names of all links: others are another robot. FNV-1a.
static uint64_t robot_of(const SomProject *project) {
    const SomMechanism *mechanism = som_project_model(project)->mechanism;
    uint64_t number = 14695981039346656037U;
    for (int i = 0; mechanism != NULL && i < mechanism->link_count; i++) {
        SomStr path = mechanism->links[i].path;
        for (size_t k = 0; k <= path.length; k++) { // with something between two of them
            number ^= k < path.length ? (unsigned char)path.data[k] : 0U;
            number *= 1099511628211U;
        }
    }
    return number;
}

static void look_at_text(SomSession *session) {
    bool is_old =
        !som_str_equal(som_project_text(session->project), som_text_str(&session->text)) ||
        !som_str_equal(som_project_choice(session->project), som_text_str(&session->choice));
    bool is_other = session->robot != robot_of(session->project);
    bool is_news = is_old != session->is_old;
    session->is_old = is_old;
    session->is_other_robot = is_other;
    // links in any case: with the text the view has gone back to the posture
    tell(session, (is_news ? SOM_SESSION_AGE : 0U) | SOM_SESSION_LINKS | SOM_SESSION_SETTINGS);
}

static void on_project(void *context, unsigned changes) {
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        look_at_text(context);
    }
}

static void on_desk(void *context, unsigned changes) {
    SomSession *session = context;
    if ((changes & SOM_DESK_BEHAVIOR) == 0) {
        return;
    }
    SomStr behavior = som_desk_behavior(session->desk);
    if (!som_str_equal(behavior, som_text_str(&session->behavior))) {
        som_text_clear(&session->arguments);
        som_text_clear(&session->behavior);
        som_text_add(&session->behavior, behavior);
    }
    tell(session, SOM_SESSION_SETTINGS);
}

// ---- what is shown

static bool follows_run(const SomSession *session) {
    return session->is_running && session->shown == SOM_SESSION_LIVE;
}

SomPhysicsRecord *som_session_shown_record(const SomSession *session) {
    if (session->shown >= 0) {
        return session->records.data[session->shown];
    }
    for (int i = session->records.count; i-- > 0;) {
        if (session->records.data[i]->has_run) {
            return session->records.data[i];
        }
    }
    return NULL;
}

static void place(SomSession *session) {
    const SomPhysicsRecord *record = som_session_shown_record(session);
    session->links.count = 0;
    if (record == NULL || !record->has_run) {
        return;
    }
    for (int i = 0; i < record->run.mechanism->link_count; i++) {
        som_array_push(&session->links, (SomPose){0});
    }
    if (!som_physics_record_place(record, som_playhead_time(session->head), session->links.data)) {
        session->links.count = 0;
    }
}

static void on_head(void *context, unsigned changes) {
    SomSession *session = context;
    if ((changes & SOM_PLAYHEAD_TIME) != 0 && !follows_run(session)) {
        place(session);
        tell(session, SOM_SESSION_LINKS);
    }
}

const SomPhysicsTrace *som_session_trace(const SomSession *session) {
    return follows_run(session) && session->trace.record != NULL ? &session->trace : NULL;
}

const SomPose *som_session_links(SomSession *session) {
    if (session->is_other_robot) {
        return NULL;
    }
    if (follows_run(session)) {
        return session->live.all.count > 0 ? session->live.all.data : NULL;
    }
    return session->links.count > 0 ? session->links.data : NULL;
}

// The last one of those that can still be seen.
int som_session_touching(const SomSession *session, int modules[2]) {
    const SomPhysicsRecord *record = session->shown >= 0 ? som_session_shown_record(session) : NULL;
    int count = 0;
    if (record == NULL || !record->has_run || session->is_other_robot) {
        return 0;
    }
    double time = som_playhead_time(session->head);
    for (int i = 0; i < record->run.result->events.count; i++) {
        const SomSimulationEvent *event = &record->run.result->events.data[i];
        bool is_seen = event->time <= time + 1e-9 && time < event->time + TOUCH_SEEN;
        if (event->kind == SOM_EVENT_SELF_CONTACT && is_seen) {
            modules[0] = record->run.mechanism->links[event->link_a].module;
            modules[1] = record->run.mechanism->links[event->link_b].module;
            count = 2;
        }
    }
    return count;
}

int som_session_shown(const SomSession *session) {
    return session->shown;
}

void som_session_show(SomSession *session, int record) {
    if (record >= session->records.count || record == session->shown ||
        (record < 0 && !session->is_running)) {
        return;
    }
    session->shown = record;
    if (record >= 0) {
        som_playhead_set_duration(session->head,
                                  som_physics_record_duration(session->records.data[record]));
    }
    place(session);
    tell(session, SOM_SESSION_SHOWN | SOM_SESSION_LINKS);
}

bool som_session_can_play(const SomSession *session) {
    return session->shown >= 0 && som_playhead_duration(session->head) > 0;
}

void som_session_jump(SomSession *session, int record, double time) {
    som_session_show(session, record);
    som_playhead_pause(session->head);
    som_playhead_seek(session->head, time);
}

// ---- the run

bool som_session_can_start(const SomSession *session) {
    return session->physics != NULL && som_project_model(session->project)->configuration != NULL;
}

static void forget_records(SomSession *session) {
    for (int i = 0; i < session->records.count; i++) {
        som_physics_record_release(session->records.data[i]);
    }
    session->records.count = 0;
    session->links.count = 0;
    session->live.all.count = 0;
    som_physics_trace_free(&session->trace);
    session->shown = SOM_SESSION_LIVE;
}

static void remember_text(SomSession *session) {
    som_text_clear(&session->text);
    som_text_add(&session->text, som_project_text(session->project));
    som_text_clear(&session->choice);
    som_text_add(&session->choice, som_project_choice(session->project));
    session->robot = robot_of(session->project);
    session->is_old = session->is_other_robot = false;
}

void som_session_start(SomSession *session) {
    assert(session->physics != NULL);
    SomProject *project = session->project;
    SomText call = {0};
    som_session_print_call(session, &call);
    som_playhead_pause(session->head);
    forget_records(session);
    remember_text(session);
    som_physics_start(session->physics, &(SomPhysicsDef){.library = som_project_library(project),
                                                         .path = som_project_path(project),
                                                         .text = som_project_text(project),
                                                         .choice = som_project_choice(project),
                                                         .behavior = som_text_str(&call),
                                                         .engines = session->settings.engines,
                                                         .duration = session->settings.duration,
                                                         .is_paced = session->settings.is_paced});
    som_text_free(&call);
    session->is_running = true;
    session->is_stopping = false;
    session->now = som_physics_now(session->physics);
    som_playhead_set_duration(session->head, 0);
    tell(session, SOM_SESSION_STATE | SOM_SESSION_PROGRESS | SOM_SESSION_RECORDS |
                      SOM_SESSION_SHOWN | SOM_SESSION_AGE | SOM_SESSION_LINKS);
}

void som_session_stop(SomSession *session) {
    if (session->is_running && !session->is_stopping) {
        session->is_stopping = true;
        som_physics_stop(session->physics);
        tell(session, SOM_SESSION_STATE);
    }
}

static unsigned take_links(SomSession *session) {
    unsigned changes =
        som_physics_take_trace(session->physics, &session->trace) ? SOM_SESSION_TRACE : 0U;
    if (!som_physics_take_links(session->physics, &session->live) || !follows_run(session)) {
        return changes;
    }
    som_playhead_set_duration(session->head, fmax(session->now.expected, session->live.time));
    som_playhead_seek(session->head, session->live.time);
    return changes | SOM_SESSION_LINKS;
}

static unsigned take_records(SomSession *session) {
    int before = session->records.count;
    SomPhysicsRecord *record = som_physics_take_record(session->physics);
    while (record != NULL) {
        som_array_push(&session->records, record);
        record = som_physics_take_record(session->physics);
    }
    return session->records.count > before ? SOM_SESSION_RECORDS : 0U;
}

// The last record that ran is shown, if the user did not choose one meanwhile.
static unsigned end(SomSession *session) {
    session->is_running = session->is_stopping = false;
    som_physics_trace_free(&session->trace);
    if (session->shown == SOM_SESSION_LIVE) {
        const SomPhysicsRecord *last = som_session_shown_record(session);
        for (int i = 0; last != NULL && i < session->records.count; i++) {
            session->shown = session->records.data[i] == last ? i : session->shown;
        }
        double duration = last != NULL ? som_physics_record_duration(last) : 0;
        som_playhead_set_duration(session->head, duration);
        som_playhead_seek(session->head, duration);
        place(session);
    }
    return SOM_SESSION_STATE | SOM_SESSION_SHOWN | SOM_SESSION_LINKS;
}

void som_session_collect(SomSession *session) {
    if (!session->is_running) {
        return;
    }
    session->now = som_physics_now(session->physics);
    unsigned changes = SOM_SESSION_PROGRESS | take_links(session) | take_records(session);
    if (session->now.stage == SOM_PHYSICS_IDLE) {
        changes |= end(session);
    }
    tell(session, changes);
}

bool som_session_is_running(const SomSession *session) {
    return session->is_running;
}

bool som_session_is_stopping(const SomSession *session) {
    return session->is_stopping;
}

const SomPhysicsNow *som_session_now(const SomSession *session) {
    return &session->now;
}

int som_session_count(const SomSession *session) {
    return session->records.count;
}

SomPhysicsRecord *som_session_record(const SomSession *session, int index) {
    return session->records.data[index];
}

bool som_session_is_old(const SomSession *session) {
    return session->is_old && (session->records.count > 0 || session->is_running);
}

// ---- settings

const SomSessionSettings *som_session_settings(const SomSession *session) {
    return &session->settings;
}

void som_session_set_settings(SomSession *session, const SomSessionSettings *settings) {
    session->settings = *settings;
    tell(session, SOM_SESSION_SETTINGS);
}

SomStr som_session_arguments(const SomSession *session) {
    return som_text_str(&session->arguments);
}

void som_session_set_arguments(SomSession *session, SomStr arguments) {
    som_text_clear(&session->arguments);
    som_text_add(&session->arguments, arguments);
    tell(session, SOM_SESSION_SETTINGS);
}

static bool stands(const SomSession *session) {
    return session->settings.stands || som_desk_behavior(session->desk).length == 0;
}

void som_session_print_call(const SomSession *session, SomText *out) {
    if (stands(session)) {
        return;
    }
    som_text_add(out, som_desk_behavior(session->desk));
    if (session->arguments.length > 0) {
        som_text_printf(out, "(%.*s)", SOM_STR_ARG(som_text_str(&session->arguments)));
    }
}

SomStr som_session_params(const SomSession *session) {
    const SomConfiguration *design = som_project_model(session->project)->configuration;
    int behavior = design != NULL && !stands(session)
                       ? som_configuration_find_behavior(design, som_desk_behavior(session->desk))
                       : -1;
    return behavior >= 0 ? design->behaviors[behavior].params : SOM_STR("");
}

// ---- life

SomSession *som_session_create(SomDesk *desk, void (*wake)(void *context), void *context) {
    SomSession *session = som_alloc(sizeof *session);
    session->desk = desk;
    session->project = som_desk_project(desk);
    session->physics = som_physics_create(wake, context);
    session->head = som_playhead_create();
    session->settings = (SomSessionSettings){.duration = SOM_SIMULATION_DURATION, .is_paced = true};
    session->shown = SOM_SESSION_LIVE;
    som_text_add(&session->behavior, som_desk_behavior(desk));
    som_playhead_listen(session->head, on_head, session);
    som_project_listen(session->project, on_project, session);
    som_desk_listen(desk, on_desk, session);
    return session;
}

SomPhysics *som_session_give_up(SomSession *session) {
    SomPhysics *physics = session->physics;
    if (physics != NULL) {
        som_desk_unlisten(session->desk, on_desk, session);
        som_project_unlisten(session->project, on_project, session);
        som_physics_stop(physics);
        session->physics = NULL;
        session->is_running = false;
    }
    return physics;
}

void som_session_destroy(SomSession *session) {
    if (session == NULL) {
        return;
    }
    som_physics_destroy(som_session_give_up(session));
    forget_records(session);
    som_array_free(&session->records);
    som_array_free(&session->live.all);
    som_array_free(&session->links);
    som_text_free(&session->arguments);
    som_text_free(&session->behavior);
    som_text_free(&session->text);
    som_text_free(&session->choice);
    som_playhead_destroy(session->head);
    som_listeners_free(&session->listeners);
    som_free(session);
}

void som_session_listen(SomSession *session, SomListener listener, void *context) {
    som_listeners_add(&session->listeners, listener, context);
}

void som_session_unlisten(SomSession *session, SomListener listener, void *context) {
    som_listeners_remove(&session->listeners, listener, context);
}

SomDesk *som_session_desk(SomSession *session) {
    return session->desk;
}

SomPlayhead *som_session_head(SomSession *session) {
    return session->head;
}
