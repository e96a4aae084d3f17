// SPDX-License-Identifier: Apache-2.0
// One action: what it commands when it starts, when it has ended, what stays behind.

#include "player/player_internal.h"

static const SomAction *action_of(const SomPlayer *p, int32_t node) {
    return &p->graph->actions[p->graph->nodes[node].index];
}

static double position_of(const SomPlayer *p, int32_t dof) {
    return p->senses->positions == NULL ? (double)NAN : p->senses->positions[dof];
}

static void add_event(SomPlayer *p, int32_t node, bool is_end, SomEndReason reason) {
    if (p->event_count >= p->most_events) {
        p->lost_events++;
        return;
    }
    SomPlayerEvent *event = &p->events[p->event_count++];
    event->node = node;
    event->is_end = is_end;
    event->reason = (uint8_t)reason;
}

// ---- set-points

SomSetPoint som_player_halted_point(const SomPlayer *p, int32_t dof) {
    SomSetPoint point = p->points[dof];
    double position = position_of(p, dof);
    if (point.kind == SOM_SET_VELOCITY) {
        point.value = 0;
    } else if (point.kind == SOM_SET_POSITION && isfinite(position) &&
               fabs(position - point.value) >= point.tolerance) {
        point.value = position;
    }
    return point;
}

static void set_position(SomPlayer *p, const SomAction *action, double value) {
    SomSetPoint *point = &p->points[action->target];
    point->kind = SOM_SET_POSITION;
    point->value = value;
    point->speed = action->speed;
    point->tolerance = action->tolerance;
}

// Where the DoF was last sent to; without a position command where it is; 0 if nobody knows.
static double last_position(const SomPlayer *p, int32_t dof) {
    if (p->points[dof].kind == SOM_SET_POSITION) {
        return p->points[dof].value;
    }
    double position = position_of(p, dof);
    return isfinite(position) ? position : 0;
}

static void hold(SomPlayer *p, const SomAction *action) {
    SomSetPoint *point = &p->points[action->target];
    if (point->kind == SOM_SET_POSITION) {
        *point = som_player_halted_point(p, action->target);
    } else if (isfinite(position_of(p, action->target))) {
        set_position(p, action, position_of(p, action->target));
    } else if (point->kind == SOM_SET_VELOCITY) {
        point->value = 0;
    }
}

void som_player_follow(SomPlayer *p, int32_t node) {
    const SomAction *action = action_of(p, node);
    p->target[node] = som_keyframes_at(p->graph->keyframes + action->first_keyframe,
                                       action->keyframe_count, p->time - p->start[node]);
    if (p->owner[action->target] == node) {
        p->points[action->target].value = p->target[node];
    }
}

// ---- start and end

void som_player_begin_action(SomPlayer *p, int32_t node) {
    const SomAction *action = action_of(p, node);
    p->start[node] = p->time;
    p->end[node] = (double)NAN;
    p->reason[node] = SOM_END_NOT_YET;
    p->target[node] = action->value;
    p->is_changed = true;
    add_event(p, node, false, SOM_END_NOT_YET);
    int32_t resource = som_graph_resource(p->graph, action);
    if (resource != SOM_NONE) {
        p->owner[resource] = node;
    }
    switch ((SomActionKind)action->kind) {
    case SOM_ACTION_POSITION:
        set_position(p, action, action->value);
        break;
    case SOM_ACTION_RELATIVE:
        p->target[node] += last_position(p, action->target);
        set_position(p, action, p->target[node]);
        break;
    case SOM_ACTION_VELOCITY:
        p->points[action->target].kind = SOM_SET_VELOCITY;
        p->points[action->target].value = action->value;
        p->points[action->target].speed = 0;
        p->points[action->target].tolerance = 0;
        break;
    case SOM_ACTION_FOLLOW:
        set_position(p, action, 0);
        som_player_follow(p, node);
        break;
    case SOM_ACTION_HOLD:
        hold(p, action);
        p->target[node] = p->points[action->target].value;
        break;
    case SOM_ACTION_CONNECT:
        p->docks[action->target] = SOM_DOCK_CONNECT;
        break;
    case SOM_ACTION_DISCONNECT:
        p->docks[action->target] = SOM_DOCK_DISCONNECT;
        break;
    case SOM_ACTION_WAIT:
    case SOM_ACTION_KINDS:
        break;
    }
}

// Touches what it commanded only if nobody else has commanded it since.
void som_player_end_action(SomPlayer *p, int32_t node, SomEndReason reason) {
    const SomAction *action = action_of(p, node);
    p->end[node] = p->time;
    p->reason[node] = (uint8_t)reason;
    p->is_changed = true;
    add_event(p, node, true, reason);
    int32_t resource = som_graph_resource(p->graph, action);
    if (resource == SOM_NONE || p->owner[resource] != node) {
        return;
    }
    bool is_dock = action->kind == SOM_ACTION_CONNECT || action->kind == SOM_ACTION_DISCONNECT;
    if (is_dock) {
        if (reason == SOM_END_CANCELLED) {
            p->docks[action->target] = SOM_DOCK_LEAVE;
        }
    } else if (action->kind == SOM_ACTION_VELOCITY || reason == SOM_END_CANCELLED) {
        p->points[action->target] = som_player_halted_point(p, action->target);
    }
}

// ---- has it ended?

static bool has_arrived(const SomPlayer *p, int32_t node, const SomAction *action, double elapsed) {
    switch ((SomActionKind)action->kind) {
    case SOM_ACTION_POSITION:
    case SOM_ACTION_RELATIVE:
        return fabs(position_of(p, action->target) - p->target[node]) < action->tolerance;
    case SOM_ACTION_FOLLOW: {
        const SomKeyframe *last =
            &p->graph->keyframes[action->first_keyframe + action->keyframe_count - 1];
        return elapsed >= last->time - SOM_TIME_SLACK &&
               fabs(position_of(p, action->target) - last->value) < action->tolerance;
    }
    case SOM_ACTION_CONNECT:
        return p->senses->docks != NULL && p->senses->docks[action->target] == SOM_DOCK_CLOSED;
    case SOM_ACTION_DISCONNECT:
        return p->senses->docks != NULL && p->senses->docks[action->target] == SOM_DOCK_OPEN;
    case SOM_ACTION_VELOCITY:
    case SOM_ACTION_WAIT:
    case SOM_ACTION_HOLD:
    case SOM_ACTION_KINDS:
        break;
    }
    return false;
}

SomEndReason som_player_test(const SomPlayer *p, int32_t node) {
    const SomAction *action = action_of(p, node);
    double elapsed = p->time - p->start[node];
    if (action->until != SOM_NONE) {
        if (som_player_holds(p, action->until, node)) {
            return SOM_END_DONE;
        }
    } else if (!(action->duration < SOM_NO_TIME) && has_arrived(p, node, action, elapsed)) {
        return SOM_END_DONE;
    }
    if (elapsed >= action->duration - SOM_TIME_SLACK) {
        return SOM_END_DURATION;
    }
    return elapsed >= action->timeout - SOM_TIME_SLACK ? SOM_END_TIMEOUT : SOM_END_NOT_YET;
}

// ---- conflicts

static bool is_same_command(const SomPlayer *p, int32_t a, int32_t b) {
    const SomAction *x = action_of(p, a), *y = action_of(p, b);
    bool x_goes = x->kind == SOM_ACTION_POSITION || x->kind == SOM_ACTION_RELATIVE;
    bool y_goes = y->kind == SOM_ACTION_POSITION || y->kind == SOM_ACTION_RELATIVE;
    if (x->kind == SOM_ACTION_FOLLOW && y->kind == SOM_ACTION_FOLLOW) {
        return x->first_keyframe == y->first_keyframe && x->keyframe_count == y->keyframe_count &&
               x->speed == y->speed && p->start[a] == p->start[b];
    }
    if (x->kind == SOM_ACTION_CONNECT || x->kind == SOM_ACTION_DISCONNECT) {
        return x->kind == y->kind;
    }
    return (x->kind == y->kind || (x_goes && y_goes)) && p->target[a] == p->target[b] &&
           x->speed == y->speed;
}

// Whether one of the two comes after the other, or instead of it.
static bool are_apart(const SomPlayer *p, int32_t a, int32_t b) {
    const SomGraphNode *nodes = p->graph->nodes;
    while (a != b) { // the one that begins later is not above the other
        if (a > b) {
            a = nodes[a].parent;
        } else {
            b = nodes[b].parent;
        }
    }
    return nodes[a].kind != SOM_NODE_PARALLEL && nodes[a].kind != SOM_NODE_ANY;
}

// The DoF that the i-th event of this tick has held; SOM_NONE if it is no hold.
static int32_t held_dof(const SomPlayer *p, int32_t i) {
    const SomPlayerEvent *event = &p->events[i];
    const SomAction *action = action_of(p, event->node);
    return event->is_end && action->kind == SOM_ACTION_HOLD ? action->target : SOM_NONE;
}

// Holds are over at once: they conflict with what runs beside them at the end of the tick.
static void find_held(SomPlayer *p) {
    for (int32_t i = 0; i < p->event_count && p->conflict.resource == SOM_NONE; i++) {
        int32_t dof = held_dof(p, i);
        int32_t other = dof == SOM_NONE ? SOM_NONE : p->first_on[dof];
        if (other != SOM_NONE && !are_apart(p, p->events[i].node, other)) {
            p->conflict.resource = dof;
            p->conflict.first = p->events[i].node < other ? p->events[i].node : other;
            p->conflict.second = p->events[i].node < other ? other : p->events[i].node;
            p->is_passing = true;
        }
    }
}

// One pass over the actions that run: the first on each DoF or dock is compared with the others.
void som_player_find_conflict(SomPlayer *p) {
    p->conflict.resource = p->conflict.first = p->conflict.second = SOM_NONE;
    p->is_passing = false;
    for (int32_t i = 0; i < p->event_count; i++) {
        int32_t dof = held_dof(p, i);
        if (dof != SOM_NONE) {
            p->first_on[dof] = SOM_NONE;
        }
    }
    for (int32_t i = 0; i < p->active_count; i++) {
        int32_t resource = som_graph_resource(p->graph, action_of(p, p->active[i]));
        if (resource != SOM_NONE) {
            p->first_on[resource] = SOM_NONE;
        }
    }
    for (int32_t i = 0; i < p->active_count && p->conflict.resource == SOM_NONE; i++) {
        int32_t node = p->active[i];
        int32_t resource = som_graph_resource(p->graph, action_of(p, node));
        if (resource == SOM_NONE) {
            continue;
        }
        if (p->first_on[resource] == SOM_NONE) {
            p->first_on[resource] = node;
        } else if (!is_same_command(p, p->first_on[resource], node)) {
            p->conflict.resource = resource;
            p->conflict.first = p->first_on[resource];
            p->conflict.second = node;
        }
    }
    find_held(p);
}
