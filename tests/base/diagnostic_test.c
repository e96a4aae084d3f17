// SPDX-License-Identifier: Apache-2.0
// Tests for base/diagnostic.c.

#include "base/codes/base_codes.h"
#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/diagnostic.h"
#include "base/diagnostic_fold.h"
#include "base/utf8.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

static SomDiagnostics *diags;
static SomText printed;

static SomSpan span(uint32_t begin, uint32_t end) {
    return (SomSpan){1, begin, end};
}

// Starts over with one source text.
static void start(SomStr text) {
    som_diagnostics_destroy(diags);
    diags = som_diagnostics_create();
    ck_assert_uint_eq(som_diagnostics_add_source(diags, SOM_STR("a.som"), text), 1);
}

static void finish(void) {
    som_diagnostics_destroy(diags);
    som_text_free(&printed);
    diags = NULL;
}

static const char *print(int max_errors) {
    som_text_clear(&printed);
    som_text_add(&printed, SOM_STR(""));
    som_diagnostics_print(diags, max_errors, &printed);
    return printed.data;
}

// Prints one report at a span of the text.
static void check_excerpt(SomStr text, SomSpan where, const char *expected) {
    start(text);
    som_report(diags, SOM_FILE_NOT_FOUND, where, "here");
    ck_assert_str_eq(print(0), expected);
}

static SomCode some_warning(void) {
    int count;
    const SomCodeInfo *codes = som_codes(&count);
    for (int i = 0; i < count; i++) {
        if (codes[i].severity == SOM_WARNING) {
            return codes[i].code;
        }
    }
    ck_abort_msg("no code is a warning");
}

START_TEST(a_report_with_note_and_fix_prints_as_compilers_do) {
    start(SOM_STR("part hip, knee\nconnect hip.left to knee.back\n"));
    som_report(diags, SOM_FILE_NOT_FOUND, span(23, 31), "dock '%s' of '%s' is taken", "left",
               "hip");
    som_note(diags, span(5, 8), "it was made here");
    som_note(diags, (SomSpan){0}, "dock '%s' is free", "right");
    som_fix(diags, span(27, 31), SOM_STR("ri\"g\\h\nt\t\xC3\xA9\xFF"));
    ck_assert_str_eq(print(0),
                     "a.som:2:9: error: dock 'left' of 'hip' is taken [SOM0101]\n"
                     "    2 | connect hip.left to knee.back\n"
                     "      |         ^~~~~~~~\n"
                     "a.som:1:6: note: it was made here\n"
                     "    1 | part hip, knee\n"
                     "      |      ^~~\n"
                     "note: dock 'right' is free\n"
                     "fix-it:\"a.som\":{2:13-2:17}:\"ri\\\"g\\\\h\\nt\\011\xC3\xA9\\377\"\n");
    finish();
}
END_TEST

START_TEST(the_caret_stands_under_its_character) {
    // a tab is one blank, in the line and below it
    check_excerpt(SOM_STR("\tpart\thip"), span(6, 9),
                  "a.som:1:7: error: here [SOM0101]\n"
                  "    1 |  part hip\n"
                  "      |       ^~~\n");
    // characters of several bytes are one column
    check_excerpt(SOM_STR("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 xy"), span(10, 12),
                  "a.som:1:5: error: here [SOM0101]\n"
                  "    1 | \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 xy\n"
                  "      |     ^~\n");
    // bytes that are no characters, controls and marks of direction are '?'
    check_excerpt(SOM_STR("\xFF\x01\x1B\xC2\x9B\xE2\x80\xAE\x7F x"), span(10, 11),
                  "a.som:1:8: error: here [SOM0101]\n"
                  "    1 | ?????? x\n"
                  "      |        ^\n");
    // the end of a line of DOS is not shown
    check_excerpt(SOM_STR("one\r\ntwo\r\n"), span(5, 8),
                  "a.som:2:1: error: here [SOM0101]\n"
                  "    2 | two\n"
                  "      | ^~~\n");
    finish();
}
END_TEST

START_TEST(places_at_the_ends_of_lines_and_texts_are_shown) {
    check_excerpt(SOM_STR(""), span(0, 0),
                  "a.som:1:1: error: here [SOM0101]\n"
                  "    1 | \n"
                  "      | ^\n");
    check_excerpt(SOM_STR("ab\ncd"), span(2, 2), // the line end itself
                  "a.som:1:3: error: here [SOM0101]\n"
                  "    1 | ab\n"
                  "      |   ^\n");
    check_excerpt(SOM_STR("ab\ncd"), span(5, 5), // the end of the text
                  "a.som:2:3: error: here [SOM0101]\n"
                  "    2 | cd\n"
                  "      |   ^\n");
    check_excerpt(SOM_STR("ab\n"), span(3, 3), // behind the last line end
                  "a.som:2:1: error: here [SOM0101]\n"
                  "    2 | \n"
                  "      | ^\n");
    check_excerpt(SOM_STR("ab\n\ncd"), span(3, 4), // an empty line
                  "a.som:2:1: error: here [SOM0101]\n"
                  "    2 | \n"
                  "      | ^\n");
    for (uint32_t offset = 2; offset <= 3; offset++) { // both bytes of a line end of DOS
        check_excerpt(SOM_STR("ab\r\ncd"), span(offset, offset),
                      "a.som:1:3: error: here [SOM0101]\n"
                      "    1 | ab\n"
                      "      |   ^\n");
    }
    // what lies outside the text is at its end
    check_excerpt(SOM_STR("ab"), span(100, 200),
                  "a.som:1:3: error: here [SOM0101]\n"
                  "    1 | ab\n"
                  "      |   ^\n");
    // a span of several lines is marked to the end of its first
    check_excerpt(SOM_STR("abc\ndef\n"), span(1, 7),
                  "a.som:1:2: error: here [SOM0101]\n"
                  "    1 | abc\n"
                  "      |  ^~\n");
    // and one that ends before it begins, which nobody should make, at its beginning
    check_excerpt(SOM_STR("abc\ndef\n"), span(5, 1),
                  "a.som:2:2: error: here [SOM0101]\n"
                  "    2 | def\n"
                  "      |  ^\n");
    finish();
}
END_TEST

START_TEST(of_a_long_line_the_part_round_the_mark_is_shown) {
    SomText line = {0};
    som_text_add_char(&line, 'a', 5000);
    som_text_add(&line, SOM_STR("HERE"));
    som_text_add_char(&line, 'b', 5000);
    char a[61], b[57];
    memset(a, 'a', 60);
    memset(b, 'b', 56);
    a[60] = b[56] = '\0';
    char expected[400];
    snprintf(expected, sizeof expected,
             "a.som:1:5001: error: here [SOM0101]\n"
             "    1 | ...%sHERE%s...\n"
             "      | %63s^~~~\n",
             a, b, "");
    check_excerpt(som_text_str(&line), span(5000, 5004), expected);

    // a span longer than what is shown
    start(som_text_str(&line));
    som_report(diags, SOM_FILE_NOT_FOUND, span(0, 10004), "here");
    print(0);
    ck_assert_uint_lt(printed.length, 400);
    ck_assert_int_eq(printed.data[printed.length - 2], '~');

    // cut between characters, and not endlessly where there are none
    som_text_clear(&line);
    for (int i = 0; i < 1000; i++) {
        som_text_add(&line, SOM_STR("\xE2\x82\xAC"));
    }
    for (uint32_t offset = 0; offset < 3000; offset += 3) {
        start(som_text_str(&line));
        som_report(diags, SOM_FILE_NOT_FOUND, span(offset, offset + 3), "here");
        print(0);
        ck_assert_ptr_null(strchr(printed.data, '?'));
    }
    som_text_clear(&line);
    som_text_add_char(&line, '\x80', 100000);
    start(som_text_str(&line));
    som_report(diags, SOM_FILE_NOT_FOUND, span(50000, 50001), "here");
    print(0);
    ck_assert_uint_lt(printed.length, 400);
    som_text_free(&line);
    finish();
}
END_TEST

START_TEST(messages_show_no_controls_and_are_cut) {
    start(SOM_STR(""));
    som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){0}, "name '%s'", "a\x1B[31m\nb\tc\xFF.\x7F.");
    ck_assert_str_eq(print(0), "error: name 'a?[31m?b c?.?.' [SOM0101]\n");

    SomText name = {0};
    for (int i = 0; i < 100000; i++) {
        som_text_add(&name, SOM_STR("\xE2\x82\xAC"));
    }
    for (size_t skip = 0; skip < 3; skip++) {
        start(SOM_STR(""));
        som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){0}, "%.*s%s", (int)skip, "ab", name.data);
        int count;
        SomStr message = som_diagnostics_get(diags, &count)->message;
        ck_assert_uint_le(message.length, 1000);
        ck_assert_uint_gt(message.length, 990);
        ck_assert(som_str_ends_with(message, SOM_STR("\xE2\x82\xAC...")));
        ck_assert_uint_eq(som_utf8_find_invalid(message), message.length);
    }
    som_text_free(&name);
    finish();
}
END_TEST

START_TEST(a_path_shows_no_controls) {
    diags = som_diagnostics_create();
    som_diagnostics_add_source(diags, SOM_STR("a\nb\"\x1B.som"), SOM_STR("x"));
    som_report(diags, SOM_FILE_NOT_FOUND, span(0, 1), "here");
    som_fix(diags, span(0, 1), SOM_STR("y"));
    ck_assert_str_eq(print(0), "a?b\"?.som:1:1: error: here [SOM0101]\n"
                               "    1 | x\n"
                               "      | ^\n"
                               "fix-it:\"a\\nb\\\"\\033.som\":{1:1-1:2}:\"y\"\n");
    finish();
}
END_TEST

START_TEST(errors_and_warnings_are_counted_and_the_rest_named) {
    SomCode warning = some_warning();
    start(SOM_STR("x"));
    for (int i = 0; i < 3; i++) {
        som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){0}, "e%d", i);
        som_note(diags, (SomSpan){0}, "n%d", i);
        som_report(diags, warning, (SomSpan){0}, "w%d", i);
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 3);
    ck_assert_int_eq(som_diagnostics_warning_count(diags), 3);
    char expected[400];
    snprintf(expected, sizeof expected,
             "error: e0 [SOM0101]\nnote: n0\nwarning: w0 [SOM%04d]\n"
             "error: e1 [SOM0101]\nnote: n1\nwarning: w1 [SOM%04d]\n"
             "note: 1 more error is not shown\nnote: 1 more warning is not shown\n",
             (int)warning, (int)warning);
    ck_assert_str_eq(print(2), expected);
    ck_assert(som_str_ends_with(som_str(print(1)), SOM_STR("note: 2 more errors are not shown\n"
                                                           "note: 2 more warnings are not "
                                                           "shown\n")));
    ck_assert_ptr_null(strstr(print(3), "more"));
    ck_assert_ptr_null(strstr(print(0), "more"));
    finish();
}
END_TEST

START_TEST(of_very_many_reports_a_thousand_are_kept_and_all_are_counted) {
    start(SOM_STR("x"));
    for (int i = 0; i < 5000; i++) {
        som_report(diags, SOM_FILE_NOT_FOUND, span(0, 1), "error %d", i);
        som_note(diags, span(0, 1), "note %d", i);
        som_fix(diags, span(0, 1), SOM_STR("y"));
    }
    som_report(diags, some_warning(), span(0, 1), "at last");
    int count;
    som_diagnostics_get(diags, &count);
    ck_assert_int_eq(count, 3 * SOM_MAX_KEPT_DIAGNOSTICS);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 5000);
    ck_assert(som_diagnostics_has(diags, some_warning()));
    ck_assert(!som_diagnostics_has(diags, SOM_JSON_SYNTAX));
    print(0);
    ck_assert_ptr_nonnull(strstr(printed.data, "error 999 "));
    ck_assert_ptr_null(strstr(printed.data, "error 1000"));
    ck_assert(
        som_str_ends_with(som_text_str(&printed), SOM_STR("note: 4000 more errors are not shown\n"
                                                          "note: 1 more warning is not shown\n")));
    finish();
}
END_TEST

START_TEST(an_error_after_very_many_warnings_is_kept) {
    start(SOM_STR("x"));
    for (int i = 0; i < 5000; i++) {
        som_report(diags, some_warning(), span(0, 1), "warning %d", i);
    }
    som_report(diags, SOM_FILE_NOT_FOUND, span(0, 1), "at last");
    som_note(diags, span(0, 1), "with a note");
    print(0);
    ck_assert_ptr_nonnull(strstr(printed.data, "error: at last"));
    ck_assert_ptr_nonnull(strstr(printed.data, "note: with a note"));
    finish();
}
END_TEST

START_TEST(sorting_keeps_notes_with_their_reports_and_equal_places_in_order) {
    start(SOM_STR("abcdef"));
    som_diagnostics_add_source(diags, SOM_STR("b.som"), SOM_STR("xyz"));
    som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){2, 0, 1}, "5");
    som_report(diags, SOM_FILE_NOT_FOUND, span(3, 4), "3");
    som_note(diags, span(0, 1), "3a");
    som_fix(diags, span(0, 1), SOM_STR("3b"));
    som_report(diags, SOM_FILE_NOT_FOUND, span(3, 9), "4");
    som_report(diags, SOM_FILE_NOT_FOUND, span(1, 2), "2");
    som_note(diags, (SomSpan){0}, "2a");
    som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){0}, "1");
    som_diagnostics_sort(diags);
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    const char *const order[] = {"1", "2", "2a", "3", "3a", "3b", "4", "5"};
    ck_assert_int_eq(count, 8);
    for (int i = 0; i < count; i++) {
        ck_assert_str_eq(entries[i].message.data, order[i]);
    }

    start(SOM_STR("")); // of nothing, and of a note alone
    som_diagnostics_sort(diags);
    som_note(diags, (SomSpan){0}, "alone");
    som_diagnostics_sort(diags);
    ck_assert_str_eq(print(0), "note: alone\n");
    finish();
}
END_TEST

// Places by counting from the start of the text.
static SomPlace oracle_place(SomStr text, uint32_t offset) {
    SomPlace place = {.line = 1, .column = 1};
    size_t line_start = 0;
    for (size_t at = 0; at < offset && at < text.length;) {
        int length = som_utf8_length(som_str_slice(text, at, text.length));
        length = length > 0 ? length : 1;
        if (at + (size_t)length > offset) {
            break;
        }
        bool crlf = text.data[at] == '\r' && at + 1 < text.length && text.data[at + 1] == '\n';
        if (crlf && offset == at + 1) {
            break;
        }
        place.column++;
        if (text.data[at] == '\n') {
            place.line++;
            place.column = 1;
            line_start = at + 1;
        }
        at += (size_t)length;
    }
    size_t end = line_start;
    while (end < text.length && text.data[end] != '\n') {
        end++;
    }
    if (end > line_start && text.data[end - 1] == '\r') {
        end--;
    }
    place.text = som_str_slice(text, line_start, end);
    return place;
}

START_TEST(places_in_long_texts_are_as_counted_from_the_start) {
    SomTestRandom random = {1};
    static const char *const pieces[] = {"\n",   "\r\n",  "a", "\xC3\xA9", "\xF0\x9F\x98\x80",
                                         "\x80", "word ", "\r"};
    for (int round = 0; round < 6; round++) {
        SomText text = {0};
        int newlines = round * round; // from one line to nothing but line ends
        for (int i = 0; i < 20000; i++) {
            int which =
                som_test_int(&random, 0, 31) < newlines ? i % 2 : som_test_int(&random, 2, 7);
            which = which == 7 && round % 2 == 0 ? 2 : which;
            som_text_add(&text, som_str(pieces[which]));
        }
        SomStr whole = som_text_str(&text);
        start(whole);
        int count = som_test_count(300, 10000);
        for (int i = 0; i < count; i++) {
            uint32_t offset = (uint32_t)som_test_int(&random, 0, (int)whole.length + 2);
            if (i < 30) { // round the first milestones
                offset = (uint32_t)(4096 * (1 + i / 10) - 5 + i % 10);
            }
            SomPlace place = som_diagnostics_place(diags, 1, offset);
            SomPlace expected = oracle_place(whole, offset);
            ck_assert_int_eq(place.line, expected.line);
            ck_assert_int_eq(place.column, expected.column);
            ck_assert(som_str_equal(place.text, expected.text));
        }
        som_text_free(&text);
    }
    finish();
}
END_TEST

START_TEST(a_source_of_one_line_or_of_line_ends_alone_costs_little) {
    for (int kind = 0; kind < 2; kind++) {
        SomText text = {0};
        som_text_add_char(&text, kind == 0 ? 'x' : '\n', 32 << 20);
        start(som_text_str(&text));
        for (uint32_t i = 0; i < 1000; i++) {
            som_report(diags, SOM_FILE_NOT_FOUND, span((32u << 20) - i, 32u << 20), "here");
        }
        print(0); // takes minutes where every place is counted from the start of its line
        SomPlace place = som_diagnostics_place(diags, 1, 32u << 20);
        ck_assert_int_eq(kind == 0 ? place.column : place.line, (32 << 20) + 1);
        som_text_free(&text);
    }
    finish();
}
END_TEST

START_TEST(programs_get_the_same_as_json) {
    start(SOM_STR("part hip\nconnect hip\n"));
    som_report(diags, SOM_FILE_NOT_FOUND, span(5, 12), "dock '%s'", "left\x1B");
    som_note(diags, (SomSpan){0}, "no place");
    som_fix(diags, span(9, 16), SOM_STR("join"));
    som_note(diags, span(0, 4), "a place");
    som_report(diags, SOM_FILE_NOT_FOUND, (SomSpan){0}, "plain");
    som_text_clear(&printed);
    SomJsonWriter json = {.out = &printed};
    som_diagnostics_write_json(diags, &json);
    som_json_end(&json);
    ck_assert_str_eq(printed.data, "[\n"
                                   "  {\n"
                                   "    \"severity\": \"error\",\n"
                                   "    \"code\": \"SOM0101\",\n"
                                   "    \"file\": \"a.som\",\n"
                                   "    \"line\": 1,\n"
                                   "    \"column\": 6,\n"
                                   "    \"end_line\": 2,\n"
                                   "    \"end_column\": 4,\n"
                                   "    \"message\": \"dock 'left\\u001b'\",\n"
                                   "    \"notes\": [\n"
                                   "      {\n"
                                   "        \"message\": \"no place\"\n"
                                   "      },\n"
                                   "      {\n"
                                   "        \"file\": \"a.som\",\n"
                                   "        \"line\": 1,\n"
                                   "        \"column\": 1,\n"
                                   "        \"end_line\": 1,\n"
                                   "        \"end_column\": 5,\n"
                                   "        \"message\": \"a place\"\n"
                                   "      }\n"
                                   "    ],\n"
                                   "    \"fix\": [\n"
                                   "      {\n"
                                   "        \"file\": \"a.som\",\n"
                                   "        \"line\": 2,\n"
                                   "        \"column\": 1,\n"
                                   "        \"end_line\": 2,\n"
                                   "        \"end_column\": 8,\n"
                                   "        \"replacement\": \"join\"\n"
                                   "      }\n"
                                   "    ]\n"
                                   "  },\n"
                                   "  {\n"
                                   "    \"severity\": \"error\",\n"
                                   "    \"code\": \"SOM0101\",\n"
                                   "    \"message\": \"plain\"\n"
                                   "  }\n"
                                   "]\n");
    finish();
}
END_TEST

static void misuse(int which) {
    (void)which;
    start(SOM_STR("x"));
    som_report(diags, (SomCode)4321, (SomSpan){0}, "no such code");
}

START_TEST(misuse_aborts) {
    ck_assert(som_test_aborts(misuse, 0));
    som_diagnostics_destroy(NULL); // is allowed
}
END_TEST

// A list may have no source at all, or fewer than the one a span was made for.
static void check_unknown_source(uint32_t source1) {
    SomSpan unknown = {source1, 3, 5};
    som_report(diags, SOM_JSON_SYNTAX, unknown, "wrong");
    som_note(diags, unknown, "look there");
    som_fix(diags, unknown, SOM_STR("right"));
    som_fix(diags, (SomSpan){0}, SOM_STR("right"));
    som_diagnostics_sort(diags);
    ck_assert_str_eq(print(0), "error: wrong [SOM0131]\nnote: look there\n");
    SomText text = {0};
    SomJsonWriter json = {.out = &text};
    som_diagnostics_write_json(diags, &json);
    ck_assert_ptr_null(strstr(text.data, "line"));
    ck_assert_ptr_nonnull(strstr(text.data, "look there"));
    som_text_free(&text);
    SomPlace place = som_diagnostics_place(diags, source1, 3);
    ck_assert_int_eq(place.line, 0);
    ck_assert_uint_eq(place.path.length, 0);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
}

START_TEST(a_report_of_an_unknown_source_is_kept_without_a_place) {
    start(SOM_STR("x"));
    check_unknown_source(2);
    start(SOM_STR("x"));
    check_unknown_source(UINT32_MAX);
    som_diagnostics_destroy(diags);
    diags = som_diagnostics_create();
    check_unknown_source(1);
    finish();
}
END_TEST

START_TEST(a_list_with_the_sources_of_another_is_empty) {
    SomDiagnostics *first = som_diagnostics_create();
    SomStr text = SOM_STR("one\ntwo\n");
    uint32_t source1 = som_diagnostics_add_source(first, SOM_STR("a.som"), text);
    som_report(first, SOM_FILE_NOT_FOUND, (SomSpan){source1, 4, 7}, "here");
    SomDiagnostics *other = som_diagnostics_create_with_sources(first);
    ck_assert_int_eq(som_diagnostics_error_count(other), 0);
    som_report(other, SOM_FILE_NOT_FOUND, (SomSpan){source1, 4, 7}, "there");
    som_diagnostics_destroy(first);
    SomPlace place = som_diagnostics_place(other, source1, 5);
    ck_assert_int_eq(place.line, 2);
    ck_assert_int_eq(place.column, 2);
    ck_assert(som_str_equal(place.path, SOM_STR("a.som")));
    som_diagnostics_destroy(other);
}
END_TEST

START_TEST(many_reports_with_one_cause_fold_into_one) {
    start(SOM_STR("one\ntwo\n"));
    som_report(diags, SOM_FILE_NOT_FOUND, span(0, 3), "before");
    SomDiagnosticsMark mark = som_diagnostics_mark(diags);
    som_report(diags, SOM_UNUSED_PARAMETER, span(4, 7), "a warning");
    for (int i = 0; i < 2000; i++) {
        som_report(diags, SOM_FILE_NOT_FOUND, span(4, 7), "number %d", i);
        som_note(diags, span(0, 3), "with a note");
    }
    ck_assert_int_eq(som_diagnostics_errors_since(diags, mark), 2000);
    som_diagnostics_fold(diags, mark, SOM_WRONG_ARGUMENTS, span(0, 3), "it does not work");
    ck_assert_int_eq(som_diagnostics_error_count(diags), 2);
    ck_assert_int_eq(som_diagnostics_warning_count(diags), 0);
    ck_assert_str_eq(print(0), "a.som:1:1: error: before [SOM0101]\n"
                               "    1 | one\n"
                               "      | ^~~\n"
                               "a.som:1:1: error: it does not work: number 0 [SOM2034]\n"
                               "    1 | one\n"
                               "      | ^~~\n"
                               "a.som:2:1: note: the error is here (and 1999 more)\n"
                               "    2 | two\n"
                               "      | ^~~\n");
    mark = som_diagnostics_mark(diags);
    som_report(diags, SOM_FILE_NOT_FOUND, span(0, 3), "taken back");
    som_diagnostics_cut(diags, mark);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 2);
    finish();
}
END_TEST

SOM_SUITE("base/diagnostic", a_report_with_note_and_fix_prints_as_compilers_do,
          the_caret_stands_under_its_character, places_at_the_ends_of_lines_and_texts_are_shown,
          of_a_long_line_the_part_round_the_mark_is_shown, messages_show_no_controls_and_are_cut,
          a_path_shows_no_controls, errors_and_warnings_are_counted_and_the_rest_named,
          an_error_after_very_many_warnings_is_kept,
          of_very_many_reports_a_thousand_are_kept_and_all_are_counted,
          sorting_keeps_notes_with_their_reports_and_equal_places_in_order,
          places_in_long_texts_are_as_counted_from_the_start,
          a_source_of_one_line_or_of_line_ends_alone_costs_little, programs_get_the_same_as_json,
          misuse_aborts, a_report_of_an_unknown_source_is_kept_without_a_place,
          a_list_with_the_sources_of_another_is_empty, many_reports_with_one_cause_fold_into_one)
