// SPDX-License-Identifier: Apache-2.0
// Tests for language/character.c.

#include "language/character.h"
#include "tests/suite.h"

START_TEST(characters_are_read_from_utf_8) {
    size_t length;
    ck_assert_uint_eq(som_character_read(SOM_STR("a"), &length), 'a');
    ck_assert_uint_eq(length, 1);
    ck_assert_uint_eq(som_character_read(SOM_STR("\xC3\xA4"), &length), 0xE4);
    ck_assert_uint_eq(length, 2);
    ck_assert_uint_eq(som_character_read(SOM_STR("\xE2\x88\x92"), &length), 0x2212);
    ck_assert_uint_eq(length, 3);
    ck_assert_uint_eq(som_character_read(SOM_STR("\xF0\x9F\xA4\x96"), &length), 0x1F916);
    ck_assert_uint_eq(length, 4);
    som_character_read(SOM_STR("\xE4 "), &length);
    ck_assert_uint_eq(length, 0);
    som_character_read(SOM_STR(""), &length);
    ck_assert_uint_eq(length, 0);
}
END_TEST

START_TEST(names_hold_letters_marks_and_digits_of_all_scripts) {
    const char *const names[] = {
        "a", "Z", "0",  "_",  "ä", "ß", "µ",
        "ж", "λ", "中", "の", "ع", "é", "\xCC\x88"}; // the last is the mark of a decomposed ä
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_uint_eq(som_character_name_length(som_str(names[i])), strlen(names[i]));
    }
    const char *const others[] = {"-", " ",        ".", "×",    "−", "“",  "°",
                                  "²", "\xC2\xA0", "→", "🤖", "№", "。", "\xE4"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_uint_eq(som_character_name_length(som_str(others[i])), 0);
    }
}
END_TEST

START_TEST(nothing_that_is_confused_or_invisible_is_in_names) {
    for (uint32_t code = 0x80; code < 0x110000; code++) {
        if (code >= 0xD800 && code <= 0xDFFF) {
            continue;
        }
        char text[5] = {0};
        if (code < 0x800) {
            text[0] = (char)(0xC0 | code >> 6);
            text[1] = (char)(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            text[0] = (char)(0xE0 | code >> 12);
            text[1] = (char)(0x80 | (code >> 6 & 0x3F));
            text[2] = (char)(0x80 | (code & 0x3F));
        } else {
            text[0] = (char)(0xF0 | code >> 18);
            text[1] = (char)(0x80 | (code >> 12 & 0x3F));
            text[2] = (char)(0x80 | (code >> 6 & 0x3F));
            text[3] = (char)(0x80 | (code & 0x3F));
        }
        size_t length;
        bool is_read = som_character_read(som_str(text), &length) == code;
        bool is_invisible = som_character_is_invisible(code);
        bool is_confusable = som_confusable_find(code) != NULL;
        bool is_name = som_character_name_length(som_str(text)) > 0;
        // one test a character is slow
        if (!is_read || is_invisible + is_confusable + is_name > 1) {
            ck_abort_msg("U+%04X", (unsigned)code);
        }
    }
}
END_TEST

START_TEST(what_was_meant_is_ascii) {
    ck_assert(som_str_equal(som_confusable_find(0x2212)->meant, SOM_STR("-")));
    ck_assert_int_eq(som_confusable_find(0x2264)->kind, SOM_TOKEN_LESS_EQUAL);
    ck_assert_int_eq(som_confusable_find(0xFF5D)->kind, SOM_TOKEN_RIGHT_BRACE);
    ck_assert_ptr_null(som_confusable_find('-'));
    ck_assert_ptr_null(som_confusable_find(0x1F916));
}
END_TEST

SOM_SUITE("language/character", characters_are_read_from_utf_8,
          names_hold_letters_marks_and_digits_of_all_scripts,
          nothing_that_is_confused_or_invisible_is_in_names, what_was_meant_is_ascii)
