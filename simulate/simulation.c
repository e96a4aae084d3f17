// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulation.h"

#include "player/joint_drive.h"
#include "space/trigonometry.h"

#include <math.h>

#define STILL_SPEED 0.01  // rad/s or m/s below which a joint rests
#define STILL_SECONDS 1.0 // without motion: stuck
#define FALLEN_SHARE 0.5  // of the height of the centre of mass at the start
#define DEFAULT_LEAN 0.35

// A direction of a module's root link that was up at the start, as long as the module is heavy.
typedef struct Upright {
    int link;
    SomVec3 up;
} Upright;

struct SomSimulation {
    SomSimulationDef def;
    const SomMechanism *mechanism;
    SomEngine *engine;
    SomPlayer *player; // NULL without a graph
    void *player_memory;
    SomJointDriveModel *models; // one a DoF
    SomJointDrive *drives;
    double *commands;                     // one a joint
    double *positions, *speeds, *efforts; // one a DoF
    uint8_t *contacts;                    // one a contact of the graph
    int *contact_links[2];                // of each contact of the graph: from, and up to before
    double *inputs;
    SOM_ARRAY(SomBodyPair) touching; // pairs that have touched, at the start or since
    Upright *uprights;               // one a module
    SomVec3 start_com, com;          // of mass: when the behavior began, and now
    double lean;                     // now
    double since_motion;             // seconds
    int64_t next_sample;
    bool had_timeout, has_collided, has_fallen;
    SomSimulationResult result;
};

static const char *const outcomes[SOM_OUTCOMES] = {
    "running", "completed", "timeout", "stuck", "collided", "fell", "dock broke", "diverged"};

const char *som_outcome_word(SomOutcome outcome) {
    return outcomes[outcome];
}

// ---- where it is

static SomPose link_pose(const SomSimulation *s, int link) {
    const SomBodyModel *model = s->def.model;
    return som_pose_compose(som_engine_state(s->engine)->poses[model->body_of[link]],
                            model->link_pose[link]);
}

// The link of the mechanism that has no parent.
static int base_link(const SomSimulation *s) {
    return s->mechanism->order[0];
}

static SomVec3 center_of_mass(const SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    const SomEngineState *now = som_engine_state(s->engine);
    SomVec3 sum = {0};
    double mass = 0;
    for (int i = 0; i < model->body_count; i++) {
        const SomInertia *inertia = &model->bodies[i].inertia;
        SomVec3 at = som_pose_apply(now->poses[i], inertia->center);
        sum = som_vec3_add(sum, som_vec3_scale(inertia->mass, at));
        mass += inertia->mass;
    }
    return som_vec3_scale(mass > 0 ? 1 / mass : 0, sum);
}

void som_simulation_place(const SomSimulation *s, SomPose *links) {
    for (int i = 0; i < s->mechanism->link_count; i++) {
        links[i] = link_pose(s, i);
    }
}

void som_simulation_place_sample(const SomSimulation *s, int sample, SomPose *links) {
    const SomSimulationResult *r = &s->result;
    SomPosture posture = {.values = r->positions.data + (size_t)sample * (size_t)r->dof_count,
                          .count = r->dof_count};
    som_mechanism_place(s->mechanism, &posture, links);
    SomPose moved = som_pose_compose(r->base.data[sample], som_pose_invert(links[base_link(s)]));
    for (int i = 0; i < s->mechanism->link_count; i++) {
        links[i] = som_pose_compose(moved, links[i]);
    }
}

// How far the robot leans as a whole: every module has a direction that was up at the start; the
// angle between the mean of them and up. What moves in the robot to and fro does not count.
static double find_lean(const SomSimulation *s) {
    SomVec3 sum = {0};
    for (int i = 0; i < s->mechanism->configuration->module_count; i++) {
        const Upright *upright = &s->uprights[i];
        sum = som_vec3_add(sum, som_pose_rotate(link_pose(s, upright->link), upright->up));
    }
    return som_atan2(sqrt(sum.x * sum.x + sum.y * sum.y), sum.z);
}

// Once a step: what senses, falls and traces are about.
static void look_at_body(SomSimulation *s) {
    s->com = center_of_mass(s);
    s->lean = find_lean(s);
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

static void look_at_contacts(SomSimulation *s, bool is_start) {
    const SomEngineState *now = som_engine_state(s->engine);
    for (int i = 0; i < now->contact_count; i++) {
        const SomEngineContact *contact = &now->contacts[i];
        if (contact->body_b < 0 || !is_new_pair(s, contact->body_a, contact->body_b)) {
            continue;
        }
        if (!is_start) {
            s->has_collided = true;
            add_event(s,
                      (SomSimulationEvent){.kind = SOM_EVENT_SELF_CONTACT,
                                           .link_a = s->def.model->shapes[contact->shape_a].link,
                                           .link_b = s->def.model->shapes[contact->shape_b].link});
        }
    }
}

static void look_at_fall(SomSimulation *s) {
    if (!s->has_fallen &&
        (s->lean > s->def.most_lean || s->com.z < FALLEN_SHARE * s->start_com.z)) {
        s->has_fallen = true;
        add_event(s, (SomSimulationEvent){.kind = SOM_EVENT_FELL});
    }
}

static void look_at_actions(SomSimulation *s) {
    int32_t count;
    const SomPlayerEvent *events = som_player_events(s->player, &count, NULL);
    for (int32_t i = 0; i < count; i++) {
        bool is_end = events[i].is_end != 0;
        s->had_timeout |= is_end && events[i].reason == SOM_END_TIMEOUT;
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
    som_array_push(&r->base, link_pose(s, base_link(s)));
    som_array_push(&r->com, s->com);
    som_array_push(&r->contacts, grounded);
}

// ---- sensing

static void sense_joints(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    const SomEngineState *now = som_engine_state(s->engine);
    double fastest = 0;
    for (int i = 0; i < s->result.dof_count; i++) {
        int joint = model->joint_of[i];
        s->positions[i] = joint >= 0 ? now->positions[joint] : model->start[i];
        s->speeds[i] = joint >= 0 ? now->speeds[joint] : 0;
        s->efforts[i] = joint >= 0 ? now->efforts[joint] : 0;
        fastest = fmax(fastest, fabs(s->speeds[i]));
    }
    s->since_motion = fastest > STILL_SPEED ? 0 : s->since_motion + s->def.step;
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

static void drive(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    const SomSetPoint *points = s->player != NULL ? som_player_set_points(s->player) : NULL;
    for (int i = 0; i < s->result.dof_count; i++) {
        int joint = model->joint_of[i];
        if (joint >= 0) {
            s->commands[joint] = som_joint_drive_step(&s->models[i], &s->drives[i],
                                                      points != NULL ? &points[i] : NULL,
                                                      s->positions[i], s->def.step);
        }
    }
}

static SomPlayerStatus play(SomSimulation *s) {
    sense_contacts(s);
    SomSenses senses = {.positions = s->positions,
                        .speeds = s->speeds,
                        .efforts = s->efforts,
                        .contacts = s->contacts,
                        .inputs = s->inputs,
                        .height = link_pose(s, base_link(s)).position.z,
                        .tilt = s->lean};
    SomPlayerStatus status = som_player_step(s->player, s->def.step, &senses);
    look_at_actions(s);
    return status;
}

// ---- the run

static bool finish(SomSimulation *s, SomOutcome outcome) {
    bool ended = outcome == SOM_OUTCOME_COMPLETED || outcome == SOM_OUTCOME_TIMEOUT ||
                 outcome == SOM_OUTCOME_STUCK;
    if (ended && s->has_fallen) {
        outcome = SOM_OUTCOME_FELL;
    } else if (ended && s->has_collided) {
        outcome = SOM_OUTCOME_COLLIDED;
    } else if (outcome == SOM_OUTCOME_COMPLETED && s->had_timeout) {
        outcome = SOM_OUTCOME_TIMEOUT;
    }
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
    bool is_playing = s->player != NULL && r->time >= s->def.settle - 0.5 * s->def.step;
    bool is_over = is_playing && play(s) == SOM_PLAYER_COMPLETED;
    r->displacement = som_vec3_sub(s->com, s->start_com);
    if (is_over) {
        return finish(s, SOM_OUTCOME_COMPLETED);
    }
    if (r->time >= s->def.duration - 0.5 * s->def.step) {
        bool stands = s->player == NULL;
        return finish(s, stands                             ? SOM_OUTCOME_COMPLETED
                         : s->since_motion >= STILL_SECONDS ? SOM_OUTCOME_STUCK
                                                            : SOM_OUTCOME_TIMEOUT);
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
    look_at_contacts(s, false);
    look_at_fall(s);
    if (s->player != NULL && !is_playing) { // it still settles
        s->start_com = s->com;
    }
    return true;
}

double som_simulation_time(const SomSimulation *s) {
    return s->result.time;
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

static void prepare_player(SomSimulation *s) {
    const SomActionGraph *graph = s->def.graph;
    size_t contacts = (size_t)graph->symbol_count[SOM_SYMBOL_CONTACT];
    size_t size = som_player_size(graph, 0);
    s->player_memory = som_alloc(size);
    s->player = som_player_init(s->player_memory, size, graph, 0, NULL);
    s->contacts = som_alloc(contacts + 1);
    s->contact_links[0] = som_alloc((contacts + 1) * sizeof(int));
    s->contact_links[1] = som_alloc((contacts + 1) * sizeof(int));
    s->inputs = som_alloc(((size_t)graph->symbol_count[SOM_SYMBOL_INPUT] + 1) * sizeof(double));
    for (int i = 0; i < (int)contacts; i++) {
        find_contact(s, i);
    }
}

static void prepare(SomSimulation *s) {
    const SomBodyModel *model = s->def.model;
    size_t dofs = (size_t)s->mechanism->dof_count + 1;
    s->result.dof_count = s->mechanism->dof_count;
    s->models = som_alloc(dofs * sizeof *s->models);
    s->drives = som_alloc(dofs * sizeof *s->drives);
    s->positions = som_alloc(dofs * sizeof(double));
    s->speeds = som_alloc(dofs * sizeof(double));
    s->efforts = som_alloc(dofs * sizeof(double));
    s->commands = som_alloc(((size_t)model->joint_count + 1) * sizeof(double));
    for (int i = 0; i < s->result.dof_count; i++) {
        s->models[i].servo = s->def.servos != NULL ? s->def.servos[i] : (SomServoModel){0};
        s->drives[i] = som_joint_drive_at(model->start[i]);
    }
    if (s->def.graph != NULL) {
        prepare_player(s);
    }
    const SomConfiguration *design = s->mechanism->configuration;
    s->uprights = som_alloc(((size_t)design->module_count + 1) * sizeof *s->uprights);
    for (int i = 0; i < design->module_count; i++) {
        const SomModuleType *type = design->modules[i].type;
        int root = som_mechanism_link_of(s->mechanism, i, type->root);
        SomVec3 weighty = som_vec3(0, 0, som_module_type_mass(type));
        s->uprights[i] = (Upright){root, som_pose_rotate_inverse(link_pose(s, root), weighty)};
    }
    look_at_body(s);
    s->start_com = s->com;
    look_at_contacts(s, true);
}

static double or_else(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

SomSimulation *som_simulation_create(SomEngineKind engine, const SomSimulationDef *def,
                                     SomDiagnostics *diags) {
    SomSimulation *s = som_alloc(sizeof *s);
    s->def = *def;
    s->def.duration = or_else(def->duration, 60);
    s->def.step = or_else(def->step, 0.001);
    s->def.sample_time = or_else(def->sample_time, 0.01);
    s->def.most_lean = or_else(def->most_lean, DEFAULT_LEAN);
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
    som_free(s->player_memory);
    som_free(s->models);
    som_free(s->drives);
    som_free(s->positions);
    som_free(s->speeds);
    som_free(s->efforts);
    som_free(s->commands);
    som_free(s->contacts);
    som_free(s->contact_links[0]);
    som_free(s->contact_links[1]);
    som_free(s->inputs);
    som_free(s->uprights);
    som_array_free(&s->touching);
    som_array_free(&s->result.events);
    som_array_free(&s->result.times);
    som_array_free(&s->result.positions);
    som_array_free(&s->result.efforts);
    som_array_free(&s->result.base);
    som_array_free(&s->result.com);
    som_array_free(&s->result.contacts);
    som_free(s);
}
