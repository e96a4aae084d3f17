// SPDX-License-Identifier: Apache-2.0
// Docks and loops under physics: they hold, close, open and break.

#include "tests/simulate/runs.h"

#include <math.h>

static const char designs[] =
    "use \"ring.som\"\n"
    "use \"smores_ep.m3l\"\n"
    "config Pair {\n"
    "    part a, b, c : Module\n"
    "    connect a.B to b.T\n"
    "    dock d: b.B to c.T closed\n"
    "    base a on ground\n"
    "    behavior leave = series(wait 1s, disconnect d timeout 2s, c.roll(1rad/s, 1s))\n"
    "}\n"
    "config Track(n: count = 6) {\n"
    "    part m[n] : Module\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    connect m[n].B to m[1].T\n"
    "    pose round { m[i].tilt = 360deg/n for i in 1..n }\n"
    "    start round\n"
    "    base m[1] on ground\n"
    "    behavior keep = parallel(for i in 1..n: m[i].tilt to 360deg/n during 1s)\n"
    "}\n"
    // closed without moving a joint: all of it is one body
    "config Round(n: count = 6) {\n"
    "    part m[n] : Module\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    dock ends: m[n].B to m[1].T open\n"
    "    pose round { m[i].tilt = 360deg/n for i in 1..n }\n"
    "    start round\n"
    "    base m[1] on ground turned (0deg, 90deg, 0deg)\n"
    "    behavior shut = series(connect ends timeout 1s, wait 0.1s, disconnect ends timeout 1s)\n"
    "}\n"
    "config Carry {\n"
    "    part a, b, c, d : Module\n"
    "    connect a.B to b.T\n"
    "    connect b.B to c.T\n"
    "    dock grip: c.B to d.T closed\n"
    "    base a on ground\n"
    "    behavior again = series(disconnect grip, wait 0.5s, connect grip timeout 3s)\n"
    "}\n"
    "config EP is \"SMORES-EP\" { }\n"
    // a roof that stands on its two ends: the dock at its ridge carries the moment
    "config Roof(n: count = 16) {\n"
    "    part m[n] : EP\n"
    "    connect m[i].B to m[i+1].T for i in 1..n/2-1\n"
    "    connect m[i].B to m[i+1].T for i in n/2+1..n-1\n"
    "    dock ridge: m[n/2].B to m[n/2+1].T closed\n"
    "    pose roof { m[n/2].tilt = -20deg }\n"
    "    start roof\n"
    "    behavior stand = series(wait 1s, disconnect ridge timeout 2s)\n"
    "}\n";

START_TEST(a_closed_dock_holds_until_it_is_opened) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Pair", "leave", 5);
        const SomSimulationEvent *opened = test_run_event(&r, SOM_EVENT_DOCK_OPENED);
        ck_assert_ptr_nonnull(opened);
        ck_assert_double_eq_tol(opened->time, 1, 0.1);
        ck_assert_ptr_null(test_run_event(&r, SOM_EVENT_DOCK_BROKE));
        test_run_free(&r);
    }
}
END_TEST

static double farthest(const SomPose *a, const SomPose *b, int count) {
    double far = 0;
    for (int i = 0; i < count; i++) {
        far = fmax(far, som_vec3_length(som_vec3_sub(a[i].position, b[i].position)));
    }
    return far;
}

// Pictures are drawn from samples: what came off is where it went, not where joints would have it.
START_TEST(samples_know_where_a_part_is_that_came_off) {
    const char *turn = "series(disconnect d timeout 2s, parallel("
                       "c.left spin 3rad/s during 1s, c.right spin -3rad/s during 1s))";
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Pair", turn, 5);
        int count = r.mechanism->link_count, last = r.result->times.count - 1;
        SomPose *now = som_alloc(sizeof *now * 2 * (size_t)count), *sampled = now + count;
        som_simulation_place(r.simulation, now);
        som_simulation_place_sample(r.simulation, 0, sampled);
        ck_assert_double_gt(farthest(now, sampled, count), 0.005);
        som_simulation_place_sample(r.simulation, last, sampled);
        ck_assert_double_lt(farthest(now, sampled, count), 1e-9);
        som_free(now);
        test_run_free(&r);
    }
}
END_TEST

START_TEST(ends_that_meet_dock_and_part_again) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Ring(n = 4)", "curlAndBack(1s)", 10);
        const SomSimulationEvent *closed = test_run_event(&r, SOM_EVENT_DOCK_CLOSED);
        const SomSimulationEvent *opened = test_run_event(&r, SOM_EVENT_DOCK_OPENED);
        ck_assert_msg(closed != NULL && opened != NULL, "%s", som_engine_name(engine));
        ck_assert_double_lt(closed->time, 2);
        ck_assert_double_eq_tol(opened->time - closed->time, 1, 0.2);
        ck_assert_str_ne(test_run_outcome(&r), "diverged");
        test_run_free(&r);
    }
}
END_TEST

// Two faces that meet touch before the dock between them holds.
START_TEST(partners_of_a_dock_do_not_collide) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Carry", "again", 10);
        ck_assert_ptr_nonnull(test_run_event(&r, SOM_EVENT_DOCK_CLOSED));
        ck_assert_ptr_null(test_run_event(&r, SOM_EVENT_SELF_CONTACT));
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        test_run_free(&r);
    }
}
END_TEST

// In MuJoCo to a tenth of a millimetre, in Gazebo's engine by springs.
START_TEST(a_loop_stays_closed) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Track", "keep", 5);
        SomPose *links = som_alloc(sizeof *links * (size_t)r.mechanism->link_count);
        SomGap gap;
        ck_assert_str_ne(test_run_outcome(&r), "diverged");
        som_simulation_place(r.simulation, links);
        som_mechanism_worst_gap(r.mechanism, links, NULL, &gap);
        ck_assert_int_gt(r.model->weld_count, 0);
        ck_assert_msg(gap.metres < (engine == SOM_ENGINE_MUJOCO ? 0.001 : 0.01), "%s: %g m",
                      som_engine_name(engine), gap.metres);
        som_free(links);
        test_run_free(&r);
    }
}
END_TEST

START_TEST(a_dock_of_one_body_closes_and_opens) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Round", "shut", 5);
        ck_assert_int_eq(r.model->body_count, 1);
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        ck_assert_ptr_nonnull(test_run_event(&r, SOM_EVENT_DOCK_CLOSED));
        ck_assert_ptr_nonnull(test_run_event(&r, SOM_EVENT_DOCK_OPENED));
        test_run_free(&r);
    }
}
END_TEST

START_TEST(a_dock_breaks_where_it_carries_more_than_its_connectors_hold) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, designs, "Roof(n = 4)", "stand", 4);
        ck_assert_ptr_null(test_run_event(&r, SOM_EVENT_DOCK_BROKE));
        ck_assert_ptr_nonnull(test_run_event(&r, SOM_EVENT_DOCK_OPENED));
        test_run_free(&r);
        r = test_run(engine, designs, "Roof", "stand", 4); // 2 N m is what it holds
        ck_assert_str_eq(test_run_outcome(&r), "dock broke");
        const SomSimulationEvent *broke = test_run_event(&r, SOM_EVENT_DOCK_BROKE);
        ck_assert_ptr_nonnull(broke);
        ck_assert_int_eq(broke->dock, 0);
        ck_assert_double_ge(broke->time, 0.199); // faces settle for 0.2 s first
        ck_assert_double_lt(broke->time, 0.5);
        // what is torn off need not be opened: the behavior senses it, and is over at once
        ck_assert_ptr_null(test_run_event(&r, SOM_EVENT_DOCK_OPENED));
        ck_assert_double_eq_tol(r.result->time, 1, 0.01);
        test_run_free(&r);
    }
}
END_TEST

SOM_SUITE("simulate/docks", a_closed_dock_holds_until_it_is_opened,
          samples_know_where_a_part_is_that_came_off, ends_that_meet_dock_and_part_again,
          partners_of_a_dock_do_not_collide, a_loop_stays_closed,
          a_dock_of_one_body_closes_and_opens,
          a_dock_breaks_where_it_carries_more_than_its_connectors_hold)
