// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_data.h"

#include "behaviors/action_text.h"
#include "studio/motion_tracks.h"
#include "studio/timeline_actions.h"

#include <math.h>

typedef SOM_ARRAY(SomTimelineBar) Bars;

typedef struct Making {
    const SomMotionDataDef *def;
    SomMotionData *out;
    SOM_ARRAY(SomTimelineRow) rows;
    SOM_ARRAY(int32_t) nodes;
    int *row_of; // one a node; -1: it has none
    Bars bars;
    SOM_ARRAY(SomTimelineBand) bands;
    SOM_ARRAY(int) findings;
} Making;

// ---- rows

static void print_action(const Making *m, int32_t node, const char *above, SomText *out) {
    SomText words = {0};
    som_action_print(m->def->mechanism->configuration, m->def->graph, node, &words);
    som_text_add(out, som_timeline_shorten(som_text_str(&words), som_str(above)));
    som_text_free(&words);
}

static void print_title(const Making *m, int32_t node, SomText *out) {
    static const char *const words[SOM_NODE_KINDS] = {
        [SOM_NODE_SERIES] = "series", [SOM_NODE_PARALLEL] = "parallel", [SOM_NODE_ANY] = "any",
        [SOM_NODE_REPEAT] = "repeat", [SOM_NODE_CHOOSE] = "choose",     [SOM_NODE_ACTION] = "",
    };
    const SomActionGraph *graph = m->def->graph;
    const SomGraphNode *n = &graph->nodes[node];
    const char *path = som_graph_path(graph, node);
    const char *above = n->parent == SOM_NONE ? "" : som_graph_path(graph, n->parent);
    if (n->kind == SOM_NODE_ACTION) {
        print_action(m, node, above, out);
        return;
    }
    if (n->parent == SOM_NONE && m->def->title.length > 0) {
        som_text_add(out, m->def->title);
    } else if (path[0] != '\0' && strcmp(path, above) != 0) {
        som_text_add(out, som_timeline_shorten(som_str(path), som_str(above)));
    }
    som_text_printf(out, out->length > 0 ? " · %s" : "%s", words[n->kind]);
    if (n->kind == SOM_NODE_REPEAT && n->index >= 0) {
        som_text_printf(out, " %d", (int)n->index);
    } else if (n->kind == SOM_NODE_REPEAT && n->until == SOM_NONE) {
        som_text_add(out, SOM_STR(" forever"));
    }
}

static void make_rows(Making *m) {
    const SomActionGraph *graph = m->def->graph;
    m->row_of = som_alloc(sizeof *m->row_of * ((size_t)graph->node_count + 1));
    SomText title = {0};
    for (int32_t i = 0; i < graph->node_count; i++) {
        int32_t parent = graph->nodes[i].parent;
        int above = parent == SOM_NONE ? -1 : m->row_of[parent];
        m->row_of[i] = -1;
        if (m->rows.count >= SOM_MOTION_MOST_ROWS) {
            m->out->unlisted++;
            continue;
        }
        som_text_clear(&title);
        print_title(m, i, &title);
        SomTimelineRow row = {som_arena_copy(&m->out->arena, som_text_str(&title)),
                              above >= 0 ? m->rows.data[above].depth + 1 : 0};
        m->row_of[i] = m->rows.count;
        som_array_push(&m->rows, row);
        som_array_push(&m->nodes, i);
    }
    som_text_free(&title);
}

// ---- bars

// What runs in a node: how many actions, and its last bar.
typedef struct Activity {
    int running;
    int bar; // of the bars; -1: none yet
} Activity;

static void begin_in(Making *m, Activity *all, int32_t node, double time) {
    Activity *a = &all[node];
    if (a->running++ > 0 || m->row_of[node] < 0) {
        return;
    }
    // what goes on in the same moment is one run of what is around it
    bool goes_on = a->bar >= 0 && m->bars.data[a->bar].t1 >= time &&
                   m->def->graph->nodes[node].kind != SOM_NODE_ACTION;
    if (!goes_on) {
        SomTimelineBar bar = {time, time, m->row_of[node], SOM_TIMELINE_RUNNING};
        a->bar = m->bars.count;
        som_array_push(&m->bars, bar);
    }
    m->bars.data[a->bar].end = SOM_TIMELINE_RUNNING;
}

static void end_in(Making *m, Activity *all, int32_t node, double time, SomEndReason reason) {
    Activity *a = &all[node];
    if (a->running == 0 || --a->running > 0 || a->bar < 0) {
        return;
    }
    SomTimelineEnd end = som_timeline_end_of(reason);
    bool is_action = m->def->graph->nodes[node].kind == SOM_NODE_ACTION;
    m->bars.data[a->bar].t1 = time;
    // a time-out is that of the action, not of what it is in
    m->bars.data[a->bar].end =
        is_action || end != SOM_TIMELINE_TIMED_OUT ? end : SOM_TIMELINE_PLANNED;
}

static void take(Making *m, Activity *all, const SomPredictionEvent *event) {
    const SomGraphNode *nodes = m->def->graph->nodes;
    for (int32_t node = event->node; node != SOM_NONE; node = nodes[node].parent) {
        if (event->is_end) {
            end_in(m, all, node, event->time, event->reason);
        } else {
            begin_in(m, all, node, event->time);
        }
    }
}

static void make_bars(Making *m) {
    size_t count = (size_t)m->def->graph->node_count;
    Activity *all = som_alloc(sizeof *all * (count + 1));
    for (size_t i = 0; i < count; i++) {
        all[i].bar = -1;
    }
    const SomPrediction *prediction = m->def->prediction;
    for (int i = 0; i < prediction->events.count; i++) {
        take(m, all, &prediction->events.data[i]);
    }
    double end = prediction->duration;
    for (size_t i = 0; i < count; i++) {
        if (all[i].running > 0 && all[i].bar >= 0) {
            m->bars.data[all[i].bar].t1 = fmax(end, m->bars.data[all[i].bar].t0);
        }
    }
    som_free(all);
}

// ---- bands

static void add_band(Making *m, SomTimelineBand band, int finding) {
    if (isfinite(band.t0) && isfinite(band.t1)) {
        band.at = isfinite(band.at) ? band.at : band.t0;
        som_array_push(&m->bands, band);
        som_array_push(&m->findings, finding);
    }
}

static void make_bands(Making *m) {
    const SomVerification *found = m->def->found;
    for (int i = 0; found != NULL && i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        SomTimelineBand band = {f->t0, f->t1, f->worst, f->severity, f->message};
        add_band(m, band, i);
    }
}

// ---- all of it

static void keep_maps(Making *m) {
    int32_t *nodes = som_arena_new(&m->out->arena, int32_t, m->nodes.count + 1);
    for (int i = 0; i < m->nodes.count; i++) {
        nodes[i] = m->nodes.data[i];
    }
    int *findings = som_arena_new(&m->out->arena, int, m->findings.count + 1);
    for (int i = 0; i < m->findings.count; i++) {
        findings[i] = m->findings.data[i];
    }
    m->out->nodes = nodes;
    m->out->findings = findings;
}

SomMotionData *som_motion_data_create(const SomMotionDataDef *def) {
    Making m = {.def = def, .out = som_alloc(sizeof *m.out)};
    make_rows(&m);
    make_bars(&m);
    make_bands(&m);
    SomMotionTracks tracks = som_motion_tracks_make(def, &m.out->arena);
    SomTimelineData data = {.duration = fmax(def->prediction->duration, def->prediction->rest_time),
                            .rows = m.rows.data,
                            .row_count = m.rows.count,
                            .bars = m.bars.data,
                            .bar_count = m.bars.count,
                            .bands = m.bands.data,
                            .band_count = m.bands.count,
                            .tracks = tracks.data,
                            .track_count = tracks.count};
    m.out->model = som_timeline_model_create(&data);
    keep_maps(&m);
    som_array_free(&tracks);
    som_array_free(&m.rows);
    som_array_free(&m.nodes);
    som_array_free(&m.bars);
    som_array_free(&m.bands);
    som_array_free(&m.findings);
    som_free(m.row_of);
    return m.out;
}

void som_motion_data_destroy(SomMotionData *data) {
    if (data != NULL) {
        som_timeline_model_destroy(data->model);
        som_arena_free(&data->arena);
        som_free(data);
    }
}

// Nodes of rows ascend.
static int find_row(const SomMotionData *data, int32_t node) {
    int low = 0, high = data->model->data.row_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (data->nodes[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < data->model->data.row_count && data->nodes[low] == node ? low : -1;
}

int som_motion_data_row_of(const SomMotionData *data, const SomActionGraph *graph, int32_t node) {
    int row = -1;
    while (row < 0 && node != SOM_NONE) {
        row = find_row(data, node);
        node = graph->nodes[node].parent;
    }
    return row;
}
