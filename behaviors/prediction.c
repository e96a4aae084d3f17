// SPDX-License-Identifier: Apache-2.0
#include "behaviors/prediction.h"

#include "base/codes/behaviors_codes.h"
#include "base/number.h"
#include "behaviors/explorer_internal.h"
#include "behaviors/graph_builder.h"
#include "behaviors/prediction_docks.h"
#include "player/fingerprint.h"

#include <assert.h>

// A prediction stops at these, whatever is asked for.
#define MOST_KEPT (16 * 1024 * 1024) // numbers, unless the caller says otherwise
#define MOST_EVENTS (4 * 1024 * 1024)
#define MOST_TICKS 100000000
#define MOST_PARTS 10000 // samples in a tick

typedef struct Run {
    const SomPredictionDef *def;
    const SomActionGraph *graph;
    SomPrediction *out;
    void *memory;
    SomPlayer *player;
    SomServo *servos;
    SomPredictedDocks *docks;
    SomExploredRun *explored; // NULL: sensors are as assumed
    bool *wraps;              // of a DoF, full turns make no difference to what it does
    double *positions, *speeds, *efforts, *inputs;
    double *between; // positions within a tick
    double *origins; // of positions: full turns that make no difference
    uint8_t *contacts, *dock_states;
    uint8_t *settled; // by dock: the last state that was kept, open or closed
    SomSenses senses;
    double tick;
    double next_sample, sample_time;
    int parts; // of every tick, each with a sample
    int most_kept;
} Run;

static void *numbers(int32_t count, size_t size) {
    return som_alloc((size_t)(count + 1) * size);
}

// Joints that turn without end, are sent with velocities or on from where they are, and asked for
// by no condition.
static void find_wraps(Run *r) {
    const SomActionGraph *g = r->graph;
    int32_t dofs = g->symbol_count[SOM_SYMBOL_DOF];
    r->wraps = numbers(dofs, sizeof *r->wraps);
    bool is_of_design = r->def->design != NULL && r->def->design->dof_count == dofs;
    for (int32_t i = 0; i < dofs && is_of_design; i++) {
        const SomModuleJoint *joint = som_configuration_joint(r->def->design, i);
        r->wraps[i] = joint->type == SOM_JOINT_REVOLUTE && isinf(joint->low) && isinf(joint->high);
    }
    for (int32_t i = 0; i < g->action_count; i++) {
        const SomAction *action = &g->actions[i];
        if (action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_FOLLOW) {
            r->wraps[action->target] = false;
        }
    }
    for (int32_t i = 0; i < g->instruction_count; i++) {
        if (g->instructions[i].kind == SOM_INSTRUCTION_POSITION) {
            r->wraps[g->instructions[i].index] = false;
        }
    }
}

static void begin(Run *r) {
    const SomActionGraph *g = r->graph;
    const SomAssumptions *assumed = &r->def->assumed;
    int32_t dofs = g->symbol_count[SOM_SYMBOL_DOF], docks = g->symbol_count[SOM_SYMBOL_DOCK];
    int32_t contacts = g->symbol_count[SOM_SYMBOL_CONTACT];
    int32_t inputs = g->symbol_count[SOM_SYMBOL_INPUT];
    r->servos = numbers(dofs, sizeof *r->servos);
    r->positions = numbers(dofs, sizeof *r->positions);
    r->between = numbers(dofs, sizeof *r->between);
    r->origins = numbers(dofs, sizeof *r->origins);
    r->speeds = numbers(dofs, sizeof *r->speeds);
    r->efforts = numbers(dofs, sizeof *r->efforts);
    r->settled = numbers(docks, sizeof *r->settled);
    r->dock_states = numbers(docks, sizeof *r->dock_states);
    r->contacts = numbers(contacts, sizeof *r->contacts);
    r->inputs = numbers(inputs, sizeof *r->inputs);
    for (int32_t i = 0; i < dofs; i++) {
        r->servos[i] = som_servo_at(r->def->initial == NULL ? 0 : r->def->initial[i]);
        r->efforts[i] = assumed->effort;
    }
    som_predicted_docks_sense(r->docks, r->settled);
    for (int32_t i = 0; i < contacts; i++) {
        r->contacts[i] = assumed->contact;
    }
    for (int32_t i = 0; i < inputs; i++) {
        bool has_source = som_graph_source(g, i).kind != SOM_SOURCE_UNKNOWN;
        r->inputs[i] = assumed->inputs != NULL ? assumed->inputs[i] : has_source ? (double)NAN : 0;
    }
    r->senses = (SomSenses){.positions = r->positions,
                            .speeds = r->speeds,
                            .efforts = r->efforts,
                            .contacts = r->contacts,
                            .inputs = r->inputs,
                            .docks = r->dock_states,
                            .height = assumed->height,
                            .tilt = assumed->tilt};
    size_t size = som_player_size(g, 0);
    r->memory = som_alloc(size);
    r->player = som_player_init(r->memory, size, g, 0, NULL);
    assert(r->player != NULL); // the graph has passed som_graph_check
    if (r->def->explorer != NULL) {
        r->explored = som_explored_run_create(r->def->explorer, r->def->branch, r->player);
        find_wraps(r);
    }
}

static void end(Run *r) {
    void *const all[] = {r->servos,  r->positions, r->between,     r->speeds,
                         r->efforts, r->settled,   r->dock_states, r->contacts,
                         r->inputs,  r->memory,    r->wraps,       r->origins};
    som_predicted_docks_destroy(r->docks);
    som_explored_run_destroy(r->explored);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        som_free(all[i]);
    }
}

static void sense(Run *r) {
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        r->positions[i] = r->servos[i].position;
        r->speeds[i] = r->servos[i].speed;
    }
    som_predicted_docks_sense(r->docks, r->dock_states);
}

static void move(Run *r) {
    static const SomServoModel free_servo = {0};
    const SomSetPoint *points = som_player_set_points(r->player);
    const uint8_t *commands = som_player_dock_commands(r->player);
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        const SomServoModel *model = r->def->servos == NULL ? &free_servo : &r->def->servos[i];
        som_servo_step(model, &r->servos[i], &points[i], r->tick);
    }
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        r->positions[i] = r->servos[i].position;
    }
    som_predicted_docks_move(r->docks, commands, r->positions, r->tick,
                             som_player_time(r->player) + r->tick);
}

// ---- a tick

static double wrapped(double angle) {
    static const double turn = 6.28318530717958647692;
    double part = angle - turn * floor(angle / turn);
    return turn - part < 1e-9 ? 0 : part;
}

// Of all but the player. Sets the origins.
static uint64_t state_of(Run *r) {
    uint64_t state = som_predicted_docks_fingerprint(r->docks);
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        const SomServo *servo = &r->servos[i];
        double position = r->wraps[i] ? wrapped(servo->position) : servo->position;
        r->origins[i] = servo->position - position;
        state = som_fingerprint_add_number(state, position);
        state = som_fingerprint_add_number(state, servo->speed);
        state = som_fingerprint_add(state, servo->has_error);
        state = som_fingerprint_add_number(state, servo->has_error ? servo->last_error : 0);
    }
    return state;
}

// Whether it was in this state before.
static bool step(Run *r) {
    if (r->explored == NULL) {
        som_player_step(r->player, r->tick, &r->senses);
        return false;
    }
    uint64_t rest = state_of(r);
    som_explored_run_step(r->explored, r->player, r->tick, &r->senses, rest, r->origins);
    r->out->returns =
        som_explored_run_returns(r->explored, &r->out->return_branch, &r->out->return_time);
    return r->out->returns;
}

// ---- what is kept

// Keeps the first sample, and of the others every so many.
static void drop_samples(SomPrediction *out, int every) {
    int kept = 0, active_kept = 0;
    for (int i = 0; i < out->times.count; i += every) {
        int count;
        const int32_t *active = som_prediction_active(out, i, &count);
        memmove(out->active.data + active_kept, active, (size_t)count * sizeof *active);
        active_kept += count;
        if (out->dof_count > 0) {
            memmove(out->positions.data + (size_t)kept * (size_t)out->dof_count,
                    out->positions.data + (size_t)i * (size_t)out->dof_count,
                    (size_t)out->dof_count * sizeof *out->positions.data);
        }
        out->times.data[kept] = out->times.data[i];
        out->active_end.data[kept] = active_kept;
        kept++;
    }
    out->times.count = out->active_end.count = kept;
    out->positions.count = kept * out->dof_count;
    out->active.count = active_kept;
}

static void add_sample(Run *r, double time, const double *positions, const int32_t *active,
                       int32_t count) {
    SomPrediction *out = r->out;
    som_array_push(&out->times, time);
    som_array_reserve(&out->positions, out->positions.count + out->dof_count);
    for (int i = 0; i < out->dof_count; i++) {
        out->positions.data[out->positions.count++] = positions[i];
    }
    som_array_reserve(&out->active, out->active.count + count);
    for (int i = 0; i < count; i++) {
        out->active.data[out->active.count++] = active[i];
    }
    som_array_push(&out->active_end, out->active.count);
}

// From the sample of the tick before, with the actions that ran from then on, to one at a time.
static void add_samples_between(Run *r, double time) {
    SomPrediction *out = r->out;
    int before = out->times.count - 1, count;
    if (before < 0 || r->parts == 1) {
        return;
    }
    double from = out->times.data[before];
    som_prediction_active(out, before, &count);
    som_array_reserve(&out->active, out->active.count + (r->parts - 1) * count);
    const int32_t *active = som_prediction_active(out, before, &count);
    for (int k = 1; k < r->parts; k++) {
        for (int i = 0; i < out->dof_count; i++) {
            double at = out->positions.data[(size_t)before * (size_t)out->dof_count + (size_t)i];
            r->between[i] = at + (r->positions[i] - at) * k / r->parts;
        }
        add_sample(r, from + (time - from) * k / r->parts, r->between, active, count);
    }
}

static void sample(Run *r, double time) {
    SomPrediction *out = r->out;
    int32_t count;
    const int32_t *active = som_player_active(r->player, &count);
    while (out->times.count > 2 && (int64_t)out->positions.count + out->active.count +
                                           out->times.count +
                                           (int64_t)r->parts * (out->dof_count + count) >
                                       r->most_kept) {
        drop_samples(out, r->parts > 1 ? r->parts : 2);
        r->sample_time *= r->parts > 1 ? 1 : 2;
        r->parts = 1;
    }
    add_samples_between(r, time);
    add_sample(r, time, r->positions, active, count);
}

static void keep_docks(Run *r, double time) {
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOCK]; i++) {
        uint8_t state = r->dock_states[i];
        if (state != r->settled[i] && state != SOM_DOCK_MOVING &&
            r->out->docks.count < MOST_EVENTS) {
            r->settled[i] = state;
            SomPredictionDock event = {time, i, state == SOM_DOCK_CLOSED};
            som_array_push(&r->out->docks, event);
        }
    }
}

static void keep(Run *r) {
    SomPrediction *out = r->out;
    int32_t count;
    const SomPlayerEvent *events = som_player_events(r->player, &count, NULL);
    double time = som_player_time(r->player);
    for (int32_t i = 0; i < count && out->events.count < MOST_EVENTS; i++) {
        SomPredictionEvent event = {time, events[i].node, events[i].is_end,
                                    (SomEndReason)events[i].reason,
                                    som_player_run(r->player, events[i].node).target};
        som_array_push(&out->events, event);
        if (event.is_end && event.reason == SOM_END_TIMEOUT) {
            som_predicted_docks_explain(r->docks, event.node);
        }
    }
    keep_docks(r, time);
    SomPlayerConflict conflict = som_player_conflict(r->player);
    if (conflict.resource != SOM_NONE && out->conflict.resource == SOM_NONE) {
        out->conflict = conflict;
        out->conflict_time = time;
    }
    bool is_over = som_player_status(r->player) == SOM_PLAYER_COMPLETED;
    if (time >= r->next_sample - SOM_TIME_SLACK || is_over) {
        sample(r, time);
        r->next_sample += r->sample_time;
        if (r->next_sample < time) {
            r->next_sample = time + r->sample_time;
        }
    }
}

// ---- what was assumed

static const char *assumption_of(const SomActionGraph *g, int32_t condition, const char **name) {
    *name = "";
    const SomCondition *c = &g->conditions[condition];
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        const SomInstruction *in = &g->instructions[i];
        switch ((SomInstructionKind)in->kind) {
        case SOM_INSTRUCTION_CONTACT:
            *name = som_graph_name(g, SOM_SYMBOL_CONTACT, in->index);
            return "contact";
        case SOM_INSTRUCTION_EFFORT:
            *name = som_graph_name(g, SOM_SYMBOL_DOF, in->index);
            return "effort";
        case SOM_INSTRUCTION_INPUT:
            if (som_source_is_known(som_graph_source(g, in->index))) {
                break;
            }
            *name = som_graph_name(g, SOM_SYMBOL_INPUT, in->index);
            return "input";
        case SOM_INSTRUCTION_HEIGHT:
            return "height";
        case SOM_INSTRUCTION_TILT:
            return "tilt";
        default:
            break;
        }
    }
    return NULL;
}

static void report_assumption(const Run *r, int32_t node, int32_t condition,
                              SomDiagnostics *diags) {
    const char *name;
    const char *what = condition == SOM_NONE ? NULL : assumption_of(r->graph, condition, &name);
    if (what != NULL && *name != '\0') {
        som_report(diags, SOM_PREDICTION_ASSUMES, som_graph_user_span(r->graph, node),
                   "the %s of '%s' is only assumed here", what, name);
    } else if (what != NULL) {
        som_report(diags, SOM_PREDICTION_ASSUMES, som_graph_user_span(r->graph, node),
                   "the %s is only assumed here", what);
    }
    if (what != NULL) {
        som_graph_note_calls(r->graph, node, "it is asked for", diags);
    }
}

// Of the conditions that were tested: those of actions and repetitions that ran, and of the
// branches of choices that were made.
static void report_assumptions(const Run *r, SomDiagnostics *diags) {
    const SomGraphNode *nodes = r->graph->nodes;
    for (int32_t i = 0; i < r->graph->node_count; i++) {
        bool has_run = !isnan(som_player_run(r->player, i).start);
        if (has_run && nodes[i].kind == SOM_NODE_ACTION) {
            report_assumption(r, i, r->graph->actions[nodes[i].index].until, diags);
        }
        if (has_run && nodes[i].kind == SOM_NODE_REPEAT) {
            report_assumption(r, i, nodes[i].until, diags);
        }
        int32_t parent = nodes[i].parent;
        if (parent != SOM_NONE && nodes[parent].kind == SOM_NODE_CHOOSE &&
            !isnan(som_player_run(r->player, parent).start)) {
            report_assumption(r, i, nodes[i].guard, diags);
        }
    }
}

// ---- all of it

static void play(Run *r) {
    double most_time = r->def->most_time > 0 ? r->def->most_time : 600;
    for (int64_t i = 0; i < MOST_TICKS; i++) {
        sense(r);
        bool returns = step(r);
        keep(r);
        if (returns || som_player_status(r->player) == SOM_PLAYER_COMPLETED ||
            r->out->events.count >= MOST_EVENTS || som_stop_is_asked(r->def->stop) ||
            som_player_time(r->player) >= most_time - SOM_TIME_SLACK) {
            break;
        }
        move(r);
    }
    if (r->out->times.data[r->out->times.count - 1] < som_player_time(r->player)) {
        sample(r, som_player_time(r->player));
    }
}

// Whether docks are as they were last told to be. One that is to close and has no partner in reach
// waits for ever, which is seen once it has been moved.
static bool docks_rest(const Run *r, bool were_moved) {
    const uint8_t *commands = som_player_dock_commands(r->player);
    bool rest = true;
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOCK]; i++) {
        uint8_t state = r->dock_states[i];
        bool opens = commands[i] == SOM_DOCK_DISCONNECT && state != SOM_DOCK_OPEN;
        bool closes = commands[i] == SOM_DOCK_CONNECT && state != SOM_DOCK_CLOSED && !were_moved;
        rest = rest && state != SOM_DOCK_MOVING && !opens && !closes;
    }
    return rest;
}

static bool joints_rest(const Run *r) {
    for (int32_t i = 0; i < r->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        if (!(fabs(r->servos[i].speed) < r->def->rest_speed)) {
            return false;
        }
    }
    return true;
}

static bool rests(const Run *r, bool were_moved) {
    return joints_rest(r) && docks_rest(r, were_moved);
}

// Nothing is commanded any more; the joints go to where they were last sent, and docks close or
// open as they were told to.
static void come_to_rest(Run *r) {
    double begin = som_player_time(r->player), time = begin;
    double most_time = r->def->most_time > 0 ? r->def->most_time : 600;
    for (int64_t i = 1; i < MOST_TICKS && !rests(r, i > 1) && time < most_time; i++) {
        if (som_stop_is_asked(r->def->stop)) {
            break;
        }
        move(r);
        sense(r);
        time = som_number_round(begin + (double)i * r->tick, 12);
        keep_docks(r, time);
        if (time >= r->next_sample - SOM_TIME_SLACK) {
            sample(r, time);
            r->next_sample += r->sample_time;
        }
    }
    if (r->out->times.data[r->out->times.count - 1] < time) {
        sample(r, time);
    }
    r->out->rest_time = time;
    r->out->is_cut = !rests(r, true);
}

// Docks that were told to close, and the action is done, but have not.
static void explain_open_docks(const Run *r) {
    const SomPredictionEvent *events = r->out->events.data;
    const uint8_t *commands = som_player_dock_commands(r->player);
    for (int i = r->out->events.count - 1; i >= 0; i--) {
        const SomAction *action = &r->graph->actions[r->graph->nodes[events[i].node].index];
        if (action->kind == SOM_ACTION_CONNECT && commands[action->target] == SOM_DOCK_CONNECT &&
            r->dock_states[action->target] != SOM_DOCK_CLOSED) {
            som_predicted_docks_explain(r->docks, events[i].node);
        }
    }
}

bool som_prediction_play(const SomPredictionDef *def, SomPrediction *prediction,
                         SomDiagnostics *diags) {
    Run r = {.def = def, .graph = def->graph, .out = prediction};
    r.tick = def->tick > 0 ? def->tick : SOM_PREDICTION_TICK;
    r.sample_time = def->sample_time > r.tick ? def->sample_time : r.tick;
    double parts = def->sample_time > 0 ? r.tick / def->sample_time : 1;
    r.parts = (int)fmin(fmax(ceil(parts * (1 - 1e-9)), 1), MOST_PARTS);
    r.most_kept = def->most_kept > 0 ? def->most_kept : MOST_KEPT;
    prediction->dof_count = def->graph->symbol_count[SOM_SYMBOL_DOF];
    prediction->conflict = (SomPlayerConflict){SOM_NONE, SOM_NONE, SOM_NONE};
    r.docks = som_predicted_docks_create(def, diags);
    begin(&r);
    play(&r);
    prediction->status = som_player_status(r.player);
    prediction->duration = prediction->rest_time = som_player_time(r.player);
    bool is_finished = prediction->status == SOM_PLAYER_COMPLETED;
    prediction->is_cut = !is_finished && !prediction->returns;
    if (def->rest_speed > 0 && is_finished && !prediction->returns) {
        come_to_rest(&r);
        explain_open_docks(&r);
    }
    if (def->explorer == NULL) {
        report_assumptions(&r, diags);
    }
    if (!is_finished && !prediction->returns && !def->is_excerpt) {
        char text[SOM_NUMBER_TEXT];
        som_number_print(som_number_round(prediction->duration, 6), text);
        int32_t count;
        const int32_t *active = som_player_active(r.player, &count);
        for (int32_t i = 0; i < count; i++) {
            som_predicted_docks_explain(r.docks, active[i]);
        }
        som_report(diags, SOM_PREDICTION_UNFINISHED, som_graph_user_span(def->graph, 0),
                   "the behavior has not ended after %s s", text);
    }
    end(&r);
    return is_finished;
}

void som_prediction_free(SomPrediction *prediction) {
    som_array_free(&prediction->times);
    som_array_free(&prediction->positions);
    som_array_free(&prediction->active);
    som_array_free(&prediction->active_end);
    som_array_free(&prediction->events);
    som_array_free(&prediction->docks);
}

const int32_t *som_prediction_active(const SomPrediction *prediction, int sample_index,
                                     int *count) {
    int first = sample_index == 0 ? 0 : prediction->active_end.data[sample_index - 1];
    *count = prediction->active_end.data[sample_index] - first;
    // a behavior without actions has no array
    return *count > 0 ? prediction->active.data + first : NULL;
}

void som_prediction_at(const SomPrediction *prediction, double time, double *values) {
    int low = 0, high = prediction->times.count - 1;
    const double *times = prediction->times.data, *positions = prediction->positions.data;
    size_t dofs = (size_t)prediction->dof_count;
    // the last sample that is not after the time, and the one after it
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double way = high > low ? (time - times[low]) / (times[high] - times[low]) : 0;
    double share = way > 0 ? (way < 1 ? way : 1) : 0;
    for (size_t k = 0; k < dofs; k++) {
        double from = positions[(size_t)low * dofs + k], to = positions[(size_t)high * dofs + k];
        values[k] = share == 1 ? to : from + share * (to - from);
    }
}
