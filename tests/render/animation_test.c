// SPDX-License-Identifier: Apache-2.0
// Animated files are read back by rules of their own: chunk by chunk, each piece laid over the
// last.

#include "render/animation.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 37
#define HEIGHT 23

static uint32_t number_at(const char *bytes) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value = value * 256 + (uint8_t)bytes[i];
    }
    return value;
}

static void put_number(SomText *out, uint32_t value) {
    for (int i = 3; i >= 0; i--) {
        som_text_add_char(out, (char)(value >> 8 * i & 255), 1);
    }
}

// libpng checks it, where pieces are read.
static uint32_t check_sum(const char *bytes, size_t length) {
    uint32_t sum = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * length; i++) {
        uint32_t bit = (uint8_t)bytes[i / 8] >> i % 8 & 1;
        sum = ((sum ^ bit) & 1) != 0 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
    }
    return ~sum;
}

static void put_chunk(SomText *out, const char *kind, const char *data, uint32_t length) {
    put_number(out, length);
    size_t begin = out->length;
    som_text_add(out, som_str(kind));
    som_text_add(out, (SomStr){data, length});
    put_number(out, check_sum(out->data + begin, length + 4));
}

// An animation as it is read.
typedef struct Shown {
    SomImage canvas;
    SomText piece; // a PNG of the last control
    char head[13];
    char control[26];
    uint32_t sequence, images;
    int times[64]; // milliseconds
    SomImage seen[64];
    int count;
} Shown;

// Lays the piece that was read over the canvas.
static void show_piece(Shown *s) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage piece = {0};
    if (s->piece.length == 0) {
        som_diagnostics_destroy(diags);
        return;
    }
    put_chunk(&s->piece, "IEND", "", 0);
    ck_assert(som_image_parse_png(som_text_str(&s->piece), "piece", &piece, diags));
    uint32_t left = number_at(s->control + 12), top = number_at(s->control + 16);
    for (int y = 0; y < piece.height; y++) {
        for (int x = 0; x < piece.width; x++) {
            const uint8_t *from = piece.pixels + 4 * (y * piece.width + x);
            uint8_t *to = s->canvas.pixels + 4 * (((int)top + y) * WIDTH + (int)left + x);
            if (from[3] != 0) {
                memcpy(to, from, 4);
            }
        }
    }
    s->times[s->count] = ((uint8_t)s->control[20] << 8) + (uint8_t)s->control[21];
    s->seen[s->count] = som_image_create(WIDTH, HEIGHT);
    memcpy(s->seen[s->count++].pixels, s->canvas.pixels, (size_t)4 * WIDTH * HEIGHT);
    som_text_clear(&s->piece);
    som_image_free(&piece);
    som_diagnostics_destroy(diags);
}

static void begin_piece(Shown *s, const char *data) {
    char head[13];
    show_piece(s);
    memcpy(s->control, data, sizeof s->control);
    ck_assert_uint_eq(number_at(data), s->sequence++);
    ck_assert_uint_le(number_at(data + 4) + number_at(data + 12), WIDTH);
    ck_assert_uint_le(number_at(data + 8) + number_at(data + 16), HEIGHT);
    ck_assert_int_eq(data[22] << 8 | (uint8_t)data[23], 1000);
    ck_assert_int_eq(data[24], 0);
    ck_assert_int_eq(data[25], 1);
    memcpy(head, s->head, sizeof head);
    memcpy(head, data + 4, 8);
    som_text_add(&s->piece, SOM_STR("\x89PNG\r\n\x1a\n"));
    put_chunk(&s->piece, "IHDR", head, sizeof head);
}

static void read_chunk(Shown *s, const char *kind, const char *data, uint32_t length) {
    if (memcmp(kind, "IHDR", 4) == 0) {
        memcpy(s->head, data, sizeof s->head);
    } else if (memcmp(kind, "acTL", 4) == 0) {
        s->images = number_at(data);
        ck_assert_uint_eq(number_at(data + 4), 0);
    } else if (memcmp(kind, "fcTL", 4) == 0) {
        begin_piece(s, data);
    } else if (memcmp(kind, "IDAT", 4) == 0) {
        ck_assert_int_eq(s->count, 0);
        put_chunk(&s->piece, "IDAT", data, length);
    } else if (memcmp(kind, "fdAT", 4) == 0) {
        ck_assert_uint_eq(number_at(data), s->sequence++);
        put_chunk(&s->piece, "IDAT", data + 4, length - 4);
    } else if (memcmp(kind, "IEND", 4) == 0) {
        show_piece(s);
    }
}

static void show(Shown *s, SomStr file) {
    memset(s, 0, sizeof *s);
    s->canvas = som_image_create(WIDTH, HEIGHT);
    ck_assert_int_eq(memcmp(file.data, "\x89PNG\r\n\x1a\n", 8), 0);
    size_t at = 8;
    while (at < file.length) {
        uint32_t length = number_at(file.data + at);
        ck_assert_uint_le(at + 12 + length, file.length);
        ck_assert_uint_eq(number_at(file.data + at + 8 + length),
                          check_sum(file.data + at + 4, length + 4));
        read_chunk(s, file.data + at + 4, file.data + at + 8, length);
        at += 12 + length;
    }
    ck_assert_uint_eq(s->images, (uint32_t)s->count);
}

static void shown_free(Shown *s) {
    for (int i = 0; i < s->count; i++) {
        som_image_free(&s->seen[i]);
    }
    som_text_free(&s->piece);
    som_image_free(&s->canvas);
}

// A box that wanders over a background of noise.
static SomImage image_at(int time) {
    SomTestRandom random = {7};
    SomImage image = som_image_create(WIDTH, HEIGHT);
    for (int i = 0; i < 4 * WIDTH * HEIGHT; i++) {
        image.pixels[i] = i % 4 == 3 ? 255 : (uint8_t)som_test_int(&random, 0, 255);
    }
    for (int y = time; y < time + 5; y++) {
        memset(image.pixels + 4 * (y * WIDTH + 2 * time), 255, 4 * 6);
    }
    return image;
}

static void add(SomAnimation *animation, int time, SomDiagnostics *diags) {
    SomImage image = image_at(time);
    ck_assert(som_animation_add(animation, &image, diags));
    som_image_free(&image);
}

START_TEST(every_image_comes_back_for_as_long_as_it_was_shown) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomAnimation *animation = som_animation_create(40);
    const int times[] = {0, 1, 2, 2, 2, 9, 0, 15}; // it rests at 2
    const int kept[] = {0, 1, 2, 9, 0, 15}, longs[] = {40, 40, 120, 40, 40, 40};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        add(animation, times[i], diags);
    }
    SomText file = {0};
    Shown shown;
    som_animation_print(animation, &file);
    show(&shown, som_text_str(&file));
    ck_assert_int_eq(shown.count, (int)(sizeof kept / sizeof *kept));
    for (int i = 0; i < shown.count; i++) {
        SomImage image = image_at(kept[i]);
        ck_assert_int_eq(som_image_difference(&image, &shown.seen[i], 0), 0);
        ck_assert_int_eq(shown.times[i], longs[i]);
        som_image_free(&image);
    }
    // programs that know no animations show the first image
    SomImage first = image_at(0), read = {0};
    ck_assert(som_image_parse_png(som_text_str(&file), "file", &read, diags));
    ck_assert_int_eq(som_image_difference(&first, &read, 0), 0);
    // the noise that rests is in the file once
    ck_assert_uint_lt(file.length, 2 * 3 * WIDTH * HEIGHT);
    som_image_free(&first);
    som_image_free(&read);
    shown_free(&shown);
    som_text_free(&file);
    som_animation_destroy(animation);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_nobody_sees_is_not_kept_and_does_not_add_up) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomAnimation *animation = som_animation_create(10);
    SomText file = {0};
    Shown shown;
    for (int i = 0; i < 9; i++) { // a light that grows, by what is hardly to be seen
        SomImage image = image_at(0);
        memset(image.pixels, 100 + i, 40);
        ck_assert(som_animation_add(animation, &image, diags));
        som_image_free(&image);
    }
    som_animation_print(animation, &file);
    show(&shown, som_text_str(&file));
    ck_assert_int_eq(shown.count, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(shown.seen[i].pixels[0], 100 + 3 * i);
        ck_assert_int_eq(shown.times[i], 30);
    }
    shown_free(&shown);
    som_text_free(&file);
    som_animation_destroy(animation);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_rests_for_minutes_rests_for_all_of_them) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomAnimation *animation = som_animation_create(30000);
    SomText file = {0}, none = {0};
    Shown shown;
    som_animation_print(animation, &none);
    ck_assert_uint_eq(none.length, 0);
    for (int i = 0; i < 5; i++) {
        add(animation, 3, diags);
    }
    som_animation_print(animation, &file);
    show(&shown, som_text_str(&file));
    int sum = 0;
    for (int i = 0; i < shown.count; i++) {
        sum += shown.times[i];
    }
    ck_assert_int_eq(sum, 150000);
    shown_free(&shown);
    som_text_free(&file);
    som_animation_destroy(animation);
    som_animation_destroy(NULL);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("render/animation", every_image_comes_back_for_as_long_as_it_was_shown,
          what_nobody_sees_is_not_kept_and_does_not_add_up,
          what_rests_for_minutes_rests_for_all_of_them)
