// SPDX-License-Identifier: Apache-2.0
#include "player/robot_run.h"

#include <string.h>

struct SomRobotRun {
    SomRobotRunDef def;
    SomPlayer *player;
    SomJointDrive *drives; // one a DoF
    double *sums;          // one a DoF, of the way behind, for drives by effort
    double *speeds, *efforts;
    SomDockDriver *drivers; // one a weld
    uint8_t *holds;         // one a weld
    uint8_t *docks;         // one a dock of the graph
    bool had_timeout;
};

// ---- memory

static size_t rounded(size_t size) {
    return (size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

typedef struct Layout {
    size_t player, drives, sums, speeds, efforts, drivers, holds, docks, all;
} Layout;

static bool are_sane(const SomRobotRunDef *def) {
    return def->graph != NULL && def->weld_count >= 0 && def->weld_count <= SOM_GRAPH_MOST &&
           som_player_size(def->graph, 0) > 0;
}

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at += rounded(count * size);
    return begin;
}

static Layout layout_of(const SomRobotRunDef *def) {
    Layout l;
    size_t at = rounded(sizeof(SomRobotRun)), welds = (size_t)def->weld_count,
           dofs = (size_t)def->graph->symbol_count[SOM_SYMBOL_DOF];
    l.player = take(&at, som_player_size(def->graph, 0), 1);
    l.drives = take(&at, dofs, sizeof(SomJointDrive));
    l.sums = take(&at, dofs, sizeof(double));
    l.speeds = take(&at, dofs, sizeof(double));
    l.efforts = take(&at, dofs, sizeof(double));
    l.drivers = take(&at, welds, sizeof(SomDockDriver));
    l.holds = take(&at, welds, 1);
    l.docks = take(&at, (size_t)def->graph->symbol_count[SOM_SYMBOL_DOCK], 1);
    l.all = at;
    return l;
}

size_t som_robot_run_size(const SomRobotRunDef *def) {
    return are_sane(def) ? layout_of(def).all : 0;
}

static void begin_welds(SomRobotRun *r) {
    int32_t docks = r->def.graph->symbol_count[SOM_SYMBOL_DOCK];
    for (int32_t i = 0; i < r->def.weld_count; i++) {
        const SomRobotWeld *weld = &r->def.welds[i];
        bool is_dock = 0 <= weld->index && weld->index < docks;
        r->drivers[i].state = weld->state == SOM_DOCK_CLOSED ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
        r->holds[i] = !is_dock || r->drivers[i].state == SOM_DOCK_CLOSED;
        if (is_dock) {
            r->docks[weld->index] = r->drivers[i].state;
        }
    }
}

SomRobotRun *som_robot_run_init(void *memory, size_t size, const SomRobotRunDef *def,
                                SomGraphFault *fault) {
    SomGraphFault none = {SOM_GRAPH_FAULT_MEMORY, SOM_NONE, 0};
    if (fault != NULL) {
        *fault = none;
    }
    if (memory == NULL || !are_sane(def) || size < layout_of(def).all ||
        (uintptr_t)memory % sizeof(double) != 0) {
        return NULL;
    }
    Layout l = layout_of(def);
    char *at = memory;
    SomRobotRun *r = memory;
    memset(memory, 0, l.all);
    r->def = *def;
    r->drives = (SomJointDrive *)(void *)(at + l.drives);
    r->sums = (double *)(void *)(at + l.sums);
    r->speeds = (double *)(void *)(at + l.speeds);
    r->efforts = (double *)(void *)(at + l.efforts);
    r->drivers = (SomDockDriver *)(void *)(at + l.drivers);
    r->holds = (uint8_t *)(at + l.holds);
    r->docks = (uint8_t *)(at + l.docks);
    r->player = som_player_init(at + l.player, l.drives - l.player, def->graph, 0, fault);
    for (int32_t i = 0; i < def->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        r->drives[i] = som_joint_drive_at(def->dofs[i].start);
        r->efforts[i] = (double)NAN;
    }
    begin_welds(r);
    return r->player != NULL ? r : NULL;
}

// ---- playing

static SomSenses with_docks(const SomRobotRun *r, const SomSenses *senses) {
    SomSenses all = *senses;
    all.docks = r->docks;
    return all;
}

SomPlayerStatus som_robot_run_play(SomRobotRun *r, const SomSenses *senses, double dt) {
    SomPlayerStatus before = som_player_status(r->player);
    if (before == SOM_PLAYER_COMPLETED || before == SOM_PLAYER_CANCELLED) {
        return before;
    }
    SomSenses all = with_docks(r, senses);
    SomPlayerStatus status = som_player_step(r->player, dt, &all);
    int32_t count;
    const SomPlayerEvent *events = som_player_events(r->player, &count, NULL);
    for (int32_t i = 0; i < count; i++) {
        r->had_timeout |= events[i].is_end && events[i].reason == SOM_END_TIMEOUT;
    }
    return status;
}

void som_robot_run_pause(SomRobotRun *r, const SomSenses *senses) {
    SomSenses all = with_docks(r, senses);
    som_player_pause(r->player, &all);
}

void som_robot_run_resume(SomRobotRun *r) {
    som_player_resume(r->player);
}

void som_robot_run_cancel(SomRobotRun *r, const SomSenses *senses) {
    SomSenses all = with_docks(r, senses);
    som_player_cancel(r->player, &all);
}

void som_robot_run_restart(SomRobotRun *r) {
    som_player_reset(r->player);
    r->had_timeout = false;
}

void som_robot_run_place(SomRobotRun *r, const double *positions) {
    for (int32_t i = 0; i < r->def.graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        if (isfinite(positions[i])) {
            r->drives[i] = som_joint_drive_at(positions[i]);
            r->sums[i] = 0;
        }
    }
}

// ---- driving

bool som_graph_senses(const SomActionGraph *graph, SomInstructionKind kind) {
    for (int32_t i = 0; i < graph->instruction_count; i++) {
        if (graph->instructions[i].kind == (uint8_t)kind) {
            return true;
        }
    }
    return false;
}

double som_robot_dof_effort(const SomRobotDof *dof, const double force[3], const double torque[3]) {
    const double *load = dof->is_prismatic ? force : torque;
    return load[0] * dof->axis[0] + load[1] * dof->axis[1] + load[2] * dof->axis[2];
}

static double at(const double *values, int32_t index) {
    return values != NULL ? values[index] : (double)NAN;
}

static double clamp(double value, double most) {
    return value > most ? most : value < -most ? -most : value;
}

// Of a motor that takes efforts: toward the reference that the drive has just moved.
static double effort_of(SomRobotRun *r, int32_t i, double position, double speed, double dt) {
    const SomRobotDof *dof = &r->def.dofs[i];
    const SomServo *reference = &r->drives[i].reference;
    double most = dof->effort > 0 ? dof->effort : (double)INFINITY;
    double behind = reference->position - position;
    if (!isfinite(behind) || !isfinite(speed)) {
        return 0;
    }
    double gain = dof->gains[1];
    r->sums[i] += behind * som_tick_length(dt);
    if (gain > 0) { // no more than what the motor can give
        r->sums[i] = clamp(r->sums[i], most / gain);
    }
    return clamp(dof->gains[0] * behind + gain * r->sums[i] +
                     dof->gains[2] * (reference->speed - speed),
                 most);
}

static void drive_joints(SomRobotRun *r, const SomSenses *senses, double dt) {
    const SomSetPoint *points = som_player_set_points(r->player);
    bool is_ready = som_player_status(r->player) == SOM_PLAYER_READY;
    for (int32_t i = 0; i < r->def.graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        const SomRobotDof *dof = &r->def.dofs[i];
        double position = at(senses->positions, i);
        r->speeds[i] = som_joint_drive_step(&dof->drive, &r->drives[i],
                                            is_ready ? NULL : &points[i], position, dt);
        if (!(dof->drive.servo.most_speed > 0) && dof->gains[0] > 0) {
            r->efforts[i] = effort_of(r, i, position, at(senses->speeds, i), dt);
        }
    }
}

static void drive_docks(SomRobotRun *r, const double *gaps, double dt) {
    const uint8_t *commands = som_player_dock_commands(r->player);
    for (int32_t i = 0; i < r->def.weld_count; i++) {
        const SomRobotWeld *weld = &r->def.welds[i];
        if (weld->index < 0 || weld->index >= r->def.graph->symbol_count[SOM_SYMBOL_DOCK] ||
            weld->parent == NULL) {
            continue;
        }
        som_dock_driver_step(&weld->model, &r->drivers[i], (SomDockCommand)commands[weld->index],
                             at(gaps, i), dt);
        r->docks[weld->index] = r->drivers[i].state;
        // one that opens holds until it is open, one that closes does not until it is closed
        r->holds[i] =
            r->drivers[i].state == SOM_DOCK_CLOSED ||
            (r->drivers[i].state == SOM_DOCK_MOVING && r->drivers[i].from == SOM_DOCK_CLOSED);
    }
}

void som_robot_run_tear(SomRobotRun *r, int32_t weld) {
    int32_t dock = r->def.welds[weld].index;
    r->drivers[weld] = (SomDockDriver){.state = SOM_DOCK_OPEN, .is_torn = true};
    r->holds[weld] = 0;
    if (dock >= 0 && dock < r->def.graph->symbol_count[SOM_SYMBOL_DOCK]) {
        r->docks[dock] = SOM_DOCK_OPEN;
    }
}

void som_robot_run_drive(SomRobotRun *r, const SomSenses *senses, const double *gaps, double dt) {
    drive_joints(r, senses, dt);
    drive_docks(r, gaps, dt);
}

// ---- looking

SomPlayer *som_robot_run_player(SomRobotRun *r) {
    return r->player;
}

const SomPlayer *som_robot_run_shown(const SomRobotRun *r) {
    return r->player;
}

const SomRobotRunDef *som_robot_run_def(const SomRobotRun *r) {
    return &r->def;
}

const double *som_robot_run_speeds(const SomRobotRun *r) {
    return r->speeds;
}

const double *som_robot_run_efforts(const SomRobotRun *r) {
    return r->efforts;
}

const uint8_t *som_robot_run_holds(const SomRobotRun *r) {
    return r->holds;
}

const uint8_t *som_robot_run_docks(const SomRobotRun *r) {
    return r->docks;
}

bool som_robot_run_had_timeout(const SomRobotRun *r) {
    return r->had_timeout;
}

SomOutcome som_robot_run_outcome(const SomRobotRun *r) {
    switch (som_player_status(r->player)) {
    case SOM_PLAYER_COMPLETED:
        return r->had_timeout ? SOM_OUTCOME_TIMEOUT : SOM_OUTCOME_COMPLETED;
    case SOM_PLAYER_CANCELLED:
        return SOM_OUTCOME_CANCELLED;
    default:
        return SOM_OUTCOME_RUNNING;
    }
}

double som_weld_gap(const SomRobotWeld *weld, const SomBodyPlace *parent,
                    const SomBodyPlace *child) {
    SomBodyPlace wanted = som_body_place_compose(parent, &weld->place);
    double square = 0, off[3][3]; // from the child to where it should be
    for (int i = 0; i < 3; i++) {
        double apart = child->position[i] - wanted.position[i];
        square += apart * apart;
        for (int k = 0; k < 3; k++) {
            off[i][k] = wanted.rotation[i][0] * child->rotation[k][0] +
                        wanted.rotation[i][1] * child->rotation[k][1] +
                        wanted.rotation[i][2] * child->rotation[k][2];
        }
    }
    double x = off[2][1] - off[1][2], y = off[0][2] - off[2][0], z = off[1][0] - off[0][1];
    double turn = som_body_angle(0.5 * sqrt(x * x + y * y + z * z),
                                 0.5 * (off[0][0] + off[1][1] + off[2][2] - 1));
    double limit = weld->model.reach_angle > 0 ? weld->model.reach_angle : SOM_WELD_REACH_ANGLE;
    return turn <= limit ? sqrt(square) : (double)NAN;
}
