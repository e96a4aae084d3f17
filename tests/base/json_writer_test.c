// SPDX-License-Identifier: Apache-2.0
// Tests for base/json_writer.c. That everything written reads back: json_reader_test.c.

#include "base/json_writer.h"
#include "tests/suite.h"

#include <math.h>

START_TEST(members_stand_on_lines_and_plain_items_on_one) {
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    som_json_open_object(&json);
    som_json_member_string(&json, "name", SOM_STR("leg"));
    som_json_key(&json, SOM_STR("position"));
    som_json_numbers(&json, (const double[]){0.1, -2, 1e300}, 3);
    som_json_key(&json, SOM_STR("rows"));
    som_json_open_array(&json);
    som_json_numbers(&json, (const double[]){1, 2}, 2);
    som_json_open_object(&json);
    som_json_member_boolean(&json, "ok", true);
    som_json_close_object(&json);
    som_json_integer(&json, INT64_MIN);
    som_json_close_array(&json);
    som_json_key(&json, SOM_STR("none"));
    som_json_open_array(&json);
    som_json_close_array(&json);
    som_json_key(&json, SOM_STR("empty"));
    som_json_open_object(&json);
    som_json_close_object(&json);
    som_json_close_object(&json);
    som_json_end(&json);
    ck_assert_str_eq(text.data, "{\n"
                                "  \"name\": \"leg\",\n"
                                "  \"position\": [0.1, -2, 1e300],\n"
                                "  \"rows\": [\n"
                                "    [1, 2],\n"
                                "    {\n"
                                "      \"ok\": true\n"
                                "    }, -9223372036854775808\n"
                                "  ],\n"
                                "  \"none\": [],\n"
                                "  \"empty\": {}\n"
                                "}\n");
    som_text_free(&text);
}
END_TEST

START_TEST(strings_are_escaped_and_always_utf8) {
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    som_json_string(&json, SOM_STR("a\"b\\c/\b\f\n\r\t\x01\x7f\0z \xC3\xA9 \xFF\xC3"));
    som_json_end(&json);
    ck_assert_str_eq(text.data, "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u007f\\u0000z \xC3\xA9 "
                                "\xEF\xBF\xBD\xEF\xBF\xBD\"\n");
    som_text_free(&text);
}
END_TEST

START_TEST(numbers_that_are_not_finite_are_null) {
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    som_json_numbers(&json, (const double[]){HUGE_VAL, -HUGE_VAL, (double)NAN, -0.0}, 4);
    som_json_end(&json);
    ck_assert_str_eq(text.data, "[null, null, null, -0]\n");
    som_text_free(&text);
}
END_TEST

START_TEST(one_writer_writes_one_document_after_another) {
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    for (int i = 1; i <= 2; i++) {
        som_json_integer(&json, i);
        som_json_end(&json);
    }
    ck_assert_str_eq(text.data, "1\n2\n");
    som_text_free(&text);
}
END_TEST

static void misuse(int which) {
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    switch (which) {
    case 0: // a member without a key
        som_json_open_object(&json);
        som_json_null(&json);
        break;
    case 1: // a key in an array
        som_json_open_array(&json);
        som_json_key(&json, SOM_STR("k"));
        break;
    case 2: // a key without a value
        som_json_open_object(&json);
        som_json_key(&json, SOM_STR("k"));
        som_json_close_object(&json);
        break;
    case 3: // closed with the wrong bracket
        som_json_open_object(&json);
        som_json_close_array(&json);
        break;
    case 4: // two values in a document
        som_json_null(&json);
        som_json_null(&json);
        break;
    case 5: // not closed
        som_json_open_array(&json);
        som_json_end(&json);
        break;
    case 6: // nothing at all
        som_json_end(&json);
        break;
    case 7: // too deep
        for (int i = 0; i < SOM_JSON_WRITER_DEPTH; i++) {
            som_json_open_array(&json);
        }
        break;
    }
}

START_TEST(misuse_aborts) {
    for (int which = 0; which <= 7; which++) {
        ck_assert_msg(som_test_aborts(misuse, which), "case %d", which);
    }
    ck_assert(!som_test_aborts(misuse, 8));
}
END_TEST

SOM_SUITE("base/json_writer", members_stand_on_lines_and_plain_items_on_one,
          strings_are_escaped_and_always_utf8, numbers_that_are_not_finite_are_null,
          one_writer_writes_one_document_after_another, misuse_aborts)
