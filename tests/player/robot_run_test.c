// SPDX-License-Identifier: Apache-2.0
// Tests for player/robot_run.c, state_text.c, trace_text.c and request.c: a behavior on a robot
// whose joints do as they are told.

#include "player/request.h"
#include "player/robot_run.h"
#include "player/state_text.h"
#include "player/trace_text.h"
#include "tests/player/played.h"

typedef struct Bench {
    Played played; // its graph and senses
    SomRobotDof dofs[2];
    SomRobotWeld welds[2];
    SomRobotRun *run;
    void *memory;
    double gaps[2];
} Bench;

static void begin(Bench *b, const char *tree) {
    memset(b, 0, sizeof *b);
    played_init(&b->played, tree);
    for (int i = 0; i < 2; i++) {
        b->dofs[i] = (SomRobotDof){
            .name = i == 0 ? "a" : "b", .joint = "j", .drive = {.servo = {.most_speed = 2}}};
        b->welds[i] = (SomRobotWeld){.name = "w",
                                     .dock = i == 0 ? "k" : "l",
                                     .parent = "p",
                                     .child = "c",
                                     .model = {.closing = 0.25, .opening = 0.25, .reach = 0.005},
                                     .index = i,
                                     .state = i == 0 ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN};
        b->gaps[i] = NAN;
    }
    SomRobotRunDef def = {&b->played.graph, b->dofs, b->welds, 2};
    size_t size = som_robot_run_size(&def);
    b->memory = malloc(size);
    SomGraphFault fault;
    ck_assert_ptr_null(som_robot_run_init(b->memory, size - 1, &def, &fault));
    ck_assert_int_eq(fault.kind, SOM_GRAPH_FAULT_MEMORY);
    b->run = som_robot_run_init(b->memory, size, &def, &fault);
    ck_assert_ptr_nonnull(b->run);
}

static void end(Bench *b) {
    played_free(&b->played);
    free(b->memory);
}

static SomPlayerStatus step(Bench *b, double dt) {
    SomPlayerStatus status = som_robot_run_play(b->run, &b->played.senses, dt);
    som_robot_run_drive(b->run, &b->played.senses, b->gaps, dt);
    for (int i = 0; i < 2; i++) {
        b->played.speeds[i] = som_robot_run_speeds(b->run)[i];
        b->played.positions[i] += b->played.speeds[i] * dt;
    }
    return status;
}

static const char *state_of(const Bench *b, char *text, size_t size) {
    SomStateText state = {.robot = b->run, .behavior = "go"};
    size_t length = som_state_text_write(&state, text, size);
    ck_assert_uint_eq(som_state_text_write(&state, NULL, 0), length);
    return text;
}

START_TEST(joints_go_where_the_behavior_says_and_its_state_tells) {
    Bench b;
    char text[1000];
    begin(&b, "series path \"go\" position 0 1 wait during 0.1 velocity 1 -1 timeout 0.1 end");
    ck_assert_str_eq(state_of(&b, text, sizeof text),
                     "somite-state 1\nbehavior \"go\"\ntime 0\nstatus ready\noutcome running\n");
    step(&b, 0.001);
    ck_assert_str_eq(state_of(&b, text, sizeof text),
                     "somite-state 1\nbehavior \"go\"\ntime 0\nstatus running\noutcome running\n"
                     "active 1 since 0 position \"a\" of \"\"\n");
    bool has_arrived = false;
    while (step(&b, 0.001) == SOM_PLAYER_RUNNING) {
        state_of(&b, text, sizeof text);
        has_arrived |= strstr(text, "ended 1 at 0.49") != NULL &&
                       strstr(text, " done position \"a\" of \"\"\n") != NULL &&
                       strstr(text, "active 2 since 0.49") != NULL;
    }
    ck_assert(has_arrived);
    ck_assert_double_eq_tol(b.played.positions[0], 1, 0.03);
    ck_assert_double_eq_tol(b.played.positions[1], -0.1, 0.03);
    ck_assert(som_robot_run_had_timeout(b.run));
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "timeout");
    ck_assert_ptr_nonnull(
        strstr(state_of(&b, text, sizeof text), "status completed\noutcome timeout"));
    ck_assert_ptr_nonnull(strstr(text, " timeout velocity \"b\""));
    som_robot_run_restart(b.run);
    ck_assert(!som_robot_run_had_timeout(b.run)); // it is of the run before
    char cut[20];                                 // what does not fit is left out
    state_of(&b, cut, sizeof cut);
    ck_assert_str_eq(cut, "somite-state 1\nbeha");
    end(&b);
}
END_TEST

START_TEST(a_pause_holds_and_a_start_begins_again) {
    Bench b;
    begin(&b, "position 0 1");
    for (int i = 0; i < 200; i++) {
        step(&b, 0.001);
    }
    double before = b.played.positions[0];
    som_robot_run_pause(b.run, &b.played.senses);
    for (int i = 0; i < 500; i++) {
        ck_assert_int_eq(step(&b, 0.001), SOM_PLAYER_PAUSED);
    }
    ck_assert_double_eq_tol(b.played.positions[0], before, 0.01);
    som_robot_run_resume(b.run);
    while (step(&b, 0.001) == SOM_PLAYER_RUNNING) {
    }
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "completed");
    ck_assert_int_eq(step(&b, 0.001), SOM_PLAYER_COMPLETED); // and stays so
    b.played.positions[0] = 0.2;                             // something moved it
    som_robot_run_restart(b.run);
    som_robot_run_place(b.run, b.played.positions);
    ck_assert_int_eq(step(&b, 0.001), SOM_PLAYER_RUNNING);
    som_robot_run_cancel(b.run, &b.played.senses);
    ck_assert_int_eq(step(&b, 0.001), SOM_PLAYER_CANCELLED);
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "cancelled");
    end(&b);
}
END_TEST

START_TEST(docks_hold_until_they_are_open_and_when_they_are_closed) {
    Bench b;
    begin(&b, "series disconnect 0 connect 1 end");
    ck_assert(som_robot_run_holds(b.run)[0] && !som_robot_run_holds(b.run)[1]);
    step(&b, 0.1);
    step(&b, 0.1);
    ck_assert_int_eq(som_robot_run_docks(b.run)[0], SOM_DOCK_MOVING);
    ck_assert(som_robot_run_holds(b.run)[0]);
    for (int i = 0; i < 5; i++) {
        step(&b, 0.1);
    }
    ck_assert(!som_robot_run_holds(b.run)[0] && !som_robot_run_holds(b.run)[1]); // no partner
    b.gaps[1] = 0.004;
    step(&b, 0.1);
    ck_assert_int_eq(som_robot_run_docks(b.run)[1], SOM_DOCK_MOVING);
    ck_assert(!som_robot_run_holds(b.run)[1]);
    for (int i = 0; i < 4; i++) {
        step(&b, 0.1);
    }
    ck_assert(som_robot_run_holds(b.run)[1]);
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "completed");
    end(&b);
}
END_TEST

START_TEST(a_dock_that_is_torn_off_is_sensed_as_open_and_never_holds_again) {
    Bench b;
    begin(&b, "series wait until ( docked 0 not ) timeout 5 connect 0 timeout 1 end");
    step(&b, 0.1);
    ck_assert_int_eq(som_robot_run_docks(b.run)[0], SOM_DOCK_CLOSED);
    som_robot_run_tear(b.run, 0);
    b.gaps[0] = 0; // its partner is where it was
    double time = 0;
    while (step(&b, 0.1) == SOM_PLAYER_RUNNING) {
        time += 0.1;
        ck_assert_int_eq(som_robot_run_docks(b.run)[0], SOM_DOCK_OPEN);
        ck_assert(!som_robot_run_holds(b.run)[0]);
    }
    ck_assert_double_eq_tol(time, 1, 0.11); // nothing but the second that it tries to connect
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "timeout");
    som_robot_run_restart(b.run);
    step(&b, 0.1);
    ck_assert(!som_robot_run_holds(b.run)[0]);
    end(&b);
}
END_TEST

START_TEST(gaps_are_of_the_faces) {
    double zero[3] = {0}, aside[3] = {0.1, 0, 0.003}, q[4] = {0, 0, 0, 1};
    SomRobotWeld weld = {.place = {.position = {0.1, 0, 0}}};
    weld.place.rotation[0][0] = weld.place.rotation[1][1] = weld.place.rotation[2][2] = 1;
    SomBodyPlace parent = som_body_place(zero, q), child = som_body_place(aside, q);
    ck_assert_double_eq_tol(som_weld_gap(&weld, &parent, &child), 0.003, 1e-12);
    double little[4] = {0.049, 0, 0, 1}, much[4] = {0, 0.0502, 0, 1};
    child = som_body_place(aside, little);
    ck_assert(isfinite(som_weld_gap(&weld, &parent, &child)));
    child = som_body_place(aside, much);
    ck_assert(isnan(som_weld_gap(&weld, &parent, &child)));
}
END_TEST

START_TEST(a_dock_without_links_stays_as_it_is) {
    Bench b;
    begin(&b, "disconnect 0 timeout 1");
    b.welds[0].parent = b.welds[0].child = NULL;
    while (step(&b, 0.1) != SOM_PLAYER_COMPLETED) {
        ck_assert_int_eq(som_robot_run_docks(b.run)[0], SOM_DOCK_CLOSED);
        ck_assert(som_robot_run_holds(b.run)[0]);
    }
    ck_assert_str_eq(som_outcome_word(som_robot_run_outcome(b.run)), "timeout");
    end(&b);
}
END_TEST

START_TEST(a_state_counts_what_it_has_no_room_for) {
    Bench b;
    char tree[4000] = "parallel ";
    char *text = malloc(100000);
    for (int i = 0; i < SOM_STATE_MOST + 20; i++) {
        strcat(tree, "wait during 0.01 ");
    }
    begin(&b, strcat(tree, "end"));
    step(&b, 0.01);
    ck_assert_ptr_nonnull(strstr(state_of(&b, text, 100000), "\nmore 20\n"));
    ck_assert_ptr_null(strstr(text, "ended"));
    ck_assert_int_eq(step(&b, 0.01), SOM_PLAYER_COMPLETED);
    ck_assert_ptr_nonnull(strstr(state_of(&b, text, 100000), "\nmore 20\n"));
    ck_assert_ptr_null(strstr(text, "active"));
    free(text);
    end(&b);
}
END_TEST

// However long it was blocked: what it adds up is no more than what it can give.
START_TEST(a_motor_that_is_let_go_does_not_run_away) {
    Bench b;
    begin(&b, "position 0 1 until ( tilt number 1 > ) timeout 90");
    b.dofs[0].drive.servo.most_speed = 0;
    b.dofs[0].effort = 3;
    b.dofs[0].gains[0] = 50;
    b.dofs[0].gains[1] = 20;
    for (int i = 0; i < 60000; i++) { // blocked for a minute
        som_robot_run_play(b.run, &b.played.senses, 0.001);
        som_robot_run_drive(b.run, &b.played.senses, NULL, 0.001);
    }
    ck_assert_double_eq(som_robot_run_efforts(b.run)[0], 3);
    b.played.positions[0] = 1.1; // 50 * -0.1, and 3 at most of the sum
    som_robot_run_drive(b.run, &b.played.senses, NULL, 0.001);
    ck_assert_double_le(som_robot_run_efforts(b.run)[0], -1.9);
    end(&b);
}
END_TEST

START_TEST(motors_without_a_speed_get_efforts_within_their_limit) {
    Bench b;
    begin(&b, "position 0 1 until ( tilt number 1 > ) timeout 9");
    ck_assert(som_graph_senses(&b.played.graph, SOM_INSTRUCTION_TILT));
    ck_assert(!som_graph_senses(&b.played.graph, SOM_INSTRUCTION_HEIGHT));
    b.dofs[0].drive.servo.most_speed = 0;
    b.dofs[0].effort = 3;
    b.dofs[0].gains[0] = 50;
    b.dofs[0].gains[1] = 20;
    b.dofs[0].gains[2] = 5;
    double position = 0, speed = 0, most = 0;
    for (int i = 0; i < 8000; i++) { // 0.2 kg m2, and a load of 1 N m
        b.played.positions[0] = position;
        b.played.speeds[0] = speed;
        som_robot_run_play(b.run, &b.played.senses, 0.001);
        som_robot_run_drive(b.run, &b.played.senses, NULL, 0.001);
        double effort = som_robot_run_efforts(b.run)[0];
        most = fmax(most, fabs(effort));
        speed += (effort - 1) / 0.2 * 0.001;
        position += speed * 0.001;
    }
    ck_assert(isnan(som_robot_run_efforts(b.run)[1]));
    ck_assert_double_le(most, 3);
    ck_assert_double_eq_tol(position, 1, 0.03);
    b.played.positions[0] = NAN;
    som_robot_run_drive(b.run, &b.played.senses, NULL, 0.001);
    ck_assert_double_eq(som_robot_run_efforts(b.run)[0], 0);
    end(&b);
}
END_TEST

START_TEST(a_trace_has_a_name_over_every_number) {
    Bench b;
    char buffer[400];
    SomPlayerText text = {buffer, sizeof buffer, 0};
    begin(&b, "wait during 1");
    SomBodySenses body = {.center = {0.5, 0, 0.25}, .base = som_body_place_identity()};
    b.played.positions[1] = -0.125;
    ck_assert(!som_graph_senses(&b.played.graph, SOM_INSTRUCTION_TILT));
    som_trace_text_header(&b.played.graph, 0, &text);
    SomTraceRow row = {.time = 0.01,
                       .body = &body,
                       .contacts = 3,
                       .positions = b.played.positions,
                       .efforts = b.played.efforts,
                       .dof_count = 2};
    som_trace_text_row(&row, &text);
    som_player_text_end(&text);
    ck_assert_str_eq(buffer,
                     "t,x,y,z,qx,qy,qz,qw,com_x,com_y,com_z,contacts,a,b,effort a,effort b\n"
                     "0.01,0,0,0,0,0,0,1,0.5,0,0.25,3,0,-0.125,0,0\n");
    end(&b);
}
END_TEST

START_TEST(names_with_commas_are_quoted_in_a_trace) {
    const char names[] = "x,\"y\"";
    const uint32_t at[] = {0};
    SomActionGraph graph = {.text = names, .text_length = (int32_t)sizeof names};
    graph.names[SOM_SYMBOL_DOF] = at;
    graph.symbol_count[SOM_SYMBOL_DOF] = 1;
    char buffer[200];
    SomPlayerText text = {buffer, sizeof buffer, 0};
    som_trace_text_header(&graph, 0, &text);
    som_player_text_end(&text);
    ck_assert_str_eq(strstr(buffer, ",contacts") + 9, ",\"x,\"\"y\"\"\",\"effort x,\"\"y\"\"\"\n");
}
END_TEST

START_TEST(columns_have_the_names_other_programs_read) {
    static const char *const names[][2] = {
        {"head.bend", "head.bend"},
        {"s[1].head.bend", "s[1].head.bend"},
        {"\"left-front\".bend", "left-front.bend"},
        {"\"left-front\"[2].\"up/down\"", "left-front[2].up/down"},
        {"\"left front\".bend", "\"left front.bend\""},
        {"\"a;b\".bend", "\"a;b.bend\""},
        // these would be taken for two parts, two columns, one of many, or not be what they were
        {"\"a.b\".bend", "\"\"\"a.b\"\".bend\""},
        {"\"a,b\".\"c-d\"", "\"\"\"a,b\"\".c-d\""},
        {"\"a[1]\"", "\"\"\"a[1]\"\"\""},
        {"\"a \\\"b\\\" c\".\"d-e\"", "\"\"\"a \\\"\"b\\\"\" c\"\".d-e\""},
        {"\" a\".b", "\"\"\" a\"\".b\""},
        {"\"\".b", "\"\"\"\"\".b\""},
        {"\"open", "\"\"\"open\""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char buffer[100];
        SomPlayerText text = {buffer, sizeof buffer, 0};
        som_trace_text_column(names[i][0], &text);
        som_player_text_end(&text);
        ck_assert_str_eq(buffer, names[i][1]);
    }
}
END_TEST

static const char *request(const char *text) {
    static char said[60];
    SomRequest read;
    if (!som_request_read(text, strlen(text), &read)) {
        return "none";
    }
    snprintf(said, sizeof said, "%d %.*s", (int)read.kind, (int)read.name_length, read.name);
    return said;
}

START_TEST(requests_are_words) {
    ck_assert_str_eq(request("pause"), "0 ");
    ck_assert_str_eq(request(" resume\n"), "1 ");
    ck_assert_str_eq(request("cancel"), "2 ");
    ck_assert_str_eq(request("start"), "3 ");
    ck_assert_str_eq(request("start  turn(90deg, 2) \n"), "3 turn(90deg, 2)");
    const char *const none[] = {"", " ", "paus", "pauses", "pause now", "Start", "resume 1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ck_assert_str_eq(request(none[i]), "none");
    }
}
END_TEST

SOM_SUITE("player/robot_run", joints_go_where_the_behavior_says_and_its_state_tells,
          a_pause_holds_and_a_start_begins_again,
          docks_hold_until_they_are_open_and_when_they_are_closed,
          a_dock_that_is_torn_off_is_sensed_as_open_and_never_holds_again, gaps_are_of_the_faces,
          a_dock_without_links_stays_as_it_is, a_state_counts_what_it_has_no_room_for,
          a_motor_that_is_let_go_does_not_run_away,
          motors_without_a_speed_get_efforts_within_their_limit,
          a_trace_has_a_name_over_every_number, names_with_commas_are_quoted_in_a_trace,
          columns_have_the_names_other_programs_read, requests_are_words)
