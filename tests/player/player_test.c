// SPDX-License-Identifier: Apache-2.0
// Tests for player/player.c and what belongs to it: each sentence of docs/semantics.md once, by
// hand. Nodes are counted from the root, 0.

#include "tests/player/played.h"

#include <float.h>

#define EVENTS(words) ck_assert_str_eq(played_events(&p), (words))
#define POINT(dof, k, v)                                                                           \
    do {                                                                                           \
        SomSetPoint point_ = som_player_set_points(p.player)[dof];                                 \
        ck_assert_int_eq(point_.kind, (k));                                                        \
        ck_assert_double_eq_tol(point_.value, (v), 1e-15);                                         \
    } while (0)

START_TEST(an_action_is_commanded_at_least_one_tick) {
    Played p;
    played_init(&p, "position 0 1 within 0.1");
    p.positions[0] = 1; // it is there already
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_RUNNING);
    EVENTS("+0");
    POINT(0, SOM_SET_POSITION, 1);
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED);
    EVENTS("-0done");
    SomPlayerRun run = som_player_run(p.player, 0);
    ck_assert_double_eq(run.start, 0);
    ck_assert_double_eq_tol(run.end, 0.1, 1e-15);
    played_free(&p);
}
END_TEST

START_TEST(series_starts_the_next_in_the_same_tick) {
    Played p;
    played_init(&p, "series position 0 1 position 1 2 end");
    played_step(&p);
    POINT(1, SOM_SET_NOTHING, 0);
    p.positions[0] = 1;
    played_step(&p);
    EVENTS("-1done +2");
    POINT(0, SOM_SET_POSITION, 1); // latched
    POINT(1, SOM_SET_POSITION, 2);
    played_free(&p);
}
END_TEST

START_TEST(parallel_ends_with_its_last_branch) {
    Played p;
    played_init(&p, "series parallel wait during 0.1 wait during 0.3 end wait during 1 end");
    played_step(&p);
    EVENTS("+2 +3");
    played_step(&p);
    EVENTS("-2duration");
    played_step(&p);
    EVENTS("");
    played_step(&p);
    EVENTS("-3duration +4");
    played_free(&p);
}
END_TEST

START_TEST(any_ends_with_its_first_branch_and_cancels_the_others) {
    Played p;
    played_init(&p, "series any velocity 0 3 wait during 0.1 position 1 5 end wait during 1 end");
    played_step(&p);
    POINT(0, SOM_SET_VELOCITY, 3);
    p.positions[1] = 2;
    played_step(&p);
    EVENTS("-3duration -2cancelled -4cancelled +5");
    POINT(0, SOM_SET_VELOCITY, 0);
    POINT(1, SOM_SET_POSITION, 2); // held where it is
    played_free(&p);
}
END_TEST

START_TEST(a_branch_of_any_that_ends_in_the_same_tick_keeps_its_reason) {
    Played p;
    played_init(&p, "any series wait during 0.1 wait end wait timeout 0.1 wait end");
    played_steps(&p, 2);
    // the first branch goes on, the second ends it all
    EVENTS("-2duration -4timeout +3 -5cancelled -3cancelled");
    ck_assert_int_eq(som_player_status(p.player), SOM_PLAYER_COMPLETED);
    played_free(&p);
}
END_TEST

START_TEST(empty_nodes_end_at_once) {
    const char *const trees[] = {"series end",
                                 "parallel end",
                                 "any end",
                                 "choose end",
                                 "repeat 0 wait end",
                                 "series series end parallel end any end end",
                                 "choose wait when ( number 0 ) end"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        Played p;
        played_init(&p, trees[i]);
        ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED);
        EVENTS("");
        played_free(&p);
    }
}
END_TEST

START_TEST(repeat_counts_passes) {
    Played p;
    played_init(&p, "series repeat 3 wait during 0.1 end wait during 1 end");
    played_step(&p);
    EVENTS("+2");
    played_step(&p);
    EVENTS("-2duration +2");
    played_step(&p);
    EVENTS("-2duration +2");
    ck_assert_int_eq(som_player_run(p.player, 1).passes, 2);
    played_step(&p);
    EVENTS("-2duration +3");
    ck_assert_int_eq(som_player_run(p.player, 1).passes, 3);
    played_free(&p);
}
END_TEST

START_TEST(what_is_repeated_zero_times_is_done) {
    Played p;
    played_init(&p, "series repeat 0 wait during 1 end wait during 1 end");
    played_step(&p);
    EVENTS("+3");
    SomPlayerRun run = som_player_run(p.player, 1);
    ck_assert_int_eq(run.reason, SOM_END_DONE);
    ck_assert(run.start == 0 && run.end == 0);
    ck_assert_int_eq(run.passes, 0);
    played_free(&p);
}
END_TEST

START_TEST(repeat_until_is_tested_after_each_pass) {
    Played p;
    played_init(&p, "repeat forever until ( contact 0 ) wait during 0.2 end");
    played_steps(&p, 2);
    p.contacts[0] = 1; // in the middle of a pass
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED);
    EVENTS("-1duration");
    played_free(&p);
    played_init(&p, "repeat forever until ( elapsed number 0.35 > ) wait during 0.2 end");
    ck_assert_int_eq(played_steps(&p, 4), SOM_PLAYER_RUNNING);
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED); // at 0.4
    played_free(&p);
}
END_TEST

START_TEST(choose_takes_the_first_branch_whose_guard_holds) {
    const char *tree = "choose position 0 1 when ( input 0 number 1 > ) "
                       "position 0 2 when ( input 0 number 0 > ) position 0 3 end";
    for (int x = 0; x <= 2; x++) {
        Played p;
        played_init(&p, tree);
        p.inputs[0] = x;
        played_step(&p);
        POINT(0, SOM_SET_POSITION, 3 - x);
        p.inputs[0] = 0; // it stays with it
        played_step(&p);
        POINT(0, SOM_SET_POSITION, 3 - x);
        played_free(&p);
    }
}
END_TEST

START_TEST(hold_latches_and_ends_at_once) {
    Played p;
    played_init(&p, "series velocity 0 2 during 0.1 hold 0 wait during 0.1 relative 0 1 end");
    played_step(&p);
    p.positions[0] = 0.7;
    played_step(&p);
    EVENTS("-1duration +2 -2done +3");
    POINT(0, SOM_SET_POSITION, 0.7);
    p.positions[0] = 0.6; // sags
    played_step(&p);
    POINT(0, SOM_SET_POSITION, 1.7); // relative to what was commanded
    played_free(&p);
}
END_TEST

START_TEST(a_finished_velocity_is_zero_unless_the_dof_goes_on) {
    Played p;
    played_init(&p, "series velocity 0 2 during 0.1 velocity 0 -1 during 0.1 wait during 1 end");
    played_steps(&p, 2);
    POINT(0, SOM_SET_VELOCITY, -1);
    played_step(&p);
    POINT(0, SOM_SET_VELOCITY, 0);
    played_free(&p);
}
END_TEST

START_TEST(relative_counts_from_the_last_command) {
    Played p;
    played_init(&p, "series relative 0 1 timeout 0.1 relative 0 1 timeout 0.1 end");
    p.positions[0] = 5; // nothing was commanded yet: from where it is
    played_step(&p);
    POINT(0, SOM_SET_POSITION, 6);
    p.positions[0] = 5.2;
    played_step(&p);
    EVENTS("-1timeout +2");
    POINT(0, SOM_SET_POSITION, 7);
    played_free(&p);
}
END_TEST

START_TEST(follow_interpolates_and_arrives) {
    Played p;
    played_init(&p, "follow 0 ( 0 1 0.2 2 0.4 0 ) within 0.1");
    played_step(&p);
    POINT(0, SOM_SET_POSITION, 1);
    played_step(&p);
    POINT(0, SOM_SET_POSITION, 1.5);
    played_steps(&p, 2);
    POINT(0, SOM_SET_POSITION, 1);
    p.positions[0] = 1;
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_RUNNING); // not there yet
    p.positions[0] = 0.05;
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED);
    POINT(0, SOM_SET_POSITION, 0);
    played_free(&p);
}
END_TEST

START_TEST(a_duration_lasts_even_when_it_has_arrived) {
    Played p;
    played_init(&p, "position 0 0 during 0.3");
    ck_assert_int_eq(played_steps(&p, 3), SOM_PLAYER_RUNNING);
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_COMPLETED);
    EVENTS("-0duration");
    played_free(&p);
}
END_TEST

START_TEST(the_condition_comes_before_duration_and_time_out) {
    Played p;
    played_init(&p, "wait until ( contact 1 ) during 0.1 timeout 0.1");
    played_step(&p);
    p.contacts[1] = 1;
    played_step(&p);
    EVENTS("-0done");
    played_free(&p);
    played_init(&p, "wait until ( contact 1 ) timeout 0.1");
    played_steps(&p, 2);
    EVENTS("-0timeout");
    played_free(&p);
}
END_TEST

START_TEST(conditions_compute) {
    static const struct {
        const char *program;
        bool holds;
    } cases[] = {
        {"position 0 number 0.5 >", true},
        {"speed 1 number -2 ==", true},
        {"effort 0 abs number 2 >=", true},
        {"contact 0 not contact 1 and", true},
        {"height number 0.2 < tilt number 0.1 > or", true},
        {"input 0 number 0 > not", true}, // unknown: no comparison holds
        {"input 0 number 0 !=", false},
        {"input 0 input 0 ==", false},
        {"docked 0", true},
        {"docked 1", false},
        {"number 7 number 2 - number 3 * number 5 / number 3 ==", true},
        {"number 1 number 2 min number 1 number 2 max + number 3 ==", true},
        {"number 2 negate number -2 ==", true},
        {"number 1 number 0 / number 5 >", true},
        {"time number 0.1 ==", true},
        {"elapsed number 0.1 ==", true},
        {"error number 0.25 ==", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Played p;
        char tree[200];
        snprintf(tree, sizeof tree, "position 0 1 until ( %s )", cases[i].program);
        played_init(&p, tree);
        p.positions[0] = 0.75;
        p.speeds[1] = -2;
        p.efforts[0] = -2.5;
        p.contacts[1] = 1;
        p.senses.height = 0.3;
        p.senses.tilt = 0.2;
        p.inputs[0] = (double)NAN;
        p.docks[0] = SOM_DOCK_CLOSED;
        p.docks[1] = SOM_DOCK_MOVING;
        played_steps(&p, 2);
        ck_assert_msg((som_player_status(p.player) == SOM_PLAYER_COMPLETED) == cases[i].holds, "%s",
                      cases[i].program);
        played_free(&p);
    }
}
END_TEST

START_TEST(docks_are_commanded_until_they_are_there) {
    Played p;
    played_init(&p, "series connect 1 disconnect 0 timeout 0.2 end");
    p.docks[0] = SOM_DOCK_CLOSED;
    played_step(&p);
    ck_assert_int_eq(som_player_dock_commands(p.player)[1], SOM_DOCK_CONNECT);
    ck_assert_int_eq(som_player_dock_commands(p.player)[0], SOM_DOCK_LEAVE);
    p.docks[1] = SOM_DOCK_MOVING;
    played_step(&p);
    EVENTS("");
    p.docks[1] = SOM_DOCK_CLOSED;
    played_step(&p);
    EVENTS("-1done +2");
    ck_assert_int_eq(som_player_dock_commands(p.player)[0], SOM_DOCK_DISCONNECT);
    played_steps(&p, 2);
    EVENTS("-2timeout");
    played_free(&p);
}
END_TEST

START_TEST(a_cancelled_dock_is_left_as_it_is) {
    Played p;
    played_init(&p, "connect 0");
    played_step(&p);
    som_player_cancel(p.player, &p.senses);
    ck_assert_int_eq(som_player_dock_commands(p.player)[0], SOM_DOCK_LEAVE);
    EVENTS("-0cancelled");
    played_free(&p);
}
END_TEST

START_TEST(a_pause_holds_and_a_resume_goes_on) {
    Played p;
    played_init(&p, "parallel position 0 5 velocity 1 2 during 0.2 end");
    played_step(&p);
    p.positions[0] = 3;
    som_player_pause(p.player, &p.senses);
    POINT(0, SOM_SET_POSITION, 3);
    POINT(1, SOM_SET_VELOCITY, 0);
    played_steps(&p, 10);
    ck_assert_double_eq(som_player_time(p.player), 0);
    som_player_resume(p.player);
    POINT(0, SOM_SET_POSITION, 5);
    POINT(1, SOM_SET_VELOCITY, 2);
    played_steps(&p, 2);
    EVENTS("-2duration");
    som_player_pause(p.player, &p.senses);
    som_player_single_step(p.player, 0.1, &p.senses);
    POINT(0, SOM_SET_POSITION, 5); // for one tick
    p.positions[0] = 4;
    ck_assert_int_eq(played_step(&p), SOM_PLAYER_PAUSED);
    POINT(0, SOM_SET_POSITION, 4);
    played_free(&p);
}
END_TEST

START_TEST(a_joint_that_has_arrived_keeps_its_set_point_when_halted) {
    Played p;
    played_init(&p, "position 0 1 within 0.1 until ( contact 0 )");
    played_step(&p);
    p.positions[0] = 0.95;
    som_player_cancel(p.player, &p.senses);
    POINT(0, SOM_SET_POSITION, 1);
    ck_assert_int_eq(som_player_status(p.player), SOM_PLAYER_CANCELLED);
    played_free(&p);
}
END_TEST

START_TEST(two_commands_for_one_dof_are_a_conflict) {
    Played p;
    played_init(&p, "parallel position 0 1 wait during 1 position 0 2 end");
    played_step(&p);
    SomPlayerConflict conflict = som_player_conflict(p.player);
    ck_assert_int_eq(conflict.resource, 0);
    ck_assert_int_eq(conflict.first, 1);
    ck_assert_int_eq(conflict.second, 3);
    POINT(0, SOM_SET_POSITION, 2); // the later one
    p.positions[0] = 1;
    played_step(&p);
    ck_assert_int_eq(som_player_conflict(p.player).resource, SOM_NONE);
    played_free(&p);
    played_init(&p, "parallel position 0 1 position 0 1 end");
    played_step(&p);
    ck_assert_int_eq(som_player_conflict(p.player).resource, SOM_NONE);
    played_free(&p);
}
END_TEST

START_TEST(a_hold_conflicts_with_what_runs_beside_it_for_one_tick) {
    static const struct {
        const char *tree;
        int first, second; // at the tick of the hold; SOM_NONE: no conflict
    } cases[] = {
        {"parallel velocity 0 1 series wait during 0.1 hold 0 wait during 9 end end", 1, 4},
        {"any series wait during 0.1 hold 0 wait during 9 end position 0 5 end", 3, 5},
        {"parallel series wait during 0.1 hold 0 end series wait during 0.1 velocity 0 2 end end",
         3, 6},
        {"series wait during 0.1 hold 0 position 0 5 end", SOM_NONE, SOM_NONE},
        {"series position 0 5 timeout 0.1 hold 0 wait during 9 end", SOM_NONE, SOM_NONE},
        {"parallel velocity 1 1 series wait during 0.1 hold 0 wait during 9 end end", SOM_NONE,
         SOM_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Played p;
        played_init(&p, cases[i].tree);
        som_player_step(p.player, 0.1, &p.senses);
        ck_assert_int_eq(som_player_conflict(p.player).resource, SOM_NONE);
        som_player_step(p.player, 0.1, &p.senses);
        SomPlayerConflict conflict = som_player_conflict(p.player);
        ck_assert_int_eq(conflict.resource, cases[i].first == SOM_NONE ? SOM_NONE : 0);
        ck_assert_int_eq(conflict.first, cases[i].first);
        ck_assert_int_eq(conflict.second, cases[i].second);
        som_player_step(p.player, 0.1, &p.senses);
        ck_assert_int_eq(som_player_conflict(p.player).resource, SOM_NONE);
        played_free(&p);
    }
}
END_TEST

START_TEST(a_million_ticks_lose_no_time) {
    Played p;
    played_init(&p, "series wait during 1000 wait during 1 end");
    for (int i = 0; i <= 1000000; i++) {
        som_player_step(p.player, 0.001, &p.senses);
    }
    ck_assert_double_eq_tol(som_player_time(p.player), 1000, 1e-12);
    EVENTS("-1duration +2");
    played_free(&p);
}
END_TEST

START_TEST(nothing_sensed_and_no_time_are_no_harm) {
    Played p;
    played_init(&p, "series position 0 1 until ( position 0 number 0 > contact 0 or docked 1 or "
                    "input 1 speed 0 effort 1 max > or height tilt < or ) timeout 0.1 hold 0 "
                    "relative 0 1 timeout 0.1 connect 1 timeout 0.1 end");
    SomSenses none = {.height = (double)NAN, .tilt = (double)NAN};
    const double odd[] = {0.1, (double)NAN, -1, (double)INFINITY, 0.1, 0.1, 0.1, 0.1};
    for (int i = 0; i < 8; i++) {
        som_player_step(p.player, odd[i], i % 2 ? &none : NULL);
    }
    ck_assert_int_eq(som_player_status(p.player), SOM_PLAYER_COMPLETED);
    POINT(0, SOM_SET_POSITION, 2);
    som_player_cancel(p.player, NULL);
    played_free(&p);
}
END_TEST

START_TEST(ticks_of_any_length_leave_set_points_finite) {
    Played p;
    played_init(&p, "parallel follow 0 ( 0 1 2 3 1000000000 4 ) "
                    "repeat forever relative 1 1 timeout 0.1 end end");
    const double ticks[] = {0.1, DBL_MAX, DBL_MAX, 1e308, 0.1, DBL_MAX, DBL_MIN, 1e9, DBL_MAX, 0.1};
    for (int i = 0; i < 1000; i++) {
        som_player_step(p.player, ticks[i % 10], &p.senses);
        ck_assert(isfinite(som_player_time(p.player)));
        ck_assert(isfinite(som_player_set_points(p.player)[0].value));
        ck_assert(isfinite(som_player_set_points(p.player)[1].value));
    }
    played_free(&p);
}
END_TEST

START_TEST(events_that_find_no_room_are_counted) {
    Played p;
    played_init(&p, "parallel wait wait wait wait end");
    size_t size = som_player_size(&p.graph, 2);
    void *memory = malloc(size);
    SomPlayer *player = som_player_init(memory, size, &p.graph, 2, NULL);
    som_player_step(player, 0.1, &p.senses);
    int32_t count, lost;
    som_player_events(player, &count, &lost);
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(lost, 2);
    free(memory);
    played_free(&p);
}
END_TEST

START_TEST(too_little_memory_is_refused) {
    Played p;
    played_init(&p, "parallel wait wait end");
    SomGraphFault fault;
    size_t size = som_player_size(&p.graph, 0);
    ck_assert_ptr_null(som_player_init(p.memory, size - 1, &p.graph, 0, &fault));
    ck_assert_int_eq(fault.kind, SOM_GRAPH_FAULT_MEMORY);
    ck_assert_ptr_null(som_player_init((char *)p.memory + 1, size, &p.graph, 0, &fault));
    ck_assert_ptr_null(som_player_init(NULL, size, &p.graph, 0, NULL));
    played_free(&p);
}
END_TEST

// Parallel in series in parallel …, with an action at every level.
static char *deep_text(int depth) {
    char *text = malloc((size_t)depth * 48 + 100);
    size_t length = 0;
    for (int i = 0; i < depth; i++) {
        length += (size_t)sprintf(text + length, i % 2 ? "series wait during 0.1 " : "parallel ");
    }
    for (int i = depth - 1; i >= 0; i--) {
        length += (size_t)sprintf(text + length, i % 2 ? "end " : "wait during 0.1 end ");
    }
    return text;
}

START_TEST(a_deep_tree_plays_without_recursion) {
    Played p;
    char *text = deep_text(4000);
    played_init(&p, text);
    free(text);
    int ticks = 1;
    while (played_step(&p) == SOM_PLAYER_RUNNING) {
        ticks++;
    }
    ck_assert_int_eq(ticks, 2001); // the start, then one for each series
    played_free(&p);
}
END_TEST

SOM_SUITE("player/player", an_action_is_commanded_at_least_one_tick,
          series_starts_the_next_in_the_same_tick, parallel_ends_with_its_last_branch,
          any_ends_with_its_first_branch_and_cancels_the_others,
          a_branch_of_any_that_ends_in_the_same_tick_keeps_its_reason, empty_nodes_end_at_once,
          repeat_counts_passes, what_is_repeated_zero_times_is_done,
          repeat_until_is_tested_after_each_pass, choose_takes_the_first_branch_whose_guard_holds,
          hold_latches_and_ends_at_once, a_finished_velocity_is_zero_unless_the_dof_goes_on,
          relative_counts_from_the_last_command, follow_interpolates_and_arrives,
          a_duration_lasts_even_when_it_has_arrived,
          the_condition_comes_before_duration_and_time_out, conditions_compute,
          docks_are_commanded_until_they_are_there, a_cancelled_dock_is_left_as_it_is,
          a_pause_holds_and_a_resume_goes_on,
          a_joint_that_has_arrived_keeps_its_set_point_when_halted,
          two_commands_for_one_dof_are_a_conflict,
          a_hold_conflicts_with_what_runs_beside_it_for_one_tick, a_million_ticks_lose_no_time,
          nothing_sensed_and_no_time_are_no_harm, ticks_of_any_length_leave_set_points_finite,
          events_that_find_no_room_are_counted, too_little_memory_is_refused,
          a_deep_tree_plays_without_recursion)
