// SPDX-License-Identifier: Apache-2.0
#include "player/robot_watch.h"

#include "player/physics_facts.h"

#include <math.h>

void som_robot_watch_step(SomRobotWatch *watch, const SomRobotRun *run, const SomSenses *senses,
                          bool is_sensed, double dt) {
    const SomActionGraph *graph = som_robot_run_def(run)->graph;
    bool is_running = som_player_status(som_robot_run_shown(run)) == SOM_PLAYER_RUNNING;
    int32_t changes;
    som_player_events(som_robot_run_shown(run), &changes, NULL);
    bool moves = !is_running || changes > 0; // what is paused or over does not wait
    for (int32_t i = 0; i < graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        moves = moves || (senses->speeds != NULL && fabs(senses->speeds[i]) > SOM_STILL_SPEED);
    }
    watch->since_motion = moves ? 0 : watch->since_motion + som_tick_length(dt);
    if (is_sensed) {
        watch->numb_steps = 0;
    } else if (watch->numb_steps < SOM_NUMB_STEPS) {
        watch->numb_steps++;
    }
}

// An action waits for what does not come: not for time to pass, as `wait 9s` does.
static bool is_stuck(const SomRobotWatch *watch, const SomRobotRun *run) {
    const SomActionGraph *graph = som_robot_run_def(run)->graph;
    int32_t count;
    const int32_t *active = som_player_active(som_robot_run_shown(run), &count);
    bool waits = false;
    for (int32_t i = 0; i < count; i++) {
        waits = waits || !isfinite(graph->actions[graph->nodes[active[i]].index].duration);
    }
    return waits && watch->since_motion >= SOM_STILL_SECONDS;
}

static SomOutcome worst(const SomRobotWatch *watch, SomOutcome otherwise) {
    return watch->has_broken     ? SOM_OUTCOME_DOCK_BROKE
           : watch->has_opened   ? SOM_OUTCOME_LOOP_OPEN
           : watch->has_fallen   ? SOM_OUTCOME_FELL
           : watch->has_collided ? SOM_OUTCOME_COLLIDED
                                 : otherwise;
}

bool som_robot_senses_are_sound(const SomSenses *senses, int32_t dof_count) {
    bool are_sound = true;
    for (int32_t i = 0; i < dof_count; i++) { // false for what is not a number, too
        are_sound = are_sound && isfinite(senses->positions[i]) &&
                    fabs(senses->speeds[i]) < SOM_DIVERGED_SPEED;
    }
    return are_sound;
}

SomOutcome som_robot_watch_outcome(const SomRobotWatch *watch, const SomRobotRun *run) {
    SomPlayerStatus status = som_player_status(som_robot_run_shown(run));
    if (watch->has_diverged) {
        return SOM_OUTCOME_DIVERGED;
    }
    if (watch->numb_steps >= SOM_NUMB_STEPS && status != SOM_PLAYER_CANCELLED) {
        return SOM_OUTCOME_NUMB;
    }
    if (status == SOM_PLAYER_RUNNING && is_stuck(watch, run)) {
        return SOM_OUTCOME_STUCK;
    }
    SomOutcome outcome = som_robot_run_outcome(run);
    return status == SOM_PLAYER_COMPLETED ? worst(watch, outcome) : outcome;
}

SomOutcome som_robot_watch_end(const SomRobotWatch *watch, const SomRobotRun *run) {
    SomPlayerStatus status = som_player_status(som_robot_run_shown(run));
    SomOutcome outcome = som_robot_watch_outcome(watch, run);
    if (status == SOM_PLAYER_READY) { // it had nothing to do but to stand
        return worst(watch, SOM_OUTCOME_COMPLETED);
    }
    return worst(watch, outcome == SOM_OUTCOME_RUNNING ? SOM_OUTCOME_TIMEOUT : outcome);
}
