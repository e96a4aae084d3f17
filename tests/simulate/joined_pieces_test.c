// SPDX-License-Identifier: Apache-2.0
// Designs of several pieces under physics, some of them bolted to the world: docks join what meets
// and leave pieces behind, in the engines and in the worlds that are exported.

#include "simulate/recording.h"
#include "tests/simulate/runs.h"

#include <math.h>
#include <string.h>

static SomPose module_pose(const TestRun *r, const char *path) {
    SomPose *links = som_alloc(sizeof *links * (size_t)r->mechanism->link_count);
    int module = som_configuration_find_module(r->design, som_str(path));
    ck_assert_msg(module >= 0, "%s", path);
    som_simulation_place(r->simulation, links);
    SomPose pose = som_mechanism_module_pose(r->mechanism, links, module);
    som_free(links);
    return pose;
}

static int count_events(const TestRun *r, SomSimulationEventKind kind) {
    int count = 0;
    for (int i = 0; i < r->result->events.count; i++) {
        count += r->result->events.data[i].kind == kind;
    }
    return count;
}

#define FOR_EACH_WORLD(engine, exported)                                                           \
    for (int exported = 0; exported < 2; exported++)                                               \
    FOR_EACH_ENGINE(engine)

START_TEST(an_arm_on_a_fixed_base_picks_up_a_box) {
    FOR_EACH_WORLD(engine, exported) {
        TestRun r = test_run_file(engine, "pick.som", "pick", 10, exported);
        SomPose box = module_pose(&r, "box"), arm = module_pose(&r, "arm");
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        ck_assert_int_eq(count_events(&r, SOM_EVENT_DOCK_CLOSED), 1);
        // the hand is 250 mm high, the box hangs 100 mm below it
        ck_assert_double_eq_tol(box.position.z, 0.15, 0.012);
        ck_assert_double_eq_tol(box.position.x, 0.3, 0.006);
        ck_assert_double_eq_tol(box.rotation.m[2][2], 1, 2e-3);
        ck_assert_double_lt(som_vec3_length(arm.position), 1e-6);
        ck_assert_int_eq(r.result->pieces.count, 2);
        ck_assert_double_eq_tol(r.result->pieces.data[1].displacement.z, 0.15, 0.012);
        test_run_free(&r);
    }
}
END_TEST

START_TEST(a_box_is_put_down_and_left_behind) {
    FOR_EACH_WORLD(engine, exported) {
        TestRun r = test_run_file(engine, "pick.som", "place", 15, exported);
        SomPose box = module_pose(&r, "box");
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        ck_assert_int_eq(count_events(&r, SOM_EVENT_DOCK_OPENED), 1);
        ck_assert_double_eq_tol(box.position.z, 0, 2e-3);
        ck_assert_double_eq_tol(box.position.x, 0.26, 0.02);
        test_run_free(&r);
    }
}
END_TEST

// A dock that opens in the air lets its piece fall; the arm, which is bolted down, never does.
START_TEST(a_box_that_is_dropped_has_fallen) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run_file(engine, "pick.som", "drop", 15, false);
        const SomSimulationEvent *fell = test_run_event(&r, SOM_EVENT_FELL);
        ck_assert_str_eq(test_run_outcome(&r), "fell");
        ck_assert_ptr_nonnull(fell);
        ck_assert_int_eq(fell->piece, 1);
        ck_assert(!r.result->pieces.data[0].has_fallen && r.result->pieces.data[1].has_fallen);
        test_run_free(&r);
    }
}
END_TEST

// Of the hand it is 3 mm, of docks whose connectors say nothing 5 mm: 4 mm are too far.
START_TEST(how_near_a_dock_closes_comes_from_its_connectors) {
    const char *call = "series(reach(29.2deg), connect grip timeout 1s)";
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run_file(engine, "pick.som", call, 10, false);
        ck_assert_double_eq(som_dock_reach(r.design, &r.design->docks[0]), 0.003);
        ck_assert_double_eq(som_dock_reach_angle(r.design, &r.design->docks[0]),
                            SOM_DOCK_REACH_ANGLE);
        ck_assert_str_eq(test_run_outcome(&r), "timeout");
        ck_assert_int_eq(count_events(&r, SOM_EVENT_DOCK_CLOSED), 0);
        test_run_free(&r);
    }
}
END_TEST

// Nothing moves where all that has no behavior is bolted down.
START_TEST(a_bolted_arm_stands) {
    static const char text[] = "use \"smores.m3l\"\n"
                               "config Bolted {\n"
                               "    part a, b : SMORES\n"
                               "    connect a.T to b.B\n"
                               "    base a at (0m, 0m, 0.4m) fixed\n"
                               "    behavior wait1 = wait 0.2s\n"
                               "}\n";
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run(engine, text, "Bolted", "wait1", 1);
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        ck_assert_double_eq_tol(module_pose(&r, "a").position.z, 0.4, 1e-9);
        test_run_free(&r);
    }
}
END_TEST

// Where all pieces are is in the samples of the trace, and in what is recorded of it.
START_TEST(the_trace_has_all_pieces) {
    FOR_EACH_ENGINE(engine) {
        TestRun r = test_run_file(engine, "pick.som", "pick", 10, false);
        int last = r.result->times.count - 1, box = r.mechanism->pieces[1].root;
        SomPose *links = som_alloc(sizeof *links * (size_t)r.mechanism->link_count);
        ck_assert_int_eq(r.result->others.count, last + 1);
        som_simulation_place_sample(r.simulation, last, links);
        ck_assert_double_lt(som_pose_distance(links[box], r.result->others.data[last]), 1e-12);
        ck_assert_double_gt(r.result->others.data[last].position.z,
                            r.result->others.data[0].position.z + 0.13);
        SomText csv = {0};
        som_recording_print(r.result, r.graph, &csv);
        ck_assert_ptr_nonnull(strstr(csv.data, ",piece2_x,piece2_y,piece2_z,piece2_qx,piece2_qy,"
                                               "piece2_qz,piece2_qw\n"));
        som_text_free(&csv);
        som_free(links);
        test_run_free(&r);
    }
}
END_TEST

START_TEST(two_walkers_meet_and_dock_into_one) {
    FOR_EACH_WORLD(engine, exported) {
        TestRun r = test_run_file(engine, "meet.som", "meet", 20, exported);
        ck_assert_str_eq(test_run_outcome(&r), "completed");
        ck_assert_int_eq(count_events(&r, SOM_EVENT_DOCK_CLOSED), 1);
        test_run_free(&r);
    }
}
END_TEST

SOM_SUITE("simulate/joined_pieces", an_arm_on_a_fixed_base_picks_up_a_box,
          a_box_is_put_down_and_left_behind, a_box_that_is_dropped_has_fallen,
          how_near_a_dock_closes_comes_from_its_connectors, a_bolted_arm_stands,
          the_trace_has_all_pieces, two_walkers_meet_and_dock_into_one)
