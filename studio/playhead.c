// SPDX-License-Identifier: Apache-2.0
#include "studio/playhead.h"

#include "studio/listeners.h"

#include <math.h>

typedef struct State {
    double time, duration, speed;
    bool is_playing, loops;
} State;

struct SomPlayhead {
    State now;
    SomListeners listeners;
};

SomPlayhead *som_playhead_create(void) {
    SomPlayhead *head = som_alloc(sizeof *head);
    head->now.speed = 1;
    return head;
}

void som_playhead_destroy(SomPlayhead *head) {
    if (head != NULL) {
        som_listeners_free(&head->listeners);
        som_free(head);
    }
}

void som_playhead_listen(SomPlayhead *head, SomPlayheadListener listener, void *context) {
    som_listeners_add(&head->listeners, listener, context);
}

void som_playhead_unlisten(SomPlayhead *head, SomPlayheadListener listener, void *context) {
    som_listeners_remove(&head->listeners, listener, context);
}

// Takes the next state, with its time inside the duration, and tells what is new of it.
static void become(SomPlayhead *head, State next) {
    State last = head->now;
    next.time = fmin(fmax(next.time, 0), next.duration);
    next.is_playing = next.is_playing && next.duration > 0;
    head->now = next;
    bool is_other = next.duration != last.duration || next.speed != last.speed ||
                    next.is_playing != last.is_playing || next.loops != last.loops;
    unsigned changes =
        (next.time != last.time ? SOM_PLAYHEAD_TIME : 0U) | (is_other ? SOM_PLAYHEAD_STATE : 0U);
    if (changes != 0) {
        som_listeners_tell(&head->listeners, changes);
    }
}

void som_playhead_set_duration(SomPlayhead *head, double seconds) {
    State next = head->now;
    next.duration = isfinite(seconds) ? fmax(seconds, 0) : 0;
    become(head, next);
}

void som_playhead_seek(SomPlayhead *head, double time) {
    State next = head->now;
    next.time = isnan(time) ? next.time : time;
    become(head, next);
}

void som_playhead_play(SomPlayhead *head) {
    State next = head->now;
    next.time = next.time < next.duration ? next.time : 0;
    next.is_playing = true;
    become(head, next);
}

void som_playhead_pause(SomPlayhead *head) {
    State next = head->now;
    next.is_playing = false;
    become(head, next);
}

void som_playhead_toggle(SomPlayhead *head) {
    if (head->now.is_playing) {
        som_playhead_pause(head);
    } else {
        som_playhead_play(head);
    }
}

void som_playhead_set_speed(SomPlayhead *head, double speed) {
    State next = head->now;
    next.speed = isnan(speed) ? 1 : fmin(fmax(speed, SOM_PLAYHEAD_SLOWEST), SOM_PLAYHEAD_FASTEST);
    become(head, next);
}

void som_playhead_set_loop(SomPlayhead *head, bool loops) {
    State next = head->now;
    next.loops = loops;
    become(head, next);
}

// The end itself is shown for a frame before a loop begins anew.
bool som_playhead_advance(SomPlayhead *head, double seconds) {
    State next = head->now;
    if (!next.is_playing || !(seconds > 0)) {
        return next.is_playing;
    }
    if (next.time >= next.duration) {
        next.time = 0;
    }
    next.time += seconds * next.speed;
    next.is_playing = next.time < next.duration || next.loops;
    become(head, next);
    return head->now.is_playing;
}

double som_playhead_time(const SomPlayhead *head) {
    return head->now.time;
}

double som_playhead_duration(const SomPlayhead *head) {
    return head->now.duration;
}

double som_playhead_speed(const SomPlayhead *head) {
    return head->now.speed;
}

bool som_playhead_is_playing(const SomPlayhead *head) {
    return head->now.is_playing;
}

bool som_playhead_loops(const SomPlayhead *head) {
    return head->now.loops;
}
