// SPDX-License-Identifier: Apache-2.0
// Tests for player/dock_driver.c.

#include "player/dock_driver.h"
#include "tests/suite.h"

static const SomDockModel model = {.closing = 0.3, .opening = 0.2, .reach = 0.004};

// The states after each step of 0.1 s, as o, m, c.
static const char *states(SomDockDriver *dock, SomDockCommand command, double gap, int count) {
    static char text[32];
    for (int i = 0; i < count; i++) {
        som_dock_driver_step(&model, dock, command, gap, 0.1);
        text[i] = "ocm"[dock->state];
    }
    text[count] = '\0';
    return text;
}

START_TEST(a_dock_closes_and_opens_in_its_time) {
    SomDockDriver dock = {0};
    ck_assert_str_eq(states(&dock, SOM_DOCK_LEAVE, 0, 2), "oo");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0.003, 4), "mmcc");
    ck_assert_str_eq(states(&dock, SOM_DOCK_LEAVE, 0.003, 1), "c");
    ck_assert_str_eq(states(&dock, SOM_DOCK_DISCONNECT, 0.003, 3), "moo");
}
END_TEST

START_TEST(a_partner_out_of_reach_is_not_connected) {
    SomDockDriver dock = {0};
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0.005, 3), "ooo");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, (double)NAN, 1), "o");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0.004, 2), "mm");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0.1, 1), "o"); // it left
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0, 3), "mmc");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0.1, 1), "c"); // too late to leave
}
END_TEST

START_TEST(a_dock_that_is_left_goes_back) {
    SomDockDriver dock = {0};
    states(&dock, SOM_DOCK_CONNECT, 0, 2);
    ck_assert_str_eq(states(&dock, SOM_DOCK_LEAVE, 0, 1), "o");
    states(&dock, SOM_DOCK_CONNECT, 0, 3);
    ck_assert_str_eq(states(&dock, SOM_DOCK_DISCONNECT, 0, 1), "m");
    ck_assert_str_eq(states(&dock, SOM_DOCK_LEAVE, 0, 1), "c");
    ck_assert_str_eq(states(&dock, SOM_DOCK_DISCONNECT, 0, 1), "m");
    ck_assert_str_eq(states(&dock, SOM_DOCK_CONNECT, 0, 3), "mmc"); // turned round
}
END_TEST

START_TEST(a_zero_model_acts_at_once) {
    SomDockModel zero = {0};
    SomDockDriver dock = {0};
    som_dock_driver_step(&zero, &dock, SOM_DOCK_CONNECT, 0, 0.1);
    ck_assert_int_eq(dock.state, SOM_DOCK_CLOSED);
    som_dock_driver_step(&zero, &dock, SOM_DOCK_DISCONNECT, 0, 0.1);
    ck_assert_int_eq(dock.state, SOM_DOCK_OPEN);
}
END_TEST

SOM_SUITE("player/dock_driver", a_dock_closes_and_opens_in_its_time,
          a_partner_out_of_reach_is_not_connected, a_dock_that_is_left_goes_back,
          a_zero_model_acts_at_once)
