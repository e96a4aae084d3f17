// Tests for studio/timeline_data.c and studio/timeline_scale.c: copies that can be asked, and times
// as pixels.

// SPDX-License-Identifier: Apache-2.0

#include "studio/timeline_data.h"
#include "studio/timeline_scale.h"
#include "tests/suite.h"

#include <math.h>

static SomTimelineModel *model(void) {
    double times[] = {0, 1, 2, 3}, values[] = {0, 0.5, NAN, 2};
    const SomTimelineRow rows[] = {{SOM_STR("all"), 0}, {SOM_STR("step"), 1}};
    const SomTimelineBar bars[] = {{2, 3, 1, SOM_TIMELINE_CUT_OFF},
                                   {0, 1, 1, SOM_TIMELINE_PLANNED},
                                   {0, 3, 0, SOM_TIMELINE_RUNNING},
                                   {1, 2, 7, SOM_TIMELINE_PLANNED},
                                   {2, 1, 1, SOM_TIMELINE_PLANNED}};
    const SomTimelineBand bands[] = {{1, 2, 1.5, SOM_ERROR, SOM_STR("c")},
                                     {0, 1.5, 1, SOM_WARNING, SOM_STR("a")},
                                     {1, 1, 1, SOM_NOTE, SOM_STR("b")},
                                     {1, 3, 2, SOM_NOTE, SOM_STR("d")},
                                     {2.5, 3, 3, SOM_NOTE, SOM_STR("e")}};
    const SomTimelineTrack tracks[] = {{.title = SOM_STR("height"),
                                        .unit = SOM_STR("mm"),
                                        .scale = 1000,
                                        .curves = {{.times = times, .values = values, .count = 4}},
                                        .limits = {3},
                                        .limit_count = 1},
                                       {.title = SOM_STR("nothing")}};
    SomTimelineData data = {3, rows, 2, bars, 5, bands, 5, tracks, 2};
    SomTimelineModel *m = som_timeline_model_create(&data);
    return m;
}

START_TEST(bars_are_those_of_rows_in_their_order) {
    SomTimelineModel *m = model();
    ck_assert_int_eq(m->data.bar_count, 3); // what has no row or no time is left out
    ck_assert_int_eq(m->row_begins[2] - m->row_begins[1], 2);
    ck_assert_double_eq(m->data.bars[m->row_begins[1]].t0, 0);
    ck_assert_int_eq(som_timeline_model_bar_at(m, 1, 0.5, 0), m->row_begins[1]);
    ck_assert_int_eq(som_timeline_model_bar_at(m, 1, 1.5, 0.1), -1);
    ck_assert_int_eq(som_timeline_model_bar_at(m, 1, 1.95, 0.1), m->row_begins[1] + 1);
    som_timeline_model_destroy(m);
    som_timeline_model_destroy(NULL);
}
END_TEST

START_TEST(edges_lead_from_one_to_the_next) {
    SomTimelineModel *m = model();
    ck_assert_double_eq(som_timeline_model_edge(m, 0, 1), 1);
    ck_assert_double_eq(som_timeline_model_edge(m, 1, 1), 2);
    ck_assert_double_eq(som_timeline_model_edge(m, 2.5, 1), 3);
    ck_assert_double_eq(som_timeline_model_edge(m, 3, 1), 3);
    ck_assert_double_eq(som_timeline_model_edge(m, 1.5, -1), 1);
    ck_assert_double_eq(som_timeline_model_edge(m, 0, -1), 0);
    som_timeline_model_destroy(m);
}
END_TEST

START_TEST(no_note_shares_the_lane_of_an_error) {
    const SomTimelineBand bands[] = {{0, 2, 1, SOM_WARNING, SOM_STR("a")},
                                     {0, 2, 1, SOM_NOTE, SOM_STR("b")},
                                     {0, 2, 1, SOM_NOTE, SOM_STR("c")},
                                     {0, 2, 1, SOM_ERROR, SOM_STR("d")},
                                     {1, 3, 2, SOM_ERROR, SOM_STR("e")}};
    SomTimelineData data = {.duration = 3, .bands = bands, .band_count = 5};
    SomTimelineModel *m = som_timeline_model_create(&data);
    const int lanes[] = {2, 3, 3, 0, 1};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(m->lanes[i], lanes[i]);
    }
    som_timeline_model_destroy(m);
}
END_TEST

START_TEST(bands_that_overlap_have_lanes_and_follow_by_their_begin) {
    SomTimelineModel *m = model();
    ck_assert_int_eq(m->lane_count, SOM_TIMELINE_MOST_LANES);
    ck_assert_int_ne(m->lanes[0], m->lanes[1]);
    ck_assert_int_ne(m->lanes[0], m->lanes[2]);
    ck_assert_int_eq(m->lanes[3], SOM_TIMELINE_MOST_LANES - 1);
    int order[] = {1, 0, 2, 3, 4}, now = -1;
    for (int i = 0; i < 5; i++) {
        now = som_timeline_model_next_band(m, now, 1);
        ck_assert_int_eq(now, order[i]);
    }
    ck_assert_int_eq(som_timeline_model_next_band(m, now, 1), 1); // round
    for (int i = 3; i >= 0; i--) {
        now = som_timeline_model_next_band(m, now, -1);
        ck_assert_int_eq(now, order[i]);
    }
    ck_assert_int_eq(som_timeline_model_next_band(m, -1, -1), 4);
    som_timeline_model_destroy(m);
}
END_TEST

START_TEST(tracks_have_values_in_their_unit_and_a_range_around) {
    SomTimelineModel *m = model();
    const SomTimelineTrack *height = &m->data.tracks[0];
    ck_assert_double_eq(som_timeline_track_value(height, SOM_TIMELINE_PREDICTED, 0.5), 250);
    ck_assert(isnan(som_timeline_track_value(height, SOM_TIMELINE_PREDICTED, 2)));
    ck_assert(isnan(som_timeline_track_value(height, SOM_TIMELINE_SIMULATED, 1)));
    ck_assert_double_le(m->ranges[0].low, 0);
    ck_assert_double_ge(m->ranges[0].high, 3000); // the limit, too
    ck_assert_double_lt(m->ranges[1].low, m->ranges[1].high);
    som_timeline_model_destroy(m);
}
END_TEST

START_TEST(what_hardly_differs_looks_level) {
    double times[] = {0, 1}, values[] = {0.1017200, 0.1017201};
    const SomTimelineTrack track = {.title = SOM_STR("clearance"),
                                    .unit = SOM_STR("mm"),
                                    .scale = 1000,
                                    .curves = {{.times = times, .values = values, .count = 2}}};
    SomTimelineModel *m = som_timeline_model_create(
        &(SomTimelineData){.duration = 1, .tracks = &track, .track_count = 1});
    ck_assert_double_ge(m->ranges[0].high - m->ranges[0].low, 0.2);
    ck_assert_double_le(m->ranges[0].high - m->ranges[0].low, 0.3);
    som_timeline_model_destroy(m);
}
END_TEST

START_TEST(nothing_is_a_timeline_too) {
    SomTimelineModel *m = som_timeline_model_create(&(SomTimelineData){.duration = NAN});
    ck_assert_double_eq(m->data.duration, 0);
    ck_assert_int_eq(som_timeline_model_next_band(m, -1, 1), -1);
    ck_assert_double_eq(som_timeline_model_edge(m, 0, 1), 0);
    som_timeline_model_destroy(m);
}
END_TEST

// A time under the pointer stays there, and what is seen never leaves what there is.
START_TEST(a_zoom_keeps_the_time_under_the_pointer) {
    SomTestRandom random = {5};
    SomTimelineScale s = {0};
    som_timeline_scale_set(&s, 10, 400);
    ck_assert(som_timeline_scale_is_whole(&s));
    for (int i = 0; i < som_test_count(5000, 100000); i++) {
        double x = som_test_uniform(&random, 0, 400), time = som_timeline_time(&s, x);
        double left = s.left, span = s.span;
        som_timeline_scale_zoom(&s, som_test_uniform(&random, 0.2, 5), x);
        bool is_free = s.left > 1e-9 && s.left + s.span < 10 - 1e-9;
        ck_assert(!is_free || fabs(som_timeline_x(&s, time) - x) < 1e-6 ||
                  (s.left == left && s.span == span));
        som_timeline_scale_shift(&s, som_test_uniform(&random, -3, 3));
        ck_assert(s.left >= 0 && s.left + s.span <= 10 * (1 + 1e-9) && s.span > 0);
        double seen = som_test_uniform(&random, 0, 10);
        som_timeline_scale_reveal(&s, seen);
        ck_assert(s.left <= seen + 1e-9 && seen <= s.left + s.span + 1e-9);
    }
    som_timeline_scale_fit(&s);
    ck_assert(som_timeline_scale_is_whole(&s));
}
END_TEST

SOM_SUITE("studio/timeline_data", bars_are_those_of_rows_in_their_order,
          edges_lead_from_one_to_the_next, no_note_shares_the_lane_of_an_error,
          bands_that_overlap_have_lanes_and_follow_by_their_begin,
          tracks_have_values_in_their_unit_and_a_range_around, what_hardly_differs_looks_level,
          nothing_is_a_timeline_too, a_zoom_keeps_the_time_under_the_pointer)
