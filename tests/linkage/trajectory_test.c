// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/trajectory.c.

#include "base/codes/linkage_codes.h"
#include "linkage/trajectory.h"
#include "tests/linkage/support.h"

#include <math.h>

START_TEST(values_go_straight_between_waypoints_and_stay_outside) {
    const SomWaypoint points[] = {{1, 10}, {2, 20}, {4, 0}};
    SomTrack track = {.waypoints = points, .count = 3};
    ck_assert_double_eq(som_track_value(&track, 0), 10);
    ck_assert_double_eq(som_track_value(&track, 1.5), 15);
    ck_assert_double_eq(som_track_value(&track, 2), 20);
    ck_assert_double_eq(som_track_value(&track, 3), 10);
    ck_assert_double_eq(som_track_value(&track, 9), 0);
}
END_TEST

START_TEST(a_four_bar_follows_its_crank_and_its_coupler) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    const SomWaypoint points[] = {{0, 1.0}, {0.5, 1.9}, {1.5, 1.2}};
    SomTrack track = {som_linkage_find_joint(l, SOM_STR("j1")), SOM_DOF_RZ, points, 3};
    SomTracking tracking = {0};
    SomTrajectoryDef def = {.tracks = &track, .track_count = 1, .tick = 0.02};
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    ck_assert_int_eq(tracking.samples.count, 76);
    ck_assert_double_eq(tracking.samples.data[75].time, 1.5);
    ck_assert_double_le(tracking.worst.radians, 1e-9);
    ck_assert_double_le(tracking.worst.open, 1e-9);
    double y[6];
    som_linkage_coordinates(l, track.joint, y);
    ck_assert_double_eq_tol(y[SOM_DOF_RZ], 1.2, 1e-9);

    // the pose of a link, through its root joint
    SomLinkId coupler = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("coupler"));
    track.joint = som_linkage_get_link(l, coupler).root_joint;
    som_linkage_coordinates(l, track.joint, y);
    const SomWaypoint up[] = {{0, y[SOM_DOF_TY]}, {1, 0.8}};
    track.dof = SOM_DOF_TY;
    track.waypoints = up;
    track.count = 2;
    som_tracking_free(&tracking);
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    ck_assert_double_le(tracking.worst.metres, 1e-9);
    ck_assert_double_eq_tol(som_linkage_pose(l, coupler).position.y, 0.8, 1e-9);
    int reports;
    som_diagnostics_get(diags, &reports);
    ck_assert_int_eq(reports, 0);
    som_tracking_free(&tracking);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_cannot_be_followed_is_recorded_and_told) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId crank = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("coupler"));
    const SomWaypoint points[] = {{0, 0.5}, {1, 1.5}, {2, 0.5}}; // the crank's tip comes to 1
    SomTrack track = {som_linkage_get_link(l, crank).root_joint, SOM_DOF_TY, points, 3};
    SomTracking tracking = {0};
    SomTrajectoryDef def = {.tracks = &track, .track_count = 1, .tick = 0.1};
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    ck_assert_double_eq_tol(tracking.worst.metres, 0.5, 0.02);
    ck_assert_double_eq(tracking.worst.time, 1);
    ck_assert(som_diagnostics_has(diags, SOM_TRAJECTORY_OFF));
    som_tracking_free(&tracking);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(open_closures_are_told_and_old_records_dropped) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId a = test_link(l, (SomSublinkageId){0}, "a"),
              b = test_link(l, (SomSublinkageId){0}, "b");
    SomPose none = som_pose_identity();
    const SomWaypoint points[] = {{0, 0}, {1, 6.5}};
    SomTrack track = {som_linkage_get_link(l, b).root_joint, SOM_DOF_RZ, points, 2};
    SomTracking tracking = {0};
    SomTrajectoryDef def = {.tracks = &track, .track_count = 1, .tick = 0.1};
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    ck_assert_double_le(tracking.worst.radians, 1e-9);
    ck_assert(!som_diagnostics_has(diags, SOM_TRAJECTORY_OFF));
    test_tree_joint(l, "slide", SOM_JOINT_PRISMATIC, som_linkage_top_ground(l), a, none, none,
                    SOM_DOF_TZ, 0);
    test_closure(l, "weld", SOM_JOINT_FIXED, som_linkage_top_ground(l), a, test_move(0.5, 0, 0),
                 none);
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    ck_assert_int_eq(tracking.samples.count, 11);
    ck_assert_double_eq_tol(tracking.worst.open, 0.5, 1e-9);
    ck_assert(som_diagnostics_has(diags, SOM_TRAJECTORY_OFF));
    som_tracking_free(&tracking);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(goals_hold_beside_the_tracks) {
    SomLinkId tip;
    SomLinkage *l = test_arm(4, &tip);
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointId handle = som_linkage_get_link(l, tip).root_joint;
    double y[6];
    som_linkage_coordinates(l, handle, y);
    const SomWaypoint points[] = {{0, y[SOM_DOF_TY]}, {1, 2.5}};
    SomTrack track = {handle, SOM_DOF_TY, points, 2};
    SomGoal goals[] = {{SOM_LEVEL_LOCK, handle, SOM_DOF_RZ, y[SOM_DOF_RZ]},
                       {SOM_LEVEL_LOCK, test_joint(l, "q2"), SOM_DOF_RZ, 0}};
    SomJointId locked = test_joint(l, "q1");
    SomTrajectoryDef def = {.tracks = &track,
                            .track_count = 1,
                            .goals = goals,
                            .goal_count = 2,
                            .locked = &locked,
                            .locked_count = 1};
    SomTracking tracking = {0};
    ck_assert(som_trajectory_follow(l, &def, &tracking, diags));
    double now[6];
    som_linkage_coordinates(l, handle, now);
    ck_assert_double_eq_tol(now[SOM_DOF_RZ], y[SOM_DOF_RZ], 1e-7);
    ck_assert_double_eq(test_value(l, "q1", SOM_DOF_RZ), 0.2);
    ck_assert_double_eq(test_value(l, "q2", SOM_DOF_RZ), 0.2);
    ck_assert_double_gt(now[SOM_DOF_TY], y[SOM_DOF_TY]);
    som_tracking_free(&tracking);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(bad_waypoints_are_refused_and_nothing_moves) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    uint64_t hash = som_linkage_hash(l);
    SomJointId joint = som_linkage_find_joint(l, SOM_STR("j1"));
    const SomWaypoint back[] = {{1, 0}, {1, 1}}, long_one[] = {{0, 0}, {1e9, 1}};
    const SomWaypoint endless[] = {{0, HUGE_VAL}};
    const SomTrack tracks[] = {{joint, SOM_DOF_RZ, back, 2},
                               {joint, SOM_DOF_RZ, long_one, 2},
                               {joint, SOM_DOF_RZ, endless, 1},
                               {joint, SOM_DOF_RZ, back, 0},
                               {joint, SOM_DOF_TX, back, 1}};
    for (int i = 0; i < 5; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomTracking tracking = {0};
        SomTrajectoryDef def = {.tracks = &tracks[i], .track_count = 1};
        ck_assert(!som_trajectory_follow(l, &def, &tracking, diags));
        ck_assert(som_diagnostics_has(diags, i == 4 ? SOM_TRAJECTORY_DOF : SOM_TRAJECTORY_TIMES));
        som_diagnostics_destroy(diags);
    }
    ck_assert(som_linkage_hash(l) == hash);
    som_linkage_destroy(l);
}
END_TEST

SOM_SUITE("linkage/trajectory", goals_hold_beside_the_tracks,
          open_closures_are_told_and_old_records_dropped,
          values_go_straight_between_waypoints_and_stay_outside,
          a_four_bar_follows_its_crank_and_its_coupler,
          what_cannot_be_followed_is_recorded_and_told, bad_waypoints_are_refused_and_nothing_moves)
