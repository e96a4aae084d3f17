// SPDX-License-Identifier: Apache-2.0
#include "linkage/trajectory.h"

#include "base/codes/linkage_codes.h"
#include "base/number.h"
#include "linkage/model_internal.h"

#define MOST_TICKS 1000000
#define OFF 1e-3 // metres or radians: more is told

double som_track_value(const SomTrack *track, double time) {
    const SomWaypoint *w = track->waypoints;
    if (time <= w[0].time) {
        return w[0].value;
    }
    int low = 0, high = track->count; // the last waypoint at or before the time
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (w[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low == track->count - 1) {
        return w[low].value;
    }
    double s = (time - w[low].time) / (w[low + 1].time - w[low].time);
    return w[low].value + s * (w[low + 1].value - w[low].value);
}

static bool check_track(const SomLinkage *l, const SomTrack *track, SomDiagnostics *diags) {
    int joint = som_model_joint(l, track->joint);
    SomStr name = som_model_joint_or_link_name(l, joint);
    const Joint *j = &l->joints.data[joint];
    if (track->dof < 0 || track->dof > 5 || !som_joint_type_frees(j->type, track->dof)) {
        som_report(diags, SOM_TRAJECTORY_DOF, (SomSpan){0},
                   "'%.*s' does not move in the coordinate of its trajectory", SOM_STR_ARG(name));
        return false;
    }
    bool ok = track->count > 0;
    for (int i = 0; i < track->count && ok; i++) {
        ok = isfinite(track->waypoints[i].time) && isfinite(track->waypoints[i].value) &&
             (i == 0 || track->waypoints[i].time > track->waypoints[i - 1].time);
    }
    if (!ok) {
        som_report(diags, SOM_TRAJECTORY_TIMES, (SomSpan){0},
                   "the waypoints of '%.*s' are not finite numbers at rising times",
                   SOM_STR_ARG(name));
    }
    return ok;
}

static SomSolver *make_solver(const SomLinkage *l, const SomTrajectoryDef *def,
                              SomDiagnostics *diags) {
    int count = def->track_count + def->goal_count;
    SomGoal *goals = som_alloc((size_t)count * sizeof *goals);
    for (int i = 0; i < def->track_count; i++) {
        goals[i] = (SomGoal){SOM_LEVEL_TARGET, def->tracks[i].joint, def->tracks[i].dof, 0};
    }
    for (int i = 0; i < def->goal_count; i++) {
        goals[def->track_count + i] = def->goals[i];
    }
    SomSolverDef solver_def = {.goals = goals,
                               .goal_count = count,
                               .locked = def->locked,
                               .locked_count = def->locked_count};
    SomSolver *solver = som_solver_create(l, &solver_def, diags);
    som_free(goals);
    return solver;
}

// Residuals of the tracks and closures as they are.
static SomTrackingSample take_sample(const SomLinkage *l, const SomTrajectoryDef *def, double time,
                                     const SomSolverReport *report) {
    SomTrackingSample sample = {.time = time, .open = report->levels[SOM_LEVEL_INVARIANT].largest};
    for (int i = 0; i < def->track_count; i++) {
        double y[6];
        som_linkage_coordinates(l, def->tracks[i].joint, y);
        double e = fabs(y[def->tracks[i].dof] - som_track_value(&def->tracks[i], time));
        double *kind = def->tracks[i].dof < 3 ? &sample.metres : &sample.radians;
        *kind = fmax(*kind, e);
    }
    return sample;
}

static void keep(SomTracking *tracking, SomTrackingSample sample) {
    som_array_push(&tracking->samples, sample);
    SomTrackingSample *worst = &tracking->worst;
    if (tracking->samples.count == 1 ||
        fmax(sample.metres, sample.radians) > fmax(worst->metres, worst->radians)) {
        worst->time = sample.time;
    }
    worst->metres = fmax(worst->metres, sample.metres);
    worst->radians = fmax(worst->radians, sample.radians);
    worst->open = fmax(worst->open, sample.open);
}

static void report_worst(const SomTracking *tracking, SomDiagnostics *diags) {
    const SomTrackingSample *worst = &tracking->worst;
    if (worst->open > OFF) {
        SomText gap = {0};
        som_text_number(&gap, ceil(worst->open * 1e4) / 10);
        som_report(diags, SOM_TRAJECTORY_OFF, (SomSpan){0},
                   "closures open by up to %.*s mm or mrad along the trajectory",
                   SOM_STR_ARG(som_text_str(&gap)));
        som_text_free(&gap);
    }
    if (worst->metres <= OFF && worst->radians <= OFF) {
        return;
    }
    SomText text = {0};
    som_text_number(&text, ceil(worst->metres * 1e4) / 10);
    som_text_add(&text, SOM_STR(" mm and "));
    som_text_number(&text, ceil(worst->radians * 1e4) / 10);
    som_text_add(&text, SOM_STR(" mrad off, the most at "));
    som_text_number(&text, floor(worst->time * 1e3 + 0.5) / 1e3);
    som_report(diags, SOM_TRAJECTORY_OFF, (SomSpan){0}, "the trajectory is followed up to %.*s s",
               SOM_STR_ARG(som_text_str(&text)));
    som_text_free(&text);
}

bool som_trajectory_follow(SomLinkage *l, const SomTrajectoryDef *def, SomTracking *tracking,
                           SomDiagnostics *diags) {
    double tick = def->tick > 0 ? def->tick : 1.0 / 60;
    int most_steps = def->most_steps > 0 ? def->most_steps : 20;
    double begin = HUGE_VAL, end = -HUGE_VAL;
    som_tracking_free(tracking);
    for (int i = 0; i < def->track_count; i++) {
        const SomTrack *track = &def->tracks[i];
        if (!check_track(l, track, diags)) {
            return false;
        }
        begin = fmin(begin, track->waypoints[0].time);
        end = fmax(end, track->waypoints[track->count - 1].time);
    }
    if (def->track_count > 0 && !((end - begin) / tick < MOST_TICKS)) {
        som_report(diags, SOM_TRAJECTORY_TIMES, (SomSpan){0},
                   "the trajectory has more than %d ticks", MOST_TICKS);
        return false;
    }
    SomSolver *solver = make_solver(l, def, diags);
    if (solver == NULL) {
        return false;
    }
    int ticks = def->track_count == 0 ? 0 : (int)ceil((end - begin) / tick - 1e-9) + 1;
    for (int n = 0; n < ticks; n++) {
        double time = n == ticks - 1 ? end : begin + n * tick;
        for (int i = 0; i < def->track_count; i++) {
            som_solver_set_goal(solver, i, som_track_value(&def->tracks[i], time));
        }
        som_solver_solve(solver, l, most_steps);
        keep(tracking, take_sample(l, def, time, som_solver_measure(solver, l)));
    }
    som_solver_destroy(solver);
    report_worst(tracking, diags);
    return true;
}

void som_tracking_free(SomTracking *tracking) {
    som_array_free(&tracking->samples);
    *tracking = (SomTracking){0};
}
