// SPDX-License-Identifier: Apache-2.0
// Tests for base/arena.c.

#include "base/arena.h"
#include "tests/suite.h"

#include <stdalign.h>
#include <stdint.h>

typedef struct Piece {
    unsigned char *bytes;
    size_t size;
} Piece;

static bool all_are(Piece piece, int value) {
    size_t same = 0;
    while (same < piece.size && piece.bytes[same] == value) {
        same++;
    }
    return same == piece.size;
}

START_TEST(pieces_are_zeroed_aligned_and_apart) {
    SomTestRandom random = {1};
    SomArena arena = {0};
    enum { COUNT = 2000 };
    static Piece pieces[COUNT];
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)som_test_int(&random, 0, i % 50 == 0 ? 100000 : 100);
        pieces[i] = (Piece){som_arena_alloc(&arena, 1, size), size};
        ck_assert_uint_eq((uintptr_t)pieces[i].bytes % alignof(max_align_t), 0);
        ck_assert(all_are(pieces[i], 0));
        memset(pieces[i].bytes, i % 255 + 1, size);
    }
    for (int i = 0; i < COUNT; i++) {
        ck_assert(all_are(pieces[i], i % 255 + 1));
    }
    som_arena_free(&arena);
    ck_assert_ptr_null(arena.last);
    som_arena_free(&arena); // twice is fine
}
END_TEST

START_TEST(a_large_piece_does_not_waste_the_room_that_was_left) {
    SomArena arena = {0};
    char *first = som_arena_new(&arena, char, 16);
    som_arena_new(&arena, char, 1000000);
    char *second = som_arena_new(&arena, char, 16);
    ck_assert_ptr_eq(second, first + 16);
    som_arena_free(&arena);

    char *large = som_arena_new(&arena, char, 1000000); // the first of all
    memset(large, 1, 1000000);
    som_arena_new(&arena, char, 16);
    som_arena_free(&arena);
}
END_TEST

START_TEST(copies_are_terminated) {
    SomArena arena = {0};
    SomStr copy = som_arena_copy(&arena, som_str_slice(SOM_STR("walker"), 0, 4));
    ck_assert_str_eq(copy.data, "walk");
    ck_assert_uint_eq(copy.length, 4);
    copy = som_arena_copy(&arena, (SomStr){NULL, 0});
    ck_assert_str_eq(copy.data, "");
    som_arena_free(&arena);
}
END_TEST

static void take_too_much(int which) {
    SomArena arena = {0};
    size_t counts[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 4};
    size_t sizes[] = {1, 2, 4};
    som_arena_alloc(&arena, counts[which], sizes[which]);
}

START_TEST(a_size_that_overflows_aborts) {
    for (int which = 0; which < 3; which++) {
        ck_assert_msg(som_test_aborts(take_too_much, which), "case %d", which);
    }
}
END_TEST

START_TEST(a_joined_arena_lives_with_the_other_one) {
    SomArena into = {0}, from = {0}, empty = {0};
    SomStr a = som_arena_copy(&into, SOM_STR("a")), b = som_arena_copy(&from, SOM_STR("b"));
    som_arena_join(&into, &from);
    som_arena_join(&into, &empty);
    ck_assert(from.last == NULL && a.data[0] == 'a' && b.data[0] == 'b');
    som_arena_join(&empty, &into);
    som_arena_copy(&empty, SOM_STR("c"));
    ck_assert(into.last == NULL && b.data[0] == 'b');
    som_arena_free(&empty);
}
END_TEST

SOM_SUITE("base/arena", a_joined_arena_lives_with_the_other_one,
          pieces_are_zeroed_aligned_and_apart, a_large_piece_does_not_waste_the_room_that_was_left,
          copies_are_terminated, a_size_that_overflows_aborts)
