// SPDX-License-Identifier: Apache-2.0
// Tests for base/utf8.c.

#include "base/utf8.h"
#include "tests/suite.h"

#include <stdlib.h>

// The number a sequence of this length stands for, whatever its bytes; -1 if they have not the form
// of such a sequence.
static long decode(const unsigned char *s, int length) {
    static const unsigned char masks[] = {0, 0x80, 0xE0, 0xF0, 0xF8};
    static const unsigned char leads[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    if ((s[0] & masks[length]) != leads[length]) {
        return -1;
    }
    long value = s[0] & ~masks[length];
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return -1;
        }
        value = value << 6 | (s[i] & 0x3F);
    }
    return value;
}

START_TEST(every_character_has_its_length_and_encodes_to_it) {
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (0xD800 <= c && c <= 0xDFFF) {
            continue;
        }
        char bytes[4];
        int length = som_utf8_encode(c, bytes);
        // cut short it is none
        bool right = length == (c < 0x80      ? 1
                                : c < 0x800   ? 2
                                : c < 0x10000 ? 3
                                              : 4) &&
                     som_utf8_length((SomStr){bytes, (size_t)length}) == length &&
                     som_utf8_length((SomStr){bytes, (size_t)length - 1}) == 0;
        if (!right || decode((const unsigned char *)bytes, length) != (long)c) {
            ck_abort_msg("U+%04X", (unsigned)c);
        }
    }
}
END_TEST

// By the definition: the shortest form of a number that is a character.
static int oracle_length(const unsigned char *s, int size) {
    static const long first[] = {0, 0, 0x80, 0x800, 0x10000};
    for (int length = 1; length <= size; length++) {
        long value = decode(s, length);
        if (value >= first[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF)) {
            return length;
        }
    }
    return 0;
}

START_TEST(exactly_the_valid_sequences_are_accepted) {
    // all of two bytes, and all of four whose last two are at the ends of ranges
    static const unsigned char ends[] = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            for (int k = 0; k < 36; k++) {
                const unsigned char s[] = {(unsigned char)a, (unsigned char)b, ends[k / 6],
                                           ends[k % 6]};
                if (som_utf8_length((SomStr){(const char *)s, 4}) != oracle_length(s, 4)) {
                    ck_abort_msg("%02X %02X %02X %02X", s[0], s[1], s[2], s[3]);
                }
            }
        }
    }
    ck_assert_int_eq(som_utf8_length(SOM_STR("")), 0);
}
END_TEST

START_TEST(characters_are_counted_and_bad_bytes_found) {
    ck_assert_int_eq(som_utf8_count(SOM_STR("")), 0);
    ck_assert_int_eq(som_utf8_count(SOM_STR("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80")), 8);
    ck_assert_int_eq(som_utf8_count(SOM_STR("\xFF\xC3")), 2);
    ck_assert_int_eq(som_utf8_count(SOM_STR("\xE2\x82")), 2);
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("")), 0);
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("caf\xC3\xA9")), 5);
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("caf\xC3")), 3);
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("\xC3\xA9\xA9x")), 2);
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("\xED\xA0\x80")), 0); // a surrogate
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("\xC0\x80")), 0);     // overlong
    ck_assert_uint_eq(som_utf8_find_invalid(SOM_STR("\xF4\x90\x80\x80")), 0);
}
END_TEST

START_TEST(nothing_is_read_behind_the_end) {
    const SomStr cut = SOM_STR("\xF0\x9F\x98\x80");
    for (size_t length = 1; length <= 4; length++) {
        char *bytes = malloc(length); // of its exact size, for the sanitizer
        memcpy(bytes, cut.data, length);
        ck_assert_int_eq(som_utf8_count((SomStr){bytes, length}), length == 4 ? 1 : (int)length);
        free(bytes);
    }
}
END_TEST

static void encode_wrong(int which) {
    const uint32_t wrong[] = {0xD800, 0xDFFF, 0x110000};
    char bytes[4];
    som_utf8_encode(wrong[which], bytes);
}

START_TEST(what_is_no_character_is_not_encoded) {
    for (int which = 0; which < 3; which++) {
        ck_assert(som_test_aborts(encode_wrong, which));
    }
}
END_TEST

SOM_SUITE("base/utf8", every_character_has_its_length_and_encodes_to_it,
          exactly_the_valid_sequences_are_accepted, characters_are_counted_and_bad_bytes_found,
          nothing_is_read_behind_the_end, what_is_no_character_is_not_encoded)
