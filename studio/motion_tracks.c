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

// As people read it; angles with their sign.
static SomStr unit_of(SomDimensionName dimension, double *scale) {
    SomStr unit = som_plot_unit(dimension, scale);
    return dimension == SOM_DIMENSION_ANGLE ? SOM_STR("°") : unit;
}

static void add_series(Making *m, const SomSeries *series) {
    SomPlot plot = som_series_plot(m->def->found, series);
    bool is_load = series->dimension == SOM_DIMENSION_NUMBER;
    SomTimelineTrack track = {
        .title = plot.title,
        .group = is_load ? SOM_STR(SOM_MOTION_LOADS) : SOM_STR(SOM_MOTION_BODY),
        .curves = {plot.curves[0]},
        .bridge = plot.bridge,
        .limits = {plot.limit},
        .limit_count = isnan(plot.limit) ? 0 : 1,
        .is_shown = is_named(series, "clearance") || is_named(series, "stability margin")};
    track.unit = is_load ? SOM_STR("%") : unit_of(series->dimension, &track.scale);
    track.scale = is_load ? 100 : track.scale;
    som_array_push(&m->tracks, track);
}

// Their room, until it is known what they are: nothing jumps when it is.
static void add_awaited(Making *m) {
    static const char *const names[] = {"clearance", "stability margin",
                                        "height of the centre of mass", "tilt of the body"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SomTimelineTrack track = {
            .title = som_str(names[i]), .group = SOM_STR(SOM_MOTION_BODY), .is_shown = i < 2};
        track.unit = unit_of(i == 3 ? SOM_DIMENSION_ANGLE : SOM_DIMENSION_LENGTH, &track.scale);
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
    track.unit = unit_of(slides(m, dof) ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE, &track.scale);
    const double limits[] = {joint->low, joint->high};
    for (int i = 0; i < 2; i++) {
        if (isfinite(limits[i])) {
            track.limits[track.limit_count++] = limits[i];
        }
    }
    const SomPrediction *p = m->def->prediction;
    track.curves[SOM_TIMELINE_PREDICTED] =
        curve_of(m, p->times.data, p->positions.data + dof, p->times.count, p->dof_count);
    bool moves = track.curves[SOM_TIMELINE_PREDICTED].count > 2;
    track.is_shown = moves && m->shown++ < JOINTS_SHOWN;
    som_array_push(&m->tracks, track);
}

// ---- what they hold

static void add_effort(Making *m, int dof) {
    const SomVerification *found = m->def->found;
    SomText title = {0};
    som_text_printf(&title, "%s of %.*s", slides(m, dof) ? "force" : "torque",
                    SOM_STR_ARG(m->def->mechanism->configuration->dofs[dof].path));
    SomTimelineTrack track = {.title = som_arena_copy(m->arena, som_text_str(&title)),
                              .group = SOM_STR(SOM_MOTION_LOADS)};
    som_text_free(&title);
    track.unit = unit_of(slides(m, dof) ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE, &track.scale);
    double limit = m->def->mechanism->joints[dof].joint->effort;
    if (limit > 0) {
        track.limits[0] = -limit;
        track.limits[1] = limit;
        track.limit_count = 2;
    }
    track.curves[SOM_TIMELINE_PREDICTED] = (SomCurve){.times = found->times,
                                                      .values = found->efforts + dof,
                                                      .stride = found->dof_count,
                                                      .count = found->sample_count};
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
    bool has_efforts = def->found != NULL && def->found->efforts != NULL;
    for (int i = 0; has_efforts && i < dofs; i++) {
        add_effort(&m, i);
    }
    return m.tracks;
}
