// SPDX-License-Identifier: Apache-2.0
#include "tests/player/reference_player.h"

#include <string.h>

void reference_init(Reference *r, const SomActionGraph *graph) {
    memset(r, 0, sizeof *r);
    r->graph = graph;
    for (int i = 0; i < 32; i++) {
        r->owner[i] = SOM_NONE;
    }
}

static const SomAction *action_of(const Reference *r, int32_t node) {
    return &r->graph->actions[r->graph->nodes[node].index];
}

static int32_t resource_of(const Reference *r, int32_t node) {
    const SomAction *a = action_of(r, node);
    if (a->kind == SOM_ACTION_WAIT) {
        return SOM_NONE;
    }
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    return is_dock ? r->graph->symbol_count[SOM_SYMBOL_DOF] + a->target : a->target;
}

static void event(Reference *r, int32_t node, bool is_end, SomEndReason reason) {
    if (r->event_count < REFERENCE_MOST_EVENTS) {
        r->events[r->event_count++] = (SomPlayerEvent){node, is_end, (uint8_t)reason};
    }
}

// ---- conditions, read from their end

static bool truth(double x) {
    return !isnan(x) && x != 0;
}

static double value_of(const Reference *r, const SomInstruction **at, int32_t node) {
    const SomInstruction *in = (*at)--;
    const SomSenses *s = r->senses;
    double a = 0, b = 0;
    int takes = som_instruction_info((SomInstructionKind)in->kind).takes;
    if (takes == 2) {
        b = value_of(r, at, node);
    }
    if (takes >= 1) {
        a = value_of(r, at, node);
    }
    bool known = !isnan(a) && !isnan(b);
    switch ((SomInstructionKind)in->kind) {
    case SOM_INSTRUCTION_NUMBER:
        return in->value;
    case SOM_INSTRUCTION_POSITION:
        return s->positions[in->index];
    case SOM_INSTRUCTION_SPEED:
        return s->speeds[in->index];
    case SOM_INSTRUCTION_EFFORT:
        return s->efforts[in->index];
    case SOM_INSTRUCTION_CONTACT:
        return s->contacts[in->index];
    case SOM_INSTRUCTION_INPUT:
        return s->inputs[in->index];
    case SOM_INSTRUCTION_DOCKED:
        return s->docks[in->index] == SOM_DOCK_CLOSED;
    case SOM_INSTRUCTION_HEIGHT:
        return s->height;
    case SOM_INSTRUCTION_TILT:
        return s->tilt;
    case SOM_INSTRUCTION_ELAPSED:
        return r->time - r->start[node];
    case SOM_INSTRUCTION_TIME:
        return r->time;
    case SOM_INSTRUCTION_ERROR:
        if (r->graph->nodes[node].kind != SOM_NODE_ACTION || resource_of(r, node) == SOM_NONE ||
            action_of(r, node)->kind == SOM_ACTION_VELOCITY ||
            action_of(r, node)->kind >= SOM_ACTION_HOLD) {
            return (double)NAN;
        }
        return fabs(s->positions[action_of(r, node)->target] - r->target[node]);
    case SOM_INSTRUCTION_NEGATE:
        return -a;
    case SOM_INSTRUCTION_ABSOLUTE:
        return fabs(a);
    case SOM_INSTRUCTION_NOT:
        return !truth(a);
    case SOM_INSTRUCTION_ADD:
        return a + b;
    case SOM_INSTRUCTION_SUBTRACT:
        return a - b;
    case SOM_INSTRUCTION_MULTIPLY:
        return a * b;
    case SOM_INSTRUCTION_DIVIDE:
        return a / b;
    case SOM_INSTRUCTION_MINIMUM:
        return a < b ? a : b;
    case SOM_INSTRUCTION_MAXIMUM:
        return a > b ? a : b;
    case SOM_INSTRUCTION_LESS:
        return known && a < b;
    case SOM_INSTRUCTION_LESS_EQUAL:
        return known && a <= b;
    case SOM_INSTRUCTION_GREATER:
        return known && a > b;
    case SOM_INSTRUCTION_GREATER_EQUAL:
        return known && a >= b;
    case SOM_INSTRUCTION_EQUAL:
        return known && a == b;
    case SOM_INSTRUCTION_UNEQUAL:
        return known && a != b;
    case SOM_INSTRUCTION_AND:
        return truth(a) && truth(b);
    case SOM_INSTRUCTION_OR:
        return truth(a) || truth(b);
    case SOM_INSTRUCTION_KINDS:
        break;
    }
    return (double)NAN;
}

static bool holds(const Reference *r, int32_t condition, int32_t node) {
    const SomCondition *c = &r->graph->conditions[condition];
    const SomInstruction *at = &r->graph->instructions[c->first + c->count - 1];
    return truth(value_of(r, &at, node));
}

// ---- actions

static double follow_value(const Reference *r, const SomAction *a, double elapsed) {
    const SomKeyframe *k = r->graph->keyframes + a->first_keyframe;
    if (elapsed <= k[0].time) {
        return k[0].value;
    }
    for (int i = 1; i < a->keyframe_count; i++) {
        if (elapsed < k[i].time) {
            double part = (elapsed - k[i - 1].time) / (k[i].time - k[i - 1].time);
            return k[i - 1].value + part * (k[i].value - k[i - 1].value);
        }
    }
    return k[a->keyframe_count - 1].value;
}

static void stop(Reference *r, int32_t dof) {
    SomSetPoint *point = &r->points[dof];
    double position = r->senses->positions[dof];
    if (point->kind == SOM_SET_VELOCITY) {
        point->value = 0;
    }
    if (point->kind == SOM_SET_POSITION && !(fabs(position - point->value) < point->tolerance)) {
        point->value = position;
    }
}

static void end_action(Reference *r, int32_t node, SomEndReason reason) {
    const SomAction *a = action_of(r, node);
    int32_t resource = resource_of(r, node);
    r->runs[node] = false;
    r->end[node] = r->time;
    r->reason[node] = reason;
    event(r, node, true, reason);
    if (resource == SOM_NONE || r->owner[resource] != node) {
        return;
    }
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    if (is_dock && reason == SOM_END_CANCELLED) {
        r->docks[a->target] = SOM_DOCK_LEAVE;
    } else if (!is_dock && (reason == SOM_END_CANCELLED || a->kind == SOM_ACTION_VELOCITY)) {
        stop(r, a->target);
    }
}

static void command(Reference *r, int32_t node) {
    const SomAction *a = action_of(r, node);
    SomSetPoint before = a->kind == SOM_ACTION_WAIT ? (SomSetPoint){0} : r->points[a->target];
    double position = a->kind == SOM_ACTION_WAIT ? 0 : r->senses->positions[a->target];
    SomSetPoint to = {.kind = SOM_SET_POSITION, .speed = a->speed, .tolerance = a->tolerance};
    switch ((SomActionKind)a->kind) {
    case SOM_ACTION_POSITION:
        to.value = a->value;
        break;
    case SOM_ACTION_RELATIVE:
        to.value = a->value + (before.kind == SOM_SET_POSITION ? before.value : position);
        break;
    case SOM_ACTION_VELOCITY:
        to = (SomSetPoint){.kind = SOM_SET_VELOCITY, .value = a->value};
        break;
    case SOM_ACTION_FOLLOW:
        to.value = follow_value(r, a, 0);
        break;
    case SOM_ACTION_HOLD:
        to.value = position;
        if (before.kind == SOM_SET_POSITION) {
            stop(r, a->target);
            to = r->points[a->target];
        }
        break;
    case SOM_ACTION_CONNECT:
        r->docks[a->target] = SOM_DOCK_CONNECT;
        return;
    case SOM_ACTION_DISCONNECT:
        r->docks[a->target] = SOM_DOCK_DISCONNECT;
        return;
    case SOM_ACTION_WAIT:
    case SOM_ACTION_KINDS:
        return;
    }
    r->points[a->target] = to;
    r->target[node] = to.value;
}

static bool is_at_end(const Reference *r, int32_t node) {
    const SomAction *a = action_of(r, node);
    const SomSenses *s = r->senses;
    switch ((SomActionKind)a->kind) {
    case SOM_ACTION_POSITION:
    case SOM_ACTION_RELATIVE:
        return fabs(s->positions[a->target] - r->target[node]) < a->tolerance;
    case SOM_ACTION_FOLLOW:
        return r->time - r->start[node] >=
                   r->graph->keyframes[a->first_keyframe + a->keyframe_count - 1].time - 1e-9 &&
               fabs(s->positions[a->target] -
                    r->graph->keyframes[a->first_keyframe + a->keyframe_count - 1].value) <
                   a->tolerance;
    case SOM_ACTION_CONNECT:
        return s->docks[a->target] == SOM_DOCK_CLOSED;
    case SOM_ACTION_DISCONNECT:
        return s->docks[a->target] == SOM_DOCK_OPEN;
    default:
        return false;
    }
}

static SomEndReason test(Reference *r, int32_t node) {
    const SomAction *a = action_of(r, node);
    double elapsed = r->time - r->start[node];
    if (a->kind == SOM_ACTION_FOLLOW) {
        r->target[node] = follow_value(r, a, elapsed);
        if (r->owner[a->target] == node) {
            r->points[a->target].value = r->target[node];
        }
    }
    bool is_done = a->until != SOM_NONE ? holds(r, a->until, node)
                   : isinf(a->duration) ? is_at_end(r, node)
                                        : false;
    return is_done                         ? SOM_END_DONE
           : elapsed >= a->duration - 1e-9 ? SOM_END_DURATION
           : elapsed >= a->timeout - 1e-9  ? SOM_END_TIMEOUT
                                           : SOM_END_NOT_YET;
}

// ---- the tree

static void cancel(Reference *r, int32_t node) {
    for (int32_t i = node; i < r->graph->nodes[node].end; i++) {
        if (r->runs[i] && !r->ended[i] && r->graph->nodes[i].kind == SOM_NODE_ACTION) {
            end_action(r, i, SOM_END_CANCELLED);
        }
        r->runs[i] = r->ended[i] = false;
    }
}

// Both return whether the node has ended.
static bool start(Reference *r, int32_t node);

static bool start_from(Reference *r, int32_t node, int32_t child) {
    for (; child < r->graph->nodes[node].end; child = r->graph->nodes[child].end) {
        if (!start(r, child)) {
            return false;
        }
    }
    return true;
}

static bool start_all(Reference *r, int32_t node, bool is_any) {
    const SomGraphNode *nodes = r->graph->nodes;
    bool all = true;
    for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        bool is_done = start(r, child);
        if (is_done && is_any) {
            cancel(r, node);
            return true;
        }
        all = all && is_done;
    }
    return all;
}

static bool start_branch(Reference *r, int32_t node) {
    const SomGraphNode *nodes = r->graph->nodes;
    for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        if (nodes[child].guard == SOM_NONE || holds(r, nodes[child].guard, node)) {
            return start(r, child);
        }
    }
    return true;
}

static bool start(Reference *r, int32_t node) {
    const SomGraphNode *n = &r->graph->nodes[node];
    bool is_done = true;
    r->start[node] = r->time;
    r->runs[node] = true;
    r->passes[node] = 0;
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
        is_done = start_from(r, node, node + 1);
        break;
    case SOM_NODE_PARALLEL:
    case SOM_NODE_ANY:
        is_done = start_all(r, node, n->kind == SOM_NODE_ANY);
        break;
    case SOM_NODE_REPEAT:
        is_done = n->index == 0 || start(r, node + 1);
        break;
    case SOM_NODE_CHOOSE:
        is_done = start_branch(r, node);
        break;
    case SOM_NODE_ACTION:
        event(r, node, false, SOM_END_NOT_YET);
        r->target[node] = action_of(r, node)->value;
        if (resource_of(r, node) != SOM_NONE) {
            r->owner[resource_of(r, node)] = node;
        }
        command(r, node);
        is_done = action_of(r, node)->kind == SOM_ACTION_HOLD;
        if (is_done) {
            end_action(r, node, SOM_END_DONE);
        }
        break;
    case SOM_NODE_KINDS:
        break;
    }
    r->runs[node] = !is_done;
    return is_done;
}

static bool update(Reference *r, int32_t node) {
    const SomGraphNode *nodes = r->graph->nodes;
    const SomGraphNode *n = &nodes[node];
    if (n->kind == SOM_NODE_ACTION) {
        bool has_ended = r->ended[node];
        r->ended[node] = false;
        return has_ended;
    }
    bool is_done = true;
    for (int32_t child = node + 1; child < n->end; child = nodes[child].end) {
        if (!r->runs[child] && !r->ended[child]) {
            continue;
        }
        bool child_done = update(r, child);
        is_done = is_done && child_done;
        if (child_done) {
            r->runs[child] = false;
            if (n->kind == SOM_NODE_ANY) {
                cancel(r, node);
                is_done = true;
                break;
            }
            if (n->kind == SOM_NODE_SERIES) {
                is_done = start_from(r, node, nodes[child].end);
                break;
            }
            if (n->kind == SOM_NODE_REPEAT) {
                r->passes[node]++;
                is_done = r->passes[node] == n->index ||
                          (n->until != SOM_NONE && holds(r, n->until, node)) || start(r, node + 1);
            }
        } else if (n->kind == SOM_NODE_ANY) {
            is_done = false;
        }
    }
    r->runs[node] = !is_done;
    return is_done;
}

void reference_tick(Reference *r, double time, const SomSenses *senses) {
    r->senses = senses;
    r->event_count = 0;
    r->time = time;
    if (!r->has_begun) {
        r->has_begun = true;
        r->is_done = start(r, 0);
        return;
    }
    for (int32_t i = 0; i < r->graph->node_count; i++) {
        if (r->runs[i] && r->graph->nodes[i].kind == SOM_NODE_ACTION) {
            SomEndReason reason = test(r, i);
            if (reason != SOM_END_NOT_YET) {
                end_action(r, i, reason);
                r->ended[i] = true;
            }
        }
    }
    r->is_done = update(r, 0);
}

static bool is_equal_command(const Reference *r, int32_t i, int32_t k) {
    const SomAction *a = action_of(r, i), *b = action_of(r, k);
    if (a->kind == SOM_ACTION_FOLLOW || b->kind == SOM_ACTION_FOLLOW) {
        return a->kind == b->kind && a->first_keyframe == b->first_keyframe &&
               a->keyframe_count == b->keyframe_count && a->speed == b->speed &&
               r->start[i] == r->start[k];
    }
    if (a->kind >= SOM_ACTION_CONNECT) {
        return a->kind == b->kind;
    }
    int kind_a = a->kind == SOM_ACTION_RELATIVE ? SOM_ACTION_POSITION : a->kind;
    int kind_b = b->kind == SOM_ACTION_RELATIVE ? SOM_ACTION_POSITION : b->kind;
    return kind_a == kind_b && r->target[i] == r->target[k] && a->speed == b->speed;
}

// The lowest node above both, by trying all from the lowest on.
static uint8_t kind_above(const Reference *r, int32_t a, int32_t b) {
    const SomGraphNode *nodes = r->graph->nodes;
    for (int32_t i = a < b ? a : b; i >= 0; i--) {
        if (nodes[i].end > a && nodes[i].end > b) {
            return nodes[i].kind;
        }
    }
    return SOM_NODE_SERIES;
}

// A hold of this tick, and the first that runs on its DoF, in two branches at the same time.
static bool has_held_conflict(const Reference *r) {
    for (int i = 0; i < r->event_count; i++) {
        int32_t node = r->events[i].node;
        if (!r->events[i].is_end || action_of(r, node)->kind != SOM_ACTION_HOLD) {
            continue;
        }
        for (int32_t k = 0; k < r->graph->node_count; k++) {
            if (r->graph->nodes[k].kind == SOM_NODE_ACTION && r->runs[k] &&
                resource_of(r, k) == resource_of(r, node)) {
                uint8_t kind = kind_above(r, k, node);
                if (kind == SOM_NODE_PARALLEL || kind == SOM_NODE_ANY) {
                    return true;
                }
                break;
            }
        }
    }
    return false;
}

bool reference_has_conflict(const Reference *r) {
    for (int32_t i = 0; i < r->graph->node_count; i++) {
        for (int32_t k = 0; k < i; k++) {
            bool are_actions = r->graph->nodes[i].kind == SOM_NODE_ACTION && r->runs[i] &&
                               r->graph->nodes[k].kind == SOM_NODE_ACTION && r->runs[k];
            if (are_actions && resource_of(r, i) != SOM_NONE &&
                resource_of(r, i) == resource_of(r, k) && !is_equal_command(r, i, k)) {
                return true;
            }
        }
    }
    return has_held_conflict(r);
}

// ---- comparing

// Of one node in the order in which they came; nodes in the order of the graph.
static int compare_events(const void *a, const void *b) {
    const SomPlayerEvent *x = a, *y = b;
    return x->node - y->node;
}

static void sort_events(SomPlayerEvent *events, int count) {
    for (int i = 1; i < count; i++) { // stable
        SomPlayerEvent moved = events[i];
        int k = i;
        for (; k > 0 && compare_events(&events[k - 1], &moved) > 0; k--) {
            events[k] = events[k - 1];
        }
        events[k] = moved;
    }
}

static bool same_double(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_events(const SomPlayer *player, Reference *r) {
    int32_t count, lost;
    const SomPlayerEvent *events = som_player_events(player, &count, &lost);
    if (count != r->event_count || lost != 0) {
        return false;
    }
    SomPlayerEvent sorted[REFERENCE_MOST_EVENTS];
    memcpy(sorted, events, (size_t)count * sizeof *events);
    sort_events(sorted, count);
    sort_events(r->events, count);
    for (int i = 0; i < count; i++) {
        if (sorted[i].node != r->events[i].node || sorted[i].is_end != r->events[i].is_end ||
            sorted[i].reason != r->events[i].reason) {
            return false;
        }
    }
    return true;
}

static bool same_active(const SomPlayer *player, const Reference *r) {
    int32_t count, at = 0;
    const int32_t *active = som_player_active(player, &count);
    for (int32_t i = 0; i < r->graph->node_count; i++) {
        if (r->runs[i] && r->graph->nodes[i].kind == SOM_NODE_ACTION) {
            if (at >= count || active[at++] != i) {
                return false;
            }
        }
    }
    return at == count;
}

static bool same_commands(const SomPlayer *player, const Reference *r) {
    const SomSetPoint *points = som_player_set_points(player);
    bool same = true;
    for (int i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        same = same && points[i].kind == r->points[i].kind &&
               same_double(points[i].value, r->points[i].value) &&
               points[i].speed == r->points[i].speed;
    }
    return same && memcmp(som_player_dock_commands(player), r->docks,
                          (size_t)r->graph->symbol_count[SOM_SYMBOL_DOCK]) == 0;
}

static bool same_runs(const SomPlayer *player, const Reference *r) {
    for (int32_t i = 0; i < r->graph->node_count; i++) {
        SomPlayerRun run = som_player_run(player, i);
        if (r->graph->nodes[i].kind == SOM_NODE_ACTION && !isnan(run.start) &&
            (run.start != r->start[i] || run.reason != (r->runs[i] ? 0 : r->reason[i]) ||
             (!r->runs[i] && run.end != r->end[i]) || !same_double(run.target, r->target[i]))) {
            return false;
        }
    }
    return true;
}

const char *reference_difference(Reference *r, const SomPlayer *player) {
    bool is_done = som_player_status(player) == SOM_PLAYER_COMPLETED;
    return is_done != r->is_done       ? "the end"
           : !same_events(player, r)   ? "events"
           : !same_active(player, r)   ? "active actions"
           : !same_commands(player, r) ? "commands"
           : !same_runs(player, r)     ? "runs"
           : reference_has_conflict(r) != (som_player_conflict(player).resource != SOM_NONE)
               ? "conflicts"
               : NULL;
}
