// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/prediction.c.

#include "base/codes/behaviors_codes.h"
#include "behaviors/prediction.h"
#include "tests/player/graph_of_text.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Predicted {
    TestGraph read;
    SomDiagnostics *diags;
    SomPrediction out;
    bool is_finished;
} Predicted;

static Predicted predict(const char *tree, SomPredictionDef def) {
    Predicted p = {.diags = som_diagnostics_create()};
    static const char source[100] = "";
    som_diagnostics_add_source(p.diags, SOM_STR("x.som"), (SomStr){source, sizeof source});
    p.read = test_graph(tree);
    def.graph = &p.read.graph;
    p.is_finished = som_prediction_play(&def, &p.out, p.diags);
    return p;
}

static void discard(Predicted *p) {
    som_prediction_free(&p->out);
    som_diagnostics_destroy(p->diags);
    test_graph_free(&p->read);
}

static int count_code(const Predicted *p, SomCode code) {
    int count, found = 0;
    const SomDiagnostic *kept = som_diagnostics_get(p->diags, &count);
    for (int i = 0; i < count; i++) {
        found += kept[i].code == code;
    }
    return found;
}

static const SomServoModel bounded[] = {{.most_speed = 1}, {.most_speed = 2}};

START_TEST(a_motion_is_sampled_tick_by_tick) {
    Predicted p = predict("series position 0 0.5 within 0.001 position 1 1 within 0.001 end",
                          (SomPredictionDef){.servos = bounded, .tick = 0.1});
    ck_assert(p.is_finished);
    ck_assert_double_eq_tol(p.out.duration, 1, 1e-9);
    ck_assert_int_eq(p.out.times.count, 11);
    for (int i = 0; i <= 10; i++) {
        double t = 0.1 * i, hip = t < 0.5 ? t : 0.5, knee = t < 0.5 ? 0 : 2 * (t - 0.5);
        ck_assert_double_eq_tol(p.out.times.data[i], t, 1e-12);
        ck_assert_double_eq_tol(p.out.positions.data[2 * i], hip, 1e-9);
        ck_assert_double_eq_tol(p.out.positions.data[2 * i + 1], knee, 1e-9);
        int count;
        const int32_t *active = som_prediction_active(&p.out, i, &count);
        ck_assert_int_eq(count, i < 10);
        ck_assert(i == 10 || active[0] == (i < 5 ? 1 : 2));
    }
    ck_assert_int_eq(p.out.events.count, 4);
    ck_assert_double_eq_tol(p.out.events.data[1].time, 0.5, 1e-12);
    ck_assert(p.out.events.data[1].is_end && p.out.events.data[1].reason == SOM_END_DONE);
    ck_assert_int_eq(p.out.events.data[2].node, 2);
    discard(&p);
}
END_TEST

START_TEST(fewer_samples_keep_the_first_and_the_last) {
    Predicted p =
        predict("wait during 1.05", (SomPredictionDef){.tick = 0.01, .sample_time = 0.25});
    const double expected[] = {0, 0.25, 0.5, 0.75, 1, 1.05};
    ck_assert_int_eq(p.out.times.count, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_double_eq_tol(p.out.times.data[i], expected[i], 1e-9);
    }
    discard(&p);
}
END_TEST

START_TEST(too_many_samples_are_thinned_out) {
    Predicted p = predict("series position 0 3 within 0.001 wait during 7 end",
                          (SomPredictionDef){.servos = bounded, .tick = 0.01, .most_kept = 200});
    ck_assert_int_le(p.out.times.count * 4, 200 + 8);
    ck_assert_int_ge(p.out.times.count * 4, 90);
    ck_assert_double_eq(p.out.times.data[0], 0);
    ck_assert_double_eq(p.out.times.data[p.out.times.count - 1], p.out.duration);
    ck_assert_int_eq(p.out.positions.count, 2 * p.out.times.count);
    ck_assert_int_eq(p.out.active_end.count, p.out.times.count);
    for (int i = 0; i < p.out.times.count; i++) {
        double t = p.out.times.data[i];
        int count;
        const int32_t *active = som_prediction_active(&p.out, i, &count);
        ck_assert(i == 0 || t > p.out.times.data[i - 1]);
        ck_assert_double_eq_tol(p.out.positions.data[2 * i], t < 3 ? t : 3, 1e-9);
        ck_assert_int_eq(count, i < p.out.times.count - 1);
        ck_assert(count == 0 || active[0] == (t < 2.9985 ? 1 : 2));
    }
    discard(&p);
}
END_TEST

START_TEST(what_does_not_end_is_reported) {
    Predicted p =
        predict("repeat forever at 1 3 4 wait during 0.1 end", (SomPredictionDef){.most_time = 1});
    ck_assert(!p.is_finished);
    ck_assert_int_eq(p.out.status, SOM_PLAYER_RUNNING);
    ck_assert_int_eq(count_code(&p, SOM_PREDICTION_UNFINISHED), 1);
    ck_assert_double_eq_tol(p.out.duration, 1, 1e-9);
    discard(&p);
}
END_TEST

START_TEST(assumptions_are_stated_where_they_were_used) {
    const char *tree = "series "
                       "wait until ( contact 0 ) timeout 0.1 at 1 1 2 "
                       "wait until ( effort 1 number 2 > ) timeout 0.1 at 1 2 3 "
                       "wait until ( position 0 number 2 > ) timeout 0.1 at 1 3 4 "
                       "choose wait during 0.1 when ( input 0 ) at 1 4 5 "
                       " wait during 0.1 when ( tilt number 1 > ) at 1 5 6 end "
                       "repeat 2 until ( height number -1 < ) at 1 6 7 wait during 0.1 end "
                       "choose wait during 0.1 when ( number 0 ) "
                       " wait until ( contact 0 ) timeout 0.1 when ( number 0 ) at 1 7 8 end end";
    Predicted p = predict(tree, (SomPredictionDef){0});
    ck_assert_int_eq(count_code(&p, SOM_PREDICTION_ASSUMES), 5);
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(p.diags, &count);
    char text[100];
    snprintf(text, sizeof text, "%.*s", SOM_STR_ARG(kept[0].message));
    ck_assert_str_eq(text, "the contact of 'foot' is only assumed here");
    ck_assert_uint_eq(kept[0].span.begin, 1);
    discard(&p);
}
END_TEST

START_TEST(assumptions_decide) {
    const char *tree = "choose wait during 1 when ( contact 0 ) "
                       "wait during 2 when ( input 0 number 5 > ) wait during 3 end";
    const double light[] = {6};
    Predicted none = predict(tree, (SomPredictionDef){0});
    Predicted contact = predict(tree, (SomPredictionDef){.assumed = {.contact = true}});
    Predicted input = predict(tree, (SomPredictionDef){.assumed = {.inputs = light}});
    ck_assert_double_eq_tol(none.out.duration, 3, 1e-9);
    ck_assert_double_eq_tol(contact.out.duration, 1, 1e-9);
    ck_assert_double_eq_tol(input.out.duration, 2, 1e-9);
    discard(&none);
    discard(&contact);
    discard(&input);
}
END_TEST

START_TEST(docks_take_their_time) {
    SomPredictionDef def = {.tick = 0.01, .dock = {.closing = 0.5, .opening = 0.25}};
    Predicted p = predict("series connect 0 disconnect 0 end", def);
    ck_assert_double_eq_tol(p.out.duration, 0.75, 1e-9);
    discard(&p);
    const uint8_t closed[] = {SOM_DOCK_CLOSED};
    def.docks = closed;
    p = predict("series connect 0 disconnect 0 end", def);
    ck_assert_double_eq_tol(p.out.duration, 0.26, 1e-9);
    discard(&p);
}
END_TEST

START_TEST(conflicts_on_the_way_are_kept) {
    Predicted p = predict("parallel position 0 1 series wait during 0.1 position 0 -1 end end",
                          (SomPredictionDef){.servos = bounded, .most_time = 3});
    ck_assert_int_eq(p.out.conflict.resource, 0);
    ck_assert_double_eq_tol(p.out.conflict_time, 0.1, 1e-9);
    discard(&p);
}
END_TEST

// One module of the laboratory's robots bends and straightens: the times are those of its law.
START_TEST(the_laboratory_servo_gives_the_times_of_its_law) {
    const SomServoModel lab[] = {{.kind = SOM_SERVO_LABORATORY}, {.kind = SOM_SERVO_LABORATORY}};
    Predicted p =
        predict("series position 0 1.210865238198 within 0.08 "
                "parallel position 0 0 within 0.08 position 1 -1.210865238198 within 0.08 "
                "end end",
                (SomPredictionDef){.servos = lab, .tick = 0.001});
    const int milliseconds[] = {0, 651, 651, 651, 1260, 1302};
    ck_assert_int_eq(p.out.events.count, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_double_eq_tol(p.out.events.data[i].time, milliseconds[i] * 0.001, 1e-9);
    }
    discard(&p);
}
END_TEST

START_TEST(between_samples_the_way_is_straight) {
    Predicted p =
        predict("position 0 0.5 within 0.001", (SomPredictionDef){.servos = bounded, .tick = 0.1});
    const double times[] = {-1, 0, 0.05, 0.13, 0.3, 0.5, 100};
    const double wanted[] = {0, 0, 0.05, 0.13, 0.3, 0.5, 0.5};
    for (int i = 0; i < 7; i++) {
        double values[2];
        som_prediction_at(&p.out, times[i], values);
        ck_assert_double_eq_tol(values[0], wanted[i], 1e-12);
        ck_assert_double_eq(values[1], 0);
    }
    discard(&p);
}
END_TEST

START_TEST(an_excerpt_may_stop_in_the_middle) {
    SomPredictionDef def = {.servos = bounded, .tick = 0.1, .most_time = 0.3, .is_excerpt = true};
    Predicted p = predict("position 0 5 within 0.001", def);
    ck_assert(!p.is_finished);
    ck_assert_int_eq(som_diagnostics_warning_count(p.diags), 0);
    discard(&p);
}
END_TEST

// It has ended within 0.08 of where it was sent, and goes on until it rests there.
START_TEST(after_the_end_joints_come_to_rest) {
    const SomServoModel lab[] = {{.kind = SOM_SERVO_LABORATORY}, {.kind = SOM_SERVO_LABORATORY}};
    SomPredictionDef def = {
        .servos = lab, .tick = 0.001, .rest_speed = 1e-4, .sample_time = 0.0107};
    Predicted p = predict("series position 0 -0.3 within 0.08 position 1 6.28318530718 within 0.08 "
                          "end",
                          def);
    const SomPrediction *out = &p.out;
    ck_assert(p.is_finished && out->status == SOM_PLAYER_COMPLETED);
    ck_assert_double_eq_tol(out->rest_time - out->duration, 1.157, 1e-9);
    int last = out->times.count - 1;
    ck_assert_double_eq(out->times.data[last], out->rest_time);
    ck_assert_double_eq(out->positions.data[2 * last], -0.3); // there, not only near
    ck_assert_double_eq_tol(out->positions.data[2 * last + 1], 6.283172071, 1e-9);
    for (int i = 1; i <= last; i++) {
        ck_assert(out->times.data[i] > out->times.data[i - 1]);
    }
    discard(&p);
    def.rest_speed = 0;
    p = predict("position 1 6.28318530718 within 0.08", def);
    ck_assert_double_eq(p.out.rest_time, p.out.duration);
    discard(&p);
    def.rest_speed = 1e-4;
    def.most_time = 3.5; // after its end, before it rests
    p = predict("position 1 6.28318530718 within 0.08", def);
    ck_assert(p.is_finished && fabs(p.out.rest_time - 3.5) < 1e-9);
    discard(&p);
}
END_TEST

START_TEST(a_behavior_without_actions_has_samples) {
    Predicted p = predict("series end", (SomPredictionDef){.tick = 0.1, .servos = bounded});
    ck_assert(p.is_finished);
    ck_assert_int_eq(p.out.times.count, 1);
    int count;
    ck_assert_ptr_null(som_prediction_active(&p.out, 0, &count));
    ck_assert_int_eq(count, 0);
    discard(&p);
}
END_TEST

SOM_SUITE("behaviors/prediction", a_motion_is_sampled_tick_by_tick,
          fewer_samples_keep_the_first_and_the_last, too_many_samples_are_thinned_out,
          what_does_not_end_is_reported, assumptions_are_stated_where_they_were_used,
          assumptions_decide, docks_take_their_time, conflicts_on_the_way_are_kept,
          the_laboratory_servo_gives_the_times_of_its_law, between_samples_the_way_is_straight,
          an_excerpt_may_stop_in_the_middle, after_the_end_joints_come_to_rest,
          a_behavior_without_actions_has_samples)
