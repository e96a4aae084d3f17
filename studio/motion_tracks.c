// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_tracks.h"

#include "report/series_plot.h"

#include <math.h>

#define JOINTS_SHOWN 2 // at first: of those that move

typedef struct Making {
    const SomMotionDataDef *def;
    SomArena *arena;
    SomMotionTracks tracks;
    int shown;
} Making;

// ---- the body

static bool is_named(const SomSeries *series, const char *name) {
    return som_str_equal(series->name, som_str(name));
}

static double *simulated_values(Making *m) {
    return som_arena_new(m->arena, double, m->def->simulated->times.count + 1);
}

static SomCurve simulated_curve(const Making *m, const double *values, int stride) {
    const SomSimulationResult *run = m->def->simulated;
    return (SomCurve){
        .times = run->times.data, .values = values, .stride = stride, .count = run->times.count};
}

static SomCurve simulated_height(Making *m) {
    double *values = simulated_values(m);
    for (int i = 0; i < m->def->simulated->times.count; i++) {
        values[i] = m->def->simulated->com.data[i].z;
    }
    return simulated_curve(m, values, 1);
}

// By which the base leans against how it began.
static SomCurve simulated_tilt(Making *m) {
    const SomSimulationResult *run = m->def->simulated;
    double *values = simulated_values(m);
    for (int i = 0; i < run->times.count; i++) {
        SomMat3 turn = som_mat3_multiply(run->base.data[i].rotation,
                                         som_mat3_transpose(run->base.data[0].rotation));
        values[i] = acos(fmin(fmax(turn.m[2][2], -1), 1));
    }
    return simulated_curve(m, values, 1);
}

static void add_series(Making *m, const SomSeries *series) {
    SomPlot plot = som_series_plot(m->def->found, series);
    bool is_height = is_named(series, "height of the centre of mass");
    bool is_tilt = is_named(series, "tilt of the body");
    bool is_load = series->dimension == SOM_DIMENSION_NUMBER;
    SomTimelineTrack track = {
        .title = plot.title,
        .group = is_load ? SOM_STR(SOM_MOTION_LOADS) : SOM_STR(SOM_MOTION_BODY),
        .unit = is_load ? SOM_STR("%") : plot.unit,
        .scale = is_load ? 100 : plot.scale,
        .curves = {plot.curves[0]},
        .bridge = plot.bridge,
        .limits = {plot.limit},
        .limit_count = isnan(plot.limit) ? 0 : 1,
        .is_shown = is_named(series, "clearance") || is_named(series, "stability margin")};
    if (m->def->simulated != NULL && m->def->simulated->times.count > 0) {
        if (is_height) {
            track.curves[SOM_TIMELINE_SIMULATED] = simulated_height(m);
        } else if (is_tilt) {
            track.curves[SOM_TIMELINE_SIMULATED] = simulated_tilt(m);
        }
    }
    som_array_push(&m->tracks, track);
}

// Their room, until it is known what they are: nothing jumps when it is.
static void add_awaited(Making *m) {
    static const char *const names[] = {"clearance", "stability margin",
                                        "height of the centre of mass", "tilt of the body"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SomTimelineTrack track = {
            .title = som_str(names[i]), .group = SOM_STR(SOM_MOTION_BODY), .is_shown = i < 2};
        bool is_angle = i == 3;
        track.unit =
            som_plot_unit(is_angle ? SOM_DIMENSION_ANGLE : SOM_DIMENSION_LENGTH, &track.scale);
        bool has_run = m->def->simulated != NULL && m->def->simulated->times.count > 0;
        if (i >= 2 && has_run) {
            track.curves[SOM_TIMELINE_SIMULATED] =
                is_angle ? simulated_tilt(m) : simulated_height(m);
        }
        som_array_push(&m->tracks, track);
    }
}

// ---- joints

static bool slides(const Making *m, int dof) {
    return m->def->mechanism->joints[dof].joint->type == SOM_JOINT_PRISMATIC;
}

static bool is_still(const double *values, int count, int stride) {
    for (int i = 1; i < count; i++) {
        if (values[(size_t)i * (size_t)stride] != values[0]) {
            return false;
        }
    }
    return true;
}

// A joint that rests needs two points: most of a large robot do.
static SomCurve curve_of(Making *m, const double *times, const double *values, int count,
                         int stride) {
    if (count < 3 || !is_still(values, count, stride)) {
        return (SomCurve){.times = times, .values = values, .stride = stride, .count = count};
    }
    double *ends = som_arena_new(m->arena, double, 4);
    ends[0] = times[0];
    ends[1] = times[count - 1];
    ends[2] = ends[3] = values[0];
    return (SomCurve){.times = ends, .values = ends + 2, .count = 2};
}

static void add_joint(Making *m, int dof) {
    const SomModuleJoint *joint = m->def->mechanism->joints[dof].joint;
    SomTimelineTrack track = {.title = m->def->mechanism->configuration->dofs[dof].path,
                              .group = SOM_STR(SOM_MOTION_JOINTS)};
    track.unit =
        som_plot_unit(slides(m, dof) ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE, &track.scale);
    const double limits[] = {joint->low, joint->high};
    for (int i = 0; i < 2; i++) {
        if (isfinite(limits[i])) {
            track.limits[track.limit_count++] = limits[i];
        }
    }
    const SomPrediction *p = m->def->prediction;
    const SomSimulationResult *run = m->def->simulated;
    if (p != NULL) {
        track.curves[SOM_TIMELINE_PREDICTED] =
            curve_of(m, p->times.data, p->positions.data + dof, p->times.count, p->dof_count);
        bool moves = track.curves[SOM_TIMELINE_PREDICTED].count > 2;
        track.is_shown = moves && m->shown++ < JOINTS_SHOWN;
    }
    if (run != NULL) {
        track.curves[SOM_TIMELINE_SIMULATED] = curve_of(
            m, run->times.data, run->positions.data + dof, run->times.count, run->dof_count);
    }
    som_array_push(&m->tracks, track);
}

// ---- what they hold

static void add_effort(Making *m, int dof) {
    const SomVerification *found = m->def->found;
    const SomSimulationResult *run = m->def->simulated;
    SomText title = {0};
    som_text_printf(&title, "%s of %.*s", slides(m, dof) ? "force" : "torque",
                    SOM_STR_ARG(m->def->mechanism->configuration->dofs[dof].path));
    SomTimelineTrack track = {.title = som_arena_copy(m->arena, som_text_str(&title)),
                              .group = SOM_STR(SOM_MOTION_LOADS)};
    som_text_free(&title);
    track.unit =
        som_plot_unit(slides(m, dof) ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE, &track.scale);
    double limit = m->def->mechanism->joints[dof].joint->effort;
    if (limit > 0) {
        track.limits[0] = -limit;
        track.limits[1] = limit;
        track.limit_count = 2;
    }
    if (found != NULL && found->efforts != NULL) {
        track.curves[SOM_TIMELINE_PREDICTED] = (SomCurve){.times = found->times,
                                                          .values = found->efforts + dof,
                                                          .stride = found->dof_count,
                                                          .count = found->sample_count};
    }
    if (run != NULL) {
        track.curves[SOM_TIMELINE_SIMULATED] =
            simulated_curve(m, run->efforts.data + dof, run->dof_count);
    }
    som_array_push(&m->tracks, track);
}

SomMotionTracks som_motion_tracks_make(const SomMotionDataDef *def, SomArena *arena) {
    Making m = {.def = def, .arena = arena};
    int dofs = def->mechanism->dof_count;
    bool has_series = def->found != NULL && def->found->series.count > 0;
    for (int i = 0; has_series && i < def->found->series.count; i++) {
        if (def->found->series.data[i].dimension != SOM_DIMENSION_NUMBER) {
            add_series(&m, &def->found->series.data[i]);
        }
    }
    if (def->found == NULL) {
        add_awaited(&m);
    }
    for (int i = 0; i < dofs; i++) {
        add_joint(&m, i);
    }
    for (int i = 0; has_series && i < def->found->series.count; i++) {
        if (def->found->series.data[i].dimension == SOM_DIMENSION_NUMBER) {
            add_series(&m, &def->found->series.data[i]);
        }
    }
    bool has_efforts = def->simulated != NULL || (def->found != NULL && def->found->efforts);
    for (int i = 0; has_efforts && i < dofs; i++) {
        add_effort(&m, i);
    }
    return m.tracks;
}
