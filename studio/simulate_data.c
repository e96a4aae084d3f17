// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_data.h"

#include "behaviors/action_text.h"
#include "space/trigonometry.h"
#include "studio/simulate_words.h"
#include "studio/timeline_actions.h"

#include <math.h>
#include <string.h>

#define SHOWN_JOINTS 3 // by themselves: those that are the farthest from their prediction
#define MOST_BANDS 200

// ---- rows and bars

// What ran of one behavior of one part: a row, and below it one for each action.
typedef struct Group {
    const char *path;
    int row;
    int running; // of its actions
    double since;
    SomTimelineEnd end; // of what runs
} Group;

// What a run is told of: a record that is over, or one that is not and a copy of its result.
typedef struct Source {
    const SomPhysicsRecord *record;
    const SomSimulationResult *result;
    const SomComparison *comparison; // NULL: none yet
} Source;

typedef struct Rows {
    SomRunData *made;
    const SomPhysicsRecord *record;
    const SomSimulationResult *result;
    SOM_ARRAY(Group) groups;
    SOM_ARRAY(int32_t) nodes; // that ran, as they began
    int *group_of;            // one a node; -1: it did not run
    int *row_of;
    double *since; // one a node; NAN: it does not run
} Rows;

static int find_group(Rows *r, int32_t node) {
    const char *path = som_graph_path(r->record->scene->graph, node);
    for (int i = r->groups.count; i-- > 0;) {
        if (strcmp(r->groups.data[i].path, path) == 0) {
            return i;
        }
    }
    som_array_push(&r->groups, (Group){.path = path});
    return r->groups.count - 1;
}

static void find_nodes(Rows *r) {
    const SomSimulationResult *result = r->result;
    for (int i = 0; i < result->events.count; i++) {
        const SomSimulationEvent *event = &result->events.data[i];
        if (event->kind == SOM_EVENT_ACTION_STARTED && r->group_of[event->node] < 0) {
            r->group_of[event->node] = find_group(r, event->node);
            som_array_push(&r->nodes, event->node);
        }
    }
}

static void add_row(Rows *r, SomStr title, int depth) {
    SomTimelineRow row = {som_arena_copy(&r->made->arena, title), depth};
    som_array_push(&r->made->rows, row);
}

// Behind the rows of all groups before it.
static void number_rows(Rows *r) {
    SomText words = {0};
    for (int g = 0; g < r->groups.count; g++) {
        const char *path = r->groups.data[g].path;
        r->groups.data[g].row = r->made->rows.count;
        add_row(r, path[0] != '\0' ? som_str(path) : SOM_STR("actions"), 0);
        for (int i = 0; i < r->nodes.count; i++) {
            int32_t node = r->nodes.data[i];
            if (r->group_of[node] == g) {
                r->row_of[node] = r->made->rows.count;
                som_text_clear(&words);
                som_action_print(r->record->run.design, r->record->scene->graph, node, &words);
                add_row(r, som_timeline_shorten(som_text_str(&words), som_str(path)), 1);
            }
        }
    }
    som_text_free(&words);
}

static void begin_bar(Rows *r, int32_t node, double time) {
    Group *group = &r->groups.data[r->group_of[node]];
    r->since[node] = time;
    if (group->running++ == 0) {
        group->since = time;
        group->end = SOM_TIMELINE_PLANNED;
    }
}

static void end_bar(Rows *r, int32_t node, double time, SomTimelineEnd end) {
    Group *group = &r->groups.data[r->group_of[node]];
    SomTimelineBar bar = {r->since[node], time, r->row_of[node], end};
    som_array_push(&r->made->bars, bar);
    r->since[node] = (double)NAN;
    group->end = end != SOM_TIMELINE_PLANNED ? end : group->end;
    if (--group->running == 0) {
        SomTimelineBar whole = {group->since, time, group->row, group->end};
        som_array_push(&r->made->bars, whole);
    }
}

static void add_bars(Rows *r) {
    const SomSimulationResult *result = r->result;
    for (int i = 0; i < result->events.count; i++) {
        const SomSimulationEvent *event = &result->events.data[i];
        if (event->kind == SOM_EVENT_ACTION_STARTED && isnan(r->since[event->node])) {
            begin_bar(r, event->node, event->time);
        } else if (event->kind == SOM_EVENT_ACTION_ENDED && !isnan(r->since[event->node])) {
            end_bar(r, event->node, event->time, som_timeline_end_of(event->reason));
        }
    }
    for (int i = 0; i < r->nodes.count; i++) {
        int32_t node = r->nodes.data[i];
        if (!isnan(r->since[node])) {
            end_bar(r, node, result->time, SOM_TIMELINE_RUNNING);
        }
    }
}

static void add_rows(SomRunData *made, const Source *source) {
    const SomPhysicsRecord *record = source->record;
    int count = record->scene->graph->node_count;
    Rows r = {.made = made,
              .record = record,
              .result = source->result,
              .group_of = som_arena_new(&made->arena, int, count),
              .row_of = som_arena_new(&made->arena, int, count),
              .since = som_arena_new(&made->arena, double, count)};
    for (int i = 0; i < count; i++) {
        r.group_of[i] = -1;
        r.since[i] = (double)NAN;
    }
    find_nodes(&r);
    number_rows(&r);
    add_bars(&r);
    som_array_free(&r.groups);
    som_array_free(&r.nodes);
}

// ---- bands

// A state lasts to the end of the run, all else is a moment.
static void add_bands(SomRunData *made, const Source *source) {
    const SomSimulationResult *result = source->result;
    SomText words = {0};
    for (int i = 0; i < result->events.count && made->bands.count < MOST_BANDS; i++) {
        const SomSimulationEvent *event = &result->events.data[i];
        if (!som_event_is_told(event)) {
            continue;
        }
        bool lasts = event->kind == SOM_EVENT_FELL || event->kind == SOM_EVENT_DIVERGED;
        som_text_clear(&words);
        som_event_print(&source->record->run, event, &words);
        SomTimelineBand band = {.t0 = event->time,
                                .t1 = lasts ? fmax(result->time, event->time) : event->time,
                                .at = event->time,
                                .severity = som_event_severity(event),
                                .words = som_arena_copy(&made->arena, som_text_str(&words))};
        som_array_push(&made->bands, band);
    }
    som_text_free(&words);
}

// ---- tracks

static SomCurve simulated(const SomSimulationResult *result, const double *values, int stride) {
    return (SomCurve){.name = SOM_STR("simulated"),
                      .times = result->times.data,
                      .values = values,
                      .stride = stride,
                      .count = result->times.count};
}

// Between the lowest and the highest value of a joint that is predicted.
static double way_of(const SomPrediction *prediction, int dof) {
    SomCurve curve = {.times = prediction->times.data,
                      .values = prediction->positions.data + dof,
                      .stride = prediction->dof_count,
                      .count = prediction->times.count};
    SomRange range = som_range_empty();
    som_curve_measure(&curve, &range);
    return range.high > range.low ? range.high - range.low : 0;
}

// The joints that show best what differs, or as long as that is not known what goes on.
static void find_telling(const Source *source, bool *is_telling) {
    int count = source->result->dof_count;
    const SomPrediction *prediction = &source->record->report.prediction;
    double *weights = som_alloc(sizeof *weights * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
        weights[i] = source->comparison != NULL    ? fabs(source->comparison->dofs[i].worst)
                     : prediction->times.count > 0 ? way_of(prediction, i)
                                                   : 0;
    }
    for (int k = 0; k < SHOWN_JOINTS; k++) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            bool is_more = best < 0 || weights[i] > weights[best];
            best = weights[i] > 0 && !is_telling[i] && is_more ? i : best;
        }
        if (best >= 0) {
            is_telling[best] = true;
        }
    }
    som_free(weights);
}

static void add_joint(SomRunData *made, const Source *source, int dof, bool is_shown) {
    const SomSimulationResult *result = source->result;
    const SomPrediction *p = &source->record->report.prediction;
    const SomConfiguration *design = source->record->run.design;
    bool is_length = som_configuration_joint(design, dof)->type == SOM_JOINT_PRISMATIC;
    SomTimelineTrack track = {.title = design->dofs[dof].path,
                              .group = SOM_STR("joints"),
                              .unit = is_length ? SOM_STR("mm") : SOM_STR("°"),
                              .scale = is_length ? 1000 : 180 / SOM_PI,
                              .is_shown = is_shown};
    track.curves[SOM_TIMELINE_SIMULATED] =
        simulated(result, result->positions.data + dof, result->dof_count);
    if (p->times.count > 0) {
        track.curves[SOM_TIMELINE_PREDICTED] = (SomCurve){.name = SOM_STR("predicted"),
                                                          .times = p->times.data,
                                                          .values = p->positions.data + dof,
                                                          .stride = p->dof_count,
                                                          .count = p->times.count};
    }
    som_array_push(&made->tracks, track);
}

static void add_effort(SomRunData *made, const Source *source, int dof) {
    const SomSimulationResult *result = source->result;
    const SomConfiguration *design = source->record->run.design;
    const SomModuleJoint *joint = som_configuration_joint(design, dof);
    SomTimelineTrack track = {.title = design->dofs[dof].path,
                              .group = SOM_STR("torques"),
                              .unit = joint->type == SOM_JOINT_PRISMATIC ? SOM_STR("N")
                                                                         : SOM_STR("Nm")};
    if (joint->effort > 0) {
        track.limits[0] = -joint->effort;
        track.limits[1] = joint->effort;
        track.limit_count = 2;
    }
    track.curves[SOM_TIMELINE_SIMULATED] =
        simulated(result, result->efforts.data + dof, result->dof_count);
    som_array_push(&made->tracks, track);
}

typedef double (*Measure)(const SomSimulationResult *result, int sample);

static double height_at(const SomSimulationResult *result, int sample) {
    return result->com.data[sample].z;
}

static double way_at(const SomSimulationResult *result, int sample) {
    SomVec3 now = result->com.data[sample], first = result->com.data[0];
    return hypot(now.x - first.x, now.y - first.y);
}

// Between where up was at the start and where it is now.
static double lean_at(const SomSimulationResult *result, int sample) {
    SomPose first = result->base.data[0], now = result->base.data[sample];
    SomVec3 up = som_pose_rotate_inverse(first, (SomVec3){0, 0, 1});
    double cosine = som_pose_rotate(now, up).z;
    return isfinite(cosine) ? acos(fmin(fmax(cosine, -1), 1)) : (double)NAN;
}

static void add_body(SomRunData *made, const SomSimulationResult *result, SomStr title, SomStr unit,
                     double scale, Measure measure) {
    double *values = som_arena_new(&made->arena, double, result->times.count);
    for (int i = 0; i < result->times.count; i++) {
        values[i] = measure(result, i);
    }
    SomTimelineTrack track = {
        .title = title, .group = SOM_STR("body"), .unit = unit, .scale = scale, .is_shown = true};
    track.curves[SOM_TIMELINE_SIMULATED] = simulated(result, values, 1);
    som_array_push(&made->tracks, track);
}

static void add_tracks(SomRunData *made, const Source *source) {
    const SomSimulationResult *result = source->result;
    if (result->times.count == 0) {
        return;
    }
    bool *is_telling = som_arena_new(&made->arena, bool, result->dof_count);
    find_telling(source, is_telling);
    add_body(made, result, SOM_STR("height"), SOM_STR("mm"), 1000, height_at);
    add_body(made, result, SOM_STR("lean"), SOM_STR("°"), 180 / SOM_PI, lean_at);
    add_body(made, result, SOM_STR("way"), SOM_STR("mm"), 1000, way_at);
    for (int i = 0; i < result->dof_count; i++) {
        add_joint(made, source, i, is_telling[i]);
    }
    for (int i = 0; i < result->dof_count; i++) {
        add_effort(made, source, i);
    }
}

// ---- all of it

static SomRunData *create(const Source *source, double duration) {
    SomRunData *made = som_alloc(sizeof *made);
    if (source->record != NULL) {
        add_rows(made, source);
        add_bands(made, source);
        add_tracks(made, source);
    }
    made->data = (SomTimelineData){.duration = duration,
                                   .rows = made->rows.data,
                                   .row_count = made->rows.count,
                                   .bars = made->bars.data,
                                   .bar_count = made->bars.count,
                                   .bands = made->bands.data,
                                   .band_count = made->bands.count,
                                   .tracks = made->tracks.data,
                                   .track_count = made->tracks.count};
    return made;
}

SomRunData *som_run_data_create(const SomPhysicsRecord *record) {
    if (record == NULL || !record->has_run) {
        return create(&(Source){0}, 0);
    }
    Source source = {record, record->run.result, record->report.comparison};
    return create(&source, som_physics_record_duration(record));
}

SomRunData *som_run_data_create_live(const SomPhysicsTrace *trace, double expected) {
    Source source = {trace->record, &trace->result, NULL};
    return create(&source, fmax(expected, trace->result.time));
}

void som_run_data_destroy(SomRunData *made) {
    if (made != NULL) {
        som_array_free(&made->rows);
        som_array_free(&made->bars);
        som_array_free(&made->bands);
        som_array_free(&made->tracks);
        som_arena_free(&made->arena);
        som_free(made);
    }
}
