// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulation.h"

#include "player/piece_watch.h"
#include "player/robot_watch.h"
#include "space/trigonometry.h"

#include <math.h>
#include <string.h>

// What a robot plays that has nothing to do: never begun, it stands.
typedef struct Standing {
    SomGraphNode node;
    SomAction action;
    SomActionGraph graph;
} Standing;

struct SomSimulation {
    SomSimulationDef def;
    const SomMechanism *mechanism;
    SomEngine *engine;
    SomRobotRun *run; // player, drives and docks
    SomRobotDof *dofs;
    SomRobotWeld *welds;
    SomRobotBody *bodies;
    Standing standing;
    SomBodyPlace *places;                 // one a body
    double *commands;                     // one a joint
    double *gaps;                         // one a weld
    uint8_t *holds;                       // one a weld: what the engine does now
    SomDockLoad *loads;                   // one a weld
    uint8_t *is_open;                     // one a weld: a loop that has come apart
    double *positions, *speeds, *efforts; // one a DoF
    uint8_t *contacts;                    // one a contact of the graph
    int *contact_links[2];                // of each contact of the graph: from, and up to before
    double *inputs;
    SOM_ARRAY(SomBodyPair) touching; // links that have touched since the start
    SomBodySenses body;              // of the first piece, now
    SomRobotWatch watch;
    SomPieceWatch *pieces;  // one a piece
    SomPiecePair *held;     // at most one a weld
    SomBodySenses *started; // one a piece: when the behavior began
    int64_t next_sample;
    SomSimulationResult result;
    // one a body and sample, if there are welds: joints do not tell where parts are that came off
    SOM_ARRAY(SomPose) sampled;
};

// ---- where it is

static SomPose link_on(const SomSimulation *s, const SomPose *bodies, int link) {
    const SomBodyModel *model = s->def.model;
    return som_pose_compose(bodies[model->body_of[link]], model->link_pose[link]);
}

static SomPose link_pose(const SomSimulation *s, int link) {
    return link_on(s, som_engine_state(s->engine)->poses, link);
}

// Whether joints do not tell where everything is: parts may come off, and pieces go their ways.
static bool is_in_parts(const SomSimulation *s) {
    return s->def.model->weld_count > 0 || s->mechanism->piece_count > 1;
}

// The link of the mechanism that has no parent.
static int base_link(const SomSimulation *s) {
    return s->mechanism->order[0];
}

void som_simulation_place(const SomSimulation *s, SomPose *links) {
    for (int i = 0; i < s->mechanism->link_count; i++) {
        links[i] = link_pose(s, i);
    }
}

// By its joints from the base on.
static void place_joints(const SomSimulation *s, int sample, SomPose *links) {
    const SomSimulationResult *r = &s->result;
    SomPosture posture = {.values = r->positions.data + (size_t)sample * (size_t)r->dof_count,
                          .count = r->dof_count};
    som_mechanism_place(s->mechanism, &posture, links);
    SomPose moved = som_pose_compose(r->base.data[sample], som_pose_invert(links[base_link(s)]));
    for (int i = 0; i < s->mechanism->link_count; i++) {
        links[i] = som_pose_compose(moved, links[i]);
    }
}

void som_simulation_place_sample(const SomSimulation *s, int sample, SomPose *links) {
    const SomBodyModel *model = s->def.model;
    if (!is_in_parts(s)) {
        place_joints(s, sample, links);
        return;
    }
    const SomPose *bodies = s->sampled.data + (size_t)sample * (size_t)model->body_count;
    for (int i = 0; i < s->mechanism->link_count; i++) {
        links[i] = link_on(s, bodies, i);
    }
}

static SomBodyPlace place_of(const SomPose *pose) {
    SomBodyPlace place = {.position = {pose->position.x, pose->position.y, pose->position.z}};
    memcpy(place.rotation, pose->rotation.m, sizeof place.rotation);
    return place;
}

static SomVec3 vector(const double v[3]) {
    return som_vec3(v[0], v[1], v[2]);
}

// Once a step: what senses, falls and traces are about.
static void look_at_body(SomSimulation *s) {
    const SomEngineState *now = som_engine_state(s->engine);
    for (int i = 0; i < s->def.model->body_count; i++) {
        s->places[i] = place_of(&now->poses[i]);
    }
    s->body = som_body_senses(s->bodies, s->places, s->def.model->body_count);
}

// ---- what happens

static void add_event(SomSimulation *s, SomSimulationEvent event) {
    event.time = s->result.time;
    som_array_push(&s->result.events, event);
}

// Whether the pair is new among those that touch; remembers it.
static bool is_new_pair(SomSimulation *s, int a, int b) {
    SomBodyPair pair = {a < b ? a : b, a < b ? b : a};
    for (int i = 0; i < s->touching.count; i++) {
        if (s->touching.data[i].a == pair.a && s->touching.data[i].b == pair.b) {
            return false;
        }
    }
    som_array_push(&s->touching, pair);
    return true;
}

// Whether a dock is between their two modules: they touch when they meet, before it holds.
static bool is_of_dock(const SomSimulation *s, const SomEngineContact *contact) {
    const SomConfiguration *design = s->mechanism->configuration;
    const SomBodyShape *shapes = s->def.model->shapes;
    int a = s->mechanism->links[shapes[contact->shape_a].link].module;
    int b = s->mechanism->links[shapes[contact->shape_b].link].module;
    for (int i = 0; i < design->dock_count; i++) {
        const SomConnection *k = &design->docks[i].connection;
        if ((k->module_a == a && k->module_b == b) || (k->module_a == b && k->module_b == a)) {
            return true;
        }
    }
    return false;
}

// Whether what touches did so at the start.
static bool rests(const SomSimulation *s, const SomEngineContact *contact) {
    const SomBodyModel *model = s->def.model;
    int x = model->shapes[contact->shape_a].unit, y = model->shapes[contact->shape_b].unit;
    SomBodyPair pair = {x < y ? x : y, x < y ? y : x};
    for (int i = 0; i < model->resting_count; i++) {
        if (model->resting[i].a == pair.a && model->resting[i].b == pair.b) {
            return true;
        }
    }
    return false;
}

static void look_at_contacts(SomSimulation *s) {
    const SomEngineState *now = som_engine_state(s->engine);
    for (int i = 0; i < now->contact_count; i++) {
        const SomEngineContact *contact = &now->contacts[i];
        if (contact->body_b < 0 || is_of_dock(s, contact) || rests(s, contact)) {
            continue;
        }
        int a = s->def.model->shapes[contact->shape_a].link;
        int b = s->def.model->shapes[contact->shape_b].link;
        if (is_new_pair(s, a, b)) {
            s->watch.has_collided = true;
            add_event(
                s, (SomSimulationEvent){.kind = SOM_EVENT_SELF_CONTACT, .link_a = a, .link_b = b});
        }
    }
}

// By how much a base has turned about the vertical, from -pi to pi.
static double heading(const SomBodyPlace *now, const SomBodyPlace *start) {
    double x = 0, y = 0; // of what was the x axis of the world
    for (int i = 0; i < 3; i++) {
        x += now->rotation[0][i] * start->rotation[0][i];
        y += now->rotation[1][i] * start->rotation[0][i];
    }
    return som_atan2(y, x);
}

static SomBodySenses piece_senses(const SomSimulation *s, int piece) {
    if (piece == 0) {
        return s->body;
    }
    SomBodySum sum = som_body_sum();
    for (int i = 0; i < s->def.model->body_count; i++) {
        if (s->bodies[i].piece == piece) {
            som_body_sum_add(&sum, &s->bodies[i], &s->places[i], true);
        }
    }
    return som_body_sum_senses(&sum);
}

// How far pieces have gone, and turned: whole turns count.
static void look_at_pieces(SomSimulation *s) {
    SomSimulationResult *r = &s->result;
    for (int i = 0; i < r->pieces.count; i++) {
        SomPieceResult *piece = &r->pieces.data[i];
        SomBodySenses now = piece_senses(s, i);
        double turned = heading(&now.base, &s->started[i].base) - piece->heading_change;
        piece->heading_change += turned - 2 * SOM_PI * round(turned / (2 * SOM_PI));
        piece->displacement = som_vec3_sub(vector(now.center), vector(s->started[i].center));
        int group = s->pieces[i].group1 - 1;
        piece->has_fallen = group >= 0 && s->pieces[group].has_fallen;
    }
    r->displacement = r->pieces.data[0].displacement;
    r->heading_change = r->pieces.data[0].heading_change;
}

// It still settles: the behavior begins from here.
static void begin_again(SomSimulation *s) {
    memset(s->pieces, 0, sizeof *s->pieces * (size_t)s->result.pieces.count);
    for (int i = 0; i < s->result.pieces.count; i++) {
        s->started[i] = piece_senses(s, i);
        s->result.pieces.data[i] = (SomPieceResult){0};
    }
}

static void look_at_fall(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    int held = 0;
    for (int i = 0; i < model->weld_count; i++) {
        SomPiecePair pair = {model->bodies[model->welds[i].body_a].piece,
                             model->bodies[model->welds[i].body_b].piece};
        if (s->holds[i] && pair.a != pair.b) {
            s->held[held++] = pair;
        }
    }
    SomPieceStep now = {s->bodies, s->places, model->body_count, s->held, held, &s->def.fall};
    int fallen = som_piece_watch_step(s->pieces, s->result.pieces.count, &now);
    if (fallen >= 0) {
        s->watch.has_fallen = true;
        add_event(s, (SomSimulationEvent){.kind = SOM_EVENT_FELL, .piece = fallen});
    }
}

static void look_at_actions(SomSimulation *s) {
    int32_t count;
    const SomPlayerEvent *events = som_player_events(som_robot_run_shown(s->run), &count, NULL);
    for (int32_t i = 0; i < count; i++) {
        bool is_end = events[i].is_end != 0;
        add_event(s, (SomSimulationEvent){.kind = is_end ? SOM_EVENT_ACTION_ENDED
                                                         : SOM_EVENT_ACTION_STARTED,
                                          .node = events[i].node,
                                          .reason = (SomEndReason)events[i].reason});
    }
}

static void sample(SomSimulation *s) {
    const SomEngineState *now = som_engine_state(s->engine);
    SomSimulationResult *r = &s->result;
    int grounded = 0;
    for (int i = 0; i < now->contact_count; i++) {
        grounded += now->contacts[i].body_b < 0;
    }
    som_array_push(&r->times, r->time);
    for (int i = 0; i < r->dof_count; i++) {
        som_array_push(&r->positions, s->positions[i]);
        som_array_push(&r->efforts, s->efforts[i]);
    }
    for (int i = 0; i < s->def.model->body_count && is_in_parts(s); i++) {
        som_array_push(&s->sampled, now->poses[i]);
    }
    for (int i = 1; i < s->mechanism->piece_count; i++) {
        som_array_push(&r->others, link_pose(s, s->mechanism->pieces[i].root));
    }
    som_array_push(&r->base, link_pose(s, base_link(s)));
    som_array_push(&r->com, vector(s->body.center));
    som_array_push(&r->contacts, grounded);
}

// ---- sensing

static void sense_joints(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    const SomEngineState *now = som_engine_state(s->engine);
    for (int i = 0; i < s->result.dof_count; i++) {
        int joint = model->joint_of[i];
        s->positions[i] = joint >= 0 ? now->positions[joint] : model->start[i];
        s->speeds[i] = joint >= 0 ? now->speeds[joint] : 0;
        s->efforts[i] = joint >= 0 ? now->efforts[joint] : 0;
    }
}

static bool is_touched(const SomSimulation *s, int contact, int shape) {
    int link = shape >= 0 ? s->def.model->shapes[shape].link : -1;
    return link >= s->contact_links[0][contact] && link < s->contact_links[1][contact];
}

static void sense_contacts(SomSimulation *s) {
    const SomEngineState *now = som_engine_state(s->engine);
    int count = s->def.graph->symbol_count[SOM_SYMBOL_CONTACT];
    for (int i = 0; i < count; i++) {
        s->contacts[i] = 0;
        for (int k = 0; k < now->contact_count; k++) {
            s->contacts[i] |= is_touched(s, i, now->contacts[k].shape_a) ||
                              is_touched(s, i, now->contacts[k].shape_b);
        }
    }
}

// How far the two sides of each weld are from each other.
static void sense_gaps(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        s->gaps[i] = som_weld_gap(&s->welds[i], &s->places[weld->body_a], &s->places[weld->body_b]);
    }
}

// What should hold for good is not to come apart.
static void look_at_loops(SomSimulation *s) {
    for (int i = 0; i < s->def.model->weld_count; i++) {
        bool is_open = s->def.model->welds[i].dock < 0 && !(s->gaps[i] <= SOM_OPEN_GAP);
        if (is_open && !s->is_open[i] && s->result.time >= SOM_OPEN_SETTLES) {
            s->is_open[i] = 1;
            s->watch.has_opened = true;
            add_event(s, (SomSimulationEvent){.kind = SOM_EVENT_LOOP_OPENED, .weld = i});
        }
    }
}

static SomSenses senses_of(const SomSimulation *s) {
    return (SomSenses){.positions = s->positions,
                       .speeds = s->speeds,
                       .efforts = s->efforts,
                       .contacts = s->contacts,
                       .inputs = s->inputs,
                       .height = s->body.base.position[2],
                       .tilt = s->body.tilt};
}

static void hold(SomSimulation *s, int weld, bool is_held, SomSimulationEventKind kind) {
    som_engine_hold(s->engine, weld, is_held);
    s->loads[weld] = (SomDockLoad){0};
    s->holds[weld] = is_held;
    add_event(s, (SomSimulationEvent){.kind = kind, .dock = s->def.model->welds[weld].dock});
}

static void drive(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    SomSenses senses = senses_of(s);
    som_robot_run_drive(s->run, &senses, s->gaps, s->def.step);
    for (int i = 0; i < s->result.dof_count; i++) {
        if (model->joint_of[i] >= 0) {
            s->commands[model->joint_of[i]] = som_robot_run_speeds(s->run)[i];
        }
    }
    const uint8_t *holds = som_robot_run_holds(s->run);
    for (int i = 0; i < model->weld_count; i++) {
        if (holds[i] != s->holds[i]) {
            hold(s, i, holds[i], holds[i] ? SOM_EVENT_DOCK_CLOSED : SOM_EVENT_DOCK_OPENED);
        }
    }
}

// Docks that carry more than their connectors hold are torn off, for good.
static void look_at_docks(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    const SomEngineState *now = som_engine_state(s->engine);
    for (int i = 0; i < model->weld_count; i++) {
        if (model->welds[i].dock >= 0 && s->holds[i] &&
            som_dock_load_step(&s->welds[i].limits, &s->loads[i], &now->loads[i],
                               &s->places[model->welds[i].body_b], s->def.step)) {
            s->watch.has_broken = true;
            som_robot_run_tear(s->run, i);
            hold(s, i, false, SOM_EVENT_DOCK_BROKE);
        }
    }
}

static SomPlayerStatus play(SomSimulation *s) {
    sense_contacts(s);
    SomSenses senses = senses_of(s);
    SomPlayerStatus status = som_robot_run_play(s->run, &senses, s->def.step);
    som_robot_watch_step(&s->watch, s->run, &senses, true, s->def.step);
    look_at_actions(s);
    return status;
}

// ---- the run

static bool finish(SomSimulation *s, SomOutcome outcome) {
    s->result.outcome = outcome;
    sample(s);
    return false;
}

bool som_simulation_step(SomSimulation *s) {
    SomSimulationResult *r = &s->result;
    if (r->outcome != SOM_OUTCOME_RUNNING) {
        return false;
    }
    sense_joints(s);
    bool is_playing = s->def.graph != NULL && r->time >= s->def.settle - 0.5 * s->def.step;
    bool is_over = is_playing && play(s) == SOM_PLAYER_COMPLETED;
    look_at_pieces(s);
    if (is_over) {
        return finish(s, som_robot_watch_outcome(&s->watch, s->run));
    }
    if (r->time >= s->def.duration - 0.5 * s->def.step) {
        return finish(s, som_robot_watch_end(&s->watch, s->run));
    }
    if (r->time >= (double)s->next_sample * s->def.sample_time - 0.5 * s->def.step) {
        sample(s);
        s->next_sample++;
    }
    drive(s);
    r->steps++;
    r->time = (double)r->steps * s->def.step;
    if (!som_engine_step(s->engine, s->commands)) {
        add_event(s, (SomSimulationEvent){.kind = SOM_EVENT_DIVERGED});
        return finish(s, SOM_OUTCOME_DIVERGED);
    }
    look_at_body(s);
    look_at_docks(s);
    sense_gaps(s);
    look_at_loops(s);
    look_at_contacts(s);
    look_at_fall(s);
    if (s->def.graph != NULL && !is_playing) {
        begin_again(s);
    }
    return true;
}

double som_simulation_time(const SomSimulation *s) {
    return s->result.time;
}

const SomEngineState *som_simulation_state(const SomSimulation *s) {
    return som_engine_state(s->engine);
}

int som_simulation_timeouts(const SomSimulationResult *result) {
    int count = 0;
    for (int i = 0; i < result->events.count; i++) {
        const SomSimulationEvent *event = &result->events.data[i];
        count += event->kind == SOM_EVENT_ACTION_ENDED && event->reason == SOM_END_TIMEOUT;
    }
    return count;
}

const SomSimulationResult *som_simulation_result(const SomSimulation *s) {
    return &s->result;
}

// ---- making it

// The links that a contact of the graph is about: a link, or all of a module.
static void find_contact(SomSimulation *s, int contact) {
    SomStr name = som_str(som_graph_name(s->def.graph, SOM_SYMBOL_CONTACT, contact));
    int module = som_configuration_find_module(s->mechanism->configuration, name);
    int from = 0, to = 0;
    if (module >= 0) {
        from = s->mechanism->first_link[module];
        to = s->mechanism->first_link[module + 1];
    }
    for (int i = 0; i < s->mechanism->link_count && module < 0; i++) {
        if (som_str_equal(s->mechanism->links[i].path, name)) {
            from = i;
            to = i + 1;
        }
    }
    s->contact_links[0][contact] = from;
    s->contact_links[1][contact] = to;
}

static void prepare_contacts(SomSimulation *s) {
    const SomActionGraph *graph = s->def.graph;
    size_t contacts = (size_t)graph->symbol_count[SOM_SYMBOL_CONTACT];
    s->contacts = som_alloc(contacts + 1);
    s->contact_links[0] = som_alloc((contacts + 1) * sizeof(int));
    s->contact_links[1] = som_alloc((contacts + 1) * sizeof(int));
    s->inputs = som_alloc(((size_t)graph->symbol_count[SOM_SYMBOL_INPUT] + 1) * sizeof(double));
    for (int i = 0; i < graph->symbol_count[SOM_SYMBOL_INPUT]; i++) {
        // the player asks the source
        bool has_source = som_graph_source(graph, i).kind != SOM_SOURCE_UNKNOWN;
        s->inputs[i] = has_source ? (double)NAN : 0;
    }
    for (int i = 0; i < (int)contacts; i++) {
        find_contact(s, i);
    }
}

static const SomActionGraph *stand(SomSimulation *s) {
    Standing *standing = &s->standing;
    standing->node = (SomGraphNode){SOM_NONE, 1, 0, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0};
    standing->action = som_action(SOM_ACTION_WAIT, SOM_NONE, 0);
    standing->graph = (SomActionGraph){
        .nodes = &standing->node, .actions = &standing->action, .node_count = 1, .action_count = 1};
    standing->graph.symbol_count[SOM_SYMBOL_DOF] = s->result.dof_count;
    return &standing->graph;
}

static void prepare_run(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    for (int i = 0; i < s->result.dof_count; i++) {
        s->dofs[i].start = model->start[i];
        if (s->def.servos != NULL) {
            s->dofs[i].drive.servo = s->def.servos[i];
        }
    }
    for (int i = 0; i < model->weld_count; i++) {
        s->holds[i] = model->welds[i].is_held;
        s->welds[i].index = s->def.graph != NULL ? s->welds[i].index : SOM_NONE;
    }
    SomRobotRunDef def = {s->def.graph != NULL ? s->def.graph : stand(s), s->dofs, s->welds,
                          model->weld_count};
    size_t size = som_robot_run_size(&def);
    s->run = som_robot_run_init(som_alloc(size), size, &def, NULL);
}

static void prepare(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    size_t dofs = (size_t)s->mechanism->dof_count + 1, welds = (size_t)model->weld_count + 1;
    s->result.dof_count = s->mechanism->dof_count;
    s->dofs = som_alloc(dofs * sizeof *s->dofs);
    s->positions = som_alloc(dofs * sizeof(double));
    s->speeds = som_alloc(dofs * sizeof(double));
    s->efforts = som_alloc(dofs * sizeof(double));
    s->commands = som_alloc(((size_t)model->joint_count + 1) * sizeof(double));
    s->welds = som_body_model_welds(model);
    s->gaps = som_alloc(welds * sizeof *s->gaps);
    s->holds = som_alloc(welds);
    s->loads = som_alloc(welds * sizeof *s->loads);
    s->is_open = som_alloc(welds);
    s->held = som_alloc(welds * sizeof *s->held);
    s->pieces = som_alloc((size_t)s->mechanism->piece_count * sizeof *s->pieces);
    s->started = som_alloc((size_t)s->mechanism->piece_count * sizeof *s->started);
    for (int i = 0; i < s->mechanism->piece_count; i++) {
        som_array_push(&s->result.pieces, (SomPieceResult){0});
    }
    s->bodies = som_body_model_robot(model);
    s->places = som_alloc(((size_t)model->body_count + 1) * sizeof *s->places);
    if (s->def.graph != NULL) {
        prepare_contacts(s);
    }
    prepare_run(s);
    look_at_body(s);
    sense_gaps(s);
    begin_again(s);
    look_at_fall(s);
}

static double or_else(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

SomSimulation *som_simulation_create(SomEngineKind engine, const SomSimulationDef *def,
                                     SomDiagnostics *diags) {
    SomSimulation *s = som_alloc(sizeof *s);
    s->def = *def;
    s->def.duration = or_else(def->duration, SOM_SIMULATION_DURATION);
    s->def.step = or_else(def->step, SOM_SIMULATION_STEP);
    s->def.sample_time = or_else(def->sample_time, 0.01);
    s->def.fall.lean = or_else(def->fall.lean, def->model->fall.lean);
    s->def.fall.rolling = or_else(def->fall.rolling, def->model->fall.rolling);
    s->mechanism = def->model->mechanism;
    s->engine =
        som_engine_create(engine, &(SomEngineDef){def->model, def->world, s->def.step}, diags);
    if (s->engine == NULL) {
        som_simulation_destroy(s);
        return NULL;
    }
    prepare(s);
    return s;
}

void som_simulation_destroy(SomSimulation *s) {
    if (s == NULL) {
        return;
    }
    som_engine_destroy(s->engine);
    som_free(s->run);
    som_free(s->dofs);
    som_free(s->welds);
    som_free(s->bodies);
    som_free(s->places);
    som_free(s->gaps);
    som_free(s->holds);
    som_free(s->loads);
    som_free(s->is_open);
    som_free(s->held);
    som_free(s->pieces);
    som_free(s->started);
    som_array_free(&s->result.pieces);
    som_array_free(&s->result.others);
    som_free(s->positions);
    som_free(s->speeds);
    som_free(s->efforts);
    som_free(s->commands);
    som_free(s->contacts);
    som_free(s->contact_links[0]);
    som_free(s->contact_links[1]);
    som_free(s->inputs);
    som_array_free(&s->touching);
    som_array_free(&s->sampled);
    som_array_free(&s->result.events);
    som_array_free(&s->result.times);
    som_array_free(&s->result.positions);
    som_array_free(&s->result.efforts);
    som_array_free(&s->result.base);
    som_array_free(&s->result.com);
    som_array_free(&s->result.contacts);
    som_free(s);
}
