// Tests for studio/playhead.c: time goes on, ends, begins anew, and is told.

// SPDX-License-Identifier: Apache-2.0

#include "studio/playhead.h"
#include "tests/suite.h"

#include <math.h>
#include <stddef.h>

typedef struct Told {
    SomPlayhead *head;
    unsigned changes;
    int calls;
} Told;

static void on_change(void *context, unsigned changes) {
    Told *told = context;
    told->changes |= changes;
    told->calls++;
}

static Told begin(double duration) {
    Told told = {.head = som_playhead_create()};
    som_playhead_set_duration(told.head, duration);
    return told;
}

// Of what was told since the last time.
static unsigned take(Told *told) {
    unsigned changes = told->changes;
    told->changes = 0;
    told->calls = 0;
    return changes;
}

START_TEST(time_goes_on_while_it_plays_and_ends_at_the_end) {
    Told told = begin(2);
    ck_assert(!som_playhead_advance(told.head, 1));
    ck_assert_double_eq(som_playhead_time(told.head), 0);
    som_playhead_play(told.head);
    ck_assert(som_playhead_advance(told.head, 0.5));
    ck_assert_double_eq(som_playhead_time(told.head), 0.5);
    som_playhead_set_speed(told.head, 2);
    ck_assert(som_playhead_advance(told.head, 0.5));
    ck_assert_double_eq(som_playhead_time(told.head), 1.5);
    ck_assert(!som_playhead_advance(told.head, 5));
    ck_assert_double_eq(som_playhead_time(told.head), 2);
    ck_assert(!som_playhead_is_playing(told.head));
    som_playhead_toggle(told.head); // from the beginning
    ck_assert(som_playhead_is_playing(told.head));
    ck_assert_double_eq(som_playhead_time(told.head), 0);
    som_playhead_toggle(told.head);
    ck_assert(!som_playhead_is_playing(told.head));
    som_playhead_destroy(told.head);
}
END_TEST

START_TEST(a_loop_shows_its_end_and_begins_anew) {
    Told told = begin(1);
    som_playhead_set_loop(told.head, true);
    som_playhead_play(told.head);
    ck_assert(som_playhead_advance(told.head, 3));
    ck_assert_double_eq(som_playhead_time(told.head), 1);
    ck_assert(som_playhead_advance(told.head, 0.25));
    ck_assert_double_eq(som_playhead_time(told.head), 0.25);
    som_playhead_destroy(told.head);
}
END_TEST

START_TEST(only_what_changes_is_told) {
    Told told = begin(1);
    som_playhead_listen(told.head, on_change, &told);
    som_playhead_seek(told.head, 0);
    som_playhead_pause(told.head);
    som_playhead_set_duration(told.head, 1);
    som_playhead_set_speed(told.head, 1);
    ck_assert_int_eq(told.calls, 0);
    som_playhead_seek(told.head, 0.5);
    ck_assert_uint_eq(take(&told), SOM_PLAYHEAD_TIME);
    som_playhead_set_duration(told.head, 0.25); // cuts the time
    ck_assert_uint_eq(take(&told), SOM_PLAYHEAD_TIME | SOM_PLAYHEAD_STATE);
    ck_assert_double_eq(som_playhead_time(told.head), 0.25);
    som_playhead_play(told.head);
    take(&told);
    som_playhead_set_duration(told.head, 0); // nothing to play
    ck_assert_uint_eq(take(&told), SOM_PLAYHEAD_STATE);
    ck_assert(!som_playhead_is_playing(told.head));
    som_playhead_play(told.head);
    ck_assert(!som_playhead_is_playing(told.head));
    som_playhead_unlisten(told.head, on_change, &told);
    som_playhead_set_duration(told.head, 3);
    ck_assert_int_eq(told.calls, 0);
    som_playhead_destroy(told.head);
    som_playhead_destroy(NULL);
}
END_TEST

// Whatever it is told to do, time stays within the duration and speed within its bounds.
START_TEST(any_numbers_leave_it_in_bounds) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e300, 1e-300, 0.5, 7};
    SomTestRandom random = {3};
    Told told = begin(1);
    for (int i = 0; i < som_test_count(20000, 400000); i++) {
        double number = odd[som_test_int(&random, 0, (int)(sizeof odd / sizeof *odd) - 1)];
        switch (som_test_int(&random, 0, 6)) {
        case 0:
            som_playhead_seek(told.head, number);
            break;
        case 1:
            som_playhead_set_duration(told.head, number);
            break;
        case 2:
            som_playhead_set_speed(told.head, number);
            break;
        case 3:
            som_playhead_advance(told.head, number);
            break;
        case 4:
            som_playhead_toggle(told.head);
            break;
        case 5:
            som_playhead_set_loop(told.head, number > 0);
            break;
        default:
            som_playhead_play(told.head);
        }
        double time = som_playhead_time(told.head), speed = som_playhead_speed(told.head);
        ck_assert(time >= 0 && time <= som_playhead_duration(told.head));
        ck_assert(speed >= SOM_PLAYHEAD_SLOWEST && speed <= SOM_PLAYHEAD_FASTEST);
        ck_assert(!som_playhead_is_playing(told.head) || som_playhead_duration(told.head) > 0);
    }
    som_playhead_destroy(told.head);
}
END_TEST

SOM_SUITE("studio/playhead", time_goes_on_while_it_plays_and_ends_at_the_end,
          a_loop_shows_its_end_and_begins_anew, only_what_changes_is_told,
          any_numbers_leave_it_in_bounds)
