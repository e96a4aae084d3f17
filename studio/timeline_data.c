// SPDX-License-Identifier: Apache-2.0
#include "studio/timeline_data.h"

#include "base/arena.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_RANGE 1e-3 // of the values: what differs by less is noise and looks level

const char *som_timeline_end_words(SomTimelineEnd end) {
    static const char *const words[SOM_TIMELINE_ENDS] = {
        [SOM_TIMELINE_PLANNED] = "ended as planned",
        [SOM_TIMELINE_TIMED_OUT] = "ran out of time",
        [SOM_TIMELINE_CUT_OFF] = "was cut off",
        [SOM_TIMELINE_FAILED] = "failed",
        [SOM_TIMELINE_RUNNING] = "was still running at the end",
    };
    return words[end];
}

// ---- copies

static const SomTimelineRow *copy_rows(SomArena *memory, const SomTimelineData *from) {
    SomTimelineRow *rows = som_arena_new(memory, SomTimelineRow, from->row_count);
    for (int i = 0; i < from->row_count; i++) {
        rows[i] = from->rows[i];
        rows[i].title = som_arena_copy(memory, from->rows[i].title);
    }
    return rows;
}

static int by_row_and_start(const void *a, const void *b) {
    const SomTimelineBar *one = a, *other = b;
    if (one->row != other->row) {
        return one->row < other->row ? -1 : 1;
    }
    return one->t0 < other->t0 ? -1 : one->t0 > other->t0 ? 1 : 0;
}

// Without those of no row or no time.
static void copy_bars(SomTimelineModel *m, const SomTimelineData *from) {
    SomTimelineBar *bars = som_arena_new(m->memory, SomTimelineBar, from->bar_count);
    int *begins = som_arena_new(m->memory, int, from->row_count + 1), count = 0;
    for (int i = 0; i < from->bar_count; i++) {
        const SomTimelineBar *bar = &from->bars[i];
        if (0 <= bar->row && bar->row < from->row_count && bar->t0 <= bar->t1) {
            bars[count++] = *bar;
            begins[bar->row + 1]++;
        }
    }
    for (int row = 0; row < from->row_count; row++) {
        begins[row + 1] += begins[row];
    }
    qsort(bars, (size_t)count, sizeof *bars, by_row_and_start);
    m->data.bars = bars;
    m->data.bar_count = count;
    m->row_begins = begins;
}

// The first lane that no placed band takes at the same time; the last one is shared.
static int free_lane(const SomTimelineBand *bands, const int *lanes, int count, int band) {
    bool is_taken[SOM_TIMELINE_MOST_LANES] = {0};
    for (int i = 0; i < count; i++) {
        if (lanes[i] >= 0 && bands[i].t0 <= bands[band].t1 && bands[band].t0 <= bands[i].t1) {
            is_taken[lanes[i]] = true;
        }
    }
    int lane = 0;
    while (lane < SOM_TIMELINE_MOST_LANES - 1 && is_taken[lane]) {
        lane++;
    }
    return lane;
}

// Errors are placed before warnings, and these before notes, so that no note covers an error.
static void place_bands(SomTimelineModel *m, int *lanes) {
    const SomTimelineData *data = &m->data;
    for (int i = 0; i < data->band_count; i++) {
        lanes[i] = -1;
    }
    for (int severity = SOM_ERROR; severity >= SOM_NOTE; severity--) {
        for (int i = 0; i < data->band_count; i++) {
            if ((int)data->bands[i].severity == severity) {
                lanes[i] = free_lane(data->bands, lanes, data->band_count, i);
                m->lane_count = lanes[i] >= m->lane_count ? lanes[i] + 1 : m->lane_count;
            }
        }
    }
    m->lanes = lanes;
}

static void copy_bands(SomTimelineModel *m, const SomTimelineData *from) {
    SomTimelineBand *bands = som_arena_new(m->memory, SomTimelineBand, from->band_count);
    for (int i = 0; i < from->band_count; i++) {
        bands[i] = from->bands[i];
        bands[i].words = som_arena_copy(m->memory, from->bands[i].words);
    }
    m->data.bands = bands;
    m->data.band_count = from->band_count;
    place_bands(m, som_arena_new(m->memory, int, from->band_count));
}

typedef struct CopiedTimes {
    const double *from, *copy;
    int count;
} CopiedTimes;

// Values one after the other. Curves of the same times share them.
static SomCurve copy_curve(SomArena *memory, const SomCurve *from, CopiedTimes *last) {
    SomCurve curve = {som_arena_copy(memory, from->name), .count = from->count};
    double *values = som_arena_new(memory, double, from->count);
    for (int i = 0; i < from->count; i++) {
        values[i] = som_curve_value(from, i);
    }
    if (last->from != from->times || last->count != from->count) {
        double *times = som_arena_new(memory, double, from->count);
        if (from->count > 0) {
            memcpy(times, from->times, sizeof *times * (size_t)from->count);
        }
        *last = (CopiedTimes){from->times, times, from->count};
    }
    curve.times = last->copy;
    curve.values = values;
    return curve;
}

static SomRange range_of(const SomTimelineTrack *track) {
    SomRange range = som_range_empty();
    for (int k = 0; k < SOM_TIMELINE_CURVES; k++) {
        som_curve_measure(&track->curves[k], &range);
    }
    for (int k = 0; k < track->limit_count; k++) {
        som_range_widen(&range, track->limits[k]);
    }
    if (range.low > range.high) {
        range = (SomRange){0, 0};
    }
    range.low *= track->scale;
    range.high *= track->scale;
    double least = LEAST_RANGE * fmax(fabs(range.low), fabs(range.high));
    if (range.high - range.low < least) {
        range.low -= least;
        range.high += least;
    }
    som_range_pad(&range);
    return range;
}

static void copy_tracks(SomTimelineModel *m, const SomTimelineData *from) {
    SomTimelineTrack *tracks = som_arena_new(m->memory, SomTimelineTrack, from->track_count);
    SomRange *ranges = som_arena_new(m->memory, SomRange, from->track_count);
    CopiedTimes times[SOM_TIMELINE_CURVES] = {0};
    for (int i = 0; i < from->track_count; i++) {
        SomTimelineTrack *track = &tracks[i];
        *track = from->tracks[i];
        track->title = som_arena_copy(m->memory, track->title);
        track->group = som_arena_copy(m->memory, track->group);
        track->unit = som_arena_copy(m->memory, track->unit);
        track->scale = track->scale > 0 ? track->scale : 1;
        for (int k = 0; k < SOM_TIMELINE_CURVES; k++) {
            track->curves[k] = copy_curve(m->memory, &track->curves[k], &times[k]);
        }
        ranges[i] = range_of(track);
    }
    m->data.tracks = tracks;
    m->ranges = ranges;
}

SomTimelineModel *som_timeline_model_create(const SomTimelineData *data) {
    SomTimelineModel *m = som_alloc(sizeof *m);
    m->memory = som_alloc(sizeof *m->memory);
    m->data = *data;
    m->data.duration = isfinite(data->duration) ? fmax(data->duration, 0) : 0;
    m->data.rows = copy_rows(m->memory, data);
    copy_bars(m, data);
    copy_bands(m, data);
    copy_tracks(m, data);
    return m;
}

void som_timeline_model_destroy(SomTimelineModel *model) {
    if (model != NULL) {
        som_arena_free(model->memory);
        som_free(model->memory);
        som_free(model);
    }
}

// ---- questions

int som_timeline_model_bar_at(const SomTimelineModel *model, int row, double time, double slack) {
    int nearest = -1;
    double least = slack;
    for (int i = model->row_begins[row]; i < model->row_begins[row + 1]; i++) {
        const SomTimelineBar *bar = &model->data.bars[i];
        double far = fmax(fmax(bar->t0 - time, time - bar->t1), 0);
        if (far < least || (far == least && nearest < 0)) {
            nearest = i;
            least = far;
        }
    }
    return nearest;
}

double som_timeline_model_edge(const SomTimelineModel *model, double time, int direction) {
    double nearest = direction < 0 ? 0 : model->data.duration;
    for (int i = 0; i < model->data.bar_count; i++) {
        double edges[] = {model->data.bars[i].t0, model->data.bars[i].t1};
        for (int k = 0; k < 2; k++) {
            double past = (edges[k] - time) * direction;
            if (past > 0 && past < (nearest - time) * direction) {
                nearest = edges[k];
            }
        }
    }
    return nearest;
}

// Is band a before band b?
static bool is_before(const SomTimelineModel *model, int a, int b) {
    double one = model->data.bands[a].t0, other = model->data.bands[b].t0;
    return one < other || (one == other && a < b);
}

int som_timeline_model_next_band(const SomTimelineModel *model, int current, int direction) {
    int next = -1, first = -1;
    for (int i = 0; i < model->data.band_count; i++) {
        bool is_past =
            current >= 0 && i != current && is_before(model, current, i) == (direction > 0);
        if (first < 0 || is_before(model, i, first) == (direction > 0)) {
            first = i;
        }
        if (is_past && (next < 0 || is_before(model, i, next) == (direction > 0))) {
            next = i;
        }
    }
    return next >= 0 ? next : first;
}

double som_timeline_track_value(const SomTimelineTrack *track, int curve, double time) {
    return som_curve_at(&track->curves[curve], time) * track->scale;
}
