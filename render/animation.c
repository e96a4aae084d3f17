// SPDX-License-Identifier: Apache-2.0
#include "render/animation.h"

#include "base/memory.h"
#include "render/image_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SIGNATURE 8 // bytes before the first chunk
#define FRAME 12    // bytes of a chunk round its data: length, kind, check sum

// What an image changes of the one before.
typedef struct Change {
    int x, y, width, height;
    int milliseconds;
    SomText png; // where nothing changes it is transparent
} Change;

struct SomAnimation {
    int milliseconds;
    SomImage shown;
    SOM_ARRAY(Change) changes;
};

SomAnimation *som_animation_create(int milliseconds) {
    assert(milliseconds >= 1 && milliseconds <= SOM_ANIMATION_MOST_TIME);
    SomAnimation *animation = som_alloc(sizeof *animation);
    animation->milliseconds = milliseconds;
    return animation;
}

void som_animation_destroy(SomAnimation *animation) {
    if (animation == NULL) {
        return;
    }
    for (int i = 0; i < animation->changes.count; i++) {
        som_text_free(&animation->changes.data[i].png);
    }
    som_array_free(&animation->changes);
    som_image_free(&animation->shown);
    som_free(animation);
}

// ---- what changes

static uint8_t *pixel(const SomImage *image, int x, int y) {
    return image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
}

static bool is_same(const SomImage *a, const SomImage *b, int x, int y) {
    const uint8_t *p = pixel(a, x, y), *q = pixel(b, x, y);
    return abs(p[0] - q[0]) <= SOM_ANIMATION_TOLERANCE &&
           abs(p[1] - q[1]) <= SOM_ANIMATION_TOLERANCE &&
           abs(p[2] - q[2]) <= SOM_ANIMATION_TOLERANCE;
}

// The box round all pixels that differ; empty if none does.
static Change find_change(const SomImage *shown, const SomImage *image) {
    int low_x = image->width, low_y = image->height, high_x = 0, high_y = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            if (!is_same(shown, image, x, y)) {
                low_x = x < low_x ? x : low_x;
                low_y = y < low_y ? y : low_y;
                high_x = x + 1 > high_x ? x + 1 : high_x;
                high_y = y + 1;
            }
        }
    }
    return high_x > 0 ? (Change){low_x, low_y, high_x - low_x, high_y - low_y, 0, {0}}
                      : (Change){0};
}

// Shows it, and keeps what it took.
static bool print_change(SomImage *shown, const SomImage *image, bool is_first, Change *change,
                         SomDiagnostics *diags) {
    SomImage piece = som_image_create(change->width, change->height);
    for (int y = 0; y < change->height; y++) {
        for (int x = 0; x < change->width; x++) {
            int at_x = change->x + x, at_y = change->y + y;
            if (is_first || !is_same(shown, image, at_x, at_y)) {
                memcpy(pixel(shown, at_x, at_y), pixel(image, at_x, at_y), 3);
                memcpy(pixel(&piece, x, y), pixel(image, at_x, at_y), 3);
                pixel(&piece, x, y)[3] = 255;
            }
        }
    }
    bool is_done = som_image_print_with_opacity(&piece, &change->png, diags);
    som_image_free(&piece);
    return is_done;
}

// Whether the last image can stay for one more.
static bool stays(SomAnimation *animation) {
    Change *last = &animation->changes.data[animation->changes.count - 1];
    bool has_room = last->milliseconds + animation->milliseconds <= SOM_ANIMATION_MOST_TIME;
    last->milliseconds += has_room ? animation->milliseconds : 0;
    return has_room;
}

bool som_animation_add(SomAnimation *animation, const SomImage *image, SomDiagnostics *diags) {
    bool is_first = animation->changes.count == 0;
    Change change = {.width = image->width, .height = image->height};
    if (is_first) {
        som_image_free(&animation->shown);
        animation->shown = som_image_create(image->width, image->height);
    } else {
        assert(image->width == animation->shown.width && image->height == animation->shown.height);
        change = find_change(&animation->shown, image);
        if (change.width == 0) {
            if (stays(animation)) {
                return true;
            }
            change.width = change.height = 1; // a pixel as it is shown, to begin another time
        }
    }
    change.milliseconds = animation->milliseconds;
    if (!print_change(&animation->shown, image, is_first, &change, diags)) {
        return false;
    }
    som_array_push(&animation->changes, change);
    return true;
}

// ---- the file

static uint32_t read_number(const char *bytes) {
    const uint8_t *b = (const uint8_t *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void add_bits(SomText *out, uint32_t value, int bits) {
    while (bits > 0) {
        bits -= 8;
        som_text_add_char(out, (char)(uint8_t)(value >> bits), 1);
    }
}

// The check sum of PNG, of ISO 3309.
static uint32_t check_sum(SomStr bytes) {
    uint32_t sum = ~0u;
    for (size_t i = 0; i < bytes.length; i++) {
        sum ^= (uint8_t)bytes.data[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xEDB88320u : 0);
        }
    }
    return ~sum;
}

static void add_chunk(SomText *out, const char *kind, const SomText *data) {
    size_t begin = out->length + 4;
    add_bits(out, (uint32_t)data->length, 32);
    som_text_add(out, som_str(kind));
    som_text_add(out, som_text_str(data));
    add_bits(out, check_sum(som_str_slice(som_text_str(out), begin, out->length)), 32);
}

static void add_count(SomText *out, int images) {
    SomText data = {0};
    add_bits(&data, (uint32_t)images, 32);
    add_bits(&data, 0, 32); // without end
    add_chunk(out, "acTL", &data);
    som_text_free(&data);
}

static void add_control(SomText *out, const Change *change, uint32_t *sequence) {
    SomText data = {0};
    add_bits(&data, (*sequence)++, 32);
    add_bits(&data, (uint32_t)change->width, 32);
    add_bits(&data, (uint32_t)change->height, 32);
    add_bits(&data, (uint32_t)change->x, 32);
    add_bits(&data, (uint32_t)change->y, 32);
    add_bits(&data, (uint32_t)change->milliseconds, 16);
    add_bits(&data, 1000, 16);
    add_bits(&data, 0, 8); // it stays
    add_bits(&data, 1, 8); // over the image before
    add_chunk(out, "fcTL", &data);
    som_text_free(&data);
}

static void add_pixels(SomText *out, SomStr pixels, uint32_t *sequence) {
    SomText data = {0};
    add_bits(&data, (*sequence)++, 32);
    som_text_add(&data, pixels);
    add_chunk(out, "fdAT", &data);
    som_text_free(&data);
}

// The chunks of a PNG of ours. Of the first image the head and the pixels as they are, of the
// others the pixels alone.
static void add_change(SomText *out, const SomAnimation *animation, int index, uint32_t *sequence) {
    const Change *change = &animation->changes.data[index];
    SomStr png = som_text_str(&change->png);
    bool has_control = false;
    for (size_t at = SIGNATURE; at + FRAME <= png.length;) {
        size_t length = read_number(png.data + at);
        bool is_pixels = memcmp(png.data + at + 4, "IDAT", 4) == 0,
             is_end = memcmp(png.data + at + 4, "IEND", 4) == 0;
        if (is_pixels && !has_control) {
            if (index == 0) {
                add_count(out, animation->changes.count);
            }
            add_control(out, change, sequence);
            has_control = true;
        }
        if (index == 0 && !is_end) {
            som_text_add(out, som_str_slice(png, at, at + length + FRAME));
        } else if (is_pixels) {
            add_pixels(out, som_str_slice(png, at + 8, at + 8 + length), sequence);
        }
        at += length + FRAME;
    }
}

void som_animation_print(const SomAnimation *animation, SomText *bytes) {
    uint32_t sequence = 0;
    if (animation->changes.count == 0) {
        return;
    }
    som_text_add(bytes, som_str_slice(som_text_str(&animation->changes.data[0].png), 0, SIGNATURE));
    for (int i = 0; i < animation->changes.count; i++) {
        add_change(bytes, animation, i, &sequence);
    }
    add_chunk(bytes, "IEND", &(SomText){0});
}
